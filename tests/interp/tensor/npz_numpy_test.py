#!/usr/bin/env python3
"""numpy and shardlaw read each other's .npy and .npz files.

usage: npz_numpy_test.py REWRITE    REWRITE: the program of rewrite.cc
"""
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

REWRITE = os.path.abspath(sys.argv.pop(1))
CODES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
SHAPES = [(), (3,), (1, 1), (0, 4), (2, 3), (4, 2, 3), (2, 1, 3, 2), (1, 2, 1, 2, 1, 2, 1, 2)]


def draw(rng, code, shape):
    """Any bits that the type has; a bool has two."""
    if code == "b1":
        return rng.integers(0, 2, shape).astype(bool)
    width = int(code[1:])
    cells = int(np.prod(shape, dtype=np.int64))
    return rng.integers(0, 256, (cells * width,), dtype=np.uint8).view("<" + code).reshape(shape)


def bits(array):
    """Type, shape and row-major, little-endian bytes: NaNs compare as well."""
    little = array.astype(array.dtype.newbyteorder("<"))
    return little.dtype.str, array.shape, little.tobytes(order="C")


class WithNumpy(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def rewritten(self, source, *options):
        target = self.path("out" + os.path.splitext(source)[1])
        subprocess.run([REWRITE, source, target, *options], check=True, timeout=60)
        return target

    def refused(self, source, *options):
        target = self.path("refused.npz")
        done = subprocess.run([REWRITE, source, target, *options], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertFalse(os.path.exists(target))
        return done.stderr

    def every_array(self):
        arrays = {}
        for code in CODES:
            for shape in SHAPES:
                array = draw(self.rng, code, shape)
                name = f"{code} {shape}"
                arrays[name] = array
                arrays[name + " big-endian"] = array.astype(array.dtype.newbyteorder(">"))
                arrays[name + " Fortran"] = np.asfortranarray(array)
        return arrays

    def same(self, arrays, path):
        with np.load(path) as loaded:
            self.assertEqual(loaded.files, list(arrays))
            for name, array in arrays.items():
                self.assertEqual(bits(loaded[name]), bits(array), name)
                self.assertTrue(loaded[name].flags.c_contiguous, name)

    def test_every_type_and_shape(self):
        arrays = self.every_array()
        for save in (np.savez, np.savez_compressed):
            save(self.path("in.npz"), **arrays)
            for options in ([], ["--deflate"]):
                written = self.rewritten(self.path("in.npz"), *options)
                self.same(arrays, written)
                self.same(arrays, self.rewritten(written))

    def test_versions_of_the_header(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            array = draw(self.rng, "f4", (2, 3))
            with open(self.path("in.npy"), "wb") as file:
                np.lib.format.write_array(file, array, version=version)
            self.assertEqual(bits(np.load(self.rewritten(self.path("in.npy")))), bits(array))

    def test_a_written_archive_is_a_sound_zip(self):
        np.savez(self.path("in.npz"), x=np.arange(5), ünï=np.zeros((2621, 401), np.uint8))
        for options, method in ([], zipfile.ZIP_STORED), (["--deflate"], zipfile.ZIP_DEFLATED):
            with zipfile.ZipFile(self.rewritten(self.path("in.npz"), *options)) as archive:
                self.assertIsNone(archive.testzip())
                self.assertEqual(archive.namelist(), ["x.npy", "ünï.npy"])
                for entry in archive.infolist():
                    self.assertEqual(entry.date_time, (1980, 1, 1, 0, 0, 0))
                    self.assertEqual(entry.compress_type, method)

    def test_an_archive_of_nothing(self):
        np.savez(self.path("in.npz"))
        self.same({}, self.rewritten(self.path("in.npz")))

    def test_bf16_is_two_raw_bytes_to_numpy(self):
        raw = self.rng.integers(0, 65536, (3, 2), dtype=np.uint16)
        np.savez(self.path("in.npz"), x=raw.view("V2"))
        with np.load(self.rewritten(self.path("in.npz"), "--bf16")) as loaded:
            self.assertEqual(loaded["x"].dtype, np.dtype("V2"))
            self.assertEqual(loaded["x"].view("<u2").tolist(), raw.tolist())
        self.assertIn("two raw bytes", self.refused(self.path("in.npz")))

    def test_what_numpy_can_save_and_nobody_should_read(self):
        cases = {
            "Python objects": np.array([{}], dtype=object),
            "strings": np.array(["a"]),
            "byte strings": np.array([b"a"]),
            "complex numbers": np.array([1j]),
            "dates": np.array(["2020-01-01"], dtype="M8[D]"),
            "structured dtype": np.zeros(1, dtype=[("a", "<f4"), ("b", "<i4")]),
            "floats of this width": np.zeros(1, dtype=np.longdouble),
            "more than 8 axes": np.zeros((1,) * 9),
        }
        for expected, array in cases.items():
            np.savez(self.path("in.npz"), fine=np.zeros(1), x=array)
            message = self.refused(self.path("in.npz"))
            self.assertIn(expected, message)
            self.assertIn("in.npz: member 'x': ", message)


if __name__ == "__main__":
    unittest.main()
