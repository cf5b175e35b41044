//! Who may do what: every route and every page, by every kind of caller; logging in; pages of strangers; names of strangers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use firstcopy_service::{Keys, Limits, Role};
use std::io::{Read, Write};
use support::{Response, Service};

/// What a route of the API takes: nothing, or a key of a role. Whoever adds a route says here who may use it.
const ROUTES: &[(&str, Option<Role>)] = &[
    ("GET /healthz", None),
    ("GET /readyz", None),
    ("GET /metrics", Some(Role::Read)),
    ("GET /v1/stats", Some(Role::Read)),
    ("GET /v1/search", Some(Role::Read)),
    ("GET /v1/trace", Some(Role::Read)),
    ("POST /v1/check", Some(Role::Read)),
    ("POST /v1/similar", Some(Role::Read)),
    ("POST /v1/compare", Some(Role::Read)),
    ("POST /v1/copies", Some(Role::Read)),
    ("GET /v1/documents/{id}", Some(Role::Read)),
    ("GET /v1/documents/{id}/copies", Some(Role::Read)),
    ("GET /v1/documents/{id}/versions", Some(Role::Read)),
    ("GET /v1/documents/{id}/holders", Some(Role::Read)),
    ("GET /v1/documents/{id}/appeals", Some(Role::Read)),
    ("POST /v1/documents", Some(Role::Write)),
    ("POST /v1/documents/_bulk", Some(Role::Write)),
    ("DELETE /v1/documents/{id}", Some(Role::Write)),
    ("POST /v1/documents/{id}/appeals", Some(Role::Admin)),
    ("GET /v1/webhooks", Some(Role::Admin)),
    ("POST /v1/webhooks", Some(Role::Admin)),
    ("DELETE /v1/webhooks/{name}", Some(Role::Admin)),
    ("GET /v1/webhooks/{name}/deliveries", Some(Role::Admin)),
];

/// The same for pages.
const PAGES: &[(&str, Option<Role>)] = &[
    ("GET /", Some(Role::Read)),
    ("POST /check", Some(Role::Read)),
    ("GET /search", Some(Role::Read)),
    ("GET /document", Some(Role::Read)),
    ("GET /compare", Some(Role::Read)),
    ("GET /clusters", Some(Role::Read)),
    ("GET /cluster", Some(Role::Read)),
    ("GET /holders", Some(Role::Read)),
    ("GET /holders.csv", Some(Role::Read)),
    ("GET /moved", Some(Role::Read)),
    ("GET /moved.csv", Some(Role::Read)),
    ("GET /status", Some(Role::Read)),
    ("GET /add", Some(Role::Write)),
    ("POST /add", Some(Role::Write)),
    ("POST /sample", Some(Role::Write)),
    ("POST /appeal", Some(Role::Admin)),
    ("GET /reference", None),
    ("GET /login", None),
    ("POST /login", None),
    ("POST /logout", None),
];

/// Open to everybody, and answered as those deserve who come to them: tested by themselves.
const DOORS: [&str; 2] = ["POST /login", "POST /logout"];

/// The routes of the API, from its own description.
fn described(service: &Service) -> Vec<String> {
    let description = service.get("/openapi.json").json();
    let paths = description["paths"].as_object().unwrap().clone();
    let mut routes = Vec::new();
    for (path, methods) in paths {
        let methods = methods.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let is_method = |name: &&String| ["get", "post", "put", "delete", "patch"].contains(&name.as_str());
        routes.extend(
            methods.iter().filter(is_method).map(|method| format!("{} {path}", method.to_uppercase())),
        );
    }
    routes.sort();
    routes
}

/// The pages, from where they are listed.
fn listed() -> Vec<String> {
    let source = include_str!("../src/pages/mod.rs");
    let mut pages = Vec::new();
    for route in source.split(".route(\"").skip(1) {
        let (path, rest) = route.split_once('"').unwrap();
        let handlers = rest.split(".route(").next().unwrap().split("\n}").next().unwrap();
        for (method, call) in [("GET", "get("), ("POST", "post(")] {
            if handlers.contains(call) {
                pages.push(format!("{method} {path}"));
            }
        }
    }
    pages.sort();
    pages
}

