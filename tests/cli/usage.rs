//! Usage errors and help.

use crate::program::{assert_fails, run, stderr, stdout};

#[test]
fn invalid_values_are_usage_errors_that_list_the_choices() {
    let mode = run(&["simulate", "--mode", "up"]);
    assert_fails(&mode, 2, &["possible values", "cubes-fall", "camera-falls"]);
    for count in ["0", "-5", "ten", "4000000000", "1.5", ""] {
        let output = run(&["simulate", &format!("--cubes={count}")]);
        assert_fails(&output, 2, &["--cubes", "1 to 100M", "10k"]);
    }
    for dt in ["0", "-1", "nan", "inf", "3600", "1/0"] {
        assert_fails(&run(&["simulate", &format!("--dt={dt}")]), 2, &["--dt", "0.25"]);
    }
    assert_fails(&run(&["simulate", "--dt=soon"]), 2, &["--dt", "1/60"]);
    assert_fails(
        &run(&["simulate", "--threads=0"]),
        2,
        &["--threads", "a whole number from 1 to 256"],
    );
    assert_fails(&run(&["simulate", "--frames=99999999"]), 2, &["--frames", "0 to 10,000,000"]);
    for (flag, value) in
        [("--cubes", "-5"), ("--seed", "-1"), ("--frames", "-5"), ("--dt", "-1/60")]
    {
        assert_fails(&run(&["simulate", flag, value]), 2, &["invalid value", flag, value]);
    }
    assert_fails(&run(&["simulate", "--color"]), 2, &["--color"]);
    assert_fails(&run(&["fall"]), 2, &["fall"]);
}

#[test]
fn help_has_commands_examples_and_exit_codes() {
    let text = stdout(&run(&["--help"]));
    for expected in ["simulate", "Examples:", "--json", "Exit codes"] {
        assert!(text.contains(expected), "{expected} is missing in: {text}");
    }
    assert_eq!(stdout(&run(&["--version"])), concat!("cubefall ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn messages_have_no_terms_of_the_language_and_name_a_file_once() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.json");
    let path = scene.to_str().unwrap();
    let wrong = |text: &str| {
        std::fs::write(&scene, text).unwrap();
        stderr(&run(&["simulate", "--scene", path]))
    };
    let outputs = [
        stderr(&run(&["simulate", "--frames", "many"])),
        stderr(&run(&["simulate", "--seed", "x"])),
        stderr(&run(&["simulate", "--load", path])),
        stderr(&run(&["simulate", "--frames", "0", "--save", "no such folder/a"])),
        stderr(&run(&["simulate", "--scene", path])),
        wrong("{\"version\": 1, \"name\": \"a\", \"seed\": -1}"),
        wrong("{\"version\": 1, \"name\": "),
        wrong("[]"),
    ];
    for message in outputs {
        for jargon in [
            "invalid digit",
            "u64",
            "u32",
            "EOF",
            "entity not found",
            "os error",
            "sequence",
            "integer",
        ] {
            assert!(!message.contains(jargon), "{message}");
        }
        assert!(message.matches(path).count() <= 1, "{message}");
    }
}

#[test]
fn a_mistyped_scene_is_answered_with_a_similar_name() {
    let answer = |flags: &[&str]| stderr(&run(flags));
    assert!(answer(&["simulate", "--scene", "galaxi"]).contains("did you mean galaxy?"));
    assert!(answer(&["scenes", "galaxi"]).contains("'galaxy'"));
    assert!(!answer(&["simulate", "--scene", "nowhere"]).contains("did you mean"));
}

#[test]
fn missing_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such");
    let file = missing.join("a.bin");
    let saved = run(&["simulate", "--frames", "0", "--save", file.to_str().unwrap()]);
    assert_fails(&saved, 5, &[&format!("the folder {} does not exist", missing.display())]);
}

#[test]
fn help_wraps_at_80_columns() {
    let mut pages: Vec<Vec<&str>> = vec![vec![], vec!["simulate"], vec!["scenes"], vec!["man"]];
    if cfg!(feature = "benchmark") {
        pages.extend([vec!["bench"], vec!["bench", "ab"], vec!["bench", "sweep"]]);
    }
    if cfg!(feature = "record") {
        pages.extend([vec!["record"], vec!["render"], vec!["adapters"]]);
    }
    for page in pages {
        let args = [&page[..], &["--help"]].concat();
        let help = crate::program::cubefall(&args).env("COLUMNS", "80").output().unwrap();
        let help = stdout(&help);
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        // Lines that were broken by hand stay as they are.
        let wide = crate::program::cubefall(&args).env("COLUMNS", "300").output().unwrap();
        let wide = stdout(&wide);
        let by_hand = ["Examples:", "Formats:", "Exit codes:"].map(|it| wide.find(it));
        let Some(start) = by_hand.into_iter().flatten().min() else { continue };
        for line in wide[start..].lines() {
            assert!(line.chars().count() <= 80 && help.contains(line), "{line}");
        }
    }
}

