//! The native mechanism file (TOML). Any number may be an expression; unknown keys are errors.

mod body;
mod frames;
mod friction;
mod loops;
mod numbers;

use steiner_files::{Place, did_you_mean};
use steiner_robot::{Constant, ConstantKind, Description, GuessEntry, RobotError, SiblingOrder};
use steiner_scalar::Exact;
use toml_edit::{Item, TableLike, Value};

use crate::error::FormatError;
use crate::read::ReadOptions;
use crate::snap::Snapper;
use crate::xml::LineIndex;

/// The name of the fixed world.
pub(crate) const WORLD: &str = "base";

const JOINT_KINDS: &str =
    "revolute, continuous, prismatic, helical, cylindrical, universal, spherical, planar, floating, fixed";
const LOOP_KINDS: &str = "revolute, prismatic, cylindrical, universal, spherical, planar, fixed";

/// Expressions that take longer than this to evaluate are refused.
pub(crate) const HEAVIEST_EXPRESSION: u64 = 20_000;

/// Reads a native mechanism file.
pub(crate) fn parse(text: &str, place: Place, options: &ReadOptions) -> Result<Description, FormatError> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|error| {
        let line = error.span().map(|span| LineIndex::new(text).line(span.start));
        FormatError::Syntax {
            place: Place { file: place.file.clone(), line },
            reason: error.message().lines().next().unwrap_or("not TOML").to_owned(),
        }
    })?;
    let lines = LineIndex::new(text);
    let mut reader =
        Reader { text, lines, place, constants: Vec::new(), snapper: Snapper::new(options.snap) };
    let mut description = reader.document(document.as_table())?;
    description.snapped = reader.snapper.snapped;
    description.constants = reader.constants;
    Ok(description)
}

struct Reader<'a> {
    text: &'a str,
    lines: LineIndex,
    place: Place,
    constants: Vec<Constant>,
    snapper: Snapper,
}

/// A table with the name errors call it by.
struct Section<'a> {
    table: &'a dyn TableLike,
    element: String,
    line: u32,
}

