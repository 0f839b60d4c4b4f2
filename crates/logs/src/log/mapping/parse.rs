//! The text of a mapping file.

use std::path::Path;

use steiner_files::did_you_mean;
use steiner_linalg::elimination::Matrix;
use toml_edit::{Item, TableLike, Value};

use super::columns::{ColumnRule, From, Scaling};
use super::reduction::Reduction;
use super::toml_values::{Parser, line_of};
use super::units::{Family, Need};
use super::wrench::{WrenchRule, rotation};
use super::{FileRule, Mapping};
use crate::channels::AT_BASE;
use crate::error::LogError;

const COLUMN_KEYS: [&str; 11] = [
    "from",
    "file",
    "unit",
    "scale",
    "sign",
    "offset",
    "zero",
    "counts_per_revolution",
    "gain",
    "gear",
    "optional",
];

pub(crate) fn parse(text: &str, file: &str, folder: &Path) -> Result<Mapping, LogError> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|error| LogError::Mapping {
        place: format!("{file}:{}", error.span().map_or(1, |span| line_of(text, span.start))),
        key: "file".to_owned(),
        problem: error.message().lines().next().unwrap_or("it is not TOML").to_owned(),
        remedy: "repair the TOML there".to_owned(),
    })?;
    let parser = Parser { text, file };
    let root = document.as_table();
    parser.known_keys(root, "the file", &["rate", "file", "columns", "reduction", "wrench"])?;
    let mut mapping = Mapping {
        source: file.to_owned(),
        folder: folder.to_owned(),
        rate: root.get("rate").map(|item| parser.number(item, "rate")).transpose()?,
        files: Vec::new(),
        columns: Vec::new(),
        reductions: Vec::new(),
        wrenches: Vec::new(),
    };
    if let (Some(rate), Some(item)) = (mapping.rate, root.get("rate"))
        && !(rate.is_finite() && rate > 0.0)
    {
        return Err(parser.wrong(item, "rate", format!("{rate} Hz is no rate"), "give samples per second"));
    }
    for (k, table) in parser.tables(root.get("file"), "file")?.into_iter().enumerate() {
        let rule = parser.file(table, k)?;
        if mapping.files.iter().any(|other| other.name == rule.name) {
            let key = format!("file `{}`", rule.name);
            return Err(mapping.wrong(
                rule.line,
                &key,
                "the name is used twice",
                "give each file its own name",
            ));
        }
        mapping.files.push(rule);
    }
    let columns = root.get("columns").and_then(Item::as_table_like).ok_or_else(|| LogError::Mapping {
        place: file.to_owned(),
        key: "[columns]".to_owned(),
        problem: "it is missing".to_owned(),
        remedy: "say where the columns come from, as in q_joint1 = { from = \"Joint_1\", unit = \"deg\" }"
            .to_owned(),
    })?;
    let names: Vec<String> = mapping.files.iter().map(|file| file.name.clone()).collect();
    for (name, item) in columns.iter() {
        mapping.columns.push(parser.column(name, item, &names)?);
    }
    for table in parser.tables(root.get("reduction"), "reduction")? {
        mapping.reductions.push(parser.reduction(table)?);
    }
    for table in parser.tables(root.get("wrench"), "wrench")? {
        mapping.wrenches.push(parser.wrench(table)?);
    }
    let clock = mapping.columns.iter().find(|rule| rule.name == "t");
    if let (Some(rule), Some(_)) = (clock, mapping.rate) {
        return Err(mapping.wrong(rule.line, "t", "both `t` and `rate` are given", "keep one of them"));
    }
    if let Some(rule) = clock.filter(|rule| rule.file != 0) {
        return Err(mapping.wrong(
            rule.line,
            "t",
            "the clock is not in the first file",
            "put its file first; clocks of other files are given by `time` in their [[file]]",
        ));
    }
    Ok(mapping)
}

