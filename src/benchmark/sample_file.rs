//! Sample file: the frame samples of all runs as a `NumPy` archive, `frames.npz`.
//!
//! Every column is a compressed array that `numpy.load` reads. The size is about a sixth of that of JSON.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `run` | int64 | number of the run, from 1 and ascending |
//! | `frame_ns` | int64 | frame time |
//! | `sim_ns` and so on | int64 | time of each phase |
//! | `gpu_ns`, `gpu_culling_ns`, `gpu_shadow_ns`, `gpu_scene_ns`, `gpu_post_ns` | float64 | GPU times; NaN if unknown |
//! | `dt_s` | float64 | time step, before the factor of time |
//! | `cubes`, `drawn` | int64 | cubes in the scene, and drawn |
//! | `upload_bytes` | int64 | bytes copied to GPU memory |
//! | `status` | int64 | 0 valid, 1 resized, 2 hidden, 3 suspended |
//!
//! Differences of signed integers do not wrap around in `NumPy`, and compression removes the upper bytes.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rawzip::{
    CompressionMethod, ErrorKind, ZipArchive, ZipArchiveWriter, ZipFileHeaderRecord,
    ZipSliceArchive,
};

use super::{FramePhase, FrameSample, FrameStatus};
use crate::memory;

/// `NumPy` type of integers.
const INT64: &str = "<i8";
/// `NumPy` type of times that may be unknown, and of fractions.
const FLOAT64: &str = "<f8";

/// Size of the header of an array of any length, in bytes.
const HEADER_BYTES: usize = 128;

/// Column that files of earlier builds lack.
const CULLING: &str = "gpu_culling_ns";

/// A float64 holds every integer up to this one. As a time in ns, it is 104 days.
const MAX_FLOAT_INTEGER: u64 = 1 << 53;

/// Bytes of memory that reading needs per byte of the arrays: the array, the sample, and while a vector of
/// samples grows, twice its size.
const MEMORY_FACTOR: u64 = 4;

/// All statuses of a frame, in the order of their numbers.
const STATUSES: [FrameStatus; 4] =
    [FrameStatus::Valid, FrameStatus::Resized, FrameStatus::Hidden, FrameStatus::Suspended];

/// Value of a column, in little-endian order.
type Cell = [u8; 8];

/// Writes the samples of all runs, and flushes.
///
/// # Errors
/// Writing fails, a GPU time is above 2^53 ns, a time step is negative or not finite, or another value is above the
/// maximum of an int64.
pub fn write_samples<'a>(
    to: impl Write,
    runs: impl IntoIterator<Item = &'a [FrameSample]>,
) -> io::Result<()> {
    write_columns(to, &columns_of(runs)?).map_err(io_error)
}

/// Reads the samples of a number of `runs`. Runs that are not in the file have no samples. Further ones are
/// left out: a benchmark that is killed between its two files has one run more here.
///
/// # Errors
/// The file was not written by [`write_samples`], or memory does not suffice. The text names a wrong column.
pub fn read_samples(file: &[u8], runs: usize) -> io::Result<Vec<Vec<FrameSample>>> {
    let columns = read_columns(file)?;
    let mut samples = vec![Vec::new(); runs];
    let mut last = 1;
    for row in 0..columns[0].cells.len() {
        let (run, sample) = sample_of(columns.iter().map(|column| column.cells[row]));
        // A value is valid if it would be written the same.
        let mut written = columns.iter().zip(cells(run, &sample));
        let invalid = written.find(|(column, cell)| *cell != Some(column.cells[row]));
        let invalid = invalid.map(|(column, _)| column).or((run < last).then_some(&columns[0]));
        if let Some(column) = invalid {
            return Err(column.error(&format!("has an invalid value in row {row}")));
        }
        let at = usize::try_from(run - 1).ok();
        let Some(samples) = at.and_then(|at| samples.get_mut(at)) else { break };
        samples.push(sample);
        last = run;
    }
    Ok(samples)
}

