# SPDX-License-Identifier: BSD-2-Clause
"""perf.data files of loads and stores with a data source, as 'perf c2c record' and 'perf mem record' write them, without raw registers.

Written from Linux' tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h alone, for both perf and ibsprof to read.
"""
import random
import struct

ATTR_SIZE = 112
# IP, TID, TIME, ADDR, CPU, PERIOD, WEIGHT, DATA_SRC, IDENTIFIER, and maybe PHYS_ADDR
SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3 | 1 << 7 | 1 << 8 | 1 << 14 | 1 << 15 | 1 << 16
PHYS_ADDR = 1 << 19
SAMPLE_ID_ALL, MMAP, COMM = 1 << 18, 1 << 8, 1 << 9
CPUS, PIDS, DATA, SECOND = 6, (1000, 2000), 0x7F0000000000, 0x100000

LOAD, STORE = 0x2, 0x4
HIT, MISS, L1, LFB, L2, L3, RAM, REM_RAM, REM_CCE1, REM_CCE2, IO, UNC = (flag << 5 for flag in (2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x400, 0x800, 0x1000, 0x2000))
SNOOP_NA, SNOOP_NONE, SNOOP_HIT, SNOOP_MISS, SNOOP_HITM = (1 << 19, 2 << 19, 4 << 19, 8 << 19, 16 << 19)
LOCKED = 2 << 24
TLB_L1, TLB_L2, TLB_MISS = (2 | 8) << 26, (2 | 16) << 26, (4 | 16) << 26
NUM_L1, NUM_L2, NUM_L3, NUM_CACHE, NUM_LFB, NUM_RAM = (number << 33 for number in (1, 2, 3, 0xB, 0xC, 0xD))
REMOTE, HOPS_0, HOPS_1 = 1 << 37, 1 << 43, 2 << 43

# Of Intel: arch/x86/events/intel/ds.c (pebs_data_source); of AMD: arch/x86/events/amd/ibs.c (g_data_src, g_zen4_data_src). Name, word, weight.
INTEL = [
    ("L1", LOAD | HIT | L1 | NUM_L1 | SNOOP_NONE | TLB_L1, 5), ("LFB", LOAD | HIT | LFB | NUM_LFB | SNOOP_NONE | TLB_L1, 30),
    ("L2", LOAD | HIT | L2 | NUM_L2 | SNOOP_NONE | TLB_L2, 14), ("L3", LOAD | HIT | L3 | NUM_L3 | SNOOP_NONE | TLB_L1, 40),
    ("L3, snooped", LOAD | HIT | L3 | NUM_L3 | SNOOP_MISS | TLB_L1, 44), ("L3, shared", LOAD | HIT | L3 | NUM_L3 | SNOOP_HIT | TLB_MISS, 50),
    ("HITM", LOAD | HIT | L3 | NUM_L3 | SNOOP_HITM | TLB_L1, 80), ("DRAM", LOAD | HIT | RAM | NUM_RAM | SNOOP_HIT | TLB_MISS, 200),
    ("remote cache", LOAD | HIT | REM_CCE1 | NUM_L3 | SNOOP_HIT | TLB_L1, 300),
    ("remote HITM", LOAD | HIT | REM_CCE1 | NUM_L3 | SNOOP_HITM | TLB_L1, 350),
    ("remote DRAM", LOAD | HIT | REM_RAM | NUM_RAM | REMOTE | SNOOP_NONE | TLB_MISS, 400), ("I/O", LOAD | HIT | IO | SNOOP_NONE | TLB_L1, 900),
    ("uncached", LOAD | HIT | UNC | SNOOP_NONE | TLB_L1, 800), ("store", STORE | HIT | L1 | TLB_L1, 0), ("store miss", STORE | MISS | L1 | TLB_L2, 0),
    ("locked store", STORE | HIT | L1 | LOCKED | TLB_L1, 0),
]
AMD = [
    ("L1", LOAD | HIT | L1 | NUM_L1 | SNOOP_NA | TLB_L1, 0), ("L2", LOAD | HIT | L2 | NUM_L2 | SNOOP_NA | TLB_L2, 12),
    ("MAB", LOAD | HIT | LFB | NUM_LFB | SNOOP_NA | TLB_L1, 60), ("L3", LOAD | HIT | L3 | NUM_L3 | SNOOP_NA | TLB_MISS, 40),
    ("near cache", LOAD | HIT | L3 | REM_CCE1 | NUM_CACHE | HOPS_0 | SNOOP_NA | TLB_L1, 90),
    ("near HITM", LOAD | HIT | L3 | REM_CCE1 | NUM_CACHE | HOPS_0 | SNOOP_HITM | TLB_L1, 110),
    ("far cache", LOAD | HIT | REM_CCE2 | NUM_CACHE | REMOTE | HOPS_1 | SNOOP_NA | TLB_L1, 250),
    ("far HITM", LOAD | HIT | REM_CCE2 | NUM_CACHE | REMOTE | HOPS_1 | SNOOP_HITM | TLB_L1, 280),
    ("DRAM", LOAD | HIT | RAM | NUM_RAM | SNOOP_NA | TLB_MISS, 200), ("far DRAM", LOAD | HIT | REM_RAM | NUM_RAM | REMOTE | HOPS_1 | SNOOP_NA | TLB_MISS, 400),
    ("store", STORE | HIT | L1 | NUM_L1 | SNOOP_NA | TLB_L1, 0), ("store miss", STORE | MISS | L1 | SNOOP_NA | TLB_L2, 0),
    ("locked store", STORE | HIT | L1 | NUM_L1 | SNOOP_NA | LOCKED | TLB_L1, 0),
]
# From Zen 4 on also the caches of this node's other core complexes.
ZEN4 = AMD + [("other complex", LOAD | HIT | REM_CCE1 | NUM_CACHE | REMOTE | HOPS_0 | SNOOP_NA | TLB_L1, 150),
              ("other complex, HITM", LOAD | HIT | REM_CCE1 | NUM_CACHE | REMOTE | HOPS_0 | SNOOP_HITM | TLB_L1, 160)]
