//! The page: complete, safe against names, the same every time, and something a browser can show.

mod support;

use std::path::PathBuf;
use std::process::Command;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identifiability::{
    Misalignment, MisalignmentKind, Question, Reference, WeakDirection, WeakReason, analyze,
};
use steiner_report::{analysis_html, certificate_sentence, framed};
use support::{assert_well_formed, sensors};

fn zoo(name: &str) -> Mechanism {
    Mechanism::new(read_robot(name, &ReadOptions::default()).expect("a robot")).expect("a mechanism")
}

fn native(text: &str) -> Mechanism {
    let options = ReadOptions::default();
    let description = parse_text(text, "test.toml", Format::Toml, None, &options).expect("a description");
    Mechanism::new(assemble(description, &options).expect("a robot")).expect("a mechanism")
}

fn page(mechanism: &Mechanism, question: &Question) -> String {
    analysis_html(mechanism, &analyze(mechanism, question).expect("an answer"))
}

#[test]
fn pages_are_well_formed_self_contained_and_the_same_every_time() {
    for name in ["four_bar", "puma560", "scara_sr6ia", "gantry", "double_pendulum"] {
        let mechanism = zoo(name);
        let page = page(&mechanism, &Question::default());
        assert_well_formed(&page);
        for outside in ["http:", "https:", "<script", "@import", "url(", "NaN", "inf,"] {
            assert!(!page.contains(outside), "{name}: {outside}");
        }
        assert_eq!(page, self::page(&mechanism, &Question::default()), "{name}");
    }
}

#[test]
fn drives_known_parameters_and_weighed_links_have_their_place() {
    let puma = zoo("puma560");
    let question = Question { drives: true, known: vec![("link2.m".to_owned(), 1.5)], ..Question::default() };
    let drives = page(&puma, &question);
    assert_well_formed(&drives);
    assert!(drives.contains("Known: link2.m = 1.5.") && drives.contains("<th>offset</th>"));
    let weighed = Question { measure: sensors("base-wrench"), certify: false, ..Question::default() };
    let plate = page(&zoo("double_pendulum"), &weighed);
    assert_well_formed(&plate);
    assert!(plate.contains("base_link") && plate.contains("Not certified"));
}

#[test]
fn weak_directions_are_shown_with_their_size() {
    let mechanism = zoo("two_link");
    let mut analysis = analyze(&mechanism, &Question::default()).expect("an answer");
    let missed = Misalignment {
        joint: "<elbow>".to_owned(),
        with: Reference::Gravity,
        kind: MisalignmentKind::Parallel,
        size: 2e-4,
    };
    let reason = analysis.vectors[0].reason.clone();
    analysis.weak.push(WeakDirection {
        entries: vec![(0, 1.0), (10, -1.0)],
        bodies: vec![0, 1],
        relative_singular_value: 1.5e-6,
        reason: WeakReason::AlmostAligned { reason, misalignments: vec![vec![missed]] },
    });
    let page = analysis_html(&mechanism, &analysis);
    assert!(page.contains("Weakly identifiable") && page.contains("<b>1.5e-6</b>"));
    assert!(page.contains("but the axis of &lt;elbow&gt; is 2.0e-4 rad from parallel to gravity."));
}

#[test]
fn names_cannot_inject_anything() {
    let (robot, first) =
        ("</title></style></script><script>alert(1)</script>", "a\"><img src=x onerror=alert(1)>");
    let second = "b'&<!-- */ --> </svg></script>";
    let mechanism = native(&format!(
        "name = '{robot}'\n[[body]]\nname = '{first}'\nparent = 'base'\njoint = 'revolute'\n\
         [[body]]\nname = \"{second}\"\nparent = '{first}'\njoint = 'revolute'\nxyz = [1, 0, 0]\n",
    ));
    let page = page(&mechanism, &Question { drives: true, ..Question::default() });
    assert_well_formed(&page);
    for dangerous in ["<script", "</script", "<img", "<!--", "-->"] {
        assert!(!page.contains(dangerous), "{dangerous}");
    }
    for (only_once, count) in [("</title>", "<title>"), ("</style>", "<style>"), ("</svg>", "<svg")] {
        assert_eq!(page.matches(only_once).count(), page.matches(count).count(), "{only_once}");
    }
    let frame = framed(&page);
    assert_eq!(frame.matches('"').count(), 6, "the page stays inside its attribute");
}

