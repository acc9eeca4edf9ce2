#!/usr/bin/env bash
# Tests the page of web/dist on the CPU, in Chromium without a display or in Firefox on a virtual one:
#   web/test.sh [firefox] [NODE OPTION...]
# With --test-name-pattern='PATTERN' only some tests. Images are compared with those of the desktop program:
# CUBEFALL_BINARY, or else the newer of release and debug build. Screenshots of failures are in web/tests/failures.
set -euo pipefail
unset CDPATH
cd "$(dirname "$0")/.."

fail() { echo "$1" >&2; exit 1; }
CUBEFALL_BROWSER=chromium names='chromium chromium-browser google-chrome' display=()
if [ "${1:-}" = firefox ]; then
    shift
    CUBEFALL_BROWSER=firefox names='firefox-esr firefox' display=(xvfb-run --auto-servernum)
    export LIBGL_ALWAYS_SOFTWARE=1
fi
for name in node npm ${display[0]-}; do
    command -v "$name" >/dev/null || fail "install $name (on Linux: ./setup.sh --browser)"
done
[ "$(node --version | tr -d v | cut -d . -f 1)" -ge 20 ] || fail 'install Node.js 20 or later: https://nodejs.org'
for name in $names; do
    CUBEFALL_BROWSER_PATH=${CUBEFALL_BROWSER_PATH:-$(command -v "$name" || true)}
done
[ -n "$CUBEFALL_BROWSER_PATH" ] \
    || fail 'install a browser (on Linux: ./setup.sh --browser), or set CUBEFALL_BROWSER_PATH to its program'
[ -e web/dist/index.html ] || fail 'first: web/build.sh'
build=${CARGO_TARGET_DIR:-target}
newest=
for profile in release debug; do
    binary=$build/$profile/cubefall
    [ ! -x "$binary" ] || [ "$newest" -nt "$binary" ] || newest=$binary
done
CUBEFALL_BINARY=${CUBEFALL_BINARY:-$newest}
[ -n "$CUBEFALL_BINARY" ] || fail 'first: cargo build --release'
# The tests run in another folder.
case $CUBEFALL_BINARY in /*) ;; *) CUBEFALL_BINARY=$PWD/$CUBEFALL_BINARY ;; esac
export CUBEFALL_BROWSER CUBEFALL_BROWSER_PATH CUBEFALL_BINARY

cd web/tests
rm -rf failures
[ package-lock.json -ot node_modules/.package-lock.json ] || npm ci --no-audit --no-fund
# The tests take turns: each of them draws with all cores.
exec ${display[@]+"${display[@]}"} node --test --test-concurrency=1 --test-reporter=spec "$@" ./*.test.mjs
