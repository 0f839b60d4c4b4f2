//! The optimal parametrisation, section 3.1 of \[iriarte2015\], and the vectors λ and Λ of section 4.1.
//!
//! The origin of each link is at the revolute joint towards the ground; behind a prismatic one, at any
//! revolute joint the link has, otherwise anywhere. λ are the coordinates of the other revolute joints in the
//! link's axes, Λ their squared distances.

use steiner_scalar::{Exact, Field};

use super::coordinates::{difference, named};
use super::linkage::{Linkage, Pair};
use super::note::PlanarNote;
use super::opening::Opening;

/// A length of the symbols: a coordinate of a joint's point, positive in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarLength {
    /// The file's name for it, or one made of those of the link and the joint.
    pub name: String,
    /// The coordinate is minus the length.
    pub negative: bool,
    /// The link in whose axes the coordinate is.
    pub link: usize,
    /// Which axis: 0 for x, 1 for y.
    pub axis: usize,
    /// The coordinate as the file has it, m.
    pub coordinate: Exact,
}

/// A squared distance Λ of a joint's point from its link's origin, where both coordinates are lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarSquare {
    /// A name for the distance, not squared.
    pub name: String,
    /// The lengths whose squares it is the sum of.
    pub lengths: [usize; 2],
}

/// A revolute joint's point in a link that is not the link's origin.
#[derive(Clone, Debug)]
pub(crate) struct JointPoint {
    pub(crate) link: usize,
    /// Joints at this point.
    pub(crate) joints: Vec<usize>,
    /// The lengths its coordinates are; `None` is zero.
    pub(crate) lengths: [Option<usize>; 2],
}

/// A linkage with the origins where the method wants them.
#[derive(Clone, Debug)]
pub(crate) struct Parametrisation {
    /// Origin of each link in its file frame, in the axes of the view, m.
    pub(crate) origins: Vec<[Exact; 2]>,
    /// Lengths that the coordinates of the origins are; `None` is zero.
    pub(crate) origin_lengths: Vec<[Option<usize>; 2]>,
    pub(crate) points: Vec<JointPoint>,
    /// λ, then the coordinates of origins that are not the file's.
    pub(crate) lengths: Vec<PlanarLength>,
    /// How many of the lengths are λ.
    pub(crate) searched: usize,
    /// Λ, where it is not the square of a single length.
    pub(crate) squares: Vec<PlanarSquare>,
    pub(crate) notes: Vec<PlanarNote>,
}

impl Parametrisation {
    /// Names that are taken: of the file's constants and of links.
    pub(crate) fn new(linkage: &Linkage, opening: &Opening, taken: &[String]) -> Self {
        let origins: Vec<[Exact; 2]> =
            (0..linkage.links.len()).map(|link| origin(linkage, opening, link)).collect();
        let mut out = Parametrisation {
            origin_lengths: Vec::new(),
            points: Vec::new(),
            lengths: Vec::new(),
            searched: 0,
            squares: Vec::new(),
            notes: Vec::new(),
            origins,
        };
        for link in 0..linkage.links.len() {
            let points = points_of(linkage, link, &out.origins[link]);
            let alone = points.len() == 1;
            for (coordinates, joints) in points {
                let what = match alone {
                    true => linkage.links[link].clone(),
                    false => format!("{}_{}", linkage.links[link], linkage.joints[joints[0]].name),
                };
                let lengths = out.named_pair("l", &what, link, &coordinates, taken);
                if let [Some(x), Some(y)] = lengths {
                    let name = out.square_name(x, y, &what, taken);
                    out.squares.push(PlanarSquare { name, lengths: [x, y] });
                }
                out.points.push(JointPoint { link, joints, lengths });
            }
        }
        out.searched = out.lengths.len();
        for link in 0..linkage.links.len() {
            let origin = out.origins[link].clone();
            let lengths = out.named_pair("o", &linkage.links[link], link, &origin, taken);
            if lengths.iter().any(Option::is_some) {
                out.notes.push(PlanarNote::FrameMoved { link: linkage.links[link].clone() });
            }
            out.origin_lengths.push(lengths);
        }
        out
    }

    /// Names for the two coordinates of a point that are not zero.
    fn named_pair(
        &mut self,
        letter: &str,
        what: &str,
        link: usize,
        coordinates: &[Exact; 2],
        taken: &[String],
    ) -> [Option<usize>; 2] {
        [0, 1].map(|axis| {
            let coordinate = &coordinates[axis];
            if coordinate.is_zero() {
                return None;
            }
            let (negative, name) = match named(coordinate) {
                Some((negative, name)) => (negative, name.to_owned()),
                None => {
                    let wanted = format!("{letter}{}_{what}", ["x", "y"][axis]);
                    (coordinate.to_f64().is_ok_and(|x| x < 0.0), self.free_name(&wanted, taken))
                }
            };
            self.lengths.push(PlanarLength { name, negative, link, axis, coordinate: coordinate.clone() });
            Some(self.lengths.len() - 1)
        })
    }

