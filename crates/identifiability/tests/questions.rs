//! Questions beyond the plain one: drives, known parameters, preferences, methods, sensors compared.

use steiner_dynamics::Mechanism;
use steiner_identifiability::{
    Analysis, AnalysisNote, IdentifiabilityError, Method, Question, analyze, compare,
};

mod support;

use support::{mechanism, named, sensors};

fn ask(mechanism: &Mechanism, change: impl FnOnce(&mut Question)) -> Analysis {
    let mut question = Question::default();
    change(&mut question);
    analyze(mechanism, &question).unwrap_or_else(|error| panic!("{error}"))
}

fn names(analysis: &Analysis, columns: &[usize]) -> Vec<String> {
    columns.iter().map(|&c| analysis.labels[c].clone()).collect()
}

fn factor(analysis: &Analysis, base: &str, term: &str) -> Option<f64> {
    let column = |label: &str| analysis.labels.iter().position(|other| other == label);
    let group = analysis.regrouping.base.iter().find(|b| Some(b.column) == column(base))?;
    group.terms.iter().find(|(c, _)| Some(*c) == column(term)).map(|(_, x)| *x)
}

#[test]
fn the_drive_of_the_first_joint_is_part_of_the_inertia_it_turns() {
    let puma = named("puma560");
    let with = ask(&puma, |question| question.drives = true);
    // 36 base parameters of the bodies; 24 drive parameters, of which Ia1 and Ia2 cannot be
    // told from link1.Izz and link2.Izz.
    assert_eq!((with.parameters(), with.identifiable()), (84, 58));
    assert_eq!(factor(&with, "link1.Izz", "link1.Ia"), Some(1.0));
    assert_eq!(factor(&with, "link2.Izz", "link2.Ia"), Some(1.0));
    assert!(with.certificate.as_ref().is_some_and(|certificate| certificate.complete));
    assert_eq!(with.unexplained(), 0);
    // At rest a drive shows nothing but its offset.
    let resting = ask(&puma, |question| {
        question.drives = true;
        question.measure = sensors("static");
    });
    let hidden = names(&resting, &resting.regrouping.unidentifiable);
    assert!(["link4.Ia", "link4.fv", "link4.fc"].iter().all(|label| hidden.contains(&(*label).to_owned())));
    assert!(names(&resting, &resting.regrouping.alone).contains(&"link4.offset".to_owned()));
}

#[test]
fn the_weight_of_a_lift_looks_like_an_offset_of_its_drive() {
    let lift = mechanism("[[body]]\nname = \"lift\"\nparent = \"base\"\njoint = \"prismatic\"\n");
    let answer = ask(&lift, |question| question.drives = true);
    // m (q̈ + g) + Ia q̈ + offset: two of three.
    assert_eq!((answer.parameters(), answer.identifiable()), (14, 4));
    assert_eq!(factor(&answer, "lift.Ia", "lift.m"), Some(1.0));
    assert_eq!(factor(&answer, "lift.offset", "lift.m"), Some(9.81));
}

#[test]
fn friction_of_geared_joints_cannot_be_told_apart() {
    let text = "[[body]]\nname = \"link\"\nparent = \"base\"\njoint = \"revolute\"\n\
                [[body]]\nname = \"rotor\"\nparent = \"base\"\njoint = \"revolute\"\nxyz = [0.2, 0, 0]\n\
                [[coupling]]\ncoordinate = \"rotor\"\nterms = [[\"link\", -9]]\n";
    let answer = ask(&mechanism(text), |question| question.drives = true);
    assert_eq!(factor(&answer, "link.fc", "rotor.fc"), Some(9.0));
    assert_eq!(factor(&answer, "link.fv", "rotor.fv"), Some(81.0));
    assert_eq!(factor(&answer, "link.offset", "rotor.offset"), Some(-9.0));
}

#[test]
fn a_known_mass_leaves_its_group() {
    let puma = named("puma560");
    let free = ask(&puma, |_| {});
    let known = ask(&puma, |question| question.known = vec![("link4.m".to_owned(), 0.82)]);
    // link4.m stood in groups with link3, link5 and link6: knowing it shows one combination less to hide in.
    assert_eq!(known.parameters(), free.parameters() - 1);
    assert_eq!(known.vectors.len(), free.vectors.len() - 1);
    assert_eq!(known.identifiable(), free.identifiable());
    let column = known.labels.iter().position(|label| label == "link4.m").unwrap();
    assert!(known.vectors.iter().all(|vector| vector.entries.iter().all(|(c, _)| *c != column)));
    assert!(known.regrouping.base.iter().all(|base| base.terms.iter().all(|(c, _)| *c != column)));
    // A parameter without effect changes nothing but the count.
    let irrelevant = ask(&puma, |question| question.known = vec![("link1.m".to_owned(), 13.0)]);
    assert_eq!(irrelevant.vectors.len(), free.vectors.len() - 1);
}

