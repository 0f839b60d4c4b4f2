//! The statements of \[wensing2024\], each as it is printed.

mod support;

use steiner_dynamics::{Mechanism, energy_rows};
use steiner_formats::ReadOptions;
use steiner_identifiability::{Cause, Measurement, NullVector, Site, rpna};
use steiner_linalg::elimination::{Matrix, reduce};
use steiner_linalg::{Mat3, Vec3};
use steiner_robot::Pose;
use support::{dense, mechanism, named_with, same_span, sensors};

/// Columns of the second body.
const SECOND: usize = 10;
const LABELS: [&str; 10] = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"];

/// A floating body with a second one on a joint along z, some way off.
fn two_bodies(joint: &str) -> Vec<NullVector> {
    let text = format!(
        "[[body]]\nname = \"one\"\nparent = \"base\"\njoint = \"floating\"\n\
         [[body]]\nname = \"two\"\nparent = \"one\"\nxyz = [0.2, -0.1, 0.3]\nrpy = [0.3, 0.1, 0.7]\n{joint}\n"
    );
    rpna(&mechanism(&text), &Measurement::all()).unwrap()
}

/// What a vector changes of the second body.
fn second_body(vector: &NullVector) -> Vec<(&'static str, f64)> {
    let own = vector.entries.iter().filter(|(column, _)| *column >= SECOND);
    own.map(|&(column, x)| (LABELS[column - SECOND], x)).collect()
}

fn assert_freedoms(joint: &str, expected: &[&[&str]]) {
    let found: Vec<_> = two_bodies(joint).iter().map(second_body).collect();
    let names: Vec<Vec<&str>> = found.iter().map(|v| v.iter().map(|(name, _)| *name).collect()).collect();
    assert_eq!(names, expected, "{joint}");
    assert!(found.iter().flatten().all(|(_, x)| (x - 1.0).abs() < 1e-12), "{joint}: {found:?}");
}

#[test]
fn a_revolute_joint_exchanges_a_thin_rod_along_its_axis() {
    // (31)–(33): δm, δhz, δIxx = δIyy.
    assert_freedoms("joint = \"revolute\"", &[&["m"], &["mz"], &["Ixx", "Iyy"]]);
}

#[test]
fn a_prismatic_joint_exchanges_all_moments_of_inertia() {
    let all: [&[&str]; 6] = [&["Ixx"], &["Ixy"], &["Iyy"], &["Ixz"], &["Iyz"], &["Izz"]];
    assert_freedoms("joint = \"prismatic\"", &all);
}

#[test]
fn a_helical_joint_exchanges_what_both_do() {
    // (34).
    assert_freedoms("joint = \"helical\"\npitch = 0.02", &[&["Ixx", "Iyy"]]);
}

#[test]
fn the_reasons_are_those_of_a_mechanical_engineer() {
    use Cause::{DisplacementAlongSharedAxis, MassOnSharedAxis, RodAlongSharedAxis};
    let found = two_bodies("joint = \"revolute\"");
    let causes: Vec<Cause> = found.iter().map(|vector| vector.reason.cause).collect();
    assert_eq!(causes, [MassOnSharedAxis, DisplacementAlongSharedAxis, RodAlongSharedAxis]);
    assert!(found.iter().all(|vector| vector.reason.bodies == [0, 1] && vector.joint() == Some("two")));
}

/// \[π\]^ of (6) for unit parameter `k`, in the order of the labels.
fn spatial_inertia(k: usize) -> [[f64; 6]; 6] {
    let mut out = [[0.0; 6]; 6];
    match k {
        0 => (3..6).for_each(|i| out[i][i] = 1.0),
        1..=3 => {
            let skew = Vec3::<f64>::unit(k - 1).skew();
            for r in 0..3 {
                for c in 0..3 {
                    out[r][3 + c] = skew.0[r][c];
                    out[3 + r][c] = skew.0[c][r];
                }
            }
        }
        _ => {
            let (r, c) = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)][k - 4];
            (out[r][c], out[c][r]) = (1.0, 1.0);
        }
    }
    out
}

fn product(a: &[[f64; 6]; 6], b: &[[f64; 6]; 6]) -> [[f64; 6]; 6] {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..6).map(|k| a[r][k] * b[k][c]).sum()))
}

fn transposed(a: &[[f64; 6]; 6]) -> [[f64; 6]; 6] {
    std::array::from_fn(|r| std::array::from_fn(|c| a[c][r]))
}

/// A 6×6 matrix of 3×3 blocks.
fn blocks(a: [[Mat3<f64>; 2]; 2]) -> [[f64; 6]; 6] {
    std::array::from_fn(|r| std::array::from_fn(|c| a[r / 3][c / 3].0[r % 3][c % 3]))
}

