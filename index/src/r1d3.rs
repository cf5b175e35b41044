//! R1D3 (lee-2010): one three-dimensional R*-tree of the number of a pair of keys and their two values (or of a position
//! and the two halves of its key, if one shared key is enough).

use crate::Rule;
use crate::sqlite::{Point, Scheme, Tree};

/// All points of a document are in one tree; its row there is made of its number and that of the point.
pub(crate) fn scheme(rule: Rule) -> Scheme {
    let points = Point::plane(rule);
    let rows = points.len();
    Scheme {
        name: "r1d3",
        create: vec!["CREATE VIRTUAL TABLE r USING rtree_i32(id, z, z_end, x, x_end, y, y_end)".to_owned()],
        trees: points.into_iter().enumerate().map(|(i, point)| tree(i, rows, point)).collect(),
        count: "SELECT count(*) FROM r_rowid".to_owned(),
        needed: 1,
    }
}

fn tree(i: usize, rows: usize, point: Point) -> Tree {
    Tree {
        point,
        insert: format!("INSERT OR REPLACE INTO r VALUES (?1 * {rows} + {i}, {i}, {i}, ?2, ?2, ?3, ?3)"),
        remove: format!("DELETE FROM r WHERE id = ?1 * {rows} + {i} AND x = ?2 AND y = ?3"),
        find: format!("SELECT id / {rows} FROM r WHERE z = {i} AND x = ? AND y = ?"),
    }
}
