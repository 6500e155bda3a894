#!/usr/bin/env bash
# environment.sh FOLDER [MINUTES]: a Python environment in FOLDER with XLA's compiler, from the package index.
# Exit status 1 where that fails, with the reason in FOLDER.why-not; a failure is not tried again for MINUTES.
set -eu
folder=$1 minutes=${2:-0}
requirements=$(dirname "$(readlink -f "$0")")/requirements.txt
stamp=$folder/.made-of
python=/usr/bin/python3
[ -x "$python" ] || python=python3

made_of=$(printf '%s\n' "$folder" && "$python" -V && cat "$requirements")
[ ! -e "$stamp" ] || [ "$(cat "$stamp")" != "$made_of" ] || exit 0
if [ "$minutes" != 0 ] && [ -n "$(find "$folder.why-not" -mmin "-$minutes" 2>/dev/null)" ]; then exit 1; fi

why_not() {
  printf '%s\n' "$1" >"$folder.why-not"
  exit 1
}
log=$folder.log
rm -rf "$folder"
"$python" -m venv "$folder" >"$log" 2>&1 || why_not "no virtual environment: $(tail -n 1 "$log")"
# What was pinned is what is installed, or nothing: wheels by hash, and no others for what they depend on.
timeout 600 "$folder/bin/python" -m pip install --disable-pip-version-check --no-input --timeout 20 --retries 1 \
  --no-deps --only-binary :all: --require-hashes -r "$requirements" >>"$log" 2>&1 ||
  why_not "the package index gave no XLA: $(grep -m 1 -i error "$log" || tail -n 1 "$log")"
"$folder/bin/python" -c 'import jax' >>"$log" 2>&1 || why_not "JAX does not start: $(tail -n 1 "$log")"
rm -f "$folder.why-not"
printf '%s\n' "$made_of" >"$stamp"
