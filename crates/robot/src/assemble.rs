//! From what a file says to a robot: names resolved, cycles refused, fixed links lumped, bodies in order.

use std::collections::HashMap;

use steiner_scalar::{Exact, Field};

use crate::description::{
    Capsule, CouplingDescription, Description, Link, LoopSide, Mention, SiblingOrder, TreeJoint,
};
use crate::error::RobotError;
use crate::frame::{Frame, Pose, evaluate_direction, no_displacement};
use crate::inertia::{Inconsistency, PseudoInertia};
use crate::joint::{Friction, Joint, JointKind, Limits};
use crate::robot::{Attachment, Body, BodyIndex, Coordinate, Coupling, LoopJoint, LumpedLink, Robot};
use steiner_files::brief;
use steiner_files::{Place, did_you_mean};

/// How to turn a description into a robot.
#[derive(Clone, Debug)]
pub struct AssembleOptions {
    /// Let the root move freely (default: it is fixed to the ground, unless the file says otherwise).
    pub floating: bool,
    /// Replaces the file's gravity, m/s².
    pub gravity: Option<[Exact; 3]>,
    /// Treat `<mimic>` as a coupling (default), or ignore it as Pinocchio does.
    pub mimic: bool,
}

impl Default for AssembleOptions {
    fn default() -> Self {
        AssembleOptions { floating: false, gravity: None, mimic: true }
    }
}

/// Frames of welded links are kept as chains, so that a longer one would cost its square.
const LONGEST_FIXED_CHAIN: usize = 1000;

/// Standard gravity of design: (0, 0, −9.81) m/s².
fn default_gravity() -> [Exact; 3] {
    [Exact::zero(), Exact::zero(), Exact::fraction(-981, 100)]
}

impl Robot {
    /// Checks a description and builds the robot.
    pub fn assemble(mut description: Description, options: &AssembleOptions) -> Result<Robot, RobotError> {
        check_names(&description)?;
        if options.floating {
            release_root(&mut description)?;
        }
        let tree = LinkTree::new(&description)?;
        let order = tree.visit(&description)?;
        let mut builder = Builder::new(&description);
        for link in order {
            builder.place(&description, &tree, link)?;
        }
        let Builder { bodies, ground, home } = builder;
        if bodies.is_empty() {
            return Err(RobotError::NothingMoves { place: description.place.clone() });
        }
        let mut robot = Robot {
            name: description.name.clone(),
            gravity: options.gravity.clone().or(description.gravity.clone()).unwrap_or_else(default_gravity),
            bodies,
            ground,
            loops: Vec::new(),
            couplings: Vec::new(),
            independent: None,
            dependent: Vec::new(),
            reference: Vec::new(),
            guessed: Vec::new(),
            constants: description.constants.clone(),
            planar: description.planar,
            snapped: description.snapped,
            notes: description.notes.clone(),
            description,
        };
        check_numbers(&robot)?;
        robot.loops = resolve_loops(&robot, &home)?;
        robot.couplings = resolve_couplings(&robot, options.mimic)?;
        (robot.independent, robot.dependent) = resolve_independent(&robot)?;
        (robot.reference, robot.guessed) = resolve_guess(&robot)?;
        Ok(robot)
    }
}

fn duplicate<'a>(kind: &str, names: impl Iterator<Item = (&'a str, &'a Place)>) -> Result<(), RobotError> {
    let mut seen: HashMap<&str, &Place> = HashMap::new();
    for (name, place) in names {
        if let Some(first) = seen.insert(name, place) {
            return Err(RobotError::Duplicate {
                place: place.clone(),
                element: kind.to_owned(),
                name: name.to_owned(),
                first: first.line.unwrap_or(0),
            });
        }
    }
    Ok(())
}

