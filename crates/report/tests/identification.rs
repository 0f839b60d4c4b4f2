//! What an identification gives its user: the document, the table, the page.

mod support;

use serde_json::Value;
use steiner_dynamics::Mechanism;
use steiner_formats::Format;
use steiner_identification::{
    Alarm, ContactWrench, Identification, IdentificationNote, ResidualHistory, SensorFaults, Settings,
    SimulatedContact, Simulation, identify, simulate,
};
use steiner_logs::{Part, Recording, Role};
use steiner_report::{
    Knowledge, group_name, headline, identification_html, identification_json, parameter_table_csv,
};
use steiner_robot::Robot;
use support::altered::altered;
use support::{assert_self_contained, assert_well_formed, mechanism, read, sensors, snapshot, words, zoo};

struct Case {
    file: Mechanism,
    log: Recording,
    found: Identification,
}

impl Case {
    fn page(&self) -> String {
        let history = ResidualHistory::of_identification(&self.found, &mut &self.log).expect("history");
        identification_html(&self.found, &history)
    }
}

/// A log of a robot with drives and 1 % noise, its last third held out, and what a wrong file makes of it.
fn case(robot: &Robot, simulation: &Simulation, settings: &Settings) -> Case {
    let truth = mechanism(altered(robot, 0.3, true));
    let faults = SensorFaults { relative_force: 0.01, ..SensorFaults::default() };
    let mut log = simulate(&truth, &Simulation { faults, ..simulation.clone() }).expect("a log");
    log.hold_out(1.0 / 3.0);
    let file = mechanism(robot.clone());
    let threads = std::num::NonZeroUsize::new(2);
    let found = identify(&file, &log, &Settings { threads, ..settings.clone() }).expect("an identification");
    Case { file, log, found }
}

fn short() -> Simulation {
    Simulation { duration: 6.0, rate: 100.0, ..Simulation::default() }
}

/// The shape of a document: numbers as "number", texts and truths as they are.
fn shape(document: &Value) -> Value {
    match document {
        Value::Number(_) => Value::from("number"),
        Value::Array(items) => items.iter().map(shape).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), shape(value))).collect(),
        other => other.clone(),
    }
}

#[test]
fn the_document_has_the_promised_keys_and_the_numbers_of_the_identification() {
    let case = case(&zoo("puma560"), &short(), &Settings { essential: true, ..Settings::default() });
    let document = identification_json(&case.found);
    let parameters = document["parameters"].as_array().expect("parameters");
    assert_eq!(parameters.len(), case.found.parameters.len());
    for (entry, parameter) in parameters.iter().zip(&case.found.parameters) {
        assert_eq!(entry["name"], parameter.name);
        assert_eq!(entry["value"].as_f64(), Some(parameter.value));
        assert_eq!(entry["sigma"].as_f64(), Some(parameter.sigma));
        let robust = parameter.robust_sigma.expect("blocks");
        assert_eq!(parameter.sigma, parameter.white_sigma.max(robust));
        assert_eq!(entry["white_sigma"].as_f64(), Some(parameter.white_sigma));
        assert_eq!(entry["robust_sigma"].as_f64(), Some(robust));
        let relative = parameter.sigma / parameter.value.abs();
        assert!((entry["relative_sigma"].as_f64().expect("finite") / relative - 1.0).abs() < 1e-12);
        assert_eq!(entry["prior"].as_f64(), Some(parameter.prior));
    }
    let validation = case.found.validation.as_ref().expect("held out");
    for (key, residuals) in [("train", &case.found.training), ("validation", validation)] {
        let entry = &document["residual"][key];
        assert_eq!(entry["total"].as_f64(), Some(residuals.model.total));
        assert_eq!(entry["prior"]["total"].as_f64(), Some(residuals.prior.total));
        for row in &residuals.model.rows {
            assert_eq!(entry["joints"][&row.name].as_f64(), Some(row.relative));
        }
    }
    assert_eq!(document["condition_number"].as_f64(), Some(case.found.excitation.condition_number));
    assert!(document["consistent"].as_object().expect("per link").values().all(|link| *link == true));
    assert_eq!(document["consistent"].as_object().map(serde_json::Map::len), Some(6));
    assert_eq!(document["weakly_excited"].as_array().map(Vec::len), Some(case.found.excitation.weak.len()));
    assert_eq!(document["settings"]["estimator"]["name"], "weighted");
    assert_eq!(document["settings"]["threads"], 2);
    assert_eq!(document["robot"]["name"], "puma560");
    assert_eq!(document["certificate"]["complete"], true);
    assert!(document["essential"]["parameters"].as_array().is_some_and(|list| !list.is_empty()));
    assert_eq!(document["model"].as_object().map(serde_json::Map::len), Some(case.found.labels().len()));
}

