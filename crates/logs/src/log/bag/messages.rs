//! Messages, whatever file they are kept in.

use crate::error::LogError;

/// A topic of a bag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Topic {
    pub(crate) name: String,
    /// Type of its messages.
    pub(crate) kind: String,
    /// How they are serialised.
    pub(crate) encoding: String,
}

/// What a topic tells a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopicKind {
    JointStates,
    /// Joints of six degrees of freedom.
    Bodies,
    Wrench,
    Twist,
}

impl Topic {
    /// What it tells a log, if anything.
    pub(crate) fn tells(&self) -> Option<TopicKind> {
        match self.kind.as_str() {
            _ if self.encoding != "cdr" => None,
            "sensor_msgs/msg/JointState" => Some(TopicKind::JointStates),
            "sensor_msgs/msg/MultiDOFJointState" => Some(TopicKind::Bodies),
            "geometry_msgs/msg/WrenchStamped" => Some(TopicKind::Wrench),
            "geometry_msgs/msg/TwistStamped" => Some(TopicKind::Twist),
            _ => None,
        }
    }

    pub(crate) fn is_read(&self) -> bool {
        self.tells().is_some()
    }
}

/// One message.
#[derive(Debug)]
pub(crate) struct Message {
    /// Index of its topic.
    pub(crate) topic: usize,
    /// When it was recorded, nanoseconds.
    pub(crate) time: i64,
    pub(crate) data: Vec<u8>,
}

/// A file of messages.
pub(crate) trait MessageSource: Send {
    /// The topics seen so far.
    fn topics(&self) -> &[Topic];
    /// How much has been read, from 0 to 1.
    fn progress(&self) -> f64;
    /// The next message, in the order of the file; those of topics that tell nothing may be left out.
    fn next(&mut self) -> Result<Option<Message>, LogError>;
}