/// Refuses names that are empty or used twice.
pub fn check_names(d: &Description) -> Result<(), RobotError> {
    duplicate("link", d.links.iter().map(|link| (link.name.as_str(), &link.place)))?;
    duplicate("joint", d.joints.iter().map(|joint| (joint.joint.name.as_str(), &joint.place)))?;
    duplicate("loop", d.loops.iter().map(|joint| (joint.name.as_str(), &joint.place)))?;
    let known: HashMap<&str, ()> = d.links.iter().map(|link| (link.name.as_str(), ())).collect();
    let check = |name: &str, element: String, place: &Place| {
        if known.contains_key(name) {
            return Ok(());
        }
        Err(RobotError::UnknownLink {
            place: place.clone(),
            element,
            name: name.to_owned(),
            hint: did_you_mean(name, known.keys().copied()),
        })
    };
    for joint in &d.joints {
        let element = || format!("joint `{}`", joint.joint.name);
        if let Some(parent) = &joint.parent {
            check(parent, element(), &joint.place)?;
        }
        check(&joint.child, element(), &joint.place)?;
        if joint.joint.kind.has_axis() {
            check_axis(&joint.joint.axis, element(), &joint.place)?;
        }
        match &joint.joint.kind {
            JointKind::Universal { axis2 } => {
                check_axis(axis2, format!("{}, axis2", element()), &joint.place)?;
                check_universal(&joint.joint.axis, axis2, element(), &joint.place)?;
            }
            JointKind::Compound(parts) => {
                for part in parts.iter().filter(|part| part.kind.has_axis()) {
                    check_axis(&part.axis, format!("joint `{}`", part.name), &joint.place)?;
                }
            }
            _ => {}
        }
    }
    for closure in &d.loops {
        let element = || format!("loop `{}`", closure.name);
        for side in [&closure.predecessor, &closure.successor] {
            if let Some(link) = &side.link {
                check(link, element(), &closure.place)?;
            }
        }
        check_axis(&closure.axis, element(), &closure.place)?;
        if let crate::description::LoopKind::Universal { axis2 } = &closure.kind {
            check_axis(axis2, format!("{}, axis2", element()), &closure.place)?;
            check_universal(&closure.axis, axis2, element(), &closure.place)?;
        }
    }
    Ok(())
}

/// The two axes of a universal joint span a plane.
fn check_universal(
    axis: &[Exact; 3],
    axis2: &[Exact; 3],
    element: String,
    place: &Place,
) -> Result<(), RobotError> {
    let (Ok(first), Ok(second)) = (evaluate_direction::<f64>(axis), evaluate_direction::<f64>(axis2)) else {
        return Ok(()); // reported with the numbers themselves
    };
    let normal = first.value.cross(second.value);
    if normal.dot(normal) > 1e-12 {
        return Ok(());
    }
    Err(RobotError::Element {
        place: place.clone(),
        element,
        problem: "axis and axis2 are parallel, which leaves a universal joint one direction".to_owned(),
        remedy: "give two different axes, or make it a revolute joint".to_owned(),
    })
}

fn check_axis(axis: &[Exact; 3], element: String, place: &Place) -> Result<(), RobotError> {
    if axis.iter().all(Exact::is_zero) {
        return Err(RobotError::ZeroAxis { place: place.clone(), element });
    }
    let has_values = axis.iter().all(|x| x.to_f64().is_ok());
    let has_direction = evaluate_direction::<f64>(axis)
        .is_ok_and(|direction| (direction.value.dot(direction.value) - 1.0).abs() < 1e-9);
    if has_values && !has_direction {
        return Err(RobotError::Element {
            place: place.clone(),
            element,
            problem: "the axis is so long or short that its direction is lost".to_owned(),
            remedy: "scale it to a length near one".to_owned(),
        });
    }
    Ok(())
}

/// The body that the world becomes when it floats.
const ROOT: &str = "root";

