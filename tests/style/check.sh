#!/usr/bin/env bash
# check.sh ROOT CHECK: what no compiler checks. Prints each breach; exit status 1 where there are any, 77 to skip.
set -eu
root=$1 check=$2
skip=77
cd "$root"

# files GLOB...: the tracked files that match, NUL-terminated; where there is no repository, all that match.
files() {
  local glob any=(-false)
  if [ -e .git ] && git rev-parse HEAD >/dev/null 2>&1; then
    git ls-files -z -- "$@"
    return
  fi
  for glob in "$@"; do any+=(-o -path "./$glob"); done
  find . \( -path './build*' -o -path ./.git \) -prune -o -type f \( "${any[@]}" \) -print0
}

# refuse WHAT: fails, saying what, if there is anything on standard input.
refuse() {
  local breaches
  breaches=$(cat)
  [ -n "$breaches" ] || return 0
  printf '%s:\n%s\n' "$1" "$breaches"
  exit 1
}

case $check in
  format)
    # Other versions lay out the same style differently, so only Debian 12's counts.
    for formatter in clang-format-14 clang-format ""; do
      "${formatter:-false}" --version 2>/dev/null | grep -q ' version 14\.' && break
    done
    if [ -z "$formatter" ]; then
      echo "skipped: no clang-format 14"
      exit "$skip"
    fi
    files '*.h' '*.cc' | xargs -0 -r "$formatter" --dry-run -Werror && exit
    echo "to mend: git ls-files '*.h' '*.cc' | xargs $formatter -i"
    exit 1
    ;;
  length)
    files 'interp/*' 'props/*' 'net/*' 'bench/*' 'tests/*' | grep -zE '\.(h|cc|in|def|py|sh|cmake)$|CMakeLists\.txt$' |
      xargs -0 -r wc -l | awk '$1 > 450 && $2 != "total"' | refuse "longer than 450 lines"
    ;;
  paths)
    # Written so that it does not match itself.
    files '*' | { xargs -0 -r grep -nIE '(^|[^[:alnum:]_.-])/(work|home|root)/' || true; } |
      refuse "paths of one machine"
    ;;
  flags)
    files '*CMakeLists.txt' '*.cmake' '*.cmake.in' 'CMakePresets.json' |
      { xargs -0 -r grep -nE -e '-(ffast-math|Ofast|funsafe-math-optimizations|march=native)' || true; } |
      refuse "flags that make results depend on the compiler or the machine"
    ;;
  *)
    echo "no such check: $check"
    exit 2
    ;;
esac
