"""How far XLA's elementary functions are from the exact ones, in units of roundoff; bounded.h assumes 6."""
import numpy

import xla_backend
from comparison import same_bits

ASSUMED = 6  # functionError of interp/number/bounded.h
CELLS = 1 << 18
LEAST_NORMAL = 2.0**-126

# Where each function's result is a normal number. logistic, log1p and the like have no bounds, and are for information.
RANGES = {
    "exponential": (-87.3, 88.72), "log": (LEAST_NORMAL, 3e38), "tanh": (-10, 10), "rsqrt": (LEAST_NORMAL, 3e38),
    "sqrt": (LEAST_NORMAL, 3e38),
}
OTHERS = {
    "logistic": (-87, 30), "exponential_minus_one": (-20, 88), "log_plus_one": (-0.999, 1e30), "sine": (-100, 100),
    "cosine": (-100, 100), "tan": (-1.5, 1.5), "cbrt": (LEAST_NORMAL, 3e38),
}


# Where they are worst. All floats were tried, for exp from ±1e-3 to the ends and for tanh from 1e-4 to 9.1: exp is off by
# up to 5.29 units and tanh by up to 4.90, here.
WORST = {"exponential": 88.71968841552734, "tanh": 5.126039028167725}


def arguments(low, high, place):
    """Half of them evenly, others evenly in their exponents or near 1; both ends, and one place."""
    random = numpy.random.default_rng(1)
    even = random.uniform(low, high, CELLS // 2)
    small = numpy.exp(random.uniform(numpy.log(1e-6), numpy.log(min(high, 1e37)), CELLS // 4))
    near_one = 1 + random.normal(0, 1e-3, CELLS // 4 - 4)
    spread = small if low >= 0 else small * random.choice([-1, 1], small.size)
    all_of_them = numpy.concatenate([even, spread, near_one, [low, high, 1, place]])
    return numpy.clip(all_of_them, low, high).astype(numpy.float32)


def check_function(golden, name, span):
    """(worst error in units of roundoff of the result, its argument)."""
    x = arguments(*span, WORST.get(name, 1))
    text = (f"func.func @main(%a: tensor<{x.size}xf32>) -> tensor<{x.size}xf32> {{\n"
            f"  %0 = stablehlo.{name} %a : tensor<{x.size}xf32>\n  func.return %0 : tensor<{x.size}xf32>\n}}\n")
    compiled = xla_backend.Compiled(text)
    found = compiled.run([[x]])[0][0].astype(numpy.longdouble)
    # In f64 golden is within a few units of 2^-53, which does not show in f32.
    exact = golden.run(text, [[x]], None, "f64")[0][0][0].astype(numpy.longdouble)
    # The rounding of a normal number is at most 2^-24 of its size; that of a subnormal one, 2^-150.
    unit = numpy.maximum(numpy.abs(exact) * 2.0**-24, 2.0**-150)
    with numpy.errstate(invalid="ignore"):
        error = numpy.where(exact == found, 0, numpy.abs(found - exact) / unit)
    at = int(numpy.nanargmax(error))
    return x.size, float(error[at]), float(x[at])


def flushes_subnormals():
    """What becomes of 2^-140 · 1, and of 2^-100 · 2^-40."""
    text = ("func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n"
            "  %0 = stablehlo.multiply %a, %b : tensor<2xf32>\n  func.return %0 : tensor<2xf32>\n}\n")
    given = [numpy.array([2.0**-140, 2.0**-100], numpy.float32), numpy.array([1, 2.0**-40], numpy.float32)]
    found = xla_backend.Compiled(text).run([given])[0][0]
    return not same_bits(found, given[0] * given[1]).all()
