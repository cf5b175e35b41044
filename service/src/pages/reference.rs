//! The API for people to read: every route of the OpenAPI description with its parameters, bodies and answers, and an example.

use super::EXAMPLE_HOST;
use super::pieces::wide;
use firstcopy_report::escaped;
use serde_json::{Map, Value, json};
use std::fmt::Write;

const METHODS: [&str; 6] = ["get", "post", "put", "patch", "delete", "head"];

/// A route by one method.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    value: &'a Value,
}

/// The whole reference.
pub fn body(description: &Value) -> String {
    let operations = operations(description);
    let mut html = format!(
        "<h1>API</h1><p class=\"lead\">{}</p><p>The same for programs: <a href=\"/openapi.json\">/openapi.json</a> (OpenAPI 3.1). \
         Where there are keys, one is sent as <code>Authorization: Bearer KEY</code>. What is wrong is said as \
         <code>application/problem+json</code>.</p>",
        escaped(text(&description["info"], "description"))
    );
    html += &contents(description, &operations);
    for (tag, meaning) in tags(description, &operations) {
        let _ =
            write!(html, "<section><h2 id=\"tag-{0}\">{0}</h2><p>{1}</p>", escaped(&tag), escaped(&meaning));
        operations.iter().filter(|operation| operation.tag() == tag).for_each(|operation| {
            html += &shown(operation, description);
        });
        html += "</section>";
    }
    html + &schemas(description)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn operations(description: &Value) -> Vec<Operation<'_>> {
    let paths = description["paths"].as_object().into_iter().flatten();
    let methods =
        paths.flat_map(|(path, methods)| methods.as_object().into_iter().flatten().map(move |of| (path, of)));
    methods
        .filter(|(_, (method, _))| METHODS.contains(&method.as_str()))
        .map(|(path, (method, value))| Operation { method, path, value })
        .collect()
}

/// The tags that are described, in order, and after them whatever else a route has.
fn tags(description: &Value, operations: &[Operation]) -> Vec<(String, String)> {
    let described = description["tags"].as_array().into_iter().flatten();
    let mut tags: Vec<(String, String)> =
        described.map(|tag| (text(tag, "name").to_owned(), text(tag, "description").to_owned())).collect();
    for operation in operations {
        if !tags.iter().any(|(name, _)| *name == operation.tag()) {
            tags.push((operation.tag().to_owned(), String::new()));
        }
    }
    tags.retain(|(name, _)| operations.iter().any(|operation| operation.tag() == name));
    tags
}

impl Operation<'_> {
    fn tag(&self) -> &str {
        self.value["tags"][0].as_str().unwrap_or("other")
    }

    /// The name of its place on the page.
    fn anchor(&self) -> String {
        let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
        format!("{}{}", self.method, self.path.chars().map(plain).collect::<String>())
    }

    fn parameters(&self) -> &[Value] {
        self.value["parameters"].as_array().map(Vec::as_slice).unwrap_or_default()
    }
}

fn contents(description: &Value, operations: &[Operation]) -> String {
    let mut html = String::from("<nav aria-label=\"Routes\" class=\"contents\">");
    for (tag, _) in tags(description, operations) {
        let _ = write!(html, "<h2>{}</h2><ul>", escaped(&tag));
        for operation in operations.iter().filter(|operation| operation.tag() == tag) {
            let _ = write!(
                html,
                "<li><a href=\"#{}\"><code>{} {}</code></a></li>",
                operation.anchor(),
                operation.method.to_uppercase(),
                escaped(operation.path)
            );
        }
        html += "</ul>";
    }
    html + "</nav>"
}

