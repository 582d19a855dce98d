# SPDX-License-Identifier: BSD-2-Clause
"""Where `perf script -D` and `ibsprof export` differ, and why: a row each, and nothing else may differ.

A row says for which processors (tests/host/families/family_file.py) and in exactly which samples the difference is there. So a difference that
no row predicts is a failure, and so is a row whose difference is not there.

kind      "perf": perf shows the field, ibsprof does not; "ours": the reverse, only of fields that Linux does not know;
          "value": both show it, differently
right     what is taken and why, with the source: LX-h, LX-ibs, LX-raw, TK, APM, RG15 as in core/family/ibs_family.h
when      f(processor, registers of the sample)
"""
from typing import Callable, NamedTuple

from family_file import bit


class Difference(NamedTuple):
    name: str
    kind: str
    samples: str  # op or fetch
    fields: str
    right: str
    of: Callable  # the processor
    when: Callable = lambda p, r: True
    before: tuple = (99, 0)  # only of versions of perf before this one


# Fields that no version of Linux decodes.
NOT_LINUX = ("IbsOpBrnResync IbsOpMispReturn IbsDcLdBnkCon IbsDcStBnkCon IbsDcStToLdFwd IbsDcStToLdCan IbsOpLdResync").split()


def families(*names):
    return lambda p: p.name in names


def every(_):
    return True


def cap(number):
    return lambda p: bool(bit(p.caps, number))


def no_cap(number):
    return lambda p: not bit(p.caps, number)


def zen(p):
    return p.family >= 0x17


def zen4(p):
    return bool(bit(p.caps, 11))


def first_zen3(p):
    return p.family == 0x19 and p.model < 0x10


FIRST = families("12h", "14h", "15h-00h", "15h-10h")
NORTHBRIDGE = families("12h", "14h", "15h-00h", "15h-10h", "15h-30h", "15h-60h", "16h")


def has_l2_miss(p):
    return not FIRST(p)


def source(p, r):
    return r["data2"] & 7 | ((r["data2"] >> 6 & 3) << 3 if zen4(p) else 0)


def erratum_1293(p, r):
    return first_zen3(p) and bool(bit(r["data3"], 16) or bit(r["data3"], 21))


def uncacheable(p, r):
    return zen(p) and bool(bit(r["data3"], 14))


def answered(p, r):
    """Does IbsOpData2 mean anything? (LX-ibs perf_ibs_get_mem_lvl and the order of its questions.)"""
    data3 = r["data3"]
    if not bit(data3, 0):
        return False
    if uncacheable(p, r):
        return source(p, r) == 7
    if not bit(data3, 7) or has_l2_miss(p) and not bit(data3, 20):
        return False
    return not (p.name == "14h" and bit(data3, 13)) and not erratum_1293(p, r)


def perf_has_data2(p, r):
    return not erratum_1293(p, r)


def perf_has_source(p, r):
    return perf_has_data2(p, r) and 0 < source(p, r) < (13 if zen4(p) else 8)


def perf_has_state(p, r):
    return perf_has_data2(p, r) and source(p, r) in ((1, 2, 5) if zen4(p) else (2,))


def node_means(p, r):
    """LX-ibs perf_ibs_get_mem_lvl: the node of memory alone, from Zen on; before, of each answer (TK)."""
    if not zen(p):
        return source(p, r) != 0
    return source(p, r) in ((3, 6, 8) if zen4(p) else (3,))


def unless_lost(condition=lambda p, r: True):
    """Of fetches: not where the sample is one of erratum 1197, which has its own row."""
    return lambda p, r: not (first_zen3(p) and r["linad"] == 0) and condition(p, r)


def phys_valid(r):
    return bit(r["ctl"], 52)


