//! A second mechanics of its own, for tests: homogeneous matrices in extended precision, loop equations
//! written on the relative placement of the two loop frames, every derivative a finite difference along
//! a closed path, generalised forces by d'Alembert's principle in Uicker's form, τ_k = Σ tr(∂_k T N (T̈
//! − G)ᵀ), and loop forces as Lagrange multipliers. It shares with the product the robot file, the
//! numbers and Gaussian elimination.
#![allow(dead_code, unreachable_pub, missing_docs)]

use steiner_linalg::elimination::{Matrix, reduce};
use steiner_robot::{Frame, JointKind, LoopKind, Pose, Robot, evaluate_direction, evaluate_vector};
use steiner_scalar::{DoubleDouble, Exact, Field, Real, Scalar};

type D = DoubleDouble;
pub type M4 = [[D; 4]; 4];
type V = [D; 3];

/// Step of second differences: truncation and rounding both leave about 16 digits.
const STEP: f64 = 1.0 / (1u64 << 26) as f64;
/// Step of first differences.
const SMALL: f64 = 1.0 / (1u64 << 33) as f64;

pub fn d(x: f64) -> D {
    D::from_f64(x)
}

fn zero() -> M4 {
    [[D::zero(); 4]; 4]
}

fn identity() -> M4 {
    std::array::from_fn(|r| std::array::from_fn(|c| if r == c { D::one() } else { D::zero() }))
}

fn times(a: &M4, b: &M4) -> M4 {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..4).fold(D::zero(), |sum, k| sum + a[r][k] * b[k][c])))
}

fn combination(terms: &[(D, &M4)]) -> M4 {
    std::array::from_fn(|r| {
        std::array::from_fn(|c| terms.iter().fold(D::zero(), |sum, (w, m)| sum + *w * m[r][c]))
    })
}

fn inverse(m: &M4) -> M4 {
    let mut out = identity();
    for r in 0..3 {
        for c in 0..3 {
            out[r][c] = m[c][r];
        }
        out[r][3] = -(0..3).fold(D::zero(), |sum, k| sum + m[k][r] * m[k][3]);
    }
    out
}

fn of_pose(pose: &Pose<D>) -> M4 {
    let mut out = identity();
    for r in 0..3 {
        for c in 0..3 {
            out[r][c] = pose.rotation.0[r][c];
        }
        out[r][3] = pose.translation[r];
    }
    out
}

fn of_frame(frame: &Frame) -> M4 {
    of_pose(&frame.evaluate::<D>().expect("a frame").value)
}

fn translation(t: V) -> M4 {
    let mut out = identity();
    for r in 0..3 {
        out[r][3] = t[r];
    }
    out
}

fn scaled(v: V, s: D) -> V {
    v.map(|x| x * s)
}

