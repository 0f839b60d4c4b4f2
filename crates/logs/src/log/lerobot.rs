//! LeRobot datasets: a folder with `meta/info.json`, which names joints and frames per second, and Parquet files
//! in `data`, one row per frame.
//!
//! `observation.state` is read as positions, `observation.velocity` and `observation.effort` (or torque) as what
//! they say; names such as `elbow.pos` and `elbow.vel` tell it of single numbers. The clock starts anew with every
//! episode: episodes follow each other with a gap between them, and are stretches of their own.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::chunk::Chunk;
use super::parquet::ParquetReader;
use super::reader::{RowSource, unreadable};
use crate::error::LogError;
use crate::note::{LogNote, ReadingNote};

/// Seconds, and frames, between the episodes, at least: more than a gap of the log.
const GAP: (f64, f64) = (1.0, 20.0);

/// Where a dataset says what it holds, if a path is one.
pub(crate) fn description_of(path: &Path) -> Option<PathBuf> {
    let inside = path.join("meta").join("info.json");
    inside.is_file().then_some(inside)
}

pub(crate) struct DatasetReader {
    file: String,
    /// Files that are still to be read, the next one last.
    files: Vec<PathBuf>,
    count: usize,
    current: ParquetReader,
    /// Of the log: `t` first.
    names: Vec<String>,
    /// The same in the files; nothing for `t`.
    columns: Vec<String>,
    kept: Vec<usize>,
    clock: Clock,
    notes: Vec<LogNote>,
}

/// Time over all episodes.
struct Clock {
    /// Columns that it is read from.
    episode: Option<String>,
    frame: Option<String>,
    stamp: Option<String>,
    fps: f64,
    last_episode: f64,
    offset: f64,
    last: f64,
}

impl DatasetReader {
    pub(crate) fn open(folder: &Path, description: &Path) -> Result<Self, LogError> {
        let file = folder.display().to_string();
        let info = Info::read(description)?;
        let mut files = parquet_files(&folder.join("data"), &file)?;
        files.reverse();
        let count = files.len();
        let first = files.pop().ok_or_else(|| LogError::Unsupported {
            file: file.clone(),
            what: "a LeRobot dataset without data/chunk-…/….parquet".to_owned(),
            remedy: "download its data, not only its description".to_owned(),
        })?;
        let current = opened(&first)?;
        let has = |name: &str| current.names().iter().any(|other| other == name).then(|| name.to_owned());
        let clock = Clock {
            episode: has("episode_index"),
            frame: has("frame_index"),
            stamp: has("timestamp"),
            fps: info.fps,
            last_episode: f64::NAN,
            offset: 0.0,
            last: 0.0,
        };
        let (mut names, mut columns) = (vec!["t".to_owned()], vec![String::new()]);
        for column in current.names() {
            names.push(info.log_name(column));
            columns.push(column.clone());
        }
        let notes = vec![
            ReadingNote::Dataset {
                file: file.clone(),
                episodes: info.episodes,
                rate: info.fps,
                read_as: info.read_as(&columns),
            }
            .into(),
        ];
        let kept = (0..names.len()).collect();
        let mut out = DatasetReader { file, files, count, current, names, columns, kept, clock, notes };
        out.keep_in_file()?;
        Ok(out)
    }

    /// Places of what is kept, and of the clock, in the current file.
    fn keep_in_file(&mut self) -> Result<(), LogError> {
        let wanted = self.wanted();
        let places: Result<Vec<usize>, LogError> = wanted
            .iter()
            .map(|name| {
                let place = self.current.names().iter().position(|other| other == name);
                place.ok_or_else(|| LogError::Damaged {
                    file: self.file.clone(),
                    problem: format!("one of its files has no `{name}`, or lists of another length"),
                })
            })
            .collect();
        self.current.keep(&places?);
        Ok(())
    }

    /// What is read from files: the clock's columns and then what is kept.
    fn wanted(&self) -> Vec<String> {
        let clock = [&self.clock.episode, &self.clock.frame, &self.clock.stamp];
        let kept = self.kept.iter().map(|&k| &self.columns[k]).filter(|name| !name.is_empty());
        clock.into_iter().flatten().chain(kept).cloned().collect()
    }
}

impl Clock {
    /// Times of some rows, of which columns tell episode, frame and stamp.
    fn times(&mut self, rows: usize, columns: &[Vec<f64>]) -> Vec<f64> {
        let mut columns = columns.iter();
        let [episode, frame, stamp] =
            [&self.episode, &self.frame, &self.stamp].map(|name| name.as_ref().and_then(|_| columns.next()));
        let mut out = Vec::with_capacity(rows);
        for row in 0..rows {
            let number = episode.map_or(0.0, |episode| episode[row]);
            // Stamps are single precision; frames are exact.
            let own = match (frame, stamp) {
                (Some(frame), _) => frame[row] / self.fps,
                (None, Some(stamp)) => stamp[row],
                (None, None) => self.last - self.offset + 1.0 / self.fps,
            };
            if number != self.last_episode {
                let gap = if self.last_episode.is_nan() { 0.0 } else { GAP.0.max(GAP.1 / self.fps) };
                self.offset = self.last + gap - own;
                self.last_episode = number;
            }
            self.last = self.offset + own;
            out.push(self.last);
        }
        out
    }
}

impl RowSource for DatasetReader {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn progress(&self) -> f64 {
        let before = (self.count - self.files.len()) as f64 - 1.0 + self.current.progress();
        before / self.count as f64
    }

    fn keep(&mut self, columns: &[usize]) {
        self.kept = columns.to_vec();
        // The first file has all columns: they are its own names.
        let _ = self.keep_in_file();
    }

