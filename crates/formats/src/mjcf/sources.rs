//! The files of a model: `<include>` splices the children of another file's root into its place.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use roxmltree::Document;
use steiner_files::Place;

use crate::error::FormatError;
use crate::xml::Element;

/// More files than any model is cut into.
const MOST_FILES: usize = 500;

/// The texts, the main file first.
pub(super) struct Files {
    files: Vec<File>,
    /// Which file an `<include file>` in a given file means.
    includes: HashMap<(Arc<str>, String), usize>,
}

struct File {
    place: Place,
    path: Option<PathBuf>,
    text: String,
}

impl Files {
    /// Loads the main text and everything it includes. As in MuJoCo a file may be included once,
    /// so nothing can include itself.
    pub(super) fn load(text: &str, place: &Place, path: Option<&Path>) -> Result<Self, FormatError> {
        let main = File { place: place.clone(), path: path.map(Path::to_owned), text: text.to_owned() };
        let mut seen: HashSet<PathBuf> = path.map(canonical).into_iter().collect();
        let mut loaded = Files { files: vec![main], includes: HashMap::new() };
        let mut next = 0;
        while next < loaded.files.len() {
            for (file, path) in loaded.wanted(next, &mut seen)? {
                let text = crate::read::read_text(&path)?;
                let place = Place::file(path.display().to_string());
                let includer = loaded.files[next].place.file.clone();
                loaded.includes.insert((includer, file), loaded.files.len());
                loaded.files.push(File { place, path: Some(path), text });
            }
            next += 1;
        }
        Ok(loaded)
    }

    /// The includes of one file: the attribute and the path it means.
    fn wanted(
        &self,
        index: usize,
        seen: &mut HashSet<PathBuf>,
    ) -> Result<Vec<(String, PathBuf)>, FormatError> {
        let source = &self.files[index];
        let document = crate::xml::parse(&source.text, &source.place)?;
        let mut wanted = Vec::new();
        for node in document.descendants().filter(|node| node.has_tag_name("include")) {
            let element = Element::new(node, &document, &source.place);
            let file = element.required("file")?.trim();
            if self.files.len() + wanted.len() >= MOST_FILES {
                return Err(element
                    .wrong(format!("the model includes more than {MOST_FILES} files"), "join some of them"));
            }
            let path = self.locate(index, file).ok_or_else(|| {
                let problem = match &source.path {
                    Some(_) => {
                        format!("the file `{file}` is neither beside this file nor beside the main one")
                    }
                    None => format!("`{file}` cannot be found, for the model came as text without a folder"),
                };
                element.wrong(problem, "correct the path")
            })?;
            if !seen.insert(canonical(&path)) {
                return Err(element.wrong(
                    format!("the file `{file}` is included a second time"),
                    "include each file once, and no file in itself",
                ));
            }
            wanted.push((element.attribute("file").unwrap_or("").to_owned(), path));
        }
        Ok(wanted)
    }

    fn locate(&self, index: usize, file: &str) -> Option<PathBuf> {
        [index, 0].into_iter().find_map(|beside| {
            let folder = self.files[beside].path.as_deref()?.parent().unwrap_or(Path::new(""));
            Some(folder.join(file)).filter(|path| path.is_file())
        })
    }

    /// The parsed texts, in the same order.
    pub(super) fn documents(&self) -> Result<Vec<Document<'_>>, FormatError> {
        self.files.iter().map(|file| crate::xml::parse(&file.text, &file.place)).collect()
    }
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The parsed files as one tree.
pub(super) struct Sources<'a> {
    roots: Vec<Element<'a>>,
    includes: &'a HashMap<(Arc<str>, String), usize>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(files: &'a Files, documents: &'a [Document<'a>]) -> Self {
        let pairs = documents.iter().zip(&files.files);
        let roots =
            pairs.map(|(document, file)| Element::new(document.root_element(), document, &file.place));
        Sources { roots: roots.collect(), includes: &files.includes }
    }

    pub(super) fn root(&self) -> Element<'a> {
        self.roots[0].clone()
    }

    /// The children of an element, those of included files in place of the `<include>`.
    pub(super) fn children(&self, element: &Element<'a>) -> Vec<Element<'a>> {
        let mut children = Vec::new();
        // Explicit stack of siblings still to visit, for includes may nest as deep as there are files.
        let mut waiting: Vec<Element<'a>> = element.children().collect();
        waiting.reverse();
        while let Some(child) = waiting.pop() {
            if child.tag() != "include" {
                children.push(child);
                continue;
            }
            let key = (child.place().file, child.attribute("file").unwrap_or("").to_owned());
            if let Some(&index) = self.includes.get(&key) {
                let from = waiting.len();
                waiting.extend(self.roots[index].children());
                waiting[from..].reverse();
            }
        }
        children
    }

    /// The names borne by elements of the given tags, in all files.
    pub(super) fn names(&self, tags: &[&str]) -> HashSet<&'a str> {
        let nodes = self.roots.iter().flat_map(|root| root.node.descendants());
        nodes
            .filter(|node| node.is_element() && tags.contains(&node.tag_name().name()))
            .filter_map(|node| node.attribute("name"))
            .collect()
    }
}
