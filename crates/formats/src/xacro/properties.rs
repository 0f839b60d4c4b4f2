//! Properties and blocks: what names mean where.

use std::collections::HashMap;
use std::rc::Rc;

use crate::error::FormatError;

use super::dom::{Child, Tag};
use super::expander::{Context, Expander};
use super::macros::Macro;
use super::value::{Complaint, Value};

/// The names of a document, a namespace or a macro's body. A macro sees those of its caller.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) parent: Option<usize>,
    properties: HashMap<String, Property>,
    blocks: HashMap<String, Block>,
}

enum Property {
    /// Evaluated when first used, in the scope where it stands.
    Text(String, Rc<Tag>, usize),
    /// Being evaluated: whoever asks depends on itself.
    Busy,
    Value(Value),
}

/// Elements to insert.
#[derive(Clone)]
pub(super) struct Block {
    pub(super) children: Vec<Child>,
    /// Given to a macro, hence already expanded where it was written.
    pub(super) expanded: bool,
}

/// Macros and the scope of an `<xacro:include ns>`, or of the document.
#[derive(Default)]
pub(super) struct Namespace {
    pub(super) parent: Option<usize>,
    pub(super) scope: usize,
    pub(super) macros: HashMap<String, Rc<Macro>>,
    pub(super) inner: HashMap<String, usize>,
}

impl Scope {
    pub(super) fn inside(parent: usize) -> Self {
        Scope { parent: Some(parent), ..Scope::default() }
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.properties.insert(name.to_owned(), Property::Value(value));
    }

    pub(super) fn set_block(&mut self, name: &str, block: Block) {
        self.blocks.insert(name.to_owned(), block);
    }
}

impl Expander<'_> {
    /// The innermost scope that has a property.
    pub(super) fn holder(&self, scope: usize, name: &str) -> Option<usize> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if self.scopes[scope].properties.contains_key(name) {
                return Some(scope);
            }
            next = self.scopes[scope].parent;
        }
        None
    }

    pub(super) fn block(&self, scope: usize, name: &str) -> Option<Block> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            if let Some(block) = self.scopes[scope].blocks.get(name) {
                return Some(block.clone());
            }
            next = self.scopes[scope].parent;
        }
        None
    }

    /// The names visible from a scope.
    pub(super) fn visible(&self, scope: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut next = Some(scope);
        while let Some(scope) = next {
            names.extend(self.scopes[scope].properties.keys().take(1000).cloned());
            next = self.scopes[scope].parent.filter(|_| names.len() < 10_000);
        }
        names.sort();
        names
    }

    /// The value of a property; its text is evaluated the first time.
    pub(super) fn property_value(&mut self, scope: usize, name: &str) -> Result<Option<Value>, Complaint> {
        let Some(holder) = self.holder(scope, name) else { return Ok(None) };
        let Some(property) = self.scopes[holder].properties.get_mut(name) else { return Ok(None) };
        match std::mem::replace(property, Property::Busy) {
            Property::Value(value) => {
                *property = Property::Value(value.clone());
                Ok(Some(value))
            }
            Property::Busy => Err(Complaint::new(
                format!("the property `{name}` depends on itself"),
                "give one of the properties involved a value of its own",
            )),
            Property::Text(text, tag, namespace) => {
                let context = Context { scope: holder, namespace };
                let value = self.literal(&text, context, &tag).map_err(|mut complaint| {
                    complaint.0.property.get_or_insert_with(|| (name.to_owned(), tag.place.clone()));
                    complaint
                })?;
                self.scopes[holder].set(name, value.clone());
                Ok(Some(value))
            }
        }
    }

    /// `<xacro:property>`.
    pub(super) fn define_property(&mut self, tag: &Rc<Tag>, context: Context) -> Result<(), FormatError> {
        let name = self.required(tag, "name")?;
        let target = match tag.attribute("scope") {
            None | Some("local") => context.scope,
            Some("global") => 0,
            Some("parent") => self.scopes[context.scope].parent.ok_or_else(|| {
                self.wrong(tag, "scope=\"parent\" outside of a macro", "leave the scope out")
            })?,
            Some(other) => {
                return Err(self.wrong(
                    tag,
                    format!("scope=\"{other}\""),
                    "write \"parent\" or \"global\", or leave it out",
                ));
            }
        };
        if self.flag(tag, "remove", context)? {
            self.scopes[target].properties.remove(&name);
            self.scopes[target].blocks.remove(&name);
            return Ok(());
        }
        let known = self.holder(context.scope, &name).is_some() || self.block(context.scope, &name).is_some();
        let text = match (tag.attribute("value"), tag.attribute("default")) {
            (None, Some(_)) if known => return Ok(()),
            (Some(text), _) | (None, Some(text)) => text,
            (None, None) => {
                let block = Block { children: tag.children.clone(), expanded: false };
                self.scopes[target].set_block(&name, block);
                return Ok(());
            }
        };
        let eager =
            target != context.scope || tag.attribute("lazy_eval") == Some("false") || !text.contains('$');
        let property = if eager {
            let value = self.literal(text, context, tag);
            Property::Value(value.map_err(|complaint| self.complain(tag, complaint))?)
        } else {
            Property::Text(text.to_owned(), tag.clone(), context.namespace)
        };
        self.scopes[target].properties.insert(name, property);
        Ok(())
    }
}
