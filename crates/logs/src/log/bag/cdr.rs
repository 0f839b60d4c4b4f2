//! The ROS 2 messages that logs are made of, in CDR (both byte orders, XCDR version 1 and plain
//! version 2).

/// A position in a message; every primitive is aligned to its size, counted from behind
/// the four bytes of encapsulation.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    big_endian: bool,
    /// The largest alignment: 8, or 4 in version 2.
    widest: usize,
}

impl<'a> Cursor<'a> {
    fn new(message: &'a [u8]) -> Option<Self> {
        let (big_endian, widest) = match message.get(..2)? {
            [0, 0] => (true, 8),
            [0, 1] => (false, 8),
            [0, 6] => (true, 4),
            [0, 7] => (false, 4),
            _ => return None,
        };
        Some(Cursor { bytes: message.get(4..)?, at: 0, big_endian, widest })
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.at = self.at.next_multiple_of(N.min(self.widest));
        let mut bytes: [u8; N] = self.bytes.get(self.at..self.at + N)?.try_into().ok()?;
        self.at += N;
        if self.big_endian {
            bytes.reverse();
        }
        Some(bytes)
    }

    fn word(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn double(&mut self) -> Option<f64> {
        self.take().map(f64::from_le_bytes)
    }

    /// A string without its closing zero.
    fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.word()? as usize;
        let bytes = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(bytes.strip_suffix(b"\0").unwrap_or(bytes))
    }

    fn doubles(&mut self, out: &mut Vec<f64>) -> Option<()> {
        out.clear();
        let count = self.word()? as usize;
        if count > self.bytes.len() / 8 {
            return None;
        }
        for _ in 0..count {
            out.push(self.double()?);
        }
        Some(())
    }

    /// A header's stamp in nanoseconds, and its frame.
    fn header(&mut self) -> Option<(i64, &'a [u8])> {
        let seconds = self.word()? as i32;
        let nanoseconds = self.word()?;
        Some((i64::from(seconds) * 1_000_000_000 + i64::from(nanoseconds), self.string()?))
    }
}

/// `sensor_msgs/msg/JointState`.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct JointState {
    /// Nanoseconds; 0 where nobody set it.
    pub(crate) stamp: i64,
    /// The list of names as it stands in the message.
    pub(crate) raw_names: Vec<u8>,
    pub(crate) position: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    pub(crate) effort: Vec<f64>,
}

impl JointState {
    /// Reads a message into this memory; `None` if it is garbled.
    pub(crate) fn read(&mut self, message: &[u8]) -> Option<()> {
        let mut cursor = Cursor::new(message)?;
        self.stamp = cursor.header()?.0;
        cursor.at = cursor.at.next_multiple_of(4);
        let start = cursor.at;
        for _ in 0..cursor.word()? {
            cursor.string()?;
        }
        self.raw_names.clear();
        self.raw_names.extend_from_slice(&message[..4]);
        self.raw_names.extend_from_slice(&cursor.bytes[start..cursor.at]);
        cursor.doubles(&mut self.position)?;
        cursor.doubles(&mut self.velocity)?;
        cursor.doubles(&mut self.effort)
    }

    /// The names of the joints.
    pub(crate) fn names(&self) -> Option<Vec<String>> {
        let mut cursor = Cursor::new(&self.raw_names)?;
        let count = cursor.word()?;
        (0..count).map(|_| Some(String::from_utf8_lossy(cursor.string()?).into_owned())).collect()
    }
}

/// `geometry_msgs/msg/WrenchStamped` or `TwistStamped`: six numbers in a frame.
#[derive(Debug, PartialEq)]
pub(crate) struct SixStamped {
    /// Nanoseconds; 0 where nobody set it.
    pub(crate) stamp: i64,
    pub(crate) frame: String,
    /// Force and torque, or linear and angular velocity.
    pub(crate) values: [f64; 6],
}

impl SixStamped {
    pub(crate) fn read(message: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(message)?;
        let (stamp, frame) = cursor.header()?;
        let mut values = [0.0; 6];
        for component in &mut values {
            *component = cursor.double()?;
        }
        Some(SixStamped { stamp, frame: String::from_utf8_lossy(frame).into_owned(), values })
    }
}

/// `sensor_msgs/msg/MultiDOFJointState`: joints of six degrees of freedom.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct MultiDofState {
    /// Nanoseconds; 0 where nobody set it.
    pub(crate) stamp: i64,
    pub(crate) names: Vec<String>,
    /// Position, and the quaternion x, y, z, w: seven numbers each.
    pub(crate) poses: Vec<f64>,
    /// Linear and angular velocity.
    pub(crate) twists: Vec<f64>,
    /// Force and torque.
    pub(crate) wrenches: Vec<f64>,
}

