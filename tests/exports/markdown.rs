//! The summary for people: tables that stay tables, whatever is in their cells.

use cubefall::benchmark::ExportFormat;

use crate::result::{first, plain_frame, result, run};

/// The cells of a row of a table, as GitHub splits it: at bars without a backslash before them.
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
fn tables_have_as_many_cells_in_every_row_and_hold_the_figures() {
    let runs = [7, 2, 3].map(|ms| run(vec![plain_frame(ms * 1_000_000); 200]));
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
    assert_eq!(tables[0][0], ["ms", "median", "p95", "p99", "max", "run to run"]);
    // 200 frames are enough for p95 and too few for p99; the runs are 5 ms apart, at 3.
    let frame = tables[0].iter().find(|row| row[0] == "frame").unwrap();
    assert_eq!(frame[1..], ["3.000", "3.000", "-", "3.000", "166.7 %"]);
    let value = |what: &str| {
        let mut rows = tables.iter().flatten();
        rows.find(|row| row[0].starts_with(what)).map(|row| row[1].clone()).unwrap()
    };
    assert_eq!(value("average"), "333.3 fps");
    assert_eq!(value("time in frames too long for 144 Hz"), "0.0 %");
    assert_eq!(value("memory"), "8.0 GiB");
    assert_eq!(value("measured"), "2023-11-14T22:13:20Z by cubefall 0.1.0, debug build");
    assert_eq!(value("adapter"), "adapter a, \"b\" = //c | <d> fps", "as it is");
}

#[test]
fn warnings_are_a_list_of_one_line_each() {
    let text = first(ExportFormat::Markdown, &result(vec![]));
    let warnings: Vec<_> = text.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(warnings, [r#"- warning a, "b" = //c \| \<d\> fps"#]);
    assert!(text.contains("0 of 0 runs"), "{text}");
}
