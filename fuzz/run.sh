#!/bin/sh
# Fuzzes with libFuzzer on stable Rust: ./fuzz/run.sh [SECONDS [TARGET]], by default 60 seconds and the ECS
# (ecs_model); scene_file is the reader of scene files.
set -eu
unset CDPATH
cd "$(dirname "$0")/.."
usage() { echo "usage: $0 [SECONDS [ecs_model | scene_file]]" >&2; exit 2; }
[ $# -le 2 ] || usage
seconds=${1:-60} fuzzed=${2:-ecs_model}
# libFuzzer reads any other word as 0: no limit.
case $seconds in *[!0-9]*) usage ;; esac
case $fuzzed in
ecs_model) set -- -max_len=1000 ;;
# New finds go to the first folder; the scenes that come with the program are to start from.
scene_file) set -- -max_len=4000 target/fuzz/scene_file scenes ;;
*) usage ;;
esac
command -v "${CXX:-c++}" >/dev/null || { echo 'install a C++ compiler (on Debian: apt-get install g++)' >&2; exit 1; }
mkdir -p target/fuzz/scene_file
export RUSTC_BOOTSTRAP=1
RUSTFLAGS='-Cpasses=sancov-module'
for flag in level=4 inline-8bit-counters pc-table trace-compares; do
    RUSTFLAGS="$RUSTFLAGS -Cllvm-args=-sanitizer-coverage-$flag"
done
export RUSTFLAGS
target=$(rustc -vV | sed -n 's/^host: //p')
exec cargo run --release --package fuzz --bin "$fuzzed" --target "$target" --target-dir target/fuzz -- \
    -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix=target/fuzz/ "$@"