/// Makes the root float. A single link fixed to the world floats itself; otherwise
/// (several links, one away from the origin, loops closed on the ground) the world becomes a body called `root`.
fn release_root(d: &mut Description) -> Result<(), RobotError> {
    let roots: Vec<usize> = (0..d.joints.len()).filter(|&j| d.joints[j].parent.is_none()).collect();
    let mut root_name = "root_joint".to_owned();
    while d.joints.iter().any(|joint| joint.joint.name == root_name && joint.parent.is_some()) {
        root_name.push('_');
    }
    let floating = |name: &str| Joint {
        name: name.to_owned(),
        kind: JointKind::Floating,
        placement: Frame::identity(),
        axis: [Exact::zero(), Exact::zero(), Exact::one()],
        body_frame: Frame::identity(),
        limits: Limits::default(),
        rotor_inertia: 0.0,
        friction: Friction::default(),
    };
    if let [only] = roots[..] {
        let joint = &d.joints[only].joint;
        let at_the_origin = joint.placement.steps().is_empty() && joint.body_frame.steps().is_empty()
            || joint.placement.then(&joint.body_frame).is_identity();
        let grounded_loop =
            d.loops.iter().any(|l| l.predecessor.link.is_none() || l.successor.link.is_none());
        match joint.kind {
            JointKind::Floating => return Ok(()),
            JointKind::Fixed if at_the_origin && !grounded_loop => {
                d.joints[only].joint = floating(&root_name);
                declare_independent(d, &root_name);
                return Ok(());
            }
            _ => {}
        }
    }
    if d.links.iter().any(|link| link.name == ROOT) {
        return Err(RobotError::Element {
            place: d.place.clone(),
            element: "floating base".to_owned(),
            problem: "several links hang on the ground, and one of them is itself called `root`".to_owned(),
            remedy: "rename it, or write the floating joint into the file".to_owned(),
        });
    }
    for j in roots {
        d.joints[j].parent = Some(ROOT.to_owned());
    }
    for side in d.loops.iter_mut().flat_map(|l| [&mut l.predecessor, &mut l.successor]) {
        side.link.get_or_insert_with(|| ROOT.to_owned());
    }
    let place = d.place.clone();
    d.links
        .insert(0, Link { name: ROOT.to_owned(), inertia: None, capsules: Vec::new(), place: place.clone() });
    d.joints
        .insert(0, TreeJoint { joint: floating(&root_name), parent: None, child: ROOT.to_owned(), place });
    declare_independent(d, &root_name);
    Ok(())
}

/// A file that lists its independent coordinates could not know of the root's.
fn declare_independent(d: &mut Description, joint: &str) {
    let place = d.place.clone();
    if let Some(independent) = &mut d.independent {
        independent.push(Mention { name: joint.to_owned(), place });
    }
}

/// Who hangs on whom.
pub struct LinkTree {
    /// Index of the joint above each link.
    pub joint_above: Vec<usize>,
    /// Index of the parent link; `None` is the world.
    parent: Vec<Option<usize>>,
}

impl LinkTree {
    /// The tree that the joints of a description make; cycles and second parents are errors.
    pub fn new(d: &Description) -> Result<Self, RobotError> {
        let index: HashMap<&str, usize> =
            d.links.iter().enumerate().map(|(k, link)| (link.name.as_str(), k)).collect();
        let mut above: Vec<Option<usize>> = vec![None; d.links.len()];
        for (j, joint) in d.joints.iter().enumerate() {
            let child = index[joint.child.as_str()];
            if let Some(first) = above[child] {
                return Err(RobotError::TwoParents {
                    place: joint.place.clone(),
                    link: joint.child.clone(),
                    first: d.joints[first].joint.name.clone(),
                    second: joint.joint.name.clone(),
                });
            }
            above[child] = Some(j);
        }
        let mut joint_above = Vec::with_capacity(above.len());
        for (k, joint) in above.iter().enumerate() {
            joint_above.push(joint.ok_or_else(|| RobotError::Element {
                place: d.links[k].place.clone(),
                element: format!("link `{}`", d.links[k].name),
                problem: "no joint carries it".to_owned(),
                remedy: "join it to the robot".to_owned(),
            })?);
        }
        let parent =
            joint_above.iter().map(|&j| d.joints[j].parent.as_deref().map(|name| index[name])).collect();
        Ok(LinkTree { joint_above, parent })
    }

