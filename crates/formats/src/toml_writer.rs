//! Writing a description as a native mechanism file, so that reading it back gives the same robot.
//!
//! Geometry is written as the expressions it is kept in. A chain of displacements becomes one: its product is taken
//! exactly, with the sines and cosines of its angles as expressions.

use std::collections::HashMap;
use std::fmt::Write;

use steiner_linalg::{Mat3, Vec3};
use steiner_scalar::{Exact, Fp, Function, Node, QuadDouble};

use crate::decimal::{printable, shortest, unprintable};
use crate::error::FormatError;
use crate::toml::{HEAVIEST_EXPRESSION, WORLD};
use steiner_robot::PseudoInertia;
use steiner_robot::RobotError;
use steiner_robot::{
    Capsule, ConstantKind, CouplingDescription, Description, Link, LoopDescription, LoopKind, LoopSide,
    TreeJoint,
};
use steiner_robot::{Frame, Orientation, Pose, Step};
use steiner_robot::{Friction, JointKind, Limits};
use steiner_robot::{LinkTree, check_names};

/// The native mechanism file (TOML) of a description from any format.
///
/// Bodies are written in the robot's order, and joints take the names of their bodies, as the format has it; a link
/// called `base` is renamed, since that is the fixed world. URDF `<mimic>` becomes a plain coupling. A chain of
/// displacements whose exact product is too long for a reader is rounded to 30 digits.
///
/// # What this does not do
/// Several MJCF joints in one body have no native form and are an error.
pub fn write_toml(description: &Description) -> Result<String, FormatError> {
    check_names(description)?;
    let tree = LinkTree::new(description)?;
    let order = tree.visit(description)?;
    let mut writer = Writer { description, names: Names::new(description), out: String::new() };
    writer.head();
    for link in order {
        writer.body(&description.links[link], &description.joints[tree.joint_above[link]])?;
    }
    for closure in &description.loops {
        writer.closure(closure);
    }
    for coupling in &description.couplings {
        writer.coupling(coupling);
    }
    writer.guess();
    Ok(writer.out)
}

/// Characters of a frame beyond which a product that no field holds exactly is written in digits.
const LONGEST_PRODUCT: usize = 600;

/// What bodies are called in the file.
struct Names<'d> {
    /// The moving link that each joint name stands for.
    moved_by: HashMap<&'d str, &'d str>,
    /// The new name of a link called `base`.
    base: String,
    links: HashMap<&'d str, ()>,
}

impl<'d> Names<'d> {
    fn new(description: &'d Description) -> Self {
        let links: HashMap<&str, ()> =
            description.links.iter().map(|link| (link.name.as_str(), ())).collect();
        let mut base = "base_link".to_owned();
        while links.contains_key(base.as_str()) {
            base.push('_');
        }
        let moving = description.joints.iter().filter(|joint| joint.joint.kind != JointKind::Fixed);
        let moved_by = moving.map(|joint| (joint.joint.name.as_str(), joint.child.as_str())).collect();
        Names { moved_by, base, links }
    }

    fn link<'a>(&'a self, link: &'a str) -> &'a str {
        if link == WORLD { &self.base } else { link }
    }

    /// A joint, a body, or `body:k`, as the file refers to it.
    fn coordinate(&self, name: &str) -> String {
        if let Some(link) = self.moved_by.get(name) {
            return self.link(link).to_owned();
        }
        if self.links.contains_key(name) {
            return self.link(name).to_owned();
        }
        match name.rsplit_once(':') {
            Some((carrier, k)) => format!("{}:{k}", self.coordinate(carrier)),
            None => name.to_owned(),
        }
    }
}

