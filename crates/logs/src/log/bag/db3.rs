//! A rosbag2 `.db3`: tables `topics` and `messages` of a SQLite database.

use std::collections::HashMap;
use std::path::Path;

use super::messages::{Message, MessageSource, Topic};
use super::sqlite::{Database, Rows, Value};
use crate::error::LogError;

pub(crate) struct Db3Messages {
    file: String,
    topics: Vec<Topic>,
    by_id: HashMap<i64, usize>,
    rows: Rows,
    /// Where topic, time and data stand in a row.
    columns: [usize; 3],
}

impl Db3Messages {
    pub(crate) fn open(path: &Path, file: &str) -> Result<Self, LogError> {
        let database = Database::open(path, file)?;
        let foreign = || LogError::Unsupported {
            file: file.to_owned(),
            what: "a database without the tables of a rosbag2".to_owned(),
            remedy: "give a .db3 that `ros2 bag record` wrote".to_owned(),
        };
        let table = |name: &str, wanted: &[&str]| -> Result<(u32, Vec<usize>), LogError> {
            let (root, names) = database.table(name)?.ok_or_else(foreign)?;
            let place = |wanted: &&str| names.iter().position(|name| name == wanted).ok_or_else(foreign);
            Ok((root, wanted.iter().map(place).collect::<Result<_, _>>()?))
        };
        let (topics_root, at) = table("topics", &["id", "name", "type", "serialization_format"])?;
        let (mut topics, mut by_id) = (Vec::new(), HashMap::new());
        let mut rows = database.rows(topics_root);
        while let Some((number, row)) = rows.next()? {
            let text = |k: usize| row.get(at[k]).and_then(Value::text).unwrap_or_default();
            // A key that is the row's number is not stored in the row.
            by_id.insert(row.get(at[0]).and_then(Value::integer).unwrap_or(number), topics.len());
            topics.push(Topic { name: text(1), kind: text(2), encoding: text(3) });
        }
        let (root, at) = table("messages", &["topic_id", "timestamp", "data"])?;
        let rows = database.rows(root);
        Ok(Db3Messages { file: file.to_owned(), topics, by_id, rows, columns: [at[0], at[1], at[2]] })
    }
}

impl MessageSource for Db3Messages {
    fn topics(&self) -> &[Topic] {
        &self.topics
    }

    fn progress(&self) -> f64 {
        self.rows.progress()
    }

    fn next(&mut self) -> Result<Option<Message>, LogError> {
        while let Some((number, mut row)) = self.rows.next()? {
            let garbled = || LogError::Damaged {
                file: self.file.clone(),
                problem: format!("message {number} is garbled"),
            };
            let [topic, time, data] = self.columns;
            let topic = row.get(topic).and_then(Value::integer).ok_or_else(garbled)?;
            let Some(&topic) = self.by_id.get(&topic) else { continue };
            if !self.topics[topic].is_read() {
                continue;
            }
            let time = row.get(time).and_then(Value::integer).ok_or_else(garbled)?;
            let Some(Value::Bytes(data)) = row.get_mut(data).map(std::mem::take) else {
                return Err(garbled());
            };
            let data = match data.starts_with(b"\x28\xb5\x2f\xfd") {
                // Bags may pack every message by itself.
                true => zstd::stream::decode_all(&data[..]).map_err(|_| garbled())?,
                false => data,
            };
            return Ok(Some(Message { topic, time, data }));
        }
        Ok(None)
    }
}
