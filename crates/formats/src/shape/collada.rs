//! Collada: the points of the geometries that a scene shows, where its nodes put them.
//!
//! As RViz and Pinocchio do, lengths are multiplied by the file's unit and its up axis is not turned.
//!
//! What this does not do: skinned geometry, `<lookat>` and `<skew>`, which are refused.

use std::collections::HashMap;
use std::rc::Rc;
use std::str::FromStr;

use roxmltree::{Document, Node, NodeId};
use steiner_files::Place;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;

use crate::error::FormatError;
use crate::xml;

/// A node may show others again and again: how deep, how many, and how many points.
const DEEPEST_NODE: usize = 100;
const MOST_NODES: usize = 100_000;
const MOST_POINTS: usize = 5_000_000;

/// What a mesh is covered with.
const SURFACES: [&str; 5] = ["triangles", "polylist", "polygons", "trifans", "tristrips"];

/// The points of the scene, m.
pub(super) fn vertices(bytes: &[u8]) -> Result<Vec<[f64; 3]>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not text in UTF-8".to_owned())?;
    let document = xml::parse(text, &Place::default()).map_err(|error| match error {
        FormatError::Syntax { reason, .. } => format!("is not well formed ({reason})"),
        error => format!("is not well formed ({error})"),
    })?;
    let root = document.root_element();
    if !is(&root, "COLLADA") {
        return Err(format!("is no Collada file (it starts with <{}>)", root.tag_name().name()));
    }
    let unit = match child(root, "asset").and_then(|asset| child(asset, "unit")?.attribute("meter")) {
        Some(meter) => {
            meter.trim().parse().map_err(|_| format!("has the unit `{meter}`, which is no number"))?
        }
        None => 1.0,
    };
    let by_id = document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let mut scene =
        Scene { document: &document, by_id, of_geometry: HashMap::new(), visited: 0, points: Vec::new() };
    let whole = Pose { rotation: Mat3::identity().scale(unit), translation: Vec3::zero() };
    match child(root, "scene").and_then(|scene| child(scene, "instance_visual_scene")) {
        Some(instance) => {
            let shown = scene.target(instance, "url")?;
            scene.visit(shown, &whole, 0)?;
        }
        // Without a scene, all there is.
        None => {
            for geometry in document.descendants().filter(|node| is(node, "geometry")) {
                scene.geometry(geometry, &whole)?;
            }
        }
    }
    Ok(scene.points)
}

fn is(node: &Node<'_, '_>, tag: &str) -> bool {
    node.tag_name().name() == tag
}

fn child<'a, 'i>(node: Node<'a, 'i>, tag: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| is(child, tag))
}

struct Scene<'a, 'i> {
    document: &'a Document<'i>,
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    /// The points of geometries met so far: thousands of nodes may show the same one.
    of_geometry: HashMap<NodeId, Rc<[[f64; 3]]>>,
    visited: usize,
    points: Vec<[f64; 3]>,
}

impl<'a, 'i> Scene<'a, 'i> {
    fn line(&self, node: Node<'a, 'i>) -> u32 {
        self.document.text_pos_at(node.range().start).row
    }

    /// What an attribute `#id` refers to.
    fn target(&self, node: Node<'a, 'i>, key: &str) -> Result<Node<'a, 'i>, String> {
        let id = node.attribute(key).unwrap_or("");
        let found = id.strip_prefix('#').and_then(|id| self.by_id.get(id).copied());
        found.ok_or_else(|| {
            format!(
                "refers to `{id}`, which is not in it (line {}, <{}>)",
                self.line(node),
                node.tag_name().name()
            )
        })
    }

    /// The numbers of an element.
    fn numbers<T: FromStr>(&self, node: Node<'a, 'i>) -> Result<Vec<T>, String> {
        let words = node.text().unwrap_or("").split_ascii_whitespace();
        words.map(str::parse).collect::<Result<_, _>>().map_err(|_| {
            format!("has a number that is none (line {}, <{}>)", self.line(node), node.tag_name().name())
        })
    }

    fn exactly<const N: usize>(&self, node: Node<'a, 'i>) -> Result<[f64; N], String> {
        self.numbers(node)?.try_into().map_err(|found: Vec<f64>| {
            let (line, tag) = (self.line(node), node.tag_name().name());
            format!("has {} numbers where {N} are needed (line {line}, <{tag}>)", found.len())
        })
    }