#[track_caller]
fn assert_all_expected(found: &[String], expected: &[(&str, Option<Role>)]) {
    let mut names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    assert_eq!(found, names, "what there is, and what is said here of who may use it");
}

/// Sends something to a route that is wrong enough to change nothing.
fn knock(service: &Service, route: &str, headers: &[(&str, &str)]) -> Response {
    let (method, path) = route.split_once(' ').unwrap();
    let path = path.replace("{id}", "nobody").replace("{name}", "nobody");
    let path = if path == "/v1/search" { "/v1/search?q=a".to_owned() } else { path };
    service.send(method, &path, headers, if method == "POST" { b"{" } else { b"" })
}

/// Whether a request got through to whoever answers it.
fn is_let_in(answer: &Response) -> bool {
    let is_sent_to_login = answer.status == 303 && answer.header("location").unwrap().starts_with("/login");
    !is_sent_to_login && ![401, 403, 421, 429].contains(&answer.status)
}

struct Shown {
    who: &'static str,
    header: Option<(&'static str, String)>,
    role: Option<Role>,
}

/// Everybody who might come by, where there are keys.
fn callers(service: &Service) -> Vec<Shown> {
    let keys = Keys::open(&service.collection()).unwrap();
    let mut callers = vec![
        Shown { who: "no key", header: None, role: None },
        Shown {
            who: "a wrong key",
            header: Some(("Authorization", "Bearer fck_0000".to_owned())),
            role: None,
        },
        Shown { who: "another scheme", header: Some(("Authorization", "Basic YTpi".to_owned())), role: None },
        Shown {
            who: "a wrong session",
            header: Some(("Cookie", "firstcopy_session=00".to_owned())),
            role: None,
        },
    ];
    for role in [Role::Read, Role::Write, Role::Admin] {
        let key = keys.add(role.name(), role).unwrap();
        callers.push(Shown {
            who: role.name(),
            header: Some(("Authorization", format!("Bearer {key}"))),
            role: Some(role),
        });
        callers.push(Shown {
            who: role.name(),
            header: Some(("Cookie", log_in(service, &key))),
            role: Some(role),
        });
    }
    callers
}

/// The cookie of a new session.
#[track_caller]
fn log_in(service: &Service, key: &str) -> String {
    let entered = service.send("POST", "/login", &[], format!("key={key}").as_bytes());
    assert_eq!(entered.status, 303, "{entered:?}");
    entered.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn every_route_by_every_caller() {
    let service = Service::start();
    let (routes, pages) = (described(&service), listed());
    assert_all_expected(&routes, ROUTES);
    assert_all_expected(&pages, PAGES);
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    for (route, _) in ROUTES.iter().chain(PAGES).filter(|(route, _)| !DOORS.contains(route)) {
        let answer = knock(&service, route, &[]);
        assert!(is_let_in(&answer) && answer.status < 500, "{route}, no key at all: {answer:?}");
    }
    for Shown { who, header, role } in callers(&service) {
        let headers: Vec<(&str, &str)> = header.iter().map(|(name, value)| (*name, value.as_str())).collect();
        for (is_page, (route, needed)) in
            ROUTES.iter().map(|route| (false, route)).chain(PAGES.iter().map(|page| (true, page)))
        {
            if DOORS.contains(route) {
                continue;
            }
            let answer = knock(&service, route, &headers);
            let about = format!("{route}, {who}: {} {:?}", answer.status, answer.headers);
            match needed {
                None => assert!(is_let_in(&answer) && answer.status < 500, "{about}"),
                Some(needed) if role.is_some_and(|role| role >= *needed) => {
                    assert!(is_let_in(&answer) && answer.status < 500, "{about}");
                }
                Some(_) if role.is_some() => {
                    assert_eq!(answer.status, 403, "{about}");
                    let media = if is_page { "text/html; charset=utf-8" } else { "application/problem+json" };
                    assert_eq!(answer.header("content-type"), Some(media), "{about}");
                }
                Some(_) if is_page => {
                    assert_eq!(answer.status, 303, "{about}");
                    assert!(answer.header("location").unwrap().starts_with("/login"), "{about}");
                }
                Some(_) => {
                    assert_eq!(
                        (answer.status, answer.header("www-authenticate")),
                        (401, Some("Bearer")),
                        "{about}"
                    );
                    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{about}");
                }
            }
        }
    }
}

#[test]
fn people_log_in_and_out() {
    let service = Service::start();
    assert_eq!(service.get("/login").header("location"), Some("/"), "nobody needs a key where there is none");
    let keys = Keys::open(&service.collection()).unwrap();
    let key = keys.add("<editor>", Role::Read).unwrap();
    let asked = service.get("/search?q=%EA%B0%80&sort=newest");
    assert_eq!(asked.header("location"), Some("/login?next=%2Fsearch%3Fq%3D%25EA%25B0%2580%26sort%3Dnewest"));
    let form = service.get(asked.header("location").unwrap()).text();
    assert!(form.contains("value=\"/search?q=%EA%B0%80&amp;sort=newest\""), "{form}");

    let refused = service.send("POST", "/login", &[], b"key=fck_wrong&next=/status");
    assert_eq!((refused.status, refused.header("set-cookie")), (401, None), "{refused:?}");
    assert!(refused.text().contains("There is no such key") && !refused.text().contains("fck_wrong"));

    let enter =
        |next: &str| service.send("POST", "/login", &[], format!("key=+{key}+&next={next}").as_bytes());
    assert_eq!(enter("%2F%2Fevil.example").header("location"), Some("/"));
    assert_eq!(enter("https%3A%2F%2Fevil.example").header("location"), Some("/"));
    let entered = enter("%2Fsearch%3Fq%3D%25EA%25B0%2580");
    assert_eq!(entered.header("location"), Some("/search?q=%EA%B0%80"));
    let cookie = entered.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains("Secure"), "{cookie}");
    let session = cookie.split(';').next().unwrap();
    let look = |path: &str| service.send("GET", path, &[("Cookie", session)], b"").status;
    assert_eq!([look("/"), look("/v1/stats"), look("/add")], [200, 200, 403]);
    for page in ["/login", "/status"] {
        let own = service.send("GET", page, &[("Cookie", session)], b"").text();
        assert!(own.contains("&lt;editor&gt;") && own.contains("Log out"), "{own}");
    }

    let left = service.send("POST", "/logout", &[("Cookie", session)], b"");
    assert!(left.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert_eq!([look("/"), look("/v1/stats")], [303, 401]);

    // Removing the key ends its sessions, and one of the same name does not bring them back.
    let session = log_in(&service, &key);
    let look = |path: &str| service.send("GET", path, &[("Cookie", &session)], b"").status;
    assert_eq!(look("/"), 200);
    keys.add("another", Role::Read).unwrap();
    keys.remove("<editor>").unwrap();
    assert_eq!([look("/"), look("/v1/stats")], [303, 401]);
    keys.add("<editor>", Role::Admin).unwrap();
    assert_eq!([look("/"), look("/v1/stats")], [303, 401]);
}

#[test]
fn a_cookie_is_secure_where_the_browser_came_by_https() {
    let service = Service::start();
    let key = Keys::open(&service.collection()).unwrap().add("a", Role::Read).unwrap();
    let body = format!("key={key}");
    let entered = service.send("POST", "/login", &[("X-Forwarded-Proto", "https")], body.as_bytes());
    assert!(entered.header("set-cookie").unwrap().ends_with("; Secure"), "{entered:?}");
}

#[test]
fn attempts_to_log_in_are_counted() {
    let service = Service::start();
    Keys::open(&service.collection()).unwrap().add("a", Role::Read).unwrap();
    let attempts: Vec<Response> = (0..12)
        .map(|number| service.send("POST", "/login", &[], format!("key={number}").as_bytes()))
        .collect();
    assert!(attempts[..10].iter().all(|answer| answer.status == 401), "{attempts:?}");
    let last = &attempts[11];
    assert_eq!(last.status, 429);
    let wait: u64 = last.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=6).contains(&wait), "{wait}");
    // Somebody else, behind the same proxy, is somebody else.
    let other = [("X-Forwarded-For", "198.51.100.7")];
    assert_eq!(service.send("POST", "/login", &other, b"key=a").status, 401);
    assert_eq!(service.get("/healthz").status, 200);
}

