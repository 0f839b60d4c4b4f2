//! The joints as the recursion sees them: constant motions, in units of the robot's own size.

use steiner_dynamics::{Column, Mechanism, Tree};
use steiner_linalg::{Vec3, norm};
use steiner_robot::Pose;
use steiner_scalar::Real;

use super::dual::six;
use super::rotors::{Gearing, gearings};
use super::subspace::ZeroTest;
use crate::error::IdentifiabilityError;

/// An elementary motion of the tree.
pub(super) struct Link<R> {
    /// The link it moves against; `None` is the ground.
    pub(super) parent: Option<usize>,
    /// Its frame in the parent's at the joint's zero, lengths in units of the robot's size.
    pub(super) pose: Pose<R>,
    /// Φ: the motion columns in its own axes, per speed of the leading coordinate.
    pub(super) columns: Vec<Column<R>>,
    /// How each column moves the link.
    orbits: Vec<Orbit<R>>,
}

impl<R: Real> Link<R> {
    /// The directions of the columns; a joint that a coupling holds still has none.
    pub(super) fn directions(&self) -> impl Iterator<Item = Column<R>> {
        self.columns.iter().filter_map(|c| Some(scaled(c, norm(&six(c)).try_inv()?)))
    }
}

/// The semisimple and the nilpotent part of Φ×: turning about a fixed line and sliding along it.
///
/// They commute and are polynomials in Φ× without constant term (Jordan and Chevalley), so a subspace is
/// closed under Φ× exactly if it is closed under both. A screw of small pitch then leads to no small numbers.
struct Orbit<R> {
    turn: Option<Column<R>>,
    slide: Option<Column<R>>,
}

/// Bodies on one carrier that move together: usually one, or a link with its rotors.
pub(super) struct Group {
    /// The link that carries them; `None` is the ground.
    pub(super) carrier: Option<usize>,
    pub(super) members: Vec<Member>,
}

/// A body with the elementary motions of its joint.
pub(super) struct Member {
    pub(super) body: usize,
    /// From the carrier to the body; the frames between them have no parameters.
    pub(super) links: std::ops::RangeInclusive<usize>,
}

/// All joints of a tree.
pub(super) struct Joints<R> {
    pub(super) links: Vec<Link<R>>,
    pub(super) groups: Vec<Group>,
    /// The link of each body.
    pub(super) link_of_body: Vec<usize>,
    /// Direction of gravity in base axes; zero without gravity.
    pub(super) gravity: Vec3<R>,
    /// The unit of length, m.
    pub(super) size: f64,
}

impl<R: Real> Joints<R> {
    pub(super) fn new(
        mechanism: &Mechanism,
        tree: &Tree<R>,
        zero_test: &ZeroTest,
    ) -> Result<Self, IdentifiabilityError> {
        let gearings = gearings(mechanism, tree)?;
        let poses = poses(tree, &gearings);
        let size = size(tree, &poses);
        let unit = R::from_f64(size).inv();
        let mut links: Vec<Link<R>> = tree
            .segments
            .iter()
            .zip(&poses)
            .zip(&gearings)
            .map(|((segment, pose), gearing)| {
                let per_size = |c: &Column<R>| Column { angular: c.angular, linear: c.linear.scale(unit) };
                let geared = |c: &Column<R>| scaled(&per_size(c), gearing.ratio);
                let orbit = |c: &Column<R>| Orbit::new(&per_size(c), gearing.ratio, zero_test);
                Link {
                    parent: segment.parent,
                    pose: Pose { rotation: pose.rotation, translation: pose.translation.scale(unit) },
                    columns: segment.columns.iter().map(geared).collect(),
                    orbits: segment.columns.iter().map(orbit).collect(),
                }
            })
            .collect();
        let groups = groups(tree, &gearings);
        for group in &groups {
            normalise(&mut links, group);
        }
        let strength = tree.gravity.dot(tree.gravity).sqrt();
        let gravity = if strength > R::zero() { tree.gravity.scale(strength.inv()) } else { Vec3::zero() };
        Ok(Joints { links, groups, link_of_body: tree.segment_of_body.clone(), gravity, size })
    }

    /// The motions by which links that share a coordinate are carried along, one twist per link each.
    ///
    /// Rotations at rates whose harmonics (once and twice the rate, as an inertia is quadratic) never meet
    /// are independent: the projections onto their eigenspaces are polynomials in the common operator.
    /// Taken apart they lead to no large powers of a gear ratio. All translations belong together, as
    /// their common eigenvalue is zero.
    pub(super) fn motions(&self, links: &[usize], zero_test: &ZeroTest) -> Vec<Motion<R>> {
        let freedoms = links.first().map_or(0, |&link| self.links[link].columns.len());
        let mut motions = Vec::new();
        for freedom in 0..freedoms {
            let orbits: Vec<&Orbit<R>> =
                links.iter().map(|&link| &self.links[link].orbits[freedom]).collect();
            let slides: Motion<R> = orbits.iter().map(|orbit| orbit.slide).collect();
            let mut turns: Vec<Motion<R>> = Vec::new();
            for (k, orbit) in orbits.iter().enumerate() {
                let Some(turn) = orbit.turn else { continue };
                let mut together = vec![None; links.len()];
                together[k] = Some(turn);
                let (meeting, apart) =
                    turns.into_iter().partition(|other: &Motion<R>| harmonics_meet(other, &turn, zero_test));
                turns = apart;
                for other in meeting {
                    together.iter_mut().zip(other).for_each(|(all, turn)| *all = all.or(turn));
                }
                turns.push(together);
            }
            motions.extend(turns.into_iter().chain([slides]).filter_map(normalised));
        }
        motions
    }
}

