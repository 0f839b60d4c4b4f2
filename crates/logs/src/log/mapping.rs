//! Anybody else's log: which columns of which files are which quantities, in what
//! units, on which side of the gears.
//!
//! A mapping is a TOML file. Every column of the log is written as
//!
//! x = sign · scale · unit · (raw − zero) + offset
//!
//! and quantities of motors that drive several joints together become those of the joints through a
//! reduction matrix N with q_motor = N q: q = N⁻¹ q_motor, and by equal power τ = Nᵀ τ_motor. Wrenches of sensors
//! that stand somewhere else are moved (`wrench.rs`). `docs/logs.md` explains every key by examples.

mod columns;
mod layout;
mod native;
mod parse;
mod reader;
mod reduction;
mod toml_values;
mod units;
mod wrench;

pub(crate) use self::reader::MappedReader;

use std::path::{Path, PathBuf};

use self::columns::ColumnRule;
use self::reduction::Reduction;
use self::wrench::WrenchRule;
use crate::channels::Channels;
use crate::error::LogError;

/// How the columns of foreign files become those of a log.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The mapping file, for messages.
    pub(crate) source: String,
    /// Where its own files are looked for.
    folder: PathBuf,
    /// Samples per second of files without a clock.
    rate: Option<f64>,
    files: Vec<FileRule>,
    columns: Vec<ColumnRule>,
    reductions: Vec<Reduction>,
    wrenches: Vec<WrenchRule>,
}

/// A file of the log.
#[derive(Clone, Debug)]
struct FileRule {
    name: String,
    path: PathBuf,
    no_header: bool,
    topics: Vec<String>,
    /// Its own clock, if it is not sampled together with the first file.
    time: Option<ColumnRule>,
    line: u32,
}

impl Mapping {
    /// Mappings of what is often recorded: name and text.
    pub const BUILT_IN: [(&'static str, &'static str); 2] = [
        ("ur-rtde", include_str!("mapping/ur-rtde.toml")),
        ("libfranka", include_str!("mapping/libfranka.toml")),
    ];

    /// Reads a mapping file, or takes the built-in one of that name ([`Mapping::BUILT_IN`]) where no file has it.
    pub fn read(path: &Path) -> Result<Self, LogError> {
        let file = path.display().to_string();
        if let Some((_, text)) =
            Self::BUILT_IN.iter().find(|(name, _)| *name == file).filter(|_| !path.exists())
        {
            return Self::parse(text, &file, Path::new(""));
        }
        let text = std::fs::read_to_string(path).map_err(|error| super::reader::unreadable(&file, error))?;
        Self::parse(&text, &file, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the text of a mapping file; its files are looked for in `folder`.
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<Self, LogError> {
        parse::parse(text, file, folder)
    }

    /// Whether it names the files it is about, and so is a log by itself.
    pub fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The files it names, where they are looked for.
    pub fn file_paths(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| self.folder.join(&file.path)).collect()
    }

    /// Refuses a mapping with files of its own where it is to be used for another one.
    fn must_name_no_files(&self) -> Result<(), LogError> {
        let Some(file) = self.files.first() else { return Ok(()) };
        let remedy = "give the mapping file itself or the folder of its files as the log";
        Err(self.wrong(file.line, "[[file]]", "the mapping names its own files", remedy))
    }

    /// The same mapping for files in another folder.
    pub fn in_folder(self, folder: &Path) -> Self {
        Mapping { folder: folder.to_owned(), ..self }
    }

    /// What is wrong with the first column that is of a joint the robot does not have, if there is one.
    pub fn stranger(&self, channels: &Channels) -> Option<LogError> {
        let joints: Vec<&str> = channels.joints.iter().map(|joint| joint.name.as_str()).collect();
        let strange = |name: &str| {
            let joint = ["qdd_", "qd_", "q_", "tau_"].iter().find_map(|prefix| name.strip_prefix(prefix))?;
            let joint = joint.split_once(':').map_or(joint, |(joint, _)| joint);
            let motor = self.reductions.iter().any(|reduction| reduction.motors.iter().any(|m| m == joint));
            (!joints.contains(&joint) && !motor && !joint.contains('*')).then(|| joint.to_owned())
        };
        self.columns.iter().find_map(|column| {
            let joint = strange(&column.name)?;
            let hint = steiner_files::did_you_mean(&joint, joints.iter().copied());
            let problem = format!("{} has no joint `{joint}`{hint}", channels.robot);
            let remedy = format!("its joints are {}", joints.join(", "));
            Some(self.wrong(column.line, &format!("columns.{}", column.name), problem, remedy))
        })
    }

    fn wrong(&self, line: u32, key: &str, problem: impl Into<String>, remedy: impl Into<String>) -> LogError {
        LogError::Mapping {
            place: format!("{}:{line}", self.source),
            key: key.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }
}
