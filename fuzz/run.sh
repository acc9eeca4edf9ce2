#!/bin/sh
# Fuzzes the ECS with libFuzzer on stable Rust: ./fuzz/run.sh [SECONDS], 60 unless told otherwise.
set -eu
cd "$(dirname "$0")/.."
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS='-Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares'
RUSTFLAGS=$(echo $RUSTFLAGS)
target=$(rustc -vV | sed -n 's/^host: //p')
exec cargo run --release --package fuzz --bin ecs_model --target "$target" --target-dir target/fuzz -- \
    -max_total_time="${1:-60}" -max_len=1000 -print_final_stats=1
