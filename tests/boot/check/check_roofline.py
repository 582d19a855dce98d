#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks boots of config=roofline: check_roofline.py FOLDER CHECK RUN [ARGUMENT]...

Expected figures follow from the loops, the caches' sizes and the model's rates (docs/model.md), not from the program."""
import json
import subprocess

from check_workloads import runs
from verdict import main, need

LINE, ELEMENT = 64, 8
TURNS, CHAINS, LANES, TURN = 4096, 14, 2, 4  # of fp-peak: iterations, additions and multiplications, halves, turns in each
GIGAHERTZ, LINE_CYCLES = 3.0, 30             # cycles for a line from memory
LOOPS = ("workload", "operations", "memory")


def of(folder, run):
    path, facts = runs(folder)[int(run) - 1]
    return path, facts, {loop: {what: facts["roofline.%s.%s" % (loop, what)] for what in ("operations", "bytes", "ns")} for loop in LOOPS}


def rate(loop, what):
    return int(loop[what]) / int(loop["ns"])


def check_counts(folder, run, operations):
    """Compares operations of the workload and of the loops, exactly."""
    _, facts, loops = of(folder, run)
    need(loops["workload"]["operations"] == operations, "%s operations, not %s" % (loops["workload"]["operations"], operations))
    cores = int(facts["cores"].count(",")) + 1
    peak = cores * (TURNS * CHAINS * LANES * TURN + (CHAINS - 1) * LANES)
    need(int(loops["operations"]["operations"]) == peak, "fp-peak: %s, not %d" % (loops["operations"]["operations"], peak))
    return "%s operations of %s, %d of fp-peak" % (operations, facts["workload"], peak)


def check_peaks(folder, run):
    """Expects four operations a cycle, and a line in as many cycles as one core needs for it."""
    _, _, loops = of(folder, run)
    got = rate(loops["operations"], "operations") / GIGAHERTZ, rate(loops["memory"], "bytes") * LINE_CYCLES / GIGAHERTZ / LINE
    need(3.8 < got[0] <= 4, "%.3f operations a cycle" % got[0])
    need(0.98 < got[1] <= 1.005, "%.3f lines in %d cycles" % (got[1], LINE_CYCLES))
    return "peaks: %.2f operations a cycle, %.3f lines in %d cycles" % (*got, LINE_CYCLES)


def check_bytes(folder, run, loop, kb, caches_kb):
    """Compares bytes: a triad reads each line of three arrays and finally writes those of one. At its start the caches are full of lines
    that its preparation wrote; at its end one in three of their lines is written."""
    _, _, loops = of(folder, run)
    wanted = (4 * int(kb) + 2 * int(caches_kb) / 3) * 1024
    got = int(loops[loop]["bytes"])
    need(abs(got - wanted) < 0.01 * wanted, "%d bytes, not %d" % (got, wanted))
    return "%d bytes, by arrays and caches %d" % (got, wanted)


def check_roof(folder, run, roof):
    """Checks that a workload equal to the peak's loop is at the roof."""
    path, _, loops = of(folder, run)
    share = rate(loops["workload"], "bytes") / rate(loops["memory"], "bytes")
    need(0.99 < share < 1.01, "%.3f of the peak" % share)
    said = json.loads(subprocess.run(["build/tools/ibsprof", "report", "--json", path], capture_output=True, check=True).stdout)["roofline"]
    need(said["bound"] == roof, "bound %s" % said["bound"])
    need(abs(said["share_ppm"] - 1e6 * share) < 2, "ibsprof: %d ppm, not %f" % (said["share_ppm"], 1e6 * share))
    return "under the %s's roof, at %.4f of it" % (roof, share)


def check_shown(folder, run):
    """Checks that ibsprof's table is the report's."""
    path, _, _ = of(folder, run)
    shown = subprocess.run(["build/tools/ibsprof", "report", path], capture_output=True, text=True, check=True).stdout
    tables = [text[text.index("\nRoofline "):].split("\n\n")[0] for text in (shown, open(path + "/report.txt").read())]
    need(tables[0] == tables[1], "ibsprof shows\n%s\nthe image\n%s" % tuple(tables))
    return "ibsprof's table is report.txt's"


if __name__ == "__main__":
    main(globals())
