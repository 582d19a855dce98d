#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks on runs on several nodes. Usage: check_nodes.py DIR CHECK ARGUMENT..."""
import csv
import glob
import math
import re
import subprocess
import sys

from run_csv import read_dicts
from verdict import main, need

folder = sys.argv[1]

# docs/model.md, revision C: cycles from the access to the data of DRAM and of another core's cache; additional cycles from another
# node; a miss's latency begins after the L1D's 3.
DRAM, CORE, UPGRADE, HOP, L1, L2_COST, L3_COST, QUANTUM, POLL = 165, 110, 55, 90, 3, 15, 55, 100, 30
L3, CACHE, MEMORY = 1, 2, 3  # NbIbsReqSrc


def runs():
    return sorted(glob.glob(folder + "/runs/0*"))


def facts(run):
    return dict(re.findall(r"^#: (\S+) = (.*)$", open(run + "/run.ini").read(), re.M))


def missed_loads(run):
    """Returns core, source, whether it is on another node, latency, physical and linear address of each sampled load that reached the
    northbridge."""
    dump = subprocess.run(["build/tools/ibs_dump", run + "/perf.data"], capture_output=True, text=True, check=True)
    found = []
    for line in dump.stdout.splitlines():
        words = line.split()
        r = dict(word.split("=", 1) for word in words[1:])
        if words[0] == "op" and r["LdOp"] == "1" and r["DcMiss"] == "1" and r["NbReqSrc"] != "0":
            found.append((int(r["cpu"]), int(r["NbReqSrc"]), int(r["NbReqDstProc"]), int(r["DcMissLat"]), int(r["reg6"], 16), int(r["reg5"], 16)))
    return found


def memory_ends():
    text = open(folder + "/console.txt").read()
    return [int(end, 16) for end in re.findall(r"^vpmu: node \d+ has the memory up to (\S+)$", text, re.M)]


def truth_files():
    return sorted(glob.glob(folder + "/truth*.csv"), key=lambda name: (len(name), name))