struct Writer<'d> {
    description: &'d Description,
    names: Names<'d>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, key: &str, value: impl AsRef<str>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{key} = {}", value.as_ref());
    }

    fn title(&mut self, title: &str) {
        let _ = writeln!(self.out, "\n{title}");
    }

    fn head(&mut self) {
        let d = self.description;
        if !d.name.trim().is_empty() {
            self.line("name", quoted(&d.name));
        }
        if let Some(gravity) = &d.gravity {
            self.line("gravity", numbers(gravity));
        }
        if let Some(independent) = &d.independent {
            let named = independent.iter().map(|mention| quoted(&self.names.coordinate(&mention.name)));
            self.line("independent", list(named));
        }
        let dependent: Vec<String> = d
            .dependent
            .iter()
            .filter(|mention| !self.is_fixed(&mention.name))
            .map(|mention| quoted(&self.names.coordinate(&mention.name)))
            .collect();
        if !dependent.is_empty() {
            self.line("dependent", list(dependent));
        }
        if d.planar {
            self.line("planar", "true");
        }
        if d.links.iter().any(|link| link.name == WORLD) {
            let _ = writeln!(self.out, "# The link `{WORLD}` is called `{}` here.", self.names.base);
        }
        for (title, kind) in [("[lengths]", ConstantKind::Length), ("[angles]", ConstantKind::Angle)] {
            let constants: Vec<_> = d.constants.iter().filter(|constant| constant.kind == kind).collect();
            if !constants.is_empty() {
                self.title(title);
            }
            for constant in constants {
                self.line(&key(&constant.name), number(&constant.value));
            }
        }
    }

    /// A fixed joint has no coordinate that could be dependent.
    fn is_fixed(&self, name: &str) -> bool {
        !self.names.moved_by.contains_key(name)
            && self
                .description
                .joints
                .iter()
                .any(|joint| joint.joint.name == name && joint.joint.kind == JointKind::Fixed)
    }

    fn body(&mut self, link: &Link, tree_joint: &TreeJoint) -> Result<(), FormatError> {
        let joint = &tree_joint.joint;
        if matches!(joint.kind, JointKind::Compound(_)) {
            return Err(RobotError::Element {
                place: tree_joint.place.clone(),
                element: format!("joint `{}`", joint.name),
                problem: "several joints of one MJCF body have no form in a native file".to_owned(),
                remedy: "keep the MJCF file, or give each joint a body of its own".to_owned(),
            }
            .into());
        }
        self.title("[[body]]");
        self.line("name", quoted(self.names.link(&link.name)));
        let parent = tree_joint.parent.as_deref().map_or(WORLD, |parent| self.names.link(parent));
        let parent = quoted(parent);
        self.line("parent", parent);
        self.line("joint", quoted(joint.kind.name()));
        match modified_dh(&joint.placement) {
            Some(entries) => self.line("mdh", inline(entries)),
            None => {
                for (key, value) in self.frame_entries(&joint.placement) {
                    self.line(key, value);
                }
            }
        }
        if joint.kind.has_axis() {
            self.line("axis", numbers(&joint.axis));
        }
        match &joint.kind {
            JointKind::Universal { axis2 } => self.line("axis2", numbers(axis2)),
            JointKind::Helical { pitch } => self.line("pitch", number(pitch)),
            _ => {}
        }
        let frame = self.frame_entries(&joint.body_frame);
        if !frame.is_empty() {
            self.line("frame", inline(frame));
        }
        if let Some(inertia) = &link.inertia {
            self.inertia(link, inertia)?;
        }
        self.limits(&joint.limits);
        if joint.rotor_inertia != 0.0 {
            self.line("rotor_inertia", shortest(joint.rotor_inertia));
        }
        if joint.friction != Friction::default() {
            self.line("friction", friction_entry(&joint.friction));
        }
        if !link.capsules.is_empty() {
            self.line("capsules", list(link.capsules.iter().map(capsule)));
        }
        Ok(())
    }

    fn inertia(&mut self, link: &Link, inertia: &PseudoInertia) -> Result<(), FormatError> {
        if let Some(reason) = unprintable(inertia) {
            let (place, element) = (link.place.clone(), format!("body `{}`", link.name));
            return Err(RobotError::Inertia { place, element, reason }.into());
        }
        self.line("inertia", inertia_entry(inertia));
        Ok(())
    }

    fn limits(&mut self, limits: &Limits) {
        let mut entries = vec![
            ("lower", limits.lower),
            ("upper", limits.upper),
            ("velocity", limits.velocity),
            ("acceleration", limits.acceleration),
            ("jerk", limits.jerk),
            ("effort", limits.effort),
        ];
        if let (Some(lower), Some(upper)) = (limits.lower, limits.upper)
            && lower > upper
        {
            let _ = writeln!(self.out, "# Left out: limits with lower {lower} above upper {upper}.");
            entries.drain(..2);
        }
        let known: Vec<_> = entries
            .into_iter()
            .filter_map(|(key, limit)| limit.filter(|x| x.is_finite()).map(|x| (key, shortest(x))))
            .collect();
        if !known.is_empty() {
            self.line("limits", inline(known));
        }
    }

    fn closure(&mut self, closure: &LoopDescription) {
        self.title("[[loop]]");
        self.line("name", quoted(&closure.name));
        self.line("joint", quoted(closure.kind.name()));
        for (key, side) in [("predecessor", &closure.predecessor), ("successor", &closure.successor)] {
            let entries = self.side_entries(side);
            self.line(key, inline(entries));
        }
        self.line("axis", numbers(&closure.axis));
        if let LoopKind::Universal { axis2 } = &closure.kind {
            self.line("axis2", numbers(axis2));
        }
    }

    fn side_entries(&self, side: &LoopSide) -> Vec<(&'static str, String)> {
        let body = side.link.as_deref().map_or(WORLD, |link| self.names.link(link));
        let mut entries = vec![("body", quoted(body))];
        entries.extend(self.frame_entries(&side.frame));
        entries
    }

    fn coupling(&mut self, coupling: &CouplingDescription) {
        // Of <mimic>, what is fixed mimics nothing and adds nothing.
        let counts = |name: &str| !(coupling.is_mimic && self.is_fixed(name));
        if !counts(&coupling.coordinate) {
            return;
        }
        let terms =
            coupling.terms.iter().filter(|(name, _)| counts(name)).map(|(name, factor)| {
                format!("[{}, {}]", quoted(&self.names.coordinate(name)), number(factor))
            });
        let (coordinate, terms) = (self.names.coordinate(&coupling.coordinate), list(terms));
        self.title("[[coupling]]");
        if coupling.name != coordinate && !coupling.name.trim().is_empty() {
            self.line("name", quoted(&coupling.name));
        }
        self.line("coordinate", quoted(&coordinate));
        self.line("terms", terms);
        if !coupling.offset.is_zero() {
            self.line("offset", number(&coupling.offset));
        }
    }

    fn guess(&mut self) {
        let guess = &self.description.guess;
        if guess.is_empty() {
            return;
        }
        self.title("[guess]");
        let named: Vec<_> = guess
            .iter()
            .map(|entry| (key(&self.names.coordinate(&entry.coordinate)), &entry.values))
            .collect();
        for (at, (name, values)) in named.iter().enumerate() {
            // Of two guesses for one coordinate the later holds.
            if named[at + 1..].iter().any(|(later, _)| later == name) {
                continue;
            }
            match values.as_slice() {
                [one] => self.line(name, number(one)),
                several => self.line(name, list(several.iter().map(number))),
            }
        }
    }

    /// `xyz` with `rpy` or `rotation`, whatever is not the default.
    fn frame_entries(&self, frame: &Frame) -> Vec<(&'static str, String)> {
        let exact = one_step(frame);
        let is_single = frame.steps().len() <= 1;
        if let Some(step) = exact.filter(|step| self.reads_back(step)) {
            let entries = step_entries(&step);
            // A page of sines is worth it only where it is exact and digits would not be.
            let is_short = entries.iter().all(|(_, text)| text.len() <= LONGEST_PRODUCT);
            if is_single || is_short || frame.evaluate::<Fp>().is_ok_and(|pose| !pose.rounded) {
                return entries;
            }
        }
        step_entries(&to_thirty_digits(frame))
    }

    /// Whether the reader accepts the expressions of a step.
    fn reads_back(&self, step: &Step) -> bool {
        let names = |name: &str| {
            let constant = self.description.constants.iter().find(|constant| constant.name == name);
            constant.map(|constant| constant.symbol.clone())
        };
        let mut sources: Vec<&Exact> = step.xyz.iter().collect();
        match &step.orientation {
            Orientation::RollPitchYaw(angles) => sources.extend(angles),
            Orientation::Quaternion(q) => sources.extend(q),
            Orientation::Matrix(rows) => sources.extend(rows.iter().flatten()),
        }
        sources.into_iter().all(|x| {
            x.weight() <= HEAVIEST_EXPRESSION
                && Exact::parse_with(&x.to_string(), &names)
                    .is_ok_and(|read| read.weight() <= HEAVIEST_EXPRESSION && read.to_f64().is_ok())
        })
    }
}

