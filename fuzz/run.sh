#!/bin/sh
# Fuzzes with libFuzzer on stable Rust: ./fuzz/run.sh [SECONDS [TARGET]], by default 60 seconds and the ECS
# (ecs_model); scene_file is the reader of scene files.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
# libFuzzer reads any other word as 0: no limit.
case ${1:-60} in *[!0-9]*) set -- . . . ;; esac
[ $# -le 2 ] || { echo "usage: $0 [SECONDS [ecs_model | scene_file]]" >&2; exit 2; }
export RUSTC_BOOTSTRAP=1
RUSTFLAGS='-Cpasses=sancov-module'
for flag in level=4 inline-8bit-counters pc-table trace-compares; do
    RUSTFLAGS="$RUSTFLAGS -Cllvm-args=-sanitizer-coverage-$flag"
done
export RUSTFLAGS
target=$(rustc -vV | sed -n 's/^host: //p')
fuzzed=${2:-ecs_model}
mkdir -p target/fuzz/scene_file
case $fuzzed in
scene_file)
    # New finds go to the first folder; the scenes that come with the program are to start from.
    set -- "${1:-60}" 4000 target/fuzz/scene_file scenes
    ;;
*) set -- "${1:-60}" 1000 ;;
esac
seconds=$1 longest=$2
shift 2
exec cargo run --release --package fuzz --bin "$fuzzed" --target "$target" --target-dir target/fuzz -- \
    -max_total_time="$seconds" -max_len="$longest" -print_final_stats=1 -artifact_prefix=target/fuzz/ "$@"
