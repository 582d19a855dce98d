#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks on runs on several cores. Usage: check_cores.py DIR CHECK ARGUMENT..."""
import csv
import glob
import math
import re
import shutil
import subprocess
import sys
import tempfile

import run_csv

folder = sys.argv[1]
run = sorted(glob.glob(folder + "/runs/0001-*"))[0]


def facts():
    rows = re.findall(r"^#: (\S+) = (.*)$", open(run + "/run.ini").read(), re.M)
    return dict(rows)


def records():
    """Returns each sample's kind, and its text from ibs_dump."""
    dump = subprocess.run(["build/tools/ibs_dump", run + "/perf.data"], capture_output=True, text=True, check=True)
    lines = [line.split() for line in dump.stdout.splitlines()]
    return [dict([("kind", words[0])] + [word.split("=", 1) for word in words[1:]]) for words in lines]


def truth(core):
    name = "/truth.csv" if core == 0 else "/truth-%d.csv" % core
    return dict(line[2:].strip().split(",", 1) for line in open(folder + name) if line.startswith("# ") and "," in line)


def truth_rows(core):
    name = "/truth.csv" if core == 0 else "/truth-%d.csv" % core
    return list(csv.DictReader(line for line in open(folder + name) if not line.startswith("#")))


def samples(cores):
    """Checks that each core has exactly the samples of its own PMU."""
    f, rows, said = facts(), records(), []
    for core in range(cores):
        t = truth(core)
        op = sum(r["kind"] == "op" and int(r["cpu"]) == core for r in rows)
        fetch = sum(r["kind"] == "fetch" and int(r["cpu"]) == core for r in rows)
        lost = int(f["core.%d.samples.lost" % core])
        assert lost == 0, "core %d lost %d" % (core, lost)
        assert op == int(f["core.%d.samples.op" % core]) and fetch == int(f["core.%d.samples.fetch" % core])
        # One more sample may be waiting in the registers when sampling stops.
        assert 0 <= int(t["op_samples"]) - op <= 1, "core %d: %d of %s op samples" % (core, op, t["op_samples"])
        assert 0 <= int(t["fetch_samples"]) - fetch <= 1, "core %d: %d of %s fetches" % (core, fetch, t["fetch_samples"])
        said.append("%d+%d" % (op, fetch))
    assert len(rows) == int(f["samples.op"]) + int(f["samples.fetch"])
    return "op and fetch samples of each core as its PMU took them: " + ", ".join(said)


def own_page(cores):
    """Workload own-page: the address identifies the core, and core n has n + 1 times the samples."""
    f, count = facts(), [0] * cores
    arena = int(f["arena.virtual"], 0)
    for r in records():
        if r["kind"] != "op" or r["DcLinAddrValid"] != "1":
            continue
        offset = int(r["addr"], 16) - arena
        if offset < 0 or offset >= cores * 4096:
            continue  # the loop's own variables, on the stack
        assert offset // 4096 == int(r["cpu"]), "core %s has a sample of page %d" % (r["cpu"], offset // 4096)
        count[int(r["cpu"])] += 1
    total, parts = sum(count), cores * (cores + 1) // 2
    assert total >= 50 * cores, count
    for core in range(cores):
        share = (core + 1) / parts
        error = 4 * math.sqrt(total * share * (1 - share))
        assert abs(count[core] - total * share) <= error, "core %d: %d of %d" % (core, count[core], total)
    return "%s samples by core, each on its own page, as 1 : 2 : ..." % count


def together(cores, ticks):
    f = facts()
    start = [int(f["core.%d.tsc.start" % c]) for c in range(cores)]
    stop = [int(f["core.%d.tsc.stop" % c]) for c in range(cores)]
    assert max(start) - min(start) <= ticks, "began %d ticks apart" % (max(start) - min(start))
    assert max(start) < min(stop), "one had ended before another began"
    return "began within %d ticks of each other, ran %d" % (max(start) - min(start), min(stop) - max(start))


