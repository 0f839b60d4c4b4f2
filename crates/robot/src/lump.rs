//! Links that fixed joints weld together: no motion tells how a lump's inertia is shared among
//! them, but a file has to say it.
//!
//! With the pseudo-inertias N_i of the parts, all in the lump's frame, N = Σ N_i. A new whole N' is shared in
//! proportion by N_i' = A N_i Aᵀ with one affine map A of space and mass, N' = A N Aᵀ: the sum is N', every
//! mass changes by the same factor m'/m, and a part that was physically consistent before remains so. Of all
//! such maps, A is the one that moves the mass of the lump least (\[gelbrich1990\]): x ↦ c' + B (x − c) with
//!
//! B = Σ^{-½} (Σ^{½} Σ' Σ^{½})^{½} Σ^{-½},  Σ and Σ' the second moments about the centres, per mass.

use steiner_linalg::eigen::symmetric_eigen;
use steiner_linalg::{Mat3, Vec3};

use crate::frame::Pose;
use crate::inertia::{PseudoInertia, from_matrix, to_matrix};
use crate::note::LumpNote;
use crate::robot::Robot;

/// Who carries the inertia of links that are welded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Lumped {
    /// The link that moves has all of it; those fixed to it have none.
    #[default]
    MovingLink,
    /// All parts of the lump, in proportion to what they had: see the head of `lump.rs`.
    Proportional,
}

/// One link of a lump.
#[derive(Clone, Debug, PartialEq)]
pub struct LumpPart {
    /// Name of the link.
    pub link: String,
    /// Its frame in that of the lump's first link.
    pub pose: Pose<f64>,
    /// Its own inertia in its own frame; `None` when the file gives none.
    pub inertia: Option<PseudoInertia>,
}

/// A lump thinner than this part of its extent is given that thickness before it is deformed: a rod
/// cannot be stretched into a ball.
const THINNEST: f64 = 1e-6;

impl Robot {
    /// The links that move as one with a moving body, or rest as one with a link on the ground: that link
    /// first. `None` if no body and no link on the ground has the name.
    pub fn lump(&self, link: &str) -> Option<Vec<LumpPart>> {
        if let Some(body) = self.bodies.iter().find(|body| body.name == link) {
            let own = LumpPart { link: link.to_owned(), pose: Pose::identity(), inertia: body.own_inertia };
            let fixed = body.lumped.iter().map(|part| LumpPart {
                link: part.name.clone(),
                pose: part.frame.pose(),
                inertia: part.inertia,
            });
            return Some([own].into_iter().chain(fixed).collect());
        }
        let home = self.ground.iter().find(|part| part.name == link)?.frame.pose().inverse();
        let carried = self.ground.iter().filter(|part| self.is_fixed_on(&part.name, link));
        let part = |part: &crate::robot::LumpedLink| LumpPart {
            link: part.name.clone(),
            pose: home.then(&part.frame.pose()),
            inertia: part.inertia,
        };
        let mut parts: Vec<LumpPart> = carried.map(part).collect();
        parts.sort_by_key(|part| part.link != link);
        Some(parts)
    }