#[test]
fn documents_and_pages_keep_their_shape() {
    let case = case(&zoo("two_link"), &short(), &Settings::default());
    let document = shape(&identification_json(&case.found));
    snapshot(
        "identification_two_link.json",
        &(serde_json::to_string_pretty(&document).expect("text") + "\n"),
    );
    snapshot("identification_two_link.txt", &words(&case.page()));
}

#[test]
fn what_a_log_does_not_show_has_no_number() {
    let simulation = Simulation { still: vec!["link3".to_owned()], ..short() };
    let case = case(&zoo("puma560"), &simulation, &Settings::default());
    let document = identification_json(&case.found);
    assert_eq!(document["condition_number"], Value::Null);
    let unseen: Vec<&Value> = document["parameters"]
        .as_array()
        .expect("parameters")
        .iter()
        .filter(|p| p["sigma"].is_null())
        .collect();
    assert!(
        !unseen.is_empty() && unseen.iter().all(|p| p["weakly_excited"] == true && p["value"].is_number())
    );
    let table = parameter_table_csv(&case.found);
    let name = unseen[0]["name"].as_str().expect("a name");
    let line = table.lines().find(|line| line.starts_with(&format!("{name},"))).expect("a line");
    assert!(line.contains(",,,"), "{line}");
    let page = case.page();
    assert_well_formed(&page);
    assert_self_contained(&page);
    assert!(page.contains("not excited") && page.contains("there is no finite condition number"));
    assert!(page.contains("not observable: the file's value"));
}

#[test]
fn groups_zeros_and_bounds_are_named_as_what_they_are() {
    let mut found = case(&zoo("puma560"), &short(), &Settings::default()).found;
    let at = |found: &Identification, name: &str| {
        found.parameters.iter().position(|parameter| parameter.name == name).expect("a base parameter")
    };
    // A group may be negative, an inertia may not: the name says which it is.
    let group = at(&found, "link6.Ixx");
    assert_eq!(group_name(&found.parameters[group]), "link6.Ixx + …");
    let alone = at(&found, "link6.mx");
    assert_eq!(group_name(&found.parameters[alone]), "link6.mx");
    let set = |found: &mut Identification, k: usize, value: f64, least_squares: f64, sigma: f64| {
        let parameter = &mut found.parameters[k];
        (parameter.value, parameter.least_squares, parameter.sigma) = (value, least_squares, sigma);
        parameter.relative_sigma = 100.0 * sigma / value.abs();
    };
    let told = |found: &Identification, k: usize| {
        let (knowledge, parameter) = (Knowledge::of(found, k), &found.parameters[k]);
        (knowledge.value(parameter, |x| format!("{x}")), knowledge.relative_sigma(parameter))
    };
    let friction = at(&found, "link6.fc");
    for (k, value, least_squares, expected) in [
        (friction, 2.5e-5, -3e-4, ("at its bound 0", "")),
        (friction, 2.5e-5, 2.6e-5, ("≈ 0 (± 0.0004)", "")),
        (alone, -1e-5, -1e-5, ("≈ 0 (± 0.0004)", "")),
        (alone, -0.004, -0.004, ("-0.004", "10")),
    ] {
        set(&mut found, k, value, least_squares, 4e-4);
        let (text, relative) = told(&found, k);
        assert_eq!((text.as_str(), relative.as_str()), expected);
    }
    set(&mut found, alone, 1.0, 1.0, f64::INFINITY);
    found.parameters[alone].prior = 1.0;
    let (knowledge, parameter) = (Knowledge::of(&found, alone), &found.parameters[alone]);
    assert_eq!(knowledge, Knowledge::NotObservable);
    assert_eq!(knowledge.remark(parameter), Some("not observable: the file's value"));
    // A number that the model moved is not shown as if it were identified.
    found.parameters[alone].prior = 2.0;
    let parameter = &found.parameters[alone];
    assert_eq!(knowledge.remark(parameter), Some("not observable: moved to fit the rest, not by the log"));
    assert_eq!(knowledge.value(parameter, |_| "a number".to_owned()), "–");
}

