//! Models survive being written down, and damaged files are told apart.

mod support;

use steiner_model::{ModelError, Notation, Psdm, PsdmOptions};
use support::{derived, named, simplified_two_link};

#[test]
fn a_saved_model_is_loaded_bit_by_bit() {
    let folder = std::env::temp_dir().join(format!("steiner-model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["two_link", "scara_sr6ia", "kr6"] {
        let model = derived(&named(name));
        let path = folder.join(name);
        model.save(&path).unwrap();
        assert_eq!(Psdm::load(&path).unwrap(), model, "{name}");
    }
    let drives = PsdmOptions { drives: true, ..PsdmOptions::default() };
    let model = Psdm::derive(&named("puma560"), &drives).unwrap();
    assert_eq!(Psdm::from_text(&model.to_text()).unwrap(), model);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(Psdm::load(&folder), Err(ModelError::Access { .. })));
}

#[test]
fn damaged_files_say_where() {
    let text = simplified_two_link().to_text();
    let line_of = |text: &str| match Psdm::from_text(text) {
        Err(ModelError::File { line, .. }) => line,
        other => panic!("{other:?}"),
    };
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| line.starts_with("a1")).unwrap();
    assert_eq!(line_of(""), 0);
    assert_eq!(line_of(&text.replacen("psdm 1", "psdm 9", 1)), 1);
    assert_eq!(line_of(&lines[..lines.len() - 1].join("\n")), lines.len() - 1);
    assert_eq!(line_of(&text.replacen("a1 c2 :", "a1 c9 :", 1)), first + 2);
    assert_eq!(line_of(&text.replacen("a1 c2 :", "a1 a2 :", 1)), first + 2);
    assert_eq!(line_of(&text.replacen("a1 c2 :", "g a1 :", 1)), first + 2);
    assert_eq!(line_of(&text.replacen("a1 c2 :", "a1 s2 s2 :", 1)), first + 2);
    assert_eq!(line_of(&text.replacen("a1 c2 : 1", "a1 c2 : 3", 1)), first + 2);
    assert_eq!(line_of(&text.replacen("gravity 9.81", "gravity much", 1)), 3);
    assert_eq!(line_of(&text.replacen("joint revolute", "joint helical", 1)), 4);
    assert!(line_of(&text.replacen("term 1 link1.Izz", "term 1 link9.Izz", 1)) > 20);
    assert!(matches!(Psdm::from_text(&(text.clone() + "end\n")), Err(ModelError::File { .. })));
    // Any single line missing is an error or another model, never a panic.
    for skipped in 0..lines.len() {
        let rest: Vec<&str> =
            lines.iter().enumerate().filter(|(k, _)| *k != skipped).map(|(_, l)| *l).collect();
        if let Ok(model) = Psdm::from_text(&rest.join("\n")) {
            assert_ne!(model, simplified_two_link());
        }
    }
}

#[test]
fn names_may_contain_anything() {
    let mut text = simplified_two_link().to_text();
    text = text.replacen("robot two_link", "robot a b\\\\c\\nd", 1);
    let model = Psdm::from_text(&text).unwrap();
    assert_eq!(model.robot(), "a b\\c\nd");
    assert_eq!(Psdm::from_text(&model.to_text()).unwrap(), model);
}

#[test]
fn the_planar_arm_is_printed_as_equations() {
    let model = simplified_two_link();
    println!("{}", model.equations(Notation::Text));
    println!("{}", model.equations(Notation::Latex));
    assert_eq!(model.equations(Notation::Text), include_str!("snapshots/two_link.txt"));
    assert_eq!(model.equations(Notation::Latex), include_str!("snapshots/two_link.tex"));
}

#[test]
fn displacements_are_printed_as_such() {
    let text = derived(&named("gantry")).equations(Notation::Text);
    assert!(text.lines().count() > 4 && text.contains("τ4 = "), "{text}");
}
