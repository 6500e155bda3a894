#!/usr/bin/env python3
"""--out and the standard streams: what cannot be written is said in time, and nothing is half-written."""
import json
import os
import re
import subprocess

import attack

NAME = "P2-f64-local-mdy.counterexample.json"
HOLDS = ["--prop", "P2", "--cases", "5"]


class Out(attack.Attack):
    def files(self, folder=None):
        return sorted(os.listdir(folder or self.folder))

    def test_what_is_no_folder_is_refused_before_the_run(self):
        file = self.path("file", "")
        for out in [file, file + "/below", "/dev/null", "/proc/nosuch", "a" * 300, "/dev/full/x"]:
            for law in HOLDS, attack.P2_FAILS:
                self.refused([*law, "--out", out], out[:50])

    def test_a_read_only_folder(self):
        os.chmod(self.folder, 0o555)
        self.addCleanup(os.chmod, self.folder, 0o700)
        more = self.as_nobody()
        self.refused([*HOLDS, "--out", self.folder], self.folder + ": cannot be written", **more)

    def test_a_law_that_does_not_exist_leaves_no_folder(self):
        self.refused(["--prop", "nope", "--out", self.path("new")])
        self.refused(["--prop", "P2", "--mutant", "nope", "--out", self.path("new")])
        self.refused(["--prop", "P2", "--case", "nope", "--out", self.path("new")])
        self.assertEqual(self.files(), [])

    def test_nothing_but_the_counterexample_is_left(self):
        self.accepted([*HOLDS, "--out", self.path("a/b")])
        self.assertEqual(self.files(self.path("a/b")), [])
        self.accepted([*attack.P2_FAILS, "--out", self.folder], status=1)
        self.assertEqual(self.files(), [NAME, "a"])
        with open(self.path(NAME), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["law"], "P2")

    def test_foreign_files_are_left_alone_and_broken_ones_refused(self):
        self.path("notes.json", "{")
        self.path("counterexample.json.txt", "{")
        self.accepted([*HOLDS, "--out", self.folder])
        for content in ["", "{", "[]", '{"shardlaw": 1}', b"\xff"]:
            self.path("x.counterexample.json", content)
            for law in HOLDS, attack.P2_FAILS:
                self.refused([*law, "--out", self.folder], "x.counterexample.json: ")
        os.remove(self.path("x.counterexample.json"))
        for make in (os.mkdir, os.mkfifo, lambda path: os.symlink("nowhere", path), lambda path: os.symlink(path, path)):
            make(self.path("x.counterexample.json"))
            self.refused([*HOLDS, "--out", self.folder], "x.counterexample.json: ", timeout=20)
            (os.rmdir if os.path.isdir(self.path("x.counterexample.json")) else os.remove)(
                self.path("x.counterexample.json"))
        self.assertEqual(self.files(), ["counterexample.json.txt", "notes.json"])

    def test_saved_cases_of_other_runs_do_not_count(self):
        self.accepted([*attack.P2_FAILS, "--out", self.folder], status=1)
        self.accepted(["--prop", "P2", "--cases", "5", "--out", self.folder])
        self.accepted(["--prop", "P1", "--domain", "f64", "--cases", "5", "--out", self.folder])


class Streams(attack.Attack):
    def test_a_full_standard_output(self):
        for arguments in HOLDS, attack.P2_FAILS, ["--list"], ["--help"], ["--man"], ["--version"], [*HOLDS, "--format", "html"]:
            with open("/dev/full", "wb") as full, self.subTest(arguments=arguments):
                done = attack.run(*arguments, stdout=full)
                self.assertEqual(done.returncode, 2)
                self.is_one_line(done.stderr.splitlines(keepends=True)[-1])
                self.assertIn(b"No space left on device", done.stderr)

    def shell(self, command):
        return subprocess.run(["sh", "-c", command, "sh", attack.PROGRAM, self.folder], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60, check=False)

    def test_closed_streams(self):
        fails = " ".join(attack.P2_FAILS)
        done = self.shell('"$1" --prop P2 --cases 5 >&-')
        self.assertEqual(done.returncode, 2)
        self.is_one_line(done.stderr)
        # The descriptor of a closed stream goes to the next file that is opened.
        for closed in ["<&-", "2>&-", "<&- >&- 2>&-"]:
            done = self.shell(f'"$1" {fails} --out "$2" {closed}')
            self.assertEqual(done.returncode, 2 if ">&- 2" in closed else 1)
            with open(self.path(NAME), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["law"], "P2")
            self.assertEqual(os.listdir(self.folder), [NAME])

    def test_a_full_standard_error(self):
        self.assertEqual(self.shell('"$1" --prop nope 2>/dev/full').returncode, 2)
        done = self.shell(f'"$1" {" ".join(attack.P2_FAILS)} 2>/dev/full')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"counterexample", done.stdout)

    def test_a_reader_that_leaves(self):
        # The report fits the pipe or not; either way the counterexample is saved, and nothing is said.
        done = self.shell(f'"$1" {" ".join(attack.P2_FAILS)} --out "$2" 2>/dev/null | head -n 1')
        self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertEqual(os.listdir(self.folder), [NAME])
        done = self.shell('{ "$1" --man; echo "$?" >&2; } | true')
        self.assertIn(done.stderr.strip(), [b"0", b"141"])


class Terminal(attack.Attack):
    """Progress and colours are for people."""

    def on_terminal(self, *arguments, **environment):
        """Exit status and all that a terminal gets to see."""
        ours, theirs = os.openpty()
        env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        env.update({"TERM": "xterm", **environment})
        process = subprocess.Popen([attack.PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=env)
        os.close(theirs)
        seen = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # how Linux says that the other end is closed
                break
            if not block:
                break
            seen += block
        os.close(ours)
        return process.wait(timeout=60), seen

    def test_colours_and_progress(self):
        arguments = ["--prop", "P2", "--domain", "exact", "--cases", "40"]
        colour, progress = b"\x1b[32mholds", b"\r\x1b[KP2 exact: 16 cases"
        _, seen = self.on_terminal(*arguments)
        self.assertIn(colour, seen)
        self.assertIn(progress, seen)
        # The line of progress is gone before the report begins.
        self.assertRegex(seen, rb"cases\r\x1b\[K\x1b\[1mP2")
        _, seen = self.on_terminal(*arguments, NO_COLOR="1")
        self.assertNotIn(colour, seen)
        self.assertIn(progress, seen)
        _, seen = self.on_terminal(*arguments, NO_COLOR="")  # no-color.org: empty is unset
        self.assertIn(colour, seen)
        _, seen = self.on_terminal(*arguments, "--quiet")
        self.assertNotIn(progress, seen)
        _, seen = self.on_terminal(*arguments, TERM="dumb")
        self.assertNotIn(b"\x1b", seen)

    def test_messages_do_not_continue_the_progress(self):
        status, seen = self.on_terminal("--prop", "bf16-divisor", "--prop", "P2", "--domain", "f64", "--mutant",
                                        "local-mdy", "--cases", "40")
        self.assertEqual(status, 1)
        for message in re.finditer(rb"verify: ", seen):
            self.assertTrue(message.start() == 0 or seen[:message.start()].endswith((b"\x1b[K", b"\n")))

    def test_a_pipe_gets_neither(self):
        done = self.accepted(attack.P2_FAILS, status=1)
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)


if __name__ == "__main__":
    attack.main()
