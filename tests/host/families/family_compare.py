#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""ibsprof's export against Linux' own decoder, on pseudo-random registers of each family of processors, field by field.

usage: family_compare.py [--perf COMMAND] [--rows N] [--seed N] [--only NAME[,NAME]...] [--without DIFFERENCE] [--list]

For each processor of family_file.py a perf.data file of N op and N fetch samples is decoded by `COMMAND script -D` and by `ibsprof
export`. They must differ exactly where family_differences.py says so, and no field may be shown that Linux withholds. Versions of perf
before 7.0 do not know Zen 5's and Zen 6's fields, nor all of Zen 4's rules: then those processors are left out.
--without leaves a difference out of the list, and --list prints it with the reasons. Status 1: they differ. Status 2: the same, but this
perf is newer than those that the list was made with, so it may only know more.
"""
import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

import family_file
from family_differences import DIFFERENCES, NOT_LINUX

IBSPROF = os.environ.get("IBSPROF") or os.path.join(os.environ.get("IBSBOOT_BUILD", "build"), "tools/ibsprof")
CHECKED = (7, 2)  # the newest perf that the differences were compared with
COMMON = "Time_ns CPU_Number TID PID Kern_mode".split()
# Columns of ibsprof by perf's name of the field; the same name where none is here.
OP_COLUMNS = {
    "MaxCnt": "IbsOpMaxCnt[26:0]", "L3MissOnly": "IbsOpL3MissOnly", "LdLatThrsh": "IbsOpLdLatThrsh", "LdLatEn": "IbsOpLdLatEn",
    "CompToRetCtr": "IbsCompToRetCtr", "TagToRetCtr": "IbsTagToRetCtr", "OpReturn": "IbsOpReturn", "OpBrnTaken": "IbsOpBrnTaken",
    "OpBrnMisp": "IbsOpBrnMisp", "BrnRet": "IbsOpBrnRet", "RipInvalid": "IbsRipInvalid", "BrnFuse": "IbsOpBrnFuse",
    "Microcode": "IbsOpMicrocode", "LdOp": "IbsLdOp", "StOp": "IbsStOp", "DcL1TlbMiss": "IbsDcL1tlbMiss",
    "DcL2TlbMiss": "IbsDcL2TlbMiss", "DcL1TlbHit2M": "IbsDcL1TlbHit2M", "DcL1TlbHit1G": "IbsDcL1TlbHit1G",
    "DcL2TlbHit2M": "IbsDcL2tlbHit2M", "DcL2TlbHit1G": "IbsDcL2tlbHit1G", "DcPageSize": "IbsDcPageSize", "DcMiss": "IbsDcMiss",
    "DcMisAcc": "IbsDcMissAcc", "DcWcMemAcc": "IbsDcWcMemAcc", "DcUcMemAcc": "IbsDcUcMemAcc", "DcLockedOp": "IbsDcLockedOp",
    "DcLinAddrValid": "IbsDcLinAddrValid", "DcPhyAddrValid": "IbsDcPhyAddrValid", "L2Miss": "IbsL2Miss", "SwPf": "IbsSwPf",
    "OpMemWidth": "IbsOpMemWidth", "OpDcMissOpenMemReqs": "IbsOpDcMissOpenMemReqs", "DcMissLat": "IbsDcMissLat",
    "TlbRefillLat": "IbstlbRefillLat", "IbsDCLinAd": "IbsDcLinAd", "IbsDCPhysAd": "IbsDcPhysAd", "IbsBrTarget": "IbsBrnTarget",
}
# Before Zen the columns have the names of that time; perf has one name for both meanings of IbsOpData3[16].
OLD_COLUMNS = {"DataSrc": "NbIbsReqSrc", "RmtNode": "NbIbsReqDstNode", "CacheHitSt": "NbIbsReqCacheHitSt", "DcMissNoMabAlloc": "IbsDcMabHit"}
FETCH_COLUMNS = {
    "MaxCnt": "IbsFetchMaxCnt[19:0]", "Lat": "IbsFetchLat", "Comp": "IbsFetchComp", "IcMiss": "IbsIcMiss", "PhyAddrValid": "IbsPhyAddrValid",
    "L1TlbPgSz": "IbsL1TlbPgSz", "L1TlbMiss": "IbsL1TlbMiss", "L2TlbMiss": "IbsL2TlbMiss", "L2Miss": "IbsFetchL2Miss",
    "L3MissOnly": "IbsFetchL3MissOnly", "FetchOcMiss": "IbsFetchOcMiss", "FetchL3Miss": "IbsFetchL3Miss",
}
SOURCES = {  # perf's words: ours
    "1=Local L3 or other L1/L2 in CCX": "local_L3", "2=Another CCX cache in the same NUMA node": "other_core_cache", "3=DRAM": "DRAM",
    "5=Another CCX cache in a different NUMA node": "far_cache", "6=Long-latency DIMM": "long_latency", "7=MMIO/Config/PCI/APIC": "Other",
    "8=Extension Memory": "extension_memory", "12=Coherent Memory of a different processor type": "peer_memory",
    "2=Local node cache": "local_node_cache", "4=Remote node cache": "far_cache", "7=Other": "Other",
}
WORDS = {
    "CacheHitSt": {"0=M-state": "M", "1=O-state": "O", "1=O-State": "O"}, "RmtNode": {"0": "same_node", "1": "other_node"},
    "L1TlbPgSz": {"4KB": "4 KB", "16KB": "16 KB", "2MB": "2 MB", "1GB": "1 GB", "RESERVED": "Reserved-3"},
    "DcPageSize": {"4K": "4 KB", "2M": "2 MB", "1G": "1 GB", "??": "Reserved-3"},
}
ADDRESSES = {"IbsOpRip", "IbsDCLinAd", "IbsDCPhysAd", "IbsBrTarget", "IbsFetchLinAd", "IbsFetchPhysAd"}


def ours_of(name, value):
    """perf's value in ibsprof's words."""
    if name in ADDRESSES:
        return hex(int(value, 16))
    if name == "DataSrc":
        return "Reserved-" + value.split("=")[0] if value.endswith("(reserved)") else SOURCES[value]
    return WORDS[name][value] if name in WORDS else value


def decoded(lines):
    """Lines 'register:<tab>16 digits[ Name value]...' as a dictionary by perf's names, in ibsprof's words."""
    fields = {}
    for register, digits, text in lines:
        if register in ADDRESSES:
            fields[register] = digits
            continue
        text, _, source = text.partition(" DataSrc ")
        if source:
            fields["DataSrc"] = source.strip()
        for name, value in re.findall(r"(\w+) +(\S+)", text.replace(" bytes", "")):
            fields[name] = value
    return {name: ours_of(name, value) for name, value in fields.items()}


def by_perf(command, path):
    """(op samples, fetch samples), in the order of their times."""
    done = subprocess.run(command + ["script", "-f", "-D", "-i", path], capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{' '.join(command)} script -D: status {done.returncode}: {done.stderr.strip()[-300:]}")
    samples = {}, {}
    lines = []
    for line in done.stdout.split("\n"):
        match = re.match(r"(\w+):\t([0-9a-f]{16})(.*)", line)
        if match:
            lines.append(match.groups())
        elif "PERF_RECORD_SAMPLE" in line:
            samples[lines[0][0] == "ibs_fetch_ctl"][int(line.split()[1])] = decoded(lines)
            lines = []
    return [[kind[time] for time in sorted(kind)] for kind in samples]


def by_ibsprof(path, kind):
    done = subprocess.run([IBSPROF, "export", f"--samples={kind}", path], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"ibsprof export: status {done.returncode}: {done.stderr.strip()[-300:]}")
    names = dict(OP_COLUMNS if kind == "op" else FETCH_COLUMNS)
    header, *rows = list(csv.reader(done.stdout.splitlines()))
    if kind == "op":
        names.update({name: old for name, old in OLD_COLUMNS.items() if old in header})
    perf_name = {ours: name for name, ours in names.items()}
    return [{perf_name.get(name, name): value for name, value in zip(header, row) if name not in COMMON and value != "-"}
            for row in rows]


def rows_of(processor, kind, version, without):
    return [row for row in DIFFERENCES if row.samples == kind and row.of(processor) and version < row.before and row.name != without]


def compare(processor, rows, theirs, ours, registers, used):
    """The first differences that no row explains, or that a row promises and are not there; and how many values are the same."""
    wrong, same = [], 0
    for number, (perf, own, regs) in enumerate(zip(theirs, ours, registers), 1):
        expected = {(name, row.kind): row for row in rows if row.when(processor, regs) for name in row.fields.split()}
        for name in perf.keys() | own.keys():
            if name in perf and name in own:
                what = "same" if perf[name] == own[name] else "value"
            else:
                what = "perf" if name in perf else "ours"
            if what == "same":
                same += 1
            elif what == "ours" and name not in NOT_LINUX and not (name, what) in expected:
                wrong.append(f"row {number}: {name} {own[name]} is shown, and perf withholds it")
            elif (name, what) in expected:
                used.add(expected.pop((name, what)).name)
            else:
                wrong.append(f"row {number}: {name}: perf {perf.get(name, '-')}, ibsprof {own.get(name, '-')}")
        wrong += [f"row {number}: {name} does not differ as '{row.name}' says" for (name, _), row in expected.items()]
    if not len(theirs) == len(ours) == len(registers):
        wrong.append(f"{len(registers)} samples, perf shows {len(theirs)}, ibsprof {len(ours)}")
    return wrong, same


def check(processor, command, version, options, path):
    registers = family_file.write(path, processor, options.rows, options.seed)
    perf = by_perf(command, path)
    failed = False
    for kind, theirs, regs in zip(("op", "fetch"), perf, registers):
        rows, used = rows_of(processor, kind, version, options.without), set()
        wrong, same = compare(processor, rows, theirs, by_ibsprof(path, kind), regs, used)
        names = {row.name for row in rows}
        wrong += [f"'{name}' does not appear any more" for name in sorted(names - used)]
        bad = "differs" if version > CHECKED else "not ok"
        print(f"{bad if wrong else 'ok'} {processor.name} {kind}: {len(regs)} samples, {same} values alike, "
              f"{len(names)} differences explained")
        print("".join(f"   {line}\n" for line in wrong[:8]), end="")
        failed |= bool(wrong)
    return failed


def list_differences():
    for row in DIFFERENCES:
        of = [processor.name for processor in family_file.PROCESSORS if row.of(processor)]
        print(f"{row.samples} {row.fields}\n    {row.name}: {row.right}\n    on {', '.join(of)}")


def main():
    parser = argparse.ArgumentParser(usage="family_compare.py [--perf COMMAND] [--rows N] [--seed N] [--only NAMES] "
                                     "[--without DIFFERENCE] [--list]")
    parser.add_argument("--perf", default="perf")
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--without")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        list_differences()
        return
    command = options.perf.split()
    text = subprocess.run(command + ["--version"], capture_output=True, text=True).stdout
    found = re.search(r"(\d+)\.(\d+)", text)
    if not found:
        sys.exit(f"{options.perf} --version: no version in '{text.strip()}'")
    version = int(found[1]), int(found[2])
    names = options.only.split(",") if options.only else [processor.name for processor in family_file.PROCESSORS]
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for processor in family_file.PROCESSORS:
            if processor.name in names and (version >= (7, 0) or not processor.caps >> 11 & 1):
                failed |= check(processor, command, version, options, os.path.join(folder, "perf.data"))
    sys.exit((2 if version > CHECKED else 1) if failed else 0)


if __name__ == "__main__":
    main()
