//! Exports: every file read back by the rules of the program that it is for. The readers here share no code
//! with the writers.

#![cfg(feature = "benchmark")]

mod bencher;
mod capframex;
mod files;
mod fixtures;
mod hyperfine;
mod mangohud;
mod markdown;
#[path = "../cli/program.rs"]
#[expect(dead_code, reason = "the tests of the command line use all of it")]
mod program;
mod results;
mod trace;
