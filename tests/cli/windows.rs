//! What differs on Windows: the manifest of the program, and files that are open or read-only.

use std::fs::{self, OpenOptions};
use std::os::windows::fs::OpenOptionsExt;

use super::program::{assert_fails, names, run};

#[test]
fn the_manifest_opens_no_console_after_a_double_click() {
    let program = fs::read(env!("CARGO_BIN_EXE_cubefall")).unwrap();
    // Linkers may format the manifest again.
    let policy = b">detached</";
    assert!(program.windows(policy.len()).any(|part| part == policy));
}

#[test]
fn a_file_that_another_program_holds_open_or_a_read_only_one_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state");
    fs::write(&path, "before").unwrap();
    let save = || run(&["simulate", "--cubes=5", "--frames=1", "--save", path.to_str().unwrap()]);
    let exclusive = OpenOptions::new().read(true).share_mode(0).open(&path).unwrap();
    assert_fails(&save(), 5, &["cannot write", "state"]);
    drop(exclusive);

    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    assert_fails(&save(), 5, &["cannot write", "state"]);
    assert_eq!(fs::read(&path).unwrap(), b"before");
    assert_eq!(names(folder.path()), ["state"]);

    #[expect(clippy::permissions_set_readonly_false, reason = "Windows has only this attribute")]
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
    assert!(save().status.success());
    assert_ne!(fs::read(&path).unwrap(), b"before");
}
