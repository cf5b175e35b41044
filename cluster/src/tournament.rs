//! Which of many sequences has the lowest head? A tournament: when a head changes, only its own matches are played again,
//! without a branch that could be mispredicted.

/// The heads of some sequences.
#[derive(Debug)]
pub(crate) struct Tournament {
    /// The winners of all matches, the last one at 1; those of `2 i` and `2 i + 1` meet at `i`. The heads are at the end.
    winners: Vec<Head>,
}

/// What stands first in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub value: u64,
    pub sequence: u32,
}

/// Stands for a sequence that has ended; nothing is higher.
pub(crate) const ENDED: u64 = u64::MAX;

impl Tournament {
    /// Begins with the first values of all sequences.
    pub fn new(values: impl ExactSizeIterator<Item = u64>) -> Self {
        let places = values.len().next_power_of_two();
        let nobody = Head { value: ENDED, sequence: u32::MAX };
        let mut tournament = Tournament { winners: vec![nobody; 2 * places] };
        for (sequence, value) in (0..).zip(values) {
            tournament.winners[places + sequence as usize] = Head { value, sequence };
        }
        for place in (1..places).rev() {
            tournament.play(place);
        }
        tournament
    }

    /// The lowest head; none when all sequences have ended.
    pub fn lowest(&self) -> Option<Head> {
        Some(self.winners[1]).filter(|head| head.value != ENDED)
    }

    /// The next value of a sequence takes the place of its head.
    pub fn replace(&mut self, sequence: u32, value: u64) {
        let mut place = self.winners.len() / 2 + sequence as usize;
        self.winners[place] = Head { value, sequence };
        while place > 1 {
            place /= 2;
            self.play(place);
        }
    }

    fn play(&mut self, place: usize) {
        let (one, other) = (self.winners[2 * place], self.winners[2 * place + 1]);
        self.winners[place] = if one.value <= other.value { one } else { other };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_values_come_in_order(mut sequences in prop::collection::vec(prop::collection::vec(0u64..50, 0..20), 0..12)) {
            let mut expected: Vec<u64> = sequences.concat();
            expected.sort_unstable();
            // Taken from their ends.
            sequences.iter_mut().for_each(|sequence| sequence.sort_unstable_by(|a, b| b.cmp(a)));
            let heads: Vec<u64> = sequences.iter_mut().map(|sequence| sequence.pop().unwrap_or(ENDED)).collect();
            let mut tournament = Tournament::new(heads.into_iter());
            let mut merged = Vec::new();
            while let Some(head) = tournament.lowest() {
                merged.push(head.value);
                let next = sequences[head.sequence as usize].pop().unwrap_or(ENDED);
                tournament.replace(head.sequence, next);
            }
            prop_assert_eq!(merged, expected);
        }
    }
}
