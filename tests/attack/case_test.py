#!/usr/bin/env python3
"""--case and --replay: what does not say exactly which case is meant is refused."""
import json
import os

import attack


class Cases(attack.Attack):
    def case(self, text, *words, law="P2"):
        self.refused(["--prop", law, "--domain", "f64", "--case", text], *words)

    def test_fields(self):
        for text in ["x", "=2", "R=2,,N=1", ",R=2", "R=2,", "R=", "R=2=3", "R=2\n", "R= 2", "R=2 ", "R=9" + "9" * 100000,
                     "a" * 100000, b"R=\xff", b"\xff=2", "R=0", "R=-3", "R=1000001", "R=2.0", "seed=-1",
                     "seed=18446744073709551616", ","]:
            self.case(text, "case")
        for text in ["R=2,R=3", "R=2,r=3", "seed=1,seed=1", "x[0]=1,x[0]=2", "x[0]=1,x[00]=2", ",".join(["R=2"] * 20000)]:
            self.case(text, "twice")
        for text, dimension in [("kH=3", "kH"), ("kH=1", "kH"), ("subject=0", "subject"), ("depth=3", "depth")]:
            self.case(text, "P2", "no dimension " + dimension)
        self.case("H=3", "no dimension H", law="S6")
        for law in ["step", "lockstep", "step-bf16"]:
            for text in ["net=random", "net=0"]:
                self.case(text, "no case has net = random", law=law)
            # What is left out is the least that the law draws: a named net.
            self.accepted(["--prop", law, "--domain", "f64", "--case", "R=2"])
        self.case("R=3", "no case has R = 3", law="bf16-divisor")

    def test_names_of_values(self):
        for text in ["data=8", "data=-1", "data=nope", "data=", "phase=2"]:
            self.case(text, law="P4")
        # An index of a list is no ε: 0 would have meant 1.
        for text in ["eps=0", "eps=6", "eps=2e-5", "scale=0", "scale=1e5"]:
            self.case(text, "one of")
        for text in ["subject=999", "subject=nope", "subject=", "subject=-1"]:
            self.case(text, "subject", law="P4")
        for text in ["graph=1000001", "depth=9", "depth=0"]:
            self.case(text, law="graph")

    def test_cells(self):
        for text in ["nosuch[0]=1", "[0]=1", "X[0]=1", "Γ[0]=0", "gamma[0]=1", "x [0]=1"]:
            self.case(text, "no input is named", "x, γ, β, dy")
        for text in ["x[2]=1", "x[9223372036854775807]=0", "γ[1]=1"]:
            self.case("R=2,C=1," + text, "expected a position")
        for text in ["x[-1]=1", "x[]=1", "x[0]]=1", "x[0][1]=1", "x[0=1", "x]=1", "[]=1", "]=1", "x[99999999999999999999]=0",
                     "x[0]=1001", "x[0]=-1001", "x[0]=1.5", "x[0]=", "x[0]"]:
            self.case(text)
        self.accepted(["--prop", "P2", "--domain", "f64", "--case", "R=2,N=2,data=generic,x[3]=-1000,γ[0]=1"])


class Replays(attack.Attack):
    def saved(self):
        attack.run(*attack.P2_FAILS, "--out", self.folder)
        with open(self.path("P2-f64-local-mdy.counterexample.json"), encoding="utf-8") as file:
            return json.load(file)

    def replay(self, content, *words):
        self.refused(["--replay", self.path("a.json", content)], "a.json: ", *words)

    def test_no_json_object(self):
        whole = json.dumps(self.saved())
        for content in [b"", b"\0\0", b"[]", b"3", b"null", b'"x"', whole[:100], whole + "x", b"[" * 500000,
                        b'{"a":' * 100000, b"[" * 400000 + b"]" * 400000, b'{"law":"\xff"}', '{"law":"\\ud800"}']:
            self.replay(content, "expected a saved counterexample")
        self.replay(" " * (1 << 20) + whole, "at most 1048576 bytes")
        self.replay('{"a":' + "[" * 100000 + "]" * 100000 + "}", "format 1")

    def test_fields(self):
        saved = self.saved()
        for name, value in [("law", 3), ("law", None), ("law", "nope"), ("law", "P2\n\x1b[31m"), ("law", "P2\0x"),
                            ("domain", "nope"), ("domain", []), ("mutant", "nope"), ("mutant", None), ("mutant", ""),
                            ("case", 3), ("case", ""), ("case", "R=zz"), ("case", "R=2,nosuch[0]=1"), ("text", 3)]:
            self.replay(json.dumps({**saved, name: value}))
        for name in ["law", "domain", "case", "text", "shardlaw"]:
            self.replay(json.dumps({k: v for k, v in saved.items() if k != name}), name if name != "shardlaw" else "format 1")
        for version in [2, 0, 1.0, "1", None, [1], 2**32 + 1, 2**64 + 1, 1 - 2**32]:
            self.replay(json.dumps({**saved, "shardlaw": version}), "format 1")
        whole = json.dumps(saved)
        self.replay(whole[:-1] + ', "law": "P1"}', "'law' is given twice")
        numeric = {"shardlaw": 1, "law": "bf16-divisor", "domain": "exact", "case": "R=2", "text": ""}
        self.replay(json.dumps(numeric), "not meant in exact")
        self.refused(["--replay", self.path("a.json", json.dumps({**saved, "case": "R=1000000,N=1000000,H=1000000"}))],
                     "MiB")

    def test_no_file(self):
        for path in ["/dev/null", "/dev/zero", "/dev/full", self.folder, self.path("nosuch"), self.path("a" * 5000),
                     "/proc/self/mem", b"\xff\xfe"]:
            self.refused(["--replay", path])
        os.mkfifo(self.path("fifo"))  # nobody writes to it
        self.refused(["--replay", self.path("fifo")], "expected a saved counterexample", timeout=20)

    def test_what_no_longer_fails_as_it_did_is_said(self):
        saved = self.saved()
        done = self.accepted(["--replay", self.path("a.json", json.dumps(saved))], status=1)
        self.assertEqual(done.stderr, b"")
        done = self.accepted(["--replay", self.path("a.json", json.dumps({**saved, "text": "other"}))], status=1)
        self.assertIn(b"not as it was saved", done.stderr)
        del saved["mutant"]
        done = self.accepted(["--replay", self.path("a.json", json.dumps({**saved, "case": "R=2,data=generic"}))])
        self.assertIn(b"no longer fails", done.stderr)


if __name__ == "__main__":
    attack.main()
