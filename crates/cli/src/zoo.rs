//! `steiner zoo`: the built-in robots.

use serde_json::json;
use steiner::formats::zoo;

use crate::arguments::ZooArguments;
use crate::output::{Failure, print, print_json};

pub(crate) fn run(arguments: &ZooArguments) -> Result<(), Failure> {
    if let Some(name) = &arguments.show {
        let entry = zoo::find(name)?;
        return if arguments.json {
            print_json(&json!({ "name": entry.name, "about": entry.about, "toml": entry.text }))
        } else {
            print(entry.text)
        };
    }
    if arguments.json {
        let entries: Vec<_> =
            zoo::ENTRIES.iter().map(|entry| json!({ "name": entry.name, "about": entry.about })).collect();
        return print_json(&json!({ "zoo": entries }));
    }
    let width = zoo::ENTRIES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let lines: String =
        zoo::ENTRIES.iter().map(|entry| format!("{:width$}  {}\n", entry.name, entry.about)).collect();
    print(&lines)
}
