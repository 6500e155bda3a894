#!/usr/bin/env python3
"""Tests of the command golden: files as command.py describes them.

usage: golden_test.py GOLDEN [--rebase] FILE...
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "command"))
import command  # noqa: E402  (a sibling folder, found only now)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    rebase = "--rebase" in sys.argv
    failed = 0
    files = [path for path in sys.argv[2:] if path != "--rebase"]
    for path in files:
        for problem in command.try_file(program, path, {}, rebase):
            failed += 1
            print(f"{path}: {problem}")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
