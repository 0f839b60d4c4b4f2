//! Steiner's side of `bench/generated.py`: writes a robot's dynamics as C, and the
//! robot in numbers for its peer.
//!
//! `generated ROBOT DIRECTORY [--theta] [--float] [--psdm]`. A line of `robot.txt` is a body: parent
//! (−1 for the base), joint kind, axis, placement of the joint in the parent's body frame and of the body
//! frame in the joint's (rotation by rows, then translation), ten parameters. The last line is gravity.
//! Operation counts go to the terminal.

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_model::{Code, CodeOptions, ParameterUse, Precision, Psdm, PsdmOptions};
use steiner_robot::{Frame, Robot, evaluate_direction};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let [robot, directory, ..] = &arguments[..] else {
        return Err("usage: generated ROBOT DIRECTORY [--theta] [--float] [--psdm]".into());
    };
    let robot = read_robot(robot, &ReadOptions::default())?;
    let options = CodeOptions {
        parameters: if has("--theta") { ParameterUse::Argument } else { ParameterUse::Constants },
        precision: if has("--float") { Precision::Single } else { Precision::Double },
        prefix: Some("robot".to_owned()),
        ..CodeOptions::default()
    };
    let model = if has("--psdm") {
        let closed = Psdm::derive(&Mechanism::new(robot.clone())?, &PsdmOptions::default())?;
        Code::closed_form(&robot, &closed, &options)?
    } else {
        Code::new(&robot, &options)?
    };
    let directory = std::path::Path::new(directory);
    std::fs::create_dir_all(directory)?;
    for file in model.c().into_iter().chain([model.rust()]) {
        std::fs::write(directory.join(file.name), file.text)?;
    }
    std::fs::write(directory.join("robot.txt"), in_numbers(&robot, model.gravity())?)?;
    for function in &model.functions {
        let operations = function.operations();
        println!(
            "{} {} {} {}",
            function.quantity.name(),
            operations.multiplications,
            operations.additions,
            operations.divisions
        );
    }
    println!("library {:.1}", library_nanoseconds(&Mechanism::new(robot)?)?);
    Ok(())
}

/// Time of one inverse dynamics by the library's recursion, which knows the robot only at run
/// time: the median of some rounds.
fn library_nanoseconds(mechanism: &Mechanism) -> Result<f64, Box<dyn std::error::Error>> {
    let dof = mechanism.dof();
    let mut times = Vec::new();
    for _ in 0..11 {
        let started = std::time::Instant::now();
        for k in 0..1000 {
            let value = |n: usize| (0..n).map(|j| ((k * 7 + j * 3) % 17) as f64 * 0.1).collect::<Vec<_>>();
            let q = value(mechanism.configuration_size());
            std::hint::black_box(mechanism.inverse_dynamics(&q, &value(dof), &value(dof))?);
        }
        times.push(started.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

fn in_numbers(robot: &Robot, gravity: [f64; 3]) -> Result<String, Box<dyn std::error::Error>> {
    let pose = |frame: &Frame| {
        let pose = frame.pose();
        pose.rotation.0.into_iter().flatten().chain(pose.translation.0).collect::<Vec<_>>()
    };
    let words = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
    let parameters = robot.parameters();
    let mut text = String::new();
    for (k, body) in robot.bodies.iter().enumerate() {
        let joint = &body.joint;
        let parent = body.parent.map_or(-1, |parent| parent.0 as i64);
        let axis =
            if joint.kind.has_axis() { evaluate_direction::<f64>(&joint.axis)?.value.0 } else { [0.0; 3] };
        text += &format!(
            "{parent} {} {} {} {} {}\n",
            joint.kind.name(),
            words(&axis),
            words(&pose(&joint.placement)),
            words(&pose(&joint.body_frame)),
            words(&parameters[10 * k..10 * k + 10])
        );
    }
    Ok(text + &words(&gravity) + "\n")
}
