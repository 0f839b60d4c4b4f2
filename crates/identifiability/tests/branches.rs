//! Loops whose configuration in the file is special, or nearly closes: what shows only far from there, by a high
//! power or a tiny radius, or not at all modulo one prime. No certificate may be complete and wrong.

mod random;

use random::{description, mechanism};
use steiner_identifiability::{Arithmetic, Certificate, Measurement, structural_nullspace};

/// Scotch yokes at their dead centres, each slider racked to the next crank by a ratio; one arm more on the first
/// crank if wanted.
fn yokes(ratios: &[&str], gravity: &str, with_arm: bool) -> String {
    let independent = if with_arm { r#"["crank0", "arm"]"# } else { r#"["crank0"]"# };
    let mut text = format!("gravity = {gravity}\nindependent = {independent}\n");
    for k in 0..=ratios.len() {
        text += &format!(
            "[[body]]\nname = \"crank{k}\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0, 0, {k}]\n\
             [[body]]\nname = \"slider{k}\"\nparent = \"base\"\njoint = \"prismatic\"\nxyz = [1, 0, {k}]\n\
             axis = [1, 0, 0]\n\
             [[body]]\nname = \"block{k}\"\nparent = \"slider{k}\"\njoint = \"prismatic\"\naxis = [0, 1, 0]\n"
        );
    }
    if with_arm {
        text += "[[body]]\nname = \"arm\"\nparent = \"crank0\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n";
    }
    for k in 0..=ratios.len() {
        text += &format!(
            "[[loop]]\nname = \"pin{k}\"\njoint = \"revolute\"\n\
             predecessor = {{ body = \"crank{k}\", xyz = [1, 0, 0] }}\nsuccessor = {{ body = \"block{k}\" }}\n"
        );
    }
    for (k, ratio) in ratios.iter().enumerate() {
        text += &format!(
            "[[coupling]]\nname = \"rack{k}\"\ncoordinate = \"crank{}\"\nterms = [[\"slider{k}\", \"{ratio}\"]]\n",
            k + 1
        );
    }
    text
}

fn certificate(text: &str) -> Certificate {
    structural_nullspace(&mechanism(description(text)), &Measurement::all()).unwrap().certificate
}

#[test]
fn racked_yokes_at_their_dead_centres_show_all_they_have() {
    // Judged in 260 digits from the closed forms of the chain: n + 1 without gravity, 3n + 1 with it.
    for count in 2..=7 {
        let ratios = vec!["1"; count - 1];
        for (gravity, rank) in [("[0, 0, 0]", count + 1), ("[-9.81, 0, 0]", 3 * count + 1)] {
            let found = certificate(&yokes(&ratios, gravity, false));
            assert!(found.rank == rank && found.complete, "{count} {gravity}: {found:?}");
            assert!(found.arithmetic == Arithmetic::PrimeField && !found.from_below, "{found:?}");
        }
    }
}

#[test]
fn a_rack_of_any_ratio_leaves_one_rank() {
    let found = |ratio: &str| certificate(&yokes(&["1", ratio], "[0, 0, 0]", true));
    let rank = found("1").rank;
    for ratio in ["1e-1", "1e-3", "1e-5", "3e-6", "1e-6", "1e-12", "1e-20"] {
        let found = found(ratio);
        assert!(found.rank == rank || !found.complete, "{ratio}: {found:?}");
    }
}

/// A yoke of some radius.
fn yoke(radius: &str) -> String {
    format!(
        "gravity = [0, 0, 0]\nindependent = [\"crank\"]\n\
         [[body]]\nname = \"crank\"\nparent = \"base\"\njoint = \"revolute\"\n\
         [[body]]\nname = \"slider\"\nparent = \"base\"\njoint = \"prismatic\"\nxyz = [\"{radius}\", 0, 1]\n\
         axis = [1, 0, 0]\n\
         [[body]]\nname = \"block\"\nparent = \"slider\"\njoint = \"prismatic\"\naxis = [0, 1, 0]\n\
         [[loop]]\nname = \"pin\"\njoint = \"revolute\"\n\
         predecessor = {{ body = \"crank\", xyz = [\"{radius}\", 0, 1] }}\nsuccessor = {{ body = \"block\" }}\n"
    )
}

#[test]
fn drives_behind_a_tiny_radius_move() {
    let found = |radius: &str| {
        let mechanism = mechanism(description(&yoke(radius)));
        let measurement = Measurement::all().with_drives(&mechanism).unwrap();
        structural_nullspace(&mechanism, &measurement).unwrap().certificate
    };
    let rank = found("1").rank;
    for radius in ["1e-9", "1e-11", "1e-13", "1e-15", "1e-20"] {
        let found = found(radius);
        assert!(found.rank == rank || !found.complete, "{radius}: {found:?}");
    }
}

/// A parallelogram with a third crank, longer by e and attached as much higher: it moves at first order alone.
fn third_crank(e: &str) -> String {
    format!(
        "gravity = [0, -9.81, 0]\n\
         [[body]]\nname = \"first\"\nparent = \"base\"\njoint = \"revolute\"\n\
         [[body]]\nname = \"coupler\"\nparent = \"first\"\njoint = \"revolute\"\nxyz = [0, 1, 0]\n\
         [[body]]\nname = \"second\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [1, 0, 0]\n\
         [[body]]\nname = \"third\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0.25, 0, 0]\n\
         [[loop]]\nname = \"a\"\njoint = \"revolute\"\npredecessor = {{ body = \"second\", xyz = [0, 1, 0] }}\n\
         successor = {{ body = \"coupler\", xyz = [1, 0, 0] }}\n\
         [[loop]]\nname = \"b\"\njoint = \"revolute\"\n\
         predecessor = {{ body = \"third\", xyz = [0, \"1+{e}\", 0] }}\n\
         successor = {{ body = \"coupler\", xyz = [0.25, \"{e}\", 0] }}\n"
    )
}

#[test]
fn what_closes_nearly_is_not_certain() {
    let whole = certificate(&third_crank("0"));
    assert!(whole.complete && whole.rank == 3, "{whole:?}");
    for e in ["1e-8", "1e-9", "1e-12", "1e-15", "1e-25", "1e-40"] {
        let found = certificate(&third_crank(e));
        assert!(!found.complete, "{e}: {found:?}");
    }
}

#[test]
fn lengths_that_differ_by_a_multiple_of_the_usual_prime_differ() {
    let bars = |d: &str| {
        format!(
            "gravity = [0, -9.81, 0]\n\
             [[body]]\nname = \"crank\"\nparent = \"base\"\njoint = \"revolute\"\n\
             [[body]]\nname = \"coupler\"\nparent = \"crank\"\njoint = \"revolute\"\nxyz = [0, \"1/3\", 0]\n\
             [[body]]\nname = \"rocker\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0.5, 0, 0]\n\
             [[loop]]\nname = \"closure\"\njoint = \"revolute\"\n\
             predecessor = {{ body = \"rocker\", xyz = [0, \"1/3+{d}\", 0] }}\n\
             successor = {{ body = \"coupler\", xyz = [0.5, \"{d}\", 0] }}\n"
        )
    };
    let arm = |e: &str| {
        format!(
            "gravity = [0, -9.81, 0]\n\
             [[body]]\nname = \"upper\"\nparent = \"base\"\njoint = \"revolute\"\n\
             [[body]]\nname = \"lower\"\nparent = \"upper\"\njoint = \"revolute\"\nxyz = [0.4, 0, 0]\n\
             axis = [0, \"{e}\", 1]\n"
        )
    };
    let (bent, straight) = (certificate(&bars("1e-3")), certificate(&arm("1e-3")));
    for power in [30, 40, 45] {
        let d = format!("{}e-{power}", steiner_scalar::PRIME);
        let found = certificate(&bars(&d));
        assert!(found.rank == bent.rank || !found.complete, "{d}: {found:?}");
        let found = certificate(&arm(&d));
        assert!(found.rank == straight.rank && found.complete, "{d}: {found:?}");
        assert_ne!(found.prime.value(), steiner_scalar::PRIME);
    }
}
