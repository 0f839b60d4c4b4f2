//! The kinematic graph: bodies in columns by their distance from the ground, joints as lines
//! with the letter of their kind.

use maud::Markup;
use steiner_dynamics::Mechanism;
use steiner_identifiability::Analysis;

use crate::skeleton::{JointMark, skeleton};
use crate::svg::{Drawing, Px, fitted, px, short_names, text_width};

/// Size of names, px.
const SIZE: f64 = 12.0;
/// Height of a node and distance between rows, px.
const NODE: f64 = 22.0;
const ROW: f64 = 33.0;
/// Room for joints between columns, px.
const GAP: f64 = 74.0;
/// The same in deep trees.
const NARROW_GAP: f64 = 44.0;
/// Longest name, px.
const LONGEST: f64 = 150.0;

#[derive(Clone, Debug)]
struct Node {
    name: String,
    /// As it is drawn.
    short: String,
    column: usize,
    x: f64,
    /// Middle, px.
    y: f64,
    width: f64,
}

/// The graph of bodies and joints: loop joints dashed, couplings dotted.
pub(crate) fn kinematic_graph(mechanism: &Mechanism, analysis: &Analysis) -> Markup {
    let joints = skeleton(mechanism).joints;
    let robot = mechanism.robot();
    let ground = analysis.bodies.len().saturating_sub(robot.bodies.len());
    let nodes = layout(mechanism, &joints);
    let node = |body: Option<usize>| &nodes[body.map_or(0, |k| k + 1)];
    let (mut lines, mut marks) = (Drawing::default(), Drawing::default());
    let mut taken: Vec<Px> = Vec::new();
    let mut lowest = nodes.iter().map(|node| node.y).fold(0.0, f64::max);
    for joint in &joints {
        let [a, b] = joint.between.map(node);
        let curve = Curve::between(&nodes, a, b);
        lowest = lowest.max(curve.at(0.5).1);
        let class = if joint.closes_a_loop { "loop" } else { "tree" };
        lines.mark("path", &[("class", class), ("d", &curve.path())], &[]);
        // The letter of a tree joint is beside its body, that of a loop joint wherever there is room.
        let wanted: &[f64] =
            if joint.closes_a_loop { &[0.5, 0.38, 0.62, 0.26, 0.74, 0.44, 0.56, 0.2, 0.8] } else { &[0.78] };
        let free = |t: &&f64| {
            let (x, y) = curve.at(**t);
            taken.iter().all(|other| (other.0 - x).hypot(other.1 - y) > 19.0)
        };
        let t = wanted.iter().find(free).or(wanted.first()).copied().unwrap_or(0.5);
        taken.push(curve.at(t));
        letter(&mut marks, joint, curve.at(t), [&a.name, &b.name]);
    }
    for coupling in &robot.couplings {
        let end = node(Some(coupling.coordinate.body.0));
        for (term, factor) in &coupling.terms {
            let title = format!(
                "{}: {} = {factor}·{} + …",
                coupling.name,
                robot.coordinate_name(coupling.coordinate),
                robot.coordinate_name(*term)
            );
            let curve = Curve::between(&nodes, node(Some(term.body.0)), end);
            lowest = lowest.max(curve.at(0.5).1);
            lines.open("class", "coupled");
            lines.title(&title);
            lines.mark("path", &[("class", "coupling"), ("d", &curve.path())], &[]);
            lines.close();
        }
    }
    let mut drawing = lines;
    for (k, node) in nodes.iter().enumerate() {
        draw_node(&mut drawing, node, k.checked_sub(1).map(|k| ground + k));
    }
    drawing.draw(marks);
    let has_level = nodes.iter().any(|a| nodes.iter().any(|b| a.column == b.column && a.y != b.y));
    let width =
        nodes.iter().map(|node| node.x + node.width).fold(0.0, f64::max) + if has_level { 60.0 } else { 8.0 };
    let height = lowest + 0.8 * ROW;
    // A little too wide is scaled down; far too wide is scrolled.
    let class = if width < 1600.0 { "graph fit" } else { "graph" };
    drawing.finish(class, "The kinematic graph", (width, height))
}

fn draw_node(drawing: &mut Drawing, node: &Node, body: Option<usize>) {
    match body {
        Some(body) => drawing.open_body(body),
        None => drawing.open("class", "base"),
    }
    drawing.title(&node.name);
    let (top, width) = (node.y - NODE / 2.0, node.width);
    let place = [("x", node.x), ("y", top), ("width", width), ("height", NODE), ("rx", 5.0)];
    drawing.mark("rect", &[("class", "node")], &place);
    drawing.text("node-name", (node.x + 9.0, node.y + 0.35 * SIZE), &node.short);
    drawing.close();
}

fn letter(drawing: &mut Drawing, joint: &JointMark, (x, y): Px, [inner, outer]: [&String; 2]) {
    drawing.open("class", if joint.closes_a_loop { "letter loop" } else { "letter" });
    drawing.title(&format!("{}: {} between {inner} and {outer}", joint.name, joint.kind));
    let text = fitted(&joint.letters, 10.5, 34.0);
    let half = f64::max(8.5, text_width(&text, 10.5) / 2.0 + 4.0);
    let (left, top, width) = (x - half, y - 8.5, 2.0 * half);
    drawing.mark("rect", &[], &[("x", left), ("y", top), ("width", width), ("height", 17.0), ("rx", 8.5)]);
    drawing.text("kind", (x, y + 3.7), &text);
    drawing.close();
}

