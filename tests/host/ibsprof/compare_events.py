#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the output of `perf script` and `perf report` on counter and timer samples with ibsboot's tables.

usage: compare_events.py made MADE DUMP SYMBOLS SCRIPT REPORT BASE
       compare_events.py run RUN SCRIPT REPORT

MADE is the output of make_perfdata, DUMP that of ibs_dump and SYMBOLS that of `nm -S` of the image; RUN is a run's folder with
pmc.csv, run.ini and report.txt. SCRIPT is the output of `perf script -F event,ip,sym,period`, REPORT of `perf report --stdio -n
--sort symbol`. For each event must be equal: the samples of every instruction and of every symbol, the sum of all periods (the
event's count, by our table), each single period up to rounding, and in perf's report the samples of each symbol, the sum, and
the symbol on top.
"""
import bisect
import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../boot/check"))
from run_csv import read_rows  # noqa: E402

OUTSIDE = "[unknown]"


class Event:
    """ibsboot's data of one event. instructions: samples by address, without those outside symbols."""

    def __init__(self, name, samples, total):
        self.name, self.samples, self.total = name, samples, total
        self.instructions = collections.Counter()
        self.symbols = collections.Counter()
        self.outside = 0


def read_script(path):
    """Samples by event: (period, ip, symbol)."""
    events = collections.defaultdict(list)
    for line in open(path):
        period, event, ip, symbol = re.fullmatch(r"\s*(\d+)\s+(\S.*?):\s+([0-9a-f]+)\s+(\S+)", line.rstrip()).groups()
        if not event.startswith("ibs_"):
            events[event].append((int(period), int(ip, 16), symbol))
    return events


def read_report(path):
    """By event: samples, sum of periods, and the symbols with their samples in perf's order."""
    events, event = {}, None
    for line in open(path):
        if match := re.match(r"# Samples: \S+ +of event '(.*)'", line):
            event = events.setdefault(match[1], {"symbols": [], "total": 0})
        elif match := re.match(r"# Event count \(approx\.\): (\d+)", line):
            event["total"] = int(match[1])
        elif match := re.match(r" +[0-9.]+% +(\d+) +\[\S\] (\S+)", line):
            event["symbols"].append((match[2], int(match[1])))
    return events


def function_finder(lines):
    """From the output of nm -S: returns a function that gives the names of all symbols that an RVA may have: those that
    cover it, and the last one before it, because symbols of assembly have no size; if none covers it, no name is right, too."""
    starts = []
    for line in lines:
        *numbers, kind, name = line.split()
        if kind in "tTwW":
            size = int(numbers[1], 16) if len(numbers) == 2 else 0
            starts.append((int(numbers[0], 16), size, name))
    starts.sort()
    keys = [start for start, _, _ in starts]
    longest = max(size for _, size, _ in starts)

    def find(rva):
        at = bisect.bisect_right(keys, rva) - 1
        names, last, none = set(), keys[at], {OUTSIDE}
        while at >= 0 and rva - starts[at][0] <= longest:
            start, size, name = starts[at]
            if rva < start + size or start == last:
                names.add(name)
                none = set() if rva < start + size else none
            at -= 1
        return names | none

    return find


def made(made_path, dump_path, symbols_path, base):
    """Events of make_perfdata, and a function that gives the names that nm has for an address."""
    events = {}
    for line in open(made_path):
        name, _, _, _, samples, total = line.rstrip("\n").split("\t")
        events[name] = Event(name, int(samples), int(total))
    find = function_finder(open(symbols_path))
    for line in open(dump_path):
        if not line.startswith(("pmc ", "timer ")):
            continue
        fields, _, name = line.rstrip("\n").partition(" event=")
        ip = int(re.search(r" ip=([0-9a-f]+)", fields)[1], 16)
        events[name].instructions[ip] += 1
    return events, lambda ip: find(ip - base)


def run(folder):
    """Events of a run that have samples, by pmc.csv, run.ini and the table in report.txt; and the function of an address."""
    facts = {}
    for line in open(os.path.join(folder, "run.ini")):
        if line.startswith("#: ") and " = " in line:
            key, value = line[3:].split(" = ", 1)
            facts[key] = value.strip()
    base = int(facts["image_base"], 16)
    header, *rows = read_rows(os.path.join(folder, "pmc.csv"))
    # "name period active% runs weight samples events error%", the estimate as it is printed
    table = re.findall(r"^(\S+|timer \(us\)) +\d+ +[0-9.]+% +\d+ +\d+ +(\d+) +(\d+) +\S+$",
                       open(os.path.join(folder, "report.txt")).read(), re.M)
    estimates = {name: (int(samples), int(estimate)) for name, samples, estimate in table}
    events, functions = {}, {}
    for row in rows:
        if row[0]:
            functions[base + int(row[0], 16)] = {row[1]}
    for column in range(5, len(header)):
        short = header[column].split()[0]
        timer = short == "timer"
        if not timer and f"event.{column - 5}.samples" not in facts:
            continue  # not modelled
        samples, total = estimates["timer (us)" if timer else short]
        name = "cpu-clock" if timer else facts[f"event.{column - 5}"].split("@")[0]
        event = Event(name, samples, total * 1000 if timer else total)
        weight = event.total / samples if samples else 0
        fact = "samples.timer" if timer else f"event.{column - 5}.samples"
        if int(facts[fact]) != samples or sum(int(row[column]) for row in rows) != samples:
            sys.exit(f"{name}: our own files disagree about its samples")
        if not timer and samples:
            # The weight of run.ini is of all runs, and rounded.
            ours = int(facts[f"event.{column - 5}.weight"]) / int(facts[f"event.{column - 5}.runs"])
            if abs(ours - weight) > 0.5 + ours * 2e-6 + 1 / samples:
                sys.exit(f"{name}: a sample weighs {ours} in run.ini, {weight} in report.txt")
        for row in rows:
            if row[0] and int(row[column]):
                event.instructions[base + int(row[0], 16)] = int(row[column])
            elif not row[0]:
                event.outside = int(row[column])
        if samples:
            events[name] = event
    return events, lambda ip: functions.get(ip, set())


def compare(event, samples, report, names_of):
    """Differences of one event, as lines."""
    instructions, symbols = collections.Counter(), collections.Counter()
    total = outside = 0
    low = event.total // event.samples
    for period, ip, symbol in samples:
        total += period
        if period not in (low, low + 1):
            yield f"a period of {period}, where {event.total / event.samples:.3f} is what a sample represents"
        symbols[symbol] += 1
        if event.outside and ip not in event.instructions:
            outside += 1
            continue
        instructions[ip] += 1
        if symbol not in names_of(ip):
            yield f"{ip:x}: perf's symbol is {symbol}, ours {sorted(names_of(ip))}"
    if instructions != event.instructions or outside != event.outside:
        yield f"samples of instructions: perf and not ours {dict(instructions - event.instructions)}, ours and not perf " \
              f"{dict(event.instructions - instructions)}; outside: {outside} and {event.outside}"
    if total != event.total:
        yield f"{len(samples)} samples of perf stand for {total}, ours for {event.total}"
    if report is None:
        yield "perf report does not have it"
        return
    if report["total"] != event.total:
        yield f"perf report counts {report['total']}, we count {event.total}"
    shown = collections.Counter()
    for symbol, number in report["symbols"]:
        # Code without a symbol is a line for each address.
        shown[OUTSIDE if re.fullmatch(r"0x?[0-9a-f]{8,}", symbol) else symbol] += number
    if shown != symbols:
        yield f"samples of symbols: report and not script {dict(shown - symbols)}, script and not report {dict(symbols - shown)}"
    named = [item for item in report["symbols"] if not item[0].startswith("0x")]
    if named and named[0][1] != max(symbols[name] for name in symbols if name != OUTSIDE):
        yield f"perf report has {named[0]} on top, ours is {symbols.most_common(1)}"


def main():
    mode, *arguments = sys.argv[1:]
    if mode == "made":
        made_path, dump, names, script, report, base = arguments
        events, names_of = made(made_path, dump, names, int(base, 16))
    else:
        folder, script, report = arguments
        events, names_of = run(folder)
    samples, shown = read_script(script), read_report(report)
    problems = [f"events: perf {sorted(samples)}, ours {sorted(events)}"] if set(samples) != set(events) else []
    for name, event in events.items():
        problems += [f"{name}: {line}" for line in compare(event, samples.get(name, []), shown.get(name), names_of)]
    for line in problems[:20]:
        print("#", line)
    instructions = sum(len(event.instructions) for event in events.values())
    print(f"{len(events)} event(s), {sum(event.samples for event in events.values())} samples, {instructions} counts of "
          f"instructions, {len(problems)} differences; totals: "
          + ", ".join(f"{name} {event.total}" for name, event in events.items()))
    sys.exit(bool(problems) or not events)


main()
