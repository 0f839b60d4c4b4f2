//! Models as files: text, one thing per line, every number with all its digits.
//!
//! ```text
//! steiner-psdm 1
//! robot two_link
//! gravity 9.81
//! joint revolute link1
//! joint revolute link2
//! label link1.m                     all inertial parameters, ten for each body, then `joint.Ia` of the drives
//! …
//! parameter 12.5                    a base parameter with its nominal value
//! term 1 link1.Izz                  … as a sum of inertial parameters
//! term 1.44 link2.m
//! …
//! a1 c2 : 1 4 2.4 : 2 4 1.2 3 -1    a function, then for each joint whose force has it: joint, (parameter, value) …
//! …
//! end
//! ```
//!
//! Functions are products of `a1` (q̈₁), `v1` (q̇₁) or `g` with `s1`, `c1` (sine and cosine of a revolute
//! q₁) and `x1` (a prismatic q₁), repeated for squares. Joints and parameters count from 1. Functions
//! stand in the order of the model.

use std::fmt::Write;
use std::path::Path;
use steiner_robot::inertial_count;

use steiner_files::write_atomically;

use super::chain::MOST_JOINTS;
use super::function::Function;
use super::model::{ModelJoint, ModelParameter, Psdm, ReductionMatrix};
use super::monomial::JointMotion;
use crate::error::ModelError;

const HEADER: &str = "steiner-psdm 1";
/// Letters of the generators of (49), block by block.
const GENERATORS: [char; 5] = ['x', 's', 'c', 'v', 'a'];

impl Psdm {
    /// Writes the model to a file: all of it or, on failure, nothing.
    pub fn save(&self, path: &Path) -> Result<(), ModelError> {
        write_atomically(path, self.to_text()).map_err(|error| ModelError::access(path, &error))
    }

    /// Reads a model from a file that [`Psdm::save`] wrote.
    pub fn load(path: &Path) -> Result<Self, ModelError> {
        Self::from_text(&std::fs::read_to_string(path).map_err(|error| ModelError::access(path, &error))?)
    }

    /// The model as text.
    pub fn to_text(&self) -> String {
        let mut out = format!("{HEADER}\nrobot {}\ngravity {}\n", escaped(&self.robot), self.gravity);
        let motions = self.motions();
        // Writing to a string cannot fail.
        for joint in &self.joints {
            let _ = writeln!(out, "joint {} {}", joint.motion.name(), escaped(&joint.name));
        }
        for label in &self.labels {
            let _ = writeln!(out, "label {}", escaped(label));
        }
        for parameter in &self.parameters {
            let _ = writeln!(out, "parameter {}", parameter.value);
            for &(label, factor) in &parameter.terms {
                let _ = writeln!(out, "term {factor} {}", escaped(&self.labels[label]));
            }
        }
        for (index, function) in self.functions.iter().enumerate() {
            out.push_str(&symbols(function, &motions));
            for (joint, reduction) in self.reductions.iter().enumerate() {
                let mut row = reduction.row(index).peekable();
                if row.peek().is_some() {
                    let _ = write!(out, " : {}", joint + 1);
                    for (k, x) in row {
                        let _ = write!(out, " {} {x}", k + 1);
                    }
                }
            }
            out.push('\n');
        }
        out + "end\n"
    }

    /// The model that a text describes.
    pub fn from_text(text: &str) -> Result<Self, ModelError> {
        let mut reader = Reader { model: empty(), rows: Vec::new(), ended: false };
        let mut last = 0;
        for (line, content) in text.lines().enumerate() {
            last = line + 1;
            let result = match line {
                0 if content == HEADER => Ok(()),
                0 => Err(format!("it starts with `{}`, not `{HEADER}`", shortened(content))),
                _ => reader.read(content),
            };
            result.map_err(|reason| ModelError::File { line: last, reason })?;
        }
        reader.finish().map_err(|reason| ModelError::File { line: last, reason })
    }
}

fn empty() -> Psdm {
    Psdm {
        robot: String::new(),
        joints: Vec::new(),
        gravity: 0.0,
        labels: Vec::new(),
        parameters: Vec::new(),
        functions: Vec::new(),
        reductions: Vec::new(),
    }
}

/// Names stand last on their line; only what would end it needs escaping.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// The start of what may be a very long line.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// `a1 c2 c2` for q̈₁ c₂².
fn symbols(function: &Function, motions: &[JointMotion]) -> String {
    let n = motions.len();
    let exponents = function.exponents(motions);
    let mut symbols = Vec::new();
    for (block, letter) in GENERATORS.into_iter().enumerate().rev() {
        for joint in 0..n {
            let exponent = exponents[block * n + joint] as usize;
            symbols.extend(std::iter::repeat_n(format!("{letter}{}", joint + 1), exponent));
        }
    }
    if exponents[3 * n..].iter().all(|e| *e == 0) {
        symbols.insert(0, "g".to_owned());
    }
    symbols.join(" ")
}

/// What has been read so far.
struct Reader {
    model: Psdm,
    /// The rows of the current function, one per joint.
    rows: Vec<Vec<(usize, f64)>>,
    ended: bool,
}