def sharing(cores, low, high):
    """Compares the share of loads and stores served by another core's cache, in percent, with the truth; M and O states."""
    rows = run_csv.read_dicts(run + "/profile.csv")
    column = {key.split(" ")[0]: key for key in rows[0]}

    def total(event):
        return sum(int(r[column[event]]) for r in rows)

    kernel = [r for r in rows if int(r[column["F243"]])]
    memory, cache, modified, owned = total("F200"), total("F243"), total("F249"), total("F24A")
    assert modified + owned == cache, (modified, owned, cache)
    share = 100 * cache / memory
    exact = sum(int(truth(c)["dc_misses_from_modified"]) + int(truth(c)["dc_misses_from_owned"]) for c in range(cores))
    if not high:  # nothing is shared, but each core fetches its line once from the core that filled the memory
        assert cache <= exact <= cores, (cache, exact)
        return "%d of %d loads and stores served by another core, in truth %d lines" % (cache, memory, exact)
    assert low <= share <= high, "%d of %d = %.2f %%" % (cache, memory, share)
    # All are at the only load of the shared word.
    assert len(kernel) == 1, [r["instruction"] for r in kernel]
    if cores == 2:
        assert owned == 0, "two cores own nothing for others"
    loads, missed = int(kernel[0][column["F201"]]), cache
    rows = [row for c in range(cores) for row in truth_rows(c) if row["rva"] == kernel[0]["rva"]]
    true = sum(int(r["dc_load_misses"]) for r in rows) / sum(int(r["load_ops"]) for r in rows)
    error = math.sqrt(true * (1 - true) / loads)
    assert abs(missed / loads - true) <= 4 * error, "%d of %d, in truth %.3f" % (missed, loads, true)
    of = ": %d of its %d loads, in truth %.1f %%" % (missed, loads, 100 * true)
    return "%d of %d loads and stores = %.1f %% served by another core (M %d, O %d; in truth %d lines)%s%s" % (
        cache, memory, share, modified, owned, exact, ", all at " + kernel[0]["instruction"] if kernel else "", of)


def ibsprof(cores, nodes):
    """'ibsprof report --by=core' equals the image's counts by core, with the core's node; a node is the sum of its cores; --node and
    --core select exactly their samples."""
    def table(*options):
        text = subprocess.run(["build/tools/ibsprof", "report", "--by=core", "--csv", *options, run], capture_output=True, text=True, check=True).stdout
        return list(csv.DictReader(run_csv.table(text)))

    f, rows = facts(), table()
    by_core, by_node = [row for row in rows if row["core"]], [row for row in rows if not row["core"]]
    assert len(by_core) == cores and len(by_node) == nodes, (len(by_core), len(by_node))
    for row in by_core:
        name = "core.%s." % row["core"]
        assert row["node"] == f[name + "node"], row["core"]
        assert (row["op samples"], row["fetch samples"]) == (f[name + "samples.op"], f[name + "samples.fetch"]), row["core"]
    for node in by_node:
        assert int(node["op samples"]) == sum(int(row["op samples"]) for row in by_core if row["node"] == node["node"])
        alone = [row for row in table("--node=" + node["node"]) if row["core"]]
        assert alone == [row for row in by_core if row["node"] == node["node"]], node["node"]
    assert [row for row in table("--core=1") if row["core"]] == [row for row in by_core if row["core"] == "1"]
    # perf.data copied without run.ini still has the nodes.
    with tempfile.TemporaryDirectory() as other:
        shutil.copy(run + "/perf.data", other)
        text = subprocess.run(["build/tools/ibsprof", "report", "--by=core", "--csv", other + "/perf.data"], capture_output=True, text=True, check=True).stdout
    assert [row["node"] for row in csv.DictReader(run_csv.table(text)) if row["core"]] == [row["node"] for row in by_core]
    return "ibsprof by core: " + ", ".join("core %s node %s %s+%s" % (row["core"], row["node"], row["op samples"], row["fetch samples"]) for row in by_core)


checks = {"ibsprof": ibsprof, "samples": samples, "own-page": own_page, "together": together, "sharing": sharing}
try:
    print(checks[sys.argv[2]](*[int(a) for a in sys.argv[3:]]))
except AssertionError as error:
    sys.exit("FAILED %s" % error)
