//! Recordings: what a log says about a mechanism, and what is said about the log.

mod clock;

use std::f64::consts::PI;

use steiner_dynamics::Mechanism;
use steiner_formats::{Format, ReadOptions, assemble, parse_text, read_robot};
use steiner_identification::channels;
use steiner_linalg::Stream;
use steiner_logs::signals::Decimation;
use steiner_logs::{
    Channels, Cutoff, Log, LogError, LogNote, Processing, ProcessingNote, ReadingNote, Recording,
    RecordingStream, Resample, Settled, Thinning, Trim,
};
use steiner_report::log_note;

/// What is said about a log, in words.
fn said(notes: &[LogNote]) -> Vec<String> {
    notes.iter().map(log_note).collect()
}

fn robot(name: &str) -> Channels {
    channels(&Mechanism::new(read_robot(name, &ReadOptions::default()).unwrap()).unwrap())
}

/// The channels of a native file.
fn native(text: &str) -> Channels {
    let options = ReadOptions::default();
    let description = parse_text(text, "robot.toml", Format::Toml, None, &options).unwrap();
    channels(&Mechanism::new(assemble(description, &options).unwrap()).unwrap())
}

fn log(text: &str) -> Log {
    Log::parse_csv(text, "log.csv").unwrap_or_else(|error| panic!("{error}"))
}

fn recorded(name: &str, text: &str, processing: &Processing) -> Recording {
    Recording::of(&robot(name), &log(text), processing).unwrap_or_else(|error| panic!("{error}"))
}

/// First samples of the parts.
fn starts(recording: &Recording) -> Vec<usize> {
    recording.parts.iter().map(|part| part.samples.start).collect()
}

/// Two joints in harmonic motion: q, q̇, q̈ at a time.
fn motion(t: f64) -> [[f64; 2]; 3] {
    let (a, b) = (2.0 * PI * 0.7, 2.0 * PI * 0.45);
    [
        [(a * t).sin(), 0.8 * (b * t).cos()],
        [a * (a * t).cos(), -0.8 * b * (b * t).sin()],
        [-a * a * (a * t).sin(), -0.8 * b * b * (b * t).cos()],
    ]
}

/// A log of that motion with positions alone (and a force), at these times.
fn positions(times: &[f64], sigma: f64, seed: u64) -> Log {
    let mut noise = Stream::new(seed);
    let mut columns = vec![("t".to_owned(), times.to_vec())];
    for joint in 0..2 {
        let q = times.iter().map(|t| motion(*t)[0][joint] + sigma * noise.normal()).collect();
        columns.push((format!("q_link{}", joint + 1), q));
    }
    columns.push(("tau_link1".to_owned(), times.iter().map(|t| motion(*t)[2][0]).collect()));
    Log::from_columns("log", columns).unwrap()
}

fn even(count: usize, rate: f64) -> Vec<f64> {
    (0..count).map(|k| k as f64 / rate).collect()
}

/// Largest errors of q, qd, qdd against the motion itself.
fn errors(recording: &Recording) -> [f64; 3] {
    let mut worst = [0.0f64; 3];
    for (k, t) in recording.t.iter().enumerate() {
        let truth = motion(*t);
        for (c, values) in [&recording.q, &recording.qd, &recording.qdd].into_iter().enumerate() {
            for joint in 0..2 {
                worst[c] = worst[c].max((values[2 * k + joint] - truth[c][joint]).abs());
            }
        }
    }
    worst
}