#[cfg(all(feature = "app", feature = "record"))]
#[test]
fn documents_name_every_flag() {
    let documents = [
        include_str!("../../docs/options.md"),
        include_str!("../../docs/benchmark.md"),
        include_str!("../../docs/benchmark-files.md"),
        include_str!("../../docs/scores.md"),
        include_str!("../../docs/scenes.md"),
    ];
    let mut flags = 0;
    let commands = ["", "render", "record", "simulate", "scenes", "adapters", "man"];
    let bench =
        ["run", "sweep", "suite", "ab", "aa", "compare", "gate", "report", "export", "doctor"];
    let bench = bench.map(|name| format!("bench {name}"));
    for page in commands.into_iter().chain(bench.iter().map(String::as_str)) {
        let help = stdout(&run(&page.split_whitespace().chain(["--help"]).collect::<Vec<_>>()));
        for line in help.lines().map(str::trim_start).filter(|line| line.starts_with('-')) {
            let Some(flag) = line.split([' ', ',', '=']).find(|it| it.starts_with("--")) else {
                continue;
            };
            flags += 1;
            let is_named = documents.iter().any(|text| text.contains(&format!("`{flag}")))
                || documents.iter().any(|text| text.contains(&format!(" {flag} ")));
            let is_usual = ["--help", "--version"].contains(&flag);
            assert!(is_named || is_usual, "{flag} of {page} is missing in docs/options.md");
        }
    }
    assert!(flags > 100, "{flags}");
}

#[test]
fn completions_know_subcommands_and_flags() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = stdout(&run(&["completions", shell]));
        assert!(script.contains("simulate") && script.contains("cubes"), "{script}");
        // Those are for tests.
        assert!(!script.contains("inject"), "{script}");
    }
    assert_fails(&run(&["completions", "dos"]), 2, &["possible values", "bash"]);
}

/// Bash completes `cubefall sim` by the script.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_a_subcommand() {
    let script = stdout(&run(&["completions", "bash"]));
    let test = format!(
        "{script}\nCOMP_WORDS=(cubefall sim); COMP_CWORD=1; _cubefall cubefall sim cubefall; \
         echo \"${{COMPREPLY[*]}}\""
    );
    let output = std::process::Command::new("bash").args(["-c", &test]).output().unwrap();
    assert_eq!(stdout(&output), "simulate\n");
    let test = format!(
        "{script}\nCOMP_WORDS=(cubefall --scene gal); COMP_CWORD=2; _cubefall cubefall gal --scene; \
         echo \"${{COMPREPLY[*]}}\""
    );
    let output = std::process::Command::new("bash").args(["-c", &test]).output().unwrap();
    assert_eq!(stdout(&output), "galaxy\n");
    // Else names with spaces become several.
    assert!(!script.contains("compgen -f"));
}

#[test]
fn scripts_of_other_shells_complete_names_of_scenes() {
    let zsh = stdout(&run(&["completions", "zsh"]));
    assert!(
        zsh.contains("'scenes:scene:(classic ") && zsh.contains(":FILE|NAME:_cubefall_scenes'")
    );
    assert!(!zsh.contains("FILE|NAME:_default"));
    let fish = stdout(&run(&["completions", "fish"]));
    let mut scenes = fish.lines().filter(|line| line.contains(" -l scene ")).peekable();
    assert!(scenes.peek().is_some());
    assert!(scenes.all(|line| line.contains(" -n \"") && line.contains(" -r -F -a \"classic ")));
    assert!(fish.contains(" schema\" -f -a \"result sweep suite baseline\""));
}

#[test]
fn no_tip_names_a_flag_that_the_help_does_not_list() {
    for args in [&["--inspector", "off"][..], &["render", "--inject-losses"]] {
        let output = run(args);
        assert_fails(&output, 2, &["unexpected argument"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("--inject'"), "{text}");
    }
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH cubefall 1") && page.contains("Exit codes"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stdout(&run(&["man", folder.path().to_str().unwrap()])), "");
    let simulate = std::fs::read_to_string(folder.path().join("cubefall-simulate.1")).unwrap();
    assert!(simulate.contains("threads"), "{simulate}");
    let record = std::fs::read_to_string(folder.path().join("cubefall-record.1")).unwrap();
    assert!(record.contains(r"[OPTIONS] \-\-out <FILE>"), "{record}");
    let place = format!("1 \" \" \"cubefall {}\"", env!("CARGO_PKG_VERSION"));
    for page in [&page, &simulate] {
        assert!(page.contains(&place) && !page.contains(".SH EXTRA"), "{page}");
    }
    let tables = page.split(".SH NOTES\n.nf\n").nth(1).unwrap();
    assert!(tables.split(".fi\n").next().unwrap().contains("\nExit codes:\n"), "{page}");
    assert_eq!(std::fs::read_to_string(folder.path().join("cubefall.1")).unwrap(), page);
    let missing = folder.path().join("missing");
    let missing = run(&["man", missing.to_str().unwrap()]);
    assert_fails(&missing, 5, &["cannot write", "does not exist"]);
}
