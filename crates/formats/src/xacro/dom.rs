//! The document before and after expansion: elements that can be kept, shared and written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use roxmltree::Node;
use steiner_files::{Place, brief};

use crate::error::FormatError;
use crate::xml::LineIndex;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    /// Written with the xacro prefix.
    pub(super) is_xacro: bool,
    /// Local name.
    pub(super) name: String,
    /// Another prefix and its namespace.
    pub(super) prefix: Option<(String, String)>,
    /// Attributes without a prefix; xacro's own are called `xacro:…`.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Child>,
    pub(super) place: Place,
    /// The folder in which relative includes are looked up.
    pub(super) file: Rc<Option<PathBuf>>,
    /// Roughly how many bytes it prints, with its children.
    pub(super) size: usize,
}

/// Part of an element.
#[derive(Clone, Debug)]
pub(super) enum Child {
    Element(Rc<Tag>),
    Text(String),
}

impl Child {
    pub(super) fn size(&self) -> usize {
        match self {
            Child::Element(tag) => tag.size,
            Child::Text(text) => text.len(),
        }
    }
}

impl Tag {
    pub(super) fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// `<xacro:if>`, or `<joint name="j1">`.
    pub(super) fn describe(&self) -> String {
        let prefix = if self.is_xacro { "xacro:" } else { "" };
        match self.attribute("name") {
            Some(name) => format!("<{prefix}{} name=\"{}\">", self.name, brief(name)),
            None => format!("<{prefix}{}>", self.name),
        }
    }

    /// The same element with other contents.
    pub(super) fn with(&self, attributes: Vec<(String, String)>, children: Vec<Child>) -> Tag {
        let own: usize = attributes.iter().map(|(key, value)| key.len() + value.len() + 4).sum();
        let inside: usize = children.iter().map(Child::size).sum();
        let size = 2 * self.name.len() + 8 + own + inside;
        Tag { attributes, children, size, ..self.shell() }
    }

    /// Everything but the contents.
    pub(super) fn shell(&self) -> Tag {
        Tag {
            is_xacro: self.is_xacro,
            name: self.name.clone(),
            prefix: self.prefix.clone(),
            attributes: Vec::new(),
            children: Vec::new(),
            place: self.place.clone(),
            file: self.file.clone(),
            size: 0,
        }
    }
}

/// Parses a file; comments vanish.
pub(super) fn parse(text: &str, place: &Place, path: Option<&Path>) -> Result<Rc<Tag>, FormatError> {
    let document = crate::xml::parse(text, place)?;
    let lines = LineIndex::new(text);
    let file = Rc::new(path.map(Path::to_owned));
    Ok(convert(document.root_element(), &lines, place, &file))
}

fn is_xacro(namespace: Option<&str>) -> bool {
    namespace.is_some_and(|namespace| namespace.contains("xacro"))
}

fn convert(node: Node<'_, '_>, lines: &LineIndex, place: &Place, file: &Rc<Option<PathBuf>>) -> Rc<Tag> {
    let namespace = node.tag_name().namespace();
    let prefix = namespace.and_then(|uri| {
        let prefix = node.lookup_prefix(uri).filter(|prefix| !prefix.is_empty())?;
        Some((prefix.to_owned(), uri.to_owned()))
    });
    let attributes = node.attributes().filter_map(|attribute| {
        let key = match attribute.namespace() {
            None => attribute.name().to_owned(),
            Some(uri) if is_xacro(Some(uri)) => format!("xacro:{}", attribute.name()),
            Some(_) => return None,
        };
        Some((key, attribute.value().to_owned()))
    });
    let children = node.children().filter_map(|child| {
        if child.is_element() {
            return Some(Child::Element(convert(child, lines, place, file)));
        }
        let text = child.text().filter(|text| child.is_text() && !text.trim().is_empty())?;
        Some(Child::Text(text.to_owned()))
    });
    let shell = Tag {
        is_xacro: is_xacro(namespace),
        name: node.tag_name().name().to_owned(),
        prefix: prefix.filter(|_| !is_xacro(namespace)),
        attributes: Vec::new(),
        children: Vec::new(),
        place: place.at_line(lines.line(node.range().start)),
        file: file.clone(),
        size: 0,
    };
    Rc::new(shell.with(attributes.collect(), children.collect()))
}

/// The document as text, one element per line, and where each line was written.
pub(super) fn write(root: &Tag) -> (String, Vec<Place>) {
    let mut writer = Writer { text: String::with_capacity(root.size), lines: Vec::new() };
    writer.line("<?xml version=\"1.0\"?>\n", &root.place);
    let mut namespaces = BTreeMap::new();
    gather(root, &mut namespaces);
    writer.element(root, 0, &namespaces);
    (writer.text, writer.lines)
}

fn gather(tag: &Tag, namespaces: &mut BTreeMap<String, String>) {
    if let Some((prefix, uri)) = &tag.prefix {
        namespaces.entry(prefix.clone()).or_insert_with(|| uri.clone());
    }
    for child in &tag.children {
        if let Child::Element(inner) = child {
            gather(inner, namespaces);
        }
    }
}

struct Writer {
    text: String,
    lines: Vec<Place>,
}

impl Writer {
    fn line(&mut self, text: &str, place: &Place) {
        self.text.push_str(text);
        let breaks = text.bytes().filter(|byte| *byte == b'\n').count();
        self.lines.extend(std::iter::repeat_n(place.clone(), breaks));
    }

    fn element(&mut self, tag: &Tag, depth: usize, namespaces: &BTreeMap<String, String>) {
        let name = match &tag.prefix {
            Some((prefix, _)) => format!("{prefix}:{}", tag.name),
            None => tag.name.clone(),
        };
        let indent = "  ".repeat(depth.min(20));
        let mut start = format!("{indent}<{name}");
        for (key, value) in tag.attributes.iter().filter(|(key, _)| !key.contains(':')) {
            start.push_str(&format!(" {key}=\"{}\"", escaped(value, true)));
        }
        if depth == 0 {
            for (prefix, uri) in namespaces {
                start.push_str(&format!(" xmlns:{prefix}=\"{}\"", escaped(uri, true)));
            }
        }
        if tag.children.is_empty() {
            start.push_str("/>\n");
            return self.line(&start, &tag.place);
        }
        start.push_str(">\n");
        self.line(&start, &tag.place);
        for child in &tag.children {
            match child {
                Child::Element(inner) => self.element(inner, depth + 1, namespaces),
                Child::Text(text) => {
                    let text = format!("{}\n", escaped(text.trim(), false));
                    self.line(&text, &tag.place);
                }
            }
        }
        self.line(&format!("{indent}</{name}>\n"), &tag.place);
    }
}

fn escaped(text: &str, in_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            '\n' | '\t' | '\r' if in_attribute => out.push_str(&format!("&#{};", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
