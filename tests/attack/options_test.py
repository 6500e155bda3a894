#!/usr/bin/env python3
"""Command lines that make no sense are refused in one line; nothing that is asked for is without effect."""
import attack


class Options(attack.Attack):
    def test_nothing_to_do(self):
        for arguments in [], ["--quiet"], ["--seed", "1"], ["--ladder"], ["--mutant", "local-mdy"]:
            self.refused(arguments, "which law?", "--help")

    def test_unknown_arguments(self):
        self.refused([""], "unexpected argument ''")
        self.refused(["P2"], "unexpected argument 'P2'", "--prop")
        self.refused(["--", "P2"])
        self.refused(["--prop", "P2", "--R", "2", "3"], "unexpected argument '3'")
        self.refused(["--prop", "P2", "P1"], "unexpected argument 'P1'")
        self.refused(["--prop", "P2", "-R", "3"], "did you mean --R?")
        self.refused(["--prop", "P2", "--case-limit", "3"], "no option is named '--case-limit'")
        self.refused(["--prop", "P2", "--" + "a" * 100000])

    def test_values_that_are_missing_or_empty(self):
        for option in ["--prop", "--R", "--cases", "--seed", "--domain", "--bits", "--mutant", "--case", "--replay",
                       "--out", "--format", "--time-limit"]:
            rest = [] if option in ("--prop", "--replay") else ["--prop", "P2"]
            self.refused([*rest, option, ""], option, "found ''")
            self.refused([*rest, option], option)
            self.refused([*rest, option + "="], option)

    def test_pins(self):
        for text in ["0", "-1", "abc", "1000001", "9" * 30, "2..", "..2", "..", "8..2", "2...8", "2..8..9", "+2", " 2",
                     "2 ", "2.0", "0x2", "1e3", "2,3", "٣", "0..3", "1..1000001", "9" * 100000]:
            self.refused(["--prop", "P2", "--R", text], "--R")
        self.refused(["--prop", "P2", "--R", "2", "--R", "3"], "twice", "'2'", "'3'")
        self.accepted(["--prop", "P2", "--R", "2", "--R", "2", "--cases", "5"])
        self.refused(["--prop", "S6", "--H", "2"], "S6", "no dimension H")
        self.refused(["--prop", "R1", "--R", "2"], "R1", "no case has R = 2")
        self.refused(["--prop", "bf16-divisor", "--R", "5..7"], "no case has R = 5..7")

    def test_a_wide_pin_is_drawn_from_as_the_law_has_it(self):
        done = self.accepted(["--prop", "bf16-divisor", "--domain", "f64", "--R", "3..600", "--cases", "60"])
        replicas = [line.split() for line in done.stdout.decode().splitlines() if line.startswith("    R ")]
        values = {int(word.split(":")[0]) for word in replicas[0][1:]}
        self.assertLessEqual(values, {4, 8, 16, 32, 64, 128, 256, 512})
        self.assertGreater(len(values), 3)

    def test_numbers(self):
        for option, texts in {"--cases": ["0", "-1", "1000001", "1e3", "1.5", "1 "],
                              "--seed": ["-1", "18446744073709551616", "0x10", "1.0", "9" * 1000],
                              "--bits": ["63", "8193", "64.5", "-256", "NaN"],
                              "--time-limit": ["0", "-1", "0.5", "1000001", "inf"]}.items():
            for text in texts:
                self.refused(["--prop", "P2", option, text], option, "expected a whole number")
            self.refused(["--prop", "P2", option, "100", option, "200"], option, "twice")
        self.accepted(["--prop", "P2", "--cases", "3", "--seed", "18446744073709551615"])

    def test_names(self):
        for name in ["nope", "P2,P1", "γ", "P2 ", "a" * 100000, b"\xff\xfe", "P2\n", "\x1b[31mP2", "\u0085", "P2\u009b"]:
            self.refused(["--prop", name], "no law is named", "did you mean")
        self.refused(["--prop", "P2", "--mutant", "locl-mdy"], "no mutant is named", "local-mdy")
        for domain in ["nope", "f63", "exact;f64", b"\xff"]:
            self.refused(["--prop", "P2", "--domain", domain], "no domain is named", "exact, f64, f32, wide")
        for domain in [",", "exact,", ",exact", "exact,,f64"]:
            self.refused(["--prop", "P2", "--domain", domain], "--domain", domain)
        for word in ["bad", "TEXT", "text,json", "junit "]:
            self.refused(["--prop", "P2", "--format", word], "text, json, junit or html")
        self.refused(["--prop", "bf16-divisor", "--domain", "exact"], "not meant in exact")

    def test_a_law_or_domain_named_twice_is_run_once(self):
        once = self.accepted(["--prop", "P2", "--domain", "f64", "--cases", "3"]).stdout
        for arguments in [["--prop", "P2", "--prop", "p2", "--domain", "f64,f64"],
                          ["--prop", "P2", "--domain", "f64", "--domain", "f64"]]:
            self.assertEqual(self.accepted([*arguments, "--cases", "3"]).stdout, once)
        every = self.accepted(["--prop", "all", "--domain", "exact", "--cases", "20"]).stdout
        self.assertEqual(self.accepted(["--prop", "ALL", "--prop", "S1", "--domain", "exact", "--cases", "20"]).stdout, every)

    def test_contradictions(self):
        for more in [["--prop", "P2"], ["--mutants"], ["--replay", "x"], ["--format", "json"], ["--R", "2"], ["--ladder"]]:
            self.refused(["--list", *more], "--list")
        for more in [["--R", "3"], ["--cases", "10"], ["--seed", "2"], ["--mutants"], ["--prop", "P1"]]:
            self.refused(["--prop", "P2", "--case", "R=2", *more], "--case")
        self.refused(["--prop", "all", "--case", "R=2"], "--case")
        self.refused(["--mutants", "--case", "R=2"], "--case")
        for more in [["--prop", "P2"], ["--R", "3"], ["--domain", "f64"], ["--seed", "2"], ["--cases", "3"], ["--mutants"],
                     ["--mutant", "local-mdy"], ["--out", "x"]]:
            self.refused(["--replay", "x.json", *more], "--replay")
        self.refused(["--replay", "x.json", "--case", "R=2"])
        self.refused(["--mutants", "--mutant", "local-mdy"], "--mutants")
        self.refused(["--prop", "P2", "--mutants", "--mutant", "local-mdy"], "--mutants")
        self.refused(["--mutants", "--out", "x"], "--out")
        self.refused(["--mutants", "--ladder"], "--ladder")

    def test_texts_that_end_the_program(self):
        for option in ["--help", "--version", "--man", "--list"]:
            self.assertEqual(self.accepted([option]).stderr, b"")


if __name__ == "__main__":
    attack.main()
