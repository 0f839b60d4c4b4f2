//! The pages of a Parquet file as the decoder wants them, without those at which it would panic or never end.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};

use super::thrift::{FOOTER, PAGE_HEADER, Structure, look_at, page_sizes};
use crate::log::positioned::Positioned;

/// Longer headers of pages are taken for damage.
const LONGEST_HEADER: usize = 1 << 16;
/// Pages up to this size, in bytes, may be packed as tightly as they like.
const ORDINARY_PAGE: i32 = 1 << 24;
/// Larger ones may be so many times the size of what they are packed into: gzip reaches 1032. The decoder makes
/// room for all that a header claims.
const TIGHTEST: i32 = 1100;
/// The length of the footer and the magic behind it.
const END: u64 = 8;

/// The file as the decoder wants it. Its own way of reading a `File` moves the one cursor that all threads share.
pub(super) struct Pages {
    file: Arc<File>,
    length: u64,
}

impl Pages {
    /// The pages of a file, whose footer is looked at.
    pub(super) fn new(file: File, length: u64) -> Result<Self> {
        let pages = Pages { file: Arc::new(file), length };
        let mut footer = [0u8; 4];
        pages.at(length.saturating_sub(END)).read_exact(&mut footer)?;
        let footer = u32::from_le_bytes(footer);
        // The decoder says what is wrong with a footer that does not fit into the file.
        if let Some(start) = length.checked_sub(END + u64::from(footer))
            && look_at(&pages.get_bytes(start, footer as usize)?, FOOTER) == Structure::Garbled
        {
            return Err(garbled("its footer is garbled"));
        }
        Ok(pages)
    }

    fn at(&self, at: u64) -> Positioned {
        Positioned { file: self.file.clone(), at }
    }
}

impl Length for Pages {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for Pages {
    type T = BufReader<Positioned>;

    /// The decoder asks for the end of the file, then for headers of pages.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let mut reader = BufReader::with_capacity(LONGEST_HEADER, self.at(start));
        let bytes = reader.fill_buf()?;
        let unending = match look_at(bytes, PAGE_HEADER) {
            Structure::Harmless => false,
            Structure::Unfinished => bytes.len() == LONGEST_HEADER,
            Structure::Garbled => true,
        };
        if start.saturating_add(END) == self.length {
            return Ok(reader);
        }
        let Some((size, packed)) = page_sizes(bytes).filter(|_| !unending) else {
            return Err(garbled("the header of a page is garbled"));
        };
        if size > ORDINARY_PAGE.max(packed.saturating_mul(TIGHTEST)) {
            return Err(garbled(&format!("a page claims {size} bytes, packed into {packed}")));
        }
        Ok(reader)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        let wanted = start.checked_add(length as u64).filter(|end| *end <= self.length);
        let mut buffer = vec![0; wanted.map_or(0, |_| length)];
        match wanted {
            Some(_) => self.at(start).read_exact(&mut buffer)?,
            None => return Err(ParquetError::EOF("a page goes beyond the end".to_owned())),
        }
        Ok(buffer.into())
    }
}

/// Refuses columns at negative places: the decoder takes them for a mistake of its own.
pub(super) fn check_place(column: &ColumnChunkMetaData) -> Result<()> {
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    match start >= 0 && column.compressed_size() >= 0 {
        true => Ok(()),
        false => Err(garbled("a column starts before the file")),
    }
}

/// Pages of a column, of which those that need a dictionary come behind one.
pub(super) struct CheckedPages {
    pub(super) pages: Box<dyn PageReader>,
    pub(super) has_dictionary: bool,
}

impl CheckedPages {
    pub(super) fn new(pages: Box<dyn PageReader>) -> Box<Self> {
        Box::new(CheckedPages { pages, has_dictionary: false })
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        match &page {
            // The decoder makes room for all that are claimed; a truth value takes a bit, all others more.
            Some(Page::DictionaryPage { buf, num_values, .. }) if *num_values as usize > 8 * buf.len() => {
                return Err(garbled("a dictionary claims more values than it has bytes for"));
            }
            Some(Page::DictionaryPage { .. }) => self.has_dictionary = true,
            Some(data) => {
                let refers =
                    [Encoding::PLAIN_DICTIONARY, Encoding::RLE_DICTIONARY].contains(&data.encoding());
                if refers && !self.has_dictionary {
                    return Err(garbled("a page refers to a dictionary that is not there"));
                }
            }
            None => {}
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

fn garbled(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}
