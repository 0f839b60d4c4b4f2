//! `<geom>`: mass and inertia of primitive shapes, as MuJoCo computes them.

use std::f64::consts::PI;

use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{Capsule, CentredInertia, Pose, PseudoInertia};

use super::compiler::{Compiler, boolean, doubles};
use super::defaults::Styled;
use super::orientation::frame_of;
use super::tree::Part;
use crate::error::FormatError;
use crate::snap::Snapper;

/// A primitive shape about its centre; lengths in m, the long axis along z.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Sphere {
        radius: f64,
    },
    Capsule {
        radius: f64,
        half_length: f64,
    },
    Cylinder {
        radius: f64,
        half_length: f64,
    },
    /// Half axes.
    Ellipsoid([f64; 3]),
    /// Half edges.
    Box([f64; 3]),
}

/// What a geom adds to its body.
pub(super) struct Geom {
    pub(super) group: f64,
    pub(super) mass: GeomMass,
    /// For collision checks, in the body frame; only round shapes that can collide have one.
    pub(super) capsule: Option<Capsule>,
}

/// The inertia of a geom in the body frame.
pub(super) enum GeomMass {
    Known(PseudoInertia),
    /// Planes and height fields weigh nothing.
    Nothing,
    /// Only the mesh would tell.
    InMesh,
}

impl Geom {
    /// Reads a geom of a body; `part.frame` is the `<frame>` around it.
    pub(super) fn read(
        styled: &Styled<'_>,
        part: &Part<'_>,
        compiler: &Compiler,
    ) -> Result<Geom, FormatError> {
        let element = &styled.own;
        let group = styled.source("group").double("group")?.unwrap_or(0.0);
        let mass = styled.source("mass").double("mass")?;
        let density = styled.source("density").double("density")?.unwrap_or(1000.0);
        let weightless = mass.map_or(density == 0.0, |mass| mass == 0.0);
        if mass.is_some_and(|mass| mass < 0.0) || density < 0.0 {
            return Err(element.inertia("its mass or density is negative"));
        }
        let word = styled.attribute("type").unwrap_or("sphere");
        let of_mesh = matches!(word, "mesh" | "sdf") || styled.attribute("mesh").is_some();
        if of_mesh || matches!(word, "plane" | "hfield") {
            let unknown = of_mesh && !weightless;
            let mass = if unknown { GeomMass::InMesh } else { GeomMass::Nothing };
            return Ok(Geom { group, mass, capsule: None });
        }
        let (shape, pose) = shape_and_pose(styled, word, part, compiler)?;
        let shell = boolean(styled.source("shellinertia"), "shellinertia")?.unwrap_or(false);
        let extent = if shell { shape.area() } else { shape.volume() };
        let mass = mass.unwrap_or(density * extent);
        let [xx, yy, zz] = if shell { shape.shell_moments(mass) } else { shape.solid_moments(mass) };
        let centred = CentredInertia { mass, com: [0.0; 3], tensor: [xx, 0.0, yy, 0.0, 0.0, zz] };
        let inertia = PseudoInertia::from_centred(&centred).moved(&pose.rotation, pose.translation.0);
        let mass = if weightless { GeomMass::Nothing } else { GeomMass::Known(inertia) };
        let collides = ["contype", "conaffinity"].iter().any(|key| styled.attribute(key) != Some("0"));
        let capsule = if collides { shape.capsule(&pose) } else { None };
        Ok(Geom { group, mass, capsule })
    }
}

