#!/usr/bin/env python3
"""The same train step in PyTorch and here, in turn on this machine: ratios of the medians of their wall times.

usage: torch_step.py TRAIN_STEP_BENCH [ROUNDS]

Refuses to compare where the peer's matrix product runs too slowly to be its own: Debian's PyTorch falls back to a
reference BLAS where no other is installed, and OpenBLAS does not know every processor.
"""
import json
import os
import statistics
import subprocess
import sys
import time

THREADS = os.cpu_count()
BATCH, EPS, RATE = 128, 1e-5, 0.01
WIDTHS, HEAD, CLASSES = [16, 16, 32, 32], 64, 10
# A core with AVX2 has a peak of some 40 GFLOP/s in f64; a reference BLAS runs at 2 or 3 in all.
PLAUSIBLE = {"f64": 8.0 * THREADS, "f32": 16.0 * THREADS}


def choose_core_type():
    """OpenBLAS 0.3.21 takes new processors for old ones unless it is told."""
    with open("/proc/cpuinfo", encoding="ascii") as file:
        flags = next((line for line in file if line.startswith("flags")), "").split()
    kind = "SKYLAKEX" if "avx512bw" in flags else "HASWELL" if "avx2" in flags else None
    if kind and "OPENBLAS_CORETYPE" not in os.environ:
        os.environ["OPENBLAS_CORETYPE"] = kind


choose_core_type()
try:
    import torch
except ImportError:
    sys.exit("torch_step: PyTorch is not installed (./run bench-torch installs it)")


def product_rate(dtype):
    a, b = torch.rand(1024, 1024, dtype=dtype), torch.rand(1024, 1024, dtype=dtype)
    best = min(timed(lambda: a @ b) for _ in range(7))
    return 2 * 1024**3 / best / 1e9


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Net(torch.nn.Module):
    """cifar8-bn-narrow."""

    def __init__(self):
        super().__init__()
        layers, channels = [], 3
        for width in WIDTHS:
            for _ in range(2):
                layers += [torch.nn.Conv2d(channels, width, 3, padding=1), torch.nn.BatchNorm2d(width, eps=EPS),
                           torch.nn.ReLU()]
                channels = width
            layers.append(torch.nn.MaxPool2d(2))
        layers.append(torch.nn.Flatten())
        for inputs, outputs in ((channels * 4, HEAD), (HEAD, HEAD)):
            layers += [torch.nn.Linear(inputs, outputs), torch.nn.ReLU()]
        layers.append(torch.nn.Linear(HEAD, CLASSES))
        self.layers = torch.nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


class Peer:
    def __init__(self, dtype):
        torch.manual_seed(1)
        self.net = Net().to(dtype)
        self.x = torch.rand(BATCH, 3, 32, 32, dtype=dtype)
        self.y = torch.randint(0, CLASSES, (BATCH,))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=RATE)

    def step(self):
        self.optimizer.zero_grad()
        torch.nn.functional.cross_entropy(self.net(self.x), self.y).backward()
        self.optimizer.step()


def own_seconds(program, domain):
    """Of a few steps: the benchmark's own mean."""
    done = subprocess.run([program, f"--benchmark_filter=^step/{domain}", "--benchmark_format=json",
                           "--benchmark_min_time=1"], check=True, capture_output=True, text=True)
    result = json.loads(done.stdout)["benchmarks"][0]
    return BATCH / result["examples_per_second"]


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    torch.set_num_threads(THREADS)
    print(f"cifar8-bn-narrow, SGD, batch {BATCH}, {THREADS} threads, PyTorch {torch.__version__}, "
          f"load {os.getloadavg()[0]:.1f}")
    kinds = {"f64": torch.float64, "f32": torch.float32}
    for name, dtype in kinds.items():
        rate = product_rate(dtype)
        print(f"PyTorch's product of 1024 x 1024 in {name}: {rate:.0f} GFLOP/s")
        if rate < PLAUSIBLE[name]:
            print(f"torch_step: expected at least {PLAUSIBLE[name]:.0f}: no fair peer, nothing is compared", file=sys.stderr)
            return 1
    peers = {name: Peer(dtype) for name, dtype in kinds.items()}
    theirs, ours = {name: [] for name in kinds}, {name: [] for name in ("f64", "f32", "exact")}
    for _ in range(rounds):
        for name, peer in peers.items():
            peer.step()
            theirs[name].append(min(timed(peer.step) for _ in range(5)))
        for name, seconds in ours.items():
            seconds.append(own_seconds(program, name))
    middle = statistics.median
    for name in kinds:
        print(f"{name}: {1000 * middle(ours[name]):.0f} ms against PyTorch's {1000 * middle(theirs[name]):.0f} ms: "
              f"{middle(ours[name]) / middle(theirs[name]):.2f} times")
    print(f"exact: {1000 * middle(ours['exact']):.0f} ms, {middle(ours['exact']) / middle(ours['f64']):.2f} times f64")
    for name, seconds in ours.items():
        print(f"{name}: {BATCH / middle(seconds):.0f} examples/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
