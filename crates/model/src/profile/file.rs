//! Profiles in TOML: ranges for all joints, and those of single ones that differ.

use std::path::Path;

use steiner_files::did_you_mean;
use steiner_robot::{Body, Robot};
use steiner_scalar::Exact;
use toml_edit::{Document, Item, TableLike, Value};

use super::{MOST_SAMPLES, Profile, Range, SAMPLES, no_range, symmetric, travel};
use crate::error::ModelError;

/// Expressions that take longer than this to evaluate are refused.
const HEAVIEST_EXPRESSION: u64 = 20_000;
/// Larger files are no profiles.
const LARGEST_FILE: u64 = 1 << 20;

impl Profile {
    /// Reads a profile file; see [`Profile::parse`].
    pub fn read(path: &Path, robot: &Robot) -> Result<Self, ModelError> {
        let file = path.display().to_string();
        let access = |error: std::io::Error| ModelError::access(path, &error);
        let size = std::fs::metadata(path).map_err(access)?.len();
        if size > LARGEST_FILE {
            let reason = "more than 1 MB is no profile; recorded motions are .csv files".to_owned();
            return Err(ModelError::Access { path: file, reason, missing: false });
        }
        let text = std::fs::read_to_string(path).map_err(access)?;
        Self::parse(&text, &file, robot)
    }

    /// Reads the text of a profile: `samples`, `seed`, and `q`, `qd`, `qdd` for all joints, as `[from, to]`
    /// or as a number for both directions; tables `[joint.NAME]` with ranges of single joints. What is not
    /// there comes from the robot's limits.
    pub fn parse(text: &str, file: &str, robot: &Robot) -> Result<Self, ModelError> {
        let reader = Reader { text, file };
        let document = Document::parse(text.to_owned()).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let reason = error.message().lines().next().unwrap_or("it is not TOML").to_owned();
            reader.wrong(start, &reason, "repair the file there")
        })?;
        let table = document.as_table();
        reader.known_keys(table, &["samples", "seed", "q", "qd", "qdd", "joint"])?;
        let common = reader.ranges(table)?;
        let mut own: Vec<[Option<Range>; 3]> = vec![common; robot.bodies.len()];
        if let Some(item) = table.get("joint") {
            let joints = reader.table(item, "`joint`")?;
            for (name, item) in joints.iter() {
                let names = || robot.bodies.iter().map(|body| body.joint.name.as_str());
                let Some(place) = names().position(|known| known == name) else {
                    let problem =
                        format!("{} has no joint `{name}`{}", robot.name, did_you_mean(name, names()));
                    let remedy = format!("its joints are {}", names().collect::<Vec<_>>().join(", "));
                    return Err(reader.wrong(reader.key(joints, name), &problem, &remedy));
                };
                let ranges = reader.table(item, &format!("joint `{name}`"))?;
                reader.known_keys(ranges, &["q", "qd", "qdd"])?;
                for (range, read) in own[place].iter_mut().zip(reader.ranges(ranges)?) {
                    *range = read.or(*range);
                }
            }
        }
        let joints = robot.bodies.iter().zip(own).map(|(body, own)| completed(robot, body, file, own));
        Ok(Profile {
            samples: reader.count(table, "samples", MOST_SAMPLES as u64)?.map_or(SAMPLES, |n| n as usize),
            seed: reader.count(table, "seed", i64::MAX as u64)?.unwrap_or(1),
            joints: joints.collect::<Result<_, _>>()?,
        })
    }
}

/// The ranges of a joint, those nobody gave from its limits.
fn completed(
    robot: &Robot,
    body: &Body,
    file: &str,
    [q, qd, qdd]: [Option<Range>; 3],
) -> Result<[Range; 3], ModelError> {
    let limits = &body.joint.limits;
    let missing = |moves, key| no_range(robot, body, file, moves, key);
    Ok([
        match q {
            Some(q) => q,
            None => travel(robot, body, file, true)?,
        },
        qd.or(limits.velocity.map(symmetric)).ok_or_else(|| missing("moves in a second", "qd"))?,
        qdd.or(limits.acceleration.map(symmetric)).ok_or_else(|| missing("speeds up in a second", "qdd"))?,
    ])
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
}

