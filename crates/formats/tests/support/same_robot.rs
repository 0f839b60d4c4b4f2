//! Whether two robots are the same: exactly where numbers are exact, to rounding elsewhere.

use steiner_robot::{Frame, LoopKind, PseudoInertia, Robot, evaluate_vector};
use steiner_scalar::{Exact, Fp};

/// Equal to rounding, each order of moments by its own scale.
pub fn close(a: &PseudoInertia, b: &PseudoInertia) -> bool {
    let (a, b) = (a.parameters(), b.parameters());
    let within = |range: std::ops::Range<usize>| {
        let scale = a[range.clone()].iter().fold(0.0f64, |most, x| most.max(x.abs()));
        range.into_iter().all(|k| (a[k] - b[k]).abs() <= 1e-12 * scale)
    };
    within(0..1) && within(1..4) && within(4..10)
}

fn assert_same_frame(a: &Frame, b: &Frame, what: &str) {
    let (pa, pb) = (a.pose(), b.pose());
    let rotation = pa.rotation - pb.rotation;
    let translation = pa.translation - pb.translation;
    let worst = rotation.0.iter().flatten().chain(&translation.0).fold(0.0f64, |most, x| most.max(x.abs()));
    assert!(worst < 1e-13, "{what}: differs by {worst}");
    // Where a prime field can hold the frame, it is the same to all digits.
    let (fa, fb) = (a.evaluate::<Fp>().unwrap(), b.evaluate::<Fp>().unwrap());
    if !fa.rounded {
        assert!(!fb.rounded && fa.value == fb.value, "{what}: not the same exact number");
    }
}

/// The same numbers, though perhaps of another form.
fn assert_same_vector(a: &[Exact; 3], b: &[Exact; 3], what: &str) {
    let (a, b) = (evaluate_vector::<Fp>(a).unwrap(), evaluate_vector::<Fp>(b).unwrap());
    assert_eq!(a, b, "{what}");
}

/// `b` was written from `a`; a link named as the ground has another name in it.
pub fn assert_same_robot(a: &Robot, b: &Robot) {
    assert_eq!(a.gravity, b.gravity);
    assert_eq!(a.planar, b.planar);
    assert_eq!(a.labels().len(), b.labels().len());
    let is_taken = a.description.links.iter().any(|link| link.name == "base_link");
    let base = if is_taken { "base_link_" } else { "base_link" };
    let renamed = |name: &str| if name == "base" { base.to_owned() } else { name.to_owned() };
    for (x, y) in a.bodies.iter().zip(&b.bodies) {
        assert_eq!(renamed(&x.name), y.name);
        assert_eq!(x.parent, y.parent, "{}", x.name);
        assert_eq!(x.joint.name, y.joint.name);
        assert_eq!(x.joint.kind.name(), y.joint.kind.name());
        assert_eq!(x.joint.limits, y.joint.limits);
        assert_eq!(x.joint.friction, y.joint.friction);
        assert_eq!(x.joint.rotor_inertia, y.joint.rotor_inertia);
        assert_eq!(x.capsules.len(), y.capsules.len());
        let (stages, others) = (x.joint.stages(), y.joint.stages());
        assert_eq!(stages.len(), others.len());
        for (s, t) in stages.iter().zip(&others) {
            assert_eq!(s.motion, t.motion);
            if x.joint.kind.has_axis() {
                assert_same_vector(&s.axis, &t.axis, &x.name);
            }
            assert_same_frame(&s.before, &t.before, &x.name);
            assert_same_frame(&s.after, &t.after, &x.name);
        }
        assert_eq!(x.own_inertia.is_some(), y.own_inertia.is_some());
        assert!(close(&x.inertia, &y.inertia), "{}: {:?} {:?}", x.name, x.inertia, y.inertia);
        assert_eq!(x.lumped.len(), y.lumped.len());
        for (s, t) in x.lumped.iter().zip(&y.lumped) {
            assert_eq!(renamed(&s.name), t.name);
            assert_same_frame(&s.frame, &t.frame, &s.name);
        }
    }
    assert_eq!(a.ground.len(), b.ground.len());
    assert_eq!(a.loops.len(), b.loops.len());
    for (x, y) in a.loops.iter().zip(&b.loops) {
        assert_eq!((&x.name, x.kind.name()), (&y.name, y.kind.name()));
        assert_same_vector(&x.axis, &y.axis, &x.name);
        if let (LoopKind::Universal { axis2: a }, LoopKind::Universal { axis2: b }) = (&x.kind, &y.kind) {
            assert_same_vector(a, b, &x.name);
        }
        for (s, t) in [(&x.predecessor, &y.predecessor), (&x.successor, &y.successor)] {
            assert_eq!(s.body, t.body);
            assert_same_frame(&s.frame, &t.frame, &x.name);
        }
    }
    assert_eq!(a.couplings.len(), b.couplings.len());
    for (x, y) in a.couplings.iter().zip(&b.couplings) {
        assert_eq!((x.coordinate, &x.terms, &x.offset), (y.coordinate, &y.terms, &y.offset));
    }
    assert_eq!(a.independent, b.independent);
    assert_eq!(a.dependent, b.dependent);
    assert_eq!(a.reference, b.reference);
    assert_eq!(a.constants, b.constants);
}
