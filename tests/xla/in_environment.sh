#!/usr/bin/env bash
# in_environment.sh FOLDER SCRIPT ARGS...: runs SCRIPT in the environment that environment.sh made. Where there is none,
# exit status 77, which skips the test, or 1 if SHARDLAW_REQUIRE_XLA is set.
set -eu
folder=$1
shift
[ ! -e "$folder/.made-of" ] || exec "$folder/bin/python" "$@"
echo "skipped: $(cat "$folder.why-not" 2>/dev/null || echo 'no environment; ./run xla makes one')"
[ -z "${SHARDLAW_REQUIRE_XLA-}" ] || exit 1
exit 77
