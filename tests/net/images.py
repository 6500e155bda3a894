"""What the scripts that make small data sets share."""
import sys

import numpy as np

SKIP = 77


def fail(message, status=2):
    print(message, file=sys.stderr)
    sys.exit(status)


def padded(x, size):
    """Images [n,C,H,W] in the middle of size × size zeros; the odd row and column go to the end."""
    height, width = x.shape[2:]
    if size < height or size < width:
        fail(f"images of {height}×{width} cannot be padded to {size}×{size}")
    top, start = (size - height) // 2, (size - width) // 2
    return np.pad(x, ((0, 0), (0, 0), (top, size - height - top), (start, size - width - start)))


def enlarged(x, times):
    """Every pixel as times × times equal ones."""
    return x.repeat(times, axis=2).repeat(times, axis=3)


def halved(x):
    """Every 2×2 bytes as their mean, halves rounded up."""
    n, channels, height, width = x.shape
    blocks = x.reshape(n, channels, height // 2, 2, width // 2, 2).astype(np.uint32)
    return ((blocks.sum(axis=(3, 5)) + 2) // 4).astype(np.uint8)