#[test]
fn the_page_begins_with_the_verdict_and_folds_the_notes() {
    let mut case = case(&zoo("two_link"), &short(), &Settings::default());
    case.found.alarms.push(Alarm::LargeResidual { row: "link2".to_owned(), residual: 0.86 });
    case.found.notes.push(IdentificationNote::NoEffect { label: "link1.m".to_owned() });
    let page = case.page();
    let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("{what}"));
    assert!(at("Verdict: do not use") < at("link2: the residual is 86.0 %"));
    assert!(at("link2: the residual is 86.0 %") < at("class=\"counts\""));
    assert!(at("<details class=\"notes\">") < at("link1.m has no effect"));
    assert!(at("largest single residual") < at("<h2>Residuals</h2>"));
    // The measurement is drawn behind the model, so that it lies in front.
    let forces = &page[at("link1: measured and predicted over time")..];
    let chart = &forces[..forces.find("</svg>").expect("an end")];
    let model = chart.find("class=\"colour-0\"").expect("the model");
    assert!(model < chart.find("class=\"colour-6 fine\"").expect("the measurement"));
    for chart in ["measured minus predicted over time", "friction against speed", "in standard deviations"] {
        at(chart);
    }
}

/// What is left of forces without bodies is the friction that was simulated, at every speed.
#[test]
fn friction_against_speed_is_that_of_the_robot() {
    let text = "[[body]]\nname = \"a\"\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\n\
                inertia = { mass = 2, com = [0.1, 0, 0.3], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }\n\
                friction = { viscous = 1.5, coulomb = 2, offset = 0.4 }\n\
                [[body]]\nname = \"b\"\nparent = \"a\"\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [0.5, 0, 0]\n\
                inertia = { mass = 1, com = [0.1, 0, 0.3], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }\n\
                friction = { viscous = 0.5, coulomb = 0.7 }\n";
    let robot = mechanism(read(text, Format::Toml));
    let faults = SensorFaults { relative_force: 0.005, ..SensorFaults::default() };
    let log = simulate(&robot, &Simulation { faults, duration: 40.0, ..short() }).expect("a log");
    let found = identify(&robot, &log, &Settings::default()).expect("an identification");
    let history = ResidualHistory::of_identification(&found, &mut &log).expect("history");
    for ((viscous, coulomb, offset), row) in [(1.5, 2.0, 0.4), (0.5, 0.7, 0.0)].into_iter().zip(&history.rows)
    {
        let friction = |v: f64| viscous * v + coulomb * v.signum() + offset;
        let noise = found.training.model.rows.iter().find(|r| r.name == row.name).expect("a row").rms;
        let samples = &row.friction.samples;
        assert!(samples.len() > 400 && samples.len() <= 801, "{}", samples.len());
        let left =
            samples.iter().map(|(v, f)| (f - friction(*v)).powi(2)).sum::<f64>() / samples.len() as f64;
        assert!(left.sqrt() < 1.3 * noise, "{} {} {noise}", row.name, left.sqrt());
        let points = row.friction.curve.iter().filter(|point| !point.1.is_nan());
        let worst = points.map(|(v, f)| (f - friction(*v)).abs()).fold(0.0, f64::max);
        assert!(worst < noise, "{}: {worst} {noise}", row.name);
    }
}