#[test]
fn what_is_recorded_is_taken_as_it_is() {
    let text = "# recorded yesterday\nt;q_link1;q_link2;qd_link1;qd_link2;qdd_link1;qdd_link2;tau_link2\n0;1;2;3;4;5;6;7\n0.1;7;8;9;10;11;12;13\n0.25;1;2;3;4;5;6;7\n";
    let recording = recorded("two_link", text, &Processing::default());
    assert_eq!(
        (recording.count, &recording.measured[..], &recording.tau[..]),
        (3, &[false, true][..], &[0.0, 7.0, 0.0, 13.0, 0.0, 7.0][..])
    );
    assert_eq!(
        (&recording.q[2..4], &recording.qd[2..4], &recording.qdd[..2]),
        (&[7.0, 8.0][..], &[9.0, 10.0][..], &[5.0, 6.0][..])
    );
    assert_eq!((&recording.t[..], &starts(&recording)[..]), (&[0.0, 0.1, 0.25][..], &[0][..]));
    assert_eq!(said(&recording.notes), ["log.csv has no column tau_link1: this force is taken as unknown"]);
    // Without a clock, too, since nothing must be derived.
    let text = "q_link1,q_link2,qd_link1,qd_link2,qdd_link1,qdd_link2\n1,2,3,4,5,6\n";
    let recording = recorded("two_link", text, &Processing::default());
    assert_eq!(
        (recording.count, &recording.notes[..1]),
        (1, &[ReadingNote::NoClock { file: "log.csv".to_owned() }.into()][..])
    );
}

#[test]
fn parabolas_at_any_spacing_are_differentiated_exactly() {
    // q1 = 1 + 2 t + 3 t², q2 = −t².
    let mut text = "t,q_link1,q_link2\n".to_owned();
    for t in [0.0, 0.1, 0.25, 0.3, 0.5f64] {
        text += &format!("{t},{},{}\n", 1.0 + 2.0 * t + 3.0 * t * t, -t * t);
    }
    let recording = recorded("two_link", &text, &Processing::as_recorded());
    assert_eq!(recording.count, 3);
    for (k, t) in [0.1, 0.25, 0.3].into_iter().enumerate() {
        assert!((recording.qd[2 * k] - (2.0 + 6.0 * t)).abs() < 1e-12);
        assert!((recording.qd[2 * k + 1] + 2.0 * t).abs() < 1e-12);
        assert!((recording.qdd[2 * k] - 6.0).abs() < 1e-10 && (recording.qdd[2 * k + 1] + 2.0).abs() < 1e-10);
    }
    assert_eq!(
        said(&recording.notes),
        [
            "velocities are not recorded: central differences, unfiltered",
            "accelerations are not recorded: central differences, unfiltered"
        ]
    );
}

#[test]
fn what_is_recorded_is_used_and_what_nobody_needs_may_be_anything() {
    let text = "t,q_link1,q_link2,qd_link1,qdd_link1,qdd_link2,mode\n0,0,0,9,7,8,auto\n1,1,2,9,7,8,auto\n2,2,4,9,7,8,hand\n";
    let recording = recorded("two_link", text, &Processing::as_recorded());
    assert_eq!((&recording.qd[..], &recording.qdd[..]), (&[9.0, 2.0][..], &[7.0, 8.0][..]));
    assert_eq!(
        said(&recording.notes)[0],
        "velocities of link2 are not recorded: central differences, unfiltered"
    );
    // Unless everything is to be derived.
    let processing = Processing { derive: true, ..Processing::as_recorded() };
    let recording = recorded("two_link", text, &processing);
    assert_eq!((&recording.qd[..], &recording.qdd[..]), (&[1.0, 2.0][..], &[0.0, 0.0][..]));
    assert!(
        said(&recording.notes)[0].starts_with("velocities are derived as asked for"),
        "{:?}",
        recording.notes
    );
}

