//! How does a JSON object get fields without losing a byte of its others? They are spliced into its text: numbers keep
//! their digits, strings their escapes. Reads only what has been parsed before, and nothing recursively.

use std::ops::Range;

use serde_json::Value;

use super::writer::Fields;

/// A member of the outermost object: where its key and its value stand.
struct Member {
    key: Range<usize>,
    value: Range<usize>,
}

/// The object with these fields: one that it has is replaced where it stands, the others follow its last.
pub(super) fn with(object: &[u8], fields: &Fields) -> Vec<u8> {
    let members = members(object);
    let mut splice = Splice { object, copied: 0, text: Vec::with_capacity(object.len() + 256) };
    let mut missing = fields.clone();
    for member in &members {
        if let Some((name, value)) = field_of(&object[member.key.clone()], fields) {
            splice.replace(member.value.clone(), &value.to_string());
            missing.shift_remove(name);
        }
    }
    let end = members.last().map_or_else(|| begin(object), |member| member.value.end);
    splice.replace(end..end, &list(&missing, !members.is_empty()));
    splice.finish()
}

/// A text with parts of it replaced.
struct Splice<'a> {
    object: &'a [u8],
    copied: usize,
    text: Vec<u8>,
}

impl Splice<'_> {
    fn replace(&mut self, part: Range<usize>, by: &str) {
        self.text.extend_from_slice(&self.object[self.copied..part.start]);
        self.text.extend_from_slice(by.as_bytes());
        self.copied = part.end;
    }

    fn finish(mut self) -> Vec<u8> {
        self.text.extend_from_slice(&self.object[self.copied..]);
        self.text
    }
}

/// Fields as they stand in an object, after others or alone.
fn list(fields: &Fields, after_others: bool) -> String {
    let all: Vec<String> =
        fields.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str()))).collect();
    match after_others && !all.is_empty() {
        true => format!(",{}", all.join(",")),
        false => all.join(","),
    }
}

/// The field that a key names, whatever its escapes.
fn field_of<'a>(key: &[u8], fields: &'a Fields) -> Option<(&'a String, &'a Value)> {
    let name: String = serde_json::from_slice(key).ok()?;
    fields.get_key_value(&name)
}

fn members(object: &[u8]) -> Vec<Member> {
    let mut members = Vec::new();
    let mut at = begin(object);
    while let Some(key) = find(object, at, |byte| byte == b'"') {
        let key = key..after_string(object, key);
        let Some(colon) = find(object, key.end, |byte| byte == b':') else { break };
        let value = value(object, colon + 1);
        at = value.end;
        members.push(Member { key, value });
    }
    members
}

/// Where the first member may stand.
fn begin(object: &[u8]) -> usize {
    find(object, 0, |byte| byte == b'{').map_or(object.len(), |at| at + 1)
}

/// The value that follows, without the white space around it.
fn value(object: &[u8], from: usize) -> Range<usize> {
    let begin = find(object, from, |byte| !byte.is_ascii_whitespace()).unwrap_or(object.len());
    let mut depth = 0_u64;
    let mut at = begin;
    while let Some(byte) = object.get(at) {
        at = match byte {
            b'"' => after_string(object, at),
            b',' | b'}' | b']' if depth == 0 => break,
            b'{' | b'[' => {
                depth += 1;
                at + 1
            }
            b'}' | b']' => {
                depth -= 1;
                at + 1
            }
            _ => at + 1,
        };
    }
    begin..begin + object[begin..at].trim_ascii_end().len()
}

/// The place after a string that begins here.
fn after_string(object: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    loop {
        at = match object.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at + 2,
            Some(_) => at + 1,
            None => return object.len(),
        };
    }
}

fn find(object: &[u8], from: usize, is: impl Fn(u8) -> bool) -> Option<usize> {
    object.get(from..)?.iter().position(|byte| is(*byte)).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn fields_are_added_and_replaced() {
        let check = |object: &str, added: Value, expected: &str| {
            let text = String::from_utf8(with(object.as_bytes(), &fields(added))).unwrap();
            assert_eq!(text, expected);
        };
        check(r#"{"text":"x"}"#, json!({"a": 1, "b": "\n\""}), r#"{"text":"x","a":1,"b":"\n\""}"#);
        check(r#"{"text":"x"}"#, json!({}), r#"{"text":"x"}"#);
        check("{ }", json!({"a": null}), r#"{"a":null }"#);
        check(r#"{"a": {"a":[1,"}"]} , "n": 1.10e400}"#, json!({"a": 2}), r#"{"a": 2 , "n": 1.10e400}"#);
        check(r#"{"\u0061":[[]],"z":"\"a\":1"}"#, json!({"a": 2}), r#"{"\u0061":2,"z":"\"a\":1"}"#);
        check(r#"{"a":1,"text":"","a":2}"#, json!({"a": []}), r#"{"a":[],"text":"","a":[]}"#);
        check(
            "\u{feff} {\n\t\"text\": \"\\\\\"\n}\r",
            json!({"a": true}),
            "\u{feff} {\n\t\"text\": \"\\\\\",\"a\":true\n}\r",
        );
        check(r#"{"text":"\ud800"}"#, json!({"가": "나"}), r#"{"text":"\ud800","가":"나"}"#);
    }

    #[test]
    fn bytes_that_are_no_unicode_stay() {
        assert_eq!(with(b"{\"text\":\"\xff\"}", &fields(json!({"a": 1}))), b"{\"text\":\"\xff\",\"a\":1}");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            "[\\PC\"{}\\[\\],:\\\\]{0,8}".prop_map(Value::from),
            Just(Value::Null)
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("[ab\"]{0,2}", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    fn any_object() -> impl Strategy<Value = Fields> {
        prop::collection::vec(("[abc\"\\\\]{0,2}", any_json()), 0..5)
            .prop_map(|members| members.into_iter().collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The naive twin parses, inserts and writes again.
        #[test]
        fn as_if_parsed(object in any_object(), added in any_object(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&object) } else { serde_json::to_string(&object) }.unwrap();
            let spliced: Value = serde_json::from_slice(&with(text.as_bytes(), &added)).unwrap();
            let mut expected = object;
            for (name, value) in added {
                expected.insert(name, value);
            }
            let order = |fields: &Fields| fields.keys().cloned().collect::<Vec<_>>();
            prop_assert_eq!(order(spliced.as_object().unwrap()), order(&expected));
            prop_assert_eq!(spliced, Value::Object(expected));
        }

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(prop::sample::select(b"{}[]\",:\\a ".to_vec()), 0..40)) {
            with(&bytes, &fields(json!({"a": 1, "": 2})));
        }
    }
}
