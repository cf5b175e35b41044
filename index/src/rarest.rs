//! Which keys of a document are followed, when very many documents share some of them? The rarest, up to a number of holders
//! altogether: a template that all pages of a site share nominates nobody, what is a page's own does.

use crate::{KeyHolder, SharedKeys};
use std::collections::BTreeMap;

/// Holders that a lookup visits. Below that, all keys are followed. A document of which 32 keys are shared by 128 others each
/// is still looked up exactly; visiting all takes some ten microseconds.
pub(crate) const MOST_HOLDERS: usize = 4096;
/// Holders of the rarest key that are visited if it alone has more than [`MOST_HOLDERS`].
pub(crate) const MOST_HOLDERS_OF_ONE: usize = 16 * MOST_HOLDERS;

/// Chooses the keys to follow, given how many documents hold each: a mask with one bit a position. The rarest comes first;
/// of keys with as many holders the first. At least one key that has holders is followed.
pub(crate) fn choose_rarest(holders: &[usize]) -> u128 {
    let mut positions: Vec<usize> = (0..holders.len()).collect();
    positions.sort_by_key(|&position| (holders[position], position));
    let (mut chosen, mut visited) = (0, 0);
    for position in positions {
        if visited > 0 && visited + holders[position] > MOST_HOLDERS {
            break;
        }
        chosen |= 1 << position;
        visited += holders[position];
    }
    chosen
}

/// The weight of a shared key that so many documents hold: a key that few hold says most.
pub(crate) fn rarity(holders: usize) -> u32 {
    const OF_ONE_HOLDER: usize = 1 << 16;
    (OF_ONE_HOLDER / holders.max(1)) as u32
}

/// Counts the keys that documents share, given the holders of each key: the plain way, for indexes that keep lists.
pub(crate) fn count_shared(holders: &[Vec<u32>], preferred: usize) -> SharedKeys {
    let counts: Vec<usize> = holders.iter().map(Vec::len).collect();
    let is_bounded = counts.iter().sum::<usize>() <= MOST_HOLDERS;
    let chosen = if is_bounded { u128::MAX } else { choose_rarest(&counts) };
    let mut shared: BTreeMap<u32, KeyHolder> = BTreeMap::new();
    let followed = holders.iter().enumerate().filter(|(position, _)| chosen >> position & 1 == 1);
    for (position, numbers) in followed {
        for &number in numbers.iter().take(MOST_HOLDERS_OF_ONE) {
            let holder = shared.entry(number).or_insert(KeyHolder { number, keys: 0, rarity: 0 });
            holder.keys += 1;
            holder.rarity += rarity(counts[position]);
        }
    }
    let prefers_repeated = is_bounded && shared.values().any(|holder| holder.keys as usize >= preferred);
    let least = if prefers_repeated { preferred } else { 1 };
    let holders = shared.into_values().filter(|holder| holder.keys as usize >= least).collect();
    let skipped = if is_bounded { 0 } else { counts.len() as u32 - chosen.count_ones() };
    SharedKeys { holders, skipped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(holders: &[usize], expected: &[usize]) {
        let chosen = choose_rarest(holders);
        let positions: Vec<usize> =
            (0..holders.len()).filter(|position| chosen >> position & 1 == 1).collect();
        assert_eq!(positions, expected, "{holders:?}");
    }

    #[test]
    fn rarest_keys_are_followed_up_to_a_number_of_holders() {
        let most = MOST_HOLDERS;
        check(&[], &[]);
        check(&[3, 0, 7], &[0, 1, 2]);
        check(&[most, 1, most - 1], &[1, 2]);
        check(&[most, most, 0], &[0, 2]);
        check(&[2 * most, 3 * most, 0], &[0, 2]);
        check(&[most / 2, most / 2, 1], &[0, 2]);
    }
}
