//! Exports: every file read back by the rules of the program it is for, which are written down here
//! once more and know nothing of the writer.

#![cfg(feature = "benchmark")]

mod bencher;
mod capframex;
mod files;
mod hyperfine;
mod mangohud;
mod markdown;
#[path = "../cli/program.rs"]
mod program;
mod result;
mod trace;