    fn free_name(&self, wanted: &str, taken: &[String]) -> String {
        let plain: String =
            wanted.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
        let is_free = |name: &String| {
            !taken.contains(name)
                && self.lengths.iter().all(|length| length.name != *name)
                && self.squares.iter().all(|square| square.name != *name)
        };
        let candidates = std::iter::once(plain.clone()).chain((2..).map(|k| format!("{plain}_{k}")));
        candidates.into_iter().find(is_free).unwrap_or(plain)
    }

    /// `l2` for the lengths `lx2` and `ly2`; otherwise a name of its own.
    fn square_name(&self, x: usize, y: usize, what: &str, taken: &[String]) -> String {
        let (x, y) = (&self.lengths[x].name, &self.lengths[y].name);
        let stripped = x.find('x').map(|at| format!("{}{}", &x[..at], &x[at + 1..]));
        let matches =
            |name: &String| y.find('y').is_some_and(|at| format!("{}{}", &y[..at], &y[at + 1..]) == *name);
        let is_name = |name: &String| name.starts_with(char::is_alphabetic) && !taken.contains(name);
        let wanted = stripped.filter(|name| is_name(name) && matches(name));
        self.free_name(&wanted.unwrap_or_else(|| format!("l_{what}")), taken)
    }

    /// Where a joint is in a link: `None` at the origin.
    pub(crate) fn point(&self, link: usize, joint: usize) -> Option<&JointPoint> {
        self.points.iter().find(|point| point.link == link && point.joints.contains(&joint))
    }

    /// The coordinates of a joint in a link, at given lengths.
    pub(crate) fn coordinates<F: Field>(&self, link: usize, joint: usize, lengths: &[F]) -> [F; 2] {
        let coordinate = |length: Option<usize>| match length {
            None => F::zero(),
            Some(k) if self.lengths[k].negative => -lengths[k].clone(),
            Some(k) => lengths[k].clone(),
        };
        self.point(link, joint).map_or([F::zero(), F::zero()], |point| point.lengths.map(coordinate))
    }
}

fn origin(linkage: &Linkage, opening: &Opening, link: usize) -> [Exact; 2] {
    let at = |joint: usize| {
        let joint = &linkage.joints[joint];
        joint.points[joint.side(link)].clone()
    };
    let is_revolute = |joint: &usize| linkage.joints[*joint].pair == Pair::Revolute;
    match opening.towards_ground[link] {
        Some(joint) if is_revolute(&joint) => at(joint),
        Some(_) => {
            let revolute: Vec<[Exact; 2]> =
                opening.outer(linkage, link).into_iter().filter(is_revolute).map(at).collect();
            let is_home = |point: &&[Exact; 2]| point.iter().all(Exact::is_zero);
            revolute.iter().find(is_home).or(revolute.first()).cloned().unwrap_or_else(nowhere)
        }
        None => nowhere(),
    }
}

/// The file's origin.
fn nowhere() -> [Exact; 2] {
    [Exact::zero(), Exact::zero()]
}

/// The points of revolute joints in a link that are not its origin, each once, with the joints there.
fn points_of(linkage: &Linkage, link: usize, origin: &[Exact; 2]) -> Vec<([Exact; 2], Vec<usize>)> {
    let mut points: Vec<([Exact; 2], Vec<usize>)> = Vec::new();
    for k in linkage.joints_of(link) {
        let joint = &linkage.joints[k];
        if joint.pair == Pair::Prismatic {
            continue;
        }
        let at = &joint.points[joint.side(link)];
        let relative = [difference(&at[0], &origin[0]), difference(&at[1], &origin[1])];
        if relative.iter().all(Exact::is_zero) {
            continue;
        }
        match points.iter_mut().find(|(other, _)| same_point(other, &relative)) {
            Some((_, joints)) => joints.push(k),
            None => points.push((relative, vec![k])),
        }
    }
    points
}

/// Two joints share a point if the file writes the same coordinates for both, or
/// the same numbers without names.
fn same_point(a: &[Exact; 2], b: &[Exact; 2]) -> bool {
    a.iter().zip(b).all(|(x, y)| {
        let is_plain = |x: &Exact| !x.mentions(&|_| true);
        x == y || (is_plain(x) && is_plain(y) && difference(x, y).is_zero())
    })
}
