//! One algorithm in many scalars: doubles, lanes, 30 and 60 digits, F_p, and
//! exact rationals of the test's own.

#[path = "support/random_robot.rs"]
mod random_robot;
mod support;

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use steiner_dynamics::{
    Closure, Feasible, Mechanism, Tree, coupling_offsets, coupling_reduction, energy_rows, regressor,
};
use steiner_linalg::elimination::Matrix;
use steiner_robot::Robot;
use steiner_scalar::{
    DoubleDouble, Evaluated, EvaluationError, Exact, Field, Fp, LaneKernel, LaneSet, Lanes, QuadDouble,
    Rational, Real, Scalar, Trigonometric, in_lanes_of,
};
use support::{Noise, random_configuration};

/// An exact rational that is `Copy`: numerator and positive denominator in lowest terms. Overflow panics.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratio(i128, i128);

impl Ratio {
    fn new(n: i128, d: i128) -> Self {
        assert_ne!(d, 0);
        let (mut a, mut b) = (n.unsigned_abs(), d.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let g = (a as i128).max(1) * d.signum();
        Ratio(n / g, d / g)
    }
    fn to_fp(self) -> Fp {
        let r = Rational::from_parts(self.0.into(), self.1.unsigned_abs().into());
        Fp::from_rational(&r).expect("a denominator that p does not divide")
    }
    fn to_f64(self) -> f64 {
        self.0 as f64 / self.1 as f64
    }
}

fn exact(a: i128, b: i128) -> i128 {
    a.checked_mul(b).expect("small numbers")
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Ratio::new(
            exact(self.0, o.1).checked_add(exact(o.0, self.1)).expect("small numbers"),
            exact(self.1, o.1),
        )
    }
}
impl Sub for Ratio {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}
impl Mul for Ratio {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Ratio::new(exact(self.0, o.0), exact(self.1, o.1))
    }
}
impl Neg for Ratio {
    type Output = Self;
    fn neg(self) -> Self {
        Ratio(-self.0, self.1)
    }
}
impl AddAssign for Ratio {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Ratio {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl Field for Ratio {
    fn zero() -> Self {
        Ratio(0, 1)
    }
    fn one() -> Self {
        Ratio(1, 1)
    }
    fn from_i64(n: i64) -> Self {
        Ratio(n.into(), 1)
    }
    fn try_inv(&self) -> Option<Self> {
        (self.0 != 0).then(|| Ratio::new(self.1, self.0))
    }
    fn pivot_weight(&self) -> f64 {
        if self.0 == 0 { 0.0 } else { 1.0 }
    }
    fn evaluate(source: &Exact) -> Result<Evaluated<Self>, EvaluationError> {
        let r = source
            .to_rational()
            .ok_or_else(|| EvaluationError::NotFinite { expression: source.to_string() })?;
        let n = i128::try_from(r.numerator().clone()).expect("small numbers");
        let d = i128::try_from(r.denominator().clone()).expect("small numbers");
        Ok(Evaluated { value: Ratio::new(n, d), rounded: false })
    }
}
impl Scalar for Ratio {
    fn from_f64(x: f64) -> Self {
        let shifted = x * f64::from(1u32 << 20);
        assert_eq!(shifted.fract(), 0.0, "a short dyadic number");
        Ratio::new(shifted as i128, 1 << 20)
    }
    fn inv(self) -> Self {
        self.try_inv().expect("a number that is not zero")
    }
}

/// One joint of each kind, in a tree with two branches.
const ALL_KINDS: &str = r#"
name = "one of each"
gravity = [1.5, -2.5, -9.25]
[[body]]
name = "free"
parent = "base"
joint = "floating"
frame = { xyz = [0.1, 0.2, 0.3], rpy = [0.3, 0.2, 0.1] }
[[body]]
name = "turn"
parent = "free"
joint = "revolute"
xyz = [0.3, 0, 0.1]
rpy = [0.5, -0.4, "pi/3"]
axis = [1, 2, 2]
[[body]]
name = "on"
parent = "turn"
joint = "continuous"
xyz = [0, 0.4, 0]
axis = [1, 1, 0]
[[body]]
name = "slide"
parent = "on"
joint = "prismatic"
xyz = [0.1, 0, 0]
axis = [2, -1, 2]
[[body]]
name = "screw"
parent = "slide"
joint = "helical"
xyz = [0, 0, 0.2]
axis = [0, 3, 4]
pitch = 0.05
[[body]]
name = "tube"
parent = "turn"
joint = "cylindrical"
xyz = [0, 0.2, 0]
axis = [1, 0, 1]
[[body]]
name = "cardan"
parent = "tube"
joint = "universal"
xyz = [0.2, 0, 0]
axis = [0, 0, 1]
axis2 = [1, 0.5, 0]
[[body]]
name = "ball"
parent = "cardan"
joint = "spherical"
xyz = [0, 0, 0.3]
frame = { xyz = [0, 0.1, 0], rpy = [1, 0, 0.5] }
[[body]]
name = "plate"
parent = "ball"
joint = "planar"
xyz = [0, 0.1, 0.1]
axis = [2, 3, 6]
"#;

fn evaluate<S: Trigonometric>(
    robot: &Robot,
    mechanism: &Mechanism,
    q: &[S],
    qd: &[S],
    qdd: &[S],
) -> Matrix<S> {
    let tree = Tree::<S>::new(robot).unwrap_or_else(|error| panic!("{error}"));
    let mut poses = Vec::new();
    tree.poses_at(q, &mut poses);
    let state = Feasible { poses, velocity: qd.to_vec(), acceleration: qdd.to_vec(), reduction: None };
    regressor(&tree, mechanism.layout(), &state)
}

fn largest(a: &Matrix<f64>) -> f64 {
    a.entries().iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

fn narrow<R: Real>(m: &Matrix<R>) -> Matrix<f64> {
    Matrix::from_fn(m.rows(), m.columns(), |r, c| m[(r, c)].to_f64())
}

fn difference(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    a.entries().iter().zip(b.entries()).fold(0.0, |most: f64, (x, y)| {
        let wrong = (x - y).abs();
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

fn lift<R: Scalar>(v: &[f64]) -> Vec<R> {
    v.iter().map(|x| R::from_f64(*x)).collect()
}

/// Digits of a double-double in a quad-double.
fn widened(x: DoubleDouble) -> QuadDouble {
    x.components().iter().fold(QuadDouble::zero(), |sum, part| sum + QuadDouble::from_f64(*part))
}

/// max |dd − qd|.
fn digits_apart(dd: &Matrix<DoubleDouble>, qd: &Matrix<QuadDouble>) -> f64 {
    dd.entries().iter().zip(qd.entries()).fold(0.0, |most: f64, (a, b)| {
        let wrong = (widened(*a) - *b).to_f64().abs();
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

fn states(mechanism: &Mechanism, count: usize) -> Vec<[Vec<f64>; 3]> {
    let mut noise = Noise::new(41);
    (0..count)
        .map(|_| {
            let q = random_configuration(mechanism, &mut noise, 1.2);
            [q, noise.vector(mechanism.dof()), noise.vector(mechanism.dof())]
        })
        .collect()
}

fn lanes_agree<L: Lanes>(mechanism: &Mechanism) {
    let states = states(mechanism, L::WIDTH);
    let robot = mechanism.robot();
    let pack = |part: usize| -> Vec<L> {
        (0..states[0][part].len()).map(|k| L::from_lanes(|lane| states[lane][part][k])).collect()
    };
    let y = evaluate::<L>(robot, mechanism, &pack(0), &pack(1), &pack(2));
    for (lane, [q, qd, qdd]) in states.iter().enumerate() {
        let alone = evaluate::<f64>(robot, mechanism, q, qd, qdd);
        let own = Matrix::from_fn(y.rows(), y.columns(), |r, c| y[(r, c)].lane(lane));
        let wrong = difference(&alone, &own) / largest(&alone);
        assert!(wrong < 1e-14, "lane {lane} of {}: {wrong:e}", L::WIDTH);
    }
}

#[test]
fn lanes_of_every_width_agree_with_doubles_on_all_joint_kinds() {
    struct Agreement<'a>(&'a Mechanism);
    impl LaneKernel for Agreement<'_> {
        type Output = ();
        fn run<L: Lanes>(self) {
            lanes_agree::<L>(self.0);
        }
    }
    let mechanism = support::mechanism(ALL_KINDS);
    for set in LaneSet::available() {
        in_lanes_of(set, Agreement(&mechanism));
    }
}

#[test]
fn thirty_and_sixty_digits_agree_with_doubles_and_each_other_on_all_joint_kinds() {
    let mechanism = support::mechanism(ALL_KINDS);
    let robot = mechanism.robot();
    for [q, qd, qdd] in &states(&mechanism, 4) {
        // Unit quaternions to the digits of each: the double's own rounding is normalised away.
        let (mut q_dd, mut q_qd) = (lift(q), lift(q));
        Tree::<DoubleDouble>::new(robot).unwrap().normalise(&mut q_dd);
        Tree::<QuadDouble>::new(robot).unwrap().normalise(&mut q_qd);
        let y = evaluate::<f64>(robot, &mechanism, q, qd, qdd);
        let y_dd = evaluate::<DoubleDouble>(robot, &mechanism, &q_dd, &lift(qd), &lift(qdd));
        let y_qd = evaluate::<QuadDouble>(robot, &mechanism, &q_qd, &lift(qd), &lift(qdd));
        let scale = largest(&y);
        assert!(difference(&y, &narrow(&y_dd)) < 1e-14 * scale);
        let apart = digits_apart(&y_dd, &y_qd);
        assert!(apart < 1e-28 * scale, "{apart:e}");
        assert!(apart > 0.0, "sixty digits are more than thirty");
    }
}

#[test]
fn a_closed_loop_has_the_same_regressor_in_sixteen_thirty_and_sixty_digits() {
    for name in ["four_bar", "pkm_2prs_1psr", "delta"] {
        let robot = steiner_formats::read_robot(name, &steiner_formats::ReadOptions::default()).unwrap();
        let mechanism = Mechanism::new(robot).unwrap_or_else(|error| panic!("{error}"));
        let robot = mechanism.robot();
        let mut noise = Noise::new(43);
        let q = random_configuration(&mechanism, &mut noise, 0.2);
        let tree_q = mechanism.tree_configuration(&q).unwrap();
        let (qd, qdd) = (noise.vector(mechanism.dof()), noise.vector(mechanism.dof()));
        fn closed<R: Real>(m: &Mechanism, robot: &Robot, q: &[f64], qd: &[f64], qdd: &[f64]) -> Matrix<R> {
            let closure = Closure::<R>::new(robot).unwrap();
            let state = closure.feasible(m.plan(), &lift(q), &lift(qd), &lift(qdd)).unwrap();
            regressor(&closure.tree, m.layout(), &state)
        }
        let y = mechanism.regressor(&q, &qd, &qdd).unwrap();
        let y_dd = closed::<DoubleDouble>(&mechanism, robot, &tree_q, &qd, &qdd);
        let y_qd = closed::<QuadDouble>(&mechanism, robot, &tree_q, &qd, &qdd);
        let scale = largest(&y);
        assert!(difference(&y, &narrow(&y_dd)) < 1e-12 * scale, "{name}");
        let apart = digits_apart(&y_dd, &y_qd);
        assert!(apart < 1e-28 * scale, "{name}: {apart:e}");
    }
}

/// A planar arm 2R + P with rational geometry, whose first joint is tilted so
/// that nothing is aligned by luck.
const RATIONAL_ARM: &str = r#"
name = "rational"
gravity = [1, -2, "-39/4"]
[[body]]
name = "a"
parent = "base"
joint = "revolute"
xyz = ["1/2", 0, "1/3"]
rotation = [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]
axis = [0, 0, 1]
[[body]]
name = "b"
parent = "a"
joint = "revolute"
xyz = ["2/3", 0, 0]
axis = [2, 1, 2]
[[body]]
name = "c"
parent = "b"
joint = "prismatic"
xyz = [0, "1/4", 0]
axis = [0, 0.6, 0.8]
"#;

/// The state of a tree at rational parameters: t in place of an angle.
fn at_parameters<S: Scalar>(tree: &Tree<S>, q: &[S], qd: &[S], qdd: &[S]) -> Feasible<S> {
    let poses = tree
        .segments
        .iter()
        .map(|segment| segment.pose_at_parameters(&q[segment.configuration..], S::zero()))
        .collect();
    Feasible { poses, velocity: qd.to_vec(), acceleration: qdd.to_vec(), reduction: None }
}

#[test]
fn the_prime_field_holds_the_images_of_exact_rationals() {
    let mechanism = support::mechanism(RATIONAL_ARM);
    let robot = mechanism.robot();
    let (exact_tree, image_tree) = (Tree::<Ratio>::new(robot).unwrap(), Tree::<Fp>::new(robot).unwrap());
    assert!(!image_tree.rounded && !exact_tree.rounded);
    let cases = [
        ([(1, 2), (1, 3), (2, 5)], [(1, 1), (-2, 3), (1, 2)], [(3, 1), (1, 4), (-1, 1)]),
        ([(-2, 1), (3, 4), (-1, 7)], [(5, 2), (1, 1), (-3, 1)], [(0, 1), (-2, 1), (1, 6)]),
    ];
    for (q, qd, qdd) in cases {
        let ratios = |v: [(i128, i128); 3]| v.map(|(n, d)| Ratio::new(n, d));
        let [q, qd, qdd] = [ratios(q), ratios(qd), ratios(qdd)];
        let images = |v: [Ratio; 3]| v.map(Ratio::to_fp);
        let exact_state = at_parameters(&exact_tree, &q, &qd, &qdd);
        let image_state = at_parameters(&image_tree, &images(q), &images(qd), &images(qdd));
        let exact = regressor(&exact_tree, mechanism.layout(), &exact_state);
        let image = regressor(&image_tree, mechanism.layout(), &image_state);
        for (x, y) in exact.entries().iter().zip(image.entries()) {
            assert_eq!(x.to_fp(), *y, "{x:?}");
        }
        let (exact_rows, image_rows) = (
            energy_rows(&exact_tree, mechanism.layout(), &exact_state),
            energy_rows(&image_tree, mechanism.layout(), &image_state),
        );
        let both = |rows: &Matrix<Ratio>, images: &Matrix<Fp>| {
            assert!(rows.entries().iter().zip(images.entries()).all(|(x, y)| x.to_fp() == *y));
        };
        both(&exact_rows.mass, &image_rows.mass);
        both(&exact_rows.gravity, &image_rows.gravity);
        // And the rationals are those of the doubles, at the angles 2 atan t.
        let doubles = |v: [Ratio; 3]| v.map(Ratio::to_f64);
        let [t1, t2, x] = doubles(q);
        let angles = [2.0 * t1.atan(), 2.0 * t2.atan(), x];
        let y = mechanism.regressor(&angles, &doubles(qd), &doubles(qdd)).unwrap();
        let exact = Matrix::from_fn(exact.rows(), exact.columns(), |r, c| exact[(r, c)].to_f64());
        assert!(difference(&y, &exact) < 1e-14 * largest(&y));
    }
}

#[test]
fn parameters_of_every_joint_kind_describe_the_pose_its_coordinates_do() {
    let mechanism = support::mechanism(ALL_KINDS);
    let tree = mechanism.tree();
    let mut noise = Noise::new(47);
    let q = tree.displaced(&tree.neutral(), &noise.vector(tree.dof));
    let kinds: Vec<_> = mechanism.robot().bodies.iter().flat_map(|body| body.joint.stages()).collect();
    for (segment, stage) in tree.segments.iter().zip(&kinds) {
        use steiner_robot::Motion;
        let own = &q[segment.configuration..segment.configuration + segment.configuration_size()];
        let mut parameters = own.to_vec();
        let tangent = |angle: f64| (0.5 * angle).tan();
        match stage.motion {
            Motion::Rotation | Motion::Screw { .. } => parameters[0] = tangent(own[0]),
            Motion::Plane => parameters[2] = tangent(own[2]),
            // A quaternion of any length.
            Motion::Ball => parameters.iter_mut().for_each(|x| *x *= 3.0),
            Motion::Free => parameters[3..].iter_mut().for_each(|x| *x *= -2.0),
            Motion::Translation => {}
        }
        let (expected, found) = (segment.pose_at(own), segment.pose_at_parameters(&parameters, own[0]));
        let entries =
            |pose: &steiner_robot::Pose<f64>| [&pose.rotation.0[..], &[pose.translation.0]].concat().concat();
        let wrong = support::discrepancy(&entries(&expected), &entries(&found));
        assert!(wrong < 1e-14, "{:?}: {wrong:e}", stage.motion);
        if let Motion::Rotation | Motion::Screw { .. } = stage.motion {
            let (sin, cos) = own[0].sin_cos();
            assert_eq!(segment.pose_at_sin_cos(sin, cos, &own[..1]), expected);
        }
    }
}

fn random_residue(noise: &mut Noise) -> Fp {
    Fp::new((noise.uniform().abs() * 2f64.powi(52)) as u64)
        * Fp::new((noise.uniform().abs() * 2f64.powi(52)) as u64)
}

#[test]
fn structural_null_vectors_vanish_exactly_in_the_prime_field() {
    // A vertical first axis off the origin of nothing: its body's mass, height moment and all inertia but Izz
    // are never seen, and neither is the mass of any body on a straight vertical stack of such joints.
    let mechanism = support::mechanism(
        r#"
        name = "tower"
        gravity = [0, 0, -9.81]
        [[body]]
        name = "turret"
        parent = "base"
        joint = "revolute"
        xyz = [0, 0, 0.5]
        axis = [0, 0, 1]
        [[body]]
        name = "arm"
        parent = "turret"
        joint = "revolute"
        xyz = [0.2, 0.1, 0.3]
        rpy = ["pi/2", 0, "pi/3"]
        axis = [0, 0, 1]
        "#,
    );
    let tree = Tree::<Fp>::new(mechanism.robot()).unwrap();
    assert!(!tree.rounded);
    let labels = mechanism.robot().labels();
    let mut noise = Noise::new(53);
    for _ in 0..20 {
        let mut residues = || -> Vec<Fp> { (0..2).map(|_| random_residue(&mut noise)).collect() };
        let state = at_parameters(&tree, &residues(), &residues(), &residues());
        let y = regressor(&tree, mechanism.layout(), &state);
        for (column, label) in labels.iter().enumerate() {
            let seen = (0..2).any(|row| y[(row, column)] != Fp::new(0));
            let turret_only_turns = label.starts_with("turret.") && label != "turret.Izz";
            assert_eq!(seen, !turret_only_turns, "{label}");
        }
        // The arm's mass at its own axis is the turret's inertia: shared points of the revolute joint.
        // π = arm.m − turret.Izz (x² + y² of the joint), with x = 0.2, y = 0.1 and no gravity torque about z.
        let index = |label: &str| labels.iter().position(|l| l == label).unwrap();
        let distance2 = Fp::evaluate(&Exact::parse("0.05").unwrap()).unwrap().value;
        for row in 0..2 {
            let sum = y[(row, index("arm.m"))] - distance2 * y[(row, index("turret.Izz"))];
            assert_eq!(sum, Fp::new(0));
        }
    }
}

#[test]
fn couplings_in_the_prime_field_reduce_as_they_do_in_doubles() {
    let text = r#"
        name = "geared"
        gravity = [0, 0, -10]
        [[body]]
        name = "link1"
        parent = "base"
        joint = "revolute"
        xyz = [0, 0, 0.5]
        axis = [0, 3, 4]
        [[body]]
        name = "rotor"
        parent = "base"
        joint = "revolute"
        xyz = [0.1, 0, 0]
        axis = [0, 0, 1]
        [[body]]
        name = "slider"
        parent = "link1"
        joint = "prismatic"
        xyz = [0.1, 0.2, 0]
        axis = [1, 2, 2]
        [[body]]
        name = "link2"
        parent = "slider"
        joint = "revolute"
        xyz = [0, 0.25, 0]
        axis = [1, 0, 0]
        [[coupling]]
        coordinate = "rotor"
        terms = [["link1", -9], ["link2", "1/3"]]
        offset = 0.5
        [[coupling]]
        coordinate = "slider"
        terms = [["rotor", 0.05]]
        "#;
    let mechanism = support::mechanism(text);
    assert_eq!(mechanism.independent_names(), ["link1", "link2"]);
    let robot = mechanism.robot();
    let in_field = coupling_reduction::<Fp>(robot, mechanism.plan()).unwrap();
    let in_doubles = coupling_reduction::<f64>(robot, mechanism.plan()).unwrap();
    let in_ratios = coupling_reduction::<Ratio>(robot, mechanism.plan()).unwrap();
    assert!(!in_field.rounded);
    for ((f, d), r) in
        in_field.value.entries().iter().zip(in_doubles.value.entries()).zip(in_ratios.value.entries())
    {
        assert_eq!(*f, r.to_fp());
        assert!((d - r.to_f64()).abs() < 1e-15);
    }
    // slider = 0.05 · (−9 link1 + link2/3).
    assert_eq!(in_ratios.value[(2, 0)], Ratio::new(-9, 20));
    assert_eq!(in_ratios.value[(2, 1)], Ratio::new(1, 60));
    // rotor = … + 1/2, and so slider = … + 0.05/2.
    let offsets = coupling_offsets::<Ratio>(robot, mechanism.plan()).unwrap().value;
    assert_eq!(offsets, [Ratio::new(0, 1), Ratio::new(1, 2), Ratio::new(1, 40), Ratio::new(0, 1)]);
    // The closure's own Z is the same.
    let still = [0.0; 2];
    let (z, bias) =
        mechanism.closure().reduction(mechanism.plan(), mechanism.reference_tree(), &still).unwrap();
    assert!(difference(&z, &in_doubles.value) < 1e-15);
    assert!(bias.iter().all(|b| *b == 0.0));
    // A reduced regressor in F_p is that of exact rationals.
    let (exact_tree, image_tree) = (Tree::<Ratio>::new(robot).unwrap(), Tree::<Fp>::new(robot).unwrap());
    let ratio = |n, d| Ratio::new(n, d);
    let q = [ratio(1, 2), ratio(-1, 3), ratio(1, 5), ratio(2, 1)];
    let (qd, qdd) = ([ratio(1, 1), ratio(-1, 2)], [ratio(2, 1), ratio(1, 3)]);
    let mut exact = at_parameters(&exact_tree, &q, &in_ratios.value.apply(&qd), &in_ratios.value.apply(&qdd));
    exact.reduction = Some(in_ratios.value);
    let image = |v: &[Ratio]| -> Vec<Fp> { v.iter().map(|x| x.to_fp()).collect() };
    let (velocity, acceleration) = (in_field.value.apply(&image(&qd)), in_field.value.apply(&image(&qdd)));
    let mut in_p = at_parameters(&image_tree, &image(&q), &velocity, &acceleration);
    in_p.reduction = Some(in_field.value);
    let exact = regressor(&exact_tree, mechanism.layout(), &exact);
    let in_p = regressor(&image_tree, mechanism.layout(), &in_p);
    assert!(exact.entries().iter().zip(in_p.entries()).all(|(x, y)| x.to_fp() == *y));
    assert!(exact.entries().iter().any(|x| x.0 != 0));
}

#[test]
fn an_axis_without_a_root_in_the_field_is_left_unnormalised_without_harm_to_the_nullspace() {
    // |(1, 2, 3)| = √14 = √2 √7 is in the field, |(1, 1, 3)| = √11 is not.
    for (axis, exact_unit) in [("[1, 2, 3]", true), ("[1, 1, 3]", false)] {
        let text = format!(
            "name = \"tilted\"\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\naxis = {axis}\n\
             [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0.3, 0.1, 0]\naxis = [0, 1, 0]\n"
        );
        let mechanism = support::mechanism(&text);
        let tree = Tree::<Fp>::new(mechanism.robot()).unwrap();
        assert!(!tree.rounded, "{axis}");
        let norm2 = tree.segments[0].columns[0].angular;
        let norm2 = norm2.dot(norm2);
        assert_eq!(norm2 == Fp::new(1), exact_unit, "{axis}");
        // The pose is a rotation in either case.
        let mut noise = Noise::new(59);
        let pose = tree.segments[0].pose_at_parameters(&[random_residue(&mut noise)], Fp::new(0));
        assert_eq!(pose.rotation.transpose() * pose.rotation, steiner_linalg::Mat3::identity());
        let axis = tree.segments[0].columns[0].angular;
        assert_eq!(pose.rotation.apply(axis), axis);
    }
}