fn dot(a: V, b: V) -> D {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn rotate(m: &M4, v: V) -> V {
    std::array::from_fn(|r| m[r][0] * v[0] + m[r][1] * v[1] + m[r][2] * v[2])
}

fn unit(source: &[Exact; 3]) -> V {
    evaluate_direction::<D>(source).expect("a direction").value.0
}

/// Rotation about a unit axis: cos θ 1 + sin θ a^ + (1 − cos θ) a aᵀ.
fn about(a: V, angle: D) -> M4 {
    let (s, c) = steiner_scalar::Trigonometric::sin_cos(angle);
    let k = D::one() - c;
    let o = D::zero();
    let skew = [[o, -a[2], a[1]], [a[2], o, -a[0]], [-a[1], a[0], o]];
    let mut out = identity();
    for r in 0..3 {
        for q in 0..3 {
            let diagonal = if r == q { c } else { o };
            out[r][q] = diagonal + s * skew[r][q] + k * a[r] * a[q];
        }
    }
    out
}

fn exponential(phi: V) -> M4 {
    let angle = dot(phi, phi).sqrt();
    if angle.to_f64() == 0.0 { identity() } else { about(scaled(phi, D::one() / angle), angle) }
}

fn of_quaternion(q: &[D]) -> M4 {
    let norm = q.iter().fold(D::zero(), |sum, x| sum + *x * *x).sqrt();
    let [x, y, z, w] = [q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm];
    let two = d(2.0);
    let l = D::one();
    let mut out = identity();
    let rows = [
        [l - two * (y * y + z * z), two * (x * y - z * w), two * (x * z + y * w)],
        [two * (x * y + z * w), l - two * (x * x + z * z), two * (y * z - x * w)],
        [two * (x * z - y * w), two * (y * z + x * w), l - two * (x * x + y * y)],
    ];
    for r in 0..3 {
        out[r][..3].copy_from_slice(&rows[r]);
    }
    out
}

enum Kind {
    Turn { axis: V, pitch: D },
    Slide { axis: V },
    TurnAndSlide { axis: V },
    TwoTurns { axis: V, axis2: V },
    Ball,
    Plane { basis: M4 },
    Free,
}

struct ClassicalBody {
    parent: Option<usize>,
    kind: Kind,
    placement: M4,
    frame: M4,
    configuration: usize,
    velocity: usize,
    dof: usize,
    inertia: M4,
}

struct ClassicalLoop {
    kind: LoopKind,
    predecessor: (Option<usize>, M4),
    successor: (Option<usize>, M4),
    axis: V,
    axis2: V,
}

struct ClassicalCoupling {
    /// (body, component, factor), Σ factor · coordinate = offset.
    terms: Vec<(usize, usize, D)>,
    offset: D,
}

/// A robot in this mechanics.
pub struct Classical {
    bodies: Vec<ClassicalBody>,
    loops: Vec<ClassicalLoop>,
    couplings: Vec<ClassicalCoupling>,
    gravity: V,
    pub dof: usize,
}

/// Where a chart of the configuration space is centred: a scalar per one-dof coordinate, a
/// placement per ball or free joint.
#[derive(Clone)]
pub struct Base {
    scalars: Vec<[D; 3]>,
    placements: Vec<M4>,
}

/// A closed motion through an instant, with what differences of it say.
pub struct Motion<'a> {
    classical: &'a Classical,
    pub base: Base,
    independent: Vec<usize>,
    dependent: Vec<usize>,
    rate: Vec<D>,
    /// Second derivatives of the chart coordinates of the independent ones.
    rate2: Vec<D>,
    jacobian: Matrix<D>,
    /// Tree velocities.
    pub velocity: Vec<D>,
    /// Tree accelerations.
    pub acceleration: Vec<D>,
}

impl Classical {
    pub fn new(robot: &Robot) -> Self {
        let evaluate = |x: &Exact| D::evaluate(x).expect("a number").value;
        let (mut configuration, mut velocity) = (0, 0);
        let bodies = robot
            .bodies
            .iter()
            .map(|body| {
                let joint = &body.joint;
                let axis = || unit(&joint.axis);
                let (kind, size, dof) = match &joint.kind {
                    JointKind::Revolute | JointKind::Continuous => {
                        (Kind::Turn { axis: axis(), pitch: D::zero() }, 1, 1)
                    }
                    JointKind::Helical { pitch } => {
                        (Kind::Turn { axis: axis(), pitch: evaluate(pitch) }, 1, 1)
                    }
                    JointKind::Prismatic => (Kind::Slide { axis: axis() }, 1, 1),
                    JointKind::Cylindrical => (Kind::TurnAndSlide { axis: axis() }, 2, 2),
                    JointKind::Universal { axis2 } => {
                        (Kind::TwoTurns { axis: axis(), axis2: unit(axis2) }, 2, 2)
                    }
                    JointKind::Spherical => (Kind::Ball, 4, 3),
                    JointKind::Planar => {
                        // The shortest rotation from z to the normal: about z × n by the angle between them.
                        let n = axis();
                        let turned = cross([D::zero(), D::zero(), D::one()], n);
                        let sine = dot(turned, turned).sqrt();
                        let basis = if sine.to_f64() > 1e-12 {
                            about(scaled(turned, D::one() / sine), sine.atan2(n[2]))
                        } else if n[2].to_f64() > 0.0 {
                            identity()
                        } else {
                            about([D::one(), D::zero(), D::zero()], D::pi())
                        };
                        (Kind::Plane { basis }, 3, 3)
                    }
                    JointKind::Floating => (Kind::Free, 7, 6),
                    other => panic!("{} joints are not modelled here", other.name()),
                };
                let at = (configuration, velocity);
                configuration += size;
                velocity += dof;
                ClassicalBody {
                    parent: body.parent.map(|parent| parent.0),
                    kind,
                    placement: of_frame(&joint.placement),
                    frame: of_frame(&joint.body_frame),
                    configuration: at.0,
                    velocity: at.1,
                    dof,
                    inertia: pseudo(&body.inertia.parameters()),
                }
            })
            .collect();
        let loops = robot
            .loops
            .iter()
            .map(|closure| {
                let side = |a: &steiner_robot::Attachment| (a.body.map(|b| b.0), of_frame(&a.frame));
                let axis = unit(&closure.axis);
                let axis2 = match &closure.kind {
                    LoopKind::Universal { axis2 } => unit(axis2),
                    _ => axis,
                };
                ClassicalLoop {
                    kind: closure.kind.clone(),
                    predecessor: side(&closure.predecessor),
                    successor: side(&closure.successor),
                    axis,
                    axis2,
                }
            })
            .collect();
        let couplings = robot
            .couplings
            .iter()
            .map(|coupling| {
                let mut terms = vec![(coupling.coordinate.body.0, coupling.coordinate.component, D::one())];
                for (term, factor) in &coupling.terms {
                    terms.push((term.body.0, term.component, -evaluate(factor)));
                }
                ClassicalCoupling { terms, offset: evaluate(&coupling.offset) }
            })
            .collect();
        let gravity = evaluate_vector::<D>(&robot.gravity).expect("gravity").value.0;
        Classical { bodies, loops, couplings, gravity, dof: velocity }
    }

