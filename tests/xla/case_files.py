"""Programs with typed-in arguments and results: tests/interp/stablehlo/cases, whose format cases_test.cc describes."""
import re
from dataclasses import dataclass, field


@dataclass
class Case:
    name: str
    text: str
    domains: list = field(default_factory=list)
    refused: bool = False
    given: dict = field(default_factory=dict)  # (number, process or None) -> literal
    expected: dict = field(default_factory=dict)  # likewise -> (near, literal)
    processes: int = 1


def read_cases(path):
    for number, text in enumerate(path.read_text(encoding="utf-8").split("// -----\n"), 1):
        case = Case(f"{path.stem} {number}", text)
        for word, rest in re.findall(r"^// (RUN|IN|OUT|ERROR) (.*)$", text, re.M):
            if word == "RUN":
                case.domains = rest.split()
            elif word == "ERROR":
                case.refused = True
            else:
                place, value = rest.split(" ", 1)
                number_of, _, process = place.partition("@")
                key = int(number_of), int(process) if process else None
                case.processes = max(case.processes, int(process or 0) + 1)
                near = value.strip().startswith("~")
                if word == "IN":
                    case.given[key] = value
                else:
                    case.expected[key] = (near, value.replace("~", "", 1) if near else value)
        yield case


def of_process(values, number, process):
    """A process's own value, or the one of all; None where nothing is given."""
    return values.get((number, process), values.get((number, None)))


def literals_program(values):
    """A program whose results are the literals: (text between dense< and >, MLIR type of the array)."""
    lines = [f"    %{i} = stablehlo.constant dense<{text.strip()}> : {kind}" for i, (text, kind) in enumerate(values)]
    kinds = ", ".join(kind for _, kind in values)
    names = ", ".join(f"%{i}" for i in range(len(values)))
    head = f"module @literals {{\n  func.func @main() -> ({kinds}) {{"
    return "\n".join([head, *lines, f"    func.return {names} : {kinds}", "  }", "}", ""])
