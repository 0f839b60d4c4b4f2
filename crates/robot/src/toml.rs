//! The native mechanism file (TOML). Any number may be an expression; unknown keys are errors.

use steiner_scalar::Exact;
use toml_edit::{Item, TableLike, Value};

use crate::decimal::brief;
use crate::description::{
    Capsule, Constant, ConstantKind, CouplingDescription, Description, GuessEntry, Link, LoopDescription,
    LoopKind, LoopSide, Mention, SiblingOrder, TreeJoint,
};
use crate::error::{Place, RobotError, did_you_mean};
use crate::frame::{Frame, Orientation, no_displacement};
use crate::inertia::{CentredInertia, Inconsistency, PseudoInertia};
use crate::joint::{Friction, Joint, JointKind, Limits};
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
pub(crate) fn parse(text: &str, place: Place, options: &ReadOptions) -> Result<Description, RobotError> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|error| {
        let line = error.span().map(|span| LineIndex::new(text).line(span.start));
        RobotError::Syntax {
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

    fn wrong(&self, line: u32, element: &str, problem: impl Into<String>, remedy: &str) -> RobotError {
        RobotError::Element {
            place: self.at(line),
            element: element.to_owned(),
            problem: problem.into(),
            remedy: remedy.to_owned(),
        }
    }

    fn section<'t>(&self, item: &'t Item, element: &str, line: u32) -> Result<Section<'t>, RobotError> {
        let line = self.line(item, line);
        match item.as_table_like() {
            Some(table) => Ok(Section { table, element: element.to_owned(), line }),
            None => Err(self.wrong(line, element, "a table is expected here", "write key = value pairs")),
        }
    }

    fn known_keys(&self, section: &Section<'_>, known: &[&str]) -> Result<(), RobotError> {
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

    fn document(&mut self, table: &toml_edit::Table) -> Result<Description, RobotError> {
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
            let section = self.section(item, "guess", 1)?;
            for (key, item) in section.table.iter() {
                let line = self.line(item, section.line);
                let element = format!("guess `{key}`");
                let values = match item.as_array() {
                    Some(array) => array
                        .iter()
                        .map(|value| self.number(value, &element, line))
                        .collect::<Result<_, _>>()?,
                    None => vec![self.number_item(item, &element, line)?],
                };
                description.guess.push(GuessEntry {
                    coordinate: key.to_owned(),
                    values,
                    place: self.at(line),
                });
            }
        }
        Ok(description)
    }

    /// The tables of `[[name]]`.
    fn sections<'t>(&self, item: Option<&'t Item>, name: &str) -> Result<Vec<Section<'t>>, RobotError> {
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

    fn constants(&mut self, item: &Item, key: &str, kind: ConstantKind) -> Result<(), RobotError> {
        let section = self.section(item, key, 1)?;
        for (name, item) in section.table.iter() {
            let line = self.line(item, section.line);
            let element = format!("[{key}] {name}");
            let valid = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !valid
                || name == "pi"
                || steiner_scalar::Function::NAMES.iter().any(|(known, _)| *known == name)
            {
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

    fn string(&self, item: &Item, element: &str, line: u32) -> Result<String, RobotError> {
        let line = self.line(item, line);
        let text = item
            .as_str()
            .ok_or_else(|| self.wrong(line, element, "a text is expected", "put it in quotes"))?;
        if text.trim().is_empty() {
            return Err(self.wrong(line, element, "the text is empty", "give a name"));
        }
        Ok(text.to_owned())
    }

    fn number_item(&self, item: &Item, element: &str, line: u32) -> Result<Exact, RobotError> {
        let line = self.line(item, line);
        match item.as_value() {
            Some(value) => self.number(value, element, line),
            None => Err(self.wrong(
                line,
                element,
                "a number is expected",
                "write a decimal or an expression in quotes",
            )),
        }
    }

    fn number(&self, value: &Value, element: &str, line: u32) -> Result<Exact, RobotError> {
        let line = value.span().map_or(line, |span| self.lines.line(span.start));
        let refuse =
            |reason: String| RobotError::Number { place: self.at(line), element: element.to_owned(), reason };
        let exact = match value {
            Value::Integer(n) => Exact::integer(*n.value()),
            Value::Float(x) => {
                // The digits as written: a double would round the twentieth.
                let written = x.span().and_then(|span| self.text.get(span)).map(|s| s.replace('_', ""));
                let digits = written.unwrap_or_else(|| x.value().to_string());
                Exact::rational(
                    steiner_scalar::parse_decimal(&digits)
                        .map_err(|error| refuse(brief(&error.to_string())))?,
                )
            }
            Value::String(expression) => {
                let lookup = |name: &str| {
                    self.constants
                        .iter()
                        .find(|constant| constant.name == name)
                        .map(|constant| constant.symbol.clone())
                };
                Exact::parse_with(expression.value(), &lookup)
                    .map_err(|error| refuse(brief(&error.to_string())))?
            }
            _ => {
                return Err(self.wrong(
                    line,
                    element,
                    "a number is expected",
                    "write a decimal or an expression in quotes",
                ));
            }
        };
        if exact.weight() > HEAVIEST_EXPRESSION {
            return Err(refuse("the expression grows beyond any use; simplify it".to_owned()));
        }
        exact.to_f64().map_err(|error| refuse(brief(&error.to_string())))?;
        Ok(exact)
    }

    fn double(&self, item: &Item, element: &str, line: u32) -> Result<f64, RobotError> {
        let exact = self.number_item(item, element, line)?;
        exact.to_f64().map_err(|error| RobotError::Number {
            place: self.at(self.line(item, line)),
            element: element.to_owned(),
            reason: error.to_string(),
        })
    }

    fn numbers<const N: usize>(
        &self,
        item: &Item,
        element: &str,
        line: u32,
    ) -> Result<[Exact; N], RobotError> {
        let line = self.line(item, line);
        let example =
            if N == 6 { "write [Ixx, Ixy, Iyy, Ixz, Iyz, Izz]" } else { "write a list such as [0, 0, 1]" };
        let wrong = |problem: String| self.wrong(line, element, problem, example);
        let array = item.as_array().ok_or_else(|| wrong(format!("a list of {N} numbers is expected")))?;
        let numbers: Vec<Exact> =
            array.iter().map(|value| self.number(value, element, line)).collect::<Result<_, _>>()?;
        let found = numbers.len();
        numbers.try_into().map_err(|_| wrong(format!("{N} numbers are expected, {found} found")))
    }

    fn doubles<const N: usize>(&self, item: &Item, element: &str, line: u32) -> Result<[f64; N], RobotError> {
        let exact = self.numbers::<N>(item, element, line)?;
        Ok(exact.map(|x| x.to_f64().unwrap_or(f64::NAN)))
    }

    fn vector(&self, item: &Item, element: &str, line: u32) -> Result<[Exact; 3], RobotError> {
        self.numbers::<3>(item, element, line)
    }

    fn mentions(&self, item: &Item, key: &str) -> Result<Vec<Mention>, RobotError> {
        let line = self.line(item, 1);
        let wrong =
            || self.wrong(line, key, "a list of names is expected", &format!("write {key} = [\"joint1\"]"));
        let array = item.as_array().ok_or_else(wrong)?;
        array
            .iter()
            .map(|value| {
                let name = value.as_str().ok_or_else(wrong)?.to_owned();
                Ok(Mention { name, place: self.at(line) })
            })
            .collect()
    }

    /// `xyz` with `rpy` or `rotation`.
    fn frame(&mut self, section: &Section<'_>) -> Result<Frame, RobotError> {
        let Section { table, element, line } = section;
        let xyz = match table.get("xyz") {
            Some(item) => self.vector(item, &format!("{element}, xyz"), *line)?,
            None => no_displacement(),
        };
        let orientation = match (table.get("rpy"), table.get("rotation")) {
            (Some(_), Some(item)) => {
                return Err(self.wrong(
                    self.line(item, *line),
                    element,
                    "both rpy and rotation are given",
                    "keep one",
                ));
            }
            (Some(item), None) => {
                let angles = self.vector(item, &format!("{element}, rpy"), *line)?;
                self.snapper.roll_pitch_yaw(angles)
            }
            (None, Some(item)) => self.rotation(item, &format!("{element}, rotation"), *line)?,
            (None, None) => Orientation::identity(),
        };
        Ok(Frame::new(xyz, orientation))
    }

    fn rotation(&mut self, item: &Item, element: &str, line: u32) -> Result<Orientation, RobotError> {
        let line = self.line(item, line);
        let wrong =
            |problem: String| self.wrong(line, element, problem, "give three orthonormal rows, right-handed");
        let array = item.as_array().ok_or_else(|| wrong("a 3×3 list is expected".to_owned()))?;
        let rows: Vec<[Exact; 3]> = array
            .iter()
            .map(|row| self.vector(&Item::Value(row.clone()), element, line))
            .collect::<Result<_, _>>()?;
        let rows: [[Exact; 3]; 3] = rows
            .try_into()
            .map_err(|rows: Vec<_>| wrong(format!("3 rows are expected, {} found", rows.len())))?;
        let orientation = Orientation::from_matrix(rows)
            .map_err(|error| wrong(error.to_string()))?
            .map_err(|not| wrong(format!("the matrix is not a rotation (defect {:.1e})", not.defect)))?;
        Ok(self.snapper.orientation(orientation))
    }

    /// Denavit and Hartenberg's four numbers, as (placement, body frame).
    fn denavit_hartenberg(
        &mut self,
        item: &Item,
        element: &str,
        line: u32,
        modified: bool,
    ) -> Result<(Frame, Frame), RobotError> {
        let section = self.section(item, element, line)?;
        self.known_keys(&section, &["theta", "d", "a", "alpha"])?;
        let mut get = |key: &str, is_angle: bool| -> Result<Exact, RobotError> {
            let Some(item) = section.table.get(key) else { return Ok(Exact::zero()) };
            let value = self.number_item(item, &format!("{element}.{key}"), section.line)?;
            Ok(if is_angle { self.snapper.angle(value) } else { value })
        };
        let (theta, d, a, alpha) =
            (get("theta", true)?, get("d", false)?, get("a", false)?, get("alpha", true)?);
        let zero = Exact::zero;
        let about_x = |angle: Exact| Orientation::RollPitchYaw([angle, zero(), zero()]);
        let about_z = |angle: Exact| Orientation::RollPitchYaw([zero(), zero(), angle]);
        Ok(if modified {
            // Rx(alpha) Tx(a) Rz(theta) Tz(d), then the joint.
            let first = Frame::new(no_displacement(), about_x(alpha));
            let second = Frame::new([a, zero(), d], about_z(theta));
            (first.then(&second), Frame::identity())
        } else {
            // Rz(theta), the joint, Tz(d) Tx(a) Rx(alpha).
            (Frame::new(no_displacement(), about_z(theta)), Frame::new([a, zero(), d], about_x(alpha)))
        })
    }

    fn body(&mut self, section: &Section<'_>, number: usize) -> Result<(Link, TreeJoint), RobotError> {
        let table = section.table;
        let line = section.line;
        let unnamed = format!("body {number}");
        let missing =
            |this: &Self, key: &str| this.wrong(line, &unnamed, format!("`{key}` is missing"), "add it");
        let name_item = table.get("name").ok_or_else(|| missing(self, "name"))?;
        let name = self.string(name_item, &unnamed, line)?;
        let element = format!("body `{name}`");
        let section = Section { table, element: element.clone(), line };
        self.known_keys(
            &section,
            &[
                "name",
                "parent",
                "joint",
                "xyz",
                "rpy",
                "rotation",
                "dh",
                "mdh",
                "axis",
                "axis2",
                "pitch",
                "frame",
                "inertia",
                "limits",
                "rotor_inertia",
                "friction",
                "capsules",
            ],
        )?;
        if name == WORLD {
            return Err(self.wrong(line, &element, "`base` is the fixed world", "choose another name"));
        }
        let missing =
            |this: &Self, key: &str| this.wrong(line, &element, format!("`{key}` is missing"), "add it");
        let parent_item = table.get("parent").ok_or_else(|| missing(self, "parent"))?;
        let parent = self.string(parent_item, &format!("{element}, parent"), line)?;
        let kind = self.joint_kind(&section)?;
        let (placement, standard_frame) = self.placement(&section)?;
        let body_frame = match table.get("frame") {
            Some(item) => {
                let inner = self.section(item, &format!("{element}, frame"), line)?;
                self.known_keys(&inner, &["xyz", "rpy", "rotation"])?;
                standard_frame.then(&self.frame(&inner)?)
            }
            None => standard_frame,
        };
        let axis = match table.get("axis") {
            Some(item) => self.vector(item, &format!("{element}, axis"), line)?,
            None => [Exact::zero(), Exact::zero(), Exact::one()],
        };
        let inertia = match table.get("inertia") {
            Some(item) => Some(self.inertia(item, &element, line)?),
            None => None,
        };
        let rotor_inertia = match table.get("rotor_inertia") {
            Some(item) => self.double(item, &format!("{element}, rotor_inertia"), line)?,
            None => 0.0,
        };
        let joint = Joint {
            name: name.clone(),
            kind,
            placement,
            axis,
            body_frame,
            limits: self.limits(&section)?,
            rotor_inertia,
            friction: self.friction(&section)?,
        };
        let link =
            Link { name: name.clone(), inertia, capsules: self.capsules(&section)?, place: self.at(line) };
        let parent = (parent != WORLD).then_some(parent);
        Ok((link, TreeJoint { joint, parent, child: name, place: self.at(line) }))
    }

    fn placement(&mut self, section: &Section<'_>) -> Result<(Frame, Frame), RobotError> {
        let Section { table, element, line } = section;
        let given: Vec<&str> = ["xyz", "rpy", "rotation", "dh", "mdh"]
            .into_iter()
            .filter(|key| table.contains_key(key))
            .collect();
        for (key, modified) in [("dh", false), ("mdh", true)] {
            let Some(item) = table.get(key) else { continue };
            if given.len() > 1 {
                let problem = format!("{key} comes together with {}", given.join(", "));
                return Err(self.wrong(
                    self.line(item, *line),
                    element,
                    problem,
                    "keep one way of placing the joint",
                ));
            }
            return self.denavit_hartenberg(item, &format!("{element}, {key}"), *line, modified);
        }
        Ok((self.frame(section)?, Frame::identity()))
    }

    fn joint_kind(&self, section: &Section<'_>) -> Result<JointKind, RobotError> {
        let Section { table, element, line } = section;
        let item = table.get("joint").ok_or_else(|| {
            self.wrong(*line, element, "`joint` is missing", &format!("use one of {JOINT_KINDS}"))
        })?;
        let kind = self.string(item, &format!("{element}, joint"), *line)?;
        let only_for = |key: &str, wanted: &str| match table.get(key) {
            Some(item) if kind != wanted => Err(self.wrong(
                self.line(item, *line),
                element,
                format!("`{key}` belongs to a {wanted} joint"),
                "remove it",
            )),
            other => Ok(other),
        };
        let axis2 = only_for("axis2", "universal")?;
        let pitch = only_for("pitch", "helical")?;
        let need = |key: &str| self.wrong(*line, element, format!("a {kind} joint needs `{key}`"), "add it");
        Ok(match kind.as_str() {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "helical" => {
                let item = pitch.ok_or_else(|| need("pitch"))?;
                JointKind::Helical { pitch: self.number_item(item, &format!("{element}, pitch"), *line)? }
            }
            "cylindrical" => JointKind::Cylindrical,
            "universal" => {
                let item = axis2.ok_or_else(|| need("axis2"))?;
                JointKind::Universal { axis2: self.vector(item, &format!("{element}, axis2"), *line)? }
            }
            "spherical" => JointKind::Spherical,
            "planar" => JointKind::Planar,
            "floating" => JointKind::Floating,
            "fixed" => JointKind::Fixed,
            _ => {
                return Err(RobotError::UnknownJointKind {
                    place: self.at(self.line(item, *line)),
                    element: element.clone(),
                    kind,
                    known: JOINT_KINDS.to_owned(),
                });
            }
        })
    }

    fn inertia(&self, item: &Item, element: &str, line: u32) -> Result<PseudoInertia, RobotError> {
        let element = format!("{element}, inertia");
        let section = self.section(item, &element, line)?;
        self.known_keys(&section, &["mass", "com", "tensor"])?;
        let get = |key: &str| section.table.get(key);
        let mass = match get("mass") {
            Some(item) => self.double(item, &format!("{element}.mass"), section.line)?,
            None => return Err(self.wrong(section.line, &element, "`mass` is missing", "add it, kg")),
        };
        if mass < 0.0 {
            return Err(RobotError::Inertia {
                place: self.at(section.line),
                element,
                reason: format!("the mass {mass} kg is negative"),
            });
        }
        let com = match get("com") {
            Some(item) => self.doubles::<3>(item, &format!("{element}.com"), section.line)?,
            None => [0.0; 3],
        };
        let tensor = match get("tensor") {
            Some(item) => self.doubles::<6>(item, &format!("{element}.tensor"), section.line)?,
            None => [0.0; 6],
        };
        let inertia = PseudoInertia::from_centred(&CentredInertia { mass, com, tensor });
        if inertia.check() == Err(Inconsistency::NotFinite) {
            return Err(RobotError::Inertia {
                place: self.at(section.line),
                element,
                reason: "its moments about the body's origin overflow".to_owned(),
            });
        }
        Ok(inertia)
    }

    fn limits(&self, section: &Section<'_>) -> Result<Limits, RobotError> {
        let Some(item) = section.table.get("limits") else { return Ok(Limits::default()) };
        let element = format!("{}, limits", section.element);
        let inner = self.section(item, &element, section.line)?;
        self.known_keys(&inner, &["lower", "upper", "velocity", "acceleration", "jerk", "effort"])?;
        let get = |key: &str| {
            inner
                .table
                .get(key)
                .map(|item| self.double(item, &format!("{element}.{key}"), inner.line))
                .transpose()
        };
        let limits = Limits {
            lower: get("lower")?,
            upper: get("upper")?,
            velocity: get("velocity")?,
            acceleration: get("acceleration")?,
            jerk: get("jerk")?,
            effort: get("effort")?,
        };
        if let (Some(lower), Some(upper)) = (limits.lower, limits.upper)
            && lower > upper
        {
            return Err(self.wrong(
                inner.line,
                &element,
                format!("lower {lower} exceeds upper {upper}"),
                "swap them",
            ));
        }
        Ok(limits)
    }

    fn friction(&self, section: &Section<'_>) -> Result<Friction, RobotError> {
        let Some(item) = section.table.get("friction") else { return Ok(Friction::default()) };
        let element = format!("{}, friction", section.element);
        let inner = self.section(item, &element, section.line)?;
        self.known_keys(&inner, &["viscous", "coulomb", "offset"])?;
        let get = |key: &str| match inner.table.get(key) {
            Some(item) => self.double(item, &format!("{element}.{key}"), inner.line),
            None => Ok(0.0),
        };
        Ok(Friction { viscous: get("viscous")?, coulomb: get("coulomb")?, offset: get("offset")? })
    }

    fn capsules(&self, section: &Section<'_>) -> Result<Vec<Capsule>, RobotError> {
        let element = format!("{}, capsules", section.element);
        let capsules = self.sections(section.table.get("capsules"), &element)?;
        let read = |inner: Section<'_>| {
            self.known_keys(&inner, &["from", "to", "radius"])?;
            let missing =
                |key: &str| self.wrong(inner.line, &element, format!("`{key}` is missing"), "add it, m");
            let get = |key: &str| inner.table.get(key).ok_or_else(|| missing(key));
            Ok(Capsule {
                from: self.doubles(get("from")?, &element, inner.line)?,
                to: self.doubles(get("to")?, &element, inner.line)?,
                radius: self.double(get("radius")?, &element, inner.line)?,
            })
        };
        capsules.into_iter().map(read).collect()
    }

    fn closure(&mut self, section: &Section<'_>, number: usize) -> Result<LoopDescription, RobotError> {
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
        let mut side = |key: &str| -> Result<LoopSide, RobotError> {
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
                return Err(RobotError::UnknownJointKind {
                    place: self.at(self.line(kind_item, line)),
                    element,
                    kind: word,
                    known: LOOP_KINDS.to_owned(),
                });
            }
        };
        Ok(LoopDescription { name, kind, predecessor, successor, axis, place: self.at(line) })
    }

    fn coupling(&mut self, section: &Section<'_>, number: usize) -> Result<CouplingDescription, RobotError> {
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