#[test]
fn clean_positions_need_no_filter_and_noisy_ones_get_one() {
    let times = even(20_000, 500.0);
    let arm = robot("two_link");
    let clean = Recording::of(&arm, &positions(&times, 0.0, 1), &Processing::default()).unwrap();
    assert_eq!((clean.settled.cutoff, clean.count), (None, 19_998));
    let [_, velocity, acceleration] = errors(&clean);
    // The samples next to the borders have narrow stencils: errors of the second order.
    assert!(velocity < 1e-4 && acceleration < 1e-3, "{velocity} {acceleration}");
    assert!(said(&clean.notes)[1].contains("no noise worth filtering"), "{:?}", clean.notes);

    let noisy = Recording::of(&arm, &positions(&times, 1e-4, 1), &Processing::default()).unwrap();
    let cutoff = noisy.settled.cutoff.unwrap();
    assert!((1.5..6.0).contains(&cutoff), "{cutoff}");
    let [position, velocity, acceleration] = errors(&noisy);
    // Unfiltered, second differences of this noise are off by 100 rad/s².
    assert!(
        position < 1e-4 && velocity < 1e-3 && acceleration < 0.03,
        "{position} {velocity} {acceleration}"
    );
    let factor = noisy.settled.factor();
    assert_eq!(factor, (0.8 * 250.0 / cutoff).floor() as usize);
    let trim = noisy.settled.trim;
    assert_eq!(noisy.count, (20_000 - 2 * trim).div_ceil(factor));
    assert!((noisy.t[0] - trim as f64 / 500.0).abs() < 1e-9);
    assert!(
        said(&noisy.notes)[1].starts_with(&format!("motion and forces are low-pass filtered at {cutoff} Hz")),
        "{:?}",
        noisy.notes
    );
    // The force is a multiple of the acceleration and is filtered alike; near the ends it fades out with the
    // regressor instead.
    let near = trim.div_ceil(factor) + 1;
    for k in near..noisy.count - near {
        assert!((noisy.tau[2 * k] - noisy.qdd[2 * k]).abs() < 0.03);
    }
    assert_eq!(noisy.spectra.suggested, Some(cutoff));
    assert!(noisy.spectra.coordinates[0].valley.unwrap() > 1.0);
}

#[test]
fn positions_that_jump_are_named() {
    let times = even(3000, 100.0);
    let notes = |q: &dyn Fn(usize, f64) -> [f64; 2]| -> Vec<String> {
        let values: Vec<[f64; 2]> = times.iter().enumerate().map(|(k, t)| q(k, *t)).collect();
        let mut columns = vec![("t".to_owned(), times.clone())];
        for joint in 0..2 {
            columns.push((format!("q_link{}", joint + 1), values.iter().map(|q| q[joint]).collect()));
        }
        columns.push(("tau_link1".to_owned(), times.iter().map(|t| motion(*t)[2][0]).collect()));
        let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
        let log = Log::from_columns("log", columns).unwrap();
        said(&Recording::of(&robot("two_link"), &log, &processing).unwrap().notes)
    };
    let jump = |said: &[String]| {
        said.iter().filter(|note| note.contains("between small steps")).cloned().collect::<Vec<_>>()
    };
    // As it should be; with a coarse encoder; with noise; at rest.
    let clean: [&dyn Fn(usize, f64) -> [f64; 2]; 3] = [
        &|_, t| [motion(t)[0][0], motion(t)[0][1]],
        &|_, t| [(motion(t)[0][0] / 0.01).round() * 0.01, (motion(t)[0][1] / 0.002).round() * 0.002],
        &|_, t| if t < 15.0 { [motion(t)[0][0], 0.3] } else { [motion(15.0)[0][0], 0.3] },
    ];
    for q in clean {
        let said = notes(q);
        assert!(jump(&said).is_empty(), "{said:?}");
    }
    // An encoder that slips, a spike, rows that are missing.
    let slips = jump(&notes(&|_, t| [motion(t)[0][0] + if t > 12.0 { 0.5 } else { 0.0 }, motion(t)[0][1]]));
    assert!(slips.len() == 1 && slips[0].starts_with("q_link1 jumps at 12.01 s"), "{slips:?}");
    let spike = jump(&notes(&|k, t| [motion(t)[0][0], if k == 777 { 3.0 } else { motion(t)[0][1] }]));
    assert!(spike.len() == 1 && spike[0].starts_with("q_link2 jumps at 7.7"), "{spike:?}");
    let missing = jump(&notes(&|k, t| {
        let t = if k < 1300 { t } else { t + 0.7 };
        [motion(t)[0][0], motion(t)[0][1]]
    }));
    assert!(missing.len() == 1 && missing[0].contains("at 13 s"), "{missing:?}");
}

