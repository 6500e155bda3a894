"""Rendered networks in XLA, at R host devices, against golden's bounds."""
import re
import zlib
from dataclasses import dataclass

import numpy

import xla_backend
from apart import take_apart
from comparison import compare_all

SHARDED = ("x", "onehot")  # along the batch; every replica has all of everything else
BF16_SPACING = 2.0**-8  # of numbers near 1
RATE, BETA1, BETA2, STEPS = 0.01, 0.9, 0.999, 3


@dataclass
class Network:
    """A rendered program."""
    net: str
    entry: str
    optimizer: str = ""
    replicas: int = 1
    batch: int = 2  # of each replica
    bf16: bool = False
    head: int = 0

    @property
    def name(self):
        parts = [self.net, f"head {self.head}" if self.head else "", self.entry, self.optimizer,
                 "bf16" if self.bf16 else "", f"{self.replicas} × {self.batch}"]
        return " ".join(part for part in parts if part)

    @property
    def also_in_f64(self):
        """With one optimizer, as they differ in a few pointwise operations; and what no train step holds."""
        return self.net != "cifar8-bn" and (self.optimizer == "adam" or self.entry == "fwd_eval" or self.bf16 and
                                            self.entry == "fwd")

    @property
    def also_apart(self):
        """Operation by operation: each optimizer once, at another number of replicas."""
        return (self.optimizer, self.replicas) in (("adam", 2), *(() if self.bf16 else (("sgd", 1), ("mom", 4))))

    def render(self, golden):
        words = [self.net, "--entry", self.entry, "--batch", str(self.batch), "--replicas", str(self.replicas)]
        words += ["--optimizer", self.optimizer] if self.optimizer else []
        words += ["--head", str(self.head)] if self.head else []
        return golden.render(*words, *(["--bf16"] if self.bf16 else []))

    def in_f64(self, golden):
        """The same program with every f32 widened: what rounding could hide in f32 shows here, 2^29 times sooner."""
        text = self.render(golden).replace("f32", "f64")
        return re.sub(r"dense<0xFF800000> : (tensor<[^>]*f64>)", r"dense<0xFFF0000000000000> : \1", text)


def networks(net):
    """The programs of a net that are checked."""
    if net == "cifar8-bn":
        return [Network(net, "train_step", "adam", r, 4 // r, head=64) for r in (1, 2)]
    batch = {1: 4, 2: 3, 4: 2}
    found = []
    for bf16 in (False, True) if net == "tiny-bn" else (False,):
        found += [] if bf16 else [Network(net, "fwd_eval", batch=4)]
        for replicas, n in batch.items():
            found.append(Network(net, "fwd", "", replicas, n, bf16))
            found += [Network(net, "train_step", optimizer, replicas, n, bf16) for optimizer in ("sgd", "mom", "adam")]
    return found


def argument_names(text):
    """The entry function's arguments, in order."""
    signature = text[text.index("@main(") + 6:text.index(") -> ")]
    return [part.split(":")[0].strip().lstrip("%") for part in signature.split(", %")]


def inputs_of(names, kinds, replicas, seed):
    """inputs[replica][argument]: a state that training could be in, parameters of moderate size."""
    given = [[] for _ in range(replicas)]
    shapes = dict(zip(names, (shape for shape, _ in kinds)))
    types = dict(zip(names, (dtype for _, dtype in kinds)))
    for name, shape in shapes.items():
        random = numpy.random.default_rng(zlib.crc32(f"{seed} {name}".encode()))
        for replica in range(replicas):
            if name in SHARDED or not replica:
                array = array_of(name, shape, shapes, random).astype(numpy.float32)  # in f64, too
            given[replica].append(array.astype(types[name]))
    return given


def array_of(name, shape, shapes, random):
    if name == "onehot":
        return numpy.eye(shape[1])[random.integers(0, shape[1], shape[0])]
    scalar = {"lr": RATE, "bc1": 1 - BETA1**STEPS, "bc2": 1 - BETA2**STEPS}
    if name in scalar:
        return numpy.asarray(scalar[name])
    if name.endswith(("var", "vari")):
        return random.uniform(0.5, 2, shape)
    if name.endswith("v") and name[:-1] in shapes:  # second moments are not negative
        return random.uniform(0.5, 1, shape)
    if name.endswith("m") and name[:-1] in shapes:
        return random.normal(0, 1e-2, shape)
    if name.startswith("W"):
        return random.normal(0, numpy.sqrt(2 / numpy.prod(shape[1:] if len(shape) == 4 else shape[:1])), shape)
    if name.startswith("g"):
        return random.normal(1, 0.1, shape)
    return random.normal(0, 1 if name == "x" else 0.1, shape)


class Evaluated:
    """A program's results in XLA, and the inputs that it had."""

    def __init__(self, golden, text, right=None):
        """`right`: what the results are to be held against, where that is not the text itself."""
        self._text, self._golden = right or text, golden
        compiled = xla_backend.Compiled(text)
        self._types = [dtype for _, dtype in compiled.results]
        self._domain = "bounded64" if "f64" in text else "bounded32"
        names = argument_names(text)
        # A sum that lies on the edge between two bf16 numbers may be rounded to either, and then bounds are as wide as
        # bf16's spacing, or wider. So in f64 inputs are drawn until golden, which has not seen XLA's results, has none.
        for seed in range(1, 61 if self._domain == "bounded64" else 2):
            self._inputs = inputs_of(names, compiled.arguments, compiled.processes, seed)
            self._right = self._run(self._text)
            if all((bound < BF16_SPACING / 16).all() for own in self._right[1] for bound in own):
                break
        self._xla = compiled.run(self._inputs)

    def _run(self, text):
        return self._golden.run(text, self._inputs, self._types, self._domain, True)

    def against(self, text=None):
        """XLA's results, held against golden's of `text`, or of the right program."""
        text = text or self._text
        outputs, bounds, names = self._right if text == self._text else self._run(text)
        return compare_all(names, self._xla, outputs, bounds)


def check_whole(golden, network):
    return Evaluated(golden, network.render(golden)).against()


def check_in_f64(golden, network):
    return Evaluated(golden, network.in_f64(golden)).against()


def check_apart(golden, network):
    """Every operation of the network for itself, on the values that it has in the whole."""
    text = network.render(golden)
    parts, values = take_apart(text)
    compiled = xla_backend.Compiled(parts)
    names, types = argument_names(text), [dtype for _, dtype in compiled.results]
    inputs = inputs_of(names, compiled.arguments[:len(names)], compiled.processes, 1)
    traced = golden.trace(text, inputs, values)
    given = compiled.arguments[len(names):]
    inputs = [own + [array.view(dtype).reshape(shape) for array, (shape, dtype) in zip(more, given)]
              for own, more in zip(inputs, traced)]
    outputs, bounds, _ = golden.run(parts, inputs, types, "bounded32", True)
    return compare_all(values, compiled.run(inputs), outputs, bounds)