    pub fn base(&self, q: &[f64]) -> Base {
        let mut base = Base { scalars: Vec::new(), placements: Vec::new() };
        for body in &self.bodies {
            let own = &q[body.configuration..];
            let mut scalars = [D::zero(); 3];
            let mut placement = identity();
            let wide =
                |range: std::ops::Range<usize>| -> Vec<D> { own[range].iter().map(|x| d(*x)).collect() };
            match body.kind {
                Kind::Ball => placement = of_quaternion(&wide(0..4)),
                Kind::Free => {
                    let mut pose = of_quaternion(&wide(3..7));
                    for r in 0..3 {
                        pose[r][3] = d(own[r]);
                    }
                    // The chart is centred on the body frame itself.
                    placement = times(&pose, &body.frame);
                }
                _ => {
                    for k in 0..body.dof {
                        scalars[k] = d(own[k]);
                    }
                }
            }
            base.scalars.push(scalars);
            base.placements.push(placement);
        }
        base
    }

    /// Coordinates of a body at displacement `x` of its chart.
    fn coordinates(&self, body: usize, base: &Base, x: &[D]) -> [D; 3] {
        let own = &self.bodies[body];
        let mut out = base.scalars[body];
        match own.kind {
            Kind::Plane { .. } => {
                let (s, c) = steiner_scalar::Trigonometric::sin_cos(out[2]);
                let [dx, dy, turn] = [x[own.velocity], x[own.velocity + 1], x[own.velocity + 2]];
                out = [out[0] + c * dx - s * dy, out[1] + s * dx + c * dy, out[2] + turn];
            }
            Kind::Ball | Kind::Free => {}
            _ => {
                for k in 0..own.dof {
                    out[k] += x[own.velocity + k];
                }
            }
        }
        out
    }

    fn placement(&self, body: usize, base: &Base, x: &[D]) -> M4 {
        let own = &self.bodies[body];
        let three =
            |k: usize| -> V { [x[own.velocity + k], x[own.velocity + k + 1], x[own.velocity + k + 2]] };
        match own.kind {
            Kind::Ball => times(&base.placements[body], &exponential(rotate(&own.frame, three(0)))),
            Kind::Free => {
                times(&base.placements[body], &times(&translation(three(0)), &exponential(three(3))))
            }
            _ => identity(),
        }
    }

    /// The chart moved to displacement `x`.
    fn recentred(&self, base: &Base, x: &[D]) -> Base {
        let all = 0..self.bodies.len();
        Base {
            scalars: all.clone().map(|k| self.coordinates(k, base, x)).collect(),
            placements: all.map(|k| self.placement(k, base, x)).collect(),
        }
    }

