//! The table of `CapFrameX`, read like its `RecordManager` and `FileRecordInfo` (3ba66ff) read it.

use std::collections::HashMap;

use cubefall::benchmark::{ExportFormat, RunResult};
use cubefall::render::PresentMode;

use crate::fixtures::{ends, first, presentation, result, varied_run, whole};

struct Capture {
    info: HashMap<String, String>,
    rows: Vec<HashMap<String, String>>,
}

/// Lines with `//` are the header: a key and a value up to the next `=`, each key once. The column names
/// follow and start with `Application`. Rows are split at every comma.
fn read(text: &str) -> Capture {
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.len() > 40, "CapFrameX refuses files of 40 lines or fewer");
    let header = lines.iter().take_while(|line| line.contains("//")).count();
    let mut info = HashMap::new();
    for line in &lines[..header] {
        let line = line.replace("//", "");
        let parts: Vec<_> = line.split('=').collect();
        assert_eq!(parts.len(), 2, "the value is cut off: {line}");
        assert!(info.insert(parts[0].to_owned(), parts[1].to_owned()).is_none(), "{line}");
    }
    assert!(lines[header].starts_with("Application"));
    let columns: Vec<_> = lines[header].split(',').map(str::trim).collect();
    let rows = lines[header + 1..].iter().map(|line| {
        assert!(!line.contains('"') && !line.contains("//"), "{line}");
        let cells: Vec<_> = line.split(',').collect();
        assert_eq!(cells.len(), columns.len(), "{line}");
        columns
            .iter()
            .zip(cells)
            .map(|(name, cell)| ((*name).to_owned(), cell.to_owned()))
            .collect()
    });
    Capture { info, rows: rows.collect() }
}

fn ns(row: &HashMap<String, String>, column: &str) -> Option<u64> {
    let cell = &row[column];
    (cell != "NA").then(|| whole(cell.parse::<f64>().unwrap() * 1e6))
}

#[test]
fn the_header_describes_the_machine_and_can_be_edited() {
    let text = first(ExportFormat::CapFrameX, &result(vec![varied_run()]));
    let Capture { info, .. } = read(&text);
    assert_eq!(info["CreationDate"], "2023-11-14");
    assert_eq!(info["CreationTime"], "22:13:20Z");
    assert_eq!(info["System RAM"], "8.0 GiB");
    assert_eq!(info["ProcessName"], "cubefall");
    assert!(info["Processor"].starts_with("processor a") && info["OS"].starts_with("system a"));
    assert!(info["Comment"].contains("200 cubes") && info["Comment"].contains("64x48"));
    // CapFrameX replaces the first line that contains the key.
    for key in ["Processor", "GPU", "System RAM", "GameName", "Comment"] {
        let line = text.lines().find(|line| line.contains(key)).unwrap();
        assert!(line.starts_with(&format!("//{key}=")), "{line}");
    }
}

#[test]
fn each_valid_frame_is_a_row_with_na_for_unknown_values() {
    let varied = varied_run();
    let Capture { rows, .. } = read(&first(ExportFormat::CapFrameX, &result(vec![varied.clone()])));
    let expected = ends(&varied);
    assert_eq!(rows.len(), expected.len());
    for (row, (end, sample)) in rows.iter().zip(expected) {
        assert_eq!(row["Application"], "cubefall");
        // CapFrameX takes anything but a whole number for a dropped frame.
        assert_eq!(row["Dropped"].parse(), Ok(0));
        let seconds: f64 = row["TimeInSeconds"].parse().unwrap();
        assert_eq!(whole(seconds * 1e9), end);
        assert_eq!(ns(row, "MsBetweenPresents"), Some(sample.frame));
        assert_eq!(ns(row, "MsGPUBusy"), sample.gpu);
        // The phases of work, without acquire, present and gpu_wait.
        let [sim, upload, encode, _, submit, present, _, other] = sample.phases;
        assert_eq!(ns(row, "MsCPUBusy"), Some(sim + upload + encode + submit + other));
        assert_eq!(ns(row, "MsInPresentAPI"), Some(present));
        assert_eq!(row["AllowsTearing"], "1");
        for unknown in [
            "ProcessID",
            "SwapChainAddress",
            "Runtime",
            "SyncInterval",
            "PresentFlags",
            "PresentMode",
            "MsBetweenDisplayChange",
            "MsUntilRenderComplete",
            "MsUntilDisplayed",
        ] {
            assert_eq!(row[unknown], "NA", "{unknown}");
        }
    }
    assert!(
        rows.iter().any(|row| row["MsGPUBusy"] == "NA"),
        "the GPU time of some frames is unknown"
    );
}

#[test]
fn tearing_follows_the_present_mode_and_is_unknown_off_screen() {
    let off_screen = RunResult { presentation: None, ..varied_run() };
    let Capture { rows, .. } = read(&first(ExportFormat::CapFrameX, &result(vec![off_screen])));
    for column in ["MsInPresentAPI", "AllowsTearing"] {
        assert!(rows.iter().all(|row| row[column] == "NA"), "{column}");
    }
    for (mode, tears) in
        [(PresentMode::Fifo, "0"), (PresentMode::Mailbox, "0"), (PresentMode::FifoRelaxed, "1")]
    {
        let run = RunResult { presentation: Some(presentation(mode)), ..varied_run() };
        let Capture { rows, .. } = read(&first(ExportFormat::CapFrameX, &result(vec![run])));
        assert_eq!(rows[0]["AllowsTearing"], tears, "{mode}");
    }
}
