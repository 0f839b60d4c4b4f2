//! Binary numbers of any kind, as doubles.

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberKind {
    Float32,
    Float64,
    /// Two's complement of 1, 2, 4 or 8 bytes.
    Signed(u8),
    /// Of 1, 2, 4 or 8 bytes.
    Unsigned(u8),
}

impl NumberKind {
    /// Bytes of one number.
    pub(crate) fn size(self) -> usize {
        match self {
            NumberKind::Float32 => 4,
            NumberKind::Float64 => 8,
            NumberKind::Signed(size) | NumberKind::Unsigned(size) => size as usize,
        }
    }

    /// Appends every `step`-th number of `bytes`, from number `from` on.
    pub(crate) fn append(self, bytes: &[u8], big_endian: bool, from: usize, step: usize, out: &mut Vec<f64>) {
        macro_rules! each {
            ($number:ty) => {{
                const SIZE: usize = size_of::<$number>();
                let array = |bytes: &[u8]| -> [u8; SIZE] { std::array::from_fn(|k| bytes[k]) };
                let little = |bytes: &[u8]| <$number>::from_le_bytes(array(bytes)) as f64;
                let big = |bytes: &[u8]| <$number>::from_be_bytes(array(bytes)) as f64;
                let numbers = bytes.chunks_exact(SIZE);
                match (big_endian, step) {
                    (false, 1) => out.extend(numbers.skip(from).map(little)), // runs in lanes
                    (false, _) => out.extend(numbers.skip(from).step_by(step).map(little)),
                    (true, _) => out.extend(numbers.skip(from).step_by(step).map(big)),
                }
            }};
        }
        match self {
            NumberKind::Float32 => each!(f32),
            NumberKind::Float64 => each!(f64),
            NumberKind::Signed(1) => each!(i8),
            NumberKind::Signed(2) => each!(i16),
            NumberKind::Signed(4) => each!(i32),
            NumberKind::Signed(_) => each!(i64),
            NumberKind::Unsigned(1) => each!(u8),
            NumberKind::Unsigned(2) => each!(u16),
            NumberKind::Unsigned(4) => each!(u32),
            NumberKind::Unsigned(_) => each!(u64),
        }
    }
}
