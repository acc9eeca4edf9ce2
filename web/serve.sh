#!/bin/sh
# Serves web/dist for this machine: web/serve.sh [PORT], 8080 by default.
set -eu
unset CDPATH
cd "$(dirname "$0")"
port=${1:-8080}
usage() { echo 'usage: web/serve.sh [PORT]' >&2; exit 2; }
[ $# -le 1 ] || usage
# Python takes the remainder of a number that is too large.
case $port in '' | *[!0-9]* | ??????*) usage ;; esac
[ "$port" -le 65535 ] || usage
[ -e dist/index.html ] || { echo 'first: web/build.sh' >&2; exit 1; }
exec python3 -m http.server "$port" --bind 127.0.0.1 --directory dist
