#!/usr/bin/env bash
# Checks the other platforms from Linux:
#   ./platforms.sh check   compiles for Windows and macOS without warnings, and compares the state hashes
#                          of optimized programs for this machine, aarch64 and WebAssembly with
#                          tests/cli/state_hashes.txt
#   ./platforms.sh test    builds for Windows and runs the tests under Wine, before a release
# Installs missing packages on Debian and Ubuntu, as root or with sudo. See docs/platforms.md.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")"

windows=x86_64-pc-windows-gnu macos=aarch64-apple-darwin arm=aarch64-unknown-linux-gnu wasi=wasm32-wasip1

# Installs packages that are missing.
install() {
    local states root=''
    states=$(dpkg-query --show --showformat='${db:Status-Status}\n' "$@" 2>/dev/null) \
        && ! grep -qvx installed <<<"$states" && return
    [ "$(id -u)" -eq 0 ] || root=sudo
    command -v apt-get >/dev/null || { echo "install the equivalent of these Debian packages: $*" >&2; exit 1; }
    # Fails if any repository does, although others may have the packages.
    $root apt-get update -q || echo 'apt-get update failed: see above' >&2
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

# Sets up a compiler for all targets: rustup's, or where rustup cannot install targets, Debian's, which
# builds the standard library from source.
build_std=()
set_up_compiler() {
    if timeout 120 rustup target add $windows $macos $arm $wasi; then return; fi
    echo 'rustup cannot install targets: using rustc-web of Debian'
    install rustc-web cargo-web rust-web-src lld-22
    export PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1
    build_std=(-Zbuild-std)
}

# Runs a cargo command for a target. Dependencies of earlier calls are kept in target/platforms.
for_target() {
    local target=$1 command=$2
    shift 2
    cargo "$command" --locked --target "$target" --target-dir target/platforms "${build_std[@]}" "$@"
}

# Checks program, tests and benchmarks for a target and refuses warnings. RUSTFLAGS would refuse them too,
# but compile every dependency again.
check_without_warnings() {
    local log=target/platforms/$1.log
    # Without colors, which a CI service may switch on: they would hide the lines from grep.
    CARGO_TERM_COLOR=never for_target "$1" check --all-targets 2>&1 | tee "$log"
    ! grep -q '^warning' "$log"
}

# Compares the state hashes of the program that the given command runs.
compare_hashes() {
    local rows=0 hash flags actual
    while read -r hash flags; do
        # The flags are split into words on purpose.
        # shellcheck disable=SC2086
        actual=$("$@" simulate $flags </dev/null)
        case $actual in
            "state hash: $hash"*) rows=$((rows + 1)) ;;
            *) echo "expected $hash of simulate $flags, found: $actual" >&2; exit 1 ;;
        esac
    done < <(grep -v '^#' tests/cli/state_hashes.txt)
    [ $rows -gt 0 ]
    echo "$rows of $rows state hashes are equal"
}

# Runs a WebAssembly program.
run_wasi() {
    node --no-warnings --experimental-wasi-unstable-preview1 --eval '
        const { WASI } = require("node:wasi");
        const args = process.argv.slice(1);
        const wasi = new WASI({ version: "preview1", args, env: {}, preopens: {} });
        WebAssembly.instantiate(require("node:fs").readFileSync(args[0]), {
            wasi_snapshot_preview1: wasi.wasiImport,
        }).then(({ instance }) => wasi.start(instance));
    ' -- "$@"
}

step() { echo "== $1 (after $SECONDS s)"; }

check() {
    install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
    command -v node >/dev/null || install nodejs
    set_up_compiler

    mkdir -p target/platforms
    # Nothing is linked, so the C parts of dependencies are not compiled.
    export CC_aarch64_apple_darwin=true AR_aarch64_apple_darwin=true
    export CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true
    step 'Windows: program, tests and benchmarks'
    check_without_warnings $windows
    step 'macOS: program, tests and benchmarks'
    check_without_warnings $macos

    # Built faster than a release, by all cores.
    export CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    local simulate=(build --release --no-default-features --features cli)
    step 'this machine: state hashes'
    cargo "${simulate[@]}" --locked --target-dir target/platforms
    compare_hashes target/platforms/release/cubefall
    step 'aarch64: state hashes'
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc for_target $arm "${simulate[@]}"
    compare_hashes qemu-aarch64 -L /usr/aarch64-linux-gnu target/platforms/$arm/release/cubefall
    if [ ${#build_std[@]} -gt 0 ]; then
        step 'WebAssembly is not checked: it needs a standard library of rustup'
        return
    fi
    step 'WebAssembly: state hashes'
    for_target $wasi "${simulate[@]}"
    compare_hashes run_wasi target/platforms/$wasi/release/cubefall.wasm
    step 'all platforms agree'
}

test_windows() {
    ./setup.sh --tests
    install gcc-mingw-w64-x86-64-win32 wine wine64 xvfb xauth
    set_up_compiler

    export WINEPREFIX=$PWD/target/platforms/wine WINEDEBUG=-all
    mkdir -p "$WINEPREFIX"
    wineboot --init
    # Wine 8 lacks a library that Rust uses for random numbers.
    local library=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
    [ -e "$library" ] || x86_64-w64-mingw32-gcc -shared -o "$library" -x c - -ladvapi32 <<'END'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *data, SIZE_T size) { return RtlGenRandom(data, size); }
END
    # Wine draws with the Vulkan driver of Linux, and its DX12 adapter cannot compile shaders.
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine WGPU_BACKEND=vulkan CARGO_PROFILE_DEV_DEBUG=0
    step 'Windows: tests under Wine'
    # As tests, the examples would get other names, and the test that runs them would not find them.
    for_target $windows build --examples
    xvfb-run --auto-servernum cargo test --locked --no-fail-fast --target $windows --target-dir target/platforms \
        "${build_std[@]}" --lib --bins --tests
    step 'Windows passes'
}

case "${1-}" in
    check) check ;;
    test) test_windows ;;
    *) echo "usage: $0 check | test" >&2; exit 2 ;;
esac
