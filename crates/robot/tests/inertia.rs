//! Inertia: all its forms say the same, it moves as its mass points do, and what no body can have is named.

use proptest::prelude::*;
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::{CentredInertia, Inconsistency, Orientation, PARAMETERS, PseudoInertia};
use steiner_scalar::Exact;

type Point = (f64, [f64; 3]);

/// The inertia of mass points, by its definition: Σ m, Σ m r, Σ m (r·r 1 − r rᵀ).
fn of_points(points: &[Point]) -> PseudoInertia {
    let mut p = [0.0; 10];
    for &(m, [x, y, z]) in points {
        let terms = [
            m,
            m * x,
            m * y,
            m * z,
            m * (y * y + z * z),
            -m * x * y,
            m * (x * x + z * z),
            -m * x * z,
            -m * y * z,
            m * (x * x + y * y),
        ];
        p.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
    PseudoInertia::from_parameters(&p)
}

fn difference(a: &PseudoInertia, b: &PseudoInertia) -> f64 {
    let pairs = a.parameters().into_iter().zip(b.parameters());
    // A NaN anywhere is a difference.
    pairs.fold(0.0, |most: f64, (x, y)| {
        let wrong = (x - y).abs();
        if wrong.is_nan() { f64::INFINITY } else { most.max(wrong) }
    })
}

fn rotation(roll: f64, pitch: f64, yaw: f64) -> Mat3<f64> {
    let angles = [roll, pitch, yaw].map(|angle| Exact::from_f64(angle).unwrap());
    Orientation::RollPitchYaw(angles).evaluate().unwrap().value
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    let coordinate = || -2.0..2.0f64;
    let point = (0.01..3.0f64, [coordinate(), coordinate(), coordinate()]);
    proptest::collection::vec(point, 4..8)
}

#[test]
fn the_parameters_are_in_pinocchios_order() {
    assert_eq!(PARAMETERS, ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"]);
    let one = of_points(&[(2.0, [1.0, 2.0, 3.0])]);
    assert_eq!(one.parameters(), [2.0, 2.0, 4.0, 6.0, 26.0, -4.0, 20.0, -6.0, -12.0, 10.0]);
    assert_eq!(one.centred(), CentredInertia { mass: 2.0, com: [1.0, 2.0, 3.0], tensor: [0.0; 6] });
    // Second moments ∫ r rᵀ dm, with the mass in the corner.
    assert_eq!(
        one.matrix(),
        [[2.0, 4.0, 6.0, 2.0], [4.0, 8.0, 12.0, 4.0], [6.0, 12.0, 18.0, 6.0], [2.0, 4.0, 6.0, 2.0]]
    );
}

/// Steiner's own theorem: I(origin) = I(centre) + m (c·c 1 − c cᵀ).
#[test]
fn the_parallel_axis_theorem_holds() {
    let centred = CentredInertia { mass: 2.0, com: [0.0, 0.0, 3.0], tensor: [1.0, 0.0, 1.0, 0.0, 0.0, 0.5] };
    let inertia = PseudoInertia::from_centred(&centred);
    assert_eq!(inertia.parameters(), [2.0, 0.0, 0.0, 6.0, 19.0, 0.0, 19.0, 0.0, 0.0, 0.5]);
}

#[test]
fn the_spatial_form_is_equation_six() {
    let s = of_points(&[(2.0, [1.0, 2.0, 3.0])]).spatial();
    assert_eq!(s[0], [26.0, -4.0, -6.0, 0.0, -6.0, 4.0]);
    assert_eq!(s[1], [-4.0, 20.0, -12.0, 6.0, 0.0, -2.0]);
    assert_eq!(s[2], [-6.0, -12.0, 10.0, -4.0, 2.0, 0.0]);
    assert_eq!(s[3], [0.0, 6.0, -4.0, 2.0, 0.0, 0.0]);
    for r in 0..6 {
        for c in 0..6 {
            assert_eq!(s[r][c], s[c][r]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_converts_back(points in points()) {
        let inertia = of_points(&points);
        prop_assert!(difference(&PseudoInertia::from_parameters(&inertia.parameters()), &inertia) < 1e-12);
        prop_assert!(difference(&PseudoInertia::from_centred(&inertia.centred()), &inertia) < 1e-12);
        prop_assert!(difference(&PseudoInertia::from_pseudo_matrix(&inertia.matrix()), &inertia) < 1e-12);
        prop_assert!(difference(&PseudoInertia::from_spatial(&inertia.spatial()), &inertia) < 1e-12);
        prop_assert_eq!(inertia.check(), Ok(()));
    }

    #[test]
    fn moving_a_body_moves_its_points(
        points in points(),
        [roll, pitch, yaw] in [-3.0..3.0f64, -3.0..3.0, -3.0..3.0],
        shift in [-2.0..2.0f64, -2.0..2.0, -2.0..2.0],
    ) {
        let r = rotation(roll, pitch, yaw);
        let moved: Vec<Point> = points.iter().map(|(m, p)| (*m, (Vec3(shift) + r.apply(Vec3(*p))).0)).collect();
        let inertia = of_points(&points);
        prop_assert!(difference(&inertia.moved(&r, shift), &of_points(&moved)) < 1e-10);
        // Where it stands does not change what it is.
        let (before, after) = (inertia.principal_moments(), inertia.moved(&r, shift).principal_moments());
        for (a, b) in before.into_iter().zip(after) {
            prop_assert!((a - b).abs() < 1e-9, "{before:?} {after:?}");
        }
    }

    #[test]
    fn welding_is_the_sum_of_the_points(a in points(), b in points()) {
        let together: Vec<Point> = a.iter().chain(&b).copied().collect();
        prop_assert!(difference(&of_points(&a).plus(&of_points(&b)), &of_points(&together)) < 1e-12);
    }

    #[test]
    fn the_energy_of_the_points_is_that_of_the_spatial_form(
        points in points(),
        w in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0],
        v in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0],
    ) {
        let twist = [w[0], w[1], w[2], v[0], v[1], v[2]];
        let s = of_points(&points).spatial();
        let form: f64 = (0..6).map(|r| (0..6).map(|c| twist[r] * s[r][c] * twist[c]).sum::<f64>()).sum();
        let speed = |p: &[f64; 3]| Vec3(v) + Vec3(w).cross(Vec3(*p));
        let energy: f64 = points.iter().map(|(m, p)| m * speed(p).dot(speed(p))).sum();
        prop_assert!((form - energy).abs() < 1e-9 * energy.max(1.0));
    }
}

#[test]
fn rods_laminas_points_and_nothing_are_bodies() {
    let centred = |mass, com, tensor| PseudoInertia::from_centred(&CentredInertia { mass, com, tensor });
    for inertia in [
        PseudoInertia::ZERO,
        centred(1.0, [0.1, -0.2, 0.3], [0.0; 6]),
        centred(1.0, [0.3, 0.0, 0.1], [0.2, 0.0, 0.2, 0.0, 0.0, 0.0]),
        centred(1.0, [0.3, 0.7, 0.1], [0.1, 0.0, 0.2, 0.0, 0.0, 0.3]),
    ] {
        assert_eq!(inertia.check(), Ok(()));
        assert_eq!(inertia.moved(&rotation(0.3, 0.2, 0.1), [1.0, 2.0, 3.0]).check(), Ok(()));
    }
}

#[test]
fn what_no_body_can_have_is_named() {
    let centred = |mass, tensor| PseudoInertia::from_centred(&CentredInertia { mass, com: [0.0; 3], tensor });
    let said = |inertia: PseudoInertia| inertia.check().unwrap_err().to_string();
    assert_eq!(said(centred(-1.0, [1.0, 0.0, 1.0, 0.0, 0.0, 1.0])), "the mass -1 kg is negative");
    assert_eq!(
        said(centred(0.0, [1.0, 0.0, 1.0, 0.0, 0.0, 1.0])),
        "the mass is zero but the moments are not"
    );
    assert_eq!(
        said(centred(1.0, [1.0, 2.0, 1.0, 0.0, 0.0, 1.0])),
        "the inertia tensor is indefinite (principal moments -1.0000e0, 1.0000e0, 3.0000e0 kg·m²)"
    );
    assert_eq!(
        said(centred(1.0, [1.0, 0.0, 1.0, 0.0, 0.0, 3.0])),
        "the principal moments 1.0000e0, 1.0000e0, 3.0000e0 kg·m² violate the triangle inequality (the largest \
         exceeds the sum of the others)"
    );
    assert_eq!(centred(f64::NAN, [0.0; 6]).check(), Err(Inconsistency::NotFinite));
    assert_eq!(centred(1.0, [f64::INFINITY; 6]).check(), Err(Inconsistency::NotFinite));
}
