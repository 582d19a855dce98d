#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Answers of config=hardware: check_hardware.py BOOT answered LEAST | changes PLAIN SWITCHES [ID=VERDICT]... | family LEAST [ID]...
| switches SWITCHES

answered: the verdicts of the boot's hardware.csv by kind; at least LEAST questions are answered by themselves, as expected: the figures are those
of the model that the questions were asked of. changes: exactly these verdicts differ from those of another boot, without what
needs several cores where there is one: "otherwise" of each question that names one of the SWITCHES as what turns it, and those
given. family: after Family 10h none of these rows is asked, at least LEAST are answered as expected, and no other one is otherwise than ID.
switches: the rows name no other switches. The first three: the run's file is the one that was kept up to date meanwhile."""
import csv
import glob
import re
import subprocess
import sys

# One of each kind that is Family 10h's alone: pipeline, caches, bits, revisions, northbridge, errata, counter events.
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
    """{switch: rows that it turns}, by the last column of 'build/tools/tables hardware_turned'."""
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
    want = {name: "otherwise" for switch in switches.split("+") for name in turned.get(switch, [])}
    want.update(word.split("=") for word in wanted)
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


def family(boot, least, *otherwise):
    by = {}
    for row in answers(boot).values():
        by.setdefault(row["verdict"], []).append(row["id"])
    aside = [row["id"] for row in answers(boot).values() if row["found"].startswith("not on this family: ")]
    asked = [name for name in OF_10H if name not in aside]
    if asked or by.get("otherwise", []) != list(otherwise) or len(by["as expected"]) < int(least) or by.get("running"):
        sys.exit(f"asked: {asked}; otherwise: {by.get('otherwise')}; as expected: {by['as expected']}")
    print(f"{len(aside)} questions are Family 10h's; of the others {len(by['as expected'])} as expected, otherwise: {' '.join(otherwise)}")


{"family": family, "answered": answered, "changes": changes, "switches": switches}[sys.argv[2]](sys.argv[1], *sys.argv[3:])
