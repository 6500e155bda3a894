#!/usr/bin/env python3
"""Runs every command that the README shows, and compares what it prints with what the README says.

A ```console block holds commands ("$ ./run verify ...") and their output. A line "..." stands for any lines. Files that
commands write are there for the commands after them.
usage: readme_test.py README VERIFY GOLDEN [--rebase]
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile


def blocks(text):
    """(start, end, body) of every console block."""
    for match in re.finditer(r"^```console\n(.*?)^```$", text, re.S | re.M):
        yield match.start(1), match.end(1), match.group(1)


def steps(body):
    """(command line, expected output) pairs of a block."""
    parts = re.split(r"^\$ (.*)\n", body, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def run(command, programs, folder):
    words = shlex.split(command)
    if words[0] != "./run" or words[1] not in programs:
        return None  # set-up commands are what the test itself runs under
    done = subprocess.run([programs[words[1]], *words[2:]], capture_output=True, text=True, timeout=300, check=False,
                          cwd=folder)
    return done.stdout


def matches(expected, actual):
    pattern = "".join(".*?" if part == "...\n" else re.escape(part) for part in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, actual, re.S) is not None


def main():
    readme = sys.argv[1]
    programs = {"verify": os.path.abspath(sys.argv[2]), "golden": os.path.abspath(sys.argv[3])}
    folder = tempfile.TemporaryDirectory()
    rebase = "--rebase" in sys.argv
    text = open(readme, encoding="utf-8").read()
    failures = ran = 0
    rebased = text
    for _, _, body in blocks(text):
        fresh = body
        for command, expected in steps(body):
            actual = run(command, programs, folder.name)
            if actual is None:
                continue
            ran += 1
            if matches(expected, actual):
                continue
            failures += 1
            print(f"$ {command}\n--- README\n{expected}--- printed\n{actual}")
            if "...\n" not in expected:
                fresh = fresh.replace(f"$ {command}\n{expected}", f"$ {command}\n{actual}")
        rebased = rebased.replace(body, fresh)
    if rebase:
        open(readme, "w", encoding="utf-8").write(rebased)
    print(f"{ran - failures} passed, {failures} failed")
    return 1 if failures or ran == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
