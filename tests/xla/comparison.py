"""Holding XLA's result against golden's.

To the bit first. Where the bits differ, by the bounds of a bounded domain: golden's value and XLA's are two evaluations
of one real number, each within `bound` of it (interp/number/bounded.h), so they lie within twice the bound of each
other. That is all: there is no tolerance here. An infinite bound says nothing, and such a cell is counted as unknown.
"""
from dataclasses import dataclass

import numpy


@dataclass
class Comparison:
    cells: int = 0
    unknown: int = 0  # bits differ, and no bound says whether they may
    identical: int = 0  # bits are those of golden's own evaluation
    apart: int = 0  # cells beyond the bound
    worst: float = 0.0  # |XLA − golden|
    ratio: float = 0.0  # the worst of |XLA − golden| / (2 · bound)
    first: str = ""  # a cell beyond the bound, or one that is unknown

    def add(self, other):
        for name in ("cells", "unknown", "identical", "apart"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.worst = max(self.worst, other.worst)
        self.ratio = max(self.ratio, other.ratio)
        self.first = self.first or other.first

    @property
    def verdict(self):
        if self.apart:
            return "APART"
        if self.identical == self.cells:
            return "to the bit"
        return "unknown" if self.unknown else "within"


def same_bits(a, b):
    """Cell by cell; any NaN is as good as another."""
    unsigned = f"u{a.dtype.itemsize}"
    return (a.view(unsigned) == b.view(unsigned)) | ((a != a) & (b != b))


def compare(name, xla, golden, bound):
    """One result. `bound` None: nothing but equality to the bit is known to be right."""
    if golden.shape != xla.shape:
        raise AssertionError(f"{name}: {xla.shape} in XLA, {golden.shape} in golden")
    result = Comparison(cells=xla.size)
    if golden.dtype == xla.dtype:
        same = same_bits(xla, golden)
    else:
        same = numpy.zeros(xla.shape, bool)
    if xla.dtype.kind in "biu":
        bound = numpy.zeros(xla.shape)
    elif bound is None:
        bound = numpy.full(xla.shape, numpy.inf)
    result.identical = int(same.sum())
    different = numpy.argwhere(~same)
    # Eighty bits hold the difference of two doubles to 2^-64 of itself, and the bound has 2^-47 to spare.
    x, g, most = (numpy.asarray(each, numpy.longdouble)[~same] for each in (xla, golden, bound))
    with numpy.errstate(invalid="ignore", divide="ignore", over="ignore"):
        error = numpy.where(x == g, 0, numpy.abs(x - g))
        known = numpy.isfinite(most)
        beyond = known & ~(error <= 2 * most)
        ratio = numpy.where(error > 0, error / (2 * most), 0)
    result.apart, result.unknown = int(beyond.sum()), int((~known).sum())
    result.worst = float(error[numpy.isfinite(error)].max(initial=0))
    result.ratio = float(numpy.where(numpy.isnan(ratio), numpy.inf, ratio)[known].max(initial=0))
    telling = beyond if result.apart else ~known
    if telling.any():
        at = tuple(int(i) for i in different[telling][0])
        result.first = f"{name}{list(at)}: XLA {xla[at]}, golden {golden[at]}, bound {bound[at]:.3g}"
    return result


def compare_all(names, xla, golden, bounds):
    """Of every process."""
    total = Comparison()
    for p, outputs in enumerate(xla):
        for i, output in enumerate(outputs):
            place = names[i] if len(xla) == 1 else f"{names[i]}@{p}"
            total.add(compare(place, output, golden[p][i], bounds[p][i] if bounds else None))
    return total


HEADER = (f"{'program':58} {'cells':>8} {'to the bit':>10} {'no bound':>8} "
          f"{'worst error':>11} {'of 2 bounds':>11}  verdict")


def row(name, result, verdict=None):
    ratio = f"{result.ratio:.2g}" if numpy.isfinite(result.ratio) else "inf"
    return (f"{name:58} {result.cells:8} {result.identical:10} {result.unknown:8} {result.worst:11.2e} {ratio:>11}  "
            f"{verdict or result.verdict}")