fn shown(operation: &Operation, description: &Value) -> String {
    let value = operation.value;
    let mut html = format!(
        "<article><h3 id=\"{}\"><code>{} {}</code></h3><p>{}</p>",
        operation.anchor(),
        operation.method.to_uppercase(),
        escaped(operation.path),
        escaped(text(value, "summary"))
    );
    if !text(value, "description").is_empty() {
        let _ = write!(html, "<p>{}</p>", escaped(text(value, "description")));
    }
    html += &parameters(operation);
    for (media, content) in value["requestBody"]["content"].as_object().into_iter().flatten() {
        let _ = write!(
            html,
            "<h4>Body</h4><p><code>{}</code>: {} {}</p>",
            escaped(media),
            kind(&content["schema"]),
            escaped(text(&value["requestBody"], "description"))
        );
    }
    html += &responses(value);
    let _ = write!(
        html,
        "<h4>Example</h4><pre tabindex=\"0\">{}</pre></article>",
        escaped(&example(operation, description))
    );
    html
}

fn parameters(operation: &Operation) -> String {
    if operation.parameters().is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for parameter in operation.parameters() {
        let needed = if parameter["required"] == true { "needed" } else { "" };
        let _ = write!(
            rows,
            "<tr><td><code>{}</code></td><td>{}</td><td>{}{}</td><td>{needed}</td><td>{}</td></tr>",
            escaped(text(parameter, "name")),
            escaped(text(parameter, "in")),
            kind(&parameter["schema"]),
            bounds(&parameter["schema"]),
            escaped(text(parameter, "description"))
        );
    }
    let table = format!(
        "<table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Needed</th><th>Meaning</th></tr></thead><tbody>{rows}</tbody></table>"
    );
    format!(
        "<h4>Parameters</h4>{}",
        wide(&format!("Parameters of {} {}", operation.method, operation.path), &table)
    )
}

fn responses(value: &Value) -> String {
    let mut html = String::from("<h4>Answers</h4><dl class=\"facts\">");
    for (status, response) in value["responses"].as_object().into_iter().flatten() {
        let bodies: Vec<String> = response["content"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(media, content)| format!("<code>{}</code>: {}", escaped(media), kind(&content["schema"])))
            .collect();
        let _ = write!(
            html,
            "<dt>{}</dt><dd>{} {}</dd>",
            escaped(status),
            escaped(text(response, "description")),
            bodies.join(", ")
        );
    }
    html + "</dl>"
}

/// The type of a schema in words; named ones are linked.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("<a href=\"#schema-{0}\">{0}</a>", escaped(name));
    }
    for (word, joint) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
        if let Some(choices) = schema[word].as_array() {
            return choices.iter().map(kind).collect::<Vec<_>>().join(joint);
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values.iter().filter(|value| !value.is_null());
        return values
            .map(|value| format!("<code>{}</code>", escaped(&value.to_string())))
            .collect::<Vec<_>>()
            .join(" or ");
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if name == "object" && schema["properties"].is_object() => {
            format!("object {}", properties(schema))
        }
        Value::String(name) => escaped(name),
        Value::Array(names) => {
            let names: Vec<String> = names
                .iter()
                .filter_map(Value::as_str)
                .map(|name| match name {
                    "array" => format!("list of {}", kind(&schema["items"])),
                    name => escaped(name),
                })
                .collect();
            names.join(" or ")
        }
        _ => "anything".to_owned(),
    }
}

/// The limits of a value.
fn bounds(schema: &Value) -> String {
    let bound = |name: &str, sign: &str| match &schema[name] {
        Value::Null => None,
        value => Some(format!(" {sign} {value}")),
    };
    [bound("minimum", "≥"), bound("maximum", "≤")].into_iter().flatten().collect()
}

/// The fields of an object.
fn properties(schema: &Value) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut html = String::from("<ul class=\"fields-of\">");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let needed = if required.contains(&name.as_str()) { "" } else { ", may be absent" };
        let _ = write!(
            html,
            "<li><code>{}</code>: {}{}{needed}. {}</li>",
            escaped(name),
            kind(property),
            bounds(property),
            escaped(text(property, "description"))
        );
    }
    html + "</ul>"
}

fn schemas(description: &Value) -> String {
    let mut html = String::from("<section><h2 id=\"schemas\">Types</h2>");
    for (name, schema) in description["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(
            html,
            "<article><h3 id=\"schema-{0}\">{0}</h3><p>{1}</p>{2}</article>",
            escaped(name),
            escaped(text(schema, "description")),
            match schema["properties"].is_object() {
                true => properties(schema),
                false => format!("<p>{}</p>", kind(schema)),
            }
        );
    }
    html + "</section>"
}

