#!/bin/sh
# Serves web/dist for this machine: web/serve.sh [PORT], 8080 by default.
set -eu
unset CDPATH
cd "$(dirname "$0")"
port=${1:-8080}
case "$#$port" in
    [2-9]* | *[!0-9]* | ???????*) port=65536 ;;
esac
# Python takes the remainder of a number that is too large.
[ "$port" -le 65535 ] || { echo 'usage: web/serve.sh [PORT]' >&2; exit 2; }
[ -e dist/index.html ] || { echo 'first: web/build.sh' >&2; exit 1; }
exec python3 -m http.server "$port" --bind 127.0.0.1 --directory dist
