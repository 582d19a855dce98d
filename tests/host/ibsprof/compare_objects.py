# SPDX-License-Identifier: BSD-2-Clause
"""Data objects: ibsprof report --by=object against perf report --mem-mode --sort symbol_daddr,dso_daddr, of generated recordings.

usage: compare_objects.py IBSPROF FOLDER COUNT SEED

The mappings are those of a process that runs, from /proc/PID/maps, and accesses go to its variables, libraries, heap, stack, anonymous memory and to
where nothing is mapped. Equal: samples by variable and file, and by mapping. Different, by name:
- .bss beyond its last page in the file is anonymous memory to perf; ibsprof has its variables.
"""
import csv
import io
import os
import re
import subprocess
import sys

import accesses_file

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
static const int table[100] = {1}; int counts[50] = {2}; static char small[300]; static double large[5000];
__attribute__((noinline)) int touch(volatile int *x) { return x[0] + x[1]; }
int main(void)
{
    char *heap = malloc(5000), *anon = mmap(0, 1 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int local = touch(counts);
    printf("table %p 400\\ncounts %p 200\\nsmall %p 300\\nlarge %p 40000\\nheap %p 5000\\nanon %p 1048576\\nstack %p 4\\nprintf %p 16\\nstdout %p 8\\nnowhere 0x10000 4096\\n",
           (void *)table, (void *)counts, (void *)small, (void *)large, heap, anon, (void *)&local, (void *)printf, (void *)&stdout);
    fflush(stdout);
    getchar();
    return 0;
}
"""


BSS = "small", "large"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def start(folder):
    """Returns what the program calls its memory, [(name, address, bytes)], its mappings, and where it is executed."""
    source, program = os.path.join(folder, "objects.c"), os.path.join(folder, "objects")
    with open(source, "w") as file:
        file.write(SOURCE)
    subprocess.run(["gcc", "-O1", "-no-pie", "-o", program, source], check=True)
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    names = [process.stdout.readline().split() for _ in range(10)]
    with open(f"/proc/{process.pid}/maps") as file:
        lines = [line.split(None, 5) for line in file]
    process.communicate("\n")
    touch = next(int(line.split()[0], 16) for line in run("nm", program).splitlines() if line.endswith(" touch"))
    maps = []
    for pid in accesses_file.PIDS:
        for place, protection, offset, _, _, *name in lines:
            begin, end = (int(word, 16) for word in place.split("-"))
            name = name[0].strip() if name else "//anon"
            if name != "[vsyscall]":
                maps.append((pid, begin, end - begin, name, "x" not in protection, int(offset, 16)))
    return [(name, int(address, 16), int(size)) for name, address, size in names], maps, [touch]


def of_perf(path):
    """Samples by (variable or "", file or mapping)."""
    rows = {}
    for text in run("perf", "report", "--mem-mode", "--stdio", "-n", "--sort", "symbol_daddr,dso_daddr", "-i", path).splitlines():
        match = re.match(r"\s+[\d.]+%\s+(\d+)\s+\[.\] (\S+?)(?:\+0x[0-9a-f]+)?\s+(\S+)\s", text)
        if match:
            name, file = match[2].split("@")[0], os.path.basename(match[3])
            key = ("" if name.startswith("0x") else name, "anon" if file.startswith("perf-") or file == "//anon" else file)
            rows[key] = rows.get(key, 0) + int(match[1])
    return rows


def of_ibsprof(ibsprof, path):
    rows = {}
    for row in csv.DictReader(io.StringIO(run(ibsprof, "report", "--by=object", "--csv", path))):
        file = os.path.basename(row["module"] or row["object"])
        key = (row["object"].split("@")[0] if row["module"] else "", "[unknown]" if file == "unknown" else file)
        rows[key] = rows.get(key, 0) + int(row["Loads [samples]"]) + int(row["Stores [samples]"])
    return rows


def main(ibsprof, folder, count, seed):
    objects, maps, places = start(folder)

    def draw(rng, words, count, physical, places):
        for _ in range(count):
            name, address, size = rng.choice(objects)
            yield (rng.choice(accesses_file.PIDS), rng.randrange(accesses_file.CPUS), rng.choice(places), address + rng.randrange(size), 0, *rng.choice(words))

    bad, end = 0, max(begin + size for _, begin, size, name, *_ in maps if name.endswith("/objects"))
    for maker in accesses_file.MAKERS:
        path = os.path.join(folder, f"{maker}-objects.data")
        accesses = accesses_file.write(path, maker, int(count), int(seed), "", "", places, draw, maps)
        theirs, mine, beyond = of_perf(path), of_ibsprof(ibsprof, path), 0
        for access in accesses:
            for name, address, size in objects:
                if name in BSS and end <= access[3] and address <= access[3] < address + size:
                    beyond += 1
                    mine[name, "objects"] = mine.get((name, "objects"), 0) - 1
                    mine["", "anon"] = mine.get(("", "anon"), 0) + 1
        differ = sorted(key for key in mine.keys() | theirs.keys() if mine.get(key, 0) != theirs.get(key, 0))
        if beyond == 0 or len(theirs) < 8:
            differ.append(("too little", str(theirs)))
        print(f"{maker}: {len(mine)} objects, {sum(mine.values())} accesses, {beyond} of them beyond .data's last page, {len(differ)} objects differ")
        for key in differ[:8]:
            print(f"  {key}: {mine.get(key, 0)}, perf has {theirs.get(key, 0)}")
        bad += len(differ)
    return bad > 0


sys.exit(main(*sys.argv[1:]))
