#!/usr/bin/env python3
"""Tests of the command verify: files as command.py describes them, and what its list of laws and mutants implies.

usage: verify_test.py VERIFY [--rebase] FILE...     the test files
       verify_test.py VERIFY --lists LAWS MUTANTS   the files name the laws and mutants of --list, one a line
       verify_test.py VERIFY --kills MUTANT         every law that --list has it killed by refutes it
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "command"))
import command  # noqa: E402  (a sibling folder, found only now)


def counterexamples(text):
    """What a text report says under each "counterexample to", down to the replay line."""
    return re.findall(r"^  counterexample to .*\n((?:    .*\n)*?    replay .*\n)", text, re.M)


def replayed(program, text, folder):
    """Runs the replay line of every counterexample: each must show the same one again."""
    blocks = counterexamples(text)
    found = [] if blocks else ["no counterexample"]
    for block in blocks:
        line = re.search(r"^    replay    (.*)$", block, re.M)
        if not line:
            found.append(f"no replay line in:\n{block}")
            continue
        words = shlex.split(line.group(1))
        done = command.run(program, words[1:] + ["--quiet"], folder)
        if words[0] != "verify" or done.status != 1:
            found.append(f"{line.group(1)}: exit status {done.status}\n{done.output['stderr']}")
        elif counterexamples(done.output["stdout"]) != [block]:
            found.append(f"{line.group(1)} shows\n{done.output['stdout']}instead of\n{block}")
    return found


def check_replay(program, test, done, folder):
    return replayed(program, done.output["stdout"], folder)


RESULT = {"law", "domain", "status", "cases", "discarded", "vacuous", "false_pass_log2", "worst_error",
          "worst_over_bound", "seconds"}
ENTRY = {"mutant", "law", "killed", "cases_to_kill"}


def check_json(program, test, done, folder):
    """The fields that DESIGN.md promises, and that ok says what the statuses say."""
    report = json.loads(done.output["stdout"])
    found = []
    if not isinstance(report["ok"], bool) or not isinstance(report["seed"], int):
        found.append("ok is no boolean, or seed no integer")
    results, entries = report.get("results", []), report.get("matrix", [])
    if not results and not entries:
        found.append("neither results nor a matrix")
    for result in results:
        missing = RESULT - result.keys()
        found += [f"a result without {sorted(missing)}"] if missing else []
        if result["status"] not in ("holds", "refuted", "undecided", "skipped"):
            found.append(f"status {result['status']}")
        if (result["status"] == "refuted") and "counterexample" not in result:
            found.append("refuted without a counterexample")
    for entry in entries:
        missing = ENTRY - entry.keys()
        found += [f"an entry without {sorted(missing)}"] if missing else []
    good = all(r["status"] in ("holds", "skipped") for r in results) and all(e["killed"] for e in entries)
    if report["ok"] != good or report["ok"] != (done.status == 0):
        found.append(f"ok is {report['ok']}, exit status {done.status}")
    return found


def check_same_again(program, test, done, folder):
    """The same command prints the same bytes at other thread counts; only "seconds" may differ."""
    def steady(text):
        return re.sub(r'"seconds": [^,\n]*', "", text)

    found = []
    for threads in ("1", "2", "4"):
        again = command.run(program, test.arguments, folder, {"OMP_NUM_THREADS": threads})
        if steady(again.output["stdout"]) != steady(done.output["stdout"]):
            found.append(f"another report with {threads} threads")
    return found


def check_saved(program, test, done, folder):
    """Every file under found/ is one counterexample that --replay shows again, as it was saved."""
    paths = sorted(pathlib.Path(folder, "found").glob("*"))
    found = [] if paths else ["nothing was saved"]
    for path in paths:
        again = command.run(program, ["--replay", str(path), "--quiet"], folder)
        if again.status != 1 or again.output["stderr"]:
            found.append(f"--replay {path.name}: exit status {again.status}\n{again.output['stderr']}")
        elif counterexamples(again.output["stdout"])[0] not in done.output["stdout"]:
            found.append(f"--replay {path.name} shows another counterexample:\n{again.output['stdout']}")
    return found


def check_tried_first(program, test, done, folder):
    """Run again with the same folder, another seed and one case, the saved case fails at once."""
    again = command.run(program, [*test.arguments, "--seed", "77", "--cases", "1"], folder)
    if again.status != 1 or "refuted   1 cases" not in again.output["stdout"]:
        return [f"the saved case is not tried first:\n{again.output['stdout']}"]
    return []


def check_full(program, test, done, folder):
    """With a full device as standard output it ends in exit 2 and says why."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        again = subprocess.run([program, *test.arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    said = again.stderr.strip()
    if again.returncode != 2 or not said.startswith("verify: ") or "standard output" not in said or "\n" in said:
        return [f"on a full device: exit status {again.returncode}, {said}"]
    return []


CHECKS = {"replay": check_replay, "json": check_json, "same-again": check_same_again, "saved": check_saved,
          "tried-first": check_tried_first, "full": check_full}


def listed(program):
    """The laws and the mutants of --list in order, and the laws that kill each mutant."""
    text = command.run(program, ["--list"]).output["stdout"]
    laws, killers = [], {}
    section, rest = text.split("Laws:\n")[1].split("Mutants:\n")
    for line in section.splitlines():
        kills = re.match(r" {15,}kills:(.*)", line)
        if kills:
            for mutant in kills.group(1).split():
                killers.setdefault(mutant, []).append(laws[-1])
        else:
            laws.append(line.split()[0])
    mutants = [line.split()[0] for line in rest.split("Domains:\n")[0].splitlines()]
    return laws, mutants, killers


def try_lists(program, laws, mutants):
    found = []
    for path, listed_ones in zip((laws, mutants), listed(program)):
        named = pathlib.Path(path).read_text(encoding="utf-8").split()
        for one in sorted(set(named) ^ set(listed_ones)):
            found.append(f"{one} is only in {path if one in named else '--list'}")
        if not found and named != listed_ones:
            found.append(f"{path} has another order than --list")
    return found


def try_kills(program, mutant):
    """In exact and f64, each law ends in exit 1 and a counterexample that its replay line shows again."""
    found = []
    laws = listed(program)[2].get(mutant, [])
    for law in laws:
        domains = ["--domain", "f64"] if law == "bf16-divisor" else []
        done = command.run(program, ["--prop", law, "--mutant", mutant, "--cases", "200", *domains])
        expected = 1 if domains else 2
        if done.status != 1 or len(counterexamples(done.output["stdout"])) != expected:
            found.append(f"{law}: exit status {done.status}\n{done.output['stdout']}")
        else:
            found += replayed(program, done.output["stdout"], None)
    return found if laws else [f"--list has no law that kills {mutant}"]


def main():
    program, arguments = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]
    if arguments[0] == "--lists":
        results = {"--list": try_lists(program, *arguments[1:])}
    elif arguments[0] == "--kills":
        results = {name: try_kills(program, name) for name in arguments[1:]}
    else:
        rebase = "--rebase" in arguments
        results = {path: command.try_file(program, path, CHECKS, rebase) for path in arguments if path != "--rebase"}
    for name, found in results.items():
        for problem in found:
            print(f"{name}: {problem}")
    failed = sum(1 for found in results.values() if found)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