def median(values):
    return sorted(values)[len(values) // 2]


def check_cores(_, per_node):
    """Checks that each core is on its reported node, and its memory is there."""
    f, said = facts(runs()[0]), []
    for core in range(int(f["cores"].split(",")[-1]) + 1):
        node = core // int(per_node)
        need(int(f["core.%d.node" % core]) == node, "core %d: node %s" % (core, f["core.%d.node" % core]))
        need(int(f["core.%d.records.node" % core]) == node, "core %d's records are on %s" % (core, f["core.%d.records.node" % core]))
        said.append(str(node))
    given_back = [row for key, row in f.items() if key.startswith("restored.") and row.startswith("F3x1CC")]
    need(len(given_back) == len(memory_ends()), "F3x1CC given back: %s" % given_back)
    return "cores and their records on nodes " + ", ".join(said)


def check_dram(_, run, *wanted):
    """Checks that each sample from DRAM is local or remote according to its address and core; and that for each working core all are of
    the expected kind (local, remote), with the model's latency as the median. A workload's parameters are always in the program's
    memory, on node 0, so kinds are checked only for the arena's loads."""
    run, ends, said = runs()[int(run) - 1], memory_ends(), []
    f = facts(run)
    loads = [load for load in missed_loads(run) if load[1] == MEMORY]
    for core, _, remote, _, physical, _ in loads:
        home = next(node for node, end in enumerate(ends) if physical < end)
        own = int(f.get("core.%d.node" % core, 0))
        need(remote == (home != own), "core %d of node %d: %x is told %s" % (core, own, physical, "remote" if remote else "local"))
    for core, kind in enumerate(wanted):
        of_core = [load for load in loads if load[0] == core and load[5] >= int(f["arena.virtual"], 16)]
        remote = sum(load[2] for load in of_core)
        p50 = median([load[3] for load in of_core]) if of_core else None
        latency = DRAM + (HOP if kind == "remote" else 0) - L1
        said.append("core %d: %d of %d remote, median %s cycles" % (core, remote, len(of_core), p50))
        need(len(of_core) >= 60, "too few: " + said[-1])
        need(remote == (len(of_core) if kind == "remote" else 0) and p50 == latency, "%s, wanted all %s and %d" % (said[-1], kind, latency))
    return "; ".join(said)


def check_caches(_, run):
    """Checks a line that two cores of different nodes store to: the other node's cache answers. Nearly all loads find the line in
    transfer, because a store requested it, so their latencies are uniform up to that of the line, which exceeds that of any near
    cache."""
    loads = missed_loads(runs()[int(run) - 1])
    others = [load for load in loads if load[1] == CACHE]
    need(len(others) >= 20, "%d loads from another cache" % len(others))
    need(all(load[2] for load in others), "some are told local")
    longest = max(load[3] for load in others)
    # Upper limit: the other core has only just requested the line, and owns it before it leaves; cores are a quantum apart
    # (vpmu/shim/group.c).
    need(CORE - L1 < longest <= 2 * (CORE + HOP) + UPGRADE + HOP - L1 + QUANTUM, "longest latency %d" % longest)
    return "%d of %d loads that missed the L2 served by the other node's cache, in up to %d cycles" % (len(others), len(loads), longest)


def check_shares(_, tolerance):
    """Compares the share of DC misses from remote memory, over all runs of the boot: sampled with exact, for each core."""
    said = []
    for core, name in enumerate(truth_files()):
        t = dict(line[2:].strip().split(",", 1) for line in open(name) if line.startswith("# ") and "," in line)
        exact = int(t["dc_misses_from_remote_dram"]) / int(t["dc_misses_from_dram"])
        loads = [load for run in runs() for load in missed_loads(run) if load[0] == core and load[1] == MEMORY]
        share = sum(load[2] for load in loads) / len(loads)
        # The number of samples of a run is not random: the period determines it.
        error = math.sqrt(exact * (1 - exact) / len(loads))
        said.append("core %d: %.1f %% of %d, exact %.1f %%" % (core, 100 * share, len(loads), 100 * exact))
        need(abs(share - exact) <= 4 * error + float(tolerance), said[-1])
    return "remote DRAM: " + "; ".join(said)


def check_counts(_, run, *events):
    """Compares totals of events of the northbridge, summed over one core of each node, with the exact ones: within 1 % and 20, the
    contents of the pipes when the counters stop. Returns them."""
    counted = {"%s:%s" % (row["select"].upper(), row["mask"].upper()): row for row in read_dicts(runs()[int(run) - 1] + "/counts.csv")}
    exact, said = {}, []
    for name in truth_files():
        with open(name, newline="") as file:
            for row in csv.reader(file):
                if row[0] == "# pmc_run" and row[1] != "counter":
                    key = "%s:%s" % (row[3].upper(), row[4].upper())
                    exact[key] = exact.get(key, 0) + int(row[7])
    for event in events:
        key, least = event.split("=")
        need(key in counted and counted[key]["state"] == "counted", key + " was not counted")
        mean = int(counted[key]["mean"])
        said.append("%s %d, exact %d" % (key, mean, exact[key]))
        need(mean >= int(least) and abs(mean - exact[key]) <= 0.01 * exact[key] + 20, said[-1])
    return "; ".join(said)


def check_pairs(_, run):
    """Checks two cores against the model's costs: lines of the other node come a hop later; eight lines are in transfer at a time; the
    other core's cache answered each sampled load that missed."""
    rows = {(row["writer"], row["reader"]): row for row in read_dicts(runs()[int(run) - 1] + "/pairs.csv")}
    cores = len(memory_ends()) * 2
    need(len(rows) == cores * (cores - 1), "%d pairs" % len(rows))
    for (writer, reader), row in rows.items():
        same = int(writer) // 2 == int(reader) // 2
        need(row["same"] == ("node" if same else "machine"), "%s and %s: the same %s" % (writer, reader, row["same"]))
        cost = 256 / 8 * (CORE if same else CORE + HOP)
        # A hop ends with the poll that sees it, which may be late by one turn of the loop of polls, and by the misprediction that ends the
        # loop; and a poll that comes too early keeps the line from its writer for a quantum (docs/model.md), which the writer's own poll
        # can do as well.
        hop = CORE + UPGRADE + (0 if same else HOP)
        need(hop <= float(row["hop"]) <= hop + 2 * (QUANTUM + POLL), "a hop from %s to %s takes %s ticks" % (writer, reader, row["hop"]))
        need(cost <= int(row["read_ticks"]) <= 1.01 * cost, "%s reads %s's lines in %s ticks, not %d" % (reader, writer, row["read_ticks"], cost))
        answered = {name: int(n) for name, n in list(row.items())[7:] if int(n)}
        need(list(answered) == ["cache"] and answered["cache"] >= 10, "%s and %s: answered by %s" % (writer, reader, answered))
    near, far = (float(rows["0", reader]["hop"]) for reader in "12")
    # The phase in which both cores begin decides which polls come too early.
    need(-1 <= far - near - HOP <= POLL + QUANTUM, "a hop takes %s and %s ticks" % (near, far))
    return "%d pairs, %s ticks a hop, %s to the other node" % (len(rows), near, far)


def check_latency(_, run, sizes=12):
    """Checks lists by size and node against the model's costs: ticks and answers within 3 % if one level has all of the list. For a list
    of the L3's size some lines are still in the L2: its hits, which no answer counts, shorten the mean by their share. From Zen on
    the L3 and another core's cache both count as a near cache."""
    rows = {(int(row["node"]), int(row["kb"])): row for row in read_dicts(runs()[int(run) - 1] + "/latency.csv")}
    need(sorted(rows) == [(node, 16 << i) for node in (0, 1) for i in range(int(sizes))], "lists %s" % sorted(rows))
    for node in 0, 1:
        for kb, cost in (16, L1), (256, L2_COST), (2048, L3_COST):
            row = rows[node, kb]
            need(abs(float(row["ticks"]) / cost - 1) <= 0.03, "node %d, %d KB: %s ticks, not %d" % (node, kb, row["ticks"], cost))
            if kb > 16:
                need([row["lat_25"], row["lat_50"], row["lat_75"]] == [str(cost - L1)] * 3, "%d KB: latency %s" % (kb, row))
                misses, hits = int(row["misses"]), int(row["none"])
                answers = int(row["L3"]) + int(row["near cache"]) if cost == L3_COST else hits
                near = hits if cost == L3_COST else 0
                need(misses == answers + near and near <= 0.03 * misses and answers >= 20, "%d KB: answered by %s" % (kb, row))
                mean = ((cost - L1) * answers + (L2_COST - L1) * near) / misses
                need(abs(float(row["mean"]) - mean) < 0.1, "%d KB: mean latency %s, not %.1f" % (kb, row["mean"], mean))
        last = rows[node, 8 << int(sizes)]
        need(last["lat_75"] == str(DRAM + HOP * node - L1), "node %d: three of four in %s cycles" % (node, last["lat_75"]))
    return "L1 %s, L2 %s, L3 %s ticks a load" % tuple(rows[0, kb]["ticks"] for kb in (16, 256, 2048))


main(globals())