#[test]
fn the_table_has_all_digits_and_survives_odd_names() {
    let text = "name = \"odd\"\n[[body]]\nname = 'a, \"b\"'\nparent = \"base\"\njoint = \"revolute\"\naxis = [0, 1, 0]\n\
                inertia = { mass = 1, com = [0.1, 0, 0.3], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }\n\
                [[body]]\nname = \"<i>\"\nparent = 'a, \"b\"'\njoint = \"revolute\"\naxis = [0, 1, 0]\nxyz = [0.5, 0, 0]\n\
                inertia = { mass = 1, com = [0.1, 0, 0.3], tensor = [0.1, 0, 0.1, 0, 0, 0.1] }\n";
    let case = case(&read(text, Format::Toml), &short(), &Settings { drives: false, ..Settings::default() });
    let table = parameter_table_csv(&case.found);
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some("name,value,sigma,relative_sigma_percent,prior,terms,white_sigma,robust_sigma")
    );
    for (line, parameter) in lines.zip(&case.found.parameters) {
        let quoted = parameter.name.contains(',');
        assert_eq!(line.starts_with("\"a, \"\"b\"\"."), quoted, "{line}");
        if !quoted {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields[1].parse::<f64>(), Ok(parameter.value), "all digits");
            assert_eq!(fields[2].parse::<f64>(), Ok(parameter.sigma));
            assert!(fields[5].starts_with("1*<i>."), "{line}");
        }
    }
    let page = case.page();
    assert_well_formed(&page);
    assert!(!page.contains("<i>.") && page.contains("&lt;i&gt;"));
}

#[test]
fn sums_of_predictions_are_the_residuals_of_the_estimator() {
    // The page adds up predictions sample by sample; the estimator reads residuals off its triangles.
    let case = case(&zoo("four_bar"), &short(), &Settings::default());
    let document = words(&case.page());
    let said = case.found.validation.as_ref().expect("held out").model.total;
    assert!(document.contains("relative residual"), "{document}");
    let history = ResidualHistory::of_identification(&case.found, &mut &case.log).expect("history");
    let summed = history.relative_residual(0, Role::Validation);
    assert!((summed / said - 1.0).abs() < 1e-9, "{summed} {said}");
    let prior = case.found.training.prior.total;
    assert!((history.relative_residual(1, Role::Training) / prior - 1.0).abs() < 1e-9);
}

#[test]
fn pages_are_well_formed_self_contained_and_the_same_every_time() {
    for name in ["panda", "four_bar", "go2", "delta", "gantry"] {
        let case = case(&zoo(name), &Simulation { duration: 4.0, ..short() }, &Settings::default());
        let page = case.page();
        assert_well_formed(&page);
        assert_self_contained(&page);
        assert_eq!(page, case.page(), "{name}");
        assert!(page.contains(">validation</text>"), "{name}: held-out samples are shaded");
        assert!(page.matches("class=\"solid prior\"").count() >= case.file.robot().bodies.len(), "{name}");
    }
}

