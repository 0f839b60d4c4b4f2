//! `steiner excite`: the motion to record, as good as the limits allow.

mod arguments;
mod interrupt;
mod page;
mod wish;

use std::path::Path;

use serde_json::{Value, json};
use steiner::excitation::{Bound, Progress as SearchProgress, standing};
use steiner::report::{MotionReport, log_notes, margin_percent, motion_html, motion_json, number};
use steiner::{
    AfterLogs, Analysis, Design, Designed, Mechanism, MotionFormat, RobotShape, analyze, excite,
    information_of_logs, read_mechanism, shape_of, tree_motion, validation_wish, write_motion,
};

pub(crate) use self::arguments::ExciteArguments;
use self::interrupt::Interrupt;
use self::page::motion_page;
use crate::hints::FLAGS;
use crate::logs::watch;
use crate::output::{Failure, print, print_json, width, wrapped};
use crate::places::{Places, Written};
use crate::progress::Progress;

pub(crate) fn run(arguments: &ExciteArguments) -> Result<(), Failure> {
    Places::default()
        .reads("the robot", [&arguments.robot.robot])
        .reads_logs(&arguments.logs)
        .reads("the mapping", &arguments.mapping)
        .writes("-o", arguments.output.as_ref())
        .writes("--validate", arguments.validate.as_ref())
        .writes("--html", arguments.html.as_ref())
        .check_folders()?;
    let robot = read_mechanism(&arguments.robot.robot, &arguments.robot.options())?;
    let feet = arguments.feet();
    let mechanism = match feet.is_empty() {
        true => robot.clone(),
        false => Mechanism::new(standing(robot.robot(), &feet, &arguments.start)?)?,
    };
    for path in arguments.output.iter().chain(&arguments.validate) {
        MotionFormat::of(path)?.check(&mechanism, path)?;
    }
    let mut design = arguments.design(&mechanism)?;
    let shape = shape(&mechanism, arguments, &mut design)?;
    let analysis = analyze(&mechanism, &design.question)?;
    let after = after(&mechanism, &analysis, &mut design, arguments)?;
    design.analysis = Some(analysis);
    let interrupt = Interrupt::listen();
    let designed = searched(&mechanism, &design, &interrupt, "searching a motion")?;
    let report = |design, designed, after| MotionReport {
        mechanism: &mechanism,
        design,
        designed,
        after,
        without_shape: &shape.without,
        touching: &shape.touching,
        spelling: FLAGS,
    };
    let own = report(&design, &designed, after.as_ref().map(|after| &after.found));
    let second = match &arguments.validate {
        None => None,
        Some(path) => {
            let wish = validation_wish(&design);
            let designed = searched(&mechanism, &wish, &interrupt, "searching a second motion")?;
            Some((path, wish, designed))
        }
    };
    let mut written = Written::default();
    let mut kept = Vec::new();
    let mut wanted: Vec<(&Path, &Designed)> =
        arguments.output.iter().map(|path| (path.as_path(), &designed)).collect();
    wanted.extend(second.iter().map(|(path, _, designed)| (path.as_path(), designed)));
    for (path, designed) in wanted.into_iter().filter(|(_, designed)| designed.feasible) {
        let mut motion = designed.trajectory(&mechanism, design.rate);
        // On feet, joints that follow are written, too.
        if !feet.is_empty() {
            motion = tree_motion(&mechanism, &motion)?;
        }
        if written.step(write_motion(&robot, &motion, path)).is_some() {
            kept.push(path.to_owned());
            eprintln!("wrote {}", path.display());
        }
    }
    if let Some(path) = &arguments.html
        && let Some(page) = written.step(motion_html(&own))
    {
        written.text(path, &page, "--html");
    }
    let notes = after.as_ref().map(|after| log_notes(&after.notes)).unwrap_or_default();
    let second = second.as_ref().map(|(_, wish, designed)| report(wish, designed, None));
    written.finish(match arguments.json {
        true => print_json(&document(&own, second.as_ref(), &notes, &kept)),
        false => print(&whole_page(&own, second.as_ref(), &notes, arguments, kept.is_empty())),
    })?;
    let infeasible = std::iter::once(&own).chain(&second).find(|report| !report.designed.feasible);
    infeasible.map_or(Ok(()), |report| Err(not_feasible(report.designed)))
}

