#!/usr/bin/env bash
# run_test.sh ROOT WORK: the contract of ./run, on a copy of it among stand-ins for the tools that it calls.
set -eu
root=$1 work=$2
rm -rf "$work"
mkdir -p "$work/bin" "$work/a tree" "$work/elsewhere"
cp "$root/run" "$root/CMakePresets.json" "$work/a tree"
run="$work/a tree/run"
build="$work/a tree/build"
export PATH="$work/bin:$PATH" STATE="$work"
unset SHARDLAW_BUILD_DIR SHARDLAW_PRESET
cd "$work/elsewhere"

stand_in() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
# Each call is noted; a file named after the tool in $STATE makes that many of them fail.
stand_in cmake '
echo "chatter of cmake"
echo "cmake $*" >>"$STATE/calls"
case "$*" in
  *--preset*)
    build=${*: -1}
    touch "$build/build.ninja"
    printf "CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\n" "$PWD" "$build" >"$build/CMakeCache.txt"
    ;;
  *golden*) echo "ninja: error: unknown target '\''golden'\''"; exit 1 ;;
  *) [ ! -e "$STATE/broken" ] || { echo "a compiler error"; exit 1; } ;;
esac'
stand_in apt-get '
echo "apt-get $*" >>"$STATE/calls"
case "$*" in *update*) [ ! -e "$STATE/no_update" ] || exit 100 ;; esac
left=$(cat "$STATE/apt_failures" 2>/dev/null || echo 0)
[ "$left" = 0 ] || { echo $((left - 1)) >"$STATE/apt_failures"; echo "the mirror is gone"; exit 100; }
case "$*" in *install*) touch "$STATE/installed" ;; esac'
stand_in dpkg-query '
for name in "$@"; do
  [ "$name" = ccache ] && [ ! -e "$STATE/installed" ] || echo "installed $name"
done'
stand_in sleep 'echo "sleep $*" >>"$STATE/calls"'
stand_in id 'echo 0'
for tool in ninja c++ pkg-config; do stand_in $tool 'exit 0'; done

fail() {
  echo "FAILED: $1; status $status, stdout and stderr:"
  cat "$work/out" "$work/err"
  exit 1
}
# try EXPECTED_STATUS ARGS...
try() {
  local expected=$1
  shift
  status=0
  : >"$work/calls"
  "$run" "$@" >"$work/out" 2>"$work/err" || status=$?
  [ "$status" = "$expected" ] || fail "expected status $expected of run $*"
}
called() { grep -qF -- "$1" "$work/calls" || fail "expected a call $1"; }
not_called() { ! grep -qF -- "$1" "$work/calls" || fail "unexpected call $1"; }
says() { grep -qF -- "$1" "$work/err" || fail "expected stderr to say: $1"; }

try 0 --help
grep -q '^usage' "$work/out" || fail "--help prints no usage"
try 2
try 2 frobnicate
says "no such command"

. /etc/os-release
if [ "$ID $VERSION_ID" = "debian 12" ]; then
  echo 100 >"$work/apt_failures"
  try 125 setup
  says "the mirror is gone"
  says "could not install ccache"
  not_called cmake
  echo 3 >"$work/apt_failures" # update, install, update
  try 0 setup
  called "sleep"
  called "install -y --no-install-recommends ccache"
  called "cmake --preset release"
  rm "$work/installed"
  touch "$work/no_update" # the lists that are there may do; and what was installed may be found only by configuring
  try 0 setup
  called "install -y"
  called "cmake --preset release"
fi

try 0 setup
try 0 setup
not_called apt-get
not_called cmake

mkdir -p "$build/props"
cat >"$build/props/verify" <<'VERIFY'
#!/bin/sh
printf '%s|' "$PWD" "$@"
exit 3
VERIFY
chmod +x "$build/props/verify"
try 3 verify --prop "P2 γ" ''
[ "$(cat "$work/out")" = "$work/elsewhere|--prop|P2 γ||" ] || fail "stdout is not verify's own, or its arguments changed"
[ ! -s "$work/err" ] || fail "chatter"

# The tests run without XLA's environment, too.
mkdir -p "$work/a tree/tests/xla"
printf 'echo "no such index" >"$1.why-not"\nexit 1\n' >"$work/a tree/tests/xla/environment.sh"
stand_in ctest 'echo "ctest $*" >>"$STATE/calls"'
try 0 test -R name
called "ctest --test-dir $build"
called "-R name"
says "no XLA here: no such index"

touch "$work/broken"
try 125 verify
says "a compiler error"
[ ! -s "$work/out" ] || fail "chatter on stdout"
rm "$work/broken"
try 2 golden run
says "golden is not part of this version"

SHARDLAW_PRESET=debug try 0 setup
called "cmake --preset debug -B $work/a tree/build-debug"
SHARDLAW_BUILD_DIR=here try 0 setup
called "cmake --preset release -B $work/elsewhere/here"
SHARDLAW_BUILD_DIR=here SHARDLAW_PRESET=debug try 0 setup
called "cmake --fresh --preset debug"

mv here there
SHARDLAW_BUILD_DIR=there SHARDLAW_PRESET=debug try 0 setup
called "cmake --fresh --preset debug"
mv "$work/a tree" "$work/moved"
run="$work/moved/run"
try 0 setup
called "cmake --fresh --preset release"