    /// Placements of all bodies in the world.
    pub fn poses(&self, base: &Base, x: &[D]) -> Vec<M4> {
        let mut world: Vec<M4> = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let q = self.coordinates(index, base, x);
            let moved = match &body.kind {
                Kind::Turn { axis, pitch } => {
                    times(&translation(scaled(*axis, *pitch * q[0])), &about(*axis, q[0]))
                }
                Kind::Slide { axis } => translation(scaled(*axis, q[0])),
                Kind::TurnAndSlide { axis } => times(&about(*axis, q[0]), &translation(scaled(*axis, q[1]))),
                Kind::TwoTurns { axis, axis2 } => times(&about(*axis, q[0]), &about(*axis2, q[1])),
                Kind::Ball => self.placement(index, base, x),
                Kind::Plane { basis } => {
                    let z = [D::zero(), D::zero(), D::one()];
                    let inside = times(&translation([q[0], q[1], D::zero()]), &about(z, q[2]));
                    times(&times(basis, &inside), &inverse(basis))
                }
                Kind::Free => times(&self.placement(index, base, x), &inverse(&body.frame)),
            };
            let local = times(&times(&body.placement, &moved), &body.frame);
            world.push(match body.parent {
                Some(parent) => times(&world[parent], &local),
                None => local,
            });
        }
        world
    }

    /// Values of all loop equations: those of the placement of the successor's
    /// loop frame in the predecessor's.
    fn equations(&self, base: &Base, x: &[D]) -> Vec<D> {
        let world = self.poses(base, x);
        let mut out: Vec<D> = Vec::new();
        for closure in &self.loops {
            let place = |(body, frame): &(Option<usize>, M4)| match body {
                Some(body) => times(&world[*body], frame),
                None => *frame,
            };
            let relative = times(&inverse(&place(&closure.predecessor)), &place(&closure.successor));
            let p: V = [relative[0][3], relative[1][3], relative[2][3]];
            let a = closure.axis;
            let turned = rotate(&relative, a);
            let aligned: V = std::array::from_fn(|k| turned[k] - a[k]);
            let untwisted: V = [
                relative[2][1] - relative[1][2],
                relative[0][2] - relative[2][0],
                relative[1][0] - relative[0][1],
            ];
            match &closure.kind {
                LoopKind::Revolute => out.extend(p.into_iter().chain(aligned)),
                LoopKind::Prismatic => out.extend(cross(a, p).into_iter().chain(untwisted)),
                LoopKind::Cylindrical => out.extend(cross(a, p).into_iter().chain(aligned)),
                LoopKind::Universal { .. } => {
                    out.extend(p);
                    out.push(dot(a, rotate(&relative, closure.axis2)) - dot(a, closure.axis2));
                }
                LoopKind::Spherical => out.extend(p),
                LoopKind::Planar => out.extend(aligned.into_iter().chain([dot(a, p)])),
                LoopKind::Fixed => out.extend(p.into_iter().chain(untwisted)),
            }
        }
        for coupling in &self.couplings {
            let mut value = -coupling.offset;
            for (body, component, factor) in &coupling.terms {
                value += *factor * self.coordinates(*body, base, x)[*component];
            }
            out.push(value);
        }
        out
    }

    fn jacobian(&self, base: &Base) -> Matrix<D> {
        let columns: Vec<Vec<D>> = (0..self.dof)
            .map(|k| {
                let mut x = vec![D::zero(); self.dof];
                x[k] = d(SMALL);
                let ahead = self.equations(base, &x);
                x[k] = d(-SMALL);
                let behind = self.equations(base, &x);
                ahead.iter().zip(behind).map(|(a, b)| (*a - b) * d(0.5 / SMALL)).collect()
            })
            .collect();
        let rows = columns.first().map_or(0, Vec::len);
        Matrix::from_fn(rows, self.dof, |r, c| columns[c][r])
    }

    /// Closes a nearly closed configuration of the tree by moving the dependent coordinates only.
    pub fn closed(&self, q: &[f64], dependent: &[usize]) -> Base {
        let mut base = self.base(q);
        let still = vec![D::zero(); self.dof];
        for _ in 0..12 {
            let residual = self.equations(&base, &still);
            if largest(&residual) < 1e-30 {
                break;
            }
            let step = solve(&self.jacobian(&base), dependent, &residual, self.dof);
            base = self.recentred(&base, &step);
        }
        let left = largest(&self.equations(&base, &still));
        assert!(left < 1e-27, "closed to {left:e}");
        base
    }

    /// The closed motion through a configuration with given independent velocities and accelerations.
    pub fn motion(&self, q: &[f64], independent: &[usize], qd: &[f64], qdd: &[f64]) -> Motion<'_> {
        let dependent: Vec<usize> = (0..self.dof).filter(|k| !independent.contains(k)).collect();
        let base = self.closed(q, &dependent);
        let jacobian = self.jacobian(&base);
        let wide = |v: &[f64]| -> Vec<D> { v.iter().map(|x| d(*x)).collect() };
        let mut motion = Motion {
            classical: self,
            base,
            independent: independent.to_vec(),
            dependent,
            rate: wide(qd),
            rate2: wide(qdd),
            jacobian,
            velocity: Vec::new(),
            acceleration: Vec::new(),
        };
        motion.difference();
        // Velocities in moving axes differ from rates of the chart in the second order: ξ̈ = v̇ + ω × v.
        let correction = self.chart_correction(&motion.velocity);
        for (a, &k) in independent.iter().enumerate() {
            motion.rate2[a] += correction[k];
        }
        motion.difference();
        for (a, c) in motion.acceleration.iter_mut().zip(&correction) {
            *a -= *c;
        }
        motion
    }

    fn chart_correction(&self, velocity: &[D]) -> Vec<D> {
        let mut out = vec![D::zero(); self.dof];
        for body in &self.bodies {
            let v = &velocity[body.velocity..];
            match body.kind {
                Kind::Plane { .. } => {
                    out[body.velocity] = -(v[2] * v[1]);
                    out[body.velocity + 1] = v[2] * v[0];
                }
                Kind::Free => {
                    let turned = cross([v[3], v[4], v[5]], [v[0], v[1], v[2]]);
                    out[body.velocity..body.velocity + 3].copy_from_slice(&turned);
                }
                _ => {}
            }
        }
        out
    }
}

