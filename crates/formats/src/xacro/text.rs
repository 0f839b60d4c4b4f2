//! `${expression}`, `$(command)` and `$${`, wherever text stands.

use std::path::{Path, PathBuf};

use super::dom::Tag;
use super::expander::{Context, Expander};
use super::expression::{Names, evaluate};
use super::packages::find_package;
use super::value::{Complaint, Value};

/// Longer texts than any attribute, bytes.
const LONGEST: usize = 1 << 16;
/// How many properties and substitutions may be evaluated inside each other.
const DEEPEST_REFERENCE: usize = 100;

impl Expander<'_> {
    /// A text with everything in it evaluated. One expression alone keeps its kind; anything else is a text.
    pub(super) fn evaluated(&mut self, text: &str, context: Context, tag: &Tag) -> Result<Value, Complaint> {
        if !text.contains('$') {
            return Ok(Value::Text(text.to_owned()));
        }
        self.spend(1 + text.len() / 64)?;
        let mut pieces: Vec<Value> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            if at > 0 {
                pieces.push(Value::Text(rest[..at].to_owned()));
            }
            rest = &rest[at..];
            let dollars = rest.bytes().take_while(|byte| *byte == b'$').count();
            let opening = rest[dollars..].chars().next().filter(|c| matches!(c, '{' | '('));
            let used = match opening {
                None => {
                    pieces.push(Value::Text(rest[..dollars].to_owned()));
                    dollars
                }
                // One dollar escapes the others.
                Some(_) if dollars > 1 => {
                    pieces.push(Value::Text(rest[1..=dollars].to_owned()));
                    dollars + 1
                }
                Some(opening) => {
                    let length = closing(rest, opening).ok_or_else(|| {
                        let problem = format!("`${opening}` is not closed in `{}`", shortened(text));
                        Complaint::new(problem, "close it, or write `$$` for a dollar sign")
                    })?;
                    let body = &rest[2..length - 1];
                    pieces.push(if opening == '{' {
                        self.expression(body, context, tag)?
                    } else {
                        self.command(body, context, tag)?
                    });
                    length
                }
            };
            rest = &rest[used..];
        }
        if pieces.len() == 1 && rest.is_empty() {
            return Ok(pieces.remove(0));
        }
        let mut joined = String::new();
        for piece in pieces {
            joined.push_str(&piece.to_string());
            if joined.len() > LONGEST {
                return Err(Complaint::new("the text grows beyond 64 kB", "shorten it"));
            }
        }
        joined.push_str(rest);
        self.spend(joined.len() / 64)?;
        Ok(Value::Text(joined))
    }

    /// As [`Self::evaluated`], with numbers and truth values in texts recognised.
    pub(super) fn literal(&mut self, text: &str, context: Context, tag: &Tag) -> Result<Value, Complaint> {
        Ok(match self.evaluated(text, context, tag)? {
            Value::Text(text) => Value::literal(text),
            value => value,
        })
    }

    fn expression(&mut self, body: &str, context: Context, tag: &Tag) -> Result<Value, Complaint> {
        // Commands inside an expression are replaced by their text, as ROS does.
        let replaced;
        let body = if body.contains('$') {
            replaced = self.nested(body, context, tag)?;
            &replaced
        } else {
            body
        };
        self.parsed_and_evaluated(body, context, tag, false)
    }

    fn parsed_and_evaluated(
        &mut self,
        body: &str,
        context: Context,
        tag: &Tag,
        with_arguments: bool,
    ) -> Result<Value, Complaint> {
        let (parsed, tokens) = super::parser::parse(body)?;
        self.spend(tokens)?;
        // Properties evaluated inside each other share one stack, and a long sum takes much of it.
        let weight = 1 + tokens / 32;
        self.references += weight;
        if self.references > DEEPEST_REFERENCE {
            return Err(Complaint::new(
                format!("more than {DEEPEST_REFERENCE} properties refer to each other in a row"),
                "shorten the chain",
            ));
        }
        let value = evaluate(&parsed, &mut NamesHere { expander: self, context, tag, with_arguments })?;
        self.references -= weight;
        Ok(value)
    }

    /// Substitution inside substitution, of bounded depth.
    fn nested(&mut self, text: &str, context: Context, tag: &Tag) -> Result<String, Complaint> {
        self.references += 1;
        if self.references > DEEPEST_REFERENCE {
            return Err(Complaint::new("substitutions are nested too deeply", "use properties"));
        }
        let value = self.evaluated(text, context, tag)?;
        self.references -= 1;
        Ok(value.to_string())
    }

    fn command(&mut self, body: &str, context: Context, tag: &Tag) -> Result<Value, Complaint> {
        if let Some(expression) = body.trim_start().strip_prefix("eval ") {
            return self.parsed_and_evaluated(expression, context, tag, true);
        }
        let body = self.nested(body, context, tag)?;
        let words: Vec<&str> = body.split_whitespace().collect();
        let found = match words[..] {
            ["arg", name] => self.argument(name)?,
            ["find", name] => self.package(name, tag)?.display().to_string(),
            ["env", name] => environment(name)?,
            ["optenv", name] => environment(name).unwrap_or_default(),
            ["optenv", name, ..] => environment(name).unwrap_or_else(|_| words[2..].join(" ")),
            ["anon", name] => name.to_owned(),
            ["dirname"] => folder_of(tag).display().to_string(),
            ["cwd"] => std::env::current_dir().unwrap_or_default().display().to_string(),
            _ => {
                return Err(Complaint::new(
                    format!("`$({})` is not known", shortened(&body)),
                    "use arg, find, env, optenv, dirname or eval, or write `$$(` for the text itself",
                ));
            }
        };
        Ok(Value::Text(found))
    }

    pub(super) fn argument(&self, name: &str) -> Result<String, Complaint> {
        self.arguments.get(name).cloned().ok_or_else(|| {
            let hint = steiner_files::did_you_mean(name, self.arguments.keys().map(String::as_str));
            Complaint::new(
                format!("the argument `{name}` has no value{hint}"),
                format!("pass one, or declare <xacro:arg name=\"{name}\" default=\"…\"/> before its use"),
            )
        })
    }

    pub(super) fn package(&self, name: &str, tag: &Tag) -> Result<PathBuf, Complaint> {
        let file = (*tag.file).as_deref().or(self.main_file);
        find_package(name, &self.options.package_path, file).ok_or_else(|| Complaint::lacks_package(name))
    }
}

