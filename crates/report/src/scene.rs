//! A mechanism in its reference configuration: bodies as strokes in their colours, joints as symbols, and
//! what else is to be seen: axes that take parameters out of sight, or the ellipsoids of inertias.

use maud::{Markup, html};
use steiner_dynamics::Mechanism;
use steiner_linalg::Vec3;

use crate::ellipsoid::Solid;
use crate::joint_glyph::joint_glyph;
use crate::labels::{Wish, places};
use crate::skeleton::{JointMark, Point, Shape, Skeleton, length, unit};
use crate::svg::{Drawing, Px, fitted, short_names};
use crate::view::{Camera, View, hull, views};
use crate::words::number;

/// Widths of the large picture and of the three beside it, and margins, px.
const LARGE: f64 = 780.0;
const SMALL: f64 = 300.0;
const MARGIN: f64 = 70.0;

/// Bodies up to which the small pictures are drawn.
const MOST_IN_SMALL: usize = 200;

/// What a joint takes out of sight.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hides {
    Nothing,
    SharedPoints,
    FixedPoints,
}

/// What a picture shows.
pub(crate) struct Scene<'a> {
    /// Names of bodies: those on the ground, then the moving ones.
    pub(crate) names: &'a [String],
    pub(crate) skeleton: Skeleton,
    /// For each joint of the skeleton.
    pub(crate) hides: Vec<Hides>,
    /// Inertias as bodies of uniform density.
    pub(crate) solids: Vec<Solid>,
    gravity: Point,
    /// Number of named bodies that stand on the ground, before the moving ones.
    ground: usize,
}

impl<'a> Scene<'a> {
    /// Bodies and joints, and nothing else.
    pub(crate) fn new(mechanism: &Mechanism, skeleton: Skeleton, names: &'a [String]) -> Self {
        Scene {
            names,
            hides: vec![Hides::Nothing; skeleton.joints.len()],
            skeleton,
            solids: Vec::new(),
            gravity: Vec3(mechanism.robot().gravity_vector()),
            ground: names.len().saturating_sub(mechanism.robot().bodies.len()),
        }
    }

    /// One large oblique view and three plain ones, in which many bodies would be specks.
    pub(crate) fn pictures(&self) -> Markup {
        let [(_, oblique), plain @ ..] = views(self.gravity);
        // Tall robots get tall pictures, the taller the more bodies have to be told apart.
        let most = if self.skeleton.bodies.len() > 16 { 800.0 } else { 620.0 };
        let (wide, tall) = oblique.extent(&self.points());
        let shape = if wide > 1e-12 { tall / wide } else { 2.0 };
        let height = ((LARGE - 2.0 * MARGIN) * shape + 2.0 * MARGIN).clamp(470.0, most).round();
        html! {
            div.pictures {
                (self.picture(oblique, None, (LARGE, height)))
                @if self.skeleton.bodies.len() <= MOST_IN_SMALL { div.plain {
                    @for (name, view) in plain {
                        (self.picture(view, Some(name), (SMALL, ((height - 20.0) / 3.0).round())))
                    }
                } }
            }
        }
    }

    fn picture(&self, view: View, plain: Option<&str>, sheet: (f64, f64)) -> Markup {
        // Beside the plain views there is room for their axes.
        let camera = match plain {
            None => view.camera(&self.points(), sheet, MARGIN),
            Some(_) => view.camera(&self.points(), (sheet.0 - 44.0, sheet.1), 24.0).shifted(44.0),
        };
        let r = self.symbol_size(&camera) * if plain.is_some() { 0.62 } else { 1.0 };
        let mut drawing = Drawing::default();
        self.hidden_axes(&mut drawing, &camera, r);
        self.bodies(&mut drawing, &camera, plain.is_some() || !self.solids.is_empty());
        self.solids(&mut drawing, &camera);
        self.joints(&mut drawing, &camera, r);
        match plain {
            None => {
                self.names(&mut drawing, &camera, r, sheet);
                frame_marks(&mut drawing, &camera, self.gravity, sheet);
            }
            Some(name) => {
                drawing.text("view", (8.0, 16.0), name);
                triad(&mut drawing, &camera, (30.0, sheet.1 - 28.0), 13.0);
            }
        }
        let class = if plain.is_some() { "picture small" } else { "picture" };
        drawing.finish(class, &format!("The mechanism, {} view", plain.unwrap_or("oblique")), sheet)
    }

