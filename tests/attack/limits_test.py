#!/usr/bin/env python3
"""Shapes that are too large are refused; a time limit is kept, whatever a single case takes."""
import json
import math
import resource
import subprocess
import time

import attack

SLOW = ["--C", "200", "--H", "300", "--W", "300", "--K", "50", "--R", "1..2", "--N", "1"]


class Memory(attack.Attack):
    def test_shapes_that_do_not_fit(self):
        for pins in [["--H", "2000", "--W", "2000", "--C", "100"], ["--H", "1000000", "--W", "1000000"],
                     ["--R", "1000000", "--N", "1000000"], ["--C", "1000000", "--H", "1000000"]]:
            self.refused(["--prop", "P2", *pins], "MiB")
        everything = [word for name in "RNCHW" for word in ("--" + name, "1000000")]
        self.refused(["--prop", "P2", *everything], "more cells than 64 bits can count")
        self.refused(["--prop", "P2", "--case", "R=1000000,N=1000000,C=1000000,H=1000000,W=1000000"], "64 bits")

    def test_a_limit_of_the_caller(self):
        megabytes = 400

        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

        if attack.run("--version", preexec_fn=limited).returncode != 0:
            self.skipTest("a sanitizer's shadow memory does not fit below a limit")
        self.refused(["--prop", "S6", "--R", "1000000", "--domain", "f64", "--cases", "1"], "memory",
                     environment={"OMP_NUM_THREADS": "1"}, preexec_fn=limited)

    def test_many_replicas(self):
        self.accepted(["--prop", "P2", "--R", "1000", "--cases", "3"])
        self.accepted(["--prop", "S1", "--R", "100000", "--cases", "1", "--domain", "f64", "--H", "1"])


class Time(attack.Attack):
    def in_time(self, arguments, limit, status=3):
        start = time.monotonic()
        done = self.accepted([*arguments, "--time-limit", str(limit), "--format", "json"], status=status)
        # A second of grace, and what a busy machine and sanitizers take.
        self.assertLess(time.monotonic() - start, limit + 20)
        report = json.loads(done.stdout)
        self.assertFalse(report["ok"])
        return report

    def test_more_cases_than_there_is_time_for(self):
        for law in "P2", "all":
            report = self.in_time(["--prop", law, "--cases", "1000000"], 2)
            for result in report["results"]:
                self.assertIn(result["status"], ("undecided", "holds", "skipped"))
            self.assertIn("time limit", {result.get("reason") for result in report["results"]})

    def test_a_case_that_takes_longer_than_that(self):
        for result in self.in_time(["--prop", "P4", *SLOW], 1)["results"]:
            self.assertEqual((result["status"], result["reason"]), ("undecided", "time limit"))

    def test_the_matrix(self):
        report = self.in_time(["--mutants", "--cases", "1000000"], 1)
        self.assertIn("undecided: time limit", report["problems"][-1])
        self.in_time(["--mutants", "--C", "200", "--domain", "f64"], 1)

    def test_a_counterexample_that_is_not_shrunk_in_time(self):
        # In `exact` it takes a look in `wide` to call it refuted, for which there is time or not.
        for domain, codes in [("f64", {"refuted": 1}), ("exact", {"undecided": 3, "refuted": 1})]:
            arguments = ["--prop", "P2", "--domain", domain, "--mutant", "local-mdy", "--R", "4", "--N", "1", "--C", "4",
                         "--H", "150", "--W", "150"]
            # To shrink it takes thirty times as long as to find it.
            start = time.monotonic()
            with subprocess.Popen([attack.PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
                process.stderr.readline()
                process.kill()
            limit = math.ceil(3 * (time.monotonic() - start)) + 1
            result = self.in_time([*arguments, "--out", self.folder], limit, status=tuple(codes.values()))["results"][0]
            self.assertIn(result["status"], codes)
            self.assertIn("counterexample", result)
            with open(self.path(f"P2-{domain}-local-mdy.counterexample.json"), encoding="utf-8") as file:
                self.assertIn("H=150", json.load(file)["case"])


if __name__ == "__main__":
    attack.main()