#[test]
fn pages_of_strangers_change_nothing() {
    let limits = Limits { origins: vec!["https://editor.example".parse().unwrap()], ..Limits::default() };
    let service = Service::with(limits);
    let post = br#"{"id": "a", "text": "Who wrote this first?"}"#;
    let send = |method: &str, path: &str, headers: &[(&str, &str)]| service.send(method, path, headers, post);
    for headers in [
        [("Origin", "https://evil.example")],
        [("Origin", "null")],
        [("Origin", "http://localhost:9999")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
    ] {
        for (method, path) in [
            ("POST", "/v1/documents"),
            ("POST", "/v1/check"),
            ("DELETE", "/v1/documents/a"),
            ("POST", "/sample"),
        ] {
            let refused = send(method, path, &headers);
            assert_eq!(refused.status, 403, "{method} {path} {headers:?}");
            assert_eq!(refused.header("content-type"), Some("application/problem+json"));
            assert_eq!(refused.header("access-control-allow-origin"), None);
        }
        assert_eq!(service.send("GET", "/v1/stats", &headers, b"").status, 200, "looking changes nothing");
    }
    assert_eq!(service.get("/v1/stats").json()["documents"], 0);
    assert_eq!(send("POST", "/v1/documents", &[("Origin", "http://localhost")]).status, 201);
    assert_eq!(
        send("POST", "/v1/documents", &[("Sec-Fetch-Site", "same-origin"), ("Origin", "null")]).status,
        200
    );

    // An origin that is allowed may use the API, and nothing else.
    let editor = [("Origin", "https://editor.example"), ("Sec-Fetch-Site", "cross-site")];
    let allowed = send("POST", "/v1/documents", &editor);
    assert_eq!(allowed.status, 200);
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://editor.example"));
    assert_eq!(send("POST", "/sample", &editor).status, 403);
    let asks = [editor[0], ("Access-Control-Request-Method", "POST")];
    let preflight = service.send("OPTIONS", "/v1/documents", &asks, b"");
    assert_eq!(preflight.status, 204);
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("authorization"));
    let stranger = [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")];
    let preflight = service.send("OPTIONS", "/v1/documents", &stranger, b"");
    assert_eq!(preflight.header("access-control-allow-origin"), None);
}

/// The status of a request that is sent to this name.
#[track_caller]
fn asked_as(service: &Service, head: &str) -> u16 {
    let mut stream = service.connect();
    stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap()
}

#[test]
fn names_of_strangers_are_not_ours() {
    let service = Service::start();
    let status = |host: &str| asked_as(&service, &format!("GET /v1/stats HTTP/1.1\r\nHost: {host}"));
    for host in ["localhost", "localhost:7700", "127.0.0.1:1", "[::1]:7700", "LOCALHOST"] {
        assert_eq!(status(host), 200, "{host}");
    }
    for host in ["evil.example", "evil.example:7700", "localhost.evil.example", "10.0.0.1:7700"] {
        assert_eq!(status(host), 421, "{host}");
    }
    assert_eq!(asked_as(&service, "GET http://evil.example/v1/stats HTTP/1.1\r\nHost: localhost"), 421);
    assert_eq!(
        asked_as(&service, "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.1"),
        403
    );
    // With a key, names are the proxy's business.
    let key = Keys::open(&service.collection()).unwrap().add("a", Role::Read).unwrap();
    assert_eq!(status("firstcopy.example"), 401);
    let head = format!("GET /v1/stats HTTP/1.1\r\nHost: firstcopy.example\r\nAuthorization: bearer {key}");
    assert_eq!(asked_as(&service, &head), 200);
}
