//! Sorts the suffixes of digests: every suffix of every document, the unit being one fingerprint.
//!
//! By doubling (Larsson and Sadakane 2007): sorted by one fingerprint first, which settles nearly all suffixes of real
//! text, then those still equal by what stands 1, 2, 4 … behind. However repetitive the digests are, it never gets quadratic.
//! Nor does merging, because the order ends at a depth: what is equal up to there is in the order of the documents.

/// Ends a document among the symbols; no fingerprint is it.
pub(crate) const END: u32 = 0;

/// How many symbols of a suffix decide where it stands; a power of two.
pub(crate) const DEPTH: usize = 256;

/// A fingerprint as a symbol: never [`END`].
pub(crate) fn symbol(fingerprint: u32) -> u32 {
    fingerprint.max(1)
}

/// The places of all symbols but the ends, by the suffixes that begin there. Of suffixes that are equal up to the ends
/// of their documents, or as deep as the order goes, the earlier one is first.
pub(crate) fn sorted(symbols: &[u32]) -> Vec<u32> {
    let mut order = by_first_symbol(symbols);
    let mut ranks = vec![0; symbols.len()];
    let ends = symbols.len() - order.len();
    let mut unsettled = first_ranks(symbols, &order, ends, &mut ranks);
    let mut reach = 1;
    while !unsettled.is_empty() && reach < DEPTH {
        unsettled = refined(&unsettled, &mut order, &mut ranks, ends, reach);
        reach *= 2;
    }
    order
}

fn by_first_symbol(symbols: &[u32]) -> Vec<u32> {
    let mut keyed: Vec<u64> = (0u64..)
        .zip(symbols)
        .filter(|(_, symbol)| **symbol != END)
        .map(|(place, symbol)| u64::from(*symbol) << 32 | place)
        .collect();
    sort_on_two_threads(&mut keyed);
    keyed.into_iter().map(|key| key as u32).collect()
}

/// Few keys are not worth a thread.
const WORTH_A_THREAD: usize = 1 << 16;

fn sort_on_two_threads(keys: &mut [u64]) {
    if keys.len() < WORTH_A_THREAD {
        return keys.sort_unstable();
    }
    let middle = keys.len() / 2;
    let (low, _, high) = keys.select_nth_unstable(middle);
    std::thread::scope(|threads| {
        threads.spawn(|| low.sort_unstable());
        high.sort_unstable();
    });
}

/// A run of `order` whose suffixes are equal as far as was looked.
type Group = std::ops::Range<usize>;

/// Gives every place the rank of its first symbol: the ends first, in their order, then each group the rank of its last.
/// Returns the groups of two and more.
fn first_ranks(symbols: &[u32], order: &[u32], ends: usize, ranks: &mut [u32]) -> Vec<Group> {
    let mut next_end = 0;
    for (rank, symbol) in ranks.iter_mut().zip(symbols) {
        if *symbol == END {
            *rank = next_end;
            next_end += 1;
        }
    }
    let symbol_of = |at: usize| symbols[order[at] as usize];
    let mut groups = Vec::new();
    split(
        0..order.len(),
        |a, b| symbol_of(a) == symbol_of(b),
        |group| {
            set_ranks(order, &group, ends, ranks);
            if group.len() > 1 {
                groups.push(group);
            }
        },
    );
    groups
}

/// Cuts a run where neighbours differ, and tells every group.
fn split(run: Group, same: impl Fn(usize, usize) -> bool, mut tell: impl FnMut(Group)) {
    let mut start = run.start;
    for at in run.clone() {
        if at + 1 == run.end || !same(at, at + 1) {
            tell(start..at + 1);
            start = at + 1;
        }
    }
}

fn set_ranks(order: &[u32], group: &Group, ends: usize, ranks: &mut [u32]) {
    for &place in &order[group.clone()] {
        ranks[place as usize] = (ends + group.end - 1) as u32;
    }
}

/// Sorts every group by what stands `reach` behind; returns what is still equal. No rank changes before all are sorted: what
/// is equal as deep as the order goes must not depend on who was sorted first.
fn refined(groups: &[Group], order: &mut [u32], ranks: &mut [u32], ends: usize, reach: usize) -> Vec<Group> {
    let mut parts = Vec::new();
    let mut keyed: Vec<(u32, u32)> = Vec::new();
    for group in groups {
        keyed.clear();
        // Equal so far, so none of them ends within reach: there is a symbol behind each.
        keyed.extend(order[group.clone()].iter().map(|&place| (ranks[place as usize + reach], place)));
        keyed.sort_unstable();
        for (slot, (_, place)) in order[group.clone()].iter_mut().zip(&keyed) {
            *slot = *place;
        }
        let key_of = |at: usize| keyed[at - group.start].0;
        split(group.clone(), |a, b| key_of(a) == key_of(b), |part| parts.push(part));
    }
    parts.iter().for_each(|part| set_ranks(order, part, ends, ranks));
    parts.retain(|part| part.len() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All suffixes compared symbol by symbol.
    fn naive(symbols: &[u32]) -> Vec<u32> {
        let suffix = |place: u32| {
            let rest = &symbols[place as usize..];
            let length = rest.iter().position(|&symbol| symbol == END).unwrap();
            (rest[..length].to_vec(), place)
        };
        let mut order: Vec<u32> =
            (0..symbols.len() as u32).filter(|&place| symbols[place as usize] != END).collect();
        order.sort_by_key(|&place| suffix(place));
        order
    }

    fn joined(documents: &[Vec<u32>]) -> Vec<u32> {
        documents.iter().flat_map(|document| document.iter().copied().chain([END])).collect()
    }

    proptest! {
        #[test]
        fn as_if_compared_one_by_one(documents in prop::collection::vec(prop::collection::vec(1u32..4, 0..30), 0..8)) {
            let symbols = joined(&documents);
            prop_assert_eq!(sorted(&symbols), naive(&symbols));
        }
    }

    #[test]
    fn the_same_sentence_over_and_over() {
        let symbols = joined(&[vec![7; 200_000], vec![7; 100_000]]);
        let order = sorted(&symbols);
        assert_eq!(order.len(), 300_000);
        assert_eq!((order[0], order[1], order[2]), (199_999, 300_000, 199_998));
        // As deep as the order goes they are all equal.
        assert_eq!((order[2 * DEPTH - 2], order[299_999]), (0, 300_000 - DEPTH as u32 + 1));
    }

    #[test]
    fn nothing() {
        assert!(sorted(&[]).is_empty() && sorted(&[END, END]).is_empty());
    }
}
