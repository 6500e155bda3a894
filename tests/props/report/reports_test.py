#!/usr/bin/env python3
"""Holds every report format against what reads it: a schema, an XML parser, an HTML parser, a browser.

usage: reports_test.py VERIFY SCHEMA {json|junit|html|chromium}
"""
import html.parser
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

SKIPPED = 77
REFUTED = ["--prop", "P2", "--prop", "S3", "--mutant", "sum-anywhere"]
HOLDS = ["--prop", "P2", "--prop", "adjoint", "--ladder", "--cases", "40"]
MATRIX = ["--mutants", "--cases", "60"]
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def verify(program, arguments, form, status):
    done = subprocess.run([program, *arguments, "--format", form], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def check_json(program, schema):
    import jsonschema  # Debian: python3-jsonschema

    validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
    for arguments, status, ok in ((REFUTED, 1, False), (HOLDS, 0, True), (MATRIX, 0, True)):
        report = json.loads(verify(program, arguments, "json", status))
        validator.validate(report)
        assert report["ok"] is ok
    with tempfile.TemporaryDirectory() as folder:
        right, wrong = pathlib.Path(folder, "right.mlir"), pathlib.Path(folder, "wrong.mlir")
        right.write_text(PROGRAM, encoding="utf-8")
        wrong.write_text(PROGRAM.replace("add", "multiply"), encoding="utf-8")
        for other, status in (right, 0), (wrong, 1):
            files = ["--replica", str(right), "--global", str(other), "--R", "1"]
            report = json.loads(verify(program, files, "json", status))
            validator.validate(report)
            assert report["ok"] is (status == 0) and bool(report["programs"]["differences"]) is (status == 1)
    # The schema must be able to fail.
    report["surprise"] = 1
    assert not validator.is_valid(report)


def check_junit(program):
    suite = xml.etree.ElementTree.fromstring(verify(program, REFUTED, "junit", 1))
    cases = suite.findall("testcase")
    assert suite.get("tests") == str(len(cases)) == "4" and suite.get("failures") == "4"
    assert "replay" in cases[0].find("failure").text
    suite = xml.etree.ElementTree.fromstring(verify(program, HOLDS, "junit", 0))
    assert suite.get("failures") == "0" and suite.get("errors") == "0" and suite.get("tests") == "4"
    suite = xml.etree.ElementTree.fromstring(verify(program, ["--prop", "P2", "--R", "1"], "junit", 3))
    assert suite.get("errors") == "2"


class Page(html.parser.HTMLParser):
    """Checks that tags balance, and that nothing comes from elsewhere."""

    LOOSE = {"meta", "html", "tr", "th", "td", "rect", "line", "path", "circle", "link", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe"), tag
        for name, value in attributes:
            assert name not in ("src", "href", "onclick") and "http" not in (value or ""), (tag, name, value)
        if tag not in self.LOOSE:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.LOOSE:
            assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
            self.open.pop()

    def handle_data(self, data):
        self.text += data


def check_html(program):
    for arguments, status, words in (
        (REFUTED, 1, ["not everything holds", "Counterexamples", "replica 1", "replay"]),
        (HOLDS, 0, ["everything holds", "Residual ladder", "Coverage", "false pass below"]),
        (MATRIX, 0, ["Kill matrix", "local-mdy", "killed by case"]),
    ):
        page = Page()
        page.feed(verify(program, arguments, "html", status))
        assert not page.open, page.open
        for word in words:
            assert word in page.text, word


def colours(png):
    """How many different bytes an 8-bit PNG's pixels have: a blank page has one or two."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        packed += data[at + 8 : at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    return len(set(zlib.decompress(packed)))


def check_chromium(program):
    browser = shutil.which("chromium")
    if browser is None:
        print("skipped: no chromium")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        page, picture = pathlib.Path(folder, "report.html"), pathlib.Path(folder, "report.png")
        page.write_text(verify(program, REFUTED + ["--ladder"], "html", 1), encoding="utf-8")
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
             "--window-size=1300,1600", f"--screenshot={picture}", page.as_uri()],
            check=True, capture_output=True, timeout=120, env={**os.environ, "HOME": folder})
        assert colours(picture) > 50, colours(picture)


def main():
    program, schema, what = sys.argv[1:4]
    if what == "json":
        check_json(program, schema)
    else:
        {"junit": check_junit, "html": check_html, "chromium": check_chromium}[what](program)
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
