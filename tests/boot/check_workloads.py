#!/usr/bin/env python3
"""Checks on a boot that made many runs: check_workloads.py FOLDER CHECK [ARGUMENT]..."""
import csv
import os
import sys

from check import Failed


def runs(folder):
    """Of each run, in order: its folder and the settings and facts of run.ini."""
    found = []
    for name in sorted(os.listdir(os.path.join(folder, "runs"))):
        path, facts = os.path.join(folder, "runs", name), {}
        with open(os.path.join(path, "run.ini")) as file:
            for line in file:
                if " = " in line and not line.startswith("# "):
                    key, value = line.removeprefix("#: ").split(" = ", 1)
                    facts[key] = value.strip()
        found.append((path, facts))
    return found


def passes(folder):
    """What the virtual PMU noted of each pass that ran a workload: {(select, mask): exact count of the workload}. A pass
    programs its counters from 0 on; one over nothing has no cycles of the workload (event 076)."""
    found, header, last = [], None, 99
    with open(os.path.join(folder, "truth.csv"), newline="") as file:
        for row in csv.reader(file):
            if row[0] == "# pmc_runs_lost" and row[1] != "0":
                raise Failed(f"truth.csv lacks {row[1]} runs")
            if row[0] != "# pmc_run":
                continue
            if header is None:
                header = row
                continue
            item = dict(zip(header[1:], row[1:]))
            if int(item["counter"]) <= last:
                found.append({})
            last = int(item["counter"])
            found[-1][int(item["select"], 16), int(item["mask"], 16)] = int(item["workload"])
    return [counts for counts in found if counts.get((0x076, 0))]


def title(facts):
    parameters = [f"{key.removeprefix('workload.')}={value}" for key, value in facts.items()
                  if key.startswith("workload.") and key not in ("workload.work", "workload.unit", "workload.check")]
    return facts["workload"] + " " + " ".join(parameters)


def check_expected(folder, least_runs, least_counts):
    """Each count that a workload's row states is the exact one of the virtual PMU, in each pass that counted it, and what
    the image counted says so too."""
    truth, at, checked, names = passes(folder), 0, 0, set()
    for path, facts in runs(folder):
        expected = {tuple(int(part, 16) for part in key.removeprefix("expected.").split(":")): int(value)
                    for key, value in facts.items() if key.startswith("expected.")}
        mine = truth[at:at + int(facts["passes"])]
        at += int(facts["passes"])
        if facts["workload.check"] != "1" or len(mine) != int(facts["passes"]) or not expected:
            raise Failed(f"{title(facts)}: check {facts['workload.check']}, {len(mine)} passes, {len(expected)} known counts")
        for key, value in expected.items():
            exact = {counts[key] for counts in mine if key in counts}
            if exact != {value}:
                raise Failed(f"{title(facts)}: event {key[0]:03X}:{key[1]:02X} expected {value}, exact {sorted(exact)}")
            checked += 1
        with open(os.path.join(path, "report.txt")) as file:
            known = [line for line in file if line.startswith(("same ", "OTHER "))]
        if len(known) != len(expected) or any(line.startswith("OTHER") for line in known):
            raise Failed(f"{title(facts)}: {known}")
        names.add(facts["workload"])
    if at != len(truth) or len(runs(folder)) < int(least_runs) or checked < int(least_counts):
        raise Failed(f"{len(runs(folder))} runs with {at} of {len(truth)} passes, {checked} counts")
    return f"{checked} known counts of {len(names)} workloads in {len(runs(folder))} runs are the exact ones: {', '.join(sorted(names))}"


def main():
    folder, name, *arguments = sys.argv[1:]
    try:
        print(globals()["check_" + name.replace("-", "_")](folder, *arguments))
    except Failed as failure:
        print(failure)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