#[test]
fn weighed_bases_contacts_and_payloads_have_pages_too() {
    let pendulum = zoo("double_pendulum");
    let contact = SimulatedContact {
        link: pendulum.bodies[1].name.clone(),
        wrench: ContactWrench::Random { force: 5.0, torque: 1.0 },
    };
    let simulation = Simulation { base_wrench: true, contacts: vec![contact], ..short() };
    let weighed = Settings { measure: sensors("base-wrench"), drives: false, ..Settings::default() };
    let plate = case(&pendulum, &simulation, &weighed);
    let page = plate.page();
    assert_well_formed(&page);
    assert_self_contained(&page);
    assert!(page.contains("base-wrench.fz") && page.contains("torque (N·m)") && page.contains("force (N)"));
    assert_eq!(identification_json(&plate.found)["links"].as_array().map(Vec::len), Some(3));
    let payload = Settings { payload: Some("link6".to_owned()), ..Settings::default() };
    let page = case(&zoo("puma560"), &short(), &payload).page();
    assert_well_formed(&page);
    assert!(page.contains("only link6 is unknown"));
}

#[test]
fn logs_without_times_without_validation_or_in_pieces_are_drawn() {
    let mut case = case(&zoo("two_link"), &short(), &Settings::default());
    let whole = case.log.clone();
    case.log.parts = Vec::new();
    case.found = identify(&case.file, &case.log, &Settings::default()).expect("an identification");
    assert!(headline(&case.found)[0].contains("no samples were held out"));
    let page = case.page();
    assert_well_formed(&page);
    assert!(!page.contains(">validation</text>"));
    case.log.t = Vec::new();
    let page = case.page();
    assert_self_contained(&page);
    assert!(page.contains("sample</text>"), "the axis counts samples");
    // Pieces with unused samples between them: the curve breaks.
    case.log = whole;
    let part = |samples, role| Part { samples, role };
    case.log.parts =
        vec![part(0..200, Role::Training), part(300..450, Role::Training), part(500..600, Role::Validation)];
    case.found = identify(&case.file, &case.log, &Settings::default()).expect("an identification");
    let page = case.page();
    assert_well_formed(&page);
    let lines = page.matches("<polyline class=\"plot-line\"").count();
    assert!(lines >= 2 * 3 * 3, "three pieces of three curves for two joints: {lines}");
}

#[test]
fn inconsistent_models_say_which_link_is_not_physically_consistent() {
    let settings = Settings { consistent: None, ..Settings::default() };
    let mut case = case(&zoo("two_link"), &short(), &settings);
    let link = &mut case.found.consistency[1];
    link.inertia.mass = -1.0;
    link.problem = Some("the mass -1 kg is negative".to_owned());
    let page = case.page();
    assert_well_formed(&page);
    assert!(page.contains("not consistent: the mass -1 kg is negative"));
    assert!(
        headline(&case.found)
            .iter()
            .any(|s| s.starts_with("1 of 2 bodies is not physically consistent; link2:"))
    );
    assert_eq!(identification_json(&case.found)["consistent"]["link2"], false);
}

#[test]
fn long_logs_make_pages_of_bearable_size() {
    let count = if std::env::var_os("STEINER_THOROUGH").is_some() { 300_000 } else { 60_000 };
    let simulation = Simulation { duration: 60.0, rate: count as f64 / 60.0, ..Simulation::default() };
    let case = case(&zoo("go2"), &simulation, &Settings::default());
    let page = case.page();
    assert!(page.len() < 2_500_000, "{} bytes", page.len());
}

#[test]
fn a_browser_shows_the_page() {
    if std::env::var_os("STEINER_THOROUGH").is_none() {
        return;
    }
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let found =
        browsers.iter().find(|name| std::process::Command::new(name).arg("--version").output().is_ok());
    let Some(browser) = found else {
        println!("skipped: no chromium to show the page in");
        return;
    };
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("identification");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (file, picture) = (folder.join("puma560.html"), folder.join("puma560.png"));
    let _ = std::fs::remove_file(&picture);
    std::fs::write(&file, case(&zoo("puma560"), &short(), &Settings::default()).page()).expect("written");
    let status = std::process::Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,5000"])
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let size = std::fs::metadata(&picture).map_or(0, |found| found.len());
    assert!(size > 150_000, "a picture of {size} bytes");
}