impl Reader<'_> {
    fn at(&self, line: u32) -> Place {
        self.place.at_line(line)
    }

    fn line(&self, item: &Item, fallback: u32) -> u32 {
        item.span().map_or(fallback, |span| self.lines.line(span.start))
    }

    fn wrong(&self, line: u32, element: &str, problem: impl Into<String>, remedy: &str) -> FormatError {
        RobotError::Element {
            place: self.at(line),
            element: element.to_owned(),
            problem: problem.into(),
            remedy: remedy.to_owned(),
        }
        .into()
    }

    fn section<'t>(&self, item: &'t Item, element: &str, line: u32) -> Result<Section<'t>, FormatError> {
        let line = self.line(item, line);
        match item.as_table_like() {
            Some(table) => Ok(Section { table, element: element.to_owned(), line }),
            None => Err(self.wrong(line, element, "a table is expected here", "write key = value pairs")),
        }
    }

    fn known_keys(&self, section: &Section<'_>, known: &[&str]) -> Result<(), FormatError> {
        for (key, item) in section.table.iter() {
            if !known.contains(&key) {
                let key_line = section
                    .table
                    .key(key)
                    .and_then(|key| key.span())
                    .map_or(self.line(item, section.line), |span| self.lines.line(span.start));
                let hint = did_you_mean(key, known.iter().copied());
                return Err(self.wrong(
                    key_line,
                    &section.element,
                    format!("unknown key `{key}`{hint}"),
                    &format!("use one of {}", known.join(", ")),
                ));
            }
        }
        Ok(())
    }

    fn document(&mut self, table: &toml_edit::Table) -> Result<Description, FormatError> {
        let root = Section { table, element: "file".to_owned(), line: 1 };
        self.known_keys(
            &root,
            &[
                "name",
                "gravity",
                "independent",
                "dependent",
                "planar",
                "lengths",
                "angles",
                "body",
                "loop",
                "coupling",
                "guess",
            ],
        )?;
        for (key, kind) in [("lengths", ConstantKind::Length), ("angles", ConstantKind::Angle)] {
            if let Some(item) = table.get(key) {
                self.constants(item, key, kind)?;
            }
        }
        let file_stem = |file: &str| {
            std::path::Path::new(file)
                .file_stem()
                .map_or(file.to_owned(), |s| s.to_string_lossy().into_owned())
        };
        let mut description = Description {
            name: match table.get("name") {
                Some(item) => self.string(item, "name", 1)?,
                None => file_stem(&self.place.file),
            },
            place: self.place.clone(),
            gravity: table.get("gravity").map(|item| self.vector(item, "gravity", 1)).transpose()?,
            order: SiblingOrder::AsWritten,
            ..Description::default()
        };
        if let Some(item) = table.get("planar") {
            let line = self.line(item, 1);
            description.planar = item
                .as_bool()
                .ok_or_else(|| self.wrong(line, "planar", "neither true nor false", "write planar = true"))?;
        }
        if let Some(item) = table.get("independent") {
            description.independent = Some(self.mentions(item, "independent")?);
        }
        if let Some(item) = table.get("dependent") {
            description.dependent = self.mentions(item, "dependent")?;
        }
        for (section, number) in self.sections(table.get("body"), "body")?.into_iter().zip(1..) {
            let (link, joint) = self.body(&section, number)?;
            description.links.push(link);
            description.joints.push(joint);
        }
        for (section, number) in self.sections(table.get("loop"), "loop")?.into_iter().zip(1..) {
            let closure = self.closure(&section, number)?;
            description.loops.push(closure);
        }
        for (section, number) in self.sections(table.get("coupling"), "coupling")?.into_iter().zip(1..) {
            let coupling = self.coupling(&section, number)?;
            description.couplings.push(coupling);
        }
        if let Some(item) = table.get("guess") {
            description.guess = self.guess(item)?;
        }
        Ok(description)
    }

    fn guess(&self, item: &Item) -> Result<Vec<GuessEntry>, FormatError> {
        let section = self.section(item, "guess", 1)?;
        let entry = |(key, item): (&str, &Item)| {
            let line = self.line(item, section.line);
            let element = format!("guess `{key}`");
            let values = match item.as_array() {
                Some(array) => {
                    array.iter().map(|value| self.number(value, &element, line)).collect::<Result<_, _>>()?
                }
                None => vec![self.number_item(item, &element, line)?],
            };
            Ok(GuessEntry { coordinate: key.to_owned(), values, place: self.at(line) })
        };
        section.table.iter().map(entry).collect()
    }

    /// The tables of `[[name]]`.
    fn sections<'t>(&self, item: Option<&'t Item>, name: &str) -> Result<Vec<Section<'t>>, FormatError> {
        let Some(item) = item else { return Ok(Vec::new()) };
        let wrong = || {
            self.wrong(self.line(item, 1), name, "a list of tables is expected", &format!("write [[{name}]]"))
        };
        match item {
            Item::ArrayOfTables(tables) => Ok(tables
                .iter()
                .map(|table| Section {
                    table: table as &dyn TableLike,
                    element: name.to_owned(),
                    line: table.span().map_or(1, |span| self.lines.line(span.start)),
                })
                .collect()),
            Item::Value(Value::Array(array)) => array
                .iter()
                .map(|value| {
                    let table = value.as_inline_table().ok_or_else(wrong)?;
                    let line = value.span().map_or(1, |span| self.lines.line(span.start));
                    Ok(Section { table: table as &dyn TableLike, element: name.to_owned(), line })
                })
                .collect(),
            _ => Err(wrong()),
        }
    }

    fn constants(&mut self, item: &Item, key: &str, kind: ConstantKind) -> Result<(), FormatError> {
        let section = self.section(item, key, 1)?;
        for (name, item) in section.table.iter() {
            let line = self.line(item, section.line);
            let element = format!("[{key}] {name}");
            let valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if name == "pi" || steiner_scalar::Function::NAMES.iter().any(|(known, _)| *known == name) {
                return Err(self.wrong(
                    line,
                    &element,
                    format!("`{name}` is reserved for expressions"),
                    "choose another name",
                ));
            }
            if !valid {
                return Err(self.wrong(
                    line,
                    &element,
                    "not a usable name",
                    "start with a letter, use letters, digits and _",
                ));
            }
            if self.constants.iter().any(|constant| constant.name == name) {
                return Err(self.wrong(
                    line,
                    &element,
                    "defined twice",
                    "keep it in one of [lengths] and [angles]",
                ));
            }
            let mut value = self.number_item(item, &element, line)?;
            if kind == ConstantKind::Angle {
                value = self.snapper.angle(value);
            }
            let symbol = Exact::symbol(name, value.clone());
            self.constants.push(Constant { name: name.to_owned(), kind, symbol, value });
        }
        Ok(())
    }
}