/// Columns by depth, rows by leaves; what closes loops at the end of a chain moves between its neighbours.
fn layout(mechanism: &Mechanism, joints: &[JointMark]) -> Vec<Node> {
    let robot = mechanism.robot();
    let mut parent: Vec<Option<usize>> = vec![None];
    parent.extend(robot.bodies.iter().map(|body| Some(body.parent.map_or(0, |parent| parent.0 + 1))));
    let count = parent.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut column = vec![0; count];
    for k in 1..count {
        let up = parent[k].unwrap_or(0);
        children[up].push(k);
        column[k] = column[up] + 1;
    }
    let mut y = vec![0.0; count];
    let mut next = ROW * 0.8;
    // Depth first without recursion: a robot may be a chain of any length.
    let mut pending = vec![(0, false)];
    while let Some((k, is_done)) = pending.pop() {
        if children[k].is_empty() {
            y[k] = next;
            next += ROW;
        } else if is_done {
            let ends = (y[children[k][0]], y[children[k][children[k].len() - 1]]);
            y[k] = (ends.0 + ends.1) / 2.0;
        } else {
            pending.push((k, true));
            pending.extend(children[k].iter().rev().map(|&child| (child, false)));
        }
    }
    settle(&mut y, &column, &children, joints);
    let names = std::iter::once("ground".to_owned()).chain(robot.bodies.iter().map(|body| body.name.clone()));
    let names: Vec<String> = names.collect();
    let columns = column.iter().max().map_or(1, |most| most + 1);
    let mut widths = vec![0.0; columns];
    let short: Vec<String> =
        short_names(&names).into_iter().map(|name| fitted(name, SIZE, LONGEST)).collect();
    for (k, short) in short.iter().enumerate() {
        widths[column[k]] = f64::max(widths[column[k]], text_width(short, SIZE) + 18.0);
    }
    let gap = if columns > 7 { NARROW_GAP } else { GAP };
    // Where many loop joints arrive their letters need room.
    let arriving = |level: usize| {
        let deeper = |joint: &&JointMark| {
            joint.closes_a_loop
                && joint.between.iter().map(|body| body.map_or(0, |k| column[k + 1])).max() == Some(level)
        };
        joints.iter().filter(deeper).count() as f64
    };
    let gaps: Vec<f64> = (1..columns).map(|level| gap + (12.0 * arriving(level)).min(110.0)).collect();
    let start =
        |column: usize| 6.0 + widths[..column].iter().sum::<f64>() + gaps[..column].iter().sum::<f64>();
    let place = |(k, name): (usize, String)| Node {
        name,
        short: short[k].clone(),
        column: column[k],
        x: start(column[k]),
        y: y[k],
        width: widths[column[k]],
    };
    names.into_iter().enumerate().map(place).collect()
}

/// Ends of chains with loop joints go to the middle of what they join; then each column is spread out again.
fn settle(y: &mut [f64], column: &[usize], children: &[Vec<usize>], joints: &[JointMark]) {
    let before = y.to_vec();
    for k in (1..y.len()).filter(|&k| children[k].is_empty()) {
        let index = |body: Option<usize>| body.map_or(0, |k| k + 1);
        let joined: Vec<usize> = joints
            .iter()
            .map(|joint| joint.between.map(index))
            .filter(|between| between.contains(&k))
            .map(|[a, b]| if a == k { b } else { a })
            .collect();
        if joined.len() > 1 {
            y[k] = joined.iter().map(|&other| before[other]).sum::<f64>() / joined.len() as f64;
        }
    }
    for level in 0..column.iter().max().map_or(0, |most| most + 1) {
        let mut members: Vec<usize> = (0..y.len()).filter(|&k| column[k] == level).collect();
        members.sort_by(|&a, &b| y[a].total_cmp(&y[b]));
        for pair in 1..members.len() {
            let least = y[members[pair - 1]] + ROW;
            y[members[pair]] = y[members[pair]].max(least);
        }
    }
}

/// A cubic Bézier curve.
struct Curve([Px; 4]);

impl Curve {
    /// From the right side of the inner node to the left side of the outer one; around the right if they are
    /// level, and from below if other nodes are in the way.
    fn between(nodes: &[Node], a: &Node, b: &Node) -> Curve {
        let (a, b) = if a.column <= b.column { (a, b) } else { (b, a) };
        let start = (a.x + a.width, a.y);
        if a.column == b.column {
            let bulge = f64::min(34.0 + 0.12 * (a.y - b.y).abs(), 70.0);
            let end = (b.x + b.width, b.y);
            return Curve([start, (start.0 + bulge, a.y), (end.0 + bulge, b.y), end]);
        }
        let end = (b.x, b.y);
        let reach = f64::min(0.5 * (end.0 - start.0), 60.0);
        let straight = Curve([start, (start.0 + reach, start.1), (end.0 - reach, end.1), end]);
        let is_between = |node: &&Node| a.column < node.column && node.column < b.column;
        let meets = |node: &Node| {
            let t = (node.x + 0.5 * node.width - start.0) / (end.0 - start.0);
            (straight.at(t).1 - node.y).abs() < NODE
        };
        if !nodes.iter().filter(is_between).any(meets) {
            return straight;
        }
        let low = a.y.max(b.y) + ROW + 5.0 * (b.column - a.column) as f64;
        let (from, to) = ((a.x + 0.6 * a.width, a.y + NODE / 2.0), (b.x + 0.4 * b.width, b.y + NODE / 2.0));
        Curve([from, (from.0 + 20.0, low), (to.0 - 20.0, low), to])
    }

    fn at(&self, t: f64) -> Px {
        let s = 1.0 - t;
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let sum = |pick: fn(&Px) -> f64| self.0.iter().zip(weights).map(|(p, w)| w * pick(p)).sum();
        (sum(|p| p.0), sum(|p| p.1))
    }

    fn path(&self) -> String {
        let [a, b, c, d] = self.0.map(|(x, y)| format!("{},{}", px(x), px(y)));
        format!("M{a} C{b} {c} {d}")
    }
}