/// The nullspace of theorem 1, (38) and (39), with 6×6 matrices as printed.
fn theorem_one(mechanism: &Mechanism) -> Vec<Vec<f64>> {
    let tree = mechanism.tree();
    let columns = mechanism.layout().columns();
    let neutral = tree.neutral();
    let mut vectors = Vec::new();
    for segment in &tree.segments[1..] {
        let (child, parent) = (segment.body.unwrap(), tree.segments[segment.parent.unwrap()].body.unwrap());
        let at = segment.configuration..segment.configuration + segment.configuration_size();
        let Pose { rotation, translation } = segment.pose_at(&neutral[at]);
        let turn = rotation.transpose();
        let x = blocks([[turn, Mat3::zero()], [(turn * translation.skew()).scale(-1.0), turn]]);
        let mut conditions = Matrix::zeros(0, 10);
        for column in &segment.columns {
            let (w, v) = (column.angular.skew(), column.linear.skew());
            let phi_cross = blocks([[w, Mat3::zero()], [v, w]]);
            let phi: Vec<f64> = column.angular.0.into_iter().chain(column.linear.0).collect();
            let per_parameter: Vec<Vec<f64>> = (0..10)
                .map(|k| {
                    let inertia = spatial_inertia(k);
                    let (left, right) =
                        (product(&transposed(&phi_cross), &inertia), product(&inertia, &phi_cross));
                    let invariance = (0..36).map(|i| left[i / 6][i % 6] + right[i / 6][i % 6]);
                    let momentum = (0..6).map(|r| (0..6).map(|c| inertia[r][c] * phi[c]).sum());
                    invariance.chain(momentum).collect()
                })
                .collect();
            for row in 0..42 {
                conditions.push_row(&per_parameter.iter().map(|p| p[row]).collect::<Vec<_>>());
            }
        }
        for change in reduce(conditions, 10, 1e-9).nullspace() {
            let mut vector = vec![0.0; columns];
            vector[10 * child..10 * child + 10].copy_from_slice(&change);
            for (k, factor) in change.iter().enumerate() {
                let moved = product(&product(&transposed(&x), &spatial_inertia(k)), &x);
                let entries =
                    [(3, 3), (2, 4), (0, 5), (1, 3), (0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];
                for (place, (r, c)) in entries.into_iter().enumerate() {
                    vector[10 * parent + place] -= factor * moved[r][c];
                }
            }
            vectors.push(vector);
        }
    }
    vectors
}

#[test]
fn the_nullspace_of_a_floating_system_is_the_sum_of_its_transfers() {
    // Theorem 1, for a chain with all joints of one freedom and for a tree.
    let chain = "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"floating\"\n\
        [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\nxyz = [0.1, 0.2, 0.3]\naxis = [1, 2, 2]\n\
        [[body]]\nname = \"c\"\nparent = \"b\"\njoint = \"prismatic\"\nxyz = [0.4, 0, 0]\nrpy = [0.3, 0, 0.2]\n\
        [[body]]\nname = \"d\"\nparent = \"c\"\njoint = \"helical\"\npitch = 0.03\nxyz = [0, 0.5, 0]\naxis = [0, 1, 0]\n\
        [[body]]\nname = \"e\"\nparent = \"d\"\njoint = \"spherical\"\nxyz = [0, 0, 0.2]\n";
    for mechanism in [mechanism(chain), named_with("go2", &ReadOptions::default())] {
        let parameters = mechanism.layout().columns();
        let found = dense(&rpna(&mechanism, &Measurement::all()).unwrap(), parameters);
        assert_eq!(same_span(&found, &theorem_one(&mechanism), parameters), Ok(()));
    }
}

/// Arms whose nullspaces 𝒩_H, 𝒩_g and 𝒩_Y all differ.
const ARMS: [&str; 3] = ["puma560", "scara_sr6ia", "gantry"];

fn without_gravity(name: &str) -> Mechanism {
    let mechanism = named_with(name, &ReadOptions::default());
    let nothing = std::array::from_fn(|_| steiner_scalar::Exact::zero());
    Mechanism::new(mechanism.robot().with_gravity(nothing).unwrap()).unwrap()
}

#[test]
fn kinetic_energy_and_mass_matrix_hide_the_same() {
    // Proposition 1: rows of T at many states and rows of H at many configurations have the nullspace of
    // the recursion without gravity.
    for name in ARMS {
        let mechanism = without_gravity(name);
        let (parameters, dof) = (mechanism.layout().columns(), mechanism.dof());
        let (mut energy, mut mass) = (Matrix::zeros(0, parameters), Matrix::zeros(0, parameters));
        for state in 0..3 * parameters {
            let angle = |k: usize| ((state * dof + k) as f64 * 0.754_877_666).fract() * 6.0 - 3.0;
            let q: Vec<f64> = (0..dof).map(angle).collect();
            let qd: Vec<f64> = (0..dof).map(|k| angle(k + 7) - 0.3).collect();
            let still = vec![0.0; dof];
            let feasible = mechanism.feasible(&q, &still, &still).unwrap();
            let rows = energy_rows(mechanism.tree(), mechanism.layout(), &feasible).mass;
            (0..rows.rows()).for_each(|r| mass.push_row(rows.row(r)));
            // 2 T = q̇ᵀ H q̇ = q̇ᵀ Y(q, 0, q̇) π.
            let y = mechanism.regressor(&q, &still, &qd).unwrap();
            let row =
                (0..parameters).map(|c| (0..dof).map(|r| qd[r] * y[(r, c)]).sum()).collect::<Vec<f64>>();
            energy.push_row(&row);
        }
        let found = dense(&rpna(&mechanism, &Measurement::all()).unwrap(), parameters);
        for rows in [energy, mass] {
            let theirs = reduce(rows, parameters, 1e-7).nullspace();
            assert_eq!(same_span(&found, &theirs, parameters), Ok(()), "{name}");
        }
    }
}

#[test]
fn forces_hide_what_both_mass_matrix_and_gravity_hide() {
    // Proposition 2: 𝒩_Y = 𝒩_H ∩ 𝒩_g. Vectors of the intersection are those of 𝒩_H
    // that are also combinations of 𝒩_g.
    for name in ARMS {
        let mechanism = named_with(name, &ReadOptions::default());
        let parameters = mechanism.layout().columns();
        let hidden = |mechanism: &Mechanism, measure: &str| {
            dense(
                &rpna(mechanism, &Measurement::new(&sensors(measure), mechanism).unwrap()).unwrap(),
                parameters,
            )
        };
        let by_mass = hidden(&without_gravity(name), "all");
        let by_gravity = hidden(&mechanism, "static");
        let by_forces = hidden(&mechanism, "all");
        let both: Vec<&Vec<f64>> = by_mass.iter().chain(&by_gravity).collect();
        let relations = Matrix::from_fn(parameters, both.len(), |r, c| both[c][r]);
        let intersection: Vec<Vec<f64>> = reduce(relations, both.len(), 1e-9)
            .nullspace()
            .iter()
            .map(|factors| {
                let terms = |p: usize| by_mass.iter().zip(factors).map(move |(v, f)| f * v[p]).sum();
                (0..parameters).map(terms).collect()
            })
            .collect();
        assert_eq!(same_span(&by_forces, &intersection, parameters), Ok(()), "{name}");
        assert!(by_forces.len() < by_mass.len().max(by_gravity.len()), "{name}");
    }
}

/// A floating base, a link, and the rotor that drives it: vectors that change the
/// rotor's inertia about its axis.
fn rotor_vectors(joint: &str, rotor_axis: &str, ratio: &str) -> (usize, Vec<NullVector>) {
    let text = format!(
        "[[body]]\nname = \"base_link\"\nparent = \"base\"\njoint = \"floating\"\n\
         [[body]]\nname = \"link\"\nparent = \"base_link\"\njoint = \"{joint}\"\nxyz = [0.2, 0, 0.4]\naxis = [0, 0, 1]\n\
         [[body]]\nname = \"rotor\"\nparent = \"base_link\"\njoint = \"revolute\"\nxyz = [0.05, 0.1, 0.3]\naxis = {rotor_axis}\n\
         frame = {{ rpy = {} }}\n\
         [[coupling]]\ncoordinate = \"rotor\"\nterms = [[\"link\", {ratio}]]\n",
        // The rotor's own z along its axis.
        if rotor_axis == "[0, 0, 1]" { "[0, 0, 0]" } else { "[\"-pi/2\", 0, 0]" }
    );
    let found = rpna(&mechanism(&text), &Measurement::all()).unwrap();
    let about_axis: Vec<NullVector> = found
        .iter()
        .filter(|vector| vector.entries.iter().any(|(column, _)| *column == 29))
        .cloned()
        .collect();
    (found.len(), about_axis)
}

#[test]
fn a_rotor_adds_one_identifiable_parameter() {
    // (96)–(99): rotor and link keep their thin rods, three each (six moments for a prismatic
    // link), and Izz of the rotor shows.
    for (joint, axis, ratio) in [
        ("revolute", "[0, 0, 1]", "9"),
        ("revolute", "[0, 0, 1]", "-1"),
        ("revolute", "[0, 0, 1]", "0.5"),
        ("revolute", "[0, 1, 0]", "1"),
        ("revolute", "[0, 1, 0]", "9"),
        ("prismatic", "[0, 0, 1]", "1"),
    ] {
        let (count, about_axis) = rotor_vectors(joint, axis, ratio);
        assert_eq!(about_axis, [], "{joint} {axis} {ratio}");
        assert_eq!(count, if joint == "revolute" { 6 } else { 9 }, "{joint} {axis} {ratio}");
    }
}

#[test]
fn a_rotor_at_unit_ratio_parallel_to_its_joint_cannot_be_told_from_the_link() {
    // (98), (99), though the motor is offset from the joint. More than Izz is
    // shared: link and rotor stay parallel.
    let (count, about_axis) = rotor_vectors("revolute", "[0, 0, 1]", "1");
    assert!(count > 6);
    let [exchange] = &about_axis[..] else { panic!("{about_axis:?}") };
    let [(19, link), (29, rotor)] = exchange.entries[..] else { panic!("{exchange:?}") };
    assert!((link + rotor).abs() < 1e-12);
    assert_eq!(exchange.bodies, [1, 2]);
    assert_eq!((exchange.reason.cause, &exchange.reason.bodies[..]), (Cause::MovesTogether, &[1, 2][..]));
    assert!(matches!(&exchange.reason.site, Some(Site::Coupling(_))));
}
