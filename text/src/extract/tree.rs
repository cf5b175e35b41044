//! The page as a tree, in document order: html5ever builds it, every later step walks it as an array.

use std::borrow::Cow;
use std::cell::RefCell;

use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{Attribute, ParseOpts, QualName, expanded_name, local_name, ns, parse_document};

use super::marks::Marks;
use super::tag::Tag;

const NONE: u32 = u32::MAX;

/// What a node is.
#[derive(Debug)]
pub(super) enum Kind {
    /// An element and what its names say about it.
    Element(Tag, Marks),
    /// Text, character references resolved.
    Text(StrTendril),
}

/// A node of the tree, at its place in document order.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) parent: usize,
    /// One past the last node inside it.
    pub(super) end: usize,
}

/// A page in document order; node 0 is the body.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// Parses tidied markup.
    pub(super) fn parse(markup: &str) -> Tree {
        let mut parser = parse_document(Sink::new(), ParseOpts::default());
        parser.process(StrTendril::from_slice(markup));
        parser.finish()
    }

    /// The element at `i`, if it is one.
    pub(super) fn element(&self, i: usize) -> Option<(Tag, Marks)> {
        match self.nodes[i].kind {
            Kind::Element(tag, marks) => Some((tag, marks)),
            Kind::Text(_) => None,
        }
    }

    /// Whether the page calls the element at `i` its main part.
    pub(super) fn is_main(&self, i: usize) -> bool {
        self.element(i).is_some_and(|(tag, marks)| tag == Tag::Main || marks.any(Marks::MAIN))
    }

    /// The children of `i`.
    pub(super) fn children(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[i].end;
        let mut next = i + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.nodes[child].end;
            Some(child)
        })
    }

    /// The ancestors of `i`, nearest first, up to the body.
    pub(super) fn ancestors(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors((i > 0).then(|| self.nodes[i].parent), |&p| {
            (p > 0).then(|| self.nodes[p].parent)
        })
    }

    /// What ends before `i` inside `within`: the earlier siblings of `i` and of its ancestors.
    pub(super) fn above(&self, i: usize, within: usize) -> impl Iterator<Item = usize> + '_ {
        let path = self.ancestors(i).take_while(move |&a| a >= within);
        path.flat_map(move |p| self.children(p).take_while(move |&c| self.nodes[c].end <= i))
    }

    /// All text inside `i`, as written.
    pub(super) fn text(&self, i: usize) -> String {
        let nodes = self.nodes.get(i..self.nodes.get(i).map_or(i, |n| n.end)).unwrap_or_default();
        nodes
            .iter()
            .filter_map(|n| match &n.kind {
                Kind::Text(text) => Some(&**text),
                Kind::Element(..) => None,
            })
            .collect()
    }
}

/// A node while the tree is being built.
struct Raw {
    name: QualName,
    kind: Kind,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
    prev: u32,
}

/// Collects what the parser builds; node 0 is the document.
struct Sink {
    nodes: RefCell<Vec<Raw>>,
}

impl Sink {
    fn new() -> Self {
        let sink = Sink { nodes: RefCell::default() };
        sink.add(QualName::new(None, ns!(), local_name!("")), Kind::Element(Tag::Html, Marks::default()));
        sink
    }

