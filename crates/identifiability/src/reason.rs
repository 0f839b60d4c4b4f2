//! Why a change of the parameters shows in nothing that is measured: what is
//! true of the mechanism, and where.
//!
//! A reason holds no words. Documents write them, each for its reader.

use std::collections::HashMap;

use steiner_linalg::Vec3;
use steiner_robot::{Frame, Robot, evaluate_vector};

use crate::nullspace::NullVector;

/// The principles by which a change is invisible, as documents name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Principle {
    /// Points that two bodies share through a joint.
    SharedPoints,
    /// Points that don't move.
    FixedPoints,
    /// A body that only turns about one direction.
    PlanarRotation,
    /// A body that never turns.
    TranslationOnly,
    /// Two bodies that a mechanism keeps parallel.
    SharedOrientation,
    /// Found on the bodies of a loop by completion.
    LoopClosure,
    /// Found on bodies that a coupling ties together, by completion.
    Gear,
    /// Points that only move along gravity, against points that only move across
    /// it; fixed points without gravity.
    Gravity,
    /// Found by completion, without an explanation from geometry.
    Numeric,
}

impl Principle {
    /// The word documents use.
    pub fn name(self) -> &'static str {
        match self {
            Principle::SharedPoints => "shared-points",
            Principle::FixedPoints => "fixed-points",
            Principle::PlanarRotation => "planar-rotation",
            Principle::TranslationOnly => "translation-only",
            Principle::SharedOrientation => "shared-orientation",
            Principle::LoopClosure => "loop-closure",
            Principle::Gear => "gear",
            Principle::Gravity => "gravity",
            Principle::Numeric => "numeric",
        }
    }
}

/// What is true of the bodies of a [`Reason`], in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// Two bodies share the axis of a joint: a point mass on it may belong to either.
    MassOnSharedAxis,
    /// Two bodies share a point: a point mass there may belong to either.
    MassAtSharedPoint,
    /// Two bodies share an axis: a displacement of mass along it may belong to either.
    DisplacementAlongSharedAxis,
    /// Two bodies share the direction of an axis: the inertia of a thin rod along it may belong to either.
    RodAlongSharedAxis,
    /// A joint never turns two bodies against each other: inertia may belong to either.
    InertiaAcrossSlide,
    /// A joint that does not move joins two bodies as if they were one.
    HeldTogether,
    /// No motion that reaches the first body tells whether the inertia is its own or the second's.
    AcrossJoint,
    /// A link on the ground and the body it carries share a joint.
    SharedWithGround,
    /// The body turns about an axis that is fixed in the base: what lies on the axis does not move.
    FixedAxis,
    /// A point of the body is fixed in the base.
    FixedPoint,
    /// A direction of the body is fixed in the base.
    FixedDirection,
    /// The body slides on the base and never turns.
    FixedOrientation,
    /// The body does not move.
    HeldStill,
    /// A link on the ground is at rest: only its weight is felt, and where that acts.
    RestsOnGround,
    /// Nothing that is measured feels the body.
    Unfelt,
    /// None of the motions that reach the body shows it.
    UnreachedByMotion,
    /// The body only turns about one direction.
    TurnsAboutOneDirection,
    /// The first body turns about the direction along which the second slides on it.
    SlidesAlongTurningDirection,
    /// The body never turns.
    NeverTurns,
    /// Two bodies never turn against each other.
    StayParallel,
    /// Some points of the body only move along gravity, others only across it.
    AlongAndAcrossGravity,
    /// Without gravity, a point of the body that stays is felt by nothing.
    FixedWithoutGravity,
    /// At rest no inertia is felt.
    NoInertiaAtRest,
    /// At rest and without gravity nothing is felt.
    NothingAtRestWithoutGravity,
    /// At rest, what is neither lifted nor lowered is not felt.
    LevelAtRest,
    /// At rest the drive of the body's joint shows its offset alone.
    DriveAtRest,
    /// The constant force of a drive looks like weight of the body.
    OffsetLikeWeight,
    /// The inertia of a drive is accelerated with the body.
    DriveMovesWithBody,
    /// The inertia of a drive is accelerated with the body, whose weight its constant force looks like.
    DriveLikeBody,
    /// The drive of the body's joint shows nothing of this.
    DriveUnfelt,
    /// A coupling moves the bodies in a fixed ratio.
    MovesTogether,
    /// Points of two bodies coincide in all configurations, without a joint there.
    PointsCoincide,
    /// Points of the bodies add up to one that is fixed in another, and all share a direction.
    PointsInBalance,
    /// Two bodies turn about, or slide along, directions of their own at speeds in a fixed ratio.
    SpeedsInRatio,
    /// Two bodies turn about fixed points, and mass displaced from these is lifted alike.
    LiftedAlike,
    /// The axes about which the body can turn lie on a cone of the second order.
    AxesOnACone,
    /// The links of a loop close in a plane that itself moves.
    PlanarLoopCarried,
    /// A loop ties the motions of the bodies together.
    OneLoop,
    /// Several loops tie the motions of the bodies together.
    SeveralLoops,
    /// No motion shows it; geometry has no word for it.
    Unexplained,
}

