# SPDX-License-Identifier: BSD-2-Clause
"""Reads from the files of a lab's server what its machines do. Anyone on the network can choose the contents of runs/, so only names
that a machine writes are read, and texts are data."""
import os
import re
import time

NAME = re.compile(r"((?:[0-9a-f]{2}-){5}[0-9a-f]{2}),(\d{8}-\d{6}[\w.-]*),(\d{4}[\w.-]*),([\w.-]+)", re.ASCII)
MACHINE = re.compile(r"(?:[0-9a-f]{2}-){5}[0-9a-f]{2}", re.ASCII)
TEXT_MAX, FACT_MAX = 1 << 16, 200
KEYS = ("config", "workload", "phase", "plan.run", "plan.runs", "machine.name", "machine.maker", "machine.product", "machine.serial", "started",
        "workload.check")


def facts(path):
    """Returns {key: last value} of the shown keys in the first 64 KB of a run.ini or begun.ini; {}: unreadable. Follows no link and
    waits for no pipe."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            text = file.read(TEXT_MAX).decode("utf-8", "replace")
    except OSError:
        return {}
    found = {}
    for line in text.split("\n"):
        key, equals, value = line.removeprefix("#: ").partition(" = ")
        if equals and key.strip() in KEYS:
            found[key.strip()] = value.strip().strip('"')[:FACT_MAX]
    return found


class Run:
    """A run in transfer: files in runs/ with one MAC, boot and number."""

    def __init__(self):
        self.files, self.bytes, self.changed, self.sums, self.begun = 0, 0, 0.0, False, None

    def add(self, entry, name):
        status = entry.stat(follow_symlinks=False)
        self.changed = max(self.changed, status.st_mtime)
        if name == "begun.ini":
            self.begun = entry.path if status.st_size > 1 else ""
        elif name == "sums.txt":
            self.sums = True
        else:
            self.files, self.bytes = self.files + 1, self.bytes + status.st_size

    def told(self, last):
        """Returns (state, phase, facts). state: "measuring", "refused", "sent", or "cut off" if the machine has begun something else."""
        known = facts(self.begun) if self.begun else {}
        phase = known.get("phase", "")
        if phase.startswith("refused"):
            return "refused", phase, known
        if self.sums or self.begun == "":
            return "sent", "waits for the check", known
        return "measuring" if last else "cut off", phase, known


def on_the_way(folder):
    """Returns ({MAC: {(boot, run): Run}}, number of files that no machine writes)."""
    runs, others = {}, 0
    with os.scandir(folder) as entries:
        for entry in entries:
            match = NAME.fullmatch(entry.name)
            try:
                if match and entry.is_file(follow_symlinks=False):
                    runs.setdefault(match[1], {}).setdefault((match[2], match[3]), Run()).add(entry, match[4])
                elif not (MACHINE.match(entry.name) and entry.name[17:].startswith(",kept,")):
                    others += 1
            except FileNotFoundError:
                continue  # it has been taken since
    return runs, others


def folders(path):
    try:
        with os.scandir(path) as entries:
            return sorted(entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False))
    except OSError:
        return []


def received(folder, machine):
    """Returns (number of runs, path and time of the newest)."""
    count, newest, when = 0, "", 0.0
    for boot in folders(os.path.join(folder, machine)):
        for run in folders(os.path.join(folder, machine, boot)):
            count += 1
            path = os.path.join(folder, machine, boot, run)
            changed = os.stat(path).st_mtime
            if changed >= when:
                newest, when = path, changed
    return count, newest, when


def leases(path):
    """Returns {MAC: (address, name)} from dnsmasq's file: time, MAC, address, name, id."""
    found = {}
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                words = line.split()
                if len(words) == 5 and MACHINE.fullmatch(words[1].replace(":", "-")):
                    found[words[1].replace(":", "-")] = words[2], "" if words[3] == "*" else words[3][:FACT_MAX]
    except OSError:
        pass
    return found


def machine(lab, name, runs, lease):
    """Returns a row of the page."""
    count, newest, when = received(lab.collected, name)
    row = {"mac": name, "address": lease[0], "name": lease[1], "received": count, "state": "finished" if count else "booted", "phase": "", "files": 0,
           "bytes": 0, "changed": when, "cut_off": 0, "last": os.path.relpath(newest, lab.collected) if newest else "",
           "settings": "own" if os.path.exists(os.path.join(lab.settings, name, "ibsboot.ini")) else "common"}
    known = facts(os.path.join(newest, "run.ini")) if newest else {}
    row["result"] = {"1": "right", "": ""}.get(known.get("workload.check", ""), "WRONG")
    order = sorted(runs.items(), key=lambda run: run[1].changed)
    for at, (key, run) in enumerate(order):
        state, phase, begun = run.told(at == len(order) - 1 and run.changed >= when)
        # Some files of a run that was just received may still be here.
        row["cut_off"] += state == "cut off" and not os.path.isdir(os.path.join(lab.collected, name, *key))
        if at == len(order) - 1 and state != "cut off":
            row.update(state=state, phase=phase, files=run.files, bytes=run.bytes, changed=run.changed, run=key[1])
            known = begun or known
    row.update(what=" ".join(known[key] for key in ("workload", "config") if key in known), processor=known.get("machine.name", ""),
               board=" ".join(known[key] for key in ("machine.maker", "machine.product", "machine.serial") if key in known),
               plan=f"{known['plan.run']} of {known['plan.runs']}" if {"plan.run", "plan.runs"} <= known.keys() else "")
    return row


def read(lab):
    """Returns everything that the page shows, from the present files: {"time", "machines", "others", "problem"}."""
    runs, others = on_the_way(lab.uploads)
    known = leases(lab.leases)
    names = {name for name in folders(lab.collected) if MACHINE.fullmatch(name)} | runs.keys() | known.keys()
    return {"time": time.time(), "others": others, "problem": lab.problem,
            "machines": [machine(lab, name, runs.get(name, {}), known.get(name, ("", ""))) for name in sorted(names)]}
