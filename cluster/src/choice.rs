//! One of every cluster is kept: which, and how like it are the others?

use crate::equal::Equal;
use crate::error::Result;
use crate::lookup::Name;
use crate::settings::Joining;
use crate::table::{Archive, Table};
use crate::words::DocumentComparer;
use firstcopy_text::likeness::CopyRelation;

/// Which document of a cluster is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The original: the earliest date, else the first of the input.
    Earliest,
    /// The first of the input.
    First,
    /// The one with the longest core text.
    Longest,
}

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The number of the document that is kept of its cluster: its own, if it is that.
    pub kept: u32,
    /// Resemblance or likeness to that document.
    pub score: f64,
    /// The relation of the later of the two to the earlier one; nothing unless documents are compared by their words.
    pub relation: Option<CopyRelation>,
}

/// What becomes of all documents.
#[derive(Debug)]
pub struct Choices {
    pub(crate) choices: Vec<Choice>,
    pub(crate) table: Table,
    pub(crate) archive: Archive,
    pub(crate) reference: u32,
}

impl Choices {
    /// What becomes of a document, if it is not kept; its number is counted after those of the reference.
    pub fn removed(&self, number: u64) -> Option<Choice> {
        let number = number + u64::from(self.reference);
        let choice = self.choices.get(number as usize).copied();
        choice.filter(|choice| u64::from(choice.kept) != number)
    }

    /// How a document that is kept is called.
    pub fn name(&self, kept: u32) -> Result<Name> {
        let entry = self.archive.entry(&self.table, kept)?;
        Ok(Name { id: entry.id, url: entry.url })
    }
}

/// What choosing needs to know.
pub(crate) struct Chooser<'a> {
    pub table: &'a Table,
    pub equal: &'a Equal,
    pub archive: &'a Archive,
    /// Documents below this number are kept anyway, and instead of all others.
    pub reference: u32,
    pub keep: Keep,
    pub joining: Joining,
}

impl Chooser<'_> {
    pub fn choose(&self, clusters: &[Vec<u32>]) -> Result<Vec<Choice>> {
        let alone = |number| Choice { kept: number, score: 1.0, relation: None };
        let mut choices: Vec<Choice> = (0..self.table.len() as u32).map(alone).collect();
        let mut comparer = DocumentComparer::new(self.table, self.archive, self.joining.policy);
        for members in clusters.iter().filter(|members| members.len() > 1) {
            let kept = self.kept(members);
            let text = |member: u32| self.equal.representative[member as usize];
            for &member in members.iter().filter(|&&member| member != kept && member >= self.reference) {
                choices[member as usize] = match text(member) == text(kept) {
                    true => Choice { kept, score: 1.0, relation: self.same_words(kept, member) },
                    false => {
                        let comparison = comparer.compare(text(kept), text(member))?;
                        let is_kept_earlier = self.table.age(kept) < self.table.age(member);
                        let relation = comparison.relation(is_kept_earlier, self.joining.threshold);
                        Choice { kept, score: comparison.share(), relation }
                    }
                };
            }
        }
        Ok(choices)
    }

    fn same_words(&self, a: u32, b: u32) -> Option<CopyRelation> {
        let bytes = |number: u32| self.table.identical[number as usize];
        let is_identical = bytes(a) == bytes(b);
        let relation = if is_identical { CopyRelation::Identical } else { CopyRelation::SameWords };
        self.joining.policy.compares_words().then_some(relation)
    }

    fn kept(&self, members: &[u32]) -> u32 {
        // The original is the first of the members, and one of a reference is always that.
        let original = members[0];
        let chosen = match self.keep {
            _ if original < self.reference => Some(original),
            Keep::Earliest => Some(original),
            Keep::First => members.iter().copied().min(),
            Keep::Longest => {
                let length = |member: u32| self.table.text_bytes[member as usize];
                members
                    .iter()
                    .copied()
                    .max_by_key(|&member| (length(member), std::cmp::Reverse(self.table.age(member))))
            }
        };
        chosen.unwrap_or(original)
    }
}