impl Cause {
    /// Whether something may be exchanged between two bodies: such causes at one joint are told in one story.
    pub fn is_exchange(self) -> bool {
        use Cause as C;
        matches!(
            self,
            C::MassOnSharedAxis
                | C::MassAtSharedPoint
                | C::DisplacementAlongSharedAxis
                | C::RodAlongSharedAxis
                | C::InertiaAcrossSlide
                | C::HeldTogether
                | C::StayParallel
        )
    }

    /// The principle it is an instance of.
    pub fn principle(self) -> Principle {
        use Cause as C;
        match self {
            C::MassOnSharedAxis
            | C::MassAtSharedPoint
            | C::DisplacementAlongSharedAxis
            | C::RodAlongSharedAxis
            | C::InertiaAcrossSlide
            | C::HeldTogether
            | C::AcrossJoint
            | C::PointsCoincide
            | C::PointsInBalance
            | C::SharedWithGround => Principle::SharedPoints,
            C::FixedAxis
            | C::FixedPoint
            | C::FixedDirection
            | C::FixedOrientation
            | C::HeldStill
            | C::RestsOnGround
            | C::Unfelt
            | C::UnreachedByMotion => Principle::FixedPoints,
            C::TurnsAboutOneDirection | C::SlidesAlongTurningDirection => Principle::PlanarRotation,
            C::NeverTurns => Principle::TranslationOnly,
            C::StayParallel => Principle::SharedOrientation,
            C::AlongAndAcrossGravity
            | C::FixedWithoutGravity
            | C::NoInertiaAtRest
            | C::NothingAtRestWithoutGravity
            | C::LevelAtRest
            | C::LiftedAlike
            | C::DriveAtRest
            | C::OffsetLikeWeight => Principle::Gravity,
            C::DriveMovesWithBody
            | C::DriveLikeBody
            | C::DriveUnfelt
            | C::MovesTogether
            | C::SpeedsInRatio => Principle::Gear,
            C::AxesOnACone | C::PlanarLoopCarried | C::OneLoop | C::SeveralLoops => Principle::LoopClosure,
            C::Unexplained => Principle::Numeric,
        }
    }
}

impl Cause {
    /// Whether the place of its joint or loop is part of it.
    fn has_place(self) -> bool {
        use Cause as C;
        matches!(
            self,
            C::MassOnSharedAxis
                | C::MassAtSharedPoint
                | C::DisplacementAlongSharedAxis
                | C::RodAlongSharedAxis
                | C::InertiaAcrossSlide
                | C::HeldTogether
                | C::AcrossJoint
                | C::SharedWithGround
                | C::FixedAxis
                | C::FixedPoint
                | C::FixedDirection
                | C::FixedOrientation
                | C::TurnsAboutOneDirection
                | C::SlidesAlongTurningDirection
                | C::PlanarLoopCarried
                | C::OneLoop
                | C::SeveralLoops
        )
    }
}

/// The joint, loop or coupling that a reason is about, by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// A joint of the tree.
    Joint(String),
    /// A joint that closes a loop.
    Loop(String),
    /// A coupling of joints.
    Coupling(String),
}

impl Site {
    /// Name of the joint, loop or coupling.
    pub fn name(&self) -> &str {
        match self {
            Site::Joint(name) | Site::Loop(name) | Site::Coupling(name) => name,
        }
    }
}

/// A point, line or direction, with coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The body in whose frame the coordinates are; `None` for the base. Counted as in [`Reason::bodies`].
    pub body: Option<usize>,
    /// A point, m.
    pub point: Option<[f64; 3]>,
    /// A direction of unit length; with a point it is a line through it.
    pub axis: Option<[f64; 3]>,
}