/// How a route is asked on a command line.
fn example(operation: &Operation, description: &Value) -> String {
    let mut path = operation.path.to_owned();
    let mut query = Vec::new();
    for parameter in operation.parameters() {
        let name = text(parameter, "name");
        match (text(parameter, "in"), parameter["required"] == true) {
            ("path", _) => path = path.replace(&format!("{{{name}}}"), "post-1"),
            ("query", true) => query
                .push(format!("{name}={}", if name == "url" { "https://blog.example/1" } else { "words" })),
            _ => {}
        }
    }
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let method = match operation.method {
        "get" => String::new(),
        method => format!("-X {} ", method.to_uppercase()),
    };
    let mut line = format!("curl {method}'http://{EXAMPLE_HOST}{path}{query}'");
    let bodies = operation.value["requestBody"]["content"].as_object();
    if let Some((media, content)) = bodies.and_then(|bodies| bodies.iter().next()) {
        let sent = sample(&content["schema"], description, 0);
        let sent = if media.contains("ndjson") {
            json!({"id": "post-1", "text": "Who wrote this first?"})
        } else {
            sent
        };
        let _ = write!(line, " \\\n  -H 'Content-Type: {media}' \\\n  -d '{sent}'");
    }
    line
}

/// A value of a schema: what is needed, or what a newcomer would send.
fn sample(schema: &Value, description: &Value, depth: usize) -> Value {
    if depth > 4 {
        return Value::Null;
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return sample(&description["components"]["schemas"][name], description, depth + 1);
    }
    for word in ["oneOf", "anyOf", "allOf"] {
        if let Some(first) =
            schema[word].as_array().and_then(|choices| choices.iter().find(|choice| choice["type"] != "null"))
        {
            return sample(first, description, depth + 1);
        }
    }
    let Some(properties) = schema["properties"].as_object() else {
        return match schema["type"].as_str() {
            Some("number" | "integer") => json!(1),
            Some("boolean") => json!(true),
            Some("array") => json!([]),
            _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("post-1")),
        };
    };
    if properties.contains_key("text") && properties.contains_key("html") {
        return json!({"id": "post-1", "url": "https://blog.example/1", "text": "Who wrote this first?"});
    }
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let wanted = |name: &String| {
        required.contains(&name.as_str()) || (required.is_empty() && properties.keys().next() == Some(name))
    };
    let chosen = properties.iter().filter(|(name, _)| wanted(name));
    chosen
        .map(|(name, property)| (name.clone(), sample(property, description, depth + 1)))
        .collect::<Map<_, _>>()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_and_type_is_shown_and_linked() {
        let description = json!({
            "info": {"description": "a & b"},
            "tags": [{"name": "documents", "description": "The collection"}],
            "paths": {"/v1/a/{id}": {"post": {
                "tags": ["documents"], "summary": "Does <it>",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}},
                               {"name": "limit", "in": "query", "schema": {"type": ["integer", "null"], "minimum": 1}}],
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Record"}}}},
                "responses": {"200": {"description": "Done", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Record"}}}}}
            }}},
            "components": {"schemas": {"Record": {"type": "object", "required": ["of"], "description": "A record.",
                "properties": {"of": {"type": "string"}, "again": {"$ref": "#/components/schemas/Record"}}}}}
        });
        let html = body(&description);
        for expected in [
            "POST /v1/a/{id}",
            "Does &lt;it&gt;",
            "id=\"schema-Record\"",
            "href=\"#schema-Record\"",
            "integer or null ≥ 1",
            "curl -X POST &#39;http://127.0.0.1:7700/v1/a/post-1&#39;",
            "{&quot;of&quot;:&quot;post-1&quot;}",
            "a &amp; b",
        ] {
            assert!(html.contains(expected), "{expected}: {html}");
        }
        assert!(body(&json!({})).contains("<h1>API</h1>"));
    }
}
