"""The command golden, on numpy arrays."""
import pathlib
import subprocess
import tempfile

import numpy


class Refused(Exception):
    """golden does not take the program, or not in this domain."""


class Golden:
    def __init__(self, program):
        self._program = str(pathlib.Path(program).resolve())

    def _call(self, *words):
        done = subprocess.run([self._program, *words], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise Refused(done.stderr.strip() or f"exit status {done.returncode}")
        return done.stdout

    @staticmethod
    def _prepare(place, text, inputs, domain):
        (place / "program.mlir").write_text(text, encoding="utf-8")
        words = [str(place / "program.mlir"), "--outputs", str(place / "out.npz"), "--domain", domain]
        words += ["--R", str(len(inputs))]
        if inputs[0]:
            numpy.savez(place / "in.npz", *[_together(each) for each in zip(*inputs)])
            words += ["--inputs", str(place / "in.npz")]
        return words

    def render(self, *words):
        return self._call("render", *words)

    def trace(self, text, inputs, values):
        """What the named values are in the domain native: [process][value], bf16 as raw bytes."""
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            words = self._prepare(place, text, inputs, "native")
            self._call("run", *words, "--trace", str(place / "trace.npz"))
            with numpy.load(place / "trace.npz") as file:
                arrays = [file[value] for value in values]
        return [arrays] if len(inputs) == 1 else [[array[p] for array in arrays] for p in range(len(inputs))]

    def run(self, text, inputs, types, domain, bounds=False):
        """inputs[process][argument] -> (outputs[process][result], bounds likewise or None, names).

        `types` are the results' element types, as XLA reads them.
        """
        processes = len(inputs)
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            words = self._prepare(place, text, inputs, domain)
            if bounds:
                words += ["--bounds", str(place / "bounds.npz")]
            self._call("run", *words)
            outputs, names = _load(place / "out.npz", processes, types)
            return outputs, _load_bounds(place / "bounds.npz", processes, names) if bounds else None, names


def _together(arrays):
    """One array for all processes where they get the same, otherwise theirs one after the other."""
    first = numpy.asarray(arrays[0])
    if first.dtype.itemsize == 2 and first.dtype.kind not in "fiu":
        arrays = [numpy.asarray(each).view("V2") for each in arrays]  # bf16, which .npy has no name for
    if all(numpy.asarray(each).tobytes() == first.tobytes() for each in arrays):
        return arrays[0]
    if not first.ndim:
        raise Refused("a scalar that differs between processes has no place in an .npz file")
    return numpy.concatenate(arrays)


def _load_bounds(path, processes, names):
    """[process][result]; None for integers and truth values, which have no bounds."""
    bounds, bounded = _load(path, processes, None)
    return [[own[bounded.index(name)] if name in bounded else None for name in names] for own in bounds]


def _load(path, processes, types):
    with numpy.load(path) as file:
        names = list(file.files)
        arrays = [file[name] for name in names]
    if types:
        arrays = [array.view(dtype) if array.dtype.kind == "V" else array for array, dtype in zip(arrays, types)]
    if processes == 1:
        return [arrays], names
    return [[array[p] for array in arrays] for p in range(processes)], names
