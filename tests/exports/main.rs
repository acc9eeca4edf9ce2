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
mod program;
mod results;
mod trace;
