//! Shapes of links: points whose convex hull holds all of a link's material, from the geometry of a URDF or
//! the capsules of a native file.
//!
//! Meshes are STL, OBJ or Collada. What this does not do: other meshes; shapes of MJCF files.

mod collada;
mod obj;
mod primitives;
mod stl;

use std::path::{Path, PathBuf};

use steiner_files::Place;
use steiner_linalg::Vec3;
use steiner_robot::{Capsule, Frame, Pose, Robot};

use crate::error::FormatError;
use crate::read::{Format, ReadOptions, read_source};
use crate::snap::Snapper;
use crate::urdf::origin_frame;
use crate::xml::{self, Element};

/// Largest mesh that is read, MB.
const LARGEST_MESH: u64 = 512;

/// Points whose convex hull holds a body, with what they were taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyShape {
    /// In the frame of the body, m.
    pub points: Vec<[f64; 3]>,
    /// Where each box, cylinder, sphere or mesh ends among the points.
    pub ends: Vec<usize>,
    /// `collision geometry`, `visual geometry` or `capsules`.
    pub source: &'static str,
}

impl BodyShape {
    /// The points of each box, cylinder, sphere or mesh: the body is within their convex hulls.
    pub fn parts(&self) -> Vec<&[[f64; 3]]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.points[start..end]).collect()
    }
}

/// The shape of a body of a robot, of all links that move with it; `None` if its file says nothing about any
/// of them. `source` is what the robot was read from.
///
/// Collision geometry is taken where a link has some, for it is made to enclose the link; else what is drawn.
pub fn body_shape(
    robot: &Robot,
    body: &str,
    source: &str,
    options: &ReadOptions,
) -> Result<Option<BodyShape>, FormatError> {
    let Some(body) = robot.bodies.iter().find(|other| other.name == body) else { return Ok(None) };
    if !body.capsules.is_empty() {
        let (mut points, mut ends) = (Vec::new(), Vec::new());
        for Capsule { from, to, radius } in &body.capsules {
            let balls = [*from, *to].into_iter();
            points.extend(
                balls.flat_map(|end| primitives::sphere(*radius).into_iter().map(move |p| add(p, end))),
            );
            ends.push(points.len());
        }
        return Ok(Some(BodyShape { points, ends, source: "capsules" }));
    }
    let own = (body.name.as_str(), Pose::identity());
    let lumped = body.lumped.iter().map(|link| (link.name.as_str(), link.frame.pose()));
    let links: Vec<(&str, Pose<f64>)> = std::iter::once(own).chain(lumped).collect();
    let mut shape: Option<BodyShape> = None;
    for (_, own) in link_shapes(&links, source, options)? {
        let none = BodyShape { points: Vec::new(), ends: Vec::new(), source: own.source };
        let shape = shape.get_or_insert(none);
        let before = shape.points.len();
        shape.ends.extend(own.ends.iter().map(|end| before + end));
        shape.points.extend(own.points);
    }
    Ok(shape)
}

/// The shapes of links that are fixed to the ground, each with its name, in the base frame. Those of native files
/// are not kept.
pub fn ground_shapes(
    robot: &Robot,
    source: &str,
    options: &ReadOptions,
) -> Result<Vec<(String, BodyShape)>, FormatError> {
    let links: Vec<(&str, Pose<f64>)> =
        robot.ground.iter().map(|link| (link.name.as_str(), link.frame.pose())).collect();
    link_shapes(&links, source, options)
}

/// The shapes of links, each moved by its frame; those without geometry are left out.
fn link_shapes(
    links: &[(&str, Pose<f64>)],
    source: &str,
    options: &ReadOptions,
) -> Result<Vec<(String, BodyShape)>, FormatError> {
    let (text, format) = read_source(source)?;
    let place = Place::file(source);
    let text = match format {
        Format::Urdf => text,
        Format::Xacro => crate::xacro::expand(&text, &place, Some(Path::new(source)), options)?.text,
        Format::Toml | Format::Mjcf => return Ok(Vec::new()),
    };
    let document = xml::parse(&text, &place)?;
    let root = Element::new(document.root_element(), &document, &place);
    let elements: Vec<Element<'_>> = root.children().filter(|child| child.tag() == "link").collect();
    let reader = ShapeReader { source: Path::new(source), options };
    let mut out = Vec::new();
    for (name, frame) in links {
        let Some(link) = elements.iter().find(|link| link.attribute("name") == Some(name)) else { continue };
        if let Some(mut shape) = reader.link(link)? {
            shape.points.iter_mut().for_each(|p| *p = frame.point(Vec3(*p)).0);
            out.push(((*name).to_owned(), shape));
        }
    }
    Ok(out)
}

fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

struct ShapeReader<'a> {
    source: &'a Path,
    options: &'a ReadOptions,
}

impl ShapeReader<'_> {
    fn link(&self, link: &Element<'_>) -> Result<Option<BodyShape>, FormatError> {
        for (tag, source) in [("collision", "collision geometry"), ("visual", "visual geometry")] {
            let (mut points, mut ends) = (Vec::new(), Vec::new());
            for part in link.children().filter(|child| child.tag() == tag) {
                let pose = match part.child("origin") {
                    Some(origin) => origin_frame(&origin, &mut Snapper::new(self.options.snap))?,
                    None => Frame::identity(),
                }
                .pose();
                let Some(geometry) = part.child("geometry") else { continue };
                for form in geometry.children() {
                    points.extend(self.form(&form)?.into_iter().map(|p| pose.point(Vec3(p)).0));
                    ends.push(points.len());
                }
            }
            if !points.is_empty() {
                return Ok(Some(BodyShape { points, ends, source }));
            }
        }
        Ok(None)
    }

    fn form(&self, form: &Element<'_>) -> Result<Vec<[f64; 3]>, FormatError> {
        let three = |key: &str| -> Result<Option<[f64; 3]>, FormatError> {
            let exact = form.vector(key)?;
            Ok(exact.map(|three| three.map(|x| x.to_f64().unwrap_or(f64::NAN))))
        };
        match form.tag() {
            "box" => Ok(primitives::cuboid(
                three("size")?
                    .ok_or_else(|| form.wrong("the attribute `size` is missing", "give three lengths, m"))?,
            )),
            "cylinder" => {
                Ok(primitives::cylinder(form.required_double("radius")?, form.required_double("length")?))
            }
            "sphere" => Ok(primitives::sphere(form.required_double("radius")?)),
            "mesh" => {
                let written = form.required("filename")?;
                let path = self.locate(written, form)?;
                let scale = three("scale")?.unwrap_or([1.0; 3]);
                let points = read_mesh(&path).map_err(|(problem, remedy)| {
                    form.wrong(format!("the mesh {} {problem}", path.display()), remedy)
                })?;
                Ok(points.into_iter().map(|p| std::array::from_fn(|k| scale[k] * p[k])).collect())
            }
            other => Err(form.wrong(
                format!("the shape <{other}> is not known"),
                "use <mesh>, <box>, <cylinder> or <sphere>, or bound the centre of mass by a box",
            )),
        }
    }

    /// The file of a mesh: in its package, or relative to the robot's file.
    fn locate(&self, written: &str, form: &Element<'_>) -> Result<PathBuf, FormatError> {
        if let Some(rest) = written.strip_prefix("package://") {
            let (package, inside) = rest.split_once('/').unwrap_or((rest, ""));
            let folder = crate::xacro::find_package(package, &self.options.package_path, Some(self.source));
            return folder.map(|folder| folder.join(inside)).ok_or_else(|| {
                let problem = format!("the package `{package}` of the mesh {written} is nowhere to be found");
                FormatError::UnknownPackage { place: form.place(), element: form.describe(), problem }
            });
        }
        let path = Path::new(written.strip_prefix("file://").unwrap_or(written));
        let folder = self.source.parent().unwrap_or(Path::new(""));
        Ok(if path.is_relative() { folder.join(path) } else { path.to_owned() })
    }
}

/// What is wrong with a mesh, and what to do about it.
type MeshProblem = (String, &'static str);

/// The vertices of a mesh, m.
fn read_mesh(path: &Path) -> Result<Vec<[f64; 3]>, MeshProblem> {
    let check = "check its path, or bound the centre of mass by a box";
    let anew = "export it anew as binary STL or OBJ";
    let unreadable = |error: std::io::Error| (format!("cannot be read ({error})"), check);
    let megabytes = std::fs::metadata(path).map_err(unreadable)?.len() >> 20;
    if megabytes >= LARGEST_MESH {
        return Err((format!("has {megabytes} MB, which is more than {LARGEST_MESH}"), "simplify it"));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
    let points = match ending.as_str() {
        "stl" => stl::vertices(&bytes),
        "obj" => obj::vertices(&bytes),
        "dae" => collada::vertices(&bytes),
        _ => return Err(("is neither STL, OBJ nor Collada".to_owned(), "convert it to one of these")),
    }
    .map_err(|problem| (problem, anew))?;
    match points.iter().flatten().all(|x| x.is_finite()) {
        true if points.is_empty() => Err(("has no vertices".to_owned(), anew)),
        true => Ok(points),
        false => Err(("has vertices that are no finite numbers".to_owned(), anew)),
    }
}