fn largest(v: &[D]) -> f64 {
    v.iter().fold(0.0, |most: f64, x| most.max(x.to_f64().abs()))
}

/// −(columns of J)⁻¹ r on the given columns, zero elsewhere.
fn solve(jacobian: &Matrix<D>, columns: &[usize], residual: &[D], dof: usize) -> Vec<D> {
    let width = columns.len();
    let system = Matrix::from_fn(jacobian.rows(), width + 1, |r, c| {
        if c < width { jacobian[(r, columns[c])] } else { -residual[r] }
    });
    let echelon = reduce(system, width, 1e-11);
    assert_eq!(echelon.rank(), width, "the dependent coordinates are determined");
    let mut out = vec![D::zero(); dof];
    for (row, &pivot) in echelon.pivots.iter().enumerate() {
        out[columns[pivot]] = echelon.reduced[(row, width)];
    }
    out
}

/// The pseudo-inertia of ten parameters.
fn pseudo(p: &[f64; 10]) -> M4 {
    let [m, hx, hy, hz, xx, xy, yy, xz, yz, zz] = p.map(d);
    let half = |x: D| x * d(0.5);
    [
        [half(yy + zz - xx), -xy, -xz, hx],
        [-xy, half(xx + zz - yy), -yz, hy],
        [-xz, -yz, half(xx + yy - zz), hz],
        [hx, hy, hz, m],
    ]
}

