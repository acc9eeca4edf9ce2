//! Input files that would block: the program refuses them instead of waiting.

use std::path::Path;
use std::process::Command;

use super::program::{assert_fails, run};

#[test]
fn pipes_and_folders_are_refused_as_input_files() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let refused = |args: &[&str], path: &Path| {
        let name = path.to_str().unwrap();
        let args: Vec<_> = args.iter().map(|arg| if *arg == "FILE" { name } else { arg }).collect();
        assert_fails(&run(&args), 2, &[name, "expected a regular file"]);
    };
    for path in [&pipe, folder.path()] {
        refused(&["simulate", "--load", "FILE"], path);
        refused(&["simulate", "--scene", "FILE"], path);
        #[cfg(feature = "benchmark")]
        for command in [
            &["compare", "FILE", "FILE"][..],
            &["gate", "--baseline", "FILE", "--candidate", "FILE"],
        ] {
            refused(&[&["bench"], command].concat(), path);
        }
    }
    refused(&["simulate", "--scene", "FILE"], Path::new("/dev/tty"));
}