/// What `inertia =` says.
pub(crate) fn inertia_entry(inertia: &PseudoInertia) -> String {
    let printed = printable(inertia);
    let mut entries = vec![("mass", shortest(printed.mass))];
    if printed.com != [0.0; 3] {
        entries.push(("com", list(printed.com.map(shortest))));
    }
    if printed.tensor != [0.0; 6] {
        entries.push(("tensor", list(printed.tensor.map(shortest))));
    }
    inline(entries)
}

/// What `friction =` says.
pub(crate) fn friction_entry(friction: &Friction) -> String {
    let entries = [("viscous", friction.viscous), ("coulomb", friction.coulomb), ("offset", friction.offset)];
    inline(entries.into_iter().filter(|(_, x)| *x != 0.0).map(|(k, x)| (k, shortest(x))).collect())
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.to_owned() } else { quoted(name) }
}

fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn inline(entries: Vec<(&'static str, String)>) -> String {
    let pairs: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A plain decimal, or an expression in quotes.
fn number(x: &Exact) -> String {
    let text = x.to_string();
    if !matches!(x.node(), Node::Rational(_)) {
        return quoted(&text);
    }
    if text.parse::<i64>().is_ok() || (text.len() < 24 && text.contains('.')) {
        return text;
    }
    // Very large and very small numbers are shorter with an exponent, if a double is all they are.
    match x.to_f64() {
        Ok(double) if Exact::from_f64(double).as_ref() == Some(x) => format!("{double:e}"),
        _ => quoted(&text),
    }
}

fn numbers(vector: &[Exact; 3]) -> String {
    list(vector.iter().map(number))
}

fn capsule(capsule: &Capsule) -> String {
    let point = |p: [f64; 3]| list(p.map(shortest));
    inline(vec![
        ("from", point(capsule.from)),
        ("to", point(capsule.to)),
        ("radius", shortest(capsule.radius)),
    ])
}

fn step_entries(step: &Step) -> Vec<(&'static str, String)> {
    let mut entries = Vec::new();
    if !step.xyz.iter().all(Exact::is_zero) {
        entries.push(("xyz", numbers(&step.xyz)));
    }
    match &step.orientation {
        Orientation::RollPitchYaw(angles) if angles.iter().all(Exact::is_zero) => {}
        Orientation::RollPitchYaw(angles) => entries.push(("rpy", numbers(angles))),
        turned => entries.push(("rotation", list(matrix_of(turned).iter().map(numbers)))),
    }
    entries
}

/// Rx(alpha), then Tx(a) Tz(d) Rz(theta): the two steps that `mdh` stands for.
fn modified_dh(frame: &Frame) -> Option<Vec<(&'static str, String)>> {
    let [first, second] = frame.steps() else { return None };
    let (Orientation::RollPitchYaw(outer), Orientation::RollPitchYaw(inner)) =
        (&first.orientation, &second.orientation)
    else {
        return None;
    };
    let must_vanish = first.xyz.iter().chain([&outer[1], &outer[2], &second.xyz[1], &inner[0], &inner[1]]);
    if !must_vanish.into_iter().all(Exact::is_zero) {
        return None;
    }
    let entries = [("theta", &inner[2]), ("d", &second.xyz[2]), ("a", &second.xyz[0]), ("alpha", &outer[0])];
    Some(entries.into_iter().map(|(key, x)| (key, number(x))).collect())
}

fn is_unturned(orientation: &Orientation) -> bool {
    matches!(orientation, Orientation::RollPitchYaw(angles) if angles.iter().all(Exact::is_zero))
}

/// The product of a chain, exactly.
fn one_step(frame: &Frame) -> Option<Step> {
    let mut product = Step { xyz: steiner_robot::no_displacement(), orientation: Orientation::identity() };
    for step in frame.steps() {
        let offset = if is_unturned(&product.orientation) {
            step.xyz.clone()
        } else {
            times_vector(&matrix_of(&product.orientation), &step.xyz)
        };
        product.xyz = std::array::from_fn(|k| product.xyz[k].clone() + offset[k].clone());
        product.orientation = turned(&product.orientation, &step.orientation);
        // A long chain of general rotations multiplies its expressions at each step.
        let heaviest = |numbers: &[Exact]| numbers.iter().map(Exact::weight).max().unwrap_or(0);
        let rotation = match &product.orientation {
            Orientation::Matrix(rows) => rows.iter().map(|row| heaviest(row)).max().unwrap_or(0),
            _ => 0,
        };
        if heaviest(&product.xyz).max(rotation) > HEAVIEST_EXPRESSION {
            return None;
        }
    }
    Some(product)
}

fn turned(outer: &Orientation, inner: &Orientation) -> Orientation {
    if is_unturned(outer) {
        return inner.clone();
    }
    if is_unturned(inner) {
        return outer.clone();
    }
    // Rz Ry Rx · Rz Ry Rx is again of that form when the first factor ends where the second begins.
    if let (Orientation::RollPitchYaw(a), Orientation::RollPitchYaw(b)) = (outer, inner) {
        let first_of_outer = a.iter().position(|angle| !angle.is_zero());
        let last_of_inner = b.iter().rposition(|angle| !angle.is_zero());
        // Sums of inverse functions are not exact in a prime field, where their sines are.
        let adds = |x: &Exact| x.pi_multiple().is_some() || x.to_rational().is_some();
        let shared = first_of_outer.filter(|_| first_of_outer == last_of_inner);
        let may_add = shared.is_none_or(|k| adds(&a[k]) && adds(&b[k]));
        if first_of_outer >= last_of_inner && may_add {
            return Orientation::RollPitchYaw(std::array::from_fn(|k| a[k].clone() + b[k].clone()));
        }
    }
    let (a, b) = (matrix_of(outer), matrix_of(inner));
    Orientation::Matrix(std::array::from_fn(|r| {
        std::array::from_fn(|c| (0..3).fold(Exact::zero(), |sum, k| sum + a[r][k].clone() * b[k][c].clone()))
    }))
}

fn times_vector(m: &[[Exact; 3]; 3], v: &[Exact; 3]) -> [Exact; 3] {
    std::array::from_fn(|r| (0..3).fold(Exact::zero(), |sum, k| sum + m[r][k].clone() * v[k].clone()))
}

/// The entries of a rotation as expressions.
fn matrix_of(orientation: &Orientation) -> [[Exact; 3]; 3] {
    match orientation {
        Orientation::Matrix(rows) => rows.clone(),
        Orientation::RollPitchYaw([roll, pitch, yaw]) => {
            let [(sr, cr), (sp, cp), (sy, cy)] = [roll, pitch, yaw].map(sine_and_cosine);
            let product = |a: &Exact, b: &Exact| a.clone() * b.clone();
            [
                [
                    product(&cy, &cp),
                    product(&product(&cy, &sp), &sr) - product(&sy, &cr),
                    product(&product(&cy, &sp), &cr) + product(&sy, &sr),
                ],
                [
                    product(&sy, &cp),
                    product(&product(&sy, &sp), &sr) + product(&cy, &cr),
                    product(&product(&sy, &sp), &cr) - product(&cy, &sr),
                ],
                [-sp, product(&cp, &sr), product(&cp, &cr)],
            ]
        }
        Orientation::Quaternion([w, x, y, z]) => {
            let product = |a: &Exact, b: &Exact| a.clone() * b.clone();
            let two = |x: Exact| Exact::integer(2) * x;
            let [ww, xx, yy, zz] = [w, x, y, z].map(|a| product(a, a));
            let norm = ww.clone() + xx.clone() + yy.clone() + zz.clone();
            let diagonal =
                |own: &Exact, a: &Exact, b: &Exact| ww.clone() + own.clone() - a.clone() - b.clone();
            let rows = [
                [
                    diagonal(&xx, &yy, &zz),
                    two(product(x, y) - product(w, z)),
                    two(product(x, z) + product(w, y)),
                ],
                [
                    two(product(x, y) + product(w, z)),
                    diagonal(&yy, &xx, &zz),
                    two(product(y, z) - product(w, x)),
                ],
                [
                    two(product(x, z) - product(w, y)),
                    two(product(y, z) + product(w, x)),
                    diagonal(&zz, &xx, &yy),
                ],
            ];
            rows.map(|row| row.map(|x| x / norm.clone()))
        }
    }
}

/// Sine and cosine as expressions; those of right angles as numbers.
fn sine_and_cosine(angle: &Exact) -> (Exact, Exact) {
    let quarters = angle.pi_multiple().map(|r| r * steiner_scalar::Rational::from(2));
    let quarters: Option<i64> =
        quarters.filter(|r| r.is_int()).and_then(|r| i64::try_from(r.numerator().clone()).ok());
    match quarters.map(|n| n.rem_euclid(4)) {
        Some(0) => (Exact::zero(), Exact::one()),
        Some(1) => (Exact::one(), Exact::zero()),
        Some(2) => (Exact::zero(), Exact::integer(-1)),
        Some(_) => (Exact::integer(-1), Exact::zero()),
        None => (angle.clone().call(Function::Sin), angle.clone().call(Function::Cos)),
    }
}

/// A frame whose exact product is too long to write.
fn to_thirty_digits(frame: &Frame) -> Step {
    let pose = frame.evaluate::<QuadDouble>().map_or(Pose::identity(), |evaluated| evaluated.value);
    let digits = |x: QuadDouble| Exact::rational(x.round_to_thirty_places());
    let Pose { rotation: Mat3(rows), translation: Vec3(xyz) } = pose;
    Step { xyz: xyz.map(digits), orientation: Orientation::Matrix(rows.map(|row| row.map(digits))) }
}