impl Reader<'_> {
    fn wrong(&self, start: usize, problem: &str, remedy: &str) -> ModelError {
        let line = 1 + self.text.bytes().take(start).filter(|byte| *byte == b'\n').count();
        let (file, problem, remedy) = (self.file.to_owned(), problem.to_owned(), remedy.to_owned());
        ModelError::Profile { file, line, problem, remedy }
    }

    /// A value as the file has it.
    fn written(&self, span: Option<std::ops::Range<usize>>) -> &str {
        span.and_then(|span| self.text.get(span)).unwrap_or("something else").trim()
    }

    /// Where a key stands.
    fn key(&self, table: &dyn TableLike, key: &str) -> usize {
        let span = table.get_key_value(key).and_then(|(key, item)| key.span().or(item.span()));
        span.map_or(0, |span| span.start)
    }

    fn known_keys(&self, table: &dyn TableLike, known: &[&str]) -> Result<(), ModelError> {
        match table.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let problem = format!("unknown key `{key}`{}", did_you_mean(key, known.iter().copied()));
                let remedy = format!("a profile has {} here", known.join(", "));
                Err(self.wrong(self.key(table, key), &problem, &remedy))
            }
        }
    }

    fn table<'t>(&self, item: &'t Item, what: &str) -> Result<&'t dyn TableLike, ModelError> {
        let start = item.span().map_or(0, |span| span.start);
        item.as_table_like().ok_or_else(|| {
            self.wrong(start, &format!("{what} is no table"), "write [joint.NAME] and its ranges below")
        })
    }

    fn ranges(&self, table: &dyn TableLike) -> Result<[Option<Range>; 3], ModelError> {
        let mut out = [None; 3];
        for (out, key) in out.iter_mut().zip(["q", "qd", "qdd"]) {
            if let Some(item) = table.get(key) {
                *out = Some(self.range(item, key, self.key(table, key))?);
            }
        }
        Ok(out)
    }

    fn range(&self, item: &Item, key: &str, start: usize) -> Result<Range, ModelError> {
        const REMEDY: &str = "write [from, to], or one number for both directions";
        let wrong = |problem: &str| self.wrong(start, &format!("`{key}` {problem}"), REMEDY);
        let (low, high) = match item.as_value() {
            Some(Value::Array(ends)) if ends.len() == 2 => {
                let mut ends = ends.iter().map(|end| self.number(end, key, start));
                match (ends.next(), ends.next()) {
                    (Some(low), Some(high)) => (low?, high?),
                    _ => return Err(wrong("has not two ends")),
                }
            }
            Some(Value::Array(ends)) => return Err(wrong(&format!("has {} numbers", ends.len()))),
            Some(value) => symmetric(self.number(value, key, start)?),
            None => return Err(wrong("is no range")),
        };
        if low > high {
            return Err(wrong(&format!("ends at {high} before it starts at {low}")));
        }
        Ok((low, high))
    }

    /// A finite number, or an expression such as "pi/2".
    fn number(&self, value: &Value, key: &str, start: usize) -> Result<f64, ModelError> {
        let number = match value {
            Value::Integer(n) => Some(*n.value() as f64),
            Value::Float(x) => Some(*x.value()),
            Value::String(text) => {
                let exact = Exact::parse(text.value()).ok().filter(|x| x.weight() <= HEAVIEST_EXPRESSION);
                exact.and_then(|exact| exact.to_f64().ok())
            }
            _ => None,
        };
        // Ranges are subtracted: half of the largest double is as far as they go.
        number.filter(|x| x.abs() < 1e150).ok_or_else(|| {
            let problem = format!("`{}` in `{key}` is not a number", self.written(value.span()));
            self.wrong(start, &problem, "write a decimal, or an expression in quotes as in \"pi/2\"")
        })
    }

    fn count(&self, table: &dyn TableLike, key: &str, most: u64) -> Result<Option<u64>, ModelError> {
        let Some(item) = table.get(key) else { return Ok(None) };
        let number = item.as_integer().and_then(|n| u64::try_from(n).ok());
        match number.filter(|n| *n <= most && (*n > 0 || key == "seed")) {
            Some(number) => Ok(Some(number)),
            None => {
                let problem = format!("`{key}` is {}", self.written(item.span()));
                let remedy = format!("give a whole number up to {most}");
                Err(self.wrong(self.key(table, key), &problem, &remedy))
            }
        }
    }
}
