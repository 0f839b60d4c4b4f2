//! The walk over the document.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use steiner_files::Place;
use steiner_robot::RobotError;

use super::dom::{Child, Tag};
use super::properties::{Namespace, Scope};
use super::value::{Complaint, Value, Wrong};
use crate::error::FormatError;
use crate::read::ReadOptions;

/// How deep elements, macros and includes may nest altogether; also the end of macros that call themselves.
const DEEPEST: usize = 300;
/// How many elements and expressions may be evaluated: minutes of a bomb, far more than any robot.
const MOST_STEPS: usize = 2_000_000;
/// Largest expansion, bytes.
const LARGEST: usize = 32 << 20;

/// Where names are looked up.
#[derive(Clone, Copy)]
pub(super) struct Context {
    pub(super) scope: usize,
    pub(super) namespace: usize,
}

/// What an element comes to contain.
#[derive(Default)]
pub(super) struct Output {
    pub(super) children: Vec<Child>,
    /// Set by `<xacro:attribute>`.
    attributes: Vec<(String, String)>,
}

/// The state of an expansion.
pub(super) struct Expander<'o> {
    pub(super) options: &'o ReadOptions,
    pub(super) main_file: Option<&'o Path>,
    pub(super) arguments: HashMap<String, String>,
    pub(super) scopes: Vec<Scope>,
    pub(super) namespaces: Vec<Namespace>,
    /// The macros being expanded and where they were called.
    pub(super) calls: Vec<(String, Place)>,
    /// How many properties or substitutions are being evaluated inside each other.
    pub(super) references: usize,
    /// The files being read, each included by the one before it.
    pub(super) including: Vec<PathBuf>,
    /// Files that were included before.
    pub(super) parsed: HashMap<PathBuf, Rc<Tag>>,
    steps: usize,
    depth: usize,
    size: usize,
}

impl<'o> Expander<'o> {
    pub(super) fn new(options: &'o ReadOptions, main_file: Option<&'o Path>) -> Self {
        Expander {
            options,
            main_file,
            arguments: options.xacro_arguments.iter().cloned().collect(),
            scopes: vec![Scope::default()],
            namespaces: vec![Namespace::default()],
            calls: Vec::new(),
            references: 0,
            including: main_file.and_then(|path| path.canonicalize().ok()).into_iter().collect(),
            parsed: HashMap::new(),
            steps: 0,
            depth: 0,
            size: 0,
        }
    }

    /// The expanded root element.
    pub(super) fn document(&mut self, root: &Rc<Tag>) -> Result<Tag, FormatError> {
        self.plain(root, Context { scope: 0, namespace: 0 })
    }

    pub(super) fn wrong(
        &self,
        tag: &Tag,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> FormatError {
        let (place, element) = (tag.place.clone(), self.described(tag));
        RobotError::Element { place, element, problem: problem.into(), remedy: remedy.into() }.into()
    }

    /// An element, and the macro in whose expansion it stands.
    fn described(&self, tag: &Tag) -> String {
        match self.calls.last() {
            Some((name, place)) => {
                format!("{} in the expansion of <xacro:{name}> of {place}", tag.describe())
            }
            None => tag.describe(),
        }
    }

    pub(super) fn complain(&self, tag: &Tag, complaint: Complaint) -> FormatError {
        let Wrong { mut problem, remedy, property, lacks_package } = *complaint.0;
        if let Some((name, place)) = property {
            problem += &format!(" in the property `{name}` of {place}");
        }
        match lacks_package {
            true => {
                let (place, element) = (tag.place.clone(), self.described(tag));
                FormatError::UnknownPackage { place, element, problem }
            }
            false => self.wrong(tag, problem, remedy),
        }
    }

    /// Counts work, so that no document runs forever.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Complaint> {
        self.steps += steps;
        if self.steps > MOST_STEPS {
            return Err(Complaint::new(
                "the expansion takes more than two million steps",
                "look for a macro or property that multiplies itself",
            ));
        }
        Ok(())
    }

    fn grow(&mut self, tag: &Tag, bytes: usize) -> Result<(), FormatError> {
        self.size = self.size.saturating_add(bytes);
        if self.size > LARGEST {
            return Err(self.wrong(
                tag,
                format!("the expansion is larger than {} MB", LARGEST >> 20),
                "look for a macro or block that multiplies itself",
            ));
        }
        Ok(())
    }

    pub(super) fn open(&mut self, scope: Scope) -> usize {
        self.scopes.push(scope);
        self.scopes.len() - 1
    }

    /// Forgets a macro's scope, unless a namespace opened inside it still needs it.
    pub(super) fn close(&mut self, scope: usize) {
        if scope + 1 == self.scopes.len() {
            self.scopes.pop();
        }
    }

    pub(super) fn namespace(&self, from: usize, name: &str) -> Option<usize> {
        let mut next = Some(from);
        while let Some(namespace) = next {
            if let Some(&found) = self.namespaces[namespace].inner.get(name) {
                return Some(found);
            }
            next = self.namespaces[namespace].parent;
        }
        None
    }

    /// An attribute that must be there, as written.
    pub(super) fn required(&self, tag: &Tag, key: &str) -> Result<String, FormatError> {
        match tag.attribute(key).map(str::trim) {
            Some(value) if !value.is_empty() => Ok(value.to_owned()),
            _ => Err(self.wrong(tag, format!("the attribute `{key}` is missing or empty"), "add it")),
        }
    }

    /// An attribute that must be there, evaluated to a text.
    pub(super) fn required_text(
        &mut self,
        tag: &Tag,
        key: &str,
        context: Context,
    ) -> Result<String, FormatError> {
        let text = self.required(tag, key)?;
        self.text(&text, context, tag)
    }

