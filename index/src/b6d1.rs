//! B6D1 (lee-2010): a B-tree for every key; a document found in as many of them as are needed is a candidate.

use crate::Rule;
use crate::sqlite::{Point, Scheme, Tree};

/// A table for every position, which is its own B-tree.
pub(crate) fn scheme(rule: Rule) -> Scheme {
    let count =
        (0..rule.keys).map(|i| format!("(SELECT count(*) FROM b{i})")).collect::<Vec<_>>().join(" + ");
    Scheme {
        name: "b6d1",
        create: (0..rule.keys).map(create).collect(),
        trees: (0..rule.keys).map(|i| tree(i, rule)).collect(),
        count: format!("SELECT {count}"),
        needed: rule.needed,
    }
}

fn create(i: usize) -> String {
    format!("CREATE TABLE b{i}(key INTEGER, number INTEGER, PRIMARY KEY (key, number)) WITHOUT ROWID")
}

fn tree(i: usize, rule: Rule) -> Tree {
    Tree {
        // Two keys that agree must both be mistaken for a false candidate, one only once: it stays whole.
        point: if rule.needed == 1 { Point::Whole(i) } else { Point::Upper(i) },
        insert: format!("INSERT OR IGNORE INTO b{i}(number, key) VALUES (?1, ?2)"),
        remove: format!("DELETE FROM b{i} WHERE number = ?1 AND key = ?2"),
        find: format!("SELECT number FROM b{i} WHERE key = ?"),
    }
}