    /// The links, parents before children, in the description's order.
    pub fn visit(&self, d: &Description) -> Result<Vec<usize>, RobotError> {
        let count = d.links.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut roots = Vec::new();
        for link in 0..count {
            match self.parent[link] {
                Some(parent) => children[parent].push(link),
                None => roots.push(link),
            }
        }
        let mut order = Vec::with_capacity(count);
        match d.order {
            SiblingOrder::DepthFirstByJointName => {
                let by_name = |links: &mut Vec<usize>| {
                    // Reversed: the stack hands out the last first.
                    links.sort_by(|&a, &b| {
                        let name = |link: usize| d.joints[self.joint_above[link]].joint.name.as_bytes();
                        name(b).cmp(name(a))
                    });
                };
                let mut stack = roots;
                by_name(&mut stack);
                while let Some(link) = stack.pop() {
                    order.push(link);
                    by_name(&mut children[link]);
                    stack.append(&mut children[link]);
                }
            }
            SiblingOrder::AsWritten => {
                // The file's order, a child that is written too early waiting for its parent.
                let mut waiting: std::collections::BTreeSet<usize> = roots.into_iter().collect();
                while let Some(link) = waiting.pop_first() {
                    order.push(link);
                    waiting.extend(children[link].iter().copied());
                }
            }
        }
        if order.len() < count {
            let placed: std::collections::HashSet<usize> = order.into_iter().collect();
            let stuck = (0..count).find(|link| !placed.contains(link)).unwrap_or(0);
            // Walk up until a link repeats: that one lies on the cycle.
            let mut seen = std::collections::HashSet::new();
            let mut link = stuck;
            while seen.insert(link) {
                match self.parent[link] {
                    Some(parent) => link = parent,
                    None => break,
                }
            }
            return Err(RobotError::Cycle {
                place: d.joints[self.joint_above[link]].place.clone(),
                link: d.links[link].name.clone(),
            });
        }
        Ok(order)
    }
}

/// Where a link ended up: on which body (`None`: the ground) and at which frame in it, evaluated too.
type Home = HashMap<String, (Option<BodyIndex>, Frame, Pose<f64>)>;

struct Builder {
    bodies: Vec<Body>,
    ground: Vec<LumpedLink>,
    home: Home,
}

impl Builder {
    fn new(d: &Description) -> Self {
        Builder { bodies: Vec::new(), ground: Vec::new(), home: HashMap::with_capacity(d.links.len()) }
    }

