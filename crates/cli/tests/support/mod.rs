//! What tests of whole commands share: the command, a folder of their own, and a small arm.

#[allow(dead_code)]
pub(crate) mod checks;
#[allow(dead_code)]
pub(crate) mod columns;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A folder that commands run in.
pub(crate) struct Bench(pub(crate) PathBuf);

#[allow(dead_code)]
impl Bench {
    pub(crate) fn new(name: &str) -> Bench {
        let folder = std::env::temp_dir().join(format!("steiner-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Bench(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a text file")
    }

    /// Names of all files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the command in the folder, with arguments separated by blanks.
    pub(crate) fn steiner(&self, line: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_steiner"));
        command.args(line.split_whitespace()).current_dir(&self.0).env_remove("COLUMNS");
        command.output().expect("the command runs")
    }

    /// The same for a command that succeeds: what it prints.
    pub(crate) fn done(&self, line: &str) -> String {
        let output = self.steiner(line);
        assert_eq!(output.status.code(), Some(0), "{line}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// The same for one document.
    pub(crate) fn json(&self, line: &str) -> serde_json::Value {
        serde_json::from_str(&self.done(&format!("{line} --json"))).expect("JSON")
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[allow(dead_code)]
pub(crate) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../logs/tests/data").join(name)
}

/// Compares with what was seen before; `STEINER_UPDATE_SNAPSHOTS=1` rewrites it.
#[allow(dead_code)]
pub(crate) fn snapshot(name: &str, seen: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("STEINER_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, seen).expect("a snapshot is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(seen, kept, "{name} changed; if that is meant, run with STEINER_UPDATE_SNAPSHOTS=1");
}

/// Three joints, a tool that is fixed to the hand, friction, and shapes of every kind.
#[allow(dead_code)]
pub(crate) const ARM: &str = r#"<?xml version="1.0"?>
<!-- a small arm -->
<robot name="arm">
  <link name="base_link"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.1"/><mass value="3"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/></inertial>
    <collision><origin xyz="0 0 0.15"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.15 0 0.02"/><mass value="2"/><inertia ixx="0.004" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
    <collision><origin xyz="0.15 0 0" rpy="0 1.5708 0"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></collision>
  </link>
  <link name="hand">
    <inertial><origin xyz="0.05 0 0.01"/><mass value="1"/><inertia ixx="0.002" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.003"/></inertial>
    <visual><geometry><mesh filename="hand.obj" scale="0.001 0.001 0.001"/></geometry></visual>
  </link>
  <link name="tool">
    <inertial><mass value="0.3"/><inertia ixx="0.0002" ixy="0" ixz="0" iyy="0.0002" iyz="0" izz="0.0002"/></inertial>
    <visual><geometry><sphere radius="0.04"/></geometry></visual>
  </link>
  <joint name="j1" type="revolute"><parent link="base_link"/><child link="upper"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
    <limit lower="-2.5" upper="2.5" velocity="3" effort="60"/><dynamics damping="0.5" friction="0.4"/></joint>
  <joint name="j2" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="3" effort="60"/><dynamics damping="0.3" friction="0.3"/></joint>
  <joint name="j3" type="revolute"><parent link="fore"/><child link="hand"/><origin xyz="0.35 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="4" effort="20"/><dynamics damping="0.1" friction="0.1"/></joint>
  <joint name="mount" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0.1 0 0"/></joint>
</robot>
"#;

/// A box from the wrist to the tool, in millimetres.
#[allow(dead_code)]
pub(crate) const HAND: &str = "v -20 -30 -30\nv 100 -30 -30\nv -20 30 -30\nv 100 30 -30\nv -20 -30 40\nv 100 -30 40\nv -20 30 40\nv 100 30 40\nf 1 2 3\n";
