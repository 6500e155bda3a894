"""Every case file's programs in XLA."""
import re

import numpy

import golden_program
import xla_backend
from case_files import literals_program, of_process
from comparison import compare_all, same_bits


def mlir_type(shape, dtype):
    names = {"bool": "i1", "bfloat16": "bf16"}
    number = re.fullmatch(r"(u?)(int|float)(\d+)", dtype.name)
    element = names.get(dtype.name) or {"int": "i", "float": "f"}[number[2]] + number[3]
    if number and number[1]:
        element = "u" + element
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def literals(values, types):
    """The arrays that the literals mean, as XLA reads them."""
    # MLIR has no literal of an array without cells that reads as ours does.
    cells = [i for i, (shape, _) in enumerate(types) if numpy.prod(shape)]
    text = literals_program([(values[i], mlir_type(*types[i])) for i in cells])
    found = dict(zip(cells, xla_backend.Compiled(text).run([[]])[0] if cells else []))
    return [found.get(i, numpy.empty(*kind)) for i, kind in enumerate(types)]


class Unfit(Exception):
    """The case cannot be compared, and why."""


def evaluated(golden, text, inputs, types, xla):
    """(domain, comparison) of the domain that says most."""
    refusals = []
    best = None
    for domain in ("native", "bounded32", "bounded64"):
        if domain == "bounded32" and any(t.name == "float64" for t in types):
            continue
        bounded = domain != "native"
        try:
            outputs, bounds, names = golden.run(text, inputs, types, domain, bounded)
        except golden_program.Refused as refusal:
            refusals.append(str(refusal))
            continue
        result = compare_all(names, xla, outputs, bounds)
        if not bounded and result.identical == result.cells:
            return domain, result
        # Fewer unknown cells say more.
        if best is None or result.unknown < best[1].unknown:
            best = domain, result
    if best is None:
        raise Unfit("golden: " + refusals[0].splitlines()[0][-120:])
    return best


def check_case(golden, case):
    """(domain, comparison, whether XLA's results are the typed-in ones to the bit)."""
    try:
        compiled = xla_backend.Compiled(case.text)
    except xla_backend.Refused as refusal:
        raise Unfit(f"XLA: {refusal}") from refusal
    processes = max(compiled.processes, case.processes)
    if compiled.processes < processes:
        raise Unfit("states fewer processes than it is given arguments for")
    given = [[of_process(case.given, i, p) for i in range(len(compiled.arguments))] for p in range(processes)]
    flat = [value for row in given for value in row]
    arrays = literals(flat, compiled.arguments * processes)
    width = len(compiled.arguments)
    inputs = [arrays[p * width:(p + 1) * width] for p in range(processes)]
    outputs = compiled.run(inputs)
    domain, result = evaluated(golden, case.text, inputs, [dtype for _, dtype in compiled.results], outputs)
    return domain, result, as_typed_in(case, compiled, outputs)


def as_typed_in(case, compiled, outputs):
    """Some cases expect what other domains say, which a float cannot; those are not counted as typed in."""
    given = [of_process(case.expected, i, p)[1] for p in range(len(outputs)) for i in range(len(compiled.results))]
    expected = literals(given, compiled.results * len(outputs))
    found = [output for own in outputs for output in own]
    return all(same_bits(a, b).all() for a, b in zip(found, expected))