    fn add(&self, name: QualName, kind: Kind) -> u32 {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Raw { name, kind, parent: NONE, first: NONE, last: NONE, next: NONE, prev: NONE });
        nodes.len() as u32 - 1
    }

    fn add_text(&self, text: StrTendril) -> u32 {
        self.add(QualName::new(None, ns!(), local_name!("")), Kind::Text(text))
    }

    /// Adds to the text node at `i`, if it is one.
    fn extend_text(&self, i: u32, text: &StrTendril) -> bool {
        match self.nodes.borrow_mut().get_mut(i as usize) {
            Some(Raw { kind: Kind::Text(old), .. }) => {
                old.push_tendril(text);
                true
            }
            _ => false,
        }
    }

    /// Links `child` in as a child of `parent`, before `next` or last.
    fn link(&self, parent: u32, child: u32, next: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let prev = if next == NONE { nodes[parent as usize].last } else { nodes[next as usize].prev };
        let node = &mut nodes[child as usize];
        (node.parent, node.prev, node.next) = (parent, prev, next);
        match prev {
            NONE => nodes[parent as usize].first = child,
            _ => nodes[prev as usize].next = child,
        }
        match next {
            NONE => nodes[parent as usize].last = child,
            _ => nodes[next as usize].prev = child,
        }
    }

    fn unlink(&self, i: u32) {
        let nodes = &mut *self.nodes.borrow_mut();
        let node = &mut nodes[i as usize];
        let (parent, prev, next) = (node.parent, node.prev, node.next);
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
        if parent == NONE {
            return;
        }
        match prev {
            NONE => nodes[parent as usize].first = next,
            _ => nodes[prev as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = prev,
            _ => nodes[next as usize].prev = prev,
        }
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Tree;
    type ElemName<'a> = std::cell::Ref<'a, QualName>;

    fn finish(self) -> Tree {
        flatten(self.nodes.into_inner())
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> Self::ElemName<'a> {
        std::cell::Ref::map(self.nodes.borrow(), |nodes| &nodes[*target as usize].name)
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> u32 {
        let tag = Tag::of(&name.local);
        let bits = attrs.first().and_then(|a| a.value.parse().ok()).unwrap_or_default();
        self.add(name, Kind::Element(tag, Marks::from_bits(bits)))
    }

    fn create_comment(&self, _: StrTendril) -> u32 {
        self.add_text(StrTendril::new())
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> u32 {
        self.add_text(StrTendril::new())
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        let child = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let last = self.nodes.borrow()[*parent as usize].last;
                if self.extend_text(last, &text) {
                    return;
                }
                self.add_text(text)
            }
        };
        self.unlink(child);
        self.link(*parent, child, NONE);
    }

    fn append_based_on_parent_node(&self, element: &u32, prev: &u32, child: NodeOrText<u32>) {
        let has_parent = self.nodes.borrow()[*element as usize].parent != NONE;
        if has_parent { self.append_before_sibling(element, child) } else { self.append(prev, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &u32, new: NodeOrText<u32>) {
        let (parent, prev) = {
            let node = &self.nodes.borrow()[*sibling as usize];
            (node.parent, node.prev)
        };
        if parent == NONE {
            return;
        }
        let new = match new {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                if self.extend_text(prev, &text) {
                    return;
                }
                self.add_text(text)
            }
        };
        self.unlink(new);
        self.link(parent, new, *sibling);
    }

    fn add_attrs_if_missing(&self, _: &u32, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &u32) {
        self.unlink(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first;
            if child == NONE {
                return;
            }
            self.unlink(child);
            self.link(*new_parent, child, NONE);
        }
    }
}

/// Puts the nodes below the body into document order.
fn flatten(mut raw: Vec<Raw>) -> Tree {
    let is_body = |n: &Raw| n.name.expanded() == expanded_name!(html "body");
    let Some(body) = raw.iter().position(is_body) else {
        return Tree {
            nodes: vec![Node { kind: Kind::Element(Tag::Body, Marks::default()), parent: 0, end: 1 }],
        };
    };
    let mut nodes = Vec::with_capacity(raw.len());
    let mut path: Vec<usize> = Vec::new();
    let mut next = body as u32;
    while next != NONE {
        let node = &mut raw[next as usize];
        let kind = std::mem::replace(&mut node.kind, Kind::Element(Tag::Other, Marks::default()));
        let at = nodes.len();
        nodes.push(Node { kind, parent: path.last().copied().unwrap_or(0), end: at + 1 });
        if node.first != NONE {
            path.push(at);
            next = node.first;
            continue;
        }
        while next != body as u32 && raw[next as usize].next == NONE {
            next = raw[next as usize].parent;
            if let Some(done) = path.pop() {
                nodes[done].end = nodes.len();
            }
        }
        next = if next == body as u32 { NONE } else { raw[next as usize].next };
    }
    Tree { nodes }
}