    fn next(&mut self) -> Result<Option<Chunk>, LogError> {
        let chunk = loop {
            if let Some(chunk) = self.current.next()? {
                break chunk;
            }
            let Some(file) = self.files.pop() else { return Ok(None) };
            self.current = opened(&file)?;
            self.keep_in_file()?;
        };
        let of_clock = [&self.clock.episode, &self.clock.frame, &self.clock.stamp];
        let of_clock = of_clock.into_iter().flatten().count();
        let mut values = chunk.columns;
        let rest = values.split_off(of_clock);
        let mut time = Some(self.clock.times(chunk.rows, &values));
        let mut rest = rest.into_iter();
        let own = self.kept.iter().map(|&k| match k {
            0 => time.take().unwrap_or_default(),
            _ => rest.next().unwrap_or_default(),
        });
        Ok(Some(Chunk::of(0, chunk.rows, own.collect())))
    }

    fn notes(&self) -> Vec<LogNote> {
        self.notes.iter().cloned().chain(self.current.notes()).collect()
    }
}

fn opened(file: &Path) -> Result<ParquetReader, LogError> {
    ParquetReader::open(file, &file.display().to_string())
}

/// Parquet files in folders of folders, by name: `chunk-000/episode_000000.parquet`, `chunk-000/file-000.parquet`.
fn parquet_files(folder: &Path, file: &str) -> Result<Vec<PathBuf>, LogError> {
    let mut out = Vec::new();
    let entries = |folder: &Path| -> Result<Vec<PathBuf>, LogError> {
        let found = std::fs::read_dir(folder).map_err(|error| unreadable(file, error))?;
        let mut paths: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        Ok(paths)
    };
    for path in entries(folder)? {
        if path.is_dir() {
            out.extend(entries(&path)?.into_iter().filter(|path| is_parquet(path)));
        } else if is_parquet(&path) {
            out.push(path);
        }
    }
    Ok(out)
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

/// What `meta/info.json` says.
struct Info {
    fps: f64,
    episodes: Option<u64>,
    /// Name of a feature, and names of its numbers where they are as many.
    features: Vec<(String, Vec<String>)>,
}

impl Info {
    fn read(path: &Path) -> Result<Self, LogError> {
        let file = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(&file, error))?;
        let wrong = |problem: String| LogError::Damaged { file: file.clone(), problem };
        let info: Value = serde_json::from_str(&text).map_err(|error| wrong(format!("no JSON ({error})")))?;
        let fps = info["fps"].as_f64().filter(|fps| *fps > 0.0 && fps.is_finite());
        let fps = fps.ok_or_else(|| wrong("`fps` is no positive number".to_owned()))?;
        let features =
            info["features"].as_object().ok_or_else(|| wrong("`features` is missing".to_owned()))?;
        let feature = |(name, value): (&String, &Value)| {
            let mut names = Vec::new();
            gather(&value["names"], &mut names);
            let length =
                value["shape"].as_array().filter(|shape| shape.len() == 1).and_then(|s| s[0].as_u64());
            if length != Some(names.len() as u64) {
                names.clear();
            }
            (name.clone(), names)
        };
        let features = features.iter().map(feature).collect();
        Ok(Info { fps, episodes: info["total_episodes"].as_u64(), features })
    }

    /// What a column of the files is in a log: `observation.state[2]` is `q_elbow`.
    fn log_name(&self, column: &str) -> String {
        let Some((feature, element)) = column.strip_suffix(']').and_then(|column| column.rsplit_once('['))
        else {
            return column.to_owned();
        };
        let names = self.features.iter().find(|(name, _)| name == feature).map(|(_, names)| names);
        let name = element.parse::<usize>().ok().and_then(|k| names?.get(k));
        let Some(of_feature) = quantity(feature) else { return column.to_owned() };
        match name {
            None => format!("{of_feature}[{element}]"),
            Some(name) => {
                let (joint, own) = of_number(name);
                // Only a state may hold several quantities.
                format!("{}_{joint}", own.filter(|_| of_feature == "q").unwrap_or(of_feature))
            }
        }
    }

    /// (feature, what it is read as), for features that are read at all.
    fn read_as(&self, columns: &[String]) -> Vec<(String, &'static str)> {
        let there = |feature: &str| columns.iter().any(|column| column.starts_with(&format!("{feature}[")));
        let features = self.features.iter().filter(|(name, _)| there(name));
        features.filter_map(|(name, _)| Some((name.clone(), quantity(name)?))).collect()
    }
}

/// All texts in lists and objects of lists, in order.
fn gather(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| gather(value, out)),
        Value::Object(values) => values.values().for_each(|value| gather(value, out)),
        _ => {}
    }
}

/// What a feature holds, by its name; actions and pictures are none of a log's.
fn quantity(feature: &str) -> Option<&'static str> {
    let name = feature.strip_prefix("observation.")?.to_lowercase();
    if name.contains("image") || name.contains("eef") || name.contains("gripper") {
        None
    } else if name.contains("effort") || name.contains("torque") {
        Some("tau")
    } else if name.contains("vel") {
        Some("qd")
    } else if name == "state" || name == "qpos" || name.contains("position") {
        Some("q")
    } else {
        None
    }
}

/// The joint of a number, and what its ending says: `elbow.pos`, `elbow.vel`.
fn of_number(name: &str) -> (&str, Option<&'static str>) {
    const ENDINGS: [(&str, &str); 8] = [
        (".pos", "q"),
        (".position", "q"),
        (".vel", "qd"),
        (".velocity", "qd"),
        (".effort", "tau"),
        (".torque", "tau"),
        (".tau", "tau"),
        (".q", "q"),
    ];
    let found = ENDINGS.iter().find_map(|(ending, what)| Some((name.strip_suffix(ending)?, Some(*what))));
    found.unwrap_or((name, None))
}
