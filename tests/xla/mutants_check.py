"""Wrong programs, which the comparison must tell apart: golden's side is wrong, or XLA's, or XLA takes a liberty."""
import re

from networks_check import Evaluated, Network

ONE = Network("tiny-bn", "train_step", "adam", 1, 4)
ROUNDED = Network("tiny-bn", "fwd", "", 2, 3, True)
FOUR = Network("tiny-bn", "train_step", "adam", 4, 2)


def replaced(text, pattern, by, which):
    """The text with one match of the pattern replaced; `which` as an index of the matches."""
    matches = list(re.finditer(pattern, text))
    at = matches[which]
    return text[:at.start()] + at.expand(by) + text[at.end():]


GROUP = r"dense<\[\[0, 1, 2, 3\]\]> : tensor<1x4xi64>"
HALVES = "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"

# (what is wrong, of which network, how)
MUTANTS = [
    ("ε 1e-3, not 1e-5, in one normalisation", ONE, lambda t: replaced(t, r"dense<0\.00001>", "dense<0.001>", 0)),
    ("a mean over 129 of 128", ONE, lambda t: replaced(t, r"dense<128\.0>", "dense<129.0>", 0)),
    ("a product instead of a sum", ONE,
     lambda t: replaced(t, r"= stablehlo\.add (%v\d)", r"= stablehlo.multiply \1", -1)),
    ("a subtraction turned", ONE,
     lambda t: replaced(t, r"stablehlo\.subtract (%\w+), (%\w+)", r"stablehlo.subtract \2, \1", 3)),
    ("a rounding to bf16 left out", ROUNDED,
     lambda t: replaced(t, r"\.convert %v0_4 : \(tensor<([^>]*)xbf16>\)", r".reshape %v0_3 : (tensor<\1xf64>)", 0)),
    ("the first all-reduce over halves", FOUR, lambda t: replaced(t, GROUP, HALVES, 0)),
    ("the last all-reduce over halves", FOUR, lambda t: replaced(t, GROUP, HALVES, -1)),
    ("a mean over 2 of 4 replicas", FOUR,
     lambda t: replaced(t, r"dense<4\.0> : (tensor<2xf64>)", r"dense<2.0> : \1", 0)),
]


def check_mutants(golden):
    """(what, comparison, whether it is to be told apart)."""
    for network in (ONE, ROUNDED, FOUR):
        right = network.in_f64(golden)
        evaluated = Evaluated(golden, right)
        yield f"right: {network.name}", evaluated.against(), False
        for what, of, broken in MUTANTS:
            if of is network:
                yield what, evaluated.against(broken(right)), True
        # The other way round: XLA runs the wrong program.
        what, _, broken = next(mutant for mutant in MUTANTS if mutant[1] is network)
        yield f"in XLA: {what}", Evaluated(golden, broken(right), right).against(), True
