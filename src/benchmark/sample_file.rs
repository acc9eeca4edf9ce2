//! Sample file: the frame samples of all runs as a `NumPy` archive, `frames.npz`.
//!
//! Every column is a compressed array that `numpy.load` reads. The size is about a sixth of that of JSON.
//!
//! | column | type | meaning |
//! |---|---|---|
//! | `run` | int64 | number of the run, from 1 and ascending |
//! | `frame_ns` | int64 | frame time |
//! | `sim_ns` and so on | int64 | time of each phase |
//! | `gpu_ns`, `gpu_shadow_ns`, `gpu_scene_ns`, `gpu_post_ns` | float64 | GPU times; NaN if unknown |
//! | `dt_s` | float64 | simulated time step |
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
use crate::memory::{self, MemoryError};

/// `NumPy` type of integers.
const INT64: &str = "<i8";
/// `NumPy` type of times that may be unknown, and of fractions.
const FLOAT64: &str = "<f8";

/// Size of the header of an array of any length, in bytes.
const HEADER_BYTES: usize = 128;

/// A float64 holds every integer up to this one. As a time in ns, it is 104 days.
const MAX_FLOAT_INTEGER: u64 = 1 << 53;

/// Bytes of memory that reading needs per byte of the arrays: the array, the sample, and while a vector of
/// samples grows, twice its size.
const MEMORY_FACTOR: u64 = 4;

/// All statuses of a frame.
const STATUSES: [FrameStatus; 4] =
    [FrameStatus::Valid, FrameStatus::Resized, FrameStatus::Hidden, FrameStatus::Suspended];

/// Reason why samples cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SampleFileError {
    /// The bytes are no zip archive, or the end is missing.
    #[error("not a NumPy archive, or incomplete")]
    NotAnArchive,
    /// The archive has no such column.
    #[error("the column {0} is missing")]
    MissingColumn(String),
    /// The bytes of a column are not those that were written.
    #[error("the column {column} is damaged: {reason}")]
    Damaged {
        /// Name of the column.
        column: String,
        /// Error of the decompression, or of the check afterwards.
        reason: io::Error,
    },
    /// A column is compressed in another way, or has another type or number of dimensions.
    #[error("the column {0} has an unexpected format")]
    Format(String),
    /// The columns have different lengths.
    #[error("the column {column} has {length} rows, others have {expected}")]
    Length {
        /// Name of the column.
        column: String,
        /// Its length.
        length: usize,
        /// Length of the first column.
        expected: usize,
    },
    /// A value is out of the range of its column, such as an unknown status.
    #[error("the column {column} has an invalid value in row {row}")]
    Value {
        /// Name of the column.
        column: String,
        /// Row, from 0.
        row: usize,
    },
    /// Run numbers do not ascend.
    #[error("the column run has {run} in row {row}, expected at least {first}")]
    RunNumber {
        /// Row, from 0.
        row: usize,
        /// Number in this row.
        run: u64,
        /// Number in the row before, or 1.
        first: u64,
    },
    /// Main memory does not suffice.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Writes the samples of all runs, and flushes.
///
/// # Errors
/// Writing fails, a GPU time is above 2^53 ns, or another value is above the maximum of an int64.
pub fn write_samples<'a>(
    to: impl Write,
    runs: impl IntoIterator<Item = &'a [FrameSample]>,
) -> io::Result<()> {
    write_columns(to, &columns_of(runs)?)
}

/// Reads the samples of a number of `runs`. Runs that are not in the file have no samples. Further ones are
/// left out: a benchmark that is killed between its two files has one run more here.
///
/// # Errors
/// The file was not written by [`write_samples`].
pub fn read_samples(file: &[u8], runs: usize) -> Result<Vec<Vec<FrameSample>>, SampleFileError> {
    let columns = read_columns(file)?;
    let rows = columns[0].cells.len();
    if let Some(Column { name, cells, .. }) = columns.iter().find(|c| c.cells.len() != rows) {
        let (column, length) = (name.clone(), cells.len());
        return Err(SampleFileError::Length { column, length, expected: rows });
    }
    let mut samples = vec![Vec::new(); runs];
    let (mut first, last) = (1, runs as u64);
    for row in 0..rows {
        let (run, sample) = RowReader { columns: columns.iter(), row }.read()?;
        if run < first {
            return Err(SampleFileError::RunNumber { row, run, first });
        }
        if run > last {
            break;
        }
        samples[run as usize - 1].push(sample);
        first = run;
    }
    Ok(samples)
}

