//! Files included by others: where they lie, and the namespace their names go to.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use steiner_files::Place;

use super::dom::Tag;
use super::expander::{Context, Expander, Output};
use super::properties::{Namespace, Scope};
use super::text::folder_of;
use crate::error::FormatError;

impl Expander<'_> {
    /// `<xacro:include>`: the elements of another file, in a namespace of their own if it has a name.
    pub(super) fn include(
        &mut self,
        tag: &Rc<Tag>,
        context: Context,
        output: &mut Output,
    ) -> Result<(), FormatError> {
        let written = self.required_text(tag, "filename", context)?;
        let path = self.locate(&written, tag)?;
        if !path.is_file() {
            if self.flag(tag, "optional", context)? {
                return Ok(());
            }
            let problem = format!("the file `{}` does not exist", path.display());
            return Err(self.wrong(tag, problem, "correct the filename"));
        }
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.including.contains(&canonical) {
            return Err(self.wrong(
                tag,
                format!("`{written}` includes itself"),
                "remove one of the includes",
            ));
        }
        let root = match self.parsed.get(&canonical) {
            Some(root) => root.clone(),
            None => {
                let text = crate::read::read_text(&path)?;
                let root = super::dom::parse(&text, &Place::file(path.display().to_string()), Some(&path))?;
                self.parsed.insert(canonical.clone(), root.clone());
                root
            }
        };
        let context = match tag.attribute("ns") {
            Some(name) => self.enter_namespace(name, context),
            None => context,
        };
        self.including.push(canonical);
        self.inside(&root, &root.children, context, output)?;
        self.including.pop();
        Ok(())
    }

    fn enter_namespace(&mut self, name: &str, context: Context) -> Context {
        if let Some(&namespace) = self.namespaces[context.namespace].inner.get(name) {
            return Context { scope: self.namespaces[namespace].scope, namespace };
        }
        let scope = self.open(Scope::inside(context.scope));
        let namespace = self.namespaces.len();
        self.namespaces.push(Namespace { parent: Some(context.namespace), scope, ..Namespace::default() });
        self.namespaces[context.namespace].inner.insert(name.to_owned(), namespace);
        Context { scope, namespace }
    }

    fn locate(&self, written: &str, tag: &Tag) -> Result<PathBuf, FormatError> {
        if let Some(rest) = written.strip_prefix("package://") {
            let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
            let folder = self.package(package, tag).map_err(|wrong| self.complain(tag, wrong))?;
            return Ok(folder.join(inside));
        }
        let path = Path::new(written.strip_prefix("file://").unwrap_or(written));
        if path.is_relative() && tag.file.is_none() {
            return Err(self.wrong(
                tag,
                format!("`{written}` cannot be found, for the document came as text without a folder"),
                "give an absolute path, or read the document from a file",
            ));
        }
        Ok(if path.is_relative() { folder_of(tag).join(path) } else { path.to_owned() })
    }
}
