//! From a path or a zoo name to a robot: one entry point for all formats.

use std::io::Read;
use std::path::{Path, PathBuf};

use steiner_files::Place;
use steiner_robot::{AssembleOptions, Description, Robot};
use steiner_scalar::Exact;

use crate::error::FormatError;

/// How to read a robot.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Angles within this distance (rad) of a multiple of 15° are read as that multiple; 0 turns it off.
    pub snap: f64,
    /// Let the root move freely.
    pub floating: bool,
    /// Replaces the file's gravity, m/s².
    pub gravity: Option<[Exact; 3]>,
    /// Treat URDF `<mimic>` as a coupling.
    pub mimic: bool,
    /// Folders in which `package://` and `$(find …)` are looked up, before `ROS_PACKAGE_PATH`,
    /// `AMENT_PREFIX_PATH` and the file's ancestors.
    pub package_path: Vec<PathBuf>,
    /// Values for xacro arguments.
    pub xacro_arguments: Vec<(String, String)>,
    /// Coordinates of a mechanism with loops that shall be independent; empty: the file's choice, or ours.
    pub independent: Vec<String>,
    /// Joints that are held, each at a value (rad or m): what they carry is one body with what carries them.
    pub lock: Vec<(String, Exact)>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            snap: 1e-5,
            floating: false,
            gravity: None,
            mimic: true,
            package_path: Vec::new(),
            xacro_arguments: Vec::new(),
            independent: Vec::new(),
            lock: Vec::new(),
        }
    }
}

/// Largest robot description, MB.
const LARGEST_FILE: u64 = 32;

/// The formats a description can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Format {
    Urdf,
    Xacro,
    Mjcf,
    Toml,
}

/// Reads a robot from a file, or from the zoo when no such file exists and the name has no extension.
pub fn read_robot(source: &str, options: &ReadOptions) -> Result<Robot, FormatError> {
    let description = describe(source, options)?;
    assemble(description, options)
}

/// Checks a description with the options that concern the robot.
pub fn assemble(description: Description, options: &ReadOptions) -> Result<Robot, FormatError> {
    let assemble = AssembleOptions {
        floating: options.floating,
        gravity: options.gravity.clone(),
        mimic: options.mimic,
        independent: options.independent.clone(),
        lock: options.lock.clone(),
    };
    Ok(Robot::assemble(description, &assemble)?)
}

/// What a file or zoo entry says.
pub fn describe(source: &str, options: &ReadOptions) -> Result<Description, FormatError> {
    let (text, format) = read_source(source)?;
    let path = (!names_the_zoo(source)).then(|| Path::new(source));
    parse_text(&text, source, format, path, options)
}

/// A name without an extension that no file has.
fn names_the_zoo(source: &str) -> bool {
    let path = Path::new(source);
    path.extension().is_none() && path.components().count() == 1 && (path.is_dir() || !path.exists())
}

/// The text of a file or zoo entry, and its format.
pub fn read_source(source: &str) -> Result<(String, Format), FormatError> {
    if source.trim().is_empty() {
        return Err(FormatError::Unreadable {
            file: "robot".to_owned(),
            reason: "its name is empty".to_owned(),
            missing: false,
        });
    }
    let path = Path::new(source);
    if names_the_zoo(source) {
        return Ok((crate::zoo::find(source)?.text.to_owned(), Format::Toml));
    }
    let text = read_text(path)?;
    let format = format_of(path, &text)?;
    Ok((text, format))
}

/// The text of a robot that is read without any other file, and its format: xacro is expanded. `None` for MJCF
/// that includes other files.
pub fn whole_text(source: &str, options: &ReadOptions) -> Result<Option<(String, Format)>, FormatError> {
    let (text, format) = read_source(source)?;
    match format {
        Format::Mjcf if text.contains("<include") => Ok(None),
        Format::Xacro => {
            let expanded =
                crate::xacro::expand(&text, &Place::file(source), Some(Path::new(source)), options)?;
            Ok(Some((expanded.text, Format::Urdf)))
        }
        _ => Ok(Some((text, format))),
    }
}

