#!/usr/bin/env bash
# Builds the page into web/dist, a folder for any static web server:
#   web/build.sh
# Installs with rustup the target wasm32-unknown-unknown, and with cargo the wasm-bindgen of Cargo.lock into
# target/tools, if they are missing. See docs/web.md.
set -euo pipefail
[ $# -eq 0 ] || { echo "usage: $0" >&2; exit 2; }
unset CDPATH
cd "$(dirname "$0")/.."

target=wasm32-unknown-unknown
# Also where the configuration of cargo names another folder.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}
build=$CARGO_TARGET_DIR
dist=web/dist

# macOS has no `timeout`, and an empty array is unset in its bash.
limited() { if command -v timeout >/dev/null; then timeout 120 "$@"; else "$@"; fi; }

# A compiler for the target: rustup's, or where rustup cannot install targets, Debian's, which builds the
# standard library from source.
build_std=()
if ! rustup target list --installed 2>/dev/null | grep -qx $target && ! limited rustup target add $target; then
    if [ ! -x /usr/bin/wasm-ld-22 ] || ! sources=$(/usr/bin/rustc --print sysroot) \
        || [ ! -d "$sources/lib/rustlib/src/rust/library" ]; then
        if command -v rustup >/dev/null; then
            echo "rustup did not install $target within 2 minutes: check the network, then run: rustup target add $target" >&2
        else
            echo 'install rustup (https://rustup.rs), or on Debian: apt-get install rustc-web cargo-web rust-web-src lld-22' >&2
        fi
        exit 1
    fi
    export PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-22
    build_std=('-Zbuild-std=std,panic_abort')
fi

# wasm-bindgen reads only what its own version has written.
version=$(grep -A 1 '^name = "wasm-bindgen"$' Cargo.lock | sed -n 's/^version = "\(.*\)"/\1/p')
[ -n "$version" ] || { echo 'wasm-bindgen is not in Cargo.lock' >&2; exit 1; }
is_version() { [ "$("$1" --version 2>/dev/null)" = "wasm-bindgen $version" ]; }
install_bindgen() { cargo install wasm-bindgen-cli --version "$version" --root "$build/tools" "$@"; }
bindgen=wasm-bindgen
if ! is_version $bindgen; then
    bindgen=$build/tools/bin/wasm-bindgen
    # The second attempt is for registries that lack a crate of its lock file.
    is_version "$bindgen" || install_bindgen --locked || install_bindgen
fi

# Folders of this machine, in the paths that panic messages contain, are removed.
flags=(
    '-Ctarget-feature=+simd128'
    "--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rust"
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    "--remap-path-prefix=$PWD=/cubefall"
)
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}") \
    cargo build --locked --profile web --package cubefall-web --target $target ${build_std[@]+"${build_std[@]}"}

generated=$build/web-bindgen
rm -rf "$generated" $dist
mkdir -p $dist
"$bindgen" --target web --no-typescript --remove-name-section --remove-producers-section --omit-default-module-path --out-dir "$generated" --out-name cubefall \
    "$build/$target/web/cubefall_web.wasm"
[ ! -e "$generated/snippets" ] || { echo "a crate adds a script: $(ls "$generated/snippets")" >&2; exit 1; }

cp "$generated/cubefall_bg.wasm" $dist/cubefall.wasm
digest() { cksum <"$1" | cut -d ' ' -f 1; }
# The query keeps a browser from running a script with the program of another build.
digest=$(digest $dist/cubefall.wasm)
{
    echo "const WASM_FILE = \"cubefall.wasm?$digest\", WASM_BYTES = $(wc -c <$dist/cubefall.wasm);"
    # Lines that are only a comment would be downloaded for nothing.
    sed '/^ *\/\//d' "$generated/cubefall.js" web/load.js
} >$dist/cubefall.js
# A reload asks for the page again, and for a file with another query.
digest=$(digest $dist/cubefall.js)
style=$(digest web/style.css)
sed -e "s/\"cubefall\.js\"/\"cubefall.js?$digest\"/" -e "s/\"style\.css\"/\"style.css?$style\"/" web/index.html \
    >$dist/index.html
cp web/style.css web/manifest.webmanifest web/icon.svg web/icon-192.png web/icon-512.png \
    docs/fall.gif docs/cubes-fall.png $dist

# Bytes of a file after a command, or a dash without the command.
bytes_after() { if command -v "$1" >/dev/null; then "$@" | wc -c; else echo -; fi; }
format='%-22s %9s %9s %9s\n'
# The format is the same for all lines.
# shellcheck disable=SC2059
{
    printf "$format" 'file of web/dist' bytes gzip brotli
    for file in index.html style.css cubefall.js cubefall.wasm; do
        printf "$format" $file "$(wc -c <$dist/$file)" "$(bytes_after gzip -9c $dist/$file)" \
            "$(bytes_after brotli -9c $dist/$file)"
    done
}
