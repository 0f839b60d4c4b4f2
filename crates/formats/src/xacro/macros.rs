//! `<xacro:macro>`: definitions, parameters and calls.

use std::rc::Rc;

use steiner_files::did_you_mean;

use super::dom::{Child, Tag};
use super::expander::{Context, Expander, Output};
use super::properties::{Block, Scope};
use crate::error::FormatError;

/// A macro.
pub(super) struct Macro {
    parameters: Vec<Parameter>,
    body: Rc<Tag>,
}

#[derive(Debug)]
struct Parameter {
    name: String,
    kind: Kind,
}

#[derive(Debug, PartialEq)]
enum Kind {
    Value {
        /// `^`: the caller's property of the same name, if it has one.
        inherited: bool,
        default: Option<String>,
    },
    /// `*block`: an element.
    Element,
    /// `**block`: the contents of an element.
    Contents,
}

impl Expander<'_> {
    pub(super) fn define_macro(&mut self, tag: &Rc<Tag>, context: Context) -> Result<(), FormatError> {
        let name = self.required(tag, "name")?;
        let name = name.strip_prefix("xacro:").unwrap_or(&name).to_owned();
        let parameters = parameters(tag.attribute("params").unwrap_or("")).map_err(|written| {
            self.wrong(
                tag,
                format!("`{written}` is not a parameter"),
                "write name, name:=default, *block or **block",
            )
        })?;
        let definition = Macro { parameters, body: tag.clone() };
        self.namespaces[context.namespace].macros.insert(name, Rc::new(definition));
        Ok(())
    }

    /// The macro a name means from a namespace, and the context its body sees besides its parameters.
    fn find_macro(&self, name: &str, context: Context) -> Option<(Rc<Macro>, Context)> {
        let mut next = Some(context.namespace);
        while let Some(namespace) = next {
            if let Some(found) = self.namespaces[namespace].macros.get(name) {
                return Some((found.clone(), context));
            }
            next = self.namespaces[namespace].parent;
        }
        let (outer, name) = name.rsplit_once('.')?;
        let mut namespace = context.namespace;
        for part in outer.split('.') {
            namespace = self.namespace(namespace, part)?;
        }
        let found = self.namespaces[namespace].macros.get(name)?.clone();
        Some((found, Context { scope: self.namespaces[namespace].scope, namespace }))
    }

    /// `<xacro:name …>` or `<xacro:call macro="name" …>`.
    pub(super) fn call(
        &mut self,
        tag: &Rc<Tag>,
        name: &str,
        context: Context,
        output: &mut Output,
    ) -> Result<(), FormatError> {
        let Some((called, outer)) = self.find_macro(name, context) else {
            let known = self.namespaces.iter().flat_map(|namespace| namespace.macros.keys());
            let hint = did_you_mean(name, known.map(String::as_str));
            return Err(self.wrong(
                tag,
                format!("there is no macro `{name}`{hint}"),
                "define it with <xacro:macro> before its use, or include the file that does",
            ));
        };
        let mut scope = Scope::inside(outer.scope);
        let parameter = |key: &str| called.parameters.iter().find(|parameter| parameter.name == key);
        for (key, text) in tag.attributes.iter().filter(|(key, _)| tag.name != "call" || key != "macro") {
            if !matches!(parameter(key), Some(Parameter { kind: Kind::Value { .. }, .. })) {
                let hint = did_you_mean(key, called.parameters.iter().map(|known| known.name.as_str()));
                return Err(self.wrong(
                    tag,
                    format!("the macro `{name}` has no parameter `{key}`{hint}"),
                    "correct the name or remove it",
                ));
            }
            let value = self.literal(text, context, tag).map_err(|wrong| self.complain(tag, wrong))?;
            scope.set(key, value);
        }
        self.blocks_of_call(tag, &called, context, &mut scope)?;
        let inner = self.open(scope);
        let context = Context { scope: inner, namespace: outer.namespace };
        self.defaults_of_call(tag, &called, name, context)?;
        self.calls.push((name.to_owned(), tag.place.clone()));
        self.inside(&called.body, &called.body.children, context, output)?;
        self.calls.pop();
        self.close(inner);
        Ok(())
    }

    /// The elements inside a call, expanded where they stand, are its blocks in order.
    fn blocks_of_call(
        &mut self,
        tag: &Rc<Tag>,
        called: &Macro,
        context: Context,
        scope: &mut Scope,
    ) -> Result<(), FormatError> {
        let mut given = Output::default();
        self.inside(tag, &tag.children, context, &mut given)?;
        let mut elements = given.children.into_iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        });
        for parameter in &called.parameters {
            if matches!(parameter.kind, Kind::Value { .. }) {
                continue;
            }
            let Some(element) = elements.next() else {
                return Err(self.wrong(
                    tag,
                    format!("the block `{}` is missing", parameter.name),
                    "put an element for it inside the call",
                ));
            };
            let children = match parameter.kind {
                Kind::Contents => element.children.clone(),
                _ => vec![Child::Element(element)],
            };
            scope.set_block(&parameter.name, Block { children, expanded: true });
        }
        match elements.next() {
            Some(unused) => Err(self.wrong(
                tag,
                format!("{} inside the call is not used", unused.describe()),
                "remove it, or give the macro a block parameter for it",
            )),
            None => Ok(()),
        }
    }

    fn defaults_of_call(
        &mut self,
        tag: &Rc<Tag>,
        called: &Macro,
        name: &str,
        context: Context,
    ) -> Result<(), FormatError> {
        for parameter in &called.parameters {
            let Kind::Value { inherited, default } = &parameter.kind else { continue };
            if self.holder(context.scope, &parameter.name) == Some(context.scope) {
                continue;
            }
            if *inherited && self.holder(context.scope, &parameter.name).is_some() {
                continue;
            }
            let Some(text) = default else {
                return Err(self.wrong(
                    tag,
                    format!("the macro `{name}` needs the parameter `{}`", parameter.name),
                    "add it to the call, or give it a default",
                ));
            };
            let value = self.literal(text, context, tag).map_err(|wrong| self.complain(tag, wrong))?;
            self.scopes[context.scope].set(&parameter.name, value);
        }
        Ok(())
    }
}

