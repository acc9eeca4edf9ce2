//! The log of `MangoHud`, read like mangoplot (a5e7dc7) and `FlightlessSomething` read it.

use cubefall::benchmark::{ClockRate, ExportFormat, FrameSample, Readings, RunResult, Sensors};

use crate::fixtures::{ends, exported, first, plain_frame, result, run, varied_run, whole};

/// From `writeFileHeaders` in `logging.cpp` of `MangoHud`.
const COLUMNS: [&str; 16] = [
    "fps",
    "frametime",
    "cpu_load",
    "cpu_power",
    "gpu_load",
    "cpu_temp",
    "gpu_temp",
    "gpu_core_clock",
    "gpu_mem_clock",
    "gpu_vram_used",
    "gpu_power",
    "ram_used",
    "swap_used",
    "process_rss",
    "cpu_mhz",
    "elapsed",
];

/// Reads like mangoplot: Python's `csv`, where the first row with a cell `fps` names the columns.
fn mangoplot(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows: Vec<Vec<String>> =
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let names = rows.iter().position(|row| row.iter().any(|cell| cell == "fps")).unwrap();
    let data = rows.split_off(names + 1);
    (rows.remove(names), data)
}

#[test]
fn the_system_rows_can_be_split_at_every_comma() {
    let text = first(ExportFormat::MangoHud, &result(vec![varied_run()]));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("os,cpu,gpu,ram,kernel,driver,cpuscheduler"));
    let values: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(values.len(), 7, "{values:?}");
    for (value, begins) in values.iter().zip(["system a", "processor a", "adapter a"]) {
        assert!(value.starts_with(begins) && !value.contains('"'), "{value}");
    }
    // CapFrameX needs a number of KiB.
    assert_eq!(values[3].parse(), Ok(8 * 1024 * 1024));
    assert_eq!(values[4..], ["6.1.0", "", ""]);
    assert_eq!(lines.next().unwrap().split(',').collect::<Vec<_>>(), COLUMNS);
}

#[test]
fn no_cell_is_a_formula() {
    let mut result = result(vec![varied_run()]);
    result.machine.os = "=cmd|'/C calc'!A0".to_owned();
    result.runs[0].adapter = "-@+GPU".to_owned();
    let text = first(ExportFormat::MangoHud, &result);
    let cells: Vec<_> = text.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((cells[0], cells[2]), ("cmd|'/C calc'!A0", "GPU"));
}

#[test]
fn each_valid_frame_is_a_row_and_elapsed_includes_the_others() {
    let varied = varied_run();
    let (columns, rows) = mangoplot(&first(ExportFormat::MangoHud, &result(vec![varied.clone()])));
    assert_eq!(columns, COLUMNS);
    let expected = ends(&varied);
    assert_eq!((rows.len(), expected.len()), (57, 57), "60 frames, three of them invalid");
    for (row, (end, sample)) in rows.iter().zip(expected) {
        assert_eq!(row.len(), COLUMNS.len());
        let [fps, ms]: [f64; 2] = [&row[0], &row[1]].map(|cell| cell.parse().unwrap());
        assert_eq!(whole(ms * 1e6), sample.frame);
        assert!((fps * ms - 1000.0).abs() < 1e-6, "{row:?}");
        assert_eq!(row[15].parse(), Ok(end), "whole nanoseconds");
        assert!(row[2..15].iter().all(String::is_empty), "{row:?}");
    }
}

#[test]
fn sensors_of_the_run_are_in_each_row() {
    let clock = ClockRate { lowest_mhz: 1000.0, mean_mhz: 3399.6, highest_mhz: 4000.0 };
    let cpu = Readings { clock: Some(clock), watts: Some(35.06), ..Readings::default() };
    let gpu = Readings { celsius: Some(64.4), clock: Some(ClockRate::at(1800.0)), ..cpu };
    let gpu = Readings { watts: Some(120.0), ..gpu };
    let cpu = Readings { celsius: Some(71.0), ..cpu };
    let run = RunResult { sensors: Sensors { cpu, gpu }, ..varied_run() };
    let (columns, rows) = mangoplot(&first(ExportFormat::MangoHud, &result(vec![run])));
    for row in &rows {
        assert_eq!(row.len(), COLUMNS.len());
        let known = columns.iter().zip(row).skip(2).filter(|(_, cell)| !cell.is_empty());
        let known: Vec<_> = known.map(|(name, cell)| format!("{name} {cell}")).collect();
        let cells = "cpu_power 35.1,cpu_temp 71,gpu_temp 64,gpu_core_clock 1800,gpu_power 120.0,cpu_mhz 3400";
        assert!(known.join(",").starts_with(&format!("{cells},elapsed ")), "{known:?}");
    }
}

#[test]
fn each_run_is_a_file_without_frames_of_zero_time() {
    let runs = [2, 3].map(|ms| run(vec![plain_frame(ms * 1_000_000), FrameSample::default()]));
    let files = exported(ExportFormat::MangoHud, &result(runs.into()));
    let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["mangohud-1.csv", "mangohud-2.csv"]);
    let rates = files.iter().map(|(_, text)| mangoplot(text).1);
    let rates: Vec<_> =
        rates.map(|rows| (rows.len(), rows[0][0].parse::<f64>().unwrap())).collect();
    assert_eq!(rates, [(1, 500.0), (1, 1000.0 / 3.0)]);
}
