#!/usr/bin/env python3
"""Writes the first examples of Fashion-MNIST as a data set: x, x_test [n,1,SIZE,SIZE] and y, y_test [n], of u8.

SIZE is 28, as the images are; 32, with two zeros around them; or 16, the means of 2×2 pixels of those. Networks that
halve their maps four times need a multiple of 16. The order is the files', which is shuffled.
Source: Xiao, Rasul and Vollgraf (2017), as Debian's dataset-fashion-mnist ships it, in MNIST's IDX format
(http://yann.lecun.com/exdb/mnist).

usage: fashion.py OUT.npz [--size 28|32|16] [--train N] [--test N] [--folder FOLDER]
Exit status 77 where the files are not there.
"""
import argparse
import gzip
import os
import sys

import numpy as np

sys.dont_write_bytecode = True  # nothing beside the sources
from images import SKIP, fail, halved, padded

FOLDER = "/usr/share/datasets/fashion-mnist"


def read_idx(path, rank, count):
    """The first `count` items of an IDX file of bytes."""
    if not os.path.exists(path):
        fail(f"no {path} (Debian: dataset-fashion-mnist)", SKIP)
    with gzip.open(path, "rb") as file:
        magic = file.read(4)
        if magic != bytes([0, 0, 8, rank]):
            fail(f"{path}: expected an IDX file of bytes and {rank} axes, found {magic.hex()}")
        shape = np.frombuffer(file.read(4 * rank), ">u4").astype(int)
        count = min(count, shape[0])
        cells = count * int(np.prod(shape[1:]))
        data = file.read(cells)
    if len(data) != cells:
        fail(f"{path}: expected {cells} bytes, found {len(data)}")
    return np.frombuffer(data, np.uint8).reshape(count, *shape[1:])


def read(folder, name, count, size):
    x = read_idx(os.path.join(folder, f"{name}-images-idx3-ubyte.gz"), 3, count)[:, None]
    y = read_idx(os.path.join(folder, f"{name}-labels-idx1-ubyte.gz"), 1, count)
    return (x if size == 28 else halved(padded(x, 32)) if size == 16 else padded(x, 32)), y


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("out")
    parser.add_argument("--size", type=int, choices=(28, 32, 16), default=28)
    parser.add_argument("--train", type=int, default=2000, help="examples to train on; default 2000, at most 60000")
    parser.add_argument("--test", type=int, default=500, help="examples to test on; default 500, at most 10000")
    parser.add_argument("--folder", default=FOLDER)
    options = parser.parse_args()
    if min(options.train, options.test) < 1:
        fail("--train and --test: expected 1 or more")
    x, y = read(options.folder, "train", options.train, options.size)
    x_test, y_test = read(options.folder, "t10k", options.test, options.size)
    np.savez_compressed(options.out, x=x, y=y, x_test=x_test, y_test=y_test)


if __name__ == "__main__":
    main()