/// An array of the archive.
struct Column {
    name: String,
    data_type: &'static str,
    cells: Vec<Cell>,
}

/// Returns all columns without cells.
fn empty_columns() -> Vec<Column> {
    let column = |data_type| {
        move |name: &str| Column { name: name.to_owned(), data_type, cells: Vec::new() }
    };
    let phases = FramePhase::ALL.map(|phase| format!("{}_ns", phase.name()));
    let first = ["run", "frame_ns"].into_iter().chain(phases.iter().map(String::as_str));
    let floats = ["gpu_ns", CULLING, "gpu_shadow_ns", "gpu_scene_ns", "gpu_post_ns", "dt_s"];
    let last = ["cubes", "drawn", "upload_bytes", "status"];
    let columns = first.map(column(INT64)).chain(floats.map(column(FLOAT64)));
    columns.chain(last.map(column(INT64))).collect()
}

fn columns_of<'a>(runs: impl IntoIterator<Item = &'a [FrameSample]>) -> io::Result<Vec<Column>> {
    let mut columns = empty_columns();
    for (number, run) in (1..).zip(runs) {
        for sample in run {
            for (column, cell) in columns.iter_mut().zip(cells(number, sample)) {
                let too_large = || format!("a value of the column {} is too large", column.name);
                column.cells.push(cell.ok_or_else(|| io::Error::other(too_large()))?);
            }
        }
    }
    Ok(columns)
}

/// Returns one cell for each column. A cell is `None` if its type cannot hold the value exactly.
fn cells(run: u64, sample: &FrameSample) -> impl Iterator<Item = Option<Cell>> {
    let FrameSample { frame, phases, gpu, gpu_culling, gpu_shadow, .. } = *sample;
    let FrameSample { gpu_scene, gpu_post, dt, cubes, drawn, upload_bytes, status, .. } = *sample;
    let integer = |value| i64::try_from(value).ok().map(i64::to_le_bytes);
    let time = |time: Option<u64>| {
        let exact = time.is_none_or(|time| time <= MAX_FLOAT_INTEGER);
        exact.then_some(time.map_or(f64::NAN, |time| time as f64).to_le_bytes())
    };
    let times = [gpu, gpu_culling, gpu_shadow, gpu_scene, gpu_post].map(time);
    let dt = (0.0..=f32::MAX).contains(&dt).then(|| f64::from(dt).to_le_bytes());
    let last = [cubes.into(), drawn.into(), upload_bytes, status as u64];
    let first = [run, frame].into_iter().chain(phases).map(integer);
    first.chain(times).chain([dt]).chain(last.map(integer))
}

/// Returns the run number and the sample of one row. Invalid values become others.
fn sample_of(mut row: impl Iterator<Item = Cell>) -> (u64, FrameSample) {
    let mut next = || row.next().expect("a column for each value");
    let integer = |cell| i64::from_le_bytes(cell) as u64;
    let time = |cell| {
        let time = f64::from_le_bytes(cell);
        (!time.is_nan()).then_some(time as u64)
    };
    let run = integer(next());
    // In the order of columns.
    let sample = FrameSample {
        frame: integer(next()),
        phases: std::array::from_fn(|_| integer(next())),
        gpu: time(next()),
        gpu_culling: time(next()),
        gpu_shadow: time(next()),
        gpu_scene: time(next()),
        gpu_post: time(next()),
        dt: f64::from_le_bytes(next()) as f32,
        cubes: integer(next()) as u32,
        drawn: integer(next()) as u32,
        upload_bytes: integer(next()),
        status: STATUSES.get(integer(next()) as usize).copied().unwrap_or_default(),
    };
    (run, sample)
}

