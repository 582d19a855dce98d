#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the output of `perf report -D` with that of our decoder for the same file, field by field.

usage: compare_perf.py PERF_DATA [OUR_DUMP] [--kinds KINDS] [--at-least N] [--limit N]

OUR_DUMP is the output of build/tools/ibs_dump for PERF_DATA, which is run when it is not given. There must be as many samples in
both, and at least N (default 1) of each kind of --kinds (default op,fetch; others: pmc,timer) and none of other kinds; of each
kind all are compared, or the first N of --limit. For each sample all names that perf prints must be known here and have our value, and all that we expect perf to
print must be there. Fields of Family 10h that perf does not print (IbsOpData[33:32], IbsOpData3[12:9]) are compared with the
raw register that perf prints. Fields that this family does not have must be what the reserved bits are.
"""
import argparse
import re
import subprocess
import sys

# perf's words for IbsOpData2[2:0]; 1 is the local L3 on Family 10h, which perf does not know.
SOURCES = {1: "1=(reserved)", 2: "2=Local node cache", 3: "3=DRAM", 7: "7=Other"}
PAGES = {0: "4KB", 1: "2MB", 2: "1GB", 3: "16KB"}
REGISTERS = {
    "fetch": {"ibs_fetch_ctl": 0, "IbsFetchLinAd": 1, "IbsFetchPhysAd": 2},
    "op": {"ibs_op_ctl": 0, "IbsOpRip": 1, "ibs_op_data": 2, "ibs_op_data2": 3, "ibs_op_data3": 4, "IbsDCLinAd": 5,
           "IbsDCPhysAd": 6},
}


def bits(value, high, low):
    return value >> low & (1 << (high - low + 1)) - 1


def read_ours(lines):
    """The kind and line of each sample, in the order of their times."""
    samples = []
    for line in lines:
        kind = line.partition(" ")[0]
        if kind != "lost":
            samples.append((int(re.search(r" time=(\d+)", line)[1]), kind, line))
    return [sample[1:] for sample in sorted(samples, key=lambda sample: sample[0])]  # perf sorts; both sorts are stable


def fields_of(line):
    pairs = line.partition(" event=")[0].split()[1:]  # its name, which perf does not print here: compare_events.py
    hexadecimal = re.compile(r"ip|addr|caps|reg\d")
    return {name: int(value, 16 if hexadecimal.fullmatch(name) else 10) for name, value in (pair.split("=") for pair in pairs)}


def read_perf(path):
    """The lines of each sample."""
    run = subprocess.run(["perf", "report", "-D", "-f", "-i", path], capture_output=True, text=True, errors="replace")
    if run.returncode != 0 or run.stderr.strip():
        sys.exit(f"perf report -D: status {run.returncode}: {run.stderr.strip()}")
    return [block for block in re.split(r"\n\n(?=0x[0-9a-f]+@)", run.stdout) if "PERF_RECORD_SAMPLE" in block]


def named_values(text):
    """'MaxCnt    100000 CntCtl 0=cycles DataSrc 2=Local node cache' as a dictionary."""
    values = {}
    match = re.search(r"\bDataSrc (\d.*?)\s*$", text)
    if match:
        values["DataSrc"] = match[1]
        text = text[: match.start()]
    text = text.replace(" bytes", "")
    for name, value in re.findall(r"([A-Za-z]\w*)\s+(\S+)", text):
        values[name] = value
    return values


def expected_fetch(f):
    ctl = {"MaxCnt": f["FetchMaxCnt"] * 16, "Cnt": f["FetchCnt"] * 16, "Lat": f["FetchLat"], "En": f["FetchEn"],
           "Val": f["FetchVal"], "Comp": f["FetchComp"], "IcMiss": f["IcMiss"], "PhyAddrValid": f["PhyAddrValid"],
           "L1TlbMiss": f["L1TlbMiss"], "L2TlbMiss": f["L2TlbMiss"], "RandEn": f["RandEn"]}
    if f["PhyAddrValid"]:
        ctl["L1TlbPgSz"] = PAGES[f["L1TlbPgSz"]]
    if f["FetchComp"]:
        ctl["L2Miss"] = bits(f["reg0"], 58, 58)  # later families
    lines = {"ibs_fetch_ctl": ctl, "IbsFetchLinAd": {}, "ic_ibs_ext_ctl": {"IbsItlbRefillLat": 0}}
    if f["PhyAddrValid"]:
        lines["IbsFetchPhysAd"] = {}
    return lines


def expected_op(f):
    data, data3 = f["reg2"], f["reg4"]
    ctl = {"MaxCnt": f["OpMaxCnt"] * 16, "En": f["OpEn"], "Val": f["OpVal"],
           "CntCtl": "1=uOps" if f["OpCntCtl"] else "0=cycles", "CurCnt": f["OpCurCnt"]}
    op = {"CompToRetCtr": f["CompToRetCtr"], "TagToRetCtr": f["TagToRetCtr"], "BrnRet": f["OpBrnRet"],
          "RipInvalid": bits(data, 38, 38), "BrnFuse": bits(data, 39, 39), "Microcode": bits(data, 40, 40)}
    if f["OpBrnRet"]:
        op.update(OpReturn=f["OpReturn"], OpBrnTaken=f["OpBrnTaken"], OpBrnMisp=f["OpBrnMisp"])
    nb = {"RmtNode": f["NbReqDstProc"]}
    if f["NbReqSrc"] == 2:
        nb["CacheHitSt"] = "1=O-State" if f["NbReqCacheHitSt"] else "0=M-state"
    if f["NbReqSrc"]:
        nb["DataSrc"] = SOURCES[f["NbReqSrc"]]
    dc = {name: f[name] for name in ("LdOp", "StOp", "DcL1TlbMiss", "DcL2TlbMiss", "DcL1TlbHit2M", "DcL1TlbHit1G",
                                     "DcL2TlbHit2M", "DcMiss", "DcMisAcc", "DcWcMemAcc", "DcUcMemAcc", "DcLockedOp",
                                     "DcLinAddrValid", "DcPhyAddrValid", "DcL2TlbHit1G", "DcMissLat")}
    dc["DcMissNoMabAlloc"] = f["DcMabHit"]
    dc.update(L2Miss=bits(data3, 20, 20), SwPf=bits(data3, 21, 21), OpDcMissOpenMemReqs=bits(data3, 31, 26),
              TlbRefillLat=bits(data3, 63, 48))  # later families
    lines = {"ibs_op_ctl": ctl, "IbsOpRip": {}, "ibs_op_data": op, "ibs_op_data2": nb, "ibs_op_data3": dc}
    if f["DcLinAddrValid"]:
        lines["IbsDCLinAd"] = {}
    if f["DcPhyAddrValid"]:
        lines["IbsDCPhysAd"] = {}
    return lines


# Where perf prints only the raw register.
UNPRINTED = {"OpBrnResync": ("ibs_op_data", 32), "OpMispReturn": ("ibs_op_data", 33), "DcLdBnkCon": ("ibs_op_data3", 9),
             "DcStBnkCon": ("ibs_op_data3", 10), "DcStToLdFwd": ("ibs_op_data3", 11), "DcStToLdCan": ("ibs_op_data3", 12)}


def differences(kind, ours, registers, block):
    expected = {"op": expected_op, "fetch": expected_fetch}.get(kind, lambda f: {})(ours)
    raw = {name: int(value, 16) for name, value, _ in registers}
    if set(raw) != set(expected):
        yield f"perf prints {sorted(raw)}, expected {sorted(expected)}"
    for name, value, text in registers:
        if name in REGISTERS[kind] and int(value, 16) != ours["reg%d" % REGISTERS[kind][name]]:
            yield f"{name}: perf {value}, ours {ours['reg%d' % REGISTERS[kind][name]]:016x}"
        theirs = named_values(text)
        mine = {key: str(number) for key, number in expected.get(name, {}).items()}
        for key in sorted(set(mine) | set(theirs)):
            if mine.get(key) != theirs.get(key):
                yield f"{name}.{key}: perf {theirs.get(key)}, ours {mine.get(key)}"
    if kind == "op":
        for name, (register, bit) in UNPRINTED.items():
            if register in raw and bits(raw[register], bit, bit) != ours[name]:
                yield f"{name}: bit {bit} of perf's {register} is not ours"
        # The weight of a sampled op: DcMissLat of loads that missed, TagToRetCtr.
        weight = re.search(r"\.\.\. weight: (\d+),0x([0-9a-f]+),", block)
        latency = ours["DcMissLat"] if ours["LdOp"] and ours["DcMiss"] else 0
        if not weight or (int(weight[1]), int(weight[2], 16)) != (latency, ours["TagToRetCtr"]):
            yield f"weight: perf {weight and weight.groups()}"
    line = re.search(r"^(\d+) (\d+) 0x\w+ \[0x\w+\]: PERF_RECORD_SAMPLE\(IP, 0x(4?)0*2\): (\d+)/(\d+): 0x([0-9a-f]+) "
                     r"period: (\d+) addr: (?:0x)?([0-9a-f]+)$", block, re.M)
    mine = [ours[name] for name in ("cpu", "time", "pid", "tid", "ip", "period", "addr")]
    if not line:
        yield "no line PERF_RECORD_SAMPLE with user mode"
    elif (line[3] == "4") != (kind in ("op", "fetch")):  # of interrupts, the address is where retirement stood
        yield "EXACT_IP is wrong"
    elif [int(line[i], 16 if i in (6, 8) else 10) for i in (1, 2, 4, 5, 6, 7, 8)] != mine:
        yield f"sample: perf {line.groups()}, ours {mine}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("perf_data")
    parser.add_argument("our_dump", nargs="?")
    parser.add_argument("--kinds", default="op,fetch")
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    if arguments.our_dump:
        lines = open(arguments.our_dump).readlines()
    else:
        dump = subprocess.run(["build/tools/ibs_dump", arguments.perf_data], capture_output=True, text=True, check=True)
        lines = dump.stdout.splitlines()
    ours, theirs = read_ours(lines), read_perf(arguments.perf_data)
    problems = 0 if len(ours) == len(theirs) else 1
    fields = 0
    wanted = arguments.kinds.split(",")
    count = dict.fromkeys(["op", "fetch", "pmc", "timer"], 0)
    for (kind, line), block in zip(ours, theirs):
        if arguments.limit is not None and count[kind] >= arguments.limit:
            continue
        count[kind] += 1
        mine = fields_of(line)
        # name, tab, 16 digits, then perhaps names and values
        registers = re.findall(r"^(\w+):\t([0-9a-f]{16})(.*)$", block, re.M)
        fields += sum(len(named_values(text)) + 1 for _, _, text in registers) + 7
        for problem in differences(kind, mine, registers, block):
            problems += 1
            if problems <= 20:
                print(f"# {kind} at {mine['time']} ns: {problem}")
    compared = " and ".join(f"{number} {kind}" for kind, number in count.items() if number)
    print(f"# {len(ours)} samples of ours, {len(theirs)} of perf; {compared} samples with {fields} fields compared, "
          f"{problems} differ")
    enough = all(number >= arguments.at_least if kind in wanted else number == 0 for kind, number in count.items())
    sys.exit(0 if problems == 0 and enough else 1)


main()
