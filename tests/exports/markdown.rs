//! The Markdown summary, whose tables keep their columns whatever their cells contain.

use cubefall::benchmark::ExportFormat;

use crate::fixtures::{first, plain_frame, result, run};

/// Splits a table row into cells like GitHub: at bars without a backslash.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = line.trim().trim_start_matches('|').chars();
    while let Some(c) = chars.next() {
        let cell = cells.last_mut().unwrap();
        match c {
            '\\' => cell.extend(chars.next()),
            '|' => cells.push(String::new()),
            _ => cell.push(c),
        }
    }
    assert_eq!(cells.pop().as_deref(), Some(""), "a row ends with a bar: {line}");
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn tables_have_equally_many_cells_per_row_and_the_statistics() {
    let mut runs = [7, 2, 3].map(|ms| run(vec![plain_frame(ms * 1_000_000); 200]));
    runs[0].sensors.cpu.watts = Some(35.0);
    let text = first(ExportFormat::Markdown, &result(runs.into()));
    let tables: Vec<Vec<_>> = text
        .split("\n\n")
        .filter(|block| block.starts_with('|'))
        .map(|block| block.lines().map(cells).collect())
        .collect();
    assert_eq!(tables.len(), 3, "{text}");
    for table in &tables {
        assert!(table[1].iter().all(|rule| rule.contains("--")), "{:?}", table[1]);
        assert!(table.iter().all(|row| row.len() == table[0].len()), "{table:?}");
    }
    assert_eq!(tables[0][0], ["ms", "median", "p95", "p99", "max", "run-to-run spread"]);
    // 200 frames are enough for p95 and too few for p99. The medians span 5 ms, around 3 ms; the maximum is
    // that of all runs.
    let frame = tables[0].iter().find(|row| row[0] == "frame").unwrap();
    assert_eq!(frame[1..], ["3.000", "3.000", "-", "7.000", "166.7 %"]);
    let value = |what: &str| {
        let mut rows = tables.iter().flatten();
        rows.find(|row| row[0].starts_with(what)).map(|row| row[1].clone()).unwrap()
    };
    assert_eq!(value("average"), "333.3 fps");
    assert!(value("time over budget").contains("144 Hz 0.0 %"));
    assert_eq!(value("CPU power"), "35.0 W");
    assert_eq!(value("memory"), "8.0 GiB");
    assert_eq!(value("started"), "2023-11-14 22:13 UTC");
    assert_eq!(value("program"), "Cubefall 0.1.0, debug build");
    assert_eq!(value("adapter"), "adapter a, \"b\" = //c | <d> fps", "unescaped");
}

#[test]
fn each_warning_is_one_escaped_line() {
    let text = first(ExportFormat::Markdown, &result(vec![]));
    let warnings: Vec<_> = text.lines().filter(|line| line.starts_with("- warning")).collect();
    assert_eq!(warnings, [r#"- warning a, "b" = //c \| \<d\> fps"#]);
    assert!(text.contains("0 of 0 runs"), "{text}");
}
