#!/usr/bin/env python3
"""The scripts that make small data sets, and readDataset on what they write.

usage: data_test.py DESCRIBE    DESCRIBE: the program of describe.cc
"""
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
DESCRIBE = os.path.abspath(sys.argv.pop(1))


def idx(array):
    """An IDX file of bytes, packed."""
    head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return gzip.compress(head + array.tobytes())


class Data(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)

    def call(self, script, *options):
        command = [sys.executable, os.path.join(HERE, script), self.path("out.npz"), *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    def made(self, script, *options):
        """The arrays that a script writes; skips where it has no data. The same call writes the same bytes."""
        contents = []
        for _ in range(2):
            done = self.call(script, *options)
            if done.returncode == 77:
                self.skipTest(done.stderr.strip())
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path("out.npz"), "rb") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        with np.load(self.path("out.npz")) as file:
            return dict(file)

    def described(self):
        done = subprocess.run([DESCRIBE, self.path("out.npz")], capture_output=True, text=True, timeout=120, check=True)
        return json.loads(done.stdout)

    def same(self, part, x, y):
        """A set that the program describes, against its arrays."""
        self.assertEqual(part["image"], list(x.shape[1:]))
        self.assertEqual(part["labels"], y.tolist())
        pixels = x.astype(np.float32) / np.float32(255) if x.dtype == np.uint8 else x
        rows = pixels.reshape(len(x), -1).astype(np.float64)
        np.testing.assert_allclose(part["sums"], rows @ np.arange(1, rows.shape[1] + 1), rtol=1e-12)

    def handmade_digits(self):
        """Seven rows: in row n pixel n is 16, pixel 63 is 3, and the label is n."""
        table = np.zeros((7, 65))
        for n in range(7):
            table[n, [n, 63, 64]] = 16, 3, n
        lines = "\n".join(",".join(f"{value:.18e}" for value in row) for row in table)
        return self.write("digits.csv.gz", gzip.compress(lines.encode()))

    def test_digits_from_a_file_made_by_hand(self):
        source = self.handmade_digits()
        arrays = self.made("digits.py", "--file", source)
        x, y = arrays["x"], arrays["y"]
        self.assertEqual((x.shape, x.dtype, y.dtype), ((7, 1, 8, 8), np.float32, np.uint8))
        self.assertEqual([x[5, 0, 0, 5], x[5, 0, 7, 7], x[5].sum()], [1, 3 / 16, 1 + 3 / 16])
        self.assertEqual(y.tolist(), list(range(7)))
        described = self.described()
        self.same(described["train"], x[:6], y[:6])
        self.same(described["test"], x[6:], y[6:])
        wide = self.made("digits.py", "--file", source, "--pad", "16")["x"]
        self.assertTrue(np.array_equal(wide[:, :, 4:12, 4:12], x) and wide.sum() == x.sum())
        twice = self.made("digits.py", "--file", source, "--enlarge", "2")["x"]
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            self.assertTrue(np.array_equal(twice[:, :, i::2, j::2], x))

    def test_digits_that_are_none(self):
        for line in ("1," * 64 + "10", "17," * 64 + "1", "0.5," * 64 + "1", "1,2,3"):
            done = self.call("digits.py", "--file", self.write("bad.csv.gz", gzip.compress(line.encode())))
            self.assertEqual(done.returncode, 2)
            self.assertIn("bad.csv.gz: expected rows of 64 pixels", done.stderr)
        self.assertEqual(self.call("digits.py", "--file", self.handmade_digits(), "--pad", "7").returncode, 2)
        self.assertEqual(self.call("digits.py", "--file", self.path("none")).returncode, 77)

    def test_the_digits_that_are_installed(self):
        arrays = self.made("digits.py")
        counts = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]  # as scikit-learn documents them
        self.assertEqual(np.bincount(arrays["y"]).tolist(), counts)
        self.assertEqual(arrays["x"].shape, (1797, 1, 8, 8))
        self.same(self.described()["train"], arrays["x"][:1438], arrays["y"][:1438])

    def test_fashion_from_files_made_by_hand(self):
        images = np.random.default_rng(1).integers(0, 256, (3, 28, 28), dtype=np.uint8)
        images[0] = 0
        images[0, 0, :2] = 255, 254  # at (2, 2) and (2, 3) once padded; their block's mean is 127.25
        images[1, 26:, 26:] = [[1, 2], [1, 2]]  # a mean of 1.5
        for name in ("train", "t10k"):
            self.write(f"{name}-images-idx3-ubyte.gz", idx(images))
            self.write(f"{name}-labels-idx1-ubyte.gz", idx(np.array([9, 0, 3], np.uint8)))
        made = lambda *options: self.made("fashion.py", "--folder", self.folder, *options)
        arrays = made("--train", "2", "--test", "9")
        self.assertTrue(np.array_equal(arrays["x"], images[:2, None]) and np.array_equal(arrays["x_test"], images[:, None]))
        self.assertEqual((arrays["y"].tolist(), arrays["y_test"].tolist()), ([9, 0], [9, 0, 3]))
        wide = made("--size", "32")["x"]
        self.assertTrue(np.array_equal(wide[:, 0, 2:30, 2:30], images) and wide.sum() == images.sum())
        small = made("--size", "16")["x"]
        self.assertEqual(small.shape, (3, 1, 16, 16))
        self.assertEqual([small[0, 0, 1, 1], small[0].sum(), small[1, 0, 14, 14]], [127, 127, 2])
        self.write("train-labels-idx1-ubyte.gz", idx(images))
        done = self.call("fashion.py", "--folder", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected an IDX file of bytes and 1 axes, found 00000803", done.stderr)

    def test_the_fashion_that_is_installed(self):
        arrays = self.made("fashion.py", "--size", "16", "--train", "1000", "--test", "200")
        self.assertEqual(arrays["y"][:10].tolist(), [9, 0, 0, 3, 0, 2, 7, 2, 5, 5])
        self.assertGreater(np.bincount(arrays["y"], minlength=10).min(), 70)
        described = self.described()
        self.same(described["train"], arrays["x"], arrays["y"])
        self.same(described["test"], arrays["x_test"], arrays["y_test"])
        self.assertEqual(described["train"]["classes"], 10)


if __name__ == "__main__":
    unittest.main()