impl MultiDofState {
    pub(crate) fn read(message: &[u8]) -> Option<Self> {
        let mut cursor = Cursor::new(message)?;
        let stamp = cursor.header()?.0;
        let count = cursor.word()? as usize;
        // Every name has a length of four bytes.
        if count > message.len() / 4 {
            return None;
        }
        let name = |_| Some(String::from_utf8_lossy(cursor.string()?).into_owned());
        let names = (0..count).map(name).collect::<Option<_>>()?;
        let [mut poses, mut twists, mut wrenches] = [const { Vec::new() }; 3];
        for (width, out) in [(7, &mut poses), (6, &mut twists), (6, &mut wrenches)] {
            let count = cursor.word()? as usize;
            if count > message.len() / (8 * width) {
                return None;
            }
            for _ in 0..width * count {
                out.push(cursor.double()?);
            }
        }
        Some(MultiDofState { stamp, names, poses, twists, wrenches })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Writes what a message holds, by the rules of the standard: align to the size, then the bytes.
    struct Writer {
        bytes: Vec<u8>,
        big_endian: bool,
    }

    impl Writer {
        fn put<const N: usize>(&mut self, mut bytes: [u8; N]) {
            while !self.bytes.len().is_multiple_of(N) {
                self.bytes.push(0xee);
            }
            if self.big_endian {
                bytes.reverse();
            }
            self.bytes.extend(bytes);
        }
        fn string(&mut self, text: &str) {
            self.put((text.len() as u32 + 1).to_le_bytes());
            self.bytes.extend(text.as_bytes());
            self.bytes.push(0);
        }
        fn doubles(&mut self, values: &[f64]) {
            self.put((values.len() as u32).to_le_bytes());
            values.iter().for_each(|x| self.put(x.to_le_bytes()));
        }
        fn message(self) -> Vec<u8> {
            [vec![0, u8::from(!self.big_endian), 0, 0], self.bytes].concat()
        }
    }

    /// A message of joint states: names, and the lists of position, velocity and effort.
    pub(in crate::log::bag) fn states(
        big_endian: bool,
        frame: &str,
        names: &[&str],
        lists: [&[f64]; 3],
    ) -> Vec<u8> {
        let mut writer = Writer { bytes: Vec::new(), big_endian };
        writer.put(12i32.to_le_bytes());
        writer.put(345_678_901u32.to_le_bytes());
        writer.string(frame);
        writer.put((names.len() as u32).to_le_bytes());
        names.iter().for_each(|name| writer.string(name));
        lists.iter().for_each(|list| writer.doubles(list));
        writer.message()
    }

    fn joint_state(big_endian: bool, frame: &str) -> Vec<u8> {
        states(big_endian, frame, &["elbow", "shoulder_pan"], [&[0.5, -1.5], &[], &[1e-3, 7.0]])
    }

    #[test]
    fn joint_states_are_read_in_both_byte_orders_and_with_any_frame() {
        for big_endian in [false, true] {
            for frame in ["", "a", "abc", "base_link"] {
                let mut state = JointState::default();
                state.read(&joint_state(big_endian, frame)).unwrap();
                assert_eq!(state.stamp, 12_345_678_901);
                assert_eq!(state.names().unwrap(), ["elbow", "shoulder_pan"]);
                assert_eq!((&state.position[..], &state.effort[..]), (&[0.5, -1.5][..], &[1e-3, 7.0][..]));
                assert!(state.velocity.is_empty());
            }
        }
    }

    #[test]
    fn a_cut_message_is_refused_wherever_it_is_cut() {
        let whole = joint_state(false, "base");
        (0..whole.len())
            .for_each(|end| assert!(JointState::default().read(&whole[..end]).is_none(), "{end}"));
    }

    #[test]
    fn wrenches_are_read_in_both_byte_orders() {
        for big_endian in [false, true] {
            let mut writer = Writer { bytes: Vec::new(), big_endian };
            writer.put(1i32.to_le_bytes());
            writer.put(2u32.to_le_bytes());
            writer.string("tool0");
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0f64].iter().for_each(|x| writer.put(x.to_le_bytes()));
            let read = SixStamped::read(&writer.message()).unwrap();
            let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
            assert_eq!(
                read,
                SixStamped { stamp: 1_000_000_002, frame: "tool0".to_owned(), values: expected }
            );
        }
    }

    /// A message of joints with six degrees of freedom, each with pose, twist and wrench where lists have them.
    pub(in crate::log::bag) fn bodies(big_endian: bool, names: &[&str], lists: [&[f64]; 3]) -> Vec<u8> {
        let mut writer = Writer { bytes: Vec::new(), big_endian };
        writer.put(3i32.to_le_bytes());
        writer.put(4u32.to_le_bytes());
        writer.string("odom");
        writer.put((names.len() as u32).to_le_bytes());
        names.iter().for_each(|name| writer.string(name));
        for (list, width) in lists.iter().zip([7, 6, 6]) {
            writer.put(((list.len() / width) as u32).to_le_bytes());
            list.iter().for_each(|x| writer.put(x.to_le_bytes()));
        }
        writer.message()
    }

    #[test]
    fn joints_with_six_degrees_of_freedom_are_read_and_cut_ones_refused() {
        let pose = [1.0, 2.0, 3.0, 0.0, 0.6, 0.0, 0.8];
        let twist = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
        for big_endian in [false, true] {
            let message = bodies(big_endian, &["trunk"], [&pose, &twist, &[]]);
            let read = MultiDofState::read(&message).unwrap();
            assert_eq!((read.stamp, &read.names[..]), (3_000_000_004, &["trunk".to_owned()][..]));
            assert_eq!((&read.poses[..], &read.twists[..]), (&pose[..], &twist[..]));
            assert!(read.wrenches.is_empty());
            (0..message.len())
                .for_each(|end| assert!(MultiDofState::read(&message[..end]).is_none(), "{end}"));
        }
    }
}