#[test]
fn a_gap_is_not_differentiated_across() {
    let mut times = even(3000, 100.0);
    times.iter_mut().skip(1000).for_each(|t| *t += 0.5);
    times.iter_mut().skip(2000).for_each(|t| *t += 2.25);
    let processing = Processing { cutoff: Cutoff::Off, ..Processing::default() };
    let recording = Recording::of(&robot("two_link"), &positions(&times, 0.0, 1), &processing).unwrap();
    assert_eq!((recording.count, &starts(&recording)[..]), (2994, &[0, 998, 1996][..]));
    assert!(errors(&recording)[2] < 0.02, "{:?}", errors(&recording));
    assert_eq!(
        said(&recording.notes)[1],
        "the clock pauses 2 times (longest 2.26 s, after 20.49 s): filters and derivatives start anew there"
    );
}

#[test]
fn parts_are_the_whole() {
    let mut noise = Stream::new(2);
    let mut times = even(400_000, 1000.0);
    times.iter_mut().skip(150_000).for_each(|t| *t += 1.0);
    let jittery: Vec<f64> = times.iter().map(|t| t + 0.0001 * noise.normal()).collect();
    let arm = robot("two_link");
    let settings = [
        (&times, Processing { cutoff: Cutoff::Hertz(8.0), ..Processing::default() }),
        (
            &times,
            Processing {
                cutoff: Cutoff::Off,
                thinning: Thinning::By(vec![(7, Decimation::Pick)]),
                ..Processing::default()
            },
        ),
        (
            &times,
            Processing {
                cutoff: Cutoff::Hertz(20.0),
                trim: Trim::Seconds(0.1),
                thinning: Thinning::By(vec![(5, Decimation::UnitChebyshev), (2, Decimation::Hamming)]),
                ..Processing::default()
            },
        ),
        (
            &jittery,
            Processing {
                cutoff: Cutoff::Hertz(8.0),
                resample: Resample::Hertz(1000.0),
                ..Processing::default()
            },
        ),
        (&times, Processing::default()),
    ];
    for (times, processing) in settings {
        let log = positions(times, 1e-4, 5);
        let whole = Recording::of(&arm, &log, &processing).unwrap();
        let mut stream = RecordingStream::new(&arm, log.into_reader(), &processing).unwrap();
        let mut parts: Option<Recording> = None;
        let mut count = 0;
        while let Some(part) = stream.next_part().unwrap() {
            count += 1;
            match &mut parts {
                None => parts = Some(part),
                Some(parts) => parts.append(part).unwrap(),
            }
        }
        let parts = parts.unwrap();
        assert!(count > 3, "{count}");
        assert_eq!(parts.count, whole.count, "{processing:?}");
        // Parts end where memory does, and at every gap.
        let ends = starts(&parts);
        assert!(starts(&whole).iter().all(|start| ends.contains(start)), "{processing:?}");
        // The cut-off is chosen by the first rows; where it is given, parts and whole are one.
        if processing.cutoff != Cutoff::Auto {
            // The first rows may tell the rate by a rounding error differently.
            let rates = [stream.settled().rate.unwrap(), whole.settled.rate.unwrap()];
            assert!((rates[0] / rates[1] - 1.0).abs() < 1e-6, "{rates:?}");
            // And what a joint's usual speed is, and how long a stretch lasts.
            let Settled { rate, rest, longest_stretch, .. } = whole.settled.clone();
            let same = Settled { rate, rest, longest_stretch, ..stream.settled().clone() };
            assert_eq!(same, whole.settled);
            assert_eq!(said(&stream.notes()), said(&whole.notes));
            for (what, a, b) in [
                ("q", &parts.q, &whole.q),
                ("qd", &parts.qd, &whole.qd),
                ("qdd", &parts.qdd, &whole.qdd),
                ("tau", &parts.tau, &whole.tau),
            ] {
                let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-9, "{what}: {worst}; {processing:?}");
            }
            // Where forces are not filtered, dry friction is not either.
            let wanted = usize::from(processing.cutoff != Cutoff::Off);
            assert_eq!((parts.friction.len(), whole.friction.len()), (wanted, wanted));
            for (a, b) in parts.friction.iter().zip(&whole.friction) {
                assert_eq!((&a.function, a.values.len()), (&b.function, whole.count));
                let worst = a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-9, "friction: {worst}; {processing:?}");
            }
        }
    }
}