    /// Everything that has to be inside.
    fn points(&self) -> Vec<Point> {
        let strokes = self.skeleton.bodies.iter().flat_map(|body| body.strokes.iter().flatten().copied());
        let middles = self.skeleton.bodies.iter().filter_map(|body| body.middle);
        let joints = self.skeleton.joints.iter().filter(|joint| joint.shape != Shape::Floating);
        let solids = self.solids.iter().flat_map(|solid| solid.ellipsoid.extremes());
        let all = strokes.chain(middles).chain(joints.map(|joint| joint.centre)).chain(solids);
        all.filter(|p| length(*p).is_finite()).collect()
    }

    /// Symbols shrink where joints crowd.
    fn symbol_size(&self, camera: &Camera) -> f64 {
        let centres: Vec<Px> = self.skeleton.joints.iter().map(|joint| camera.at(joint.centre)).collect();
        let mut nearest: Vec<f64> = centres
            .iter()
            .map(|a| {
                let distances = centres.iter().map(|b| (a.0 - b.0).hypot(a.1 - b.1)).filter(|d| *d > 2.0);
                distances.fold(60.0, f64::min)
            })
            .collect();
        nearest.sort_by(f64::total_cmp);
        let typical = nearest.get(nearest.len() / 3).copied().unwrap_or(60.0);
        (0.3 * typical).clamp(5.5, 10.0)
    }

    /// Far ones first; what the file says behind what was found.
    fn solids(&self, drawing: &mut Drawing, camera: &Camera) {
        let mut order: Vec<&Solid> = self.solids.iter().collect();
        let key = |solid: &Solid| (!solid.is_prior, camera.depth(solid.ellipsoid.centre));
        order.sort_by(|a, b| key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
        for solid in order {
            drawing.open_body(solid.body);
            drawing.title(&format!("{}: {}", self.names[solid.body], solid.whose));
            solid.draw(drawing, camera, 3.0);
            drawing.close();
        }
    }

    /// Axes and centres on which moments are invisible.
    fn hidden_axes(&self, drawing: &mut Drawing, camera: &Camera, r: f64) {
        for (joint, hides) in self.skeleton.joints.iter().zip(&self.hides) {
            let class = match hides {
                Hides::SharedPoints => "shared",
                Hides::FixedPoints => "fixed",
                Hides::Nothing => continue,
            };
            let lines = matches!(joint.shape, Shape::Revolute | Shape::Cylindrical | Shape::Helical);
            for &axis in joint.axes.iter().filter(|_| lines) {
                let reach = 4.2 * r / camera.scale;
                let ends = [reach, -reach].map(|t| camera.at(joint.centre.plus_scaled(t, axis)));
                drawing.line(class, ends[0], ends[1]);
            }
        }
    }

    fn bodies(&self, drawing: &mut Drawing, camera: &Camera, small: bool) {
        let grounded = self.skeleton.joints.iter().filter(|joint| is_grounded(joint));
        let feet: Vec<Px> = grounded.map(|joint| camera.at(joint.centre)).collect();
        if feet.len() > 2 {
            drawing.polygon("ground", &hull(&feet));
        }
        // Far things first: plates by the middle of their corners, strokes by their own.
        let mut pieces: Vec<(f64, usize, Option<[Point; 2]>)> = Vec::new();
        for (k, body) in self.skeleton.bodies.iter().enumerate() {
            let mean = |points: &[Point]| {
                points.iter().map(|&p| camera.depth(p)).sum::<f64>() / points.len().max(1) as f64
            };
            if !body.plate.is_empty() {
                pieces.push((mean(&body.plate), k, None));
            }
            pieces.extend(body.strokes.iter().map(|stroke| (mean(stroke), k, Some(*stroke))));
        }
        pieces.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, k, stroke) in pieces {
            let plate = &self.skeleton.bodies[k].plate;
            drawing.open_body(self.ground + k);
            drawing.title(&self.names[self.ground + k]);
            match stroke.map(|ends| ends.map(|p| camera.at(p))) {
                None => {
                    let corners: Vec<Px> = plate.iter().map(|&p| camera.at(p)).collect();
                    drawing.polygon("plate", &hull(&corners));
                }
                Some([a, b]) if !plate.is_empty() => drawing.line("body thin", a, b),
                Some([a, b]) => {
                    drawing.line(if small { "halo s" } else { "halo" }, a, b);
                    drawing.line(if small { "body s" } else { "body" }, a, b);
                }
            }
            drawing.close();
        }
    }

