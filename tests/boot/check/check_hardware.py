#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Answers of config=hardware: check_hardware.py BOOT answered LEAST | changes PLAIN SWITCHES [ID=VERDICT]... | family LEAST [ID]...
| switches SWITCHES | turned PLAIN ID...

answered: the verdicts of the boot's hardware.csv by kind; at least LEAST questions are answered by themselves, as expected: the figures are those
of the model that the questions were asked of. changes: exactly these verdicts differ from those of another boot, without what
needs several cores where there is one: "otherwise" of each question that names one of the SWITCHES as what turns it and was as expected,
and those given; with "any=none" others may have no answer, too. family: after Family 10h none of these rows is asked, at least LEAST are
answered as expected, and no other one is otherwise than ID. switches: the rows name no other switches. turned: prints for each answer
of this boot that is as expected in which of the boots beside it (its name, "-" and more) it is otherwise; exactly the answers ID are so in
none. The first three: the run's file is the one that was kept up to date meanwhile."""
import csv
import glob
import os
import re
import subprocess
import sys
from collections import Counter

# One row of each kind that exists only on 10h: pipeline, caches, bits, revisions, northbridge, errata, counter events.
OF_10H = ("branch_history", "tlb_steps", "mispredicted_return", "model_known", "f3x1cc_sticks", "erratum_420_ends", "misaligned_in_040")


def rows(path):
    with open(path, encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(line for line in file if not line.startswith("#"))}


def answers(boot):
    kept, (run,) = rows(boot + "/hardware.csv"), glob.glob(boot + "/runs/*-hardware/hardware.csv")
    if kept != rows(run):
        sys.exit("the run's hardware.csv is not the one that was kept up to date")
    return kept


def answered(boot, least):
    by = {}
    for row in answers(boot).values():
        by.setdefault(row["verdict"], []).append(row["id"])
    silent = [row["id"] for row in answers(boot).values() if row["verdict"] != "by hand" and not row["found"]]
    if silent or by.get("otherwise") or by.get("not reached") or by.get("running") or len(by["as expected"]) < int(least):
        sys.exit(f"{ {verdict: len(ids) for verdict, ids in by.items()} }, otherwise: {by.get('otherwise')}, without figures or reason: {silent}")
    print(", ".join(f"{len(ids)} {verdict}" for verdict, ids in sorted(by.items())))


def turned_by():
    """Returns {switch: rows that it turns}, from the last column of 'build/tools/tables hardware_turned'."""
    rows_of = {}
    page = subprocess.run(["build/tools/tables", "hardware_turned"], capture_output=True, text=True, check=True).stdout
    for line in page.splitlines():
        cells = re.split(r"(?<!\\) \| ", line.rstrip(" |\n"))
        name = re.match(r"`(\w+)`$", cells[1]) if len(cells) == 6 else None
        for switch in re.findall(r"`([^`]+)`", cells[-1].split(";")[0]) if name else []:
            rows_of.setdefault(switch, []).append(name[1])
    return rows_of


def changes(boot, plain, switches, *wanted):
    was, now, turned = answers(plain), answers(boot), turned_by()
    got = {name: row["verdict"] for name, row in now.items()
           if row["verdict"] != was[name]["verdict"] and not row["found"].startswith("there is one core")}
    want = {name: "otherwise" for switch in switches.split("+") for name in turned.get(switch, []) if was[name]["verdict"] == "as expected"}
    want.update(word.split("=") for word in wanted)
    if want.pop("any", None):
        got = {name: verdict for name, verdict in got.items() if verdict != "not answerable" or name in want}
    if got != want:
        both = sorted(set(got) | set(want))
        sys.exit("; ".join(f"{name}: {now[name]['verdict']} ({now[name]['found']}), not {want.get(name, 'unchanged')}"
                           for name in both if got.get(name) != want.get(name)))
    print(f"{len(got)} answers of {len(now)} change, those of the switch: {' '.join(got)}")


def switches(_, tried):
    turned = turned_by()
    others = set(turned) - set(tried.split("+"))
    if others or not turned:
        sys.exit(f"questions name {others or 'no switches'}: boot with them")
    print(f"{len(turned)} switches turn {sum(map(len, turned.values()))} answers: {' '.join(sorted(turned))}")


def turned(boot, *none):
    """Compares this boot with those beside it, which have its name and one more word."""
    plain, beside = answers(boot), sorted(glob.glob(boot + "-*/hardware.csv"))
    others = {path.split("/")[-2][len(os.path.basename(boot)) + 1:]: rows(path) for path in beside}
    asked = [name for name, row in plain.items() if row["verdict"] == "as expected"]
    by = {name: [switches for switches, answer in others.items() if answer[name]["verdict"] == "otherwise"] for name in asked}
    for name in asked:
        print(f"{name:26} {', '.join(by[name]) or '-'}", file=sys.stderr)
    still = sorted(name for name in asked if not by[name])
    if still != sorted(none):
        sys.exit(f"turned by no boot: {still}, and not {sorted(none)}")
    counts = Counter(row["verdict"] for row in plain.values())
    aside = sum(row["found"].startswith("not on this family: ") for row in plain.values())
    print(f"{len(asked)} answers, {len(asked) - len(still)} turned by {len(others)} boots; {counts['by hand']} by hand, {aside} set aside, "
          f"{counts['not answerable'] - aside} without an answer on a model")


def family(boot, least, *otherwise):
    by = {}
    for row in answers(boot).values():
        by.setdefault(row["verdict"], []).append(row["id"])
    aside = [row["id"] for row in answers(boot).values() if row["found"].startswith("not on this family: ")]
    asked = [name for name in OF_10H if name not in aside]
    if asked or by.get("otherwise", []) != list(otherwise) or len(by["as expected"]) < int(least) or by.get("running"):
        sys.exit(f"asked: {asked}; otherwise: {by.get('otherwise')}; as expected: {by['as expected']}")
    print(f"{len(aside)} questions are Family 10h's; of the others {len(by['as expected'])} as expected, otherwise: {' '.join(otherwise)}")


{"family": family, "answered": answered, "changes": changes, "switches": switches, "turned": turned}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