    fn text(&mut self, text: &str, context: Context, tag: &Tag) -> Result<String, FormatError> {
        let value = self.evaluated(text, context, tag).map_err(|wrong| self.complain(tag, wrong))?;
        Ok(value.to_string())
    }

    /// An optional truth value.
    pub(super) fn flag(&mut self, tag: &Tag, key: &str, context: Context) -> Result<bool, FormatError> {
        match tag.attribute(key) {
            Some(text) => self.truth(text, context, tag),
            None => Ok(false),
        }
    }

    fn truth(&mut self, text: &str, context: Context, tag: &Tag) -> Result<bool, FormatError> {
        match self.literal(text, context, tag).map_err(|wrong| self.complain(tag, wrong))? {
            Value::Text(other) => Err(self.wrong(
                tag,
                format!("`{other}` is neither true nor false"),
                "write true, false, 1 or 0",
            )),
            value => Ok(value.is_true()),
        }
    }

    /// Expands contents of an element, which complaints about text will name.
    pub(super) fn inside(
        &mut self,
        carrier: &Tag,
        children: &[Child],
        context: Context,
        output: &mut Output,
    ) -> Result<(), FormatError> {
        for child in children {
            match child {
                Child::Element(tag) => self.element(tag, context, output)?,
                Child::Text(text) if !text.contains('$') => output.children.push(child.clone()),
                Child::Text(text) => {
                    let text = self.text(text, context, carrier)?;
                    output.children.push(Child::Text(text));
                }
            }
        }
        Ok(())
    }

    fn element(&mut self, tag: &Rc<Tag>, context: Context, output: &mut Output) -> Result<(), FormatError> {
        self.spend(1).map_err(|wrong| self.complain(tag, wrong))?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong(
                tag,
                format!("elements, macros and includes nest more than {DEEPEST} deep"),
                "look for a macro that calls itself without end",
            ));
        }
        if tag.is_xacro {
            self.directive(tag, context, output)?;
        } else {
            let expanded = self.plain(tag, context)?;
            output.children.push(Child::Element(Rc::new(expanded)));
        }
        self.depth -= 1;
        Ok(())
    }

    /// An element of the robot itself.
    fn plain(&mut self, tag: &Tag, context: Context) -> Result<Tag, FormatError> {
        let mut attributes = Vec::with_capacity(tag.attributes.len());
        for (key, text) in &tag.attributes {
            attributes.push((key.clone(), self.text(text, context, tag)?));
        }
        let mut inner = Output::default();
        self.inside(tag, &tag.children, context, &mut inner)?;
        for (key, value) in inner.attributes {
            match attributes.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => attributes.push((key, value)),
            }
        }
        let expanded = tag.with(attributes, inner.children);
        let inside: usize = expanded.children.iter().map(Child::size).sum();
        self.grow(tag, expanded.size.saturating_sub(inside))?;
        Ok(expanded)
    }

    fn directive(&mut self, tag: &Rc<Tag>, context: Context, output: &mut Output) -> Result<(), FormatError> {
        match tag.name.as_str() {
            "property" => self.define_property(tag, context),
            "macro" => self.define_macro(tag, context),
            "include" => self.include(tag, context, output),
            "if" | "unless" => {
                let condition = self.required(tag, "value")?;
                if self.truth(&condition, context, tag)? == (tag.name == "if") {
                    self.inside(tag, &tag.children, context, output)?;
                }
                Ok(())
            }
            "arg" => {
                let name = self.required(tag, "name")?;
                if let Some(default) =
                    tag.attribute("default").filter(|_| !self.arguments.contains_key(&name))
                {
                    let value = self.text(default, context, tag)?;
                    self.arguments.insert(name, value);
                }
                Ok(())
            }
            "insert_block" => self.insert_block(tag, context, output),
            "call" => {
                let name = self.required_text(tag, "macro", context)?;
                self.call(tag, &name, context, output)
            }
            "element" => {
                let name = self.required_text(tag, "xacro:name", context)?;
                self.check_name(tag, &name)?;
                let attributes =
                    tag.attributes.iter().filter(|(key, _)| !key.contains(':')).cloned().collect();
                let renamed = Tag { name, is_xacro: false, ..tag.with(attributes, tag.children.clone()) };
                let expanded = self.plain(&renamed, context)?;
                output.children.push(Child::Element(Rc::new(expanded)));
                Ok(())
            }
            "attribute" => {
                let name = self.required_text(tag, "name", context)?;
                self.check_name(tag, &name)?;
                let value = self.text(tag.attribute("value").unwrap_or(""), context, tag)?;
                output.attributes.push((name, value));
                Ok(())
            }
            name => self.call(tag, name, context, output),
        }
    }

    fn check_name(&self, tag: &Tag, name: &str) -> Result<(), FormatError> {
        let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if starts && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
            return Ok(());
        }
        Err(self.wrong(
            tag,
            format!("`{name}` cannot name an element or attribute"),
            "use letters, digits, _ and -",
        ))
    }

    fn insert_block(&mut self, tag: &Tag, context: Context, output: &mut Output) -> Result<(), FormatError> {
        let name = self.required_text(tag, "name", context)?;
        let Some(block) = self.block(context.scope, &name) else {
            return Err(self.wrong(
                tag,
                format!("there is no block `{name}`"),
                "make it a *parameter of the macro, or a property with elements inside",
            ));
        };
        if !block.expanded {
            return self.inside(tag, &block.children, context, output);
        }
        self.grow(tag, block.children.iter().map(Child::size).sum())?;
        output.children.extend(block.children);
        Ok(())
    }
}
