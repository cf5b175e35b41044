//! R15D2 (lee-2008, lee-2010): a two-dimensional R*-tree for every pair of keys; whoever has a point in one of them is a
//! candidate. If one shared key is enough, there is a tree for every key instead, of its two halves.

use crate::Rule;
use crate::sqlite::{Point, Scheme, Tree};

/// A tree for every point of the plane; the number of a document is its row in all of them.
pub(crate) fn scheme(rule: Rule) -> Scheme {
    let points = Point::plane(rule);
    let count = (0..points.len())
        .map(|i| format!("(SELECT count(*) FROM r{i}_rowid)"))
        .collect::<Vec<_>>()
        .join(" + ");
    Scheme {
        name: "r15d2",
        create: (0..points.len()).map(create).collect(),
        trees: points.into_iter().enumerate().map(tree).collect(),
        count: format!("SELECT {count}"),
        needed: 1,
    }
}

fn create(i: usize) -> String {
    format!("CREATE VIRTUAL TABLE r{i} USING rtree_i32(number, x, x_end, y, y_end)")
}

fn tree((i, point): (usize, Point)) -> Tree {
    Tree {
        point,
        insert: format!("INSERT OR REPLACE INTO r{i} VALUES (?1, ?2, ?2, ?3, ?3)"),
        remove: format!("DELETE FROM r{i} WHERE number = ?1 AND x = ?2 AND y = ?3"),
        find: format!("SELECT number FROM r{i} WHERE x = ? AND y = ?"),
    }
}