/// A column. Each cell is the value in little-endian order.
struct Column {
    name: String,
    data_type: &'static str,
    cells: Vec<[u8; 8]>,
}

/// Returns all columns without cells.
fn empty_columns() -> Vec<Column> {
    let column = |data_type| {
        move |name: &str| Column { name: name.to_owned(), data_type, cells: Vec::new() }
    };
    let phases = FramePhase::ALL.map(|phase| format!("{}_ns", phase.name()));
    let first = ["run", "frame_ns"].into_iter().chain(phases.iter().map(String::as_str));
    let floats = ["gpu_ns", "gpu_shadow_ns", "gpu_scene_ns", "gpu_post_ns", "dt_s"];
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
fn cells(run: u64, sample: &FrameSample) -> impl Iterator<Item = Option<[u8; 8]>> {
    let FrameSample { frame, phases, gpu, gpu_shadow, gpu_scene, gpu_post, .. } = *sample;
    let FrameSample { dt, cubes, drawn, upload_bytes, status, .. } = *sample;
    let integer = |value| i64::try_from(value).ok().map(i64::to_le_bytes);
    let time = |time: Option<u64>| {
        let exact = time.is_none_or(|time| time <= MAX_FLOAT_INTEGER);
        exact.then_some(time.map_or(f64::NAN, |time| time as f64).to_le_bytes())
    };
    let times = [gpu, gpu_shadow, gpu_scene, gpu_post].map(time);
    let dt = Some(f64::from(dt).to_le_bytes());
    let last = [cubes.into(), drawn.into(), upload_bytes, status_code(status)];
    let first = [run, frame].into_iter().chain(phases).map(integer);
    first.chain(times).chain([dt]).chain(last.map(integer))
}

/// Reads the cells of one row in the order of columns.
struct RowReader<'a> {
    columns: std::slice::Iter<'a, Column>,
    row: usize,
}

impl RowReader<'_> {
    /// Returns the run number and the sample.
    fn read(mut self) -> Result<(u64, FrameSample), SampleFileError> {
        let run = self.next(integer)?;
        let frame = self.next(integer)?;
        let mut phases = [0; FramePhase::ALL.len()];
        for phase in &mut phases {
            *phase = self.next(integer)?;
        }
        // In the order of columns.
        let sample = FrameSample {
            frame,
            phases,
            gpu: self.next(time)?,
            gpu_shadow: self.next(time)?,
            gpu_scene: self.next(time)?,
            gpu_post: self.next(time)?,
            dt: self.next(seconds)?,
            cubes: self.next(integer)?,
            drawn: self.next(integer)?,
            upload_bytes: self.next(integer)?,
            status: self.next(status)?,
        };
        Ok((run, sample))
    }

    fn next<T>(
        &mut self,
        value: impl Fn([u8; 8]) -> Result<T, OutOfRange>,
    ) -> Result<T, SampleFileError> {
        let (column, row) = (self.columns.next().expect("a column for each value"), self.row);
        let invalid = |OutOfRange| SampleFileError::Value { column: column.name.clone(), row };
        value(column.cells[row]).map_err(invalid)
    }
}

/// No sample has this value.
struct OutOfRange;

fn integer<T: TryFrom<i64>>(cell: [u8; 8]) -> Result<T, OutOfRange> {
    i64::from_le_bytes(cell).try_into().map_err(|_| OutOfRange)
}

/// Returns a time in ns; `None` if it is unknown.
fn time(cell: [u8; 8]) -> Result<Option<u64>, OutOfRange> {
    let value = f64::from_le_bytes(cell);
    let is_exact = (0.0..=MAX_FLOAT_INTEGER as f64).contains(&value) && value.fract() == 0.0;
    let time = is_exact.then_some(value as u64);
    if time.is_some() || value.is_nan() { Ok(time) } else { Err(OutOfRange) }
}

fn seconds(cell: [u8; 8]) -> Result<f32, OutOfRange> {
    let value = f64::from_le_bytes(cell);
    let is_exact = value.is_nan() || f64::from(value as f32) == value;
    if is_exact { Ok(value as f32) } else { Err(OutOfRange) }
}

fn status(cell: [u8; 8]) -> Result<FrameStatus, OutOfRange> {
    let code: u64 = integer(cell)?;
    STATUSES.into_iter().find(|&status| status_code(status) == code).ok_or(OutOfRange)
}