impl Parser<'_> {
    fn file(&self, (table, line): (&dyn TableLike, u32), index: usize) -> Result<FileRule, LogError> {
        self.known_keys(table, "[[file]]", &["name", "path", "header", "topics", "time"])?;
        let path = table.get("path").ok_or_else(|| {
            self.at(line, "[[file]]", "`path` is missing", "give the file, relative to the mapping file")
        })?;
        let path = self.string(path, "path")?;
        let stem = Path::new(&path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let header = match table.get("header") {
            None => true,
            Some(item) => item.as_bool().ok_or_else(|| {
                self.wrong(
                    item,
                    "header",
                    "neither true nor false",
                    "write header = false for files without names",
                )
            })?,
        };
        let time = table.get("time").map(|item| self.column("t", item, &[])).transpose()?;
        Ok(FileRule {
            name: match table.get("name") {
                Some(item) => self.string(item, "name")?,
                None => stem.unwrap_or_default(),
            },
            path: path.into(),
            no_header: !header,
            topics: table
                .get("topics")
                .map(|item| self.strings(item, "topics"))
                .transpose()?
                .unwrap_or_default(),
            time: time.map(|rule| ColumnRule { file: index, ..rule }),
            line,
        })
    }

    fn column(&self, name: &str, item: &Item, files: &[String]) -> Result<ColumnRule, LogError> {
        let key = format!("columns.{name}");
        let line = self.line(item);
        let wrong = |problem: String, remedy: String| self.at(line, &key, problem, remedy);
        let family = Family::of(name).ok_or_else(|| {
            wrong(
                "no log has such a column".to_owned(),
                "call it t, q_<joint>, qd_<joint>, qdd_<joint>, tau_<joint> or wrench_<contact>_{fx,fy,fz,tx,ty,tz,px,py,pz}"
                    .to_owned(),
            )
        })?;
        let table = item.as_table_like().ok_or_else(|| {
            wrong(
                "a table is expected".to_owned(),
                "write { from = \"name in the file\", unit = \"deg\" }".to_owned(),
            )
        })?;
        self.known_keys(table, &key, &COLUMN_KEYS)?;
        let from = match table.get("from").and_then(Item::as_value) {
            Some(Value::String(text)) => From::Name(text.value().clone()),
            Some(Value::Integer(index)) if *index.value() >= 0 => From::Index(*index.value() as usize),
            _ => {
                let remedy = "give the column's name in the file, or its place counted from 0";
                return Err(wrong("`from` is missing".to_owned(), remedy.to_owned()));
            }
        };
        let starred = [name, if let From::Name(from) = &from { from } else { "" }]
            .map(|text| text.matches('*').count());
        if !matches!(starred, [0, 0] | [1, 1]) {
            let remedy = "put one * in both, for what they have in common".to_owned();
            return Err(wrong("the name and `from` don't have one * each".to_owned(), remedy));
        }
        let file = match (table.get("file"), files) {
            (None, [] | [_]) => 0,
            (None, _) => {
                return Err(wrong(
                    "`file` is missing".to_owned(),
                    format!("name one of {}", files.join(", ")),
                ));
            }
            (Some(item), _) => {
                let wanted = self.string(item, &key)?;
                files.iter().position(|file| *file == wanted).ok_or_else(|| {
                    let hint = did_you_mean(&wanted, files.iter().map(String::as_str));
                    wrong(
                        format!("there is no [[file]] `{wanted}`{hint}"),
                        "use the name of a [[file]]".to_owned(),
                    )
                })?
            }
        };
        let scaling = self.scaling(table, &key, family, line)?;
        let optional = match table.get("optional") {
            None => false,
            Some(item) => item.as_bool().ok_or_else(|| {
                wrong(
                    "`optional` is neither true nor false".to_owned(),
                    "write optional = true where files may be without it".to_owned(),
                )
            })?,
        };
        Ok(ColumnRule { name: name.to_owned(), family, file, from, scaling, optional, line })
    }

    fn scaling(
        &self,
        table: &dyn TableLike,
        key: &str,
        family: Family,
        line: u32,
    ) -> Result<Scaling, LogError> {
        let get =
            |name: &str| table.get(name).map(|item| self.number(item, &format!("{key}.{name}"))).transpose();
        let not_zero = |name: &str| -> Result<Option<f64>, LogError> {
            match get(name)? {
                Some(0.0) => Err(self.at(
                    line,
                    &format!("{key}.{name}"),
                    "it is zero",
                    "give what one unit stands for",
                )),
                other => Ok(other),
            }
        };
        let mut factor = not_zero("scale")?.unwrap_or(1.0);
        let sign = get("sign")?.unwrap_or(1.0);
        if sign.abs() != 1.0 {
            return Err(self.at(line, &format!("{key}.sign"), format!("{sign} is no sign"), "write 1 or -1"));
        }
        factor *= sign;
        let (counts, gain) = (not_zero("counts_per_revolution")?, not_zero("gain")?);
        let mut need = Need::Nothing;
        if let Some(item) = table.get("unit") {
            let unit = self.string(item, &format!("{key}.unit"))?;
            let (unit_factor, needs) = family.factor(&unit).ok_or_else(|| {
                let remedy = format!("use one of {}, or `scale`", family.units());
                self.wrong(item, key, format!("`{unit}` is no unit of such a column"), remedy)
            })?;
            factor *= unit_factor;
            need = needs;
        }
        match (need, counts, gain) {
            (Need::CountsPerRevolution, Some(counts), None) => factor /= counts,
            (Need::Gain, None, Some(gain)) => factor *= gain,
            (Need::Nothing, None, None) => {}
            (Need::CountsPerRevolution, None, _) => {
                let remedy = "give how many counts one revolution has";
                return Err(self.at(line, key, "`counts_per_revolution` is missing", remedy));
            }
            (Need::Gain, _, None) => {
                return Err(self.at(
                    line,
                    key,
                    "`gain` is missing",
                    "give the torque constant, N·m per A; where nobody knows it, 1 and an unknown gain",
                ));
            }
            (_, Some(_), _) => {
                return Err(self.at(
                    line,
                    key,
                    "`counts_per_revolution` without counts",
                    "write unit = \"counts\"",
                ));
            }
            (_, _, Some(_)) => {
                return Err(self.at(line, key, "`gain` without amperes", "write unit = \"A\""));
            }
        }
        if let Some(ratio) = not_zero("gear")? {
            factor *= family
                .through_gear(ratio)
                .ok_or_else(|| self.at(line, key, "`gear` has no meaning for such a column", "remove it"))?;
        }
        Ok(Scaling { factor, zero: get("zero")?.unwrap_or(0.0), offset: get("offset")?.unwrap_or(0.0) })
    }

    fn wrench(&self, (table, line): (&dyn TableLike, u32)) -> Result<WrenchRule, LogError> {
        let key = "[[wrench]]";
        self.known_keys(table, key, &["sensor", "link", "axes", "xyz", "rpy", "sign"])?;
        let text = |name: &str| {
            let item = table.get(name);
            let item = item.ok_or_else(|| self.at(line, key, format!("`{name}` is missing"), "add it"))?;
            self.string(item, &format!("wrench.{name}"))
        };
        let triple = |name: &str| -> Result<[f64; 3], LogError> {
            let Some(item) = table.get(name) else { return Ok([0.0; 3]) };
            let numbers = self.numbers(item, &format!("wrench.{name}"))?;
            <[f64; 3]>::try_from(numbers).map_err(|numbers| {
                let problem = format!("it has {} numbers", numbers.len());
                self.wrong(item, &format!("wrench.{name}"), problem, "give three")
            })
        };
        let (sensor, link) = (text("sensor")?, text("link")?);
        let axes = if table.get("axes").is_some() { text("axes")? } else { "link".to_owned() };
        let place = match axes.as_str() {
            "base" if link != "base" => format!("{link}{AT_BASE}"),
            "base" | "link" => link,
            _ => {
                let remedy = "write \"base\" for a sensor that stands still, \"link\" for one that moves with the link";
                return Err(self.at(line, "wrench.axes", format!("`{axes}` is no frame"), remedy));
            }
        };
        let sign = table.get("sign").map(|item| self.number(item, "wrench.sign")).transpose()?.unwrap_or(1.0);
        if sign.abs() != 1.0 {
            return Err(self.at(line, "wrench.sign", format!("{sign} is no sign"), "write 1 or -1"));
        }
        let (origin, rotation) = (triple("xyz")?, rotation(triple("rpy")?));
        Ok(WrenchRule { sensor, place, rotation, origin, sign, line })
    }

    fn reduction(&self, (table, line): (&dyn TableLike, u32)) -> Result<Reduction, LogError> {
        let key = "[[reduction]]";
        self.known_keys(table, key, &["joints", "motors", "matrix", "offset"])?;
        let need = |name: &str| {
            table.get(name).ok_or_else(|| self.at(line, key, format!("`{name}` is missing"), "add it"))
        };
        let joints = self.strings(need("joints")?, "reduction.joints")?;
        let motors = self.strings(need("motors")?, "reduction.motors")?;
        let item = need("matrix")?;
        let square = format!("give {0} rows of {0} numbers: motor turns per joint turn", joints.len());
        let wrong = || {
            self.wrong(item, "reduction.matrix", "it is not square, or not of the joints' number", &square)
        };
        let rows = item.as_array().ok_or_else(wrong)?;
        let rows: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| self.numbers(&Item::Value(row.clone()), "reduction.matrix"))
            .collect::<Result<_, _>>()?;
        let size = joints.len();
        if size == 0 || motors.len() != size || rows.len() != size || rows.iter().any(|row| row.len() != size)
        {
            return Err(wrong());
        }
        let offset = match table.get("offset") {
            Some(item) => self.numbers(item, "reduction.offset")?,
            None => vec![0.0; size],
        };
        if offset.len() != size {
            let problem = format!("{} numbers for {size} joints", offset.len());
            return Err(self.at(line, "reduction.offset", problem, "give one per joint"));
        }
        let matrix = Matrix::from_fn(size, size, |r, c| rows[r][c]);
        Reduction::new(joints, motors, &matrix, offset, line).ok_or_else(|| {
            self.wrong(
                item,
                "reduction.matrix",
                "it is singular",
                "motors and joints must determine each other",
            )
        })
    }
}