/// Why a change of the parameters of bodies is invisible.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// What is true of the bodies.
    pub cause: Cause,
    /// The joint, loop or coupling it is about, if there is one.
    pub site: Option<Site>,
    /// The bodies it speaks of, inner ones first; positions among the bodies of the answer.
    pub bodies: Vec<usize>,
    /// Point and axis of the joint or loop, where there is one.
    pub place: Option<Place>,
}

/// What a reason is, apart from coordinates: the same in every arithmetic.
pub(crate) type ReasonKey = (Cause, Option<Site>, Vec<usize>);

impl Reason {
    /// The principle it is an instance of.
    pub fn principle(&self) -> Principle {
        self.cause.principle()
    }

    /// Of a part of a mechanism whose bodies are these of the whole, told of the whole.
    pub(crate) fn rename(&mut self, bodies: &[usize]) {
        let place = self.place.iter_mut().filter_map(|place| place.body.as_mut());
        self.bodies.iter_mut().chain(place).for_each(|body| *body = bodies[*body]);
    }

    /// A reason without words: the numbers alone.
    pub(crate) fn unexplained(bodies: Vec<usize>) -> Self {
        Reason { cause: Cause::Unexplained, site: None, bodies, place: None }
    }

    /// A reason whose bodies are those that move, behind `ground` others among the bodies of the answer.
    /// `axis` is a direction of its first body, where the cause has one that no joint gives.
    pub(crate) fn new(ground: usize, key: ReasonKey, axis: Option<[f64; 3]>) -> Self {
        let (cause, site, mut bodies) = key;
        bodies.iter_mut().for_each(|body| *body += ground);
        let place = axis.map(|axis| Place { body: bodies.first().copied(), point: None, axis: unit(axis) });
        Reason { cause, site, bodies, place }
    }
}

/// Says where the joints and loops of reasons are; `ground` bodies stand before the moving ones.
pub(crate) fn locate(robot: &Robot, ground: usize, vectors: &mut [NullVector]) {
    let mut known: HashMap<Site, Option<Place>> = HashMap::new();
    let reasons = vectors.iter_mut().map(|vector| &mut vector.reason);
    for reason in reasons.filter(|reason| reason.place.is_none() && reason.cause.has_place()) {
        let Some(site) = &reason.site else { continue };
        let place = known.entry(site.clone()).or_insert_with(|| match site {
            Site::Joint(name) => joint_place(robot, name),
            Site::Loop(name) => loop_place(robot, name),
            Site::Coupling(_) => None,
        });
        reason.place = place.clone().map(|place| Place { body: place.body.map(|b| ground + b), ..place });
    }
}

/// Where a joint is, in the frame of the body that carries it: its centre, and its axis if it has one.
fn joint_place(robot: &Robot, name: &str) -> Option<Place> {
    let body = robot.bodies.iter().find(|body| body.joint.name == name)?;
    let joint = &body.joint;
    let axis = if joint.kind.has_axis() { Some(&joint.axis) } else { None };
    Some(placed(body.parent.map(|parent| parent.0), &joint.placement, axis))
}

/// Where a loop is closed, in the frame of its first side that moves.
fn loop_place(robot: &Robot, name: &str) -> Option<Place> {
    use steiner_robot::LoopKind as L;
    let closure = robot.loops.iter().find(|closure| closure.name == name)?;
    let side = if closure.predecessor.body.is_some() { &closure.predecessor } else { &closure.successor };
    let has_axis = matches!(closure.kind, L::Revolute | L::Prismatic | L::Cylindrical | L::Planar);
    let axis = has_axis.then_some(&closure.axis);
    Some(placed(side.body.map(|body| body.0), &side.frame, axis))
}

fn placed(body: Option<usize>, frame: &Frame, axis: Option<&[steiner_scalar::Exact; 3]>) -> Place {
    let pose = frame.pose();
    let direction = axis.and_then(|axis| evaluate_vector::<f64>(axis).ok());
    let axis = direction.and_then(|found| unit(pose.rotation.apply(found.value).0));
    Place { body, point: Some(pose.translation.0), axis }
}

fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = Vec3(v).dot(Vec3(v)).sqrt();
    (length > 0.0).then(|| v.map(|x| x / length))
}
