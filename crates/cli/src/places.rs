//! Where results go. Checked before anything is read: no result replaces what it is made from, nor another
//! result, and there is a folder for each. If one cannot be written later all the same, the others still are.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use steiner::files::write_atomically;
use steiner::logs::Mapping;

use crate::hints::with_hint;
use crate::output::Failure;

/// Files that a command reads and writes.
#[derive(Default)]
pub(crate) struct Places {
    /// What each is called in messages ("the log"), and where it lies.
    inputs: Vec<(&'static str, PathBuf)>,
    /// The flag that asks for each, where it goes, and the input it may replace.
    outputs: Vec<(&'static str, PathBuf, Option<PathBuf>)>,
}

impl Places {
    pub(crate) fn reads<'a>(
        mut self,
        what: &'static str,
        paths: impl IntoIterator<Item = &'a (impl AsRef<Path> + 'a + ?Sized)>,
    ) -> Self {
        self.inputs.extend(paths.into_iter().map(|path| (what, path.as_ref().to_owned())));
        self
    }

    /// Logs; those that are mapping files stand for the files they name.
    pub(crate) fn reads_logs(self, paths: &[PathBuf]) -> Self {
        let mut own = self.reads("the log", paths);
        for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "toml")) {
            // A mapping that cannot be read is refused where its log is opened.
            let named = Mapping::read(path).map(|mapping| mapping.file_paths()).unwrap_or_default();
            own = own.reads("the log", &named);
        }
        own
    }

    pub(crate) fn writes(mut self, flag: &'static str, path: Option<&PathBuf>) -> Self {
        self.outputs.extend(path.map(|path| (flag, path.clone(), None)));
        self
    }

    /// A result that may replace the file it was made from.
    pub(crate) fn writes_over(mut self, flag: &'static str, path: Option<&PathBuf>, input: &str) -> Self {
        self.outputs.extend(path.map(|path| (flag, path.clone(), Some(PathBuf::from(input)))));
        self
    }

    /// Refuses the first output that has no place, or whose place is taken.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        for (k, (flag, path, may_replace)) in self.outputs.iter().enumerate() {
            let refuse = |problem: String| {
                Err(Failure::Message(format!("{flag} {}: {problem}; give another {flag}", path.display())))
            };
            if path.file_name().is_none() || path.is_dir() {
                return refuse("this is no name of a file".to_owned());
            }
            let folder = folder_of(path);
            if !folder.is_dir() {
                return refuse(format!("it cannot be written, for there is no folder {}", folder.display()));
            }
            // Pipes and devices take whatever comes.
            if path.exists() && !path.is_file() {
                continue;
            }
            let place = resolved(path);
            let own = may_replace.as_deref().map(resolved);
            for (what, input) in &self.inputs {
                let read = resolved(input);
                let replaces = place == read || (input.is_dir() && path.exists() && place.starts_with(&read));
                if replaces && own.as_ref() != Some(&read) {
                    return refuse(format!("this would replace {what} {}", input.display()));
                }
            }
            if let Some((other, ..)) = self.outputs[..k].iter().find(|(_, other, _)| resolved(other) == place)
            {
                return refuse(format!("this is the file of {other}, too"));
            }
        }
        Ok(())
    }

    /// The same, and that a file can be made in the folder of each: for results that are all
    /// there is to show for long work.
    pub(crate) fn check_folders(&self) -> Result<(), Failure> {
        self.check()?;
        for (flag, path, _) in self.outputs.iter().filter(|(_, path, _)| !path.exists() || path.is_file()) {
            let probe = folder_of(path).join(format!(".steiner-{}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&probe) {
                // Files are replaced, so what matters is the folder. A leftover harms nobody.
                Ok(_) => _ = std::fs::remove_file(&probe),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => {
                    return Err(Failure::Message(format!(
                        "{} cannot be written ({error}); give another {flag}",
                        path.display()
                    )));
                }
            }
        }
        Ok(())
    }
}

/// The folder a file is written to.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// One name for each file, whatever links and dots lead there; also for files that do not exist yet.
fn resolved(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// Results written one after the other, and what failed.
#[derive(Default)]
pub(crate) struct Written {
    failures: Vec<String>,
}

impl Written {
    /// Writes a text that a flag asked for.
    pub(crate) fn text(&mut self, path: &Path, text: &str, flag: &str) {
        match write_atomically(path, text) {
            Ok(()) => eprintln!("wrote {}", path.display()),
            Err(error) => self
                .failures
                .push(format!("{} cannot be written ({error}); give another {flag}", path.display())),
        }
    }

    /// What became of a step towards a file; nothing if it failed.
    pub(crate) fn step<T>(&mut self, result: Result<T, impl std::error::Error + 'static>) -> Option<T> {
        result.map_err(|error| self.failures.push(with_hint(&error))).ok()
    }

    /// Once the results are printed: whether all was well.
    pub(crate) fn finish(self, printed: Result<(), Failure>) -> Result<(), Failure> {
        match self.failures.is_empty() {
            true => printed,
            false => Err(Failure::Message(self.failures.join("; and "))),
        }
    }
}
