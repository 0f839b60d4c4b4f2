//! Generic points of a loop's branch, in F_p.

mod support;

use steiner_dynamics::{Arcs, Mechanism};
use steiner_linalg::Stream;

#[test]
fn most_loops_have_points_in_the_field_far_from_their_files_configuration() {
    let mut found = 0;
    let mechanisms = support::closed_mechanisms(1);
    let looped = |mechanism: &Mechanism| !mechanism.robot().loops.is_empty();
    let all = mechanisms.iter().filter(|(_, mechanism, _)| looped(mechanism)).count();
    for (name, mechanism, _) in mechanisms.iter().filter(|(_, mechanism, _)| looped(mechanism)) {
        let start = std::time::Instant::now();
        let Some(arcs) = Arcs::<32>::new(mechanism).unwrap() else {
            println!("{name}: no arcs");
            continue;
        };
        let Some(branch) = arcs.branch() else {
            println!("{name}: no branch");
            continue;
        };
        let mut stream = Stream::new(7);
        let points = branch.points(2, || stream.residue());
        let Some(points) = points else {
            println!("{name}: no points {:.2} s", start.elapsed().as_secs_f64());
            continue;
        };
        println!("{name}: {:.3} s", start.elapsed().as_secs_f64());
        found += 1;
        for place in &points {
            let moved = arcs.through(place).expect("a point of the branch");
            assert!(moved.state(|| stream.residue()).is_some());
        }
    }
    println!("{found} of {all}");
    assert!(10 * found >= 5 * all);
}

/// Scotch yokes at their dead centres, each slider racked to the next crank.
fn yokes(count: usize) -> String {
    let mut text = "gravity = [0, 0, 0]\nindependent = [\"crank0\"]\n".to_owned();
    for k in 0..count {
        text += &format!(
            "[[body]]\nname = \"crank{k}\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0, 0, {k}]\n\
             [[body]]\nname = \"slider{k}\"\nparent = \"base\"\njoint = \"prismatic\"\nxyz = [1, 0, {k}]\n\
             axis = [1, 0, 0]\n\
             [[body]]\nname = \"block{k}\"\nparent = \"slider{k}\"\njoint = \"prismatic\"\naxis = [0, 1, 0]\n"
        );
    }
    for k in 0..count {
        text += &format!(
            "[[loop]]\nname = \"pin{k}\"\njoint = \"revolute\"\n\
             predecessor = {{ body = \"crank{k}\", xyz = [1, 0, 0] }}\nsuccessor = {{ body = \"block{k}\" }}\n"
        );
        if k > 0 {
            text += &format!(
                "[[coupling]]\nname = \"rack{k}\"\ncoordinate = \"crank{k}\"\nterms = [[\"slider{}\", 1]]\n",
                k - 1
            );
        }
    }
    text
}

#[test]
fn racks_leave_the_angles_behind_them_unrelated_unless_two_share_a_slider() {
    let points = |text: &str| {
        let mechanism = support::mechanism(text);
        let arcs = Arcs::<32>::new(&mechanism).unwrap().unwrap();
        let mut stream = Stream::new(3);
        let points = arcs.branch().and_then(|branch| branch.points(2, || stream.residue()));
        points.map(|points| points.iter().all(|place| arcs.through(place).is_some()))
    };
    assert_eq!(points(&yokes(5)), Some(true));
    let wheel = |k: usize, ratio: &str| {
        format!(
            "[[body]]\nname = \"wheel{k}\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0, 2, {k}]\n\
             [[coupling]]\nname = \"more{k}\"\ncoordinate = \"wheel{k}\"\nterms = [[\"slider0\", \"{ratio}\"]]\n"
        )
    };
    let with_wheels = |wheels: &str| {
        let text = yokes(1);
        let (head, tail) = text.split_at(text.find("[[loop]]").unwrap());
        let (bodies, couplings): (Vec<&str>, Vec<&str>) =
            wheels.split("[[").filter(|part| !part.is_empty()).partition(|part| part.starts_with("body"));
        format!("{head}[[{}{tail}[[{}", bodies.join("[["), couplings.join("[["))
    };
    assert_eq!(points(&with_wheels(&wheel(0, "3"))), Some(true));
    assert_eq!(points(&with_wheels(&format!("{}{}", wheel(0, "3"), wheel(1, "5")))), None);
}