/// A motion of several links at once: the twist of each, if it moves.
pub(super) type Motion<R> = Vec<Option<Column<R>>>;

impl<R: Real> Orbit<R> {
    fn new(column: &Column<R>, ratio: R, zero_test: &ZeroTest) -> Self {
        let Column { angular, linear } = *column;
        let (zero, still) = (Vec3::zero(), ratio == R::zero());
        let square = angular.dot(angular);
        if square == R::zero() {
            let slide = (!still).then(|| scaled(column, ratio));
            return Orbit { turn: None, slide };
        }
        let pitch = linear.dot(angular) * square.inv();
        let advance = angular.scale(pitch);
        let turn = Column { angular, linear: linear - advance };
        let slides = !still && !zero_test.vanishes(pitch.abs().to_f64());
        Orbit {
            turn: (!still).then(|| scaled(&turn, ratio)),
            slide: slides.then(|| scaled(&Column { angular: zero, linear: advance }, ratio)),
        }
    }
}

/// Whether a rotation's harmonics (1 and 2 times its rate) are among those of others.
fn harmonics_meet<R: Real>(others: &Motion<R>, turn: &Column<R>, zero_test: &ZeroTest) -> bool {
    let rate = |c: &Column<R>| c.angular.dot(c.angular).sqrt();
    others.iter().flatten().any(|other| {
        let quotient = rate(other) * rate(turn).inv();
        [0.5, 1.0, 2.0].iter().any(|&factor| {
            zero_test.vanishes((quotient * R::from_f64(1.0 / factor) - R::one()).abs().to_f64())
        })
    })
}

fn scaled<R: Real>(c: &Column<R>, factor: R) -> Column<R> {
    Column { angular: c.angular.scale(factor), linear: c.linear.scale(factor) }
}

fn largest<'c, R: Real>(columns: impl Iterator<Item = &'c Column<R>>) -> R {
    columns.fold(R::zero(), |most, c| most.max(norm(&six(c))))
}

/// The motion at unit speed; `None` if nothing moves.
fn normalised<R: Real>(motion: Motion<R>) -> Option<Motion<R>> {
    let most = largest(motion.iter().flatten());
    let inverse = most.try_inv()?;
    Some(motion.into_iter().map(|c| c.map(|c| scaled(&c, inverse))).collect())
}

/// Gives the columns of a group the size of one; the ratios between its members stay.
fn normalise<R: Real>(links: &mut [Link<R>], group: &Group) {
    let first: Vec<usize> = group.members.iter().map(|member| *member.links.start()).collect();
    let later = group.members.iter().flat_map(|m| m.links.clone().skip(1)).map(|link| vec![link]);
    for together in std::iter::once(first).chain(later) {
        for freedom in 0..links[together[0]].columns.len() {
            let most = largest(together.iter().map(|&link| &links[link].columns[freedom]));
            let Some(inverse) = most.try_inv() else { continue };
            for &link in &together {
                let column = &mut links[link].columns[freedom];
                *column = scaled(column, inverse);
            }
        }
    }
}

/// Poses in the parents where every free coordinate is zero.
fn poses<R: Real>(tree: &Tree<R>, gearings: &[Gearing<R>]) -> Vec<Pose<R>> {
    let mut q = tree.neutral();
    for (segment, gearing) in tree.segments.iter().zip(gearings) {
        if segment.configuration_size() == 1 {
            q[segment.configuration] = gearing.offset;
        }
    }
    let pose = |segment: &steiner_dynamics::Segment<R>| {
        segment.pose_at(&q[segment.configuration..segment.configuration + segment.configuration_size()])
    };
    tree.segments.iter().map(pose).collect()
}

/// The longest length in the geometry, m: between joints, from an axis to its body's origin, or of a pitch.
fn size<R: Real>(tree: &Tree<R>, poses: &[Pose<R>]) -> f64 {
    let length = |v: Vec3<R>| v.dot(v).sqrt().to_f64();
    let distances = poses.iter().map(|pose| length(pose.translation));
    let turning = |c: &&Column<R>| c.angular != Vec3::zero();
    let arms = tree.segments.iter().flat_map(|s| s.columns.iter().filter(turning).map(|c| length(c.linear)));
    let longest = distances.chain(arms).fold(0.0, f64::max);
    if longest > 0.0 { longest } else { 1.0 }
}

/// Bodies whose joints start with the same coordinate from the same carrier, by their first body.
fn groups<R: Real>(tree: &Tree<R>, gearings: &[Gearing<R>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of_leader: Vec<Option<usize>> = vec![None; tree.segments.len()];
    let mut first = 0;
    for (body, &last) in tree.segment_of_body.iter().enumerate() {
        let member = Member { body, links: first..=last };
        let known = &mut group_of_leader[gearings[first].leader];
        match *known {
            Some(group) => groups[group].members.push(member),
            None => {
                *known = Some(groups.len());
                groups.push(Group { carrier: tree.segments[first].parent, members: vec![member] });
            }
        }
        first = last + 1;
    }
    groups
}
