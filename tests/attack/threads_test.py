#!/usr/bin/env python3
"""The same seed gives the same bytes, whatever the number of threads."""
import re

import attack

EVERY_LAW = ["--prop", "all", "--domain", "exact,f64,wide", "--cases", "5", "--ladder", "--seed", "3"]
WRONG = ["--prop", "P2", "--prop", "graph", "--domain", "exact,f64", "--mutant", "sum-dy-statistics"]
MATRIX = ["--mutants", "--cases", "10", "--C", "2", "--domain", "f64"]


class Threads(attack.Attack):
    def outputs(self, arguments, form):
        """Of one run after the other, at thread counts of which none, one and two are the machine's."""
        for threads in ["1", "2", "4", "4"]:
            done = attack.run(*arguments, "--format", form, timeout=600, environment={"OMP_NUM_THREADS": threads})
            self.assertNotEqual(done.stdout, b"", done.stderr)
            # Times are the one exception, in JSON and JUnit.
            yield threads, re.sub(rb'("seconds": |time=")[0-9.e+-]+', rb"\1", done.stdout)

    def same(self, arguments, *forms):
        for form in forms:
            (_, first), *rest = self.outputs(arguments, form)
            for threads, output in rest:
                self.assertEqual(output, first, f"{form} with {threads} threads")

    def test_every_law(self):
        self.same(EVERY_LAW, "text", "html")

    def test_times_are_the_one_exception(self):
        self.same(["--prop", "P2", "--cases", "30"], "json", "junit")

    def test_counterexamples(self):
        self.same(WRONG, "text", "html")

    def test_the_matrix(self):
        self.same(MATRIX, "text")

    def test_an_error(self):
        """Of several jobs that fail, the first one's error is told."""
        errors = set()
        for threads in ["1", "2", "4"] * 3:
            done = attack.run("--prop", "all", "--H", "1..1000000", "--C", "1000000", "--cases", "1", "--domain", "f64",
                              environment={"OMP_NUM_THREADS": threads})
            self.assertEqual(done.returncode, 2)
            errors.add(re.sub(rb"and \d+ MiB are free", b"", done.stderr))
        self.assertEqual(len(errors), 1)


if __name__ == "__main__":
    attack.main()