fn write_columns(to: impl Write, columns: &[Column]) -> Result<(), rawzip::Error> {
    let mut archive = ZipArchiveWriter::new(to);
    for column in columns {
        let name = format!("{}.npy", column.name);
        let file = archive.new_file(&name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start()?;
        // Times are mostly noise: the default level takes nine times as long and saves 9 % of the size.
        let mut array = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        array.write_all(&column.header())?;
        array.write_all(column.cells.as_flattened())?;
        let (encoder, checksum) = array.finish()?;
        encoder.finish()?;
        entry.finish(checksum)?;
    }
    archive.finish().map(drop)
}

fn read_columns(file: &[u8]) -> io::Result<Vec<Column>> {
    let not_an_archive = |_| io::Error::other("not a NumPy archive, or incomplete");
    let archive = ZipArchive::from_slice(file).map_err(not_an_archive)?;
    let entries = archive.entries().collect::<Result<Vec<_>, _>>().map_err(not_an_archive)?;
    let sizes = entries.iter().map(ZipFileHeaderRecord::uncompressed_size_hint);
    let size = sizes.fold(0, u64::saturating_add);
    memory::check("the frame samples", size.saturating_mul(MEMORY_FACTOR))
        .map_err(io::Error::other)?;
    let mut columns = empty_columns();
    let lacks_culling = entries.len() + 1 == columns.len();
    let mut rows = None;
    for column in &mut columns {
        let name = format!("{}.npy", column.name);
        let entry = entries.iter().find(|entry| entry.file_path().as_ref() == name.as_bytes());
        if entry.is_none() && lacks_culling && column.name == CULLING {
            column.cells = vec![f64::NAN.to_le_bytes(); rows.unwrap_or_default()];
            continue;
        }
        let entry = entry.ok_or_else(|| column.error("is missing"))?;
        if entry.compression_method() != CompressionMethod::DEFLATE {
            return Err(column.error("has an unexpected format"));
        }
        let array = read_array(&archive, entry);
        let array = array.map_err(|_| column.error("is damaged; use another copy"))?;
        let (header, cells) = array.split_at(HEADER_BYTES.min(array.len()));
        column.cells = cells.as_chunks().0.to_vec();
        // The header has the type and the length, so no others pass.
        let rows = *rows.get_or_insert(column.cells.len());
        if header != column.header() || column.cells.len() != rows {
            return Err(column.error("has an unexpected format"));
        }
    }
    Ok(columns)
}

impl Column {
    fn error(&self, reason: &str) -> io::Error {
        io::Error::other(format!("the column {} {reason}", self.name))
    }

    /// Returns the beginning of the array, as `NumPy` writes it.
    fn header(&self) -> Vec<u8> {
        let Self { data_type, cells, .. } = self;
        let length = cells.len();
        let array =
            format!("{{'descr': '{data_type}', 'fortran_order': False, 'shape': ({length},), }}");
        // Version 1.0, and the number of bytes that follow.
        let start = [b"\x93NUMPY\x01\x00".as_slice(), &(HEADER_BYTES as u16 - 10).to_le_bytes()];
        [start.concat(), format!("{array:117}\n").into_bytes()].concat()
    }
}

/// Decompresses an array and verifies its checksum.
fn read_array(
    archive: &ZipSliceArchive<&[u8]>,
    entry: &ZipFileHeaderRecord,
) -> io::Result<Vec<u8>> {
    let entry = archive.get_entry(entry.wayfinder()).map_err(io_error)?;
    // Also fails as soon as there is more than the size, for which memory suffices.
    let mut array = entry.verifying_reader(DeflateDecoder::new(entry.data()));
    let mut bytes = Vec::new();
    array.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn io_error(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::IO(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use rawzip::DataDescriptorOutput;

    use super::*;

    const SAMPLE: FrameSample = FrameSample {
        frame: 3_000_000,
        phases: [1, 2, 3, 4, 5, 6, 7, 8],
        gpu: Some(0),
        gpu_culling: Some(10),
        gpu_shadow: Some(11),
        gpu_scene: None,
        gpu_post: Some(2_500_001),
        dt: 0.25,
        cubes: 12,
        drawn: 13,
        upload_bytes: 14,
        status: FrameStatus::Hidden,
    };

    fn file_of(runs: &[Vec<FrameSample>]) -> Vec<u8> {
        let mut file = Vec::new();
        write_samples(&mut file, runs.iter().map(Vec::as_slice)).unwrap();
        file
    }

    /// One run of two samples, one of none, and one of a single sample with the largest value of each
    /// type.
    fn runs() -> Vec<Vec<FrameSample>> {
        let largest = FrameSample {
            frame: i64::MAX as u64,
            gpu: Some(MAX_FLOAT_INTEGER),
            dt: f32::MAX,
            cubes: u32::MAX,
            status: FrameStatus::Suspended,
            ..SAMPLE
        };
        vec![vec![SAMPLE, FrameSample::default()], vec![], vec![largest]]
    }

    fn column<'a>(columns: &'a mut [Column], name: &str) -> &'a mut Column {
        columns.iter_mut().find(|column| column.name == name).unwrap()
    }

    /// Checks the error of reading three runs of a file with a change.
    #[track_caller]
    fn assert_refused(expected: &str, change: impl FnOnce(&mut [Column])) {
        let runs = runs();
        let mut columns = columns_of(runs.iter().map(Vec::as_slice)).unwrap();
        change(&mut columns);
        let mut file = Vec::new();
        write_columns(&mut file, &columns).unwrap();
        assert_eq!(read_samples(&file, 3).unwrap_err().to_string(), expected);
    }

    #[test]
    fn samples_are_read_exactly_and_further_runs_are_left_out() {
        let runs = runs();
        let file = file_of(&runs);
        assert_eq!(read_samples(&file, 3).unwrap(), runs);
        assert_eq!(read_samples(&file, 1).unwrap(), runs[..1]);
        assert_eq!(read_samples(&file, 4).unwrap()[3], []);
        assert_eq!(read_samples(&file_of(&[]), 1).unwrap(), [[]]);
    }

    #[test]
    fn each_value_is_in_the_column_of_its_name() {
        let columns = columns_of([&[], &[SAMPLE][..]]).unwrap();
        let array = "{'descr': '<i8', 'fortran_order': False, 'shape': (1,), }";
        let header = [b"\x93NUMPY\x01\0v\0", format!("{array:117}\n").as_bytes()].concat();
        assert_eq!(
            (columns[0].header(), header.len()),
            (header, HEADER_BYTES),
            "as NumPy writes it"
        );
        let columns = columns.into_iter().map(|column| {
            let value = match column.data_type {
                INT64 => i64::from_le_bytes(column.cells[0]).to_string(),
                _ => f64::from_le_bytes(column.cells[0]).to_string(),
            };
            format!("{} {value}", column.name)
        });
        let expected = "run 2, frame_ns 3000000, sim_ns 1, upload_ns 2, encode_ns 3, acquire_ns 4, \
                        submit_ns 5, present_ns 6, gpu_wait_ns 7, other_ns 8, gpu_ns 0, \
                        gpu_culling_ns 10, gpu_shadow_ns 11, gpu_scene_ns NaN, gpu_post_ns 2500001, dt_s 0.25, cubes 12, \
                        drawn 13, upload_bytes 14, status 2";
        assert_eq!(columns.collect::<Vec<_>>().join(", "), expected);
        assert_eq!(STATUSES.map(|status| status as u64), [0, 1, 2, 3]);
    }

    #[test]
    fn a_file_without_the_time_of_culling_is_read() {
        let mut columns = columns_of([&[SAMPLE, SAMPLE][..]]).unwrap();
        columns.retain(|column| column.name != CULLING);
        let mut file = Vec::new();
        write_columns(&mut file, &columns).unwrap();
        let expected = FrameSample { gpu_culling: None, ..SAMPLE };
        assert_eq!(read_samples(&file, 1).unwrap(), [[expected; 2]]);
        columns.retain(|column| column.name != "gpu_ns");
        let mut file = Vec::new();
        write_columns(&mut file, &columns).unwrap();
        let error = read_samples(&file, 1).unwrap_err().to_string();
        assert_eq!(error, "the column gpu_ns is missing");
    }

    #[test]
    fn values_that_lose_digits_are_not_written() {
        let too_large = Some(MAX_FLOAT_INTEGER + 1);
        for (sample, column) in [
            (FrameSample { frame: 1 << 63, ..SAMPLE }, "frame_ns"),
            (FrameSample { gpu_scene: too_large, ..SAMPLE }, "gpu_scene_ns"),
        ] {
            let error = write_samples(io::sink(), [[sample].as_slice()]).unwrap_err().to_string();
            assert_eq!(error, format!("a value of the column {column} is too large"));
        }
    }

    #[test]
    fn a_changed_or_missing_byte_changes_no_sample() {
        let runs = runs();
        let file = file_of(&runs);
        let mut refused = 0;
        for at in 0..file.len() {
            assert!(read_samples(&file[..at], 3).is_err(), "{at} bytes");
            let mut changed = file.clone();
            changed[at] ^= 0x41;
            match read_samples(&changed, 3) {
                Ok(samples) => assert_eq!(samples, runs, "byte {at}"),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > file.len() / 4, "{refused}");
    }

    #[test]
    fn other_columns_and_values_are_refused() {
        assert_refused("the column dt_s is missing", |columns| {
            column(columns, "dt_s").name = "dt".to_owned();
        });
        assert_refused("the column sim_ns has an unexpected format", |columns| {
            column(columns, "sim_ns").data_type = "<u8";
        });
        assert_refused("the column drawn has an unexpected format", |columns| {
            column(columns, "drawn").cells.truncate(2);
        });
        let invalid = |name: &str, value: Cell| {
            assert_refused(
                &format!("the column {name} has an invalid value in row 1"),
                |columns| {
                    column(columns, name).cells[1] = value;
                },
            );
        };
        invalid("run", 0_i64.to_le_bytes());
        invalid("frame_ns", (-1_i64).to_le_bytes());
        invalid("cubes", (1_i64 << 32).to_le_bytes());
        invalid("status", 4_i64.to_le_bytes());
        for dt in [0.1, -5.0, f64::NAN, f64::NEG_INFINITY] {
            invalid("dt_s", dt.to_le_bytes());
        }
        for time in [-1.0, 0.5, f64::INFINITY, (1_u64 << 54) as f64] {
            invalid("gpu_shadow_ns", time.to_le_bytes());
        }
        assert_refused("the column run has an invalid value in row 2", |columns| {
            columns[0].cells = [1, 3, 2].map(i64::to_le_bytes).to_vec();
        });
    }

    #[test]
    fn forged_size_allocates_nothing() {
        let mut zeros = DeflateEncoder::new(Vec::new(), Compression::fast());
        zeros.write_all(&vec![0; 16 << 20]).unwrap();
        let zeros = zeros.finish().unwrap();
        for (content, size, expected) in [
            (&zeros[..], 9, "the column run is damaged; use another copy"),
            (b"", 1 << 32, ""),
            (b"", u64::MAX, "not enough memory for the frame samples: "),
        ] {
            let mut archive = ZipArchiveWriter::new(Vec::new());
            let file = archive.new_file("run.npy").compression_method(CompressionMethod::DEFLATE);
            let (mut entry, _) = file.start().unwrap();
            entry.write_all(content).unwrap();
            entry.finish(DataDescriptorOutput::new(0, size)).unwrap();
            let file = archive.finish().unwrap();
            let mut result = Ok(Vec::new());
            let used = allocation_counter::measure(|| result = read_samples(&file, 1));
            assert!(used.bytes_max < 1 << 20, "{size}: {used:?}");
            let error = result.unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
