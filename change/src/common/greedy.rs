//! Few differences: how far along each diagonal does one get with one difference more (Myers 1986)? Time and memory grow
//! with the square of the differences, and hardly with the texts.

use super::{Run, Runs, shared_beginning};

/// Differences beyond which its memory is too much: 4 MB.
pub(super) const MOST: usize = 2800;

/// The runs of a longest common subsequence, if there are at most so many differences, and as long as `is_hopeful` of how many
/// there were so far and how far along both one got with them.
pub(super) fn runs<T: PartialEq>(
    a: &[T],
    b: &[T],
    limit: usize,
    is_hopeful: impl Fn(usize, usize) -> bool,
) -> Option<Vec<Run>> {
    let mut steps = Steps::default();
    // How far into `a` each diagonal was followed: -d, -d + 2, … d, of d differences. Both rows are used in turn.
    let (mut row, mut next) = (vec![shared_beginning(a, b) as u32], Vec::new());
    let is_end = |reached: usize, place: usize| reached == a.len() && place == b.len();
    if is_end(row[0] as usize, row[0] as usize) {
        return Some(steps.retraced(a, b, 0));
    }
    for differences in 1..=limit {
        steps.take(&row, &mut next);
        let mut furthest = 0;
        for (step, far) in next.iter_mut().enumerate() {
            let start = *far as usize;
            // Where that is in `b`. Above its first word and behind its last there is nothing to follow.
            let place = (start + differences).wrapping_sub(2 * step);
            if start < a.len() && place < b.len() && a[start] == b[place] {
                *far += shared_beginning(&a[start..], &b[place..]) as u32;
            }
            let (far, place) = (*far as usize, (*far as usize + differences).wrapping_sub(2 * step));
            if is_end(far, place) {
                return Some(steps.retraced(a, b, step));
            }
            // Above the first word of `b` there is no way on.
            if place <= b.len() {
                furthest = furthest.max(far + place);
            }
        }
        if !is_hopeful(differences, furthest) {
            return None;
        }
        std::mem::swap(&mut row, &mut next);
    }
    None
}

/// How each diagonal was reached furthest, of 1, 2, 3 … differences: by leaving out a word of `a`, else one of `b`.
#[derive(Default)]
struct Steps {
    /// Those of all differences one behind the other.
    are_deletions: Vec<bool>,
    differences: usize,
}

impl Steps {
    /// From the row of one difference less to the row of one more, before its diagonals are followed.
    fn take(&mut self, row: &[u32], next: &mut Vec<u32>) {
        self.differences += 1;
        next.clear();
        // The lowest diagonal is reached only by leaving out a word of `b`, the highest only by one of `a`.
        next.push(row[0]);
        next.extend(row.iter().zip(&row[1..]).map(|(below, above)| (below + 1).max(*above)));
        next.push(row[row.len() - 1] + 1);
        self.are_deletions.push(false);
        self.are_deletions.extend(row.iter().zip(&row[1..]).map(|(below, above)| below + 1 > *above));
        self.are_deletions.push(true);
    }

    /// The runs on the way to the last diagonal, `step` steps above the lowest.
    fn retraced<T: PartialEq>(&self, a: &[T], b: &[T], mut step: usize) -> Vec<Run> {
        let mut back = Vec::with_capacity(self.differences);
        for differences in (1..=self.differences).rev() {
            // Of fewer differences there are 2 + 3 + … diagonals, without the first.
            let before = (differences + 2) * (differences - 1) / 2;
            let is_deletion = self.are_deletions[before + step];
            step -= usize::from(is_deletion);
            back.push(is_deletion);
        }
        let mut runs = Runs::default();
        let (mut at, mut place) = (0, 0);
        let mut follow = |at: &mut usize, place: &mut usize| {
            let length = shared_beginning(&a[*at..], &b[*place..]);
            runs.push(*at, *place, length);
            (*at, *place) = (*at + length, *place + length);
        };
        follow(&mut at, &mut place);
        for is_deletion in back.into_iter().rev() {
            if is_deletion {
                at += 1
            } else {
                place += 1
            }
            follow(&mut at, &mut place);
        }
        runs.0
    }
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
            match runs(&a, &b, limit, |_, _| true) {
                Some(found) => check(&a, &b, found),
                None => prop_assert!(differences > limit),
            }
            prop_assert_eq!(runs(&a, &b, limit, |_, _| true).is_some(), differences <= limit);
        }
    }
}
