//! Files that promise more than they hold: a few bytes must neither fill the memory nor keep a reader busy for ever.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use steiner_dynamics::Mechanism;
use steiner_formats::{ReadOptions, read_robot};
use steiner_identification::channels;
use steiner_logs::{Log, LogError, LogOptions, Processing, Recording};

/// A place for a file of this name.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("steiner-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

fn written(name: &str, content: &[u8]) -> PathBuf {
    let path = place(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// Reads a file, soon.
fn read(path: &Path) -> Result<Log, LogError> {
    let start = Instant::now();
    let read = Log::read(path, &LogOptions::default());
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    read
}

fn refused(path: &Path) -> String {
    let error = read(path).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

/// An NPZ file of one array without numbers.
fn npz(name: &str, shape: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    archive.start_file(format!("{name}.npy"), stored).unwrap();
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n");
    archive.write_all(b"\x93NUMPY\x01\x00").unwrap();
    archive.write_all(&(header.len() as u16).to_le_bytes()).unwrap();
    archive.write_all(header.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn rows_without_columns_are_not_counted_to_the_end() {
    let error = refused(&written("rows.npz", &npz("q", "(1152921504606846976, 0)")));
    assert!(error.ends_with("rows.npz has no column of numbers; save one value per row and column, with a name such as t or q_joint1"));
    refused(&written("columns.npz", &npz("t", "(0, 1152921504606846976)")));
}

#[test]
fn a_matrix_that_unpacks_to_a_thousand_times_its_length_is_refused() {
    let mut matrix = Vec::new();
    let mut element = |kind: u32, content: &[u8], length: u32| {
        matrix.extend(kind.to_le_bytes());
        matrix.extend(length.to_le_bytes());
        matrix.extend(content);
    };
    let count = 100u32 << 20;
    element(14, &[], count + 72);
    element(6, &[9, 0, 0, 0, 0, 0, 0, 0], 8);
    element(5, &[count.to_le_bytes(), 1u32.to_le_bytes()].concat(), 8);
    element(1, b"t\0\0\0\0\0\0\0", 1);
    element(2, &[], count);
    matrix.resize(matrix.len() + count as usize, 0);
    let mut packing = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packing.write_all(&matrix).unwrap();
    let packed = packing.finish().unwrap();
    let mut file = b"MATLAB 5.0 MAT-file".to_vec();
    file.resize(124, b' ');
    file.extend(b"\0\x01IM");
    file.extend(15u32.to_le_bytes());
    file.extend((packed.len() as u32).to_le_bytes());
    file.extend(packed);
    assert!(file.len() < 200_000);
    let error = refused(&written("zeros.mat", &file));
    assert!(error.ends_with("zeros.mat is a MAT file that unpacks to more than 20 times its length; save it in MATLAB with save(file, '-v6')"), "{error}");
}

/// A bag of one topic; `messages` makes its table of messages.
fn bag(name: &str, messages: &[&str]) -> PathBuf {
    let path = place(name);
    let _ = std::fs::remove_file(&path);
    let bag = rusqlite::Connection::open(&path).unwrap();
    bag.execute_batch(
        "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);
         INSERT INTO topics VALUES(1, '/joint_states', 'sensor_msgs/msg/JointState', 'cdr');",
    )
    .unwrap();
    messages.iter().for_each(|statement| bag.execute_batch(statement).unwrap());
    path
}

const MESSAGES: &str =
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)";

#[test]
fn a_packed_message_that_fills_the_memory_is_garbled() {
    let path = bag("packed.db3", &[MESSAGES]);
    let packed = zstd::stream::encode_all(std::io::repeat(0).take(1 << 30), 1).unwrap();
    assert!(packed.len() < 200_000);
    let bag = rusqlite::Connection::open(&path).unwrap();
    bag.execute("INSERT INTO messages VALUES(1, 1, 0, ?1)", [packed]).unwrap();
    drop(bag);
    assert!(refused(&path).ends_with("is damaged: message 1 is garbled; copy it again, or record it anew"));
}

#[test]
fn a_table_that_computes_its_messages_cannot_compute_large_ones() {
    let computed = "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER,
                    data BLOB AS (zeroblob(900000000)));
                    INSERT INTO messages(topic_id, timestamp) VALUES(1, 0);";
    let error = refused(&bag("computed.db3", &[computed]));
    assert!(error.contains("string or blob too big"), "{error}");
}

#[test]
fn a_view_without_an_end_is_no_table_of_a_bag() {
    let endless = "DROP TABLE topics;
                   CREATE VIEW topics AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c)
                   SELECT id, 'n' AS name, 't' AS type, 'cdr' AS serialization_format FROM c;";
    let error = refused(&bag("endless.db3", &[MESSAGES, endless]));
    assert!(error.contains("a database without the tables of a rosbag2"), "{error}");
}

#[test]
fn a_hundred_thousand_columns_are_read_soon() {
    let names: Vec<String> = (0..100_000).map(|k| format!("c{k}")).collect();
    let text = format!("{}\n{}1\n", names.join(","), "0,".repeat(names.len() - 1));
    assert_eq!(read(&written("wide.csv", text.as_bytes())).unwrap().names().len(), names.len());
}

#[test]
fn a_line_without_an_end_in_a_small_packed_file_is_refused() {
    let packed = |start: &[u8]| {
        let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packing.write_all(start).unwrap();
        std::io::copy(&mut std::io::repeat(b'7').take(200 << 20), &mut packing).unwrap();
        packing.finish().unwrap()
    };
    let row = refused(&written("row.csv.gz", &packed(b"t,q\n0,1\n0,")));
    assert!(
        row.ends_with("is damaged: line 3 is longer than 64 MB; copy it again, or record it anew"),
        "{row}"
    );
    let header = refused(&written("header.csv.gz", &packed(b"t,q")));
    assert!(header.contains("is damaged: a header and a row are longer than 64 MB"), "{header}");
}

/// The decoder panics at the first two and at the last, counts to billions in the third, and makes room for
/// gigabytes in the fourth.
#[test]
fn parquet_files_that_the_decoder_does_not_expect_are_damaged() {
    for (name, problem) in [
        ("negative_place", "a column starts before the file"),
        ("no_dictionary", "a page refers to a dictionary that is not there"),
        ("endless_footer", "its footer is garbled"),
        ("words_for_numbers", "its footer is garbled"),
        ("huge_page", "the header of a page is garbled"),
        ("larger_page", "a page claims 2013265920 bytes, packed into 34"),
        ("large_dictionary", "a dictionary claims more values than it has bytes for"),
        ("split_bytes", "the offset to copy is not contained in the decompressed buffer"),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/damaged/{name}.parquet"));
        let error = refused(&path);
        assert!(error.ends_with(&format!("{problem}; copy it again, or record it anew")), "{error}");
    }
}

#[test]
fn stray_rows_between_gaps_are_not_joined_to_the_next_stretch() {
    let two_link = Mechanism::new(read_robot("two_link", &ReadOptions::default()).unwrap()).unwrap();
    let row = |t: f64| format!("{t},{0},{0},1,1\n", t.sin());
    // Uneven stamps, so that samples are interpolated; then two rows alone, each years behind the one before.
    let even: String = (0..200).map(|k| row(0.01 * f64::from(k) + 0.003 * f64::from(k % 2))).collect();
    let text = format!("t,q_link1,q_link2,tau_link1,tau_link2\n{even}{}{}", row(1e9), row(1e27));
    let log = Log::parse_csv(&text, "log.csv").unwrap();
    let recording = Recording::of(&channels(&two_link), &log, &Processing::default()).unwrap();
    assert!(recording.count <= 200, "{}", recording.count);
}