fn status_code(status: FrameStatus) -> u64 {
    match status {
        FrameStatus::Valid => 0,
        FrameStatus::Resized => 1,
        FrameStatus::Hidden => 2,
        FrameStatus::Suspended => 3,
    }
}

fn write_columns(to: impl Write, columns: &[Column]) -> io::Result<()> {
    let mut archive = ZipArchiveWriter::new(to);
    columns.iter().try_for_each(|column| column.write(&mut archive)).map_err(io_error)?;
    archive.finish().map(drop).map_err(io_error)
}

fn read_columns(file: &[u8]) -> Result<Vec<Column>, SampleFileError> {
    let archive = ZipArchive::from_slice(file).map_err(|_| SampleFileError::NotAnArchive)?;
    let entries = archive.entries().collect::<Result<Vec<_>, _>>();
    let entries = entries.map_err(|_| SampleFileError::NotAnArchive)?;
    let sizes = entries.iter().map(ZipFileHeaderRecord::uncompressed_size_hint);
    let size = sizes.fold(0, u64::saturating_add);
    memory::check("the frame samples", size.saturating_mul(MEMORY_FACTOR))?;
    let columns = empty_columns().into_iter();
    columns.map(|column| column.read(&archive, &entries)).collect()
}

impl Column {
    /// Returns the name of the array in the archive.
    fn file_name(&self) -> String {
        format!("{}.npy", self.name)
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

    fn write<W: Write>(&self, archive: &mut ZipArchiveWriter<W>) -> Result<(), rawzip::Error> {
        let name = self.file_name();
        let file = archive.new_file(&name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start()?;
        // Times are mostly noise: the default level takes nine times as long and saves 9 % of the size.
        let mut array = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        array.write_all(&self.header())?;
        array.write_all(self.cells.as_flattened())?;
        let (encoder, checksum) = array.finish()?;
        encoder.finish()?;
        entry.finish(checksum)?;
        Ok(())
    }

    fn read(
        self,
        archive: &ZipSliceArchive<&[u8]>,
        entries: &[ZipFileHeaderRecord],
    ) -> Result<Self, SampleFileError> {
        let name = self.file_name();
        let found = entries.iter().find(|entry| entry.file_path().as_ref() == name.as_bytes());
        let found = found.ok_or_else(|| SampleFileError::MissingColumn(self.name.clone()))?;
        if found.compression_method() != CompressionMethod::DEFLATE {
            return Err(SampleFileError::Format(self.name));
        }
        match read_array(archive, found) {
            Ok(array) => self.parse(&array),
            Err(reason) => Err(SampleFileError::Damaged { column: self.name, reason }),
        }
    }

    fn parse(mut self, array: &[u8]) -> Result<Self, SampleFileError> {
        let (header, cells) = array.split_at(HEADER_BYTES.min(array.len()));
        self.cells = cells.as_chunks().0.to_vec();
        // The header has the length, so no other length passes.
        if header == self.header() { Ok(self) } else { Err(SampleFileError::Format(self.name)) }
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
    use proptest::prelude::*;
    use rawzip::DataDescriptorOutput;

    use super::*;

    fn sample() -> impl Strategy<Value = FrameSample> {
        let time = || prop_oneof![0..10_000_000_u64, 0..=i64::MAX as u64];
        let gpu = || prop::option::of(prop_oneof![0..10_000_000_u64, 0..=MAX_FLOAT_INTEGER]);
        let times = (time(), prop::array::uniform8(time()), [gpu(), gpu(), gpu(), gpu()]);
        let others = (any::<f32>(), any::<[u32; 2]>(), time(), prop::sample::select(&STATUSES));
        (times, others).prop_map(|((frame, phases, gpu), (dt, [cubes, drawn], bytes, status))| {
            let [gpu, gpu_shadow, gpu_scene, gpu_post] = gpu;
            let gpu = FrameSample { gpu, gpu_shadow, gpu_scene, gpu_post, ..Default::default() };
            FrameSample { frame, phases, dt, cubes, drawn, upload_bytes: bytes, status, ..gpu }
        })
    }

    fn file_of(runs: &[Vec<FrameSample>]) -> Vec<u8> {
        let mut file = Vec::new();
        write_samples(&mut file, runs.iter().map(Vec::as_slice)).unwrap();
        file
    }

    /// One run of two samples, one of none, and one of a single sample.
    fn runs() -> Vec<Vec<FrameSample>> {
        let first = FrameSample {
            frame: 3_000_000,
            phases: [1, 2, 3, 4, 5, 6, 7, 8],
            gpu: Some(0),
            gpu_post: Some(2_500_001),
            dt: 1.0 / 60.0,
            status: FrameStatus::Hidden,
            ..Default::default()
        };
        vec![vec![first, FrameSample::default()], vec![], vec![first]]
    }

    /// Reads three runs of a file with a change.
    fn error_after(change: impl FnOnce(&mut Vec<Column>)) -> String {
        let runs = runs();
        let mut columns = columns_of(runs.iter().map(Vec::as_slice)).unwrap();
        change(&mut columns);
        let mut file = Vec::new();
        write_columns(&mut file, &columns).unwrap();
        read_samples(&file, 3).unwrap_err().to_string()
    }

    fn find<'a>(columns: &'a mut [Column], name: &str) -> &'a mut Column {
        columns.iter_mut().find(|column| column.name == name).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 50, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn samples_are_read_exactly(
            runs in prop::collection::vec(prop::collection::vec(sample(), 0..20), 0..5),
        ) {
            prop_assert_eq!(read_samples(&file_of(&runs), runs.len()).unwrap(), runs);
        }
    }

    #[test]
    fn header_is_that_of_numpy() {
        let column = Column { name: String::new(), data_type: FLOAT64, cells: vec![[0; 8]; 3] };
        let array = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
        let expected = [b"\x93NUMPY\x01\0v\0", format!("{array:117}\n").as_bytes()].concat();
        assert_eq!(column.header(), expected);
        assert_eq!(expected.len(), HEADER_BYTES);
        assert_eq!(empty_columns()[0].header().len(), HEADER_BYTES);
    }

    #[test]
    fn each_value_is_in_the_column_of_its_name() {
        let sample = FrameSample {
            frame: 3_000_000,
            phases: [1, 2, 3, 4, 5, 6, 7, 8],
            gpu: Some(0),
            gpu_shadow: Some(11),
            gpu_scene: None,
            gpu_post: Some(2_500_001),
            dt: 0.25,
            cubes: 12,
            drawn: 13,
            upload_bytes: 14,
            status: FrameStatus::Hidden,
        };
        let columns = columns_of([&[], &[sample][..]]).unwrap().into_iter().map(|column| {
            let value = match column.data_type {
                INT64 => i64::from_le_bytes(column.cells[0]).to_string(),
                _ => f64::from_le_bytes(column.cells[0]).to_string(),
            };
            format!("{} {value}", column.name)
        });
        let expected = "run 2, frame_ns 3000000, sim_ns 1, upload_ns 2, encode_ns 3, acquire_ns 4, \
                        submit_ns 5, present_ns 6, gpu_wait_ns 7, other_ns 8, gpu_ns 0, \
                        gpu_shadow_ns 11, gpu_scene_ns NaN, gpu_post_ns 2500001, dt_s 0.25, cubes 12, \
                        drawn 13, upload_bytes 14, status 2";
        assert_eq!(columns.collect::<Vec<_>>().join(", "), expected);
        assert_eq!(STATUSES.map(status_code), [0, 1, 2, 3]);
    }

    #[test]
    fn values_that_lose_digits_are_not_written() {
        let write = |sample| write_samples(io::sink(), [[sample].as_slice()]);
        let frame = |frame| FrameSample { frame, ..Default::default() };
        let gpu = |time| FrameSample { gpu_scene: Some(time), ..Default::default() };
        write(frame(i64::MAX as u64)).unwrap();
        write(gpu(1 << 53)).unwrap();
        let error = write(frame(1 << 63)).unwrap_err().to_string();
        assert_eq!(error, "a value of the column frame_ns is too large");
        let error = write(gpu((1 << 53) + 1)).unwrap_err().to_string();
        assert_eq!(error, "a value of the column gpu_scene_ns is too large");
    }

    #[test]
    fn error_of_the_writer_keeps_its_kind() {
        let runs = runs();
        let size = file_of(&runs).len();
        // Before the last byte, only the final flush fails.
        for space in [0, 99, size / 2, size - 1] {
            let mut space = vec![0; space];
            let to = io::BufWriter::with_capacity(size, space.as_mut_slice());
            let error = write_samples(to, runs.iter().map(Vec::as_slice)).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::WriteZero);
        }
    }

