"""Tests of a command, one text file each.

    # What is tested, and why.
    RUN: --prop P2 --R 0
    EXIT: 2
    --- stderr
    verify: --R: expected at least 1, found '0'

RUN holds the arguments as a shell would read them. EXIT is 0 where it is not given. Other lines before the first
section:
    ENV: NAME=VALUE     set in the command's environment
    TERMINAL: stdout    the stream (stdout or stderr) is a terminal; may be repeated
    CHECK: NAME         a further check by the program that reads the files
    TIMEOUT: SECONDS    60 where it is not given
Sections:
    --- stdout          the whole of it; a line "..." stands for any lines, {{...}} for text that matches the
                        regular expression, and a section that is not there for nothing at all
    --- stderr          likewise
    --- file NAME       a file in the folder that the command runs in

Files are read and written as UTF-8. Rebasing writes what the command printed into sections without "..." and {{.
"""
import os
import pathlib
import pty
import re
import select
import shlex
import subprocess
import tempfile
import time


class BadTest(Exception):
    """The test file is not as it should be."""


class Test:
    """One test file."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.arguments, self.exit, self.timeout = None, 0, 60.0
        self.environment, self.terminals, self.checks, self.sections = {}, [], [], {}
        self.head = []
        self._parse(self.path.read_text(encoding="utf-8"))
        if self.arguments is None:
            raise BadTest("no RUN line")

    def _parse(self, text):
        section = None
        for line in text.splitlines(keepends=True):
            if line.startswith("--- "):
                section = line[4:].strip()
                if section not in ("stdout", "stderr") and not section.startswith("file "):
                    raise BadTest(f"unknown section: {section}")
                if section in self.sections:
                    raise BadTest(f"section twice: {section}")
                self.sections[section] = ""
            elif section is not None:
                self.sections[section] += line
            else:
                self.head.append(line)
                self._directive(line.strip())

    def _directive(self, line):
        if not line or line.startswith("#"):
            return
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or key not in ("RUN", "EXIT", "ENV", "TERMINAL", "CHECK", "TIMEOUT"):
            raise BadTest(f"unknown line: {line}")
        if key == "RUN":
            if self.arguments is not None:
                raise BadTest("RUN twice")
            self.arguments = shlex.split(value)
        elif key == "EXIT":
            self.exit = int(value)
        elif key == "ENV":
            name, _, setting = value.partition("=")
            self.environment[name] = setting
        elif key == "TERMINAL":
            self.terminals.append(value)
        elif key == "CHECK":
            self.checks.append(value)
        else:
            self.timeout = float(value)

    def expected(self, stream):
        return self.sections.get(stream, "")

    def rebased(self, done):
        """The file's text as what was printed would have it."""
        lines = [line for line in self.head if not line.startswith("EXIT:")]
        if done.status != 0:
            at = next(i for i, line in enumerate(lines) if line.startswith("RUN:"))
            lines.insert(at + 1, f"EXIT: {done.status}\n")
        text = "".join(lines)
        for name in self.sections:
            if name.startswith("file "):
                text += f"--- {name}\n{self.sections[name]}"
        for stream in ("stdout", "stderr"):
            expected, printed = self.expected(stream), done.output[stream]
            open_ended = "...\n" in expected or "{{" in expected
            body = expected if open_ended else printed
            if body:
                text += f"--- {stream}\n{body}" + ("" if body.endswith("\n") else "\n")
        return text


class Done:
    """What a command did."""

    def __init__(self, status, output):
        self.status, self.output = status, output


def environment(extra):
    """Only what a command needs, so that no setting of the caller's changes a result."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm", **extra}


def run(program, arguments, folder=None, extra=None, terminals=(), timeout=60.0):
    """Runs to the end and returns Done. Terminals are pseudo-terminals; the other streams are pipes."""
    ends = {}
    for stream in ("stdout", "stderr"):
        ends[stream] = pty.openpty() if stream in terminals else os.pipe()
    process = subprocess.Popen(
        [program, *arguments], stdin=subprocess.DEVNULL, stdout=ends["stdout"][1], stderr=ends["stderr"][1],
        cwd=folder, env=environment(extra or {}))
    for _, write in ends.values():
        os.close(write)
    collected = {read: b"" for read, _ in ends.values()}
    waiting, deadline = set(collected), time.monotonic() + timeout
    while waiting:
        ready, _, _ = select.select(waiting, [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            process.kill()
            process.wait()
            raise TimeoutError(f"no end after {timeout:g} s")
        for read in ready:
            try:
                part = os.read(read, 65536)
            except OSError:  # a terminal whose other side is closed
                part = b""
            collected[read] += part
            if not part:
                waiting.discard(read)
    for read in collected:
        os.close(read)
    output = {stream: collected[read].decode("utf-8", "replace").replace("\r\n", "\n")
              for stream, (read, _) in ends.items()}
    return Done(process.wait(), output)


def pattern(expected):
    """The regular expression that a section stands for."""
    def of_line(line):
        if line == "...\n":
            return "(?:.*\n)*?"
        parts = re.split(r"\{\{(.*?)\}\}", line)
        return "".join(f"(?:{part})" if i % 2 else re.escape(part) for i, part in enumerate(parts))

    return re.compile("".join(of_line(line) for line in expected.splitlines(keepends=True)))


def matches(expected, printed):
    """A last line without its newline matches one with it, since a file's lines all have one."""
    match = pattern(expected).fullmatch
    return match(printed) is not None or match(printed + "\n") is not None


def problems(test, done):
    """What is not as expected, as text."""
    found = []
    if done.status != test.exit:
        found.append(f"exit status {done.status}, expected {test.exit}")
    for stream in ("stdout", "stderr"):
        if not matches(test.expected(stream), done.output[stream]):
            found.append(f"{stream} differs; expected:\n{test.expected(stream)}{stream} is:\n{done.output[stream]}")
    return found


def try_file(program, path, checks, rebase=False):
    """Runs one test file and returns its problems. `checks` maps names to functions of (program, Test, Done,
    folder) that return more of them."""
    try:
        test = Test(path)
        unknown = [name for name in test.checks if name not in checks]
        if unknown:
            raise BadTest(f"unknown check: {unknown[0]}")
        with tempfile.TemporaryDirectory() as folder:
            for name, body in test.sections.items():
                if name.startswith("file "):
                    pathlib.Path(folder, name[5:]).write_text(body, encoding="utf-8")
            done = run(program, test.arguments, folder, test.environment, test.terminals, test.timeout)
            if rebase:
                pathlib.Path(path).write_text(test.rebased(done), encoding="utf-8")
                test = Test(path)
            found = problems(test, done)
            for name in test.checks:
                found += checks[name](program, test, done, folder)
            return found
    except (BadTest, TimeoutError, ValueError) as error:
        return [str(error)]