    fn place(&mut self, d: &Description, tree: &LinkTree, index: usize) -> Result<(), RobotError> {
        let link = &d.links[index];
        let tree_joint = &d.joints[tree.joint_above[index]];
        let joint = &tree_joint.joint;
        let (carrier, frame, pose) = match &tree_joint.parent {
            Some(parent) => self.home[parent].clone(),
            None => (None, Frame::identity(), Pose::identity()),
        };
        if joint.kind == JointKind::Fixed {
            let step = joint.placement.then(&joint.body_frame);
            let frame = frame.then(&step);
            if frame.steps().len() > LONGEST_FIXED_CHAIN {
                return Err(RobotError::Element {
                    place: tree_joint.place.clone(),
                    element: format!("joint `{}`", joint.name),
                    problem: format!("more than {LONGEST_FIXED_CHAIN} fixed joints follow each other"),
                    remedy: "merge the links they weld together".to_owned(),
                });
            }
            let lumped = LumpedLink { name: link.name.clone(), frame: frame.clone(), inertia: link.inertia };
            let pose = pose.then(&evaluated_pose(&step, &tree_joint.place, &joint.name)?);
            match carrier {
                Some(BodyIndex(body)) => {
                    let body = &mut self.bodies[body];
                    if let Some(inertia) = &link.inertia {
                        body.inertia = body.inertia.plus(&inertia.moved(&pose.rotation, pose.translation.0));
                    }
                    body.capsules.extend(link.capsules.iter().map(|capsule| Capsule {
                        from: pose.point(capsule.from.into()).0,
                        to: pose.point(capsule.to.into()).0,
                        radius: capsule.radius,
                    }));
                    body.lumped.push(lumped);
                }
                None => self.ground.push(lumped),
            }
            self.home.insert(link.name.clone(), (carrier, frame, pose));
            return Ok(());
        }
        let mut joint = joint.clone();
        joint.placement = frame.then(&joint.placement);
        self.bodies.push(Body {
            name: link.name.clone(),
            parent: carrier,
            joint,
            inertia: link.inertia.unwrap_or(PseudoInertia::ZERO),
            own_inertia: link.inertia,
            lumped: Vec::new(),
            capsules: link.capsules.clone(),
        });
        self.home.insert(
            link.name.clone(),
            (Some(BodyIndex(self.bodies.len() - 1)), Frame::identity(), Pose::identity()),
        );
        Ok(())
    }
}

fn evaluated_pose(frame: &Frame, place: &Place, joint: &str) -> Result<Pose<f64>, RobotError> {
    frame.evaluate().map(|pose| pose.value).map_err(|error| RobotError::Number {
        place: place.clone(),
        element: format!("joint `{joint}`"),
        reason: brief(&error.to_string()),
    })
}

/// Every exact number of the robot has a value; afterwards evaluation in doubles cannot fail.
fn check_numbers(robot: &Robot) -> Result<(), RobotError> {
    let d = &robot.description;
    let negative = |place: &Place, element: String, what: &str, value: f64| RobotError::Element {
        place: place.clone(),
        element,
        problem: format!("{what} is {value}"),
        remedy: "give a number that is not negative".to_owned(),
    };
    for link in &d.links {
        if let Some(capsule) =
            link.capsules.iter().find(|capsule| capsule.radius.is_nan() || capsule.radius < 0.0)
        {
            let element = format!("link `{}`", link.name);
            return Err(negative(&link.place, element, "the radius of a capsule", capsule.radius));
        }
    }
    for tree_joint in &d.joints {
        let (joint, place) = (&tree_joint.joint, &tree_joint.place);
        if joint.rotor_inertia.is_nan() || joint.rotor_inertia < 0.0 {
            let element = format!("joint `{}`", joint.name);
            return Err(negative(place, element, "the rotor inertia", joint.rotor_inertia));
        }
        for stage in joint.stages() {
            evaluated_pose(&stage.before, place, &joint.name)?;
            evaluated_pose(&stage.after, place, &joint.name)?;
            let pitch = match &stage.motion {
                crate::joint::Motion::Screw { pitch } => Some(pitch),
                _ => None,
            };
            for x in stage.axis.iter().chain(pitch) {
                finite(x, place, || format!("joint `{}`", joint.name))?;
            }
        }
    }
    for closure in &d.loops {
        for side in [&closure.predecessor, &closure.successor] {
            evaluated_pose(&side.frame, &closure.place, &closure.name)?;
        }
        for x in &closure.axis {
            finite(x, &closure.place, || format!("loop `{}`", closure.name))?;
        }
    }
    for coupling in &d.couplings {
        for x in coupling.terms.iter().map(|(_, factor)| factor).chain([&coupling.offset]) {
            finite(x, &coupling.place, || format!("coupling `{}`", coupling.name))?;
        }
    }
    for body in &robot.bodies {
        if body.inertia.check() == Err(Inconsistency::NotFinite) {
            let place =
                d.links.iter().find(|link| link.name == body.name).map_or(&d.place, |link| &link.place);
            return Err(RobotError::Inertia {
                place: place.clone(),
                element: format!("link `{}`", body.name),
                reason: "its moments, with those of the links fixed to it, overflow".to_owned(),
            });
        }
    }
    for x in &robot.gravity {
        finite(x, &d.place, || "gravity".to_owned())?;
    }
    Ok(())
}