#[test]
fn the_user_chooses_what_to_keep() {
    let puma = named("puma560");
    let kept = ask(&puma, |question| question.keep = vec!["link3.m".to_owned()]);
    assert!(kept.regrouping.base.iter().any(|base| kept.labels[base.column] == "link3.m"));
    assert_eq!(kept.identifiable(), 36);
    let eliminated = ask(&puma, |question| {
        question.eliminate = vec!["link2.Izz".to_owned(), "link6.Izz".to_owned()];
        question.keep = vec!["link1.m".to_owned()];
    });
    assert!(eliminated.regrouping.base.iter().all(|base| eliminated.labels[base.column] != "link2.Izz"));
    assert_eq!(
        eliminated.notes,
        [
            AnalysisNote::NotEliminated { label: "link6.Izz".to_owned(), alone: true },
            AnalysisNote::NotKept { label: "link1.m".to_owned(), no_effect: true },
        ]
    );
}

#[test]
fn every_method_is_certified_and_says_what_it_missed() {
    let puma = named("puma560");
    for method in Method::ALL {
        let answer = ask(&puma, |question| question.method = method);
        assert_eq!(answer.vectors.len(), 24, "{}", method.name());
        assert!(answer.certificate.as_ref().is_some_and(|c| c.complete && c.rank == 36), "{}", method.name());
        assert!(answer.notes.is_empty());
        let uncertified = ask(&puma, |question| {
            question.method = method;
            question.certify = false;
        });
        assert!(uncertified.certificate.is_none());
    }
    let delta = ask(&named("delta"), |question| question.method = Method::Drng);
    assert!(!delta.certificate.as_ref().unwrap().complete);
    assert_eq!(delta.notes, [AnalysisNote::Missed { method: Method::Drng, found: 33, nullity: 66 }]);
    let refused = |name: &str, method: Method, measure: &str| {
        let question = Question { method, measure: sensors(measure), ..Question::default() };
        analyze(&named(name), &question).unwrap_err()
    };
    assert!(matches!(refused("delta", Method::Rpna, "all"), IdentifiabilityError::NoTree { .. }));
    assert!(refused("puma560", Method::Drng, "static").to_string().ends_with("use the method auto"));
    assert!(refused("puma560", Method::Rpna, "base-wrench").to_string().ends_with("use the method auto"));
}

#[test]
fn a_force_plate_adds_what_joint_torques_cannot_see() {
    let puma = named("puma560");
    let question = Question::default();
    let answer = analyze(&puma, &question).unwrap();
    let sets = ["base-wrench", "static"].map(sensors);
    let [plate, resting] = &compare(&puma, &question, &answer, &sets).unwrap()[..] else { panic!("two") };
    assert!(plate.added > 0 && plate.now_visible.contains(&"link1.m".to_owned()));
    assert_eq!((resting.added, resting.together), (0, (60, 36)));
    assert!(resting.alone.1 < 36);
}

#[test]
fn parameters_that_do_not_exist_are_named() {
    let question = Question { known: vec![("link3.mass".to_owned(), 1.0)], ..Question::default() };
    let error = analyze(&named("puma560"), &question).unwrap_err().to_string();
    let wanted = "puma560: there is no parameter `link3.mass`; a body has m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, a drive Ia, fv, fc, offset, as in `link1.Izz`";
    assert_eq!(error, wanted);
}

/// A URDF that begins with a massless `world`: what is fixed to it weighs on a force plate, and the answer
/// says that it has no parameters.
#[test]
fn links_behind_a_massless_root_are_mentioned() {
    let link = |name: &str, mass: f64| {
        format!(
            "<link name='{name}'><inertial><mass value='{mass}'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        )
    };
    let joint = |name: &str, kind: &str, parent: &str, child: &str| {
        format!(
            "<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><axis xyz='1 0 0'/></joint>"
        )
    };
    let arm =
        format!("{}{}{}", link("foot", 4.0), link("arm", 1.0), joint("elbow", "continuous", "foot", "arm"));
    let on_world = format!(
        "<robot name='r'><link name='world'/>{arm}{}</robot>",
        joint("stand", "fixed", "world", "foot")
    );
    let question = Question { measure: sensors("base-wrench"), ..Question::default() };
    for (text, mentioned) in [(format!("<robot name='r'>{arm}</robot>"), false), (on_world, true)] {
        let options = steiner_formats::ReadOptions::default();
        let said =
            steiner_formats::parse_text(&text, "r", steiner_formats::Format::Urdf, None, &options).unwrap();
        let robot = steiner_formats::assemble(said, &options).unwrap();
        let found = analyze(&Mechanism::new(robot).unwrap(), &question).unwrap();
        let unweighed = AnalysisNote::Unweighed { links: vec!["foot".to_owned()] };
        assert_eq!(found.notes.contains(&unweighed), mentioned, "{:?}", found.notes);
    }
}