    /// A node of the scene with all it holds; displacements act in the order they
    /// are written, the outermost first.
    fn visit(&mut self, node: Node<'a, 'i>, outer: &Pose<f64>, depth: usize) -> Result<(), String> {
        self.visited += 1;
        if depth > DEEPEST_NODE || self.visited > MOST_NODES {
            return Err(format!("shows more than {MOST_NODES} nodes, or nodes within themselves"));
        }
        let mut pose = *outer;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "translate" => pose = pose.then(&moved(self.exactly(child)?)),
                "rotate" => pose = pose.then(&turned(self.exactly(child)?)),
                "scale" => pose = pose.then(&scaled(self.exactly(child)?)),
                "matrix" => pose = pose.then(&affine(&self.exactly(child)?)),
                tag @ ("lookat" | "skew" | "instance_controller") => {
                    return Err(format!(
                        "uses <{tag}> (line {}), which Steiner does not read",
                        self.line(child)
                    ));
                }
                "node" => self.visit(child, &pose, depth + 1)?,
                "instance_node" => {
                    let shown = self.target(child, "url")?;
                    self.visit(shown, &pose, depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.target(child, "url")?;
                    self.geometry(geometry, &pose)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Shows a geometry.
    fn geometry(&mut self, geometry: Node<'a, 'i>, pose: &Pose<f64>) -> Result<(), String> {
        self.visited += 1;
        let points = match self.of_geometry.get(&geometry.id()) {
            Some(points) => points.clone(),
            None => self.used_points(geometry)?.into(),
        };
        if self.visited > MOST_NODES || self.points.len() + points.len() > MOST_POINTS {
            return Err(format!("shows more than {MOST_NODES} nodes or {MOST_POINTS} points"));
        }
        self.points.extend(points.iter().map(|p| pose.point(Vec3(*p)).0));
        self.of_geometry.insert(geometry.id(), points);
        Ok(())
    }

    /// The positions that the surfaces of a mesh use; files may list more.
    fn used_points(&self, geometry: Node<'a, 'i>) -> Result<Vec<[f64; 3]>, String> {
        let none = || Ok(Vec::new());
        let Some(mesh) = child(geometry, "mesh") else { return none() };
        let Some(vertices) = child(mesh, "vertices") else { return none() };
        let is_position = |input: &Node<'_, '_>| input.attribute("semantic") == Some("POSITION");
        let Some(input) = vertices.children().find(is_position) else { return none() };
        let source = self.target(input, "source")?;
        let Some(array) = child(source, "float_array") else { return none() };
        let accessor = child(source, "technique_common").and_then(|common| child(common, "accessor"));
        let number = |key: &str| accessor.and_then(|accessor| accessor.attribute(key)?.trim().parse().ok());
        let (stride, offset) = (number("stride").unwrap_or(3), number("offset").unwrap_or(0));
        if stride < 3 {
            return Err(format!("has points of {stride} numbers (line {})", self.line(source)));
        }
        let numbers: Vec<f64> = self.numbers(array)?;
        let points = numbers.get(offset..).unwrap_or(&[]).chunks(stride).filter(|point| point.len() >= 3);
        let points: Vec<&[f64]> = points.collect();
        let mut used = vec![false; points.len()];
        for surface in mesh.children().filter(|node| SURFACES.contains(&node.tag_name().name())) {
            self.mark(surface, &mut used)?;
        }
        let used = points.iter().zip(used).filter(|(_, used)| *used);
        Ok(used.map(|(p, _)| [p[0], p[1], p[2]]).collect())
    }

    /// Marks the vertices of a surface: its indices are of several kinds, one after the other.
    fn mark(&self, surface: Node<'a, 'i>, used: &mut [bool]) -> Result<(), String> {
        let inputs = surface.children().filter(|node| is(node, "input"));
        let place =
            |input: Node<'_, '_>| input.attribute("offset").and_then(|k| k.trim().parse::<usize>().ok());
        let places = inputs.clone().map(|input| place(input).unwrap_or(0));
        let kinds = places.max().unwrap_or(0).saturating_add(1);
        let own = inputs.clone().find(|input| input.attribute("semantic") == Some("VERTEX")).and_then(place);
        for indices in surface.descendants().filter(|node| is(node, "p")) {
            let count = used.len();
            for &index in self.numbers::<usize>(indices)?.iter().skip(own.unwrap_or(0)).step_by(kinds) {
                *used.get_mut(index).ok_or_else(|| {
                    format!("uses the point {index} of {count} (line {}, <p>)", self.line(indices))
                })? = true;
            }
        }
        Ok(())
    }
}

fn moved(by: [f64; 3]) -> Pose<f64> {
    Pose { rotation: Mat3::identity(), translation: Vec3(by) }
}

/// About an axis of any length, by degrees.
fn turned([x, y, z, degrees]: [f64; 4]) -> Pose<f64> {
    let length = x.hypot(y).hypot(z);
    if length == 0.0 {
        return Pose::identity();
    }
    let (sin, cos) = (0.5 * degrees.to_radians()).sin_cos();
    let rotation = Mat3::from_quaternion(cos, Vec3([x, y, z]).scale(sin / length));
    Pose { rotation, translation: Vec3::zero() }
}

fn scaled(by: [f64; 3]) -> Pose<f64> {
    let rotation = Mat3(std::array::from_fn(|r| std::array::from_fn(|c| if r == c { by[r] } else { 0.0 })));
    Pose { rotation, translation: Vec3::zero() }
}

/// From the sixteen numbers of a homogeneous matrix, by rows.
fn affine(rows: &[f64; 16]) -> Pose<f64> {
    Pose {
        rotation: Mat3(std::array::from_fn(|r| std::array::from_fn(|c| rows[4 * r + c]))),
        translation: Vec3(std::array::from_fn(|r| rows[4 * r + 3])),
    }
}

#[cfg(test)]
mod tests {
    use super::vertices;

    /// A triangle in millimetres, shown twice: turned by 90° about z one metre along x, and
    /// inside a scaled node of the library.
    const TRIANGLE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="millimeter" meter="0.001"/><up_axis>Y_UP</up_axis></asset>
  <library_geometries>
    <geometry id="t"><mesh>
      <source id="p"><float_array id="a" count="12">0 0 0 1000 0 0 0 200 -3e3 9 9 9</float_array>
        <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
      <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
      <triangles count="1"><input semantic="VERTEX" source="#v" offset="1"/>
        <input semantic="NORMAL" source="#n" offset="0"/><p>7 0 8 1 9 2</p></triangles>
    </mesh></geometry>
  </library_geometries>
  <library_nodes><node id="half">
    <matrix>1 0 0 0  0 1 0 0  0 0 1 4000  0 0 0 1</matrix>
    <node><scale>0.5 0.5 0.5</scale><instance_geometry url="#t"/></node>
  </node></library_nodes>
  <library_visual_scenes><visual_scene id="s">
    <node><translate>1000 0 0</translate><rotate>0 0 2 90</rotate><instance_geometry url="#t"/></node>
    <node><instance_node url="#half"/></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"##;

    #[test]
    fn units_nodes_and_instances_place_the_points() {
        let wanted = [
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.8, 0.0, -3.0],
            [0.0, 0.0, 4.0],
            [0.5, 0.0, 4.0],
            [0.0, 0.1, 2.5],
        ];
        let found = vertices(TRIANGLE.as_bytes()).unwrap();
        assert_eq!(found.len(), wanted.len());
        for (p, q) in found.iter().zip(wanted) {
            assert!(p.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-12), "{p:?} {q:?}");
        }
        // Without a scene, every geometry as it is.
        let unplaced = TRIANGLE.replace("<scene><instance_visual_scene url=\"#s\"/></scene>", "");
        assert_eq!(vertices(unplaced.as_bytes()).unwrap()[1], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_small_file_that_shows_one_geometry_again_and_again_is_refused_soon() {
        let points = 2_000;
        let numbers = "1 2 3 ".repeat(points);
        let indices: String = (0..points).map(|k| format!("{k} 0 ")).collect();
        let shown = "<instance_geometry url=\"#t\"/>".repeat(3_000);
        let file = TRIANGLE
            .replace("0 0 0 1000 0 0 0 200 -3e3 9 9 9", &numbers)
            .replace("offset=\"1\"", "offset=\"0\"")
            .replace("semantic=\"NORMAL\" source=\"#n\" offset=\"0\"", "semantic=\"NORMAL\" offset=\"1\"")
            .replace("7 0 8 1 9 2", &indices)
            .replace("<translate>1000 0 0</translate>", &shown);
        let problem = vertices(file.as_bytes()).unwrap_err();
        assert_eq!(problem, "shows more than 100000 nodes or 5000000 points");
        // As many nodes that show nothing cost nothing either: numbers are read once.
        let unseen = file.replace(&indices, "");
        let start = std::time::Instant::now();
        assert_eq!(vertices(unseen.as_bytes()), Ok(Vec::new()));
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let refused = |from: &str, to: &str, sentence: &str| {
            let problem = vertices(TRIANGLE.replace(from, to).as_bytes()).unwrap_err();
            assert!(problem.contains(sentence), "{problem}");
        };
        refused("200 -3e3", "200 x", "has a number that is none (line 6, <float_array>)");
        refused("url=\"#half\"", "url=\"#s\"", "nodes within themselves");
        refused("url=\"#half\"", "url=\"#none\"", "refers to `#none`, which is not in it (line 19");
        refused("<scale>0.5 0.5 0.5</scale>", "<scale>0.5</scale>", "has 1 numbers where 3 are needed");
        refused("<translate>", "<skew>1 2 3 4 5 6 7</skew><translate>", "uses <skew> (line 18)");
        refused("<p>7 0", "<p>7 4", "uses the point 4 of 4 (line 10, <p>)");
        refused("meter=\"0.001\"", "meter=\"mm\"", "has the unit `mm`");
        refused("</COLLADA>", "", "is not well formed");
        assert!(vertices(b"<robot/>").unwrap_err().contains("starts with <robot>"));
    }
}
