#!/usr/bin/env python3
"""Writes scikit-learn's handwritten digits as a data set: x [1797,1,8,8] of f32 in [0,1], y [1797] of u8.

The values are the file's, 0 to 16, over 16: exact. The order is the file's.
Source: https://archive.ics.uci.edu/dataset/80 (Alpaydin and Kaynak, 1998), as Debian's python3-sklearn ships it.

usage: digits.py OUT.npz [--pad SIZE | --enlarge TIMES] [--file digits.csv.gz]
Exit status 77 where the file is not there.
"""
import argparse
import glob
import gzip
import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # nothing beside the sources
from images import SKIP, enlarged, fail, padded

PLACES = "/usr/lib/python3*/*-packages/sklearn/datasets/data/digits.csv.gz"


def read(path):
    with gzip.open(path, "rt", encoding="ascii") as file:
        table = np.loadtxt(file, delimiter=",", ndmin=2)
    if table.shape[1] != 65 or not np.array_equal(table, np.clip(np.floor(table), 0, 16)) or table[:, 64].max() > 9:
        fail(f"{path}: expected rows of 64 pixels 0 to 16 and a label 0 to 9")
    return (table[:, :64] / 16).astype(np.float32).reshape(-1, 1, 8, 8), table[:, 64].astype(np.uint8)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("out")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--pad", type=int, metavar="SIZE", help="in the middle of SIZE × SIZE zeros")
    size.add_argument("--enlarge", type=int, metavar="TIMES", help="every pixel TIMES × TIMES times")
    parser.add_argument("--file", help="instead of the one that python3-sklearn installs")
    options = parser.parse_args()
    path = options.file or next(iter(sorted(glob.glob(PLACES))), None)
    if path is None or not os.path.exists(path):
        fail(f"no {options.file or 'digits.csv.gz (Debian: python3-sklearn)'}", SKIP)
    x, y = read(path)
    if options.pad:
        x = padded(x, options.pad)
    if options.enlarge:
        x = enlarged(x, options.enlarge)
    np.savez_compressed(options.out, x=x, y=y)


if __name__ == "__main__":
    main()