DIFFERENCES = [
    # ---------------------------------------------------------------- what ibsprof leaves to the raw registers (JSON)
    Difference("state of the unit", "perf", "op", "En Val CntCtl CurCnt", "the same in all samples, or of the unit and not of the op: "
               "ibsprof has the register in JSON", every),
    Difference("state of the unit", "perf", "fetch", "Cnt En Val RandEn", "as for ops", every, unless_lost()),
    # ---------------------------------------------------------------- bits that are reserved on this family
    Difference("reserved: BrnFuse", "perf", "op", "BrnFuse", "caps bit 8 is clear: reserved (LX-h); perf does not look", no_cap(8)),
    Difference("reserved: Microcode", "perf", "op", "Microcode", "TK monitor:417: 15h models 60h on, 17h on",
               lambda p: NORTHBRIDGE(p) and p.name != "15h-60h"),
    Difference("reserved: L2 miss and more", "perf", "op", "L2Miss SwPf OpDcMissOpenMemReqs TlbRefillLat",
               "TK monitor:453: 15h models 30h on, 16h, 17h on", FIRST),
    Difference("reserved: width", "perf", "op", "OpMemWidth", "the same", FIRST, lambda p, r: r["data3"] >> 22 & 15 != 0),
    Difference("reserved: node", "perf", "op", "RmtNode", "TK uapi:78 (14h, 16h), OP and CXL (12h)", families("12h", "14h", "16h")),
    Difference("reserved: state", "perf", "op", "CacheHitSt", "the same", families("12h", "14h", "16h"), perf_has_state),
    Difference("reserved: fetch L2 miss", "perf", "fetch", "L2Miss", "TK uapi:168: 15h models 60h on, 17h on",
               lambda p: NORTHBRIDGE(p) and p.name != "15h-60h", lambda p, r: bit(r["ctl"], 50)),
    Difference("no such register: ItlbRefillLat", "perf", "fetch", "IbsItlbRefillLat",
               "caps bit 9 is clear: the record ends before it, and perf shows the bytes behind", no_cap(9)),
    Difference("reserved: 1 GB pages", "perf", "op", "DcL1TlbHit1G DcL2TlbHit1G", "OP and CXL mask OpData3[5] and [19] of 14h",
               families("14h")),
    Difference("MabHit", "value", "op", "DcMissNoMabAlloc", "erratum 717: without a DC miss it is 0 (RG15 p. 75)", families("15h-00h"),
               lambda p, r: bit(r["data3"], 16) and not bit(r["data3"], 7)),
    # ---------------------------------------------------------------- IbsOpData2
    Difference("no answer: source", "perf", "op", "DataSrc", "OpData2 is of loads that missed (LX-ibs perf_ibs_get_mem_lvl); perf shows "
               "it of every op; erratum 484: not of WC accesses", every, lambda p, r: perf_has_source(p, r) and not answered(p, r)),
    Difference("no answer: node", "perf", "op", "RmtNode", "the same, and from Zen on the node is of memory alone (LX-ibs)",
               lambda p: p.name not in ("12h", "14h", "16h"),
               lambda p, r: perf_has_data2(p, r) and not (answered(p, r) and node_means(p, r))),
    Difference("no answer: state", "perf", "op", "CacheHitSt", "the same", lambda p: p.name not in ("12h", "14h", "16h")
               and p.name not in ("zen3", "zen3-20h"), lambda p, r: perf_has_state(p, r) and not answered(p, r)),
    Difference("Zen 3: state", "perf", "op", "CacheHitSt", "not valid on 19h 00h-0Fh and 20h-5Fh (LX-ibs "
               "perf_ibs_cache_hit_st_valid)", families("zen3", "zen3-20h"), perf_has_state),
    Difference("northbridge: source", "value", "op", "DataSrc", "perf knows Zen's meanings alone; TK decoder:470-488",
               NORTHBRIDGE, lambda p, r: answered(p, r) and source(p, r) in ((1, 2, 4) if p.name == "15h-00h" else (2, 4))),
    Difference("reserved sources above 12", "ours", "op", "DataSrc", "perf prints nothing for 13 to 31; ibsprof says Reserved-n", zen4,
               lambda p, r: answered(p, r) and source(p, r) > 12),
    # ---------------------------------------------------------------- IbsOpData3
    Difference("uncacheable", "perf", "op", "DcMiss DcMissLat", "DcUcMemAcc: not valid (LX-ibs perf_ibs_get_mem_lvl)", zen, uncacheable),
    Difference("uncacheable: L2 miss", "perf", "op", "L2Miss", "the same", zen,
               lambda p, r: uncacheable(p, r) and not erratum_1293(p, r)),
    Difference("widths over 64 bytes", "value", "op", "OpMemWidth", "no access is wider: ibsprof says Reserved-n", has_l2_miss,
               lambda p, r: r["data3"] >> 22 & 15 > 7),
    # ---------------------------------------------------------------- addresses
    Difference("physical address", "value", "op", "IbsDCPhysAd", "51:0 (APM); perf shows the reserved bits as well", every,
               lambda p, r: bit(r["data3"], 18) and (not zen4(p) or bit(r["data3"], 17)) and r["physad"] >> 52),
    Difference("physical address 0", "perf", "op", "IbsDCPhysAd", "taken out by Linux (LX-raw); perf before 6.15 shows it", every,
               lambda p, r: bit(r["data3"], 18) and r["physad"] == 0, (6, 15)),
    Difference("physical address", "value", "fetch", "IbsFetchPhysAd", "as of ops", every,
               unless_lost(lambda p, r: phys_valid(r) and r["physad"] >> 52)),
    Difference("physical address 0", "perf", "fetch", "IbsFetchPhysAd", "taken out by Linux, as of ops", every,
               unless_lost(lambda p, r: phys_valid(r) and r["physad"] == 0)),
    Difference("erratum 717: target", "perf", "op", "IbsBrTarget", "unreliable (RG15 p. 75)", families("15h-00h"),
               lambda p, r: bit(r["data"], 37) and r["target"]),
    # ---------------------------------------------------------------- fetches
    Difference("page size 3", "value", "fetch", "L1TlbPgSz", "16 KB from Zen on (TK decoder:645; APM: 4 KB coalesced); perf: reserved",
               lambda p: zen(p) and not first_zen3(p), lambda p, r: phys_valid(r) and r["ctl"] >> 53 & 3 == 3),
    Difference("ItlbRefillLat of killed fetches", "perf", "fetch", "IbsItlbRefillLat", "valid with FetchComp (TK uapi:185)", cap(9),
               unless_lost(lambda p, r: not bit(r["ctl"], 50) and (p.name != "zen6" or phys_valid(r)))),
    Difference("erratum 1197", "perf", "fetch", "Cnt Lat En Val Comp PhyAddrValid L1TlbMiss L2TlbMiss RandEn IbsFetchLinAd "
               "IbsItlbRefillLat", "the state of a fetch at 0 is lost (commit 26db2e0c51fe: the driver drops it)", first_zen3,
               lambda p, r: r["linad"] == 0),
    Difference("erratum 1197: page size, address", "perf", "fetch", "L1TlbPgSz IbsFetchPhysAd", "the same", first_zen3,
               lambda p, r: r["linad"] == 0 and phys_valid(r)),
    Difference("erratum 1197: L2 miss", "perf", "fetch", "L2Miss", "the same", first_zen3,
               lambda p, r: r["linad"] == 0 and bit(r["ctl"], 50)),
    # ---------------------------------------------------------------- fields that Linux does not know
    Difference("not Linux': resync, mispredicted return", "ours", "op", "IbsOpBrnResync IbsOpMispReturn",
               "TK uapi:60: 10h, 12h, 15h models 00h-0Fh", families("12h", "15h-00h")),
    Difference("not Linux': bank conflicts of loads, forwarding cancelled", "ours", "op", "IbsDcLdBnkCon IbsDcStToLdCan",
               "TK uapi:96-99", families("12h", "15h-00h")),
    Difference("not Linux': bank conflicts of stores", "ours", "op", "IbsDcStBnkCon", "TK uapi:97", families("12h")),
    Difference("not Linux': forwarding", "ours", "op", "IbsDcStToLdFwd", "TK uapi:98", families("12h", "14h", "15h-00h", "16h")),
    Difference("not Linux': load resync", "ours", "op", "IbsOpLdResync", "caps bit 10 (TK uapi:121)", cap(10)),
]