    #[test]
    fn repeated_values_are_compressed() {
        let file = file_of(&[vec![runs()[0][0]; 10_000]]);
        assert!(file.len() < 30_000, "{} bytes instead of 1.5 MB", file.len());
    }

    #[test]
    fn incomplete_file_is_refused() {
        let file = file_of(&runs());
        for length in 0..file.len() {
            let error = read_samples(&file[..length], 3).unwrap_err();
            assert!(matches!(error, SampleFileError::NotAnArchive), "{length}: {error}");
        }
    }

    #[test]
    fn a_changed_byte_changes_no_sample() {
        let runs = runs();
        let file = file_of(&runs);
        let mut refused = 0;
        for at in 0..file.len() {
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
    fn missing_column_is_named() {
        let error = error_after(|columns| find(columns, "dt_s").name = "dt".to_owned());
        assert_eq!(error, "the column dt_s is missing");
    }

    #[test]
    fn other_types_and_lengths_are_refused() {
        let error = error_after(|columns| find(columns, "sim_ns").data_type = "<u8");
        assert_eq!(error, "the column sim_ns has an unexpected format");
        let error = error_after(|columns| find(columns, "drawn").cells.truncate(2));
        assert_eq!(error, "the column drawn has 2 rows, others have 3");
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let change = |name: &str, value: [u8; 8]| {
            let error = error_after(|columns| find(columns, name).cells[1] = value);
            assert_eq!(error, format!("the column {name} has an invalid value in row 1"));
        };
        change("frame_ns", (-1_i64).to_le_bytes());
        change("cubes", (1_i64 << 32).to_le_bytes());
        change("status", 4_i64.to_le_bytes());
        change("dt_s", 0.1_f64.to_le_bytes());
        for time in [-1.0, 0.5, f64::INFINITY, (1_u64 << 54) as f64] {
            change("gpu_shadow_ns", time.to_le_bytes());
        }
    }

    #[test]
    fn further_runs_are_left_out() {
        let [first, second] = [1, 2].map(|frame| FrameSample { frame, ..FrameSample::default() });
        let mut file = Vec::new();
        write_samples(&mut file, [&[first][..], &[second]]).unwrap();
        assert_eq!(read_samples(&file, 1).unwrap(), [[first]]);
    }

    #[test]
    fn run_numbers_must_ascend() {
        let numbers = |numbers: [i64; 3]| {
            error_after(|columns| columns[0].cells = numbers.map(i64::to_le_bytes).to_vec())
        };
        assert_eq!(numbers([1, 3, 2]), "the column run has 2 in row 2, expected at least 3");
        assert_eq!(numbers([0, 1, 1]), "the column run has 0 in row 0, expected at least 1");
    }

    /// Writes an archive whose first column has this content, compressed or not.
    fn forged(method: CompressionMethod, content: &[u8], size: u64) -> Vec<u8> {
        let mut archive = ZipArchiveWriter::new(Vec::new());
        let file = archive.new_file("run.npy").compression_method(method);
        let (mut entry, _) = file.start().unwrap();
        entry.write_all(content).unwrap();
        entry.finish(DataDescriptorOutput::new(0, size)).unwrap();
        archive.finish().unwrap()
    }

    #[test]
    fn damaged_content_is_refused() {
        let read = |method, size| {
            let file = forged(method, b"\xff\xff\xff", size);
            read_samples(&file, 1).unwrap_err().to_string()
        };
        let error = read(CompressionMethod::DEFLATE, 9);
        assert!(error.starts_with("the column run is damaged: "), "{error}");
        let error = read(CompressionMethod::STORE, 3);
        assert_eq!(error, "the column run has an unexpected format");
    }

    #[test]
    fn forged_size_allocates_nothing() {
        let mut zeros = DeflateEncoder::new(Vec::new(), Compression::fast());
        zeros.write_all(&vec![0; 16 << 20]).unwrap();
        let zeros = zeros.finish().unwrap();
        for (content, size) in [(&zeros[..], 9), (b"", 1 << 32), (b"", u64::MAX)] {
            let file = forged(CompressionMethod::DEFLATE, content, size);
            let mut result = Ok(Vec::new());
            let used = allocation_counter::measure(|| result = read_samples(&file, 1));
            assert!(used.bytes_max < 1 << 20, "{size}: {used:?}");
            let error = result.unwrap_err();
            assert!(size < u64::MAX || matches!(error, SampleFileError::Memory(_)), "{error}");
        }
    }
}
