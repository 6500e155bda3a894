"""A rendered program taken apart: one in which every operation stands alone.

Bounds of a whole network grow with its depth, until they say nothing. Here the operands of each operation are
arguments, so that XLA and golden evaluate each on the same values, and the bound is that of one operation.
"""
import re


def take_apart(text):
    """(program, names of the values that its further arguments are): results are the operations', in order.

    Constants stay where they are, as XLA treats them specially. The text is as golden renders it: an operation of the
    entry function begins at a depth of four blanks, and has one result.
    """
    head, body = text.split(" -> ", 1)[0], text[text.index(") {\n", text.index(" -> ")) + 4:]
    lines = body[:body.index("\n    return ") + 1].splitlines()
    kinds, constants = {}, set()
    name = None
    for line in lines:
        found = re.match(r"    %(\w+) = (\S+)", line)
        if found:
            name = found[1]
            if found[2] == "stablehlo.constant":
                constants.add(name)
        if name and not line.startswith("      ") and not line.endswith("({") and (found or line.startswith("    })")):
            kinds[name] = re.search(r"tensor<[^>]*>$", line.rstrip())[0]
    values = [value for value in kinds if value not in constants]
    known = set(values)

    def as_argument(use):
        return f"%in_{use[1]}" if use[1] in known else use[0]

    taken = []
    for line in lines:
        found = re.match(r"    %\w+ = ", line)
        start = found.end() if found else 0
        taken.append(line[:start] + re.sub(r"%(\w+)", as_argument, line[start:]))
    results = ", ".join(kinds[value] for value in values)
    # Scalars that differ between replicas have no place in one array, so they come with an axis.
    scalars = {value: kinds[value].replace("<", "<1x") for value in values if "x" not in kinds[value]}
    arguments = "".join(f", %{'cut' if value in scalars else 'in'}_{value}: {scalars.get(value, kinds[value])}"
                        for value in values)
    cut = [f"    %in_{value} = stablehlo.reshape %cut_{value} : ({kind}) -> {kinds[value]}"
           for value, kind in scalars.items()]
    head = head[:head.rindex(")")] + arguments + ")"
    names = ", ".join(f"%{value}" for value in values)
    body = [*cut, *taken, f"    func.return {names} : {results}"]
    return "\n".join([f"{head} -> ({results}) {{", *body, "  }", "}", ""]), values