type Read<T> = Result<T, String>;

impl Reader {
    fn read(&mut self, line: &str) -> Read<()> {
        if self.ended {
            return Err("there is more after `end`".to_owned());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let model = &mut self.model;
        match word {
            "end" if rest.is_empty() => self.ended = true,
            "robot" => model.robot = unescaped(rest),
            "gravity" => model.gravity = number(rest)?,
            "joint" => {
                let (motion, name) = rest.split_once(' ').unwrap_or((rest, ""));
                let motion = [JointMotion::Revolute, JointMotion::Prismatic]
                    .into_iter()
                    .find(|known| known.name() == motion)
                    .ok_or_else(|| format!("`{}` is no kind of joint", shortened(motion)))?;
                if model.joints.len() == MOST_JOINTS || !model.functions.is_empty() {
                    return Err(format!(
                        "there are more than {MOST_JOINTS} joints, or one after the functions"
                    ));
                }
                model.joints.push(ModelJoint { name: unescaped(name), motion });
                model.reductions.push(ReductionMatrix::empty());
                self.rows.push(Vec::new());
            }
            "label" => model.labels.push(unescaped(rest)),
            "parameter" => {
                if model.parameters.len() == model.labels.len() {
                    return Err("there are more base parameters than parameters".to_owned());
                }
                let value = number(rest)?;
                model.parameters.push(ModelParameter { label: String::new(), terms: Vec::new(), value });
            }
            "term" => {
                let (factor, label) = rest.split_once(' ').unwrap_or((rest, ""));
                let label = unescaped(label);
                let index = model.labels.iter().position(|other| *other == label);
                let index = index.ok_or_else(|| format!("there is no label `{}`", shortened(&label)))?;
                let base = model.parameters.last_mut().ok_or("a term comes before any parameter")?;
                if base.terms.is_empty() {
                    base.label = label;
                }
                base.terms.push((index, number(factor)?));
            }
            _ => self.function(line)?,
        }
        Ok(())
    }

    fn function(&mut self, line: &str) -> Read<()> {
        let mut parts = line.split(" : ");
        let function = self.function_of(parts.next().unwrap_or_default())?;
        let model = &mut self.model;
        if model.functions.last().is_some_and(|before| *before >= function) {
            return Err("the functions are not in ascending order".to_owned());
        }
        for part in parts {
            let mut words = part.split(' ');
            let joint = index(words.next().unwrap_or_default(), self.rows.len(), "joint")?;
            while let Some(parameter) = words.next() {
                let parameter = index(parameter, model.parameters.len(), "base parameter")?;
                self.rows[joint].push((parameter, number(words.next().unwrap_or_default())?));
            }
        }
        model.functions.push(function);
        for (reduction, row) in model.reductions.iter_mut().zip(&mut self.rows) {
            reduction.push(row.drain(..));
        }
        Ok(())
    }

    fn function_of(&self, symbols: &str) -> Read<Function> {
        let motions = self.model.motions();
        let n = motions.len();
        let unknown = || format!("`{}` is neither a keyword nor a function of the model", shortened(symbols));
        let mut exponents = vec![0u8; 5 * n];
        let mut gravity = false;
        for symbol in symbols.split(' ') {
            if symbol == "g" && !gravity {
                gravity = true;
                continue;
            }
            let letter = symbol.chars().next().ok_or_else(unknown)?;
            let block = GENERATORS.iter().position(|g| *g == letter).ok_or_else(unknown)?;
            let joint = index(&symbol[letter.len_utf8()..], n, "joint").map_err(|_| unknown())?;
            exponents[block * n + joint] = exponents[block * n + joint].saturating_add(1);
        }
        if gravity != exponents[3 * n..].iter().all(|e| *e == 0) {
            return Err(unknown());
        }
        Function::from_exponents(&exponents, &motions).ok_or_else(unknown)
    }

    fn finish(self) -> Read<Psdm> {
        let model = self.model;
        let (n, labels) = (model.joints.len(), model.labels.len());
        if !self.ended {
            return Err("it has no `end`".to_owned());
        }
        if n == 0 || (labels != inertial_count(n) && labels != 11 * n) {
            return Err(format!("{labels} labels don't fit {n} joints"));
        }
        match model.parameters.iter().position(|parameter| parameter.terms.is_empty()) {
            Some(k) => Err(format!("base parameter {} is the sum of nothing", k + 1)),
            None => Ok(model),
        }
    }
}

fn number(text: &str) -> Read<f64> {
    let value = text.parse::<f64>().ok().filter(|x| x.is_finite());
    value.ok_or_else(|| format!("`{}` is no finite number", shortened(text)))
}

/// A number from 1 to `count`, as an index.
fn index(text: &str, count: usize, what: &str) -> Read<usize> {
    let value = text.parse::<usize>().ok().filter(|k| (1..=count).contains(k));
    value.map(|k| k - 1).ok_or_else(|| format!("`{}` is no {what} from 1 to {count}", shortened(text)))
}
