# SPDX-License-Identifier: BSD-2-Clause
"""Cache lines: ibsprof report --by=cache-line against perf c2c report and perf report --mem-mode, of generated recordings with a data source.

usage: compare_c2c.py IBSPROF FOLDER COUNT SEED

Equal by line: loads, stores, hits of L1, L2, L3, DRAM, another core's modified line, stores that missed; by offset and core: accesses, stores.
Different, by name:
- perf c2c tells lines apart by process and linear address, ibsprof by physical address: a line that two processes share is one line.
- perf c2c leaves uncacheable loads and I/O out of a line's loads.
- Of AMD, perf c2c takes another core's cache for an L3 as well: a modified line there is two loads, a local and a remote HITM.
- Of AMD, perf c2c leaves out another node's cache, or another core complex', that had the line unmodified: the kernel tells no snoop then.
- perf c2c has no row for an offset and thread without HITM or store.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys

import accesses_file

LINE = ("index address node pages percent total_hitm lcl_hitm_ rmt_hitm_ records loads stores store_hit store_miss store_na "
        "buffer l1 l2 llc lcl_hitm rmt_hit rmt_hitm dram rmt_dram").split()
ANSWERS = ["l1", "buffer", "l2", "l3", "near", "cache", "rmt_cache", "dram", "rmt_dram", "other"]
# What perf report --sort mem says of an access, and the columns of ibsprof whose sum is as many. L3: with and without snoop.
MEM = [(r"(L1 or )?L1 hit", ["l1", "store_hit"]), (r"L1 miss", ["store_miss"]), (r"LFB/MAB .*", ["buffer"]), (r"L2 .*", ["l2"]), (r"Local RAM .*", ["dram"]),
       (r"Remote .*RAM hit", ["rmt_dram"]), (r"(I/O|Uncached) hit", ["other"]), (r"(L3|Remote Cache|core|Remote core|Remote node).*", ["l3", "near", "cache", "rmt_cache"])]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def of_perf(path):
    """Rows of the table of lines, each with its process; and of the distribution: (line's number, offset, core) -> row."""
    lines, parts, number = {}, {}, None
    for text in run("perf", "c2c", "report", "--stdio", "--show-all", "--no-source", "-c", "tid", "-i", path).splitlines():
        words = text.split()
        if len(words) == len(LINE) and re.match(r"0x[0-9a-f]+$", words[1]):
            lines[int(words[0])] = {name: int(word) if word.isdigit() else word for name, word in zip(LINE, words)}
        elif len(words) == 7 and words[0].isdigit() and words[6].startswith("0x"):
            number = int(words[0])
        elif number is not None and len(words) > 12 and words[0].endswith("%") and words[5].startswith("0x"):
            tid = int(words[8].split(":")[0])
            lines[number]["pid"] = tid // 1000 * 1000
            parts[number, int(words[5], 16), tid % 1000] = {
                "percents": [float(word.rstrip("%")) for word in words[:5]], "records": int(words[12])}
    return lines, parts


def of_ibsprof(ibsprof, path):
    """Rows by (linear line, its number among those of that address)."""
    report = json.loads(run(ibsprof, "report", "--by=cache-line", "--json", path))
    titles = [column["title"] for column in report["columns"]]
    rows = {}
    for row in report["rows"]:
        for part in [row, *row["parts"]]:
            part.update(zip(ANSWERS, part["answered"]), **dict(zip(titles, part["values"])))
            part["store_miss"] = part["DC miss"] - sum(part["answered"][1:-1])
        address = int(row["address"], 16)
        rows[address, sum(other == address for other, _ in rows)] = row
    return rows


def left_out(row, maker):
    """Loads that perf c2c has in none of its columns."""
    return row["other"] + (row["rmt_cache"] + row["cache"] - row["modified"] if maker != "intel" else 0)


def wanted(row, maker, perf):
    """What perf c2c should say of a row of ibsprof's."""
    amd = maker != "intel"
    loads = row["Loads"] - left_out(row, maker) + (perf["lcl_hitm"] if amd else 0)
    return {"records": loads + row["Stores"], "loads": loads, "stores": row["Stores"], "l1": row["l1"], "buffer": row["buffer"], "l2": row["l2"],
            "llc": row["l3"] + row["near"], "dram": row["dram"], "store_miss": row["store_miss"], "store_hit": row["Stores"] - row["store_miss"],
            "lcl_hitm": perf["lcl_hitm"] if maker == "zen4" else row["cache"],
            "rmt_hitm": row["modified"] if amd else row["modified"] - row["cache"],
            "rmt_hit": 0 if amd else row["rmt_cache"] - (row["modified"] - row["cache"]), "rmt_dram": row["rmt_dram"]}


def compare_parts(problems, parts, number, row, line, maker):
    """Offsets and cores of a line: all that perf has, and what perf leaves out."""
    seen = 0
    for part in row["parts"]:
        theirs = parts.get((number, part["offset"], part["core"]))
        if theirs is None:
            if part["Stores"] or part["modified"]:
                problems.append(f"{row['address']}+{part['offset']} core {part['core']}: perf has no row")
            continue
        seen += 1
        twice, hits, misses = (round(percent * line[name] / 100) for percent, name in zip(theirs["percents"][1:4], ("lcl_hitm", "store_hit", "store_miss")))
        mine = (part["Loads"] - left_out(part, maker) + (twice if maker != "intel" else 0) + part["Stores"],
                part["Stores"] - part["store_miss"], part["store_miss"])
        if mine != (theirs["records"], hits, misses):
            problems.append(f"{row['address']}+{part['offset']} core {part['core']}: {mine}, perf has {theirs['records']}, {hits}, {misses}")
    return seen


def compare(ibsprof, path, maker, physical):
    (lines, parts), rows = of_perf(path), of_ibsprof(ibsprof, path)
    problems, seen = [], 0
    if physical == "shared":
        # Lines of the second process are those of the first, elsewhere.
        joined = {}
        for line in lines.values():
            key = (int(line["address"], 16) - accesses_file.DATA) % accesses_file.SECOND
            into = joined.setdefault(key, dict.fromkeys(LINE, 0))
            for name in LINE[8:]:
                into[name] += line[name]
        pairs = [(None, line, [row for (address, _), row in rows.items() if (address - accesses_file.DATA) % accesses_file.SECOND == key])
                 for key, line in joined.items()]
    else:
        pairs = [(number, line, [row for (address, which), row in rows.items()
                                 if address == int(line["address"], 16) and which == accesses_file.PIDS.index(line["pid"])])
                 for number, line in lines.items()]
    for number, line, mine in pairs:
        if len(mine) != 1:
            problems.append(f"{line['address']}: {len(mine)} rows")
            continue
        for name, value in wanted(mine[0], maker, line).items():
            if value != line[name]:
                problems.append(f"{mine[0]['address']} {name}: {value}, perf has {line[name]}")
        seen += compare_parts(problems, parts, number, mine[0], line, maker) if number is not None else 0
    if len(pairs) != len(rows):
        problems.append(f"{len(rows)} lines, perf has {len(pairs)}")
    if physical != "shared" and seen != len(parts):
        problems.append(f"{seen} offsets and cores, perf has {len(parts)}")
    return problems, len(rows), seen


def compare_symbols(ibsprof, path):
    """Samples by function and event: ibsprof report --csv and perf report --mem-mode; returns problems and the number of functions."""
    theirs, mine, event = {}, {}, None
    for text in run("perf", "report", "--mem-mode", "--stdio", "-n", "--sort", "sym", "-i", path).splitlines():
        match = re.match(r"# Samples: .* of event '(.*)'", text)
        event = match[1] if match else event
        match = re.match(r"\s+[\d.]+%\s+(\d+)\s+\[\.\] (\S+)", text)
        if match:
            theirs[event, match[2]] = int(match[1])
    rows = csv.reader(io.StringIO(run(ibsprof, "report", "--csv", path)))
    header = next(rows)
    for row in rows:
        for title, value in zip(header, row):
            if title.endswith(" [samples]") and int(value):
                key = title[:-len(" [samples]")], row[header.index("function")]
                mine[key] = mine.get(key, 0) + int(value)
    return [f"functions: {mine}, perf has {theirs}"] if mine != theirs else [], len(theirs)


def compare_sources(ibsprof, path):
    """All accesses by source."""
    mine, theirs = {}, {}
    for row in of_ibsprof(ibsprof, path).values():
        row["store_hit"] = row["Stores"] - row["store_miss"]
        for words, names in MEM:
            mine[words] = mine.get(words, 0) + sum(row[name] for name in names)
    for text in run("perf", "report", "--mem-mode", "--stdio", "-n", "--sort", "mem", "-i", path).splitlines():
        match = re.match(r"\s+[\d.]+%\s+(\d+)\s+(.*[^ ])", text)
        if match:
            words = next(words for words, _ in MEM if re.fullmatch(words, match[2]))
            theirs[words] = theirs.get(words, 0) + int(match[1])
    return [f"sources: {mine}, perf has {theirs}"] if {words: count for words, count in mine.items() if count} != theirs else []


def main(ibsprof, folder, count, seed):
    source, program = os.path.join(folder, "share.c"), os.path.join(folder, "share")
    with open(source, "w") as file:
        file.write("".join(f"__attribute__((noinline)) int touch{i}(volatile int *x) {{ return x[0] + x[1] + (x[2] = {i}); }}\n" for i in range(3)) +
                   "int main(void) { static int all[9]; return touch0(all) + touch1(all) + touch2(all); }\n")
    subprocess.run(["gcc", "-O1", "-no-pie", "-Wl,-z,noseparate-code", "-o", program, source], check=True)
    starts = [int(line.split()[0], 16) for line in run("nm", program).splitlines() if " touch" in line]
    places = [start + offset for start in starts for offset in range(0, 8, 2)]
    bad = 0
    for maker in accesses_file.MAKERS:
        for physical in ("own", "shared", ""):
            path = os.path.join(folder, f"{maker}-{physical or 'linear'}.data")
            accesses_file.write(path, maker, int(count), int(seed), physical, program, places)
            problems, lines, parts = compare(ibsprof, path, maker, physical)
            of_symbols, functions = compare_symbols(ibsprof, path)
            problems += of_symbols + compare_sources(ibsprof, path)
            if lines < 12 or functions < 3 or (physical != "shared" and parts < 100):
                problems.append(f"too little: {lines} lines, {parts} offsets and cores, {functions} functions")
            print(f"{maker}, {physical or 'no physical addresses'}: {lines} lines, {parts} offsets and cores, {functions} functions, {len(problems)} differ")
            print("".join(f"  {problem}\n" for problem in problems[:8]), end="")
            bad += len(problems)
    return bad > 0


sys.exit(main(*sys.argv[1:]))