fn shape_and_pose(
    styled: &Styled<'_>,
    word: &str,
    part: &Part<'_>,
    compiler: &Compiler,
) -> Result<(Shape, Pose<f64>), FormatError> {
    let element = &styled.own;
    let size = doubles(styled.source("size"), "size")?.unwrap_or_default();
    let ends = doubles(styled.source("fromto"), "fromto")?;
    let outer = part.frame.evaluate::<f64>().map_err(|error| element.number(error.to_string()))?.value;
    let elongated = matches!(word, "capsule" | "cylinder" | "ellipsoid" | "box");
    let (own, half_length) = match ends {
        Some(ends) if elongated => {
            let ends = <[f64; 6]>::try_from(ends)
                .map_err(|_| element.wrong("fromto needs six numbers", "give two points"))?;
            let (pose, half) = between(ends)
                .ok_or_else(|| element.wrong("fromto: the two points coincide", "move one of them"))?;
            (pose, Some(half))
        }
        _ => {
            // As with an inertial frame, this is a measurement: nothing is snapped.
            let frame = frame_of(styled, compiler, &mut Snapper::new(0.0))?;
            (frame.evaluate::<f64>().map_err(|error| element.number(error.to_string()))?.value, None)
        }
    };
    let at = |k: usize| match size.get(k) {
        Some(x) if *x > 0.0 => Ok(*x),
        Some(x) => Err(element.wrong(format!("size {} of the {word} is {x}", k + 1), "make it positive")),
        None => Err(element
            .wrong(format!("a {word} needs more sizes than the {} given", size.len()), "add them to `size`")),
    };
    let long = |k: usize| half_length.map_or_else(|| at(k), Ok);
    let three = || -> Result<[f64; 3], FormatError> {
        Ok(match half_length {
            Some(half) => [at(0)?, at(0)?, half],
            None => [at(0)?, at(1)?, at(2)?],
        })
    };
    let shape = match word {
        "sphere" => Shape::Sphere { radius: at(0)? },
        "capsule" => Shape::Capsule { radius: at(0)?, half_length: long(1)? },
        "cylinder" => Shape::Cylinder { radius: at(0)?, half_length: long(1)? },
        "ellipsoid" => Shape::Ellipsoid(three()?),
        "box" => Shape::Box(three()?),
        other => {
            return Err(styled.source("type").wrong(
                format!("`{other}` is not a kind of geom"),
                "use one of plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf",
            ));
        }
    };
    Ok((shape, outer.then(&own)))
}

/// A pose halfway between two points, z along them, and half their distance.
fn between([x0, y0, z0, x1, y1, z1]: [f64; 6]) -> Option<(Pose<f64>, f64)> {
    // MuJoCo's direction; the shapes don't mind, but their inertial axes follow it.
    let [x, y, z] = [x0 - x1, y0 - y1, z0 - z1];
    let length = Vec3([x, y, z]).dot(Vec3([x, y, z])).sqrt();
    if length.is_nan() || length < 1e-14 {
        return None;
    }
    let downward = (x * x + y * y).sqrt() < 1e-10 * length && z < 0.0;
    let rotation = if downward {
        Mat3::from_quaternion(0.0, Vec3([1.0, 0.0, 0.0]))
    } else {
        Mat3::from_quaternion(length + z, Vec3([-y, x, 0.0]))
    };
    let translation = Vec3([0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * (z0 + z1)]);
    Some((Pose { rotation, translation }, 0.5 * length))
}

fn ellipsoid_moments(mass: f64, [a, b, c]: [f64; 3]) -> [f64; 3] {
    [b * b + c * c, a * a + c * c, a * a + b * b].map(|squares| mass * squares / 5.0)
}

impl Shape {
    /// m³
    fn volume(&self) -> f64 {
        match *self {
            Shape::Sphere { radius: r } => 4.0 * PI / 3.0 * r * r * r,
            Shape::Capsule { radius: r, half_length: h } => PI * r * r * (2.0 * h + 4.0 / 3.0 * r),
            Shape::Cylinder { radius: r, half_length: h } => PI * r * r * 2.0 * h,
            Shape::Ellipsoid([a, b, c]) => 4.0 * PI / 3.0 * a * b * c,
            Shape::Box([a, b, c]) => 8.0 * a * b * c,
        }
    }