/// Capsules for the design, where collisions are to be avoided.
fn shape(
    mechanism: &Mechanism,
    arguments: &ExciteArguments,
    design: &mut Design,
) -> Result<RobotShape, Failure> {
    if !design.self_collision && design.obstacles.is_empty() {
        return Ok(RobotShape::default());
    }
    let (robot, options) = (&arguments.robot.robot, arguments.robot.options());
    let found = shape_of(mechanism, robot, &options, arguments.radius, design.clearance);
    let shape = found.map_err(|error| match Failure::from(error) {
        Failure::Message(message) if design.obstacles.is_empty() => Failure::Message(format!(
            "{message}; shapes keep links from colliding: --no-self-collision goes without them"
        )),
        other => other,
    })?;
    if shape.capsules.is_empty() && !design.obstacles.is_empty() {
        return Err(Failure::Message(format!(
            "{robot} has no shapes, so that nothing can be kept away from obstacles; give its links collision \
            geometry or capsules (docs/mechanism-files.md), or --radius 0.06 for capsules from joint to joint"
        )));
    }
    design.capsules = shape.capsules.clone();
    design.ignored = shape.touching.clone();
    Ok(shape)
}

/// What logs have shown already.
fn after(
    mechanism: &Mechanism,
    analysis: &Analysis,
    design: &mut Design,
    arguments: &ExciteArguments,
) -> Result<Option<AfterLogs>, Failure> {
    if arguments.logs.is_empty() {
        return Ok(None);
    }
    let logs = arguments.logs()?;
    let progress = Progress::of("reading");
    let found = information_of_logs(mechanism, analysis, design, &logs, watch(&progress, &logs))?;
    found.continue_with(analysis, design);
    Ok(Some(found))
}

/// The search, with a line for whoever waits.
fn searched(
    mechanism: &Mechanism,
    design: &Design,
    interrupt: &Interrupt,
    work: &str,
) -> Result<Designed, Failure> {
    let progress = Progress::of(work);
    let tell = progress.telling();
    let watch = |now: SearchProgress<'_>| {
        tell(words_of(&now));
        interrupt.pressed()
    };
    let designed = excite(mechanism, design, &watch)?;
    drop(progress);
    if interrupt.pressed() {
        eprintln!("interrupted: this is the best motion so far");
    }
    Ok(designed)
}

/// How far the search is.
fn words_of(now: &SearchProgress<'_>) -> String {
    let (done, all) = now.finished;
    let of = if all > 10_000 { String::new() } else { format!(" of {all}") };
    let mut words = format!(": start {}{of}", (done + 1).min(all));
    if now.criterion.is_finite() {
        words += &format!(", criterion {}", number(now.criterion, 5));
    }
    if let Some(nearest) = now.nearest {
        let left = margin_percent(nearest.margin);
        words += &format!(", {left} left of the {} of {}", nearest.quantity.name(), nearest.joint);
    }
    words
}

fn not_feasible(designed: &Designed) -> Failure {
    let violated = designed.margins.iter().filter(|margin| margin.bound == Bound::Violated);
    let worst = violated.min_by(|a, b| a.margin.total_cmp(&b.margin));
    let worst = worst.map_or(String::new(), |margin| {
        format!(
            " ({} of {} is {} where {} is allowed)",
            margin.quantity.name(),
            margin.of,
            number(margin.value, 4),
            number(margin.limit, 4)
        )
    });
    Failure::Message(format!(
        "no feasible motion was found{worst}, and none is written; widen that limit, give a pose to begin with \
        (--start), or search longer (--starts, --seconds)"
    ))
}

fn document(
    own: &MotionReport<'_>,
    second: Option<&MotionReport<'_>>,
    notes: &[String],
    kept: &[std::path::PathBuf],
) -> Value {
    let mut out = motion_json(own);
    out["files"] = json!(kept);
    if own.after.is_some() {
        out["log_notes"] = json!(notes);
    }
    if let Some(second) = second {
        out["validation"] = motion_json(second);
    }
    out
}

fn whole_page(
    own: &MotionReport<'_>,
    second: Option<&MotionReport<'_>>,
    notes: &[String],
    arguments: &ExciteArguments,
    nothing_written: bool,
) -> String {
    let mut page = motion_page(own, width());
    notes.iter().for_each(|note| page += &wrapped(&format!("log: {note}"), 2, width()));
    if let Some(second) = second {
        page += "\nThe second motion, for validation:\n";
        page += &motion_page(second, width());
    }
    if nothing_written && arguments.output.is_none() {
        let hint = "Nothing is written: -o motion.csv keeps the motion (also .npz, .yaml, .json, .xml), --html page.html \
            shows it.";
        page += &wrapped(hint, 2, width());
    }
    page
}
