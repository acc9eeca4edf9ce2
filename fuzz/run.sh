#!/bin/sh
# Fuzzes with libFuzzer on stable Rust: ./fuzz/run.sh [SECONDS [TARGET]], 60 seconds and the ECS
# (ecs_model) unless told otherwise; scene_file is the reader of scene files.
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
fuzzed=${2:-ecs_model}
case $fuzzed in
scene_file)
    # New finds go to the first folder; the scenes that come with the program are to start from.
    mkdir -p target/fuzz/scene_file
    set -- "${1:-60}" 4000 target/fuzz/scene_file scenes
    ;;
*) set -- "${1:-60}" 1000 ;;
esac
seconds=$1 longest=$2
shift 2
exec cargo run --release --package fuzz --bin "$fuzzed" --target "$target" --target-dir target/fuzz -- \
    -max_total_time="$seconds" -max_len="$longest" -print_final_stats=1 "$@"
