//! Which format a file has: its first bytes decide, and its name only where they cannot.

use std::io::Read;
use std::path::Path;

use super::bag::{BagFiles, BagReader, files_of_folder};
use super::csv;
use super::features::if_built;
#[cfg(feature = "parquet")]
use super::lerobot::DatasetReader;
use super::mapping::{MappedReader, Mapping};
#[cfg(feature = "npz")]
use super::npz::NpzReader;
#[cfg(feature = "parquet")]
use super::parquet::ParquetReader;
use super::reader::{LogOptions, LogReader, unreadable};
use crate::error::LogError;

/// What an HDF5 file begins with, perhaps behind a header of MATLAB's.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";

impl LogReader {
    /// Opens a log: CSV (also gzipped), Parquet, NPZ, MAT (v5), MCAP, a rosbag2 `.db3` or the folder it lies
    /// in, the folder of a LeRobot dataset, or a mapping file (`.toml`) that names its files.
    pub fn open(path: &Path, options: &LogOptions) -> Result<Self, LogError> {
        let file = path.display().to_string();
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        if extension == "toml" {
            let mapping = Mapping::read(path)?;
            if !mapping.has_files() {
                return Err(LogError::NamesNoFiles { file });
            }
            return Self::new(&file, Box::new(MappedReader::open(mapping, options)?));
        }
        if let Some(mapping) = &options.mapping {
            if mapping.has_files() && path.is_dir() {
                let reader = MappedReader::open(mapping.clone().in_folder(path), options)?;
                return Self::new(&file, Box::new(reader));
            }
            return Self::new(&file, Box::new(MappedReader::open_one(mapping.clone(), path, options)?));
        }
        #[cfg(feature = "parquet")]
        if let Some(description) = super::lerobot::description_of(path) {
            return Self::new(&file, Box::new(DatasetReader::open(path, &description)?));
        }
        if path.is_dir() {
            let files = files_of_folder(path, &file)?;
            return Self::new(&file, Box::new(BagReader::open(&files, options)?));
        }
        if let Some(kind) = steiner_files::special_file(path) {
            return Err(LogError::Unreadable { file, reason: format!("it is {kind}"), missing: false });
        }
        let mut input = std::fs::File::open(path).map_err(|error| unreadable(&file, error))?;
        let size = input.metadata().map_or(0, |metadata| metadata.len());
        let mut start = Vec::new();
        input.by_ref().take(1024).read_to_end(&mut start).map_err(|error| unreadable(&file, error))?;
        let unsupported = |what: &str, remedy: &str| LogError::Unsupported {
            file: file.clone(),
            what: what.to_owned(),
            remedy: remedy.to_owned(),
        };
        let has = |magic: &[u8]| start.starts_with(magic);
        let is_hdf5 = has(HDF5) || start.get(512..520) == Some(HDF5);
        if has(b"PAR1") {
            if_built!("parquet", "a Parquet file", &file, {
                Self::new(&file, Box::new(ParquetReader::open(path, &file)?))
            })
        } else if has(b"PK\x03\x04") || has(b"PK\x05\x06") {
            if_built!("npz", "an NPZ file", &file, {
                Self::new(&file, Box::new(NpzReader::open(path, &file)?))
            })
        } else if has(b"\x89MCAP0\r\n") || has(b"SQLite format 3\0") {
            Self::new(&file, Box::new(BagReader::open(&BagFiles::one(path, &file), options)?))
        } else if has(b"\x93NUMPY") {
            Err(unsupported(
                "a single array without a name",
                "save it with numpy.savez(file, t=t, q=q, tau=tau)",
            ))
        } else if has(b"MATLAB 7.3") || (is_hdf5 && extension == "mat") {
            Err(unsupported("MAT v7.3 (HDF5)", "save it in MATLAB with save(file, '-v7')"))
        } else if is_hdf5 {
            Err(unsupported("HDF5", "read it in Python with steiner.read_hdf5, or save it as NPZ"))
        } else if has(b"MATLAB 5.0")
            || (extension == "mat" && matches!(start.get(126..128), Some(b"IM" | b"MI")))
        {
            if_built!("mat", "a MAT file", &file, Ok(super::mat::read(path, &file)?.into_reader()))
        } else if extension == "mat" {
            Err(unsupported("no MAT file of version 5", "save it in MATLAB with save(file, '-v7')"))
        } else if has(b"#ROSBAG V2.0") {
            Err(unsupported("a ROS 1 bag", "turn it into MCAP with ROS 2 messages (rosbags-convert)"))
        } else if has(b"\x28\xb5\x2f\xfd") {
            Err(unsupported("packed with zstd as a whole", "unpack it with zstd -d"))
        } else if has(b"\x1f\x8b") {
            let input = std::fs::File::open(path).map_err(|error| unreadable(&file, error))?;
            let unpacked = Box::new(flate2::read::MultiGzDecoder::new(std::io::BufReader::new(input)));
            // What comes out is about five times as long.
            Self::new(&file, Box::new(csv::CsvReader::new(unpacked, 5 * size, &file, options)?))
        } else {
            Self::open_csv(path, options)
        }
    }
}
