//! Records of a SQLite database: numbers of varying length, and values of several kinds.

/// A value of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value {
    #[default]
    Null,
    Integer(i64),
    Real(f64),
    /// Text or bytes.
    Bytes(Vec<u8>),
}

impl Value {
    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        }
    }
}

/// A number of one to nine bytes, seven bits each, the last one eight (section 1.6).
pub(crate) fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for k in 0..9 {
        let (byte, others) = rest.split_first()?;
        *rest = others;
        if k == 8 {
            return Some(value << 8 | u64::from(*byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(value)
}

/// The values of a record (section 2.1).
pub(crate) fn record(payload: &[u8]) -> Option<Vec<Value>> {
    let mut rest = payload;
    let header = varint(&mut rest)? as usize;
    let mut kinds = payload.get(payload.len() - rest.len()..header)?;
    let mut body = payload.get(header..)?;
    let mut values = Vec::new();
    while !kinds.is_empty() {
        let kind = varint(&mut kinds)?;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => ((kind - 12) / 2) as usize,
        };
        let (bytes, others) = body.split_at_checked(size)?;
        body = others;
        values.push(match kind {
            0 => Value::Null,
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            7 => Value::Real(f64::from_be_bytes(bytes.try_into().ok()?)),
            1..=6 => {
                // The sign is that of the first byte.
                let sign = if bytes[0] & 0x80 != 0 { -1 } else { 0 };
                Value::Integer(bytes.iter().fold(sign, |value: i64, byte| value << 8 | i64::from(*byte)))
            }
            _ => Value::Bytes(bytes.to_vec()),
        });
    }
    Some(values)
}
