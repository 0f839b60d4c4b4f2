//! `<default>` classes: attributes that elements have unless they say otherwise.

use std::collections::HashMap;
use std::rc::Rc;

use steiner_files::did_you_mean;

use super::sources::Sources;
use crate::error::FormatError;
use crate::xml::Element;

/// All classes; the first is `main`, which applies where no other is named.
pub(super) struct Defaults<'a> {
    classes: Vec<Class<'a>>,
    by_name: HashMap<&'a str, usize>,
}

struct Class<'a> {
    parent: Option<usize>,
    /// By tag and attribute, the element that sets it, so that a bad number is reported where it stands.
    set: HashMap<&'a str, HashMap<&'a str, Element<'a>>>,
}

impl<'a> Defaults<'a> {
    pub(super) fn read<'s>(
        sources: &Sources<'a>,
        sections: impl Iterator<Item = &'s Element<'a>>,
    ) -> Result<Rc<Self>, FormatError>
    where
        'a: 's,
    {
        let main = Class { parent: None, set: HashMap::new() };
        let mut defaults = Defaults { classes: vec![main], by_name: HashMap::from([("main", 0)]) };
        for section in sections {
            // Older files rename the topmost class.
            if let Some(name) = section.attribute("class") {
                defaults.by_name.insert(name, 0);
            }
            defaults.fill(sources, section)?;
        }
        Ok(Rc::new(defaults))
    }

    fn fill(&mut self, sources: &Sources<'a>, section: &Element<'a>) -> Result<(), FormatError> {
        // A stack instead of recursion: includes make the nesting as deep as they like.
        let mut waiting = vec![(section.clone(), 0)];
        while let Some((section, class)) = waiting.pop() {
            for child in sources.children(&section) {
                if child.tag() != "default" {
                    let set = self.classes[class].set.entry(child.tag()).or_default();
                    set.extend(child.node.attributes().map(|attribute| (attribute.name(), child.clone())));
                    continue;
                }
                let name = child.required("class")?;
                if self.by_name.contains_key(name) {
                    return Err(child.wrong(
                        format!("the class `{name}` is defined twice"),
                        "give each class its own name",
                    ));
                }
                self.by_name.insert(name, self.classes.len());
                waiting.push((child, self.classes.len()));
                self.classes.push(Class { parent: Some(class), set: HashMap::new() });
            }
        }
        Ok(())
    }

    fn find(&self, element: &Element<'a>, name: &str) -> Result<usize, FormatError> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let hint = did_you_mean(name, self.by_name.keys().copied());
            element.wrong(format!("there is no default class `{name}`{hint}"), "define it under <default>")
        })
    }

    fn setter(&self, class: usize, tag: &str, key: &str) -> Option<&Element<'a>> {
        let mut next = Some(class);
        while let Some(class) = next {
            let class = &self.classes[class];
            if let Some(element) = class.set.get(tag).and_then(|set| set.get(key)) {
                return Some(element);
            }
            next = class.parent;
        }
        None
    }
}

/// An element together with what its class gives it.
#[derive(Clone)]
pub(super) struct Styled<'a> {
    pub(super) own: Element<'a>,
    /// The tag under which its defaults are written.
    tag: &'a str,
    class: Option<(Rc<Defaults<'a>>, usize)>,
}

impl<'a> Styled<'a> {
    /// With its own `class`, or that of the surrounding `childclass`, or `main`.
    pub(super) fn new(
        own: Element<'a>,
        tag: &'a str,
        childclass: Option<&str>,
        defaults: &Rc<Defaults<'a>>,
    ) -> Result<Self, FormatError> {
        let class = match own.attribute("class").or(childclass) {
            Some(name) => defaults.find(&own, name)?,
            None => 0,
        };
        Ok(Styled { own, tag, class: Some((defaults.clone(), class)) })
    }

    /// For elements to which defaults don't apply.
    pub(super) fn plain(own: Element<'a>) -> Self {
        Styled { tag: own.tag(), own, class: None }
    }

    /// The element that carries an attribute: this one, or the one of its class that sets it.
    pub(super) fn source(&self, key: &str) -> &Element<'a> {
        if self.own.attribute(key).is_some() {
            return &self.own;
        }
        let inherited =
            self.class.as_ref().and_then(|(defaults, class)| defaults.setter(*class, self.tag, key));
        inherited.unwrap_or(&self.own)
    }

    pub(super) fn attribute(&self, key: &str) -> Option<&'a str> {
        self.source(key).attribute(key)
    }
}
