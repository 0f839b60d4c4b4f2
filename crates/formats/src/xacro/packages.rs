//! Where ROS packages lie.

use std::path::{Path, PathBuf};

/// The folder of a package: in the given folders, `ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH` or around the file.
pub(crate) fn find_package(name: &str, folders: &[PathBuf], file: Option<&Path>) -> Option<PathBuf> {
    if name.is_empty() || name.contains(['/', '\\']) || name == "." || name == ".." {
        return None;
    }
    let from_variable = |variable: &str, below: &str| -> Vec<PathBuf> {
        let value = std::env::var_os(variable).unwrap_or_default();
        std::env::split_paths(&value)
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(|folder| folder.join(below))
            .collect()
    };
    let given = folders.iter().cloned();
    let ros = from_variable("ROS_PACKAGE_PATH", "");
    let ament = from_variable("AMENT_PREFIX_PATH", "share");
    let named = given.chain(ros).chain(ament).find_map(|folder| in_or_at(&folder, name));
    named.or_else(|| around(name, file?))
}

/// The folder itself, a folder in it, or a package one level deeper (packages often come in groups).
fn in_or_at(folder: &Path, name: &str) -> Option<PathBuf> {
    if is_package(folder, name) {
        return Some(folder.to_owned());
    }
    let inside = folder.join(name);
    if inside.is_dir() {
        return Some(inside);
    }
    let groups = std::fs::read_dir(folder).ok()?;
    let mut grouped: Vec<PathBuf> = groups
        .flatten()
        .map(|group| group.path().join(name))
        .filter(|candidate| candidate.join("package.xml").is_file())
        .collect();
    grouped.sort();
    grouped.into_iter().next()
}

/// An ancestor of the file that is the package or holds it.
fn around(name: &str, file: &Path) -> Option<PathBuf> {
    let file = std::path::absolute(file).ok()?;
    file.ancestors().skip(1).find_map(|ancestor| {
        if is_package(ancestor, name) {
            return Some(ancestor.to_owned());
        }
        Some(ancestor.join(name)).filter(|inside| inside.is_dir())
    })
}

/// A folder is a package if it bears the name, or if its package.xml does.
fn is_package(folder: &Path, name: &str) -> bool {
    if folder.file_name().is_some_and(|own| own == name) {
        return folder.is_dir();
    }
    let manifest = folder.join("package.xml");
    manifest.is_file()
        && crate::read::read_text(&manifest).is_ok_and(|text| {
            let declared = text.split_once("<name>").and_then(|(_, rest)| rest.split_once("</name>"));
            declared.is_some_and(|(declared, _)| declared.trim() == name)
        })
}
