#!/usr/bin/env bash
# check_test.sh WORK: each check of check.sh must accept a clean tree and name the file that breaks its rule.
set -eu
work=$1
check=$(dirname "$(readlink -f "$0")")/check.sh
rm -rf "$work"
mkdir -p "$work/interp"
cd "$work"

fail() {
  printf '%s\n' "$@"
  exit 1
}
accepts() {
  output=$(bash "$check" . "$1") || [ $? = 77 ] || fail "$1 refuses a clean tree:" "$output"
}
# refuses CHECK FILE: no skipping, so `format` is tried only where it can run.
refuses() {
  local status=0
  output=$(bash "$check" . "$1" 2>&1) || status=$?
  [ "$status" = 77 ] || [ "$status" != 0 ] || fail "$1 accepts $2"
  [ "$status" = 77 ] || grep -qF "$2" <<<"$output" || fail "$1 does not name $2:" "$output"
}

echo 'int x;' >"interp/clean file.h"
echo 'add_compile_options(-fno-fast-math) # see https://a.example/home/page' >CMakeLists.txt
yes 'int y;' | head -n 450 >interp/long.h
for rule in format length paths flags; do accepts "$rule"; done

echo 'int  x ;' >interp/crooked.cc
refuses format crooked.cc
echo 'int y;' >>interp/long.h
refuses length long.h
printf '"/%s/me/data"\n' home >interp/path.cc
refuses paths path.cc
printf 'add_compile_options(-O2 -%s)\n' ffast-math >interp/CMakeLists.txt
refuses flags interp/CMakeLists.txt
