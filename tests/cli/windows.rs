//! What only Windows has.

#[test]
fn the_program_has_a_manifest_that_opens_no_console_on_a_double_click() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_cubefall")).unwrap();
    let manifest = include_bytes!("../../windows/cubefall.exe.manifest");
    assert!(program.windows(manifest.len()).any(|part| part == manifest));
}
