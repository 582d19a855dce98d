# SPDX-License-Identifier: BSD-2-Clause
"""Processors with IBS, and perf.data files of them with pseudo-random registers, as Linux would write them.

Written from Linux' tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h alone: nothing of this
project's writer or reader is used, because the files judge that reader.
"""
import random
import struct
from typing import NamedTuple


class Processor(NamedTuple):
    name: str
    family: int
    model: int
    caps: int  # CPUID Fn8000_001B EAX


# The capabilities are those that Linux printed on such machines ("perf: AMD IBS detected (0x...)"). Of 12h and Zen 6 no such line was
# found: 12h has what AMD_IBS_Toolkit's header says of it, Zen 6 Zen 5's and the bits that Linux came to know with it (13 to 16).
PROCESSORS = [
    Processor("12h", 0x12, 0x01, 0xFF),
    Processor("14h", 0x14, 0x02, 0xFF),
    Processor("15h-00h", 0x15, 0x02, 0xFF),
    Processor("15h-10h", 0x15, 0x13, 0xFF),
    Processor("15h-30h", 0x15, 0x30, 0xFF),
    Processor("15h-60h", 0x15, 0x65, 0x7FF),
    Processor("16h", 0x16, 0x00, 0xFF),
    Processor("zen", 0x17, 0x01, 0x3FF),
    Processor("zen2", 0x17, 0x71, 0x3FF),
    Processor("zen3", 0x19, 0x01, 0x3FF),
    Processor("zen3-20h", 0x19, 0x21, 0x3FF),
    Processor("zen4", 0x19, 0x61, 0xBFF),
    Processor("zen5", 0x1A, 0x44, 0x81BFF),
    Processor("zen6", 0x1A, 0x50, 0x9FBFF),
]

OP_TYPE, FETCH_TYPE = 11, 10
# What Linux' driver announces below /sys/bus/event_source/devices/ibs_op/caps, by bit of the capabilities.
PMU_CAPS = [("zen4_ibs_extensions", 11), ("ldlat", 12), ("rmtsocket", 16), ("strmst", 16), ("dtlb_pgsize", 19)]
# Registers of a sample, in their order: name and the bit of the capabilities that it needs.
OP_REGISTERS = [("ctl", None), ("rip", None), ("data", None), ("data2", None), ("data3", None), ("linad", None), ("physad", None),
                ("target", 5), ("data4", 10)]
FETCH_REGISTERS = [("ctl", None), ("linad", None), ("physad", None), ("extd", 9)]

ATTR_SIZE = 112
SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8 | 1 << 10 | 1 << 16  # IP, TID, TIME, CPU, PERIOD, RAW, IDENTIFIER


def bit(value, number):
    return value >> number & 1


def op_sample(rng):
    """Each bit random and each register sometimes 0; half of them as a cacheable load that missed the L2, whose answer counts."""
    regs = {name: rng.getrandbits(64) if rng.randrange(16) else 0 for name, _ in OP_REGISTERS}
    regs["ctl"] |= 1 << 17 | 1 << 18  # En, Val: perf decodes nothing else
    if rng.randrange(2):
        regs["data3"] = (regs["data3"] | 1 | 1 << 7 | 1 << 20) & ~(1 << 14)
    return regs


def fetch_sample(rng):
    regs = {name: rng.getrandbits(64) if rng.randrange(16) else 0 for name, _ in FETCH_REGISTERS}
    regs["ctl"] |= 1 << 48 | 1 << 49
    return regs


def attr(kind, number):
    return struct.pack("<IIQQQQQ", kind, ATTR_SIZE, 0, 100000, SAMPLE_TYPE, 0, 1 << 18).ljust(ATTR_SIZE, b"\0")


def string(text):
    raw = text.encode() + b"\0"
    size = -(-len(raw) // 64) * 64
    return struct.pack("<I", size) + raw.ljust(size, b"\0")


def record(identity, time, caps, registers):
    raw = struct.pack("<I", caps) + b"".join(struct.pack("<Q", value) for value in registers)
    body = struct.pack("<QQIIQIIQ", identity, 0x401000 + time, 1, 1, time, 0, 0, 100000) + struct.pack("<I", len(raw)) + raw
    return struct.pack("<IHH", 9, 2 | 0x4000, 8 + len(body)) + body


def features(processor, attrs):
    caps = [(name, number) for name, number in PMU_CAPS if bit(processor.caps, number)]
    events = b"".join(attrs[i] + struct.pack("<I", 1) + string(name) + struct.pack("<Q", i + 1)
                      for i, name in enumerate(["ibs_op//", "ibs_fetch//"]))
    blobs = {
        6: string("x86_64"),
        9: string(f"AuthenticAMD,{processor.family},{processor.model},1"),
        12: struct.pack("<II", 2, ATTR_SIZE) + events,
        16: struct.pack("<I", 2) + struct.pack("<I", OP_TYPE) + string("ibs_op") + struct.pack("<I", FETCH_TYPE) + string("ibs_fetch"),
    }
    if caps:
        blobs[31] = struct.pack("<II", 1, len(caps)) + b"".join(string(name) + string("1") for name, _ in caps) + string("ibs_op")
    return blobs


def write(path, processor, rows, seed):
    """The samples that were written: (op samples, fetch samples), dictionaries by the registers' names; sample n has time n + 1."""
    rng = random.Random(f"{seed} {processor.name}")
    ops, fetches = [op_sample(rng) for _ in range(rows)], [fetch_sample(rng) for _ in range(rows)]
    data = []
    for identity, samples, registers in ((1, ops, OP_REGISTERS), (2, fetches, FETCH_REGISTERS)):
        names = [name for name, needs in registers if needs is None or bit(processor.caps, needs)]
        first = 1 if identity == 1 else rows + 1
        data += [record(identity, first + i, processor.caps, [regs[name] for name in names]) for i, regs in enumerate(samples)]
    data = b"".join(data)
    attrs = [attr(OP_TYPE, 1), attr(FETCH_TYPE, 2)]
    blobs = features(processor, attrs)
    ids = 104
    places = ids + 16
    table = places + 2 * (ATTR_SIZE + 16)
    at = table + len(data) + 16 * len(blobs)
    flags = sum(1 << number for number in blobs)
    with open(path, "wb") as file:
        file.write(struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, ATTR_SIZE + 16, places, 2 * (ATTR_SIZE + 16), table, len(data), 0, 0))
        file.write(flags.to_bytes(32, "little") + struct.pack("<QQ", 1, 2))
        for i, one in enumerate(attrs):
            file.write(one + struct.pack("<QQ", ids + 8 * i, 8))
        file.write(data)
        for number in sorted(blobs):
            file.write(struct.pack("<QQ", at, len(blobs[number])))
            at += len(blobs[number])
        file.write(b"".join(blobs[number] for number in sorted(blobs)))
    return ops, fetches
