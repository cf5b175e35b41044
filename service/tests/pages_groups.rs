//! A group of two thousand: every page that shows it stays as small as for a group of ten, and shows all of it page by page.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

#[allow(dead_code, reason = "every test file uses a part of it")]
mod support;

use std::collections::BTreeSet;
use support::Service;

const COPIES: usize = 2000;

fn with_a_large_group() -> Service {
    let service = Service::start();
    let text = "지난 주말에 아이와 함께 남한산성을 걸었다. 가을이 깊어서 성벽을 따라 난 길에는 낙엽이 발목까지 쌓여 있었고, 아이는 그 소리가 좋다며 \
                일부러 발을 끌며 걸었다. 산성 로터리에서 출발해 북문을 지나 서문까지 가는 길은 한 시간 반쯤 걸린다.";
    let mut lines = String::new();
    for number in 0..=COPIES {
        let id = if number == 7 { "=7".to_owned() } else { format!("post-{number}") };
        let record = serde_json::json!({
            "id": id, "url": format!("https://site{}.example/{number}", number % 40), "title": "가을", "text": text,
            "created_at": 1_700_000_000 + 3600 * number,
        });
        lines += &format!("{record}\n");
    }
    let answer = service.send("POST", "/v1/documents/_bulk", &[], lines.as_bytes());
    assert!(answer.lines().iter().all(|line| line["status"] == 201), "{}", answer.text());
    service
}

/// The ids that a page links to.
fn linked(page: &str) -> Vec<String> {
    let links = page.split("href=\"/document?id=").skip(1);
    links.map(|rest| rest.split('"').next().unwrap().replace("%3D", "=")).collect()
}

#[test]
fn a_large_group_is_bounded_everywhere_and_complete_page_by_page() {
    let service = with_a_large_group();
    let document = service.get("/document?id=post-0").text();
    assert!(document.contains("2,000 copies"), "{document}");
    assert!(document.contains("A random sample of ") && document.contains(" of 2,000 copies."), "{document}");
    assert!(
        document.matches("<circle").count() <= 101 && document.matches("<tr>").count() <= 30,
        "{document}"
    );
    assert!(document.len() < 100_000, "{}", document.len());
    let clusters = service.get("/clusters").text();
    assert!(
        clusters.contains("1 cluster with 2,001 documents") && clusters.contains(">2,001</td>"),
        "{clusters}"
    );
    assert!(clusters.contains("or more"), "only some copies were looked at: {clusters}");

    let (mut path, mut seen, mut pages) = ("/cluster?id=post-1234".to_owned(), Vec::new(), 0);
    loop {
        let page = service.get(&path).text();
        assert!(page.len() < 100_000, "{}", page.len());
        assert!(page.contains("members, drawn from all of them"), "{page}");
        seen.extend(linked(page.split("<h2>Members</h2>").nth(1).unwrap()));
        pages += 1;
        let Some(next) = page.split("rel=\"next\" href=\"").nth(1) else { break };
        path = next.split('"').next().unwrap().replace("&amp;", "&");
    }
    let distinct: BTreeSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), distinct.len(), pages), (COPIES, COPIES, 40));
    assert!(!seen.contains(&"post-0".to_owned()), "the original is no copy");
}

#[test]
fn the_holders_of_a_large_group_are_paged_and_exported() {
    let service = with_a_large_group();
    service.get_until("/readyz", |answer| answer["status"] == "ok");
    let page = service.get("/holders?id=post-0").text();
    assert!(page.contains("a cluster of 2,001 documents") && page.contains("rel=\"next\""), "{page}");
    assert!(linked(&page).len() <= 52, "{page}");
    let table = service.get("/holders.csv?id=post-0");
    assert_eq!(table.header("content-disposition"), Some("attachment; filename=\"holders.csv\""));
    assert_eq!(table.header("x-content-type-options"), Some("nosniff"));
    let lines: Vec<String> = table.text().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), COPIES + 1);
    let formula = lines.iter().find(|line| line.contains("/7,")).unwrap();
    assert!(formula.starts_with("'=7,https://site7.example/7,site7.example,"), "{formula}");
    assert!(formula.ends_with("duplicate,whole,1.0000,1.0000"), "{formula}");
}