    /// Whether a link is another one or hangs on it.
    fn is_fixed_on(&self, link: &str, carrier: &str) -> bool {
        let mut at = link;
        loop {
            if at == carrier {
                return true;
            }
            let joint = self.description.joints.iter().find(|joint| joint.child == at);
            match joint.and_then(|joint| joint.parent.as_deref()) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
    }
}

/// The inertia of all parts together, in the lump's frame.
pub fn whole_of(parts: &[LumpPart]) -> PseudoInertia {
    parts.iter().filter_map(in_lump).fold(PseudoInertia::ZERO, |sum, part| sum.plus(&part))
}

fn in_lump(part: &LumpPart) -> Option<PseudoInertia> {
    part.inertia.map(|inertia| inertia.moved(&part.pose.rotation, part.pose.translation.0))
}

/// What the parts of a lump have after it was shared anew, in the frames of the parts.
pub(crate) struct Shares {
    /// For each part; `None` for those that have no inertia in the file and get none.
    pub(crate) inertias: Vec<Option<PseudoInertia>>,
    /// What a user should know.
    pub(crate) notes: Vec<LumpNote>,
}

/// Shares a new inertia of a whole lump, given in the frame of its first link, among its parts. In those
/// frames their sum is the whole, up to the rounding of doubles. `Err` says why the whole cannot be shared in
/// proportion: it would not be physically consistent.
pub(crate) fn shared(parts: &[LumpPart], whole: &PseudoInertia, lumped: Lumped) -> Result<Shares, String> {
    let Some((first, rest)) = parts.split_first() else {
        return Ok(Shares { inertias: Vec::new(), notes: Vec::new() });
    };
    let taken_over = || Shares {
        inertias: [Some(*whole)]
            .into_iter()
            .chain(rest.iter().map(|part| part.inertia.map(|_| PseudoInertia::ZERO)))
            .collect(),
        notes: Vec::new(),
    };
    let emptied: Vec<String> = rest
        .iter()
        .filter(|part| part.inertia.is_some_and(|inertia| inertia != PseudoInertia::ZERO))
        .map(|part| part.link.clone())
        .collect();
    if rest.iter().all(|part| part.inertia.is_none()) {
        return Ok(taken_over());
    }
    if lumped == Lumped::MovingLink {
        let mut shares = taken_over();
        if !emptied.is_empty() {
            shares.notes.push(LumpNote::TakenOver { link: first.link.clone(), emptied });
        }
        return Ok(shares);
    }
    whole.check().map_err(|problem| problem.to_string())?;
    let mut notes = Vec::new();
    let mut standing: Vec<Option<PseudoInertia>> = Vec::new();
    for part in parts {
        let given = in_lump(part);
        let possible = given.map(|given| if given.check().is_ok() { given } else { nearest_body(&given) });
        if given != possible {
            notes.push(LumpNote::NearestBody { link: part.link.clone(), lump: first.link.clone() });
        }
        standing.push(possible);
    }
    let before = standing.iter().flatten().fold(PseudoInertia::ZERO, |sum, part| sum.plus(part));
    if before.mass <= 0.0 {
        let mut shares = taken_over();
        shares.notes.push(LumpNote::NoMass { link: first.link.clone() });
        return Ok(shares);
    }
    let deformation = Deformation::between(&before, whole);
    let mut inertias: Vec<Option<PseudoInertia>> =
        standing.iter().map(|part| part.map(|part| deformation.apply(&part))).collect();
    // What rounding left over goes to the heaviest part.
    let sum = inertias.iter().flatten().fold(PseudoInertia::ZERO, |sum, part| sum.plus(part));
    let heaviest = inertias.iter_mut().flatten().max_by(|a, b| a.mass.total_cmp(&b.mass));
    if let Some(part) = heaviest {
        *part = part.plus(&whole.minus(&sum));
    }
    let own = |(part, inertia): (&LumpPart, Option<PseudoInertia>)| {
        let back = part.pose.inverse();
        inertia.map(|inertia| inertia.moved(&back.rotation, back.translation.0))
    };
    Ok(Shares { inertias: parts.iter().zip(inertias).map(own).collect(), notes })
}

/// The body with the same mass and centre whose second moments are nearest; nothing where there is no mass.
fn nearest_body(inertia: &PseudoInertia) -> PseudoInertia {
    let numbers = inertia.first.iter().chain(&inertia.second).chain([&inertia.mass]);
    if inertia.mass <= 0.0 || numbers.into_iter().any(|x| !x.is_finite()) {
        return PseudoInertia::ZERO;
    }
    let about = spectral(&to_matrix(inertia.second_about_centre()), |x| x.max(0.0));
    with_centre(inertia.mass, inertia.centred().com, &about)
}

/// A function of a symmetric matrix: of its eigenvalues.
fn spectral(m: &Mat3<f64>, function: impl Fn(f64) -> f64) -> Mat3<f64> {
    let (values, vectors) = symmetric_eigen(&m.0);
    let vectors = Mat3(vectors);
    let scaled = Mat3::from_columns(std::array::from_fn(|k| vectors.column(k).scale(function(values[k]))));
    scaled * vectors.transpose()
}

fn with_centre(mass: f64, com: [f64; 3], about: &Mat3<f64>) -> PseudoInertia {
    let centred = PseudoInertia { mass, first: [0.0; 3], second: from_matrix(about) };
    centred.moved(&Mat3::identity(), com)
}

/// x ↦ c' + B (x − c), with masses times a factor.
struct Deformation {
    factor: f64,
    from: Vec3<f64>,
    to: Vec3<f64>,
    stretch: Mat3<f64>,
    /// Second moments per mass that are added before, so that flat lumps have some thickness.
    thickness: f64,
}

impl Deformation {
    /// From a body with mass to another.
    fn between(before: &PseudoInertia, after: &PseudoInertia) -> Self {
        let per_mass = |body: &PseudoInertia| {
            let about = to_matrix(body.second_about_centre());
            if body.mass > 0.0 { about.scale(1.0 / body.mass) } else { Mat3::zero() }
        };
        let (mut source, target) = (per_mass(before), per_mass(after));
        let ([least, _, most], _) = symmetric_eigen(&source.0);
        let ([_, _, most_wanted], _) = symmetric_eigen(&target.0);
        let wanted = THINNEST * most.max(THINNEST * most_wanted).max(0.0);
        let thickness = if least < wanted { wanted } else { 0.0 };
        source = source.plus_scaled(thickness, &Mat3::identity());
        let power =
            |m: &Mat3<f64>, exponent: f64| spectral(m, |x| if x > 0.0 { x.powf(exponent) } else { 0.0 });
        let (root, inverse_root) = (power(&source, 0.5), power(&source, -0.5));
        let stretch = inverse_root * power(&(root * target * root), 0.5) * inverse_root;
        Deformation {
            factor: after.mass / before.mass,
            from: Vec3(before.centred().com),
            to: Vec3(after.centred().com),
            stretch,
            thickness,
        }
    }

    fn apply(&self, part: &PseudoInertia) -> PseudoInertia {
        let mut part = *part;
        for k in [0, 2, 5] {
            part.second[k] += self.thickness * part.mass;
        }
        // `moved` is N ↦ T N Tᵀ for any affine T, not only for rotations.
        let at_centre = part.moved(&Mat3::identity(), (-self.from).0);
        let moved = at_centre.moved(&self.stretch, self.to.0);
        PseudoInertia {
            mass: self.factor * moved.mass,
            first: moved.first.map(|h| self.factor * h),
            second: moved.second.map(|s| self.factor * s),
        }
    }
}