    fn joints(&self, drawing: &mut Drawing, camera: &Camera, r: f64) {
        let mut order: Vec<usize> = (0..self.skeleton.joints.len()).collect();
        order.retain(|&k| length(self.skeleton.joints[k].centre).is_finite());
        let depth = |k: usize| camera.depth(self.skeleton.joints[k].centre);
        // Of joints at one point the first is short and thick: it goes on top.
        order.sort_by(|&a, &b| depth(a).total_cmp(&depth(b)).then(b.cmp(&a)));
        for k in order {
            let joint = &self.skeleton.joints[k];
            let name = |body: Option<usize>| body.map_or("the ground", |k| &self.names[self.ground + k]);
            let [inner, outer] = joint.between.map(name);
            let class = if joint.closes_a_loop { "joint loop" } else { "joint" };
            drawing.open("class", class);
            drawing.title(&format!("{}: {} between {inner} and {outer}", joint.name, joint.kind));
            if is_grounded(joint) {
                hatch(drawing, camera.at(joint.centre), r);
            }
            joint_glyph(drawing, camera, joint, r, self.nesting(k));
            match self.hides[k] {
                Hides::SharedPoints => drawing.circle("shared-dot", camera.at(joint.centre), 0.36 * r),
                Hides::FixedPoints => drawing.circle("fixed-dot", camera.at(joint.centre), 0.36 * r),
                Hides::Nothing => {}
            }
            drawing.close();
        }
    }

    /// How many joints before this one have the same centre.
    fn nesting(&self, k: usize) -> usize {
        let joints = &self.skeleton.joints;
        let same = |other: &&JointMark| length(other.centre - joints[k].centre) < 1e-9;
        joints[..k].iter().filter(same).count()
    }

    fn names(&self, drawing: &mut Drawing, camera: &Camera, r: f64, sheet: (f64, f64)) {
        let size = match self.skeleton.bodies.len() {
            0..=16 => 12.5,
            17..=32 => 10.5,
            _ => 9.0,
        };
        let symbols: Vec<(Px, f64)> =
            self.skeleton.joints.iter().map(|joint| (camera.at(joint.centre), 1.2 * r)).collect();
        let mut ink = Vec::new();
        for [a, b] in self.skeleton.bodies.iter().flat_map(|body| &body.strokes) {
            let (a, b) = (camera.at(*a), camera.at(*b));
            let steps = ((a.0 - b.0).hypot(a.1 - b.1) / 6.0).clamp(1.0, 200.0) as usize;
            let step = |k: usize| {
                let t = k as f64 / steps as f64;
                (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1))
            };
            ink.extend((0..=steps).map(step));
        }
        let short = short_names(self.names);
        let named = self.skeleton.bodies.iter().enumerate().filter_map(|(k, body)| {
            let text = fitted(short[self.ground + k], size, 170.0);
            Some((k, Wish { anchor: camera.at(body.middle?), text }))
        });
        let (owners, wishes): (Vec<usize>, Vec<Wish>) = named.unzip();
        // The corners belong to the legend of axes and gravity.
        let corner = (sheet.0, sheet.1 - 12.0);
        for ((k, wish), place) in
            owners.iter().zip(&wishes).zip(places(&wishes, size, corner, &symbols, &ink))
        {
            let Some(place) = place else { continue };
            drawing.open_body(self.ground + k);
            if let Some(end) = place.leader {
                drawing.line("leader", wish.anchor, end);
            }
            drawing.open("style", &format!("font-size:{size}px"));
            drawing.text("name", place.start, &wish.text);
            drawing.close();
            drawing.close();
        }
    }
}

