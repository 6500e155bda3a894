"""StableHLO text compiled and run by XLA's CPU backend, at any number of replicas.

choose_devices() comes before anything of JAX is imported: XLA reads its flags once.
"""
import os
import re

import numpy


class Refused(Exception):
    """XLA does not take the program."""


def choose_devices(count):
    """Host devices, one per replica, and types as they are written.

    Without the second flag XLA is free to drop a rounding to bf16 where f32 follows, which would be another program.
    (Its CPU backend of this version takes no such liberty in these programs.)
    """
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={count} --xla_allow_excess_precision=false"
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_ENABLE_X64"] = "1"
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # what XLA refuses is reported once, here


def numpy_type(element):
    """numpy's type of an MLIR element type's text."""
    import ml_dtypes
    if element == "i1":
        return numpy.dtype(bool)
    if element == "bf16":
        return numpy.dtype(ml_dtypes.bfloat16)
    number = re.fullmatch(r"(ui|i|f)(\d+)", element)
    if not number:
        raise Refused(f"no array type for {element}")
    kind = {"ui": "uint", "i": "int", "f": "float"}[number[1]]
    return numpy.dtype(f"{kind}{number[2]}")


class Compiled:
    """A program of R processes: replicas, or partitions where the module states those."""

    def __init__(self, text):
        import jax
        from jax._src import compiler, xla_bridge
        from jax._src.interpreters import mlir
        from jax._src.lib import xla_client
        from jax._src.lib.mlir import ir
        self._jax = jax
        try:
            with mlir.make_ir_context():
                module = ir.Module.parse(text)
                main = next(op for op in module.body.operations if op.attributes["sym_name"].value == "main")
                self.arguments = [(tuple(t.shape), numpy_type(str(t.element_type))) for t in main.type.inputs]
                self.results = [(tuple(t.shape), numpy_type(str(t.element_type))) for t in main.type.results]
                replicas, partitions = (_stated(module, name) for name in ("num_replicas", "num_partitions"))
                self.processes = replicas * partitions
                devices = jax.devices()[:self.processes]
                if len(devices) < self.processes:
                    raise Refused(f"{self.processes} processes, {len(devices)} devices")
                assignment = numpy.arange(self.processes).reshape(replicas, partitions)
                options = compiler.get_compile_options(replicas, partitions, device_assignment=assignment)
                # The program is what each process runs already.
                options.executable_build_options.use_spmd_partitioning = False
                self._executable = xla_bridge.get_backend("cpu").compile_and_load(
                    module, xla_client.DeviceList(tuple(devices)), options)
        except (ValueError, TypeError, AttributeError, jax.errors.JaxRuntimeError, ir.MLIRError) as error:
            raise Refused(_reason(error)) from error
        mesh = jax.sharding.Mesh(numpy.array(devices), ("process",))
        self._sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
        self._devices = devices

    def run(self, inputs):
        """inputs[process][argument] -> outputs[process][result]."""
        arguments = []
        for i, (shape, dtype) in enumerate(self.arguments):
            # To XLA each process has an array of the argument's shape; that they are equal is claimed, and not needed.
            own = [self._jax.device_put(numpy.asarray(inputs[p][i], dtype), self._devices[p])
                   for p in range(self.processes)]
            arguments.append(self._jax.make_array_from_single_device_arrays(shape, self._sharding, own))
        try:
            done = self._executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
            return [[numpy.asarray(result[p]) for result in done] for p in range(self.processes)]
        except (ValueError, self._jax.errors.JaxRuntimeError) as error:
            raise Refused(_reason(error)) from error


def _stated(module, name):
    attributes = module.operation.attributes
    key = f"mhlo.{name}"
    return attributes[key].value if key in attributes else 1


def _reason(error):
    """The first line that says what is wrong."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if "error:" in line or "UNIMPLEMENTED" in line or "INVALID" in line]
    return (telling or lines or [type(error).__name__])[0].rsplit("error: ", 1)[-1][:160]
