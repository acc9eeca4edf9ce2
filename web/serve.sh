#!/bin/sh
# Serves web/dist for this machine: web/serve.sh [PORT], 8080 unless told otherwise.
set -eu
cd "$(dirname "$0")"
[ -e dist/index.html ] || { echo 'first: web/build.sh' >&2; exit 1; }
exec python3 -m http.server "${1:-8080}" --bind 127.0.0.1 --directory dist
