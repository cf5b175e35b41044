//! Few differences: how far along each diagonal does one get with one difference more (Myers 1986)? Time and memory grow
//! with the square of the differences, and hardly with the texts.

use super::{Run, Runs};

/// Differences beyond which its memory is too much: 16 MB.
pub(super) const MOST: usize = 2800;

/// The runs of a longest common subsequence, if there are at most so many differences.
pub(super) fn runs<T: PartialEq>(a: &[T], b: &[T], limit: usize) -> Option<Vec<Run>> {
    let reached = Reached::of(a, b, limit)?;
    Some(reached.walk_back(a.len(), b.len()))
}

/// How far into `a` every diagonal was followed, with 0, 1, 2 … differences.
struct Reached {
    /// With d differences there are d + 1 diagonals: -d, -d + 2, … d; those of all d one behind the other.
    far: Vec<u32>,
    differences: usize,
}

impl Reached {
    fn of<T: PartialEq>(a: &[T], b: &[T], limit: usize) -> Option<Self> {
        let mut far: Vec<u32> = Vec::new();
        for differences in 0..=limit {
            far.reserve(differences + 1);
            let before = row(differences.wrapping_sub(1));
            for step in 0..=differences {
                let start = match differences {
                    0 => 0,
                    _ => best_step(&far[before..before + differences], step).1,
                };
                let diagonal = 2 * step as isize - differences as isize;
                let end = followed(a, b, start, start as isize - diagonal);
                far.push(end as u32);
                if end == a.len() && end as isize - diagonal == b.len() as isize {
                    return Some(Reached { far, differences });
                }
            }
        }
        None
    }

    fn walk_back(&self, mut a: usize, mut b: usize) -> Vec<Run> {
        let mut back = Vec::new();
        for differences in (1..=self.differences).rev() {
            let diagonal = a as isize - b as isize;
            let step = ((diagonal + differences as isize) / 2) as usize;
            let (is_deletion, start) = best_step(&self.far[row(differences - 1)..][..differences], step);
            let length = a - start;
            back.push(Run { a: start, b: b - length, length });
            (a, b) = if is_deletion { (start - 1, b - length) } else { (start, b - length - 1) };
        }
        back.push(Run { a: 0, b: 0, length: a });
        let mut runs = Runs::default();
        back.into_iter().rev().for_each(|run| runs.push(run.a, run.b, run.length));
        runs.0
    }
}

/// Where the diagonals of so many differences stand.
fn row(differences: usize) -> usize {
    differences.wrapping_add(1).wrapping_mul(differences) / 2
}

/// How far one gets in `a` along a diagonal. Mostly not a single word.
#[inline]
fn followed<T: PartialEq>(a: &[T], b: &[T], start: usize, place: isize) -> usize {
    let Ok(place) = usize::try_from(place) else { return start };
    match (a.get(start), b.get(place)) {
        (Some(word), Some(other)) if word == other => {
            start + super::shared_beginning(&a[start..], &b[place..])
        }
        _ => start,
    }
}

/// Whether the diagonal of a step is reached furthest by leaving out a word of `a`, and how far that is. `row` is that of one
/// difference less.
#[inline]
fn best_step(row: &[u32], step: usize) -> (bool, usize) {
    // Beyond its ends the row before has no diagonals: nothing is reached from there.
    let by_deletion = if step > 0 { row[step - 1] + 1 } else { 0 };
    let by_insertion = row.get(step).copied().unwrap_or(0);
    (by_deletion > by_insertion, by_deletion.max(by_insertion) as usize)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, table};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn up_to_the_limit(
            a in prop::collection::vec(0u32..6, 0..60),
            b in prop::collection::vec(0u32..6, 0..60),
            limit in 0usize..140,
        ) {
            let differences = a.len() + b.len() - 2 * table(&a, &b);
            match runs(&a, &b, limit) {
                Some(found) => check(&a, &b, found),
                None => prop_assert!(differences > limit),
            }
            prop_assert_eq!(runs(&a, &b, limit).is_some(), differences <= limit);
        }
    }
}
