//! XML with places: every complaint names file, line, element and remedy.

use std::rc::Rc;

use roxmltree::{Document, Node, ParsingOptions};
use steiner_files::{Place, brief};
use steiner_robot::RobotError;
use steiner_scalar::{Exact, parse_decimal};

use crate::error::FormatError;

/// More elements than any robot has.
const MOST_NODES: u32 = 2_000_000;

/// Deeper than any robot's file.
const DEEPEST_ELEMENT: usize = 200;

/// Parses a document; external entities and document types are refused, so that no bomb can go off.
pub(crate) fn parse<'a>(text: &'a str, place: &Place) -> Result<Document<'a>, FormatError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let syntax = |line: Option<u32>, reason: String| FormatError::Syntax {
        place: Place { file: place.file.clone(), line },
        reason,
    };
    if let Some(offset) = beyond_nesting(text, DEEPEST_ELEMENT) {
        let line = LineIndex::new(text).line(offset);
        return Err(syntax(Some(line), format!("elements are nested more than {DEEPEST_ELEMENT} deep")));
    }
    Document::parse_with_options(text, options).map_err(|error| {
        let line = error.pos().row;
        let reason = match error {
            roxmltree::Error::DtdDetected => {
                "it declares a document type or entities, which Steiner refuses".to_owned()
            }
            roxmltree::Error::NoRootNode => "it holds no element; a robot starts with <robot>".to_owned(),
            other => other.to_string(),
        };
        syntax(Some(line), reason)
    })
}

/// Where an element opens inside `most` others, found without recursion and in one pass.
fn beyond_nesting(text: &str, most: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let after = |from: usize, mark: &str| text[from..].find(mark).map(|length| from + length + mark.len());
    let (mut at, mut depth) = (0, 0usize);
    while let Some(length) = text[at..].find('<') {
        let open = at + length;
        let rest = &text[open..];
        // What never ends is no element either: the parser will say so.
        at = if rest.starts_with("<!--") {
            after(open + 4, "-->")?
        } else if rest.starts_with("<![CDATA[") {
            after(open + 9, "]]>")?
        } else if rest.starts_with("<?") {
            after(open + 2, "?>")?
        } else if rest.starts_with("<!") {
            open + 2
        } else {
            let end = tag_end(text, open)?;
            if rest.starts_with("</") {
                depth = depth.saturating_sub(1);
            } else if bytes[end - 2] != b'/' {
                depth += 1;
                if depth > most {
                    return Some(open);
                }
            }
            end
        };
    }
    None
}

/// One past the `>` that ends the tag starting at `open`; a `>` inside quotes doesn't.
pub(crate) fn tag_end(text: &str, open: usize) -> Option<usize> {
    let mut quote = None;
    for (at, &byte) in text.as_bytes()[open + 1..].iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(open + at + 2),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(mark), byte) if mark == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// Where lines start, so that a line number costs a binary search: a file may have a million elements.
pub(crate) struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub(crate) fn new(text: &str) -> Self {
        let after_break = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        LineIndex { starts: std::iter::once(0).chain(after_break).collect() }
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }
}

/// An element that knows where it stands.
#[derive(Clone)]
pub(crate) struct Element<'a> {
    pub(crate) node: Node<'a, 'a>,
    file: Place,
    lines: Rc<LineIndex>,
}

impl<'a> Element<'a> {
    /// Indexes the document's lines: make one for the root, and reach the others from it.
    pub(crate) fn new(node: Node<'a, 'a>, document: &'a Document<'a>, file: &Place) -> Self {
        Element { node, file: file.clone(), lines: Rc::new(LineIndex::new(document.input_text())) }
    }

