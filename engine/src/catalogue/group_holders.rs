//! Who of a document's own group holds how much of it? Page by page, for groups that are too large to be walked at once.

use super::Catalogue;
use super::holders::{Holder, HoldersQuestion};
use super::probe::Enough;
use crate::error::Result;

/// A page of holders.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupHolders {
    /// In the order of arrival; those that hold too little are left out.
    pub holders: Vec<Holder>,
    /// What the next page starts after, if there is one.
    pub next: Option<u32>,
}

impl Catalogue {
    /// The holders among the next members of a document's group after a number, at most so many; the original comes first.
    /// None if there is no such document.
    pub fn group_holders(
        &self,
        id_or_url: &str,
        question: &HoldersQuestion,
        after: u32,
        limit: u32,
    ) -> Result<Option<GroupHolders>> {
        let Some(document) = self.named(id_or_url)? else { return Ok(None) };
        let whole = self.reader.settings()?.min_resemblance;
        let probe = self.probe_of(document.content, &document.id)?;
        let original = document.judgement.original.unwrap_or(document.number);
        let listed = self.store().copies_after(original, after, limit)?;
        let next = listed.last().map(|last| last.number).filter(|_| listed.len() == limit as usize);
        let first = (after == 0).then_some(original);
        let numbers = first.into_iter().chain(listed.into_iter().map(|listed| listed.number));
        let mut holders = Vec::new();
        for number in numbers.filter(|&number| number != document.number) {
            let Some(member) = self.store().by_number(number)? else { continue };
            let anything = Enough { resemblance: 0.0, containment: 0.0, exact: true };
            let sharing = self.sharing_exactly(&probe, member.content, member.number, anything)?;
            let Some(sharing) = sharing else { continue };
            let is_enough = sharing.a_in_b.value >= question.min_share;
            let is_asked = question.since.is_none_or(|since| member.received_at >= since);
            if is_enough && is_asked {
                holders.push(self.holder(&member, &sharing, whole, question)?);
            }
        }
        Ok(Some(GroupHolders { holders, next }))
    }
}