MAKERS = {"intel": (INTEL, "GenuineIntel,6,85,4"), "zen3": (AMD, "AuthenticAMD,25,1,1"), "zen4": (ZEN4, "AuthenticAMD,25,97,2")}


def string(text):
    raw = text.encode() + b"\0"
    size = -(-len(raw) // 64) * 64
    return struct.pack("<I", size) + raw.ljust(size, b"\0")


def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def trailer(pid, time, identity):
    return struct.pack("<IIQIIQ", pid, pid, time, 0, 0, identity)


def mapped(pid, start, length, name, data, offset=0):
    body = struct.pack("<IIQQQIIQQII", pid, pid, start, length, offset, 0, 0, 0, 0, 3 if data else 5, 2)
    name = name.encode() + b"\0"
    return record(10, 2 | (1 << 13 if data else 0), body + name.ljust(-(-len(name) // 8) * 8, b"\0") + trailer(pid, 1, 1))


def draw(rng, words, count, physical, places):
    """Accesses of two processes to a dozen lines each: (pid, cpu, ip, address, physical address, what, word, weight)."""
    lines = [(64 * line, rng.sample(range(0, 64, 8), rng.randrange(1, 5)), rng.sample(range(CPUS), rng.randrange(1, CPUS + 1))) for line in range(12)]
    for _ in range(count):
        base, offsets, cpus = rng.choice(lines)
        at, pid = base + rng.choice(offsets), rng.choice(PIDS)
        second = PIDS.index(pid)
        # Two processes have other memory at the same address, or the same memory at two addresses.
        yield (pid, rng.choice(cpus), rng.choice(places), DATA + at + (SECOND * second if physical == "shared" else 0),
               0x10000000 * (1 + (0 if physical == "shared" else second)) + at, *rng.choice(words))


def write(path, maker, count, seed, physical, program, places, draw=draw, maps=()):
    """Writes a file of a maker: of accesses by the addresses 'places' in a program that is mapped from its first byte, at 0x400000.

    physical: "", the file has no physical addresses; "own"; "shared": the processes share memory. maps: arguments of mapped(), in place of these."""
    words, cpuid = MAKERS[maker]
    accesses = list(draw(random.Random(f"{seed} {maker} {physical}"), words, count, physical, places))
    names, kind = (["cpu/mem-loads,ldlat=30/P", "cpu/mem-stores/P"], 4) if maker == "intel" else (["ibs_op//"], 11)
    sample_type = SAMPLE_TYPE | (PHYS_ADDR if physical else 0)
    attrs = [struct.pack("<IIQQQQQ", kind, ATTR_SIZE, 0x1CD + number, 1000, sample_type, 0, SAMPLE_ID_ALL | MMAP | COMM).ljust(ATTR_SIZE, b"\0")
             for number in range(len(names))]
    data = b""
    for pid in PIDS:
        comm = f"share{pid}".encode().ljust(16, b"\0")
        data += record(3, 2, struct.pack("<II", pid, pid) + comm + trailer(pid, 1, 1))
        if not maps:
            data += mapped(pid, 0x400000, 0x10000, program, False) + mapped(pid, DATA, 2 * SECOND, "//anon", True)
    data += b"".join(mapped(*one) for one in maps)
    for number, (pid, cpu, ip, address, at, what, word, weight) in enumerate(accesses):
        identity = 1 + (len(names) > 1 and bool(word & STORE))
        body = struct.pack("<QQIIQQIIQQQ", identity, ip, pid, pid + cpu, 10 + number, address, cpu, 0, 1000, weight, word)
        data += record(9, 2 | 1 << 14, body + (struct.pack("<Q", at) if physical else b""))
    events = b"".join(attr + struct.pack("<I", 1) + string(name) + struct.pack("<Q", i + 1) for i, (attr, name) in enumerate(zip(attrs, names)))
    nodes = struct.pack("<I", 2) + b"".join(struct.pack("<IQQ", node, 1 << 20, 1 << 20) + string(cpus) for node, cpus in enumerate(("0-2", "3-5")))
    pmus = [(4, "cpu")] if maker == "intel" else [(11, "ibs_op")]
    blobs = {4: string("6.1.0"), 6: string("x86_64"), 7: struct.pack("<II", CPUS, CPUS), 8: string(maker), 9: string(cpuid),
             12: struct.pack("<II", len(names), ATTR_SIZE) + events, 14: nodes,
             16: struct.pack("<I", len(pmus)) + b"".join(struct.pack("<I", number) + string(name) for number, name in pmus)}
    places = 104 + 8 * len(names)
    table = places + len(names) * (ATTR_SIZE + 16)
    at = table + len(data) + 16 * len(blobs)
    with open(path, "wb") as file:
        file.write(struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, ATTR_SIZE + 16, places, len(names) * (ATTR_SIZE + 16), table, len(data), 0, 0))
        file.write(sum(1 << number for number in blobs).to_bytes(32, "little"))
        file.write(b"".join(struct.pack("<Q", i + 1) for i in range(len(names))))
        for i, attr in enumerate(attrs):
            file.write(attr + struct.pack("<QQ", 104 + 8 * i, 8))
        file.write(data)
        for number in sorted(blobs):
            file.write(struct.pack("<QQ", at, len(blobs[number])))
            at += len(blobs[number])
        file.write(b"".join(blobs[number] for number in sorted(blobs)))
    return accesses