#[test]
fn turns_are_undone_and_quaternions_keep_their_sign() {
    let wheel =
        "[[body]]\nname = \"wheel\"\nparent = \"base\"\njoint = \"continuous\"\ninertia = { mass = 1 }\n";
    let wheel = native(wheel);
    let times = even(500, 100.0);
    let wrapped = times.iter().map(|t| (3.0 * t + PI).rem_euclid(2.0 * PI) - PI).collect();
    let log =
        Log::from_columns("log", vec![("t".to_owned(), times.clone()), ("q_wheel".to_owned(), wrapped)])
            .unwrap();
    let recording =
        Recording::of(&wheel, &log, &Processing { cutoff: Cutoff::Off, ..Processing::default() }).unwrap();
    assert!(recording.qd.iter().all(|speed| (speed - 3.0).abs() < 1e-9));
    assert!(
        recording.notes.contains(&ProcessingNote::TurnsUndone { column: "q_wheel".to_owned() }.into()),
        "{:?}",
        recording.notes
    );
}

/// A floating body in a known motion: only its positions are recorded, its
/// velocities in body axes are derived.
#[test]
fn velocities_of_a_floating_base_come_from_its_positions() {
    let body = "[[body]]\nname = \"body\"\nparent = \"base\"\njoint = \"floating\"\ninertia = { mass = 1 }\n";
    let body = native(body);
    let rate = 200.0;
    let times = even(1000, rate);
    // Turned by 2t about z, then by sin t about the body's x: ω = (cos t, 2 sin(sin
    // t), 2 cos(sin t)) in body axes.
    let pose = |t: f64| {
        let ((sz, cz), (sx, cx)) = (t.sin_cos(), (0.5 * t.sin()).sin_cos());
        let p = [t.cos(), 0.3 * t * t, (2.0 * t).sin()];
        // The sign of a quaternion means nothing: it flips here now and then.
        let sign = if ((10.0 * t) as usize).is_multiple_of(3) { -1.0 } else { 1.0 };
        let quaternion = [cz * sx, sz * sx, sz * cx, cz * cx].map(|x| sign * x);
        [p[0], p[1], p[2], quaternion[0], quaternion[1], quaternion[2], quaternion[3]]
    };
    let mut columns = vec![("t".to_owned(), times.clone())];
    columns.extend((0..7).map(|k| (format!("q_body:{k}"), times.iter().map(|t| pose(*t)[k]).collect())));
    let log = Log::from_columns("log", columns).unwrap();
    let recording =
        Recording::of(&body, &log, &Processing { cutoff: Cutoff::Off, ..Processing::default() }).unwrap();
    assert_eq!(recording.count, 998);
    let velocity = |t: f64| {
        let ((sz, cz), (sx, cx)) = ((2.0 * t).sin_cos(), t.sin().sin_cos());
        let rate = [-t.sin(), 0.6 * t, 2.0 * (2.0 * t).cos()];
        // Rᵀ ṗ with R = Rz Rx.
        let along = [cz * rate[0] + sz * rate[1], cz * rate[1] - sz * rate[0], rate[2]];
        let linear = [along[0], cx * along[1] + sx * along[2], cx * along[2] - sx * along[1]];
        [linear[0], linear[1], linear[2], t.cos(), 2.0 * sx, 2.0 * cx]
    };
    for k in 0..998 {
        let t = recording.t[k];
        // Stencils are narrower next to the ends, and still right.
        let (close, closer) = if (4..994).contains(&k) { (1e-6, 1e-9) } else { (1e-2, 1e-3) };
        let h = 1e-5;
        let (expected, before, after) = (velocity(t), velocity(t - h), velocity(t + h));
        for c in 0..6 {
            assert!((recording.qd[6 * k + c] - expected[c]).abs() < closer, "{k} {c}");
            let acceleration = (after[c] - before[c]) / (2.0 * h);
            assert!((recording.qdd[6 * k + c] - acceleration).abs() < close, "{k} {c}");
        }
    }
    assert!(said(&recording.notes)[0].starts_with("velocities are not recorded"), "{:?}", recording.notes);
}

