#!/usr/bin/env bash
# Writes the licenses of all crates and fonts that a program contains:
#   packaging/licenses.sh FILE PACKAGE TARGET...
# PACKAGE is cubefall, or cubefall-web for the page.
set -euo pipefail
file=$(realpath "$1") package=$2
shift 2
unset CDPATH
cd "$(dirname "$0")/.."
command -v cargo-about >/dev/null || { echo 'first: cargo install --locked --features cli cargo-about' >&2; exit 1; }

case $package in cubefall) manifest=Cargo.toml ;; *) manifest=web/Cargo.toml ;; esac
cargo fetch --locked
cargo about generate --manifest-path $manifest --locked --offline --fail --config packaging/about.toml \
    "${@/#/--target=}" packaging/about.hbs >"$file"
# The fonts of the HUD have licenses of their own.
fonts=$(cargo metadata --locked --format-version 1 | grep -o '[^"]*/epaint_default_fonts-[^"/]*/Cargo.toml' | head -n 1)
for text in "$(dirname "$fonts")"/fonts/*.txt; do
    printf '\n%s\nFont license: %s\n\n' "$(printf '=%.0s' {1..80})" "${text##*/}"
    cat "$text"
done >>"$file"

# Every crate of every target must be in it, and the texts of the fonts and of the MPL.
for target in "$@"; do
    cargo tree --locked --package "$package" --target "$target" --edges normal,no-proc-macro --prefix none --format '{p}'
done | sed -n '/^cubefall\(-web\)\? /!s/^\([^ ]*\) v\([^ ]*\).*/\1 \2/p' | sort -u | while read -r crate; do
    grep -qF "  $crate" "$file" || { echo "no license notice of $crate" >&2; exit 1; }
done
texts=('SIL OPEN FONT LICENSE' 'UBUNTU FONT LICENCE' 'Bitstream Vera')
# A crate that only the desktop has.
[ "$package" = cubefall-web ] || texts+=('Mozilla Public License Version 2.0')
for text in "${texts[@]}"; do
    grep -qi "$text" "$file" || { echo "no text of the license: $text" >&2; exit 1; }
done