impl Format {
    /// Its name: urdf, xacro, mjcf, toml.
    pub fn name(self) -> &'static str {
        match self {
            Format::Urdf => "urdf",
            Format::Xacro => "xacro",
            Format::Mjcf => "mjcf",
            Format::Toml => "toml",
        }
    }

    /// The format of a name.
    pub fn named(name: &str) -> Option<Self> {
        [Format::Urdf, Format::Xacro, Format::Mjcf, Format::Toml]
            .into_iter()
            .find(|format| format.name() == name)
    }
}

/// Reads a description from text; `name` is what messages call it, `path` where includes are looked up.
pub fn parse_text(
    text: &str,
    name: &str,
    format: Format,
    path: Option<&Path>,
    options: &ReadOptions,
) -> Result<Description, FormatError> {
    let place = Place::file(name);
    match format {
        Format::Toml => crate::toml::parse(text, place, options),
        Format::Urdf => crate::urdf::parse(text, place, options),
        Format::Xacro => {
            let expansion = crate::xacro::expand(text, &place, path, options)?;
            let read = crate::urdf::parse(&expansion.text, place, options);
            read.map(|read| expansion.relocated(read)).map_err(|error| expansion.relocated_error(error))
        }
        Format::Mjcf => crate::mjcf::parse(text, place, path, options),
    }
}

/// A text file of bearable size.
pub(crate) fn read_text(path: &Path) -> Result<String, FormatError> {
    let file = || path.display().to_string();
    let unreadable =
        |reason: &str| FormatError::Unreadable { file: file(), reason: reason.to_owned(), missing: false };
    let refused = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => FormatError::Unreadable {
            file: file(),
            reason: "there is no such file".to_owned(),
            missing: true,
        },
        std::io::ErrorKind::PermissionDenied => unreadable("permission denied"),
        _ => unreadable(&error.to_string()),
    };
    let metadata = std::fs::metadata(path).map_err(refused)?;
    if let Some(kind) = steiner_files::special_file(path) {
        return Err(unreadable(&format!("it is {kind}")));
    }
    if metadata.is_dir() {
        return Err(unreadable("it is a folder"));
    }
    let megabytes = metadata.len() >> 20;
    if megabytes >= LARGEST_FILE {
        return Err(FormatError::TooLarge { file: file(), megabytes, limit: LARGEST_FILE });
    }
    // A pipe has no length beforehand.
    let mut bytes = Vec::new();
    let file_handle = std::fs::File::open(path).map_err(refused)?;
    let limit = LARGEST_FILE << 20;
    file_handle.take(limit + 1).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > limit {
        return Err(FormatError::TooLarge { file: file(), megabytes: LARGEST_FILE, limit: LARGEST_FILE });
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not text in UTF-8"))
}

fn format_of(path: &Path, text: &str) -> Result<Format, FormatError> {
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().to_lowercase());
    if name.ends_with(".toml") {
        return Ok(Format::Toml);
    }
    if name.ends_with(".xacro") {
        return Ok(Format::Xacro);
    }
    // The root element tells URDF from MJCF, whatever the file is called.
    let root = text
        .match_indices('<')
        .map(|(at, _)| &text[at + 1..])
        .find(|rest| rest.starts_with(|c: char| c.is_alphabetic()));
    let is = |tag: &str| root.is_some_and(|rest| rest.starts_with(tag));
    if is("mujoco") {
        Ok(Format::Mjcf)
    } else if is("robot") || name.ends_with(".urdf") {
        let uses_xacro = text.contains("<xacro:") || text.contains("$(");
        Ok(if uses_xacro { Format::Xacro } else { Format::Urdf })
    } else {
        Err(FormatError::UnknownFormat { file: path.display().to_string() })
    }
}