impl Motion<'_> {
    /// Chart coordinates of the closed motion at a time.
    pub fn at(&self, t: f64) -> Vec<D> {
        let classical = self.classical;
        let mut x = vec![D::zero(); classical.dof];
        for (a, &k) in self.independent.iter().enumerate() {
            x[k] = self.rate[a] * d(t) + self.rate2[a] * d(0.5 * t * t);
        }
        if self.dependent.is_empty() {
            return x;
        }
        for _ in 0..8 {
            let residual = classical.equations(&self.base, &x);
            if largest(&residual) < 1e-31 {
                break;
            }
            let step = solve(&self.jacobian, &self.dependent, &residual, classical.dof);
            for (value, change) in x.iter_mut().zip(step) {
                *value += change;
            }
        }
        x
    }

    fn difference(&mut self) {
        let (ahead, behind) = (self.at(STEP), self.at(-STEP));
        let pairs = || ahead.iter().zip(&behind);
        self.velocity = pairs().map(|(a, b)| (*a - *b) * d(0.5 / STEP)).collect();
        self.acceleration = pairs().map(|(a, b)| (*a + *b) * d(1.0 / (STEP * STEP))).collect();
    }

    pub fn poses_at(&self, t: f64) -> Vec<M4> {
        self.classical.poses(&self.base, &self.at(t))
    }

    /// Generalised forces of the tree coordinates by d'Alembert's principle.
    pub fn tree_forces(&self) -> Vec<D> {
        let classical = self.classical;
        let still = vec![D::zero(); classical.dof];
        let [ahead, here, behind] =
            [self.poses_at(STEP), classical.poses(&self.base, &still), self.poses_at(-STEP)];
        let scale = d(1.0 / (STEP * STEP));
        let felt: Vec<M4> = (0..here.len())
            .map(|k| {
                let mut a =
                    combination(&[(scale, &ahead[k]), (-(scale + scale), &here[k]), (scale, &behind[k])]);
                for r in 0..3 {
                    a[r][3] -= classical.gravity[r];
                }
                a
            })
            .collect();
        (0..classical.dof)
            .map(|k| {
                let mut x = still.clone();
                x[k] = d(SMALL);
                let ahead = classical.poses(&self.base, &x);
                x[k] = d(-SMALL);
                let behind = classical.poses(&self.base, &x);
                let mut force = D::zero();
                for (index, body) in classical.bodies.iter().enumerate() {
                    let w = d(0.5 / SMALL);
                    let slope = combination(&[(w, &ahead[index]), (-w, &behind[index])]);
                    force += trace(&slope, &body.inertia, &felt[index]);
                }
                force
            })
            .collect()
    }

    /// Generalised forces of the independent coordinates: Jᵀλ + Eᵀτ = τ_tree solved for λ and τ.
    pub fn forces(&self) -> Vec<f64> {
        let tree = self.tree_forces();
        let (j, rows) = (&self.jacobian, self.jacobian.rows());
        let system = Matrix::from_fn(self.dependent.len(), rows + 1, |r, c| {
            let k = self.dependent[r];
            if c < rows { j[(c, k)] } else { tree[k] }
        });
        let echelon = reduce(system, rows, 1e-11);
        assert_eq!(
            echelon.rank(),
            self.dependent.len(),
            "the multipliers balance every dependent coordinate"
        );
        let mut multipliers = vec![D::zero(); rows];
        for (row, &pivot) in echelon.pivots.iter().enumerate() {
            multipliers[pivot] = echelon.reduced[(row, rows)];
        }
        let carried = |k: usize| (0..rows).fold(D::zero(), |sum, r| sum + j[(r, k)] * multipliers[r]);
        for &k in &self.dependent {
            let left = (tree[k] - carried(k)).to_f64().abs();
            assert!(left < 1e-20 * (1.0 + largest(&tree) + largest(&multipliers)), "{left:e}");
        }
        self.independent.iter().map(|&k| (tree[k] - carried(k)).to_f64()).collect()
    }

    /// Kinetic and potential energy at a time.
    pub fn energies(&self, t: f64) -> (D, D) {
        let classical = self.classical;
        let [ahead, here, behind] = [self.poses_at(t + STEP), self.poses_at(t), self.poses_at(t - STEP)];
        let (mut kinetic, mut potential) = (D::zero(), D::zero());
        for (k, body) in classical.bodies.iter().enumerate() {
            let w = d(0.5 / STEP);
            let rate = combination(&[(w, &ahead[k]), (-w, &behind[k])]);
            kinetic += trace(&rate, &body.inertia, &rate) * d(0.5);
            let moment = times(&here[k], &body.inertia);
            for r in 0..3 {
                potential -= classical.gravity[r] * moment[r][3];
            }
        }
        (kinetic, potential)
    }

    /// d/dt of the total energy.
    pub fn power(&self) -> f64 {
        let total = |t: f64| {
            let (kinetic, potential) = self.energies(t);
            kinetic + potential
        };
        ((total(STEP) - total(-STEP)) * d(0.5 / STEP)).to_f64()
    }
}

/// tr(A N Bᵀ).
fn trace(a: &M4, n: &M4, b: &M4) -> D {
    let an = times(a, n);
    let mut out = D::zero();
    for r in 0..4 {
        for c in 0..4 {
            out += an[r][c] * b[r][c];
        }
    }
    out
}
