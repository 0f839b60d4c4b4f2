//! `[[loop]]` and `[[coupling]]`.

use steiner_robot::{CouplingDescription, LoopDescription, LoopKind, LoopSide};
use steiner_scalar::Exact;
use toml_edit::Value;

use super::{LOOP_KINDS, Reader, Section, WORLD};
use crate::error::FormatError;

impl Reader<'_> {
    pub(super) fn closure(
        &mut self,
        section: &Section<'_>,
        number: usize,
    ) -> Result<LoopDescription, FormatError> {
        let (table, line) = (section.table, section.line);
        let name = match table.get("name") {
            Some(item) => self.string(item, &format!("loop {number}"), line)?,
            None => format!("loop{number}"),
        };
        let element = format!("loop `{name}`");
        let section = Section { table, element: element.clone(), line };
        self.known_keys(&section, &["name", "joint", "predecessor", "successor", "axis", "axis2"])?;
        let missing =
            |this: &Self, key: &str| this.wrong(line, &element, format!("`{key}` is missing"), "add it");
        let mut side = |key: &str| -> Result<LoopSide, FormatError> {
            let item = table.get(key).ok_or_else(|| missing(self, key))?;
            let element = format!("{element}, {key}");
            let inner = self.section(item, &element, line)?;
            self.known_keys(&inner, &["body", "xyz", "rpy", "rotation"])?;
            let body = inner.table.get("body");
            let body =
                body.ok_or_else(|| self.wrong(inner.line, &element, "`body` is missing", "name the body"))?;
            let body = self.string(body, &element, inner.line)?;
            Ok(LoopSide { link: (body != WORLD).then_some(body), frame: self.frame(&inner)? })
        };
        let (predecessor, successor) = (side("predecessor")?, side("successor")?);
        let axis = match table.get("axis") {
            Some(item) => self.vector(item, &format!("{element}, axis"), line)?,
            None => [Exact::zero(), Exact::zero(), Exact::one()],
        };
        let kind_item = table.get("joint").ok_or_else(|| missing(self, "joint"))?;
        let word = self.string(kind_item, &format!("{element}, joint"), line)?;
        let kind = match (word.as_str(), table.get("axis2")) {
            ("universal", Some(item)) => {
                LoopKind::Universal { axis2: self.vector(item, &format!("{element}, axis2"), line)? }
            }
            ("universal", None) => return Err(missing(self, "axis2")),
            (_, Some(item)) => {
                return Err(self.wrong(
                    self.line(item, line),
                    &element,
                    "`axis2` belongs to a universal joint",
                    "remove it",
                ));
            }
            ("revolute", _) => LoopKind::Revolute,
            ("prismatic", _) => LoopKind::Prismatic,
            ("cylindrical", _) => LoopKind::Cylindrical,
            ("spherical", _) => LoopKind::Spherical,
            ("planar", _) => LoopKind::Planar,
            ("fixed", _) => LoopKind::Fixed,
            _ => {
                return Err(FormatError::UnknownJointKind {
                    place: self.at(self.line(kind_item, line)),
                    element,
                    kind: word,
                    known: LOOP_KINDS.to_owned(),
                });
            }
        };
        Ok(LoopDescription { name, kind, predecessor, successor, axis, place: self.at(line) })
    }

    pub(super) fn coupling(
        &mut self,
        section: &Section<'_>,
        number: usize,
    ) -> Result<CouplingDescription, FormatError> {
        let (table, line) = (section.table, section.line);
        let element = format!("coupling {number}");
        let section = Section { table, element: element.clone(), line };
        self.known_keys(&section, &["name", "coordinate", "terms", "offset"])?;
        let missing = |key: &str| self.wrong(line, &element, format!("`{key}` is missing"), "add it");
        let coordinate =
            self.string(table.get("coordinate").ok_or_else(|| missing("coordinate"))?, &element, line)?;
        let terms_item = table.get("terms").ok_or_else(|| missing("terms"))?;
        let terms_line = self.line(terms_item, line);
        let wrong = || {
            self.wrong(
                terms_line,
                &element,
                "terms are pairs of a coordinate and a factor",
                "write [[\"link1\", 9.0]]",
            )
        };
        let mut terms = Vec::new();
        for pair in terms_item.as_array().ok_or_else(wrong)?.iter() {
            let pair = pair.as_array().filter(|pair| pair.len() == 2).ok_or_else(wrong)?;
            let (name, factor) = (pair.get(0).and_then(Value::as_str), pair.get(1));
            let (name, factor) = (name.ok_or_else(wrong)?, factor.ok_or_else(wrong)?);
            terms.push((name.to_owned(), self.number(factor, &element, terms_line)?));
        }
        let offset = match table.get("offset") {
            Some(item) => self.number_item(item, &format!("{element}, offset"), line)?,
            None => Exact::zero(),
        };
        let name = match table.get("name") {
            Some(item) => self.string(item, &element, line)?,
            None => coordinate.clone(),
        };
        Ok(CouplingDescription { name, coordinate, terms, offset, is_mimic: false, place: self.at(line) })
    }
}