#[test]
fn bodies_at_one_point_and_every_kind_of_joint_can_be_drawn() {
    let kinds =
        ["revolute", "prismatic", "helical", "cylindrical", "universal", "spherical", "planar", "floating"];
    for kind in kinds {
        let extra = match kind {
            "helical" => "pitch = 0.1\n",
            "universal" => "axis2 = [1, 0, 0]\n",
            _ => "",
        };
        let mechanism = native(&format!(
            "name = \"{kind}\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"{kind}\"\n{extra}\
             [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"{kind}\"\n{extra}"
        ));
        let page = page(&mechanism, &Question::default());
        assert_well_formed(&page);
        assert!(!page.contains("NaN") && page.contains("no gravity"), "{kind}");
    }
}

#[test]
fn huge_and_tiny_robots_fit_on_the_sheet() {
    for (length, bodies) in [("1e-7", 3), ("1e5", 70)] {
        let mut text = String::from("name = \"chain\"\n");
        for k in 0..bodies {
            let parent = if k == 0 { "base".to_owned() } else { format!("link{}", k - 1) };
            text += &format!(
                "[[body]]\nname = \"link{k}\"\nparent = \"{parent}\"\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [{length}, 0, 0]\n"
            );
        }
        let page = page(&native(&text), &Question::default());
        assert_well_formed(&page);
        assert!(!page.contains("NaN"));
    }
}

#[test]
fn a_browser_shows_the_page() {
    if std::env::var_os("STEINER_THOROUGH").is_none() {
        return;
    }
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let found = browsers.iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    let Some(browser) = found else {
        println!("skipped: no chromium to show the page in");
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["four_bar", "delta", "go2"] {
        let (file, picture) = (folder.join(format!("{name}.html")), folder.join(format!("{name}.png")));
        let _ = std::fs::remove_file(&picture);
        std::fs::write(&file, page(&zoo(name), &Question::default())).expect("written");
        let status = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,3000"])
            .arg(format!("--screenshot={}", picture.display()))
            .arg(format!("file://{}", file.display()))
            .output()
            .expect("the browser runs");
        assert!(status.status.success(), "{name}: {}", String::from_utf8_lossy(&status.stderr));
        // An empty page of this size is about 15 kB.
        let size = std::fs::metadata(&picture).map_or(0, |found| found.len());
        assert!(size > 60_000, "{name}: a picture of {size} bytes");
    }
}

#[test]
fn a_loop_that_closes_to_the_printed_digits_alone_is_not_called_complete() {
    // The axes of the loop, and what it joins, are parallel to twelve digits.
    let four_bar = |axis: &str| {
        native(&format!(
            r#"
            gravity = [0, -9.81, 0]
            [[body]]
            name = "crank"
            parent = "base"
            joint = "revolute"
            [[body]]
            name = "coupler"
            parent = "crank"
            joint = "revolute"
            xyz = [0.2, 0, 0]
            axis = {axis}
            [[body]]
            name = "rocker"
            parent = "base"
            joint = "revolute"
            xyz = [0.5, 0, 0]
            [[loop]]
            name = "closure"
            joint = "revolute"
            predecessor = {{ body = "rocker", xyz = [0.1, 0.4, 0] }}
            successor = {{ body = "coupler", xyz = [0.4, 0.4, 0] }}
            "#
        ))
    };
    let sentence = |axis: &str| {
        certificate_sentence(&analyze(&four_bar(axis), &Question::default()).expect("an answer"))
    };
    assert!(sentence("[0, 0, 1]").starts_with("Proven complete: rank 8 + nullity 22 = 30 parameters"));
    let printed = sentence("[0, 1e-16, 1]");
    let expected = "Not proven: rank 8 + nullity 22 = 30 parameters, but the geometry is known to the digits of the file \
                    alone (31 digits, gap ";
    assert!(
        printed.starts_with(expected) && printed.ends_with("of the largest would not show)."),
        "{printed}"
    );
}