fn finite(x: &Exact, place: &Place, element: impl Fn() -> String) -> Result<f64, RobotError> {
    f64::evaluate(x).map(|evaluated| evaluated.value).map_err(|error| RobotError::Number {
        place: place.clone(),
        element: element(),
        reason: brief(&error.to_string()),
    })
}

fn resolve_loops(robot: &Robot, home: &Home) -> Result<Vec<LoopJoint>, RobotError> {
    let attach = |side: &LoopSide| match &side.link {
        Some(link) => {
            let (body, frame, _) = home[link].clone();
            Attachment { body, frame: frame.then(&side.frame) }
        }
        None => Attachment { body: None, frame: side.frame.clone() },
    };
    let resolved = robot.description.loops.iter().map(|closure| {
        let (predecessor, successor) = (attach(&closure.predecessor), attach(&closure.successor));
        if predecessor.body == successor.body {
            return Err(RobotError::Element {
                place: closure.place.clone(),
                element: format!("loop `{}`", closure.name),
                problem: "both sides sit on the same rigid body".to_owned(),
                remedy: "attach it to two bodies that move against each other".to_owned(),
            });
        }
        Ok(LoopJoint {
            name: closure.name.clone(),
            kind: closure.kind.clone(),
            predecessor,
            successor,
            axis: closure.axis.clone(),
        })
    });
    resolved.collect()
}

fn coordinates(
    robot: &Robot,
    name: &str,
    element: &str,
    place: &Place,
) -> Result<Vec<Coordinate>, RobotError> {
    robot.coordinates_named(name).ok_or_else(|| RobotError::UnknownJoint {
        place: place.clone(),
        element: element.to_owned(),
        name: name.to_owned(),
        hint: did_you_mean(name, robot.bodies.iter().map(|body| body.joint.name.as_str())),
    })
}

/// A coordinate in which a linear relation makes sense.
fn coordinate(robot: &Robot, name: &str, element: &str, place: &Place) -> Result<Coordinate, RobotError> {
    let found = coordinates(robot, name, element, place)?;
    let refuse = |problem: String, remedy: &str| RobotError::Element {
        place: place.clone(),
        element: element.to_owned(),
        problem,
        remedy: remedy.to_owned(),
    };
    match found[..] {
        [one] if robot.bodies[one.body.0].joint.kind.is_coordinatewise() => Ok(one),
        [one] => Err(refuse(
            format!("`{}` is a quaternion coordinate", robot.coordinate_name(one)),
            "couple one-dof joints",
        )),
        _ => Err(refuse(
            format!("`{name}` has {} coordinates", found.len()),
            "name one of them as `body:k`, k from 0",
        )),
    }
}