/// The folder of the file in which an element stands.
pub(super) fn folder_of(tag: &Tag) -> PathBuf {
    let file = (*tag.file).as_deref().unwrap_or(Path::new(""));
    let folder = file.parent().unwrap_or(Path::new(""));
    if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() }
}

fn environment(name: &str) -> Result<String, Complaint> {
    std::env::var(name).map_err(|_| {
        Complaint::new(format!("the environment variable `{name}` is not set"), "set it, or use $(optenv …)")
    })
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(60).chain(['…']).collect() }
}

/// The length of `${…}` or `$(…)` with its brackets, those inside quotes and inner pairs skipped.
fn closing(text: &str, opening: char) -> Option<usize> {
    let close = if opening == '{' { '}' } else { ')' };
    let quotes_count = opening == '{' || text[2..].trim_start().starts_with("eval ");
    let mut depth = 0usize;
    let mut quote = None;
    for (at, c) in text.char_indices().skip(1) {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => {}
            None if quotes_count && matches!(c, '\'' | '"') => quote = Some(c),
            None if c == opening => depth += 1,
            None if c == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            None => {}
        }
    }
    None
}

/// The names of an expression at one place of the document.
struct NamesHere<'e, 'o> {
    expander: &'e mut Expander<'o>,
    context: Context,
    tag: &'e Tag,
    /// `$(eval …)` sees arguments as names.
    with_arguments: bool,
}

impl Names for NamesHere<'_, '_> {
    fn property(&mut self, namespace: Option<&str>, name: &str) -> Result<Option<Value>, Complaint> {
        let scope = match namespace {
            None => self.context.scope,
            Some(namespace) => match self.expander.namespace(self.context.namespace, namespace) {
                Some(index) => self.expander.namespaces[index].scope,
                None => return Ok(None),
            },
        };
        let found = self.expander.property_value(scope, name)?;
        if let Some(Value::Text(text)) = &found {
            self.expander.spend(text.len() / 64)?;
        }
        if found.is_none() && self.with_arguments {
            return Ok(self.expander.arguments.get(name).map(|text| Value::literal(text.clone())));
        }
        Ok(found)
    }

    fn has_namespace(&self, name: &str) -> bool {
        let hidden = self.expander.holder(self.context.scope, name).is_some();
        !hidden && self.expander.namespace(self.context.namespace, name).is_some()
    }

    fn known(&self) -> Vec<String> {
        self.expander.visible(self.context.scope)
    }

    fn look_up(&mut self, kind: &str, name: &str) -> Result<String, Complaint> {
        match kind {
            "arg" => self.expander.argument(name),
            "find" => Ok(self.expander.package(name, self.tag)?.display().to_string()),
            _ => environment(name),
        }
    }
}
