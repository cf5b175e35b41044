//! Groups for people to look at: an original and its copies, page by page. A group of any size is shown by reading as many
//! documents as a page lists, and a sample.

use crate::error::Result;
use crate::following::site;
use crate::reader::Reader;
use crate::show::find;
use crate::verdict::rfc3339;
use firstcopy_store::Listed;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A document of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its number, which the next page of a list starts after.
    pub number: u32,
    /// The document.
    pub id: String,
    /// Where it was published.
    pub url: Option<String>,
    /// The host of its url.
    pub site: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its language, as declared.
    pub language: Option<String>,
    /// The time it is judged by, in Unix seconds.
    pub at: i64,
    /// The same in RFC 3339.
    pub date: String,
    /// Its resemblance with the original.
    pub resemblance: f64,
    /// How much of it is contained in the original.
    pub containment: f64,
    /// "identical", "lexical", "resemblance", "features" or "none".
    pub reason: String,
}

/// A page of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupPage {
    /// Who was first.
    pub original: Member,
    /// How many copies there are in all.
    pub copies: u64,
    /// Those of this page, in the order of arrival.
    pub members: Vec<Member>,
    /// What the next page starts after, if there is one.
    pub next: Option<u32>,
}

/// Copies of a group, all or some that were drawn without favour, and where they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// The copies that were looked at, in the order of arrival.
    pub sample: Vec<Member>,
    /// Whether these are all there are.
    pub is_whole: bool,
    /// Hosts and how many of the sample they have, the most first; those without a url under none.
    pub sites: Vec<(Option<String>, usize)>,
}

/// The groups of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Groups {
    /// The largest, the largest first.
    pub largest: Vec<Group>,
    /// How many there are in all.
    pub total: u64,
    /// How many documents they have, originals included.
    pub documents: u64,
    /// Sizes (original and copies) doubling from 2 on: the least of each step, and how many groups have no less, and less
    /// than the next.
    pub sizes: Vec<(u64, u64)>,
}

/// An original, and how many copies it has.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Who was first.
    pub original: Member,
    /// How many copies there are.
    pub copies: u64,
    /// On how many sites some of its copies are.
    pub sites: usize,
    /// Whether these are all copies.
    pub sites_are_all: bool,
}

/// Copies by which it is told on how many sites a group of the list is.
const LOOKED_AT: u32 = 50;

impl Reader {
    /// A page of the group of a document, whether that is the original or a copy: at most so many copies after a number.
    /// None if there is no such document.
    pub fn group_page(&self, id_or_url: &str, after: u32, limit: u32) -> Result<Option<GroupPage>> {
        let Some(number) = self.original_of(id_or_url)? else { return Ok(None) };
        self.page_of_group(number, after, limit)
    }

    /// A page of the copies of a document itself: a copy has none. None if there is no such document.
    pub fn copies_page(&self, id_or_url: &str, after: u32, limit: u32) -> Result<Option<GroupPage>> {
        let Some(document) = find(&self.store, id_or_url)? else { return Ok(None) };
        self.page_of_group(document.number, after, limit)
    }

    fn page_of_group(&self, number: u32, after: u32, limit: u32) -> Result<Option<GroupPage>> {
        let Some(original) = self.store.listed(number)? else { return Ok(None) };
        let mut listed = self.store.copies_after(number, after, limit.saturating_add(1))?;
        let is_more = listed.len() > limit as usize;
        listed.truncate(limit as usize);
        let next = listed.last().filter(|_| is_more).map(|last| last.number);
        Ok(Some(GroupPage {
            original: member(original),
            copies: self.store.count_copies(number)?,
            members: listed.into_iter().map(member).collect(),
            next,
        }))
    }

    /// Where the copies of the group of a document are: all, if there are at most so many, else a sample.
    pub fn spread(&self, id_or_url: &str, most: usize) -> Result<Option<Spread>> {
        let Some(number) = self.original_of(id_or_url)? else { return Ok(None) };
        let numbers = self.store.sample_copies(number, most)?;
        let mut sample = Vec::with_capacity(numbers.len());
        for number in numbers {
            sample.extend(self.store.listed(number)?.map(member));
        }
        let is_whole = sample.len() as u64 == self.store.count_copies(number)?;
        Ok(Some(Spread { sites: sites(&sample), sample, is_whole }))
    }

    /// All groups: so many of the largest, and how many there are of every size.
    pub fn groups(&self, most: usize) -> Result<Groups> {
        let mut largest = BinaryHeap::new();
        let (mut total, mut documents, mut sizes) = (0, 0, BTreeMap::new());
        self.store.groups(|original, copies| {
            total += 1;
            documents += copies + 1;
            *sizes.entry((copies + 1).ilog2()).or_insert(0) += 1;
            // The least is on top: it goes first. Of equal ones the earlier stays.
            largest.push(Reverse((copies, Reverse(original))));
            if largest.len() > most {
                largest.pop();
            }
        })?;
        let mut groups = Vec::with_capacity(largest.len());
        for Reverse((copies, Reverse(original))) in largest.into_sorted_vec() {
            groups.extend(self.group(original, copies)?);
        }
        let last = sizes.keys().next_back().copied().unwrap_or(0);
        let sizes = (1..=last).map(|step| (1 << step, sizes.get(&step).copied().unwrap_or(0))).collect();
        Ok(Groups { largest: groups, total, documents, sizes })
    }

    fn group(&self, original: u32, copies: u64) -> Result<Option<Group>> {
        let Some(first) = self.store.listed(original)? else { return Ok(None) };
        let some: Vec<Member> =
            self.store.copies_after(original, 0, LOOKED_AT)?.into_iter().map(member).collect();
        let named = sites(&some).into_iter().filter(|(site, _)| site.is_some());
        Ok(Some(Group {
            original: member(first),
            copies,
            sites: named.count(),
            sites_are_all: some.len() as u64 == copies,
        }))
    }

    /// The number of the original of a document, which may be itself.
    fn original_of(&self, id_or_url: &str) -> Result<Option<u32>> {
        let document = find(&self.store, id_or_url)?;
        Ok(document.map(|document| document.judgement.original.unwrap_or(document.number)))
    }
}

fn sites(members: &[Member]) -> Vec<(Option<String>, usize)> {
    let mut sites: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    members.iter().for_each(|member| *sites.entry(member.site.as_deref()).or_default() += 1);
    let mut sites: Vec<_> = sites.into_iter().map(|(site, count)| (site.map(str::to_owned), count)).collect();
    sites.sort_by_key(|(_, count)| Reverse(*count));
    sites
}

pub(crate) fn member(listed: Listed) -> Member {
    Member {
        number: listed.number,
        site: listed.url.as_deref().map(site).filter(|host| !host.is_empty()).map(str::to_owned),
        id: listed.id,
        url: listed.url,
        title: listed.title,
        author: listed.author,
        language: listed.language,
        at: listed.at,
        date: rfc3339(listed.at),
        resemblance: listed.resemblance,
        containment: listed.containment,
        reason: listed.reason,
    }
}