#[test]
fn only_the_independent_coordinates_of_a_loop_are_needed() {
    let five_bar = robot("five_bar");
    let header: Vec<String> = five_bar.velocities.iter().map(|one| format!("q_{}", one.name)).collect();
    let text = format!("t,{},tau_nobody\n0,0.1,0.2,0\n1,0.2,0.3,0\n2,0.3,0.5,0\n", header.join(","));
    let recording = Recording::of(&five_bar, &log(&text), &Processing::as_recorded()).unwrap();
    assert_eq!(recording.q, [0.2, 0.3]);
    assert!(
        said(&recording.notes)[0].contains("tau_nobody is not of five_bar and not used"),
        "{:?}",
        recording.notes
    );
}

#[test]
fn forces_and_wrenches_find_their_places() {
    let mut times = even(300, 100.0);
    times.iter_mut().skip(100).for_each(|t| *t += 0.5);
    let mut columns: Vec<(String, Vec<f64>)> = vec![("t".to_owned(), times.clone())];
    for name in ["q_link1", "q_link2", "tau_link2"] {
        columns.push((name.to_owned(), times.iter().map(|t| t.sin()).collect()));
    }
    for contact in ["base", "link2"] {
        for (k, part) in ["fx", "fy", "fz", "tx", "ty", "tz"].iter().enumerate() {
            columns.push((format!("wrench_{contact}_{part}"), vec![k as f64; 300]));
        }
    }
    let arm = robot("two_link");
    let log = Log::from_columns("log", columns).unwrap();
    let recording =
        Recording::of(&arm, &log, &Processing { cutoff: Cutoff::Off, ..Processing::default() }).unwrap();
    assert_eq!((recording.count, &recording.measured[..]), (296, &[false, true][..]));
    assert_eq!((recording.tau[0], recording.tau[1]), (0.0, recording.t[0].sin()));
    assert_eq!(starts(&recording), [0, 98]);
    assert_eq!(recording.base_wrench.unwrap()[..6], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((recording.contacts.len(), recording.contacts[0].place.as_str()), (1, "link2"));
}

#[test]
fn arrays_are_taken_in_the_order_of_the_joints() {
    let data = |name: &str| std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let read = |robot_name: &str, file: &str| {
        Recording::read(&robot(robot_name), &data(file), &Default::default(), &Processing::as_recorded())
    };
    let recording = read("two_link", "deflated.npz").unwrap();
    assert_eq!(
        (recording.count, recording.measured.len(), recording.contacts[0].place.as_str()),
        (38, 2, "tool")
    );
    assert!((recording.q[0] - 0.1f64.sin()).abs() < 1e-15 && recording.qd[1] == -1.0);
    assert_eq!(recording.contacts[0].values[..6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let error = read("puma560", "deflated.npz").unwrap_err().to_string();
    assert!(error.contains("`q` has 2 columns, but puma560 has 6 (link1, link2"), "{error}");
    // A bag says nothing about accelerations, and its joints come in another order.
    let recording = read("two_link", "zstd.mcap").unwrap();
    assert!((recording.q[0] - 0.2f64.sin()).abs() < 1e-15 && (recording.qdd[0] - 100.0 / 8.0).abs() < 1e-9);
    let error = read("puma560", "bag.db3").unwrap_err().to_string();
    assert!(error.contains("has no column `q_link3`"), "{error}");
}

#[test]
fn bad_rows_are_refused_or_left_out_as_asked() {
    let mut text = "t,q_link1,q_link2\n".to_owned();
    for k in 0..100 {
        let q = if (40..50).contains(&k) { "nan".to_owned() } else { format!("{}", 0.01 * k as f64) };
        text += &format!("{},{q},{}\n", 0.01 * k as f64, -0.02 * k as f64);
    }
    let error =
        Recording::of(&robot("two_link"), &log(&text), &Processing::default()).unwrap_err().to_string();
    assert!(
        error.contains("log.csv:42: `nan` in column `q_link1` is not a finite number; cut the log there"),
        "{error}"
    );
    let recording = recorded("two_link", &text, &Processing { skip_bad_rows: true, ..Processing::default() });
    assert_eq!((recording.count, &starts(&recording)[..]), (86, &[0, 38][..]));
    let notes = said(&recording.notes).join("\n");
    assert!(
        notes.contains("10 rows with entries that are no numbers left out (first: log.csv:42)"),
        "{notes}"
    );
    assert!(notes.contains("the clock pauses once (longest 0.11 s, after 0.39 s)"), "{notes}");
    // Outside of what is wanted, anything goes.
    let recording = recorded("two_link", &text, &Processing { to: Some(0.385), ..Processing::default() });
    assert_eq!(recording.count, 37);
}

#[test]
fn numbers_that_look_like_other_units_are_questioned() {
    let mut text = "t,q_link1,q_link2,q_link3,q_link4,q_link5,q_link6,tau_link1,tau_link2\n".to_owned();
    (0..30).for_each(|k| {
        text += &format!("{k},{},{x},0.5,{x},{x},{x},{},0\n", 5 * k, 1700 * k, x = 0.05 * k as f64)
    });
    let notes = said(&recorded("puma560", &text, &Processing::as_recorded()).notes).join("\n");
    for expected in [
        "q_link1 reaches 145, its limit is 2.7925: degrees?",
        "q_link3 never moves: parameters that only its motion excites are not identifiable",
        "tau_link1 reaches 49300",
        "N·mm, or a current in mA?",
        "tau_link2 is 0 throughout: was it recorded?",
        "t goes in steps of 1 s: milliseconds?",
    ] {
        assert!(notes.contains(expected), "{expected}\n{notes}");
    }
}

#[test]
fn every_mistake_has_its_place_and_remedy() {
    let read = |text: &str, processing: &Processing| -> String {
        let error = Log::parse_csv(text, "log.csv")
            .and_then(|log| Recording::of(&robot("two_link"), &log, processing));
        error.unwrap_err().to_string()
    };
    let two = "t,q_link1,q_link2\n0,1,2\n0.1,1,2\n0.2,1,3\n0.3,1,2\n";
    for (text, processing, expected) in [
        (
            "t,q_link1,q_lnk2\n0,1,2\n",
            Processing::default(),
            "log.csv has no column `q_link2` (did you mean `q_lnk2`?); two_link needs q_link1, q_link2",
        ),
        (
            "q_link1,q_link2\n0,1\n1,2\n2,3\n",
            Processing::default(),
            "there is no column `t` (s); add it, or give `rate`",
        ),
        (
            "t,q_link1,q_link2\n0,1,2\n0.1,1,2\n",
            Processing::default(),
            "log.csv has 2 samples; derivatives need at least 3",
        ),
        ("t,q_link1,q_link2\n", Processing::default(), "log.csv has 0 samples; derivatives need at least 3"),
        (
            two,
            Processing { from: Some(5.0), ..Processing::default() },
            "has 0 samples in the time that is wanted",
        ),
        (
            two,
            Processing { cutoff: Cutoff::Hertz(7.0), ..Processing::default() },
            "7 Hz is not between 0 and half the sampling rate, 5",
        ),
        (
            two,
            Processing { cutoff: Cutoff::Hertz(f64::NAN), ..Processing::default() },
            "cutoff: NaN Hz is no cut-off",
        ),
        (
            two,
            Processing { differences: 3, ..Processing::default() },
            "differences: there is no order 3; choose 2, 4, 6 or 8",
        ),
        (
            two,
            Processing { trim: Trim::Samples(2), ..Processing::default() },
            "log.csv has 4 samples; derivatives need at least 5",
        ),
        (
            two,
            Processing { from: Some(2.0), to: Some(1.0), ..Processing::default() },
            "from: 2 s is not before 1 s",
        ),
        (
            "t,q_link1,q_link2,wrench_hand_fx\n0,1,2,3\n",
            Processing::default(),
            "log.csv has no column `wrench_hand_fy`",
        ),
    ] {
        let message = read(text, &processing);
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert!(matches!(
        Recording::of(&robot("two_link"), &log(two), &Processing { order: 0, ..Processing::default() }),
        Err(LogError::Setting { setting: "order", .. })
    ));
}