fn is_grounded(joint: &JointMark) -> bool {
    joint.between.contains(&None) && joint.shape != Shape::Floating && length(joint.centre).is_finite()
}

/// The mark of the ground under a joint.
fn hatch(drawing: &mut Drawing, (x, y): Px, r: f64) {
    let (half, y) = (1.9 * r, y + 1.5 * r);
    drawing.line("hatch", (x, y - 1.5 * r), (x, y));
    drawing.line("earth", (x - half, y), (x + half, y));
    for k in 0..5 {
        let start = x - half + 0.5 * half * f64::from(k);
        drawing.line("hatch", (start, y), (start - 0.55 * r, y + 0.8 * r));
    }
}

/// Base axes, gravity and a scale, in the lower corners.
fn frame_marks(drawing: &mut Drawing, camera: &Camera, gravity: Point, (width, height): (f64, f64)) {
    triad(drawing, camera, (52.0, height - 52.0), 28.0);
    match unit(gravity) {
        None => drawing.text("note", (100.0, height - 22.0), "no gravity"),
        Some(down) => {
            let start = (126.0, height - 84.0);
            let (dx, dy) = camera.along(down);
            let end = (start.0 + 44.0 * dx, start.1 + 44.0 * dy);
            arrow(drawing, "gravity", start, end);
            drawing.text("note", (end.0 + 8.0, end.1), "g");
        }
    }
    // A round length of at most a quarter of the sheet.
    let most = width / 4.0 / camera.scale;
    let decade = 10f64.powf(most.log10().floor());
    let round = [5.0, 2.0, 1.0].into_iter().map(|k| k * decade).find(|x| *x <= most).unwrap_or(decade);
    let (right, y) = (width - 24.0, height - 20.0);
    let left = right - round * camera.scale;
    drawing.line("scale", (left, y), (right, y));
    drawing.line("scale", (left, y - 4.0), (left, y + 4.0));
    drawing.line("scale", (right, y - 4.0), (right, y + 4.0));
    drawing.text("note end", (right, y - 8.0), &format!("{} m", number(round, 2)));
}

fn triad(drawing: &mut Drawing, camera: &Camera, origin: Px, size: f64) {
    for (k, name) in ["x", "y", "z"].into_iter().enumerate() {
        let (dx, dy) = camera.along(Vec3::unit(k));
        if dx.hypot(dy) < 0.2 {
            continue;
        }
        arrow(drawing, "triad", origin, (origin.0 + size * dx, origin.1 + size * dy));
        let reach = size + 8.0;
        drawing.text("axis", (origin.0 + reach * dx, origin.1 + reach * dy + 3.0), name);
    }
}

fn arrow(drawing: &mut Drawing, class: &str, a: Px, b: Px) {
    let size = (b.0 - a.0).hypot(b.1 - a.1);
    drawing.line(class, a, b);
    if size < 1e-6 {
        return;
    }
    let (dx, dy) = ((b.0 - a.0) / size, (b.1 - a.1) / size);
    let back = (b.0 - 7.0 * dx, b.1 - 7.0 * dy);
    let head = [b, (back.0 - 3.2 * dy, back.1 + 3.2 * dx), (back.0 + 3.2 * dy, back.1 - 3.2 * dx)];
    drawing.polygon(&format!("{class} head"), &head);
}
