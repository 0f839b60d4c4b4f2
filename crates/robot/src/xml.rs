//! XML with places: every complaint names file, line, element and remedy.

use roxmltree::{Document, Node, ParsingOptions};
use steiner_scalar::{Exact, parse_decimal};

use crate::error::{Place, RobotError};

/// More elements than any robot has.
const MOST_NODES: u32 = 2_000_000;

/// Parses a document; external entities and document types are refused, so that no bomb can go off.
pub(crate) fn parse<'a>(text: &'a str, place: &Place) -> Result<Document<'a>, RobotError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let syntax = |line: Option<u32>, reason: String| RobotError::Syntax {
        place: Place { file: place.file.clone(), line },
        reason,
    };
    if deepest_nesting(text) > 200 {
        return Err(syntax(None, "elements are nested more than 200 deep".to_owned()));
    }
    Document::parse_with_options(text, options).map_err(|error| {
        let line = error.pos().row;
        let reason = match error {
            roxmltree::Error::DtdDetected => "it declares a document type, which Steiner refuses".to_owned(),
            other => other.to_string(),
        };
        syntax(Some(line), reason)
    })
}

/// An upper bound on how deep elements nest, without recursion.
fn deepest_nesting(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest) = (0usize, 0usize);
    for (at, _) in text.match_indices('<') {
        match bytes.get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') => {}
            _ => {
                let end = text[at..].find('>').map_or(bytes.len(), |length| at + length);
                if bytes.get(end.wrapping_sub(1)) != Some(&b'/') {
                    depth += 1;
                    deepest = deepest.max(depth);
                }
            }
        }
    }
    deepest
}

/// An element that knows where it stands.
#[derive(Clone)]
pub(crate) struct Element<'a> {
    pub(crate) node: Node<'a, 'a>,
    document: &'a Document<'a>,
    file: Place,
}

impl<'a> Element<'a> {
    pub(crate) fn new(node: Node<'a, 'a>, document: &'a Document<'a>, file: &Place) -> Self {
        Element { node, document, file: file.clone() }
    }

    pub(crate) fn tag(&self) -> &'a str {
        self.node.tag_name().name()
    }

    pub(crate) fn place(&self) -> Place {
        self.file.at_line(self.document.text_pos_at(self.node.range().start).row)
    }

    /// `<joint name="j1">`, or `<axis> of <joint name="j1">` for a nameless part.
    pub(crate) fn describe(&self) -> String {
        let own = |node: Node<'_, '_>| match node.attribute("name") {
            Some(name) => format!("<{} name=\"{name}\">", node.tag_name().name()),
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

    pub(crate) fn wrong(&self, problem: impl Into<String>, remedy: impl Into<String>) -> RobotError {
        RobotError::Element {
            place: self.place(),
            element: self.describe(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    pub(crate) fn number(&self, reason: String) -> RobotError {
        RobotError::Number { place: self.place(), element: self.describe(), reason }
    }

    pub(crate) fn children(&self) -> impl Iterator<Item = Element<'a>> + use<'a> {
        let (document, file) = (self.document, self.file.clone());
        self.node.children().filter(Node::is_element).map(move |node| Element::new(node, document, &file))
    }

    pub(crate) fn child(&self, tag: &str) -> Option<Element<'a>> {
        self.children().find(|child| child.tag() == tag)
    }

    pub(crate) fn required_child(&self, tag: &str) -> Result<Element<'a>, RobotError> {
        self.child(tag).ok_or_else(|| self.wrong(format!("<{tag}> is missing"), "add it"))
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<&'a str> {
        self.node.attribute(key)
    }

    pub(crate) fn required(&self, key: &str) -> Result<&'a str, RobotError> {
        match self.attribute(key) {
            Some(value) if !value.trim().is_empty() => Ok(value),
            _ => Err(self.wrong(format!("the attribute `{key}` is missing or empty"), "add it")),
        }
    }

    /// A printed number, exactly.
    pub(crate) fn exact(&self, key: &str) -> Result<Option<Exact>, RobotError> {
        let Some(text) = self.attribute(key) else { return Ok(None) };
        let value = parse_decimal(text).map_err(|error| self.number(format!("{key}: {error}")))?;
        Ok(Some(Exact::rational(value)))
    }

    pub(crate) fn double(&self, key: &str) -> Result<Option<f64>, RobotError> {
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

    pub(crate) fn required_double(&self, key: &str) -> Result<f64, RobotError> {
        self.required(key)?;
        Ok(self.double(key)?.unwrap_or(0.0))
    }

    /// Numbers separated by blanks, exactly.
    pub(crate) fn exacts(&self, key: &str) -> Result<Option<Vec<Exact>>, RobotError> {
        let Some(text) = self.attribute(key) else { return Ok(None) };
        let mut out = Vec::new();
        for word in text.split_whitespace() {
            let value = parse_decimal(word).map_err(|error| self.number(format!("{key}: {error}")))?;
            out.push(Exact::rational(value));
        }
        Ok(Some(out))
    }

    pub(crate) fn vector(&self, key: &str) -> Result<Option<[Exact; 3]>, RobotError> {
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