    pub(crate) fn tag(&self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(crate) fn place(&self) -> Place {
        self.file.at_line(self.lines.line(self.node.range().start))
    }

    /// `<joint name="j1">`, or `<axis> of <joint name="j1">` for a nameless part.
    pub(crate) fn describe(&self) -> String {
        let own = |node: Node<'_, '_>| match node.attribute("name") {
            Some(name) => format!("<{} name=\"{}\">", node.tag_name().name(), brief(name)),
            None => format!("<{}>", node.tag_name().name()),
        };
        let named = |node: &Node<'_, '_>| node.is_element() && node.attribute("name").is_some();
        if named(&self.node) {
            return own(self.node);
        }
        match self.node.ancestors().skip(1).find(named) {
            Some(carrier) if carrier.parent_element().is_some() => {
                format!("{} of {}", own(self.node), own(carrier))
            }
            _ => own(self.node),
        }
    }

    pub(crate) fn wrong(&self, problem: impl Into<String>, remedy: impl Into<String>) -> FormatError {
        RobotError::Element {
            place: self.place(),
            element: self.describe(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
        .into()
    }

    pub(crate) fn number(&self, reason: String) -> FormatError {
        RobotError::Number { place: self.place(), element: self.describe(), reason }.into()
    }

    /// An inertia that no body has.
    pub(crate) fn inertia(&self, reason: impl Into<String>) -> FormatError {
        let reason = reason.into();
        RobotError::Inertia { place: self.place(), element: self.describe(), reason }.into()
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let (file, lines) = (self.file.clone(), self.lines.clone());
        let element = move |node| Element { node, file: file.clone(), lines: lines.clone() };
        self.node.children().filter(Node::is_element).map(element)
    }

    pub(crate) fn child(&self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.tag() == tag)
    }

    pub(crate) fn required_child(&self, tag: &str) -> Result<Element<'a>, FormatError> {
        self.child(tag).ok_or_else(|| self.wrong(format!("<{tag}> is missing"), "add it"))
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<&'a str> {
        self.node.attribute(key)
    }

    pub(crate) fn required(&self, key: &str) -> Result<&'a str, FormatError> {
        match self.attribute(key) {
            Some(value) if !value.trim().is_empty() => Ok(value),
            _ => Err(self.wrong(format!("the attribute `{key}` is missing or empty"), "add it")),
        }
    }

    /// A printed number, exactly.
    pub(crate) fn exact(&self, key: &str) -> Result<Option<Exact>, FormatError> {
        let Some(text) = self.attribute(key) else { return Ok(None) };
        let value = parse_decimal(text).map_err(|error| self.number(format!("{key}: {error}")))?;
        Ok(Some(Exact::rational(value)))
    }

    pub(crate) fn double(&self, key: &str) -> Result<Option<f64>, FormatError> {
        let Some(text) = self.attribute(key) else { return Ok(None) };
        parse_decimal(text).map_err(|error| self.number(format!("{key}: {error}")))?;
        let value: f64 =
            text.trim().parse().map_err(|_| self.number(format!("{key}: `{text}` is not a number")))?;
        if value.is_finite() {
            Ok(Some(value))
        } else {
            Err(self.number(format!("{key}: `{text}` is not finite")))
        }
    }

    pub(crate) fn required_double(&self, key: &str) -> Result<f64, FormatError> {
        self.required(key)?;
        Ok(self.double(key)?.unwrap_or(0.0))
    }

    /// Numbers separated by blanks, exactly.
    pub(crate) fn exacts(&self, key: &str) -> Result<Option<Vec<Exact>>, FormatError> {
        let Some(text) = self.attribute(key) else { return Ok(None) };
        let mut out = Vec::new();
        for word in text.split_whitespace() {
            let value = parse_decimal(word).map_err(|error| self.number(format!("{key}: {error}")))?;
            out.push(Exact::rational(value));
        }
        Ok(Some(out))
    }

    pub(crate) fn vector(&self, key: &str) -> Result<Option<[Exact; 3]>, FormatError> {
        let Some(values) = self.exacts(key)? else { return Ok(None) };
        let found = values.len();
        match <[Exact; 3]>::try_from(values) {
            Ok(vector) => Ok(Some(vector)),
            Err(_) => Err(self.wrong(
                format!("{key}=\"{}\" has {found} numbers", self.attribute(key).unwrap_or("")),
                "give three, separated by blanks",
            )),
        }
    }
}