    /// m²
    fn area(&self) -> f64 {
        match *self {
            Shape::Sphere { radius: r } => 4.0 * PI * r * r,
            Shape::Capsule { radius: r, half_length: h } => 4.0 * PI * r * (h + r),
            Shape::Cylinder { radius: r, half_length: h } => 2.0 * PI * r * (2.0 * h + r),
            Shape::Ellipsoid([a, b, c]) => {
                // Thomsen's approximation, as in MuJoCo.
                let p = 1.6075;
                let mean = ((a * b).powf(p) + (b * c).powf(p) + (c * a).powf(p)) / 3.0;
                4.0 * PI * mean.powf(1.0 / p)
            }
            Shape::Box([a, b, c]) => 8.0 * (a * b + b * c + c * a),
        }
    }

    /// Principal moments about the centre of a homogeneous solid, kg·m².
    fn solid_moments(&self, mass: f64) -> [f64; 3] {
        match *self {
            Shape::Sphere { radius: r } => [0.4 * mass * r * r; 3],
            Shape::Cylinder { radius: r, half_length: h } => {
                let across = mass * (3.0 * r * r + 4.0 * h * h) / 12.0;
                [across, across, 0.5 * mass * r * r]
            }
            Shape::Capsule { radius: r, half_length: h } => {
                // A cylinder between the halves of a sphere, whose centroids lie 3r/8 beyond its ends.
                let balls = mass * 2.0 * r / (2.0 * r + 3.0 * h);
                let rod = mass - balls;
                let across =
                    rod * (3.0 * r * r + 4.0 * h * h) / 12.0 + balls * (0.4 * r * r + h * h + 0.75 * h * r);
                [across, across, (0.5 * rod + 0.4 * balls) * r * r]
            }
            Shape::Ellipsoid(axes) => ellipsoid_moments(mass, axes),
            Shape::Box([a, b, c]) => {
                [b * b + c * c, a * a + c * c, a * a + b * b].map(|squares| mass * squares / 3.0)
            }
        }
    }

    /// Principal moments about the centre of a homogeneous surface, kg·m².
    fn shell_moments(&self, mass: f64) -> [f64; 3] {
        match *self {
            Shape::Sphere { radius: r } => [mass * r * r / 1.5; 3],
            Shape::Cylinder { radius: r, half_length: h } => {
                let lids = mass * r / (2.0 * h + r);
                let tube = mass - lids;
                let across = tube * (0.5 * r * r + h * h / 3.0) + lids * (0.25 * r * r + h * h);
                [across, across, (tube + 0.5 * lids) * r * r]
            }
            Shape::Capsule { radius: r, half_length: h } => {
                let balls = mass * r / (h + r);
                let tube = mass - balls;
                let across = tube * (0.5 * r * r + h * h / 3.0) + balls * (r * r / 1.5 + h * h + h * r);
                [across, across, (tube + balls / 1.5) * r * r]
            }
            Shape::Ellipsoid(axes) => {
                // MuJoCo takes the difference of two ellipsoids, one a micrometre larger.
                let larger = axes.map(|axis| axis + 1e-6);
                let (inner, outer) = (self.volume(), Shape::Ellipsoid(larger).volume());
                let density = mass / (outer - inner);
                let (less, more) =
                    (ellipsoid_moments(density * inner, axes), ellipsoid_moments(density * outer, larger));
                std::array::from_fn(|k| more[k] - less[k])
            }
            Shape::Box([a, b, c]) => {
                let total = a * b + b * c + c * a;
                // Second moments ∫x², ∫y², ∫z² over the six faces.
                let [xx, yy, zz] = [(a, b, c), (b, c, a), (c, a, b)].map(|(own, u, v)| {
                    let facing = u * v;
                    mass * own * own * (facing + (total - facing) / 3.0) / total
                });
                [yy + zz, xx + zz, xx + yy]
            }
        }
    }

    fn capsule(&self, pose: &Pose<f64>) -> Option<Capsule> {
        let (radius, half) = match *self {
            Shape::Sphere { radius } => (radius, 0.0),
            Shape::Capsule { radius, half_length } => (radius, half_length),
            _ => return None,
        };
        let end = |z: f64| pose.point(Vec3([0.0, 0.0, z])).0;
        Some(Capsule { from: end(-half), to: end(half), radius })
    }
}
