#!/usr/bin/env python3
"""golden train on real images (Fashion-MNIST): what it learns, curves, checkpoints, and files that are no images.

usage: train_test.py GOLDEN
"""
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = str(pathlib.Path(sys.argv[1]).resolve())
SKIPPED = 77


def golden(*arguments, folder):
    return subprocess.run([GOLDEN, "train", *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=600, check=False)


class Train(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        made = subprocess.run([sys.executable, HERE.parent / "fashion.py", cls.folder / "images.npz", "--size", "16",
                               "--train", "2000", "--test", "1000"], capture_output=True, text=True, check=False)
        if made.returncode == SKIPPED:
            print(made.stderr)
            sys.exit(SKIPPED)
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def trained(self, *arguments):
        done = golden("--data", "images.npz", "--widths", "8,16", "--head", "32", "--rate", "0.003", "--warmup", "10",
                      *arguments, folder=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def rows(self, name):
        with open(self.folder / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_learns_and_replicas_agree(self):
        """The accuracy that the README states; and the curve of four replicas lies on that of one."""
        self.trained("--batch", "40", "--epochs", "8", "--R", "1,4", "--curve", "curve")
        one, four = self.rows("curve-R1.csv"), self.rows("curve-R4.csv")
        self.assertEqual(len(one), 400)
        self.assertGreater(float(one[-1]["test_accuracy"]), 0.75)
        self.assertGreater(float(four[-1]["test_accuracy"]), 0.75)
        # f32 sums in another order: the first steps agree to a few units of roundoff of the loss.
        for a, b in zip(one[:5], four[:5]):
            self.assertAlmostEqual(float(a["train_loss"]), float(b["train_loss"]), delta=1e-4)
        drawing = (self.folder / "curve.svg").read_text(encoding="utf-8")
        for name in ("R = 1", "R = 4", "<svg"):
            self.assertIn(name, drawing)

    def test_resumes_to_the_byte(self):
        common = ("--batch", "100", "--optimizer", "mom")
        self.trained(*common, "--steps", "12", "--checkpoint", "whole.npz", "--curve", "whole")
        self.trained(*common, "--steps", "12", "--checkpoint", "again.npz", "--every", "5")
        self.assertEqual((self.folder / "whole.npz").read_bytes(), (self.folder / "again.npz").read_bytes())
        # A run that is stopped after step 5 of 12 leaves its checkpoint of that step.
        process = subprocess.Popen([GOLDEN, "train", "--data", "images.npz", "--widths", "8,16", "--head", "32",
                                    "--rate", "0.003", "--warmup", "10", *common, "--steps", "12", "--checkpoint",
                                    "part.npz", "--every", "5"], cwd=self.folder, stdout=subprocess.DEVNULL)
        while process.poll() is None and not (self.folder / "part.npz").exists():
            pass
        process.kill()
        process.wait()
        self.trained(*common, "--steps", "12", "--checkpoint", "part.npz", "--resume", "--curve", "part")
        self.assertEqual((self.folder / "whole.npz").read_bytes(), (self.folder / "part.npz").read_bytes())
        self.assertEqual((self.folder / "whole.csv").read_bytes(), (self.folder / "part.csv").read_bytes())

    def refused(self, arguments, *words):
        before = sorted(path.name for path in self.folder.iterdir())
        done = golden(*arguments, folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_refuses_what_is_no_images(self):
        net = ["--widths", "8", "--curve", "out"]
        def data(name, content):
            (self.folder / name).write_bytes(content)
            return ["--data", name, *net]
        self.refused(data("short.bin", bytes(3072)), "short.bin", "3073")
        self.refused(data("label.bin", bytes([10]) + bytes(3072)), "label.bin", "record 0")
        self.refused(data("python", b"\x80\x02}q\x01"), "pickle")
        self.refused(data("batch.gz", b"\x1f\x8b\x08\x00"), "gzip")
        self.refused(data("empty.bin", b""), "empty.bin")
        self.refused(data("other.npz", b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0, 0, 0, 0, 0)), "other.npz")
        self.refused(["--data", "nowhere", *net], "nowhere")
        self.refused(["--data", "images.npz", "--net", "cifar8-bn", "--curve", "out"], "[3,32,32]", "[1,16,16]")
        self.refused(["--data", "images.npz", "--widths", "8,8,8,8,8", "--curve", "out"], "even extents")
        # A width that comes again is another stage: five of them halve 16 once too often.
        self.refused(["--data", "images.npz", "--widths", "8,,8", "--curve", "out"], "found ''")
        self.refused(["--data", "images.npz", *net, "--batch", "30", "--R", "4"], "multiple of 4")
        self.refused(["--data", "images.npz", "--widths", "8", "--curve", "images.npz/out"], "images.npz")

    def test_tells_where_a_run_diverges(self):
        done = golden("--data", "images.npz", "--widths", "8", "--optimizer", "sgd", "--rate", "100000", "--batch", "50",
                      "--steps", "40", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected a finite loss", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
