#!/usr/bin/env python3
"""Whoever stops a run has the seed and the first failing case already, and finds no half-written file."""
import json
import os
import random
import shlex
import signal
import subprocess
import time

import attack

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FAILS_SLOWLY = [*attack.P2_FAILS, "--seed", "7", "--R", "4", "--N", "1", "--C", "4", "--H", "150", "--W", "150"]


class Signals(attack.Attack):
    def start(self, *arguments):
        return subprocess.Popen([attack.PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def test_while_it_runs(self):
        for stop in STOPS:
            process = self.start("--prop", "P2", "--cases", "1000000", "--out", self.folder)
            time.sleep(0.5)
            process.send_signal(stop)
            out, error = process.communicate(timeout=30)
            self.assertEqual((process.returncode, out, error), (-stop, b"", b""))
            self.assertEqual(os.listdir(self.folder), [])

    def test_while_it_shrinks(self):
        for stop in STOPS:
            process = self.start(*FAILS_SLOWLY, "--out", self.folder)
            line = process.stderr.readline().decode()
            process.send_signal(stop)
            out, error = process.communicate(timeout=30)
            self.assertEqual((process.returncode, out, error), (-stop, b"", b""))
            self.assertEqual(os.listdir(self.folder), [])
            self.assertIn("at seed 7", line)
        # The line holds a command for the case; to look at one of this size in `wide` takes long.
        words = shlex.split(line[line.index("shrinking ") + len("shrinking "):])
        self.assertEqual(words[0], "verify")
        done = self.accepted([*words[1:], "--time-limit", "6"], status=1)
        self.assertIn(b"counterexample to P2", done.stdout)

    def test_at_any_moment(self):
        attack.run(*attack.P2_FAILS)  # into the cache
        start = time.monotonic()
        attack.run(*attack.P2_FAILS)
        takes = time.monotonic() - start
        moments = random.Random(1)
        for _ in range(20):
            process = self.start(*attack.P2_FAILS, "--out", self.folder)
            time.sleep(moments.uniform(0, 1.2 * takes))
            process.send_signal(moments.choice(STOPS))
            process.communicate(timeout=30)
            for name in os.listdir(self.folder):
                self.assertEqual(name, "P2-f64-local-mdy.counterexample.json")
                with open(self.path(name), encoding="utf-8") as file:
                    json.load(file)
                os.remove(self.path(name))

    def test_signals_that_the_caller_ignores_stay_ignored(self):
        process = subprocess.Popen(["nohup", attack.PROGRAM, "--prop", "P2", "--cases", "2000", "--domain", "f64"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.3)
        process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"1 hold", out)


if __name__ == "__main__":
    attack.main()