fn resolve_couplings(robot: &Robot, mimic: bool) -> Result<Vec<Coupling>, RobotError> {
    // Reduced models fix joints and leave their <mimic> behind: what is fixed mimics nothing and adds nothing.
    let d = &robot.description;
    let fixed: std::collections::HashSet<&str> = d
        .joints
        .iter()
        .filter(|joint| joint.joint.kind == JointKind::Fixed)
        .map(|joint| joint.joint.name.as_str())
        .collect();
    let is_fixed = |name: &str| fixed.contains(name) && robot.coordinates_named(name).is_none();
    let matters =
        |coupling: &&CouplingDescription| !coupling.is_mimic || (mimic && !is_fixed(&coupling.coordinate));
    let resolved = d.couplings.iter().filter(matters).map(|coupling| {
        let element = format!("coupling `{}`", coupling.name);
        let target = coordinate(robot, &coupling.coordinate, &element, &coupling.place)?;
        let mut terms = Vec::with_capacity(coupling.terms.len());
        let counts = |name: &str| !(coupling.is_mimic && is_fixed(name));
        for (name, factor) in coupling.terms.iter().filter(|(name, _)| counts(name)) {
            let term = coordinate(robot, name, &element, &coupling.place)?;
            if term == target {
                return Err(RobotError::Element {
                    place: coupling.place.clone(),
                    element,
                    problem: format!("`{name}` depends on itself"),
                    remedy: "remove it from the terms".to_owned(),
                });
            }
            terms.push((term, factor.clone()));
        }
        Ok(Coupling {
            name: coupling.name.clone(),
            coordinate: target,
            terms,
            offset: coupling.offset.clone(),
        })
    });
    resolved.collect()
}

type IndependentAndDependent = (Option<Vec<Coordinate>>, Vec<Coordinate>);

fn resolve_independent(robot: &Robot) -> Result<IndependentAndDependent, RobotError> {
    let gather = |mentions: &[Mention], element: &str| {
        let mut found = Vec::new();
        for mention in mentions {
            found.extend(coordinates(robot, &mention.name, element, &mention.place)?);
        }
        found.sort();
        found.dedup();
        Ok(found)
    };
    let d = &robot.description;
    let independent = match &d.independent {
        Some(mentions) => Some(gather(mentions, "independent")?),
        None => None,
    };
    // A fixed joint may be declared dependent without having a coordinate.
    let is_fixed = |name: &str| {
        robot.coordinates_named(name).is_none() && d.joints.iter().any(|joint| joint.joint.name == name)
    };
    let moving: Vec<Mention> = d.dependent.iter().filter(|m| !is_fixed(&m.name)).cloned().collect();
    Ok((independent, gather(&moving, "dependent")?))
}

fn resolve_guess(robot: &Robot) -> Result<(Vec<Exact>, Vec<Coordinate>), RobotError> {
    let mut reference = Vec::with_capacity(robot.tree_configuration_size());
    for body in &robot.bodies {
        reference.extend(neutral(&body.joint.kind));
    }
    let mut guessed = Vec::new();
    let offsets = robot.configuration_offsets();
    for entry in &robot.description.guess {
        let element = format!("guess `{}`", entry.coordinate);
        let found = coordinates(robot, &entry.coordinate, &element, &entry.place)?;
        let Some(first) = found.first() else { continue };
        let body = first.body.0;
        let kind = &robot.bodies[body].joint.kind;
        let whole = found.len() == kind.dof();
        let wanted = if whole { kind.configuration_size() } else { found.len() };
        if entry.values.len() != wanted || (!whole && !kind.is_coordinatewise()) {
            return Err(RobotError::Element {
                place: entry.place.clone(),
                element,
                problem: format!("{} numbers for a {} joint of {wanted}", entry.values.len(), kind.name()),
                remedy: "give one number per coordinate".to_owned(),
            });
        }
        let start = offsets[body] + if whole { 0 } else { first.component };
        for (slot, value) in reference[start..].iter_mut().zip(&entry.values) {
            finite(value, &entry.place, || element.clone())?;
            *slot = value.clone();
        }
        guessed.extend(found);
    }
    Ok((reference, guessed))
}

/// The configuration of a joint at rest: zeros, and the unit quaternion.
fn neutral(kind: &JointKind) -> Vec<Exact> {
    let quaternion = || [Exact::zero(), Exact::zero(), Exact::zero(), Exact::one()];
    match kind {
        JointKind::Spherical => quaternion().to_vec(),
        JointKind::Floating => no_displacement().into_iter().chain(quaternion()).collect(),
        JointKind::Compound(parts) => parts.iter().flat_map(|part| neutral(&part.kind)).collect(),
        other => vec![Exact::zero(); other.dof()],
    }
}