/// `a b:=1 c:=^ d:=^|2 e:='x y' *block **blocks`; an error is the part that makes no sense.
fn parameters(text: &str) -> Result<Vec<Parameter>, String> {
    let mut parameters = Vec::new();
    for word in words(text) {
        let (name, value) = match word.find('=') {
            Some(at) => (word[..at].trim_end_matches(':'), Some(&word[at + 1..])),
            None => (word.as_str(), None),
        };
        let (bare, kind) = match (name.strip_prefix("**"), name.strip_prefix('*'), value) {
            (Some(bare), _, None) => (bare, Kind::Contents),
            (None, Some(bare), None) => (bare, Kind::Element),
            (None, None, None) => (name, Kind::Value { inherited: false, default: None }),
            (None, None, Some(value)) => {
                let forwarded = value.strip_prefix('^');
                let default = match forwarded {
                    Some(rest) => rest.strip_prefix('|').map(str::to_owned),
                    None => Some(value.to_owned()),
                };
                (name, Kind::Value { inherited: forwarded.is_some(), default })
            }
            _ => return Err(word),
        };
        if bare.is_empty() || bare.contains(['*', '$', '\'', '"']) {
            return Err(word);
        }
        parameters.push(Parameter { name: bare.to_owned(), kind });
    }
    Ok(parameters)
}

/// Splits at blanks outside of quotes and `${…}`; blanks around `:=` don't count.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let (mut quote, mut braces) = (None, 0usize);
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None if c == '{' => braces += 1,
            None if c == '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && quote.is_none() && braces == 0 {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if word.starts_with([':', '=']) || last.ends_with('=') => last.push_str(&word),
            _ => joined.push(word),
        }
    }
    joined
}
