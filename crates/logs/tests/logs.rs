//! Logs of every format, good and damaged. The files in `data` were written by other people's
//! libraries (`data/make_fixtures.py`).

use std::path::{Path, PathBuf};

use steiner_logs::{Log, LogError, LogNote, LogOptions, LogReader, ReadingNote};
use steiner_report::log_note;

/// What is said about a log, in words.
fn said(notes: &[LogNote]) -> Vec<String> {
    notes.iter().map(log_note).collect()
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn read(name: &str) -> Log {
    Log::read(&data(name), &LogOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn csv(text: &str) -> Log {
    Log::parse_csv(text, "log.csv").unwrap_or_else(|error| panic!("{error}"))
}

/// A file with this content.
fn written(name: &str, content: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-logs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn refused(path: &Path) -> String {
    let error = Log::read(path, &LogOptions::default()).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains(&path.file_name().unwrap().to_string_lossy().into_owned()), "{error}");
    error
}

/// The motion all files of `data` hold.
fn expected(column: &str, k: f64) -> f64 {
    match column {
        "t" => k / 100.0,
        "q_link1" => (k / 10.0).sin(),
        "q_link2" => (k / 7.0).cos(),
        "qd_link1" => k / 8.0,
        "qd_link2" => -k,
        "tau_link1" => k * k / 16.0,
        "tau_link2" => 3.0 - k / 2.0,
        other => panic!("{other}"),
    }
}

fn check(log: &Log, column: &str, called: &str, first: usize) {
    let values =
        log.column(called).unwrap().unwrap_or_else(|| panic!("{called} is not in {:?}", log.names()));
    for (k, value) in values.iter().enumerate() {
        let expected = expected(column, (k + first) as f64);
        assert!(
            (value - expected).abs() < 1e-12,
            "{} {called} {k}: {value} instead of {expected}",
            log.source
        );
    }
}

const COLUMNS: [&str; 7] = ["t", "q_link1", "q_link2", "qd_link1", "qd_link2", "tau_link1", "tau_link2"];

#[test]
fn arrays_by_name_are_columns() {
    for file in [
        "columns.npz",
        "snappy.parquet",
        "gzip.parquet",
        "zstd.parquet",
        "lz4.parquet",
        "plain.parquet",
        "compressed.mat",
    ] {
        let log = read(file);
        assert_eq!((log.samples(), log.names().len()), (40, 7), "{file}");
        COLUMNS.iter().for_each(|column| check(&log, column, column, 0));
    }
}

#[test]
fn matrices_are_columns_by_place_in_any_order_of_memory() {
    for (file, families) in [
        ("matrices.npz", &["q", "qd", "tau"][..]),
        ("deflated.npz", &["q", "qd", "tau"]),
        ("plain.mat", &["q", "tau"]),
    ] {
        let log = read(file);
        assert_eq!(log.samples(), 40);
        check(&log, "t", "t", 0);
        for family in families {
            check(&log, &format!("{family}_link1"), &format!("{family}[0]"), 0);
            check(&log, &format!("{family}_link2"), &format!("{family}[1]"), 0);
        }
    }
    check(&read("plain.mat"), "qd_link2", "qd_link2", 0); // stored as 16-bit integers
    let notes = said(&read("matrices.npz").notes);
    assert!(
        notes.iter().any(|note| note.contains("`tau` has a column per sample and is read transposed")),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note.contains("`labels` holds `U1`, not real numbers")), "{notes:?}");
    let wrench = read("deflated.npz");
    assert_eq!(wrench.column("wrench_tool_tz").unwrap().unwrap()[7], 42.0);
}

#[test]
fn bags_are_rows_at_the_stamps_of_the_joints() {
    for file in ["zstd.mcap", "lz4.mcap", "none.mcap", "bag.db3"] {
        let log = read(file);
        // The wrench starts 5 ms after the first joint state and ends 5 ms before the last.
        assert_eq!(log.samples(), 38, "{file}");
        let names: Vec<&str> = log.names().iter().map(String::as_str).collect();
        assert_eq!(names[..3], ["t", "q_link2", "q_link1"], "{file}");
        COLUMNS[1..].iter().for_each(|column| check(&log, column, column, 1));
        let t = log.column("t").unwrap().unwrap();
        let (fx, tz) = (
            log.column("wrench_tool0_fx").unwrap().unwrap(),
            log.column("wrench_tool0_tz").unwrap().unwrap(),
        );
        for k in 0..38 {
            assert!((t[k] - k as f64 / 100.0).abs() < 1e-12);
            // Linear in time, so that interpolation is exact; t counts from the second joint state.
            assert!(
                (fx[k] - 10.0 * (t[k] + 0.01)).abs() < 1e-9 && (tz[k] - 60.0 * (t[k] + 0.01)).abs() < 1e-9
            );
        }
        let notes = said(&log.notes).join("\n");
        assert!(
            notes.contains("the wrench of `tool0` (/ft) is interpolated onto the stamps of /joint_states"),
            "{notes}"
        );
        assert!(
            notes.contains("2 rows are left out because /ft has no samples around their time"),
            "{notes}"
        );
    }
    // One topic alone needs nobody else.
    let options = LogOptions { topics: vec!["/joint_states".to_owned()], ..LogOptions::default() };
    let log = Log::read(&data("zstd.mcap"), &options).unwrap();
    assert_eq!((log.samples(), log.names().len()), (40, 7));
    COLUMNS.iter().for_each(|column| check(&log, column, column, 0));
    let options = LogOptions { topics: vec!["/remarks".to_owned()], ..LogOptions::default() };
    let error = Log::read(&data("bag.db3"), &options).unwrap_err().to_string();
    assert!(error.contains("it has /joint_states (sensor_msgs/msg/JointState)"), "{error}");
}

#[test]
fn the_folder_of_a_recording_is_read_part_by_part() {
    let folder = written("ignored", b"").parent().unwrap().join("bag");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(data("bag.db3"), folder.join("rec_10.db3")).unwrap();
    std::fs::copy(data("zstd.mcap"), folder.join("rec_2.mcap")).unwrap();
    std::fs::write(folder.join("metadata.yaml"), "").unwrap();
    // The same recording twice: the clock goes back where the second part begins, so that only its
    // topics and rows are counted here.
    let options = LogOptions { topics: vec!["/joint_states".to_owned()], ..LogOptions::default() };
    let log = Log::read(&folder, &options).unwrap();
    assert_eq!(log.samples(), 80);
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    assert!(refused(&empty).contains("a folder without .mcap or .db3 files"));
}

/// A recorder that crashed leaves rows in the -wal file. They are read, and nothing
/// is written beside the database.
#[test]
fn rows_in_the_write_ahead_log_of_a_database_are_read() {
    let folder = written("ignored", b"").parent().unwrap().join("crashed");
    std::fs::create_dir_all(&folder).unwrap();
    let recording = written("recording.db3", &std::fs::read(data("bag.db3")).unwrap());
    let recorder = rusqlite::Connection::open(&recording).unwrap();
    recorder.pragma_update(None, "journal_mode", "wal").unwrap();
    recorder.execute("UPDATE topics SET name = '/late' WHERE name = '/joint_states'", []).unwrap();
    for ending in ["", "-wal", "-shm"] {
        let from = format!("{}{ending}", recording.display());
        std::fs::copy(from, folder.join(format!("crashed #1.db3{ending}"))).unwrap();
    }
    drop(recorder);
    let contents = || -> Vec<(PathBuf, Vec<u8>)> {
        let paths = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = contents();
    let path = folder.join("crashed #1.db3");
    let options = LogOptions { topics: vec!["/late".to_owned()], ..LogOptions::default() };
    let log = Log::read(&path, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((log.samples(), log.names().len()), (40, 7));
    assert!(contents() == before);
    std::fs::remove_file(folder.join("crashed #1.db3-shm")).unwrap();
    let message = refused(&path);
    assert!(message.contains("rows still in its -wal file; copy its -shm file beside it"), "{message}");
    assert_eq!(contents().len(), 2);
    // Without such rows a database in this mode is read as any other, and leaves no trace either.
    std::fs::remove_file(folder.join("crashed #1.db3-wal")).unwrap();
    assert_eq!(Log::read(&path, &LogOptions::default()).unwrap().samples(), 38);
    assert_eq!(contents().len(), 1);
}

#[test]
fn nulls_are_no_numbers_and_stamps_count_from_the_first() {
    let log = read("nulls.parquet");
    check(&log, "t", "t", 0);
    check(&log, "tau_link2", "tau_link2", 0); // single precision
    let error = log.column("q_link1").unwrap_err().to_string();
    assert!(
        error.contains("nulls.parquet, row 18: `NaN` in column `q_link1` is not a finite number"),
        "{error}"
    );
}

#[test]
fn chunks_are_the_same_as_the_whole() {
    let mut text = "t,q_link1,mode,q_link2\n# a remark\n".to_owned();
    for k in 0..300_000_i64 {
        text += &format!("{},{},auto,{:.3}\n", k as f64 / 1000.0, (k * k) as f64 * 1e-7, -(k as f64));
        if k == 250_000 {
            text += "\n# another\n";
        }
    }
    let path = written("long.csv", text.as_bytes());
    let log = Log::read(&path, &LogOptions::default()).unwrap();
    assert_eq!(log.samples(), 300_000);
    assert_eq!(log.column("q_link2").unwrap().unwrap()[299_999], -299_999.0);
    assert!(
        log.place(0).ends_with("long.csv:3") && log.place(299_999).ends_with("long.csv:300004"),
        "{}",
        log.place(299_999)
    );
    assert!(log.column("mode").unwrap_err().to_string().contains("long.csv:3: `auto` in column `mode`"));
    // Some columns only, in chunks.
    let mut reader = LogReader::open(&path, &LogOptions::default()).unwrap();
    reader.keep(|name| name == "q_link2" || name == "t");
    assert_eq!(reader.names(), ["t", "q_link2"]);
    let (mut rows, mut chunks, mut progress) = (0, 0, 0.0);
    while let Some(chunk) = reader.next_chunk().unwrap() {
        assert_eq!((chunk.first, chunk.columns.len()), (rows as u64, 2));
        let values = log.column("q_link2").unwrap().unwrap();
        assert_eq!(chunk.columns[1], values[rows..rows + chunk.rows]);
        rows += chunk.rows;
        chunks += 1;
        assert!(reader.progress() > progress);
        progress = reader.progress();
    }
    assert!(rows == 300_000 && chunks >= 1 && progress > 0.99);
    // A matrix whose columns stand one after the other, deflated: as many handles as columns.
    let mut reader = LogReader::open(&data("deflated.npz"), &LogOptions::default()).unwrap();
    assert_eq!(reader.rows(), Some(40));
    reader.keep(|name| name == "q[1]" || name == "tau[0]");
    let chunk = reader.next_chunk().unwrap().unwrap();
    assert!(
        (chunk.columns[0][9] - expected("q_link2", 9.0)).abs() < 1e-15 && chunk.columns[1][9] == 81.0 / 16.0
    );
}

#[test]
fn csv_has_many_dialects() {
    let expected = [[0.0, 1.5, -2.0], [0.1, 1e-3, 4e5]];
    for text in [
        "t,q_a,q_b\n0,1.5,-2\n0.1,1e-3,4E5\n",
        "t;q_a;q_b\r\n0;1.5;-2\r\n0.1;1e-3;4E5",
        "\u{feff}t\tq_a\tq_b\n0\t1.5\t-2\n0.1\t1e-3\t4E5\n\n\n",
        "# recorded by hand\nt, q_a ,  q_b\n 0 , 1.5,-2 \n# in between\n0.1, 1e-3, 4E5\n",
        "\"t\",\"q_a\",\"q_b\"\n\"0\",\"1.5\",\"-2\"\n0.1,1e-3,4E5\n",
        "t;q_a;q_b\n0;1,5;-2\n0,1;1e-3;4E5\n", // decimal commas
        "t q_a   q_b\n 0 1.5 -2\n  0.1   1e-3\t4E5\n",
        "# t q_a q_b\n0 1.5 -2\n0.1 1e-3 4E5\n", // numpy.savetxt
        "% written by MATLAB\nt,q_a,q_b\n+0,+1.5,-2.\n.1,1e-3,4E+05\n",
    ] {
        let log = csv(text);
        assert_eq!(
            (log.names(), log.samples()),
            (&["t", "q_a", "q_b"].map(str::to_owned)[..], 2),
            "{text:?}"
        );
        for (k, name) in ["t", "q_a", "q_b"].iter().enumerate() {
            let found = log.column(name).unwrap().unwrap();
            assert_eq!(found, [expected[0][k], expected[1][k]], "{text:?}");
        }
    }
    let log = csv("t,\"q_a, left\",\"q \"\"b\"\"\",\n0,1,2,\n");
    assert_eq!(log.names()[1..], ["q_a, left", "q \"b\"", "column 3"]);
    // All digits, also those a fast reader might lose.
    let tricky = [
        "9007199254740993",
        "1.7976931348623157e308",
        "5e-324",
        "0.1000000000000000055511151231257827",
        "-0.0",
    ];
    for text in tricky {
        let log = csv(&format!("t,x\n0,{text}\n"));
        assert_eq!(log.column("x").unwrap().unwrap()[0].to_bits(), text.parse::<f64>().unwrap().to_bits());
    }
}

#[test]
fn gzipped_text_is_text() {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(b"t,q_a\n0,1\n1,2\n").unwrap();
    let log = Log::read(&written("log.csv.gz", &packed.finish().unwrap()), &LogOptions::default()).unwrap();
    assert_eq!(log.column("q_a").unwrap().unwrap(), [1.0, 2.0]);
}

#[test]
fn every_mistake_in_a_text_has_its_place_and_remedy() {
    for (text, expected) in [
        ("", "log.csv is empty; a log starts with a header"),
        ("# nothing but remarks\n", "log.csv is empty"),
        ("t,q_a,q_b\n0,1,2\n3,4\n5,6,7\n", "log.csv:3: 2 values where the header has 3; repair the line"),
        ("t,q_a,q_b\n0,1,2,9\n", "log.csv:2: 4 values where the header has 3"),
        ("t q_a\n0 1 2\n", "log.csv:2: 3 values where the header has 2"),
        (
            "t,q_a,q_b\n0,1,2\n0.1,1",
            "log.csv ends in the middle (line 3 has 2 values where the header has 3); copy it again, or read it up to there",
        ),
        ("t,q_a,q_a\n0,1,2\n", "the column `q_a` appears twice; rename one"),
        ("0,1,2\n3,4,5\n", "log.csv:1: numbers where the names of the columns should be"),
    ] {
        let message = Log::parse_csv(text, "log.csv").unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(message.lines().count(), 1);
    }
    for (text, expected) in [
        ("t,q_a\n0,1\n0.1,x\n", "log.csv:3: `x` in column `q_a` is not a finite number; cut the log there"),
        ("t,q_a\n0,inf\n", "log.csv:2: `inf` in column `q_a`"),
        ("t,q_a\n0,\n", "log.csv:2: `` in column `q_a`"),
        ("t,q_a\n0,1e999\n", "log.csv:2: `1e999` in column `q_a`"),
        ("t,q_a\n0,1_000\n", "log.csv:2: `1_000` in column `q_a`"),
    ] {
        let message = csv(text).column("q_a").unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    // What was cut may be taken up to the cut.
    let path = written("cut.csv", b"t,q_a,q_b\n0,1,2\n0.1,1");
    let log = Log::read(&path, &LogOptions { accept_cut: true, ..LogOptions::default() }).unwrap();
    assert!(
        log.samples() == 1
            && matches!(&log.notes[..], [LogNote::Reading(ReadingNote::LastLineCut { line: 3, .. })]),
        "{:?}",
        log.notes
    );
    let missing = Log::read(Path::new("no such log.csv"), &LogOptions::default()).unwrap_err();
    assert!(
        matches!(missing, LogError::Unreadable { .. }) && missing.to_string().contains("no such log.csv")
    );
}

/// One file of each binary format and of each way to pack it, with its bytes.
fn binary_files() -> [(&'static str, Vec<u8>); 8] {
    [
        "columns.npz",
        "deflated.npz",
        "snappy.parquet",
        "plain.mat",
        "compressed.mat",
        "zstd.mcap",
        "none.mcap",
        "bag.db3",
    ]
    .map(|file| (file, std::fs::read(data(file)).unwrap()))
}

/// Cut anywhere, every file is refused with one sentence that says so; nothing panics, and
/// nothing is read from half a file.
#[test]
fn files_cut_in_the_middle_are_refused() {
    for (file, whole) in binary_files() {
        let step = (whole.len() / 40).max(1);
        for end in (24..whole.len() - 1).step_by(step) {
            let path = written(&format!("cut-{file}"), &whole[..end]);
            match Log::read(&path, &LogOptions::default()) {
                Err(error) => {
                    let error = error.to_string();
                    assert_eq!(error.lines().count(), 1, "{error}");
                    let honest =
                        ["ends in the middle", "is damaged", "cannot be read", "is empty", "is no log"];
                    assert!(honest.iter().any(|word| error.contains(word)), "{file} cut at {end}: {error}");
                }
                // Behind the last message of an MCAP file comes an index that nobody needs, and nobody
                // sees a cut between two matrices.
                Ok(log) => {
                    let between = file == "plain.mat" && log.samples() == 40 && log.names().len() < 6;
                    assert!(
                        between || (file.ends_with("mcap") && log.samples() == 38),
                        "{file} cut at {end}"
                    );
                }
            }
        }
    }
    let half = std::fs::read(data("none.mcap")).unwrap();
    let path = written("half.mcap", &half[..half.len() / 2]);
    assert!(refused(&path).contains("repair it with `mcap recover`"));
    let log = Log::read(&path, &LogOptions { accept_cut: true, ..LogOptions::default() }).unwrap();
    assert!((5..38).contains(&log.samples()), "{}", log.samples());
    assert!(
        log.notes.iter().any(|note| matches!(note, LogNote::Reading(ReadingNote::EndsEarly { .. }))),
        "{:?}",
        log.notes
    );
}

/// Flipped bytes never panic; what is checked by a sum is found.
#[test]
fn damaged_files_are_refused_or_read_but_never_crash() {
    let thorough = std::env::var_os("STEINER_THOROUGH").is_some();
    for (file, whole) in binary_files() {
        let step = if thorough { 1 } else { (whole.len() / 100).max(1) };
        for at in (0..whole.len()).step_by(step) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            if let Err(error) = Log::read(&written(&format!("bad-{file}"), &bytes), &LogOptions::default()) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    let text = "# remark\nt;q_a;\"q;b\"\n0;1,5;x\n1;\"2\";-3e4\r\n2;3;4\n";
    for at in 0..text.len() {
        for byte in [0u8, b'\n', b'"', b';', b',', b'\r', b'#', b'e', 0xff] {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = byte;
            if let Err(error) = Log::read(&written("bad.csv", &bytes), &LogOptions::default()) {
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    let mut bytes = std::fs::read(data("columns.npz")).unwrap();
    bytes[300] ^= 1; // inside the numbers of t
    assert!(refused(&written("flipped.npz", &bytes)).contains("wrong checksum"));
}

#[test]
fn foreign_formats_are_named_with_a_way_out() {
    assert!(refused(&data("brotli.parquet")).ends_with(
        "brotli.parquet is a Parquet file with something not read here (Disabled feature at compile time: brotli); \
         write it with snappy, gzip, zstd, lz4 or no compression"
    ));
    assert!(refused(&data("single.npy")).contains("a single array without a name; save it with numpy.savez"));
    for (name, content, expected) in [
        (
            "new.mat",
            &b"MATLAB 7.3 MAT-file, Platform: GLNXA64"[..],
            "MAT v7.3 (HDF5); save it in MATLAB with save(file, '-v7')",
        ),
        ("hdf5.mat", b"\x89HDF\r\n\x1a\n________", "MAT v7.3 (HDF5)"),
        ("old.mat", b"\0\0\0\0\x01\0\0\0\x01\0\0\0", "no MAT file of version 5"),
        ("ros1.bag", b"#ROSBAG V2.0\n", "a ROS 1 bag; turn it into MCAP"),
        ("bag.db3.zstd", b"\x28\xb5\x2f\xfd\x04\x00", "unpack it with zstd -d"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no log Steiner knows"),
        ("empty.npz", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "is empty"),
        ("other.db3", b"SQLite format 3\0", "ends in the middle"),
    ] {
        let message = refused(&written(name, content));
        assert!(message.contains(expected), "{message}");
    }
    let path = written("columns.toml", b"[columns]\nq_a = { from = \"x\" }\n");
    assert!(refused(&path).contains("a mapping that names no files"));
}
