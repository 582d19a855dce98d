# SPDX-License-Identifier: BSD-2-Clause
"""Rooms whose files are not compiled: ./dev and tools/ in Python and shell, and JavaScript of the pages. A defect is judged by the test programs that tests/mutate/scripts
names for its file.
"""
import math
import os
import subprocess
import threading

import units
from build import BuildError, Slots
from javascript_defects import JavascriptPlanter
from planter import ParseError, line_starts
from programs import Unsound, run_program
from python_defects import PythonPlanter
from shell_defects import ShellPlanter

# The folders and files of each room.
ROOMS = {"web": ("tools/ibsprof/html/web/",), "tools": ("tools/", "dev")}
TABLE = "tests/mutate/scripts"
# What a program's first lines say of its language; the rest is known by the end of its name.
MARKS = ((b"python", "python"), (b"/bin/sh", "shell"), (b"busybox sh", "shell"), (b"shellcheck shell=", "shell"))
ENDINGS = {".c": "c", ".js": "javascript", ".py": "python", ".sh": "shell", ".bash": "shell"}
SYNTAX = {"javascript": ["node", "--check"], "shell": ["bash", "-n"]}
# A unit that takes this many times as long as usual hangs: processor time and, for those that wait, seconds. What is usual is not known before one
# has passed: seconds that hardly any takes.
PATIENCE, SLOWEST = 10, 3
# From so many defects on it is recorded which units of tests/unit/tools reach each line; of the pages always, in one go.
WORTH_RECORDING = 20


def language(tree, path):
    """"c", "python", "javascript", "shell" or None."""
    ending = ENDINGS.get(os.path.splitext(path)[1])
    if ending:
        return ending
    with open(os.path.join(tree, path), "rb") as file:
        head = b"\n".join(file.read(2000).split(b"\n")[:6])
    return next((name for mark, name in MARKS if mark in head), None)


def read_table(tree):
    """{file: its test programs} of tests/mutate/scripts."""
    tests = {}
    try:
        with open(os.path.join(tree, TABLE)) as file:
            for line in file:
                words = line.split("#")[0].split()
                if words:
                    tests[words[0]] = words[1:]
    except FileNotFoundError:
        pass
    for path, programs in tests.items():
        gone = [one for one in (path, *programs) if not os.path.exists(os.path.join(tree, one))]
        if gone or not programs:
            raise BuildError(f"{TABLE}: {path}: " + (f"there is no {gone[0]}" if gone else "no test"))
    return tests


class ScriptRoom:
    """One room: its files, and the test programs of each."""

    def __init__(self, tree, name):
        self.name = name
        self.tests = read_table(tree)
        self.mutable = []
        for start in ROOMS[name]:
            at = os.path.join(tree, start)
            if os.path.isfile(at):
                self.mutable.append(start)
            for folder, _, files in os.walk(at):
                paths = [os.path.relpath(os.path.join(folder, file), tree) for file in files]
                self.mutable += [path for path in paths if self.has(tree, path)]
        self.mutable.sort()

    def has(self, tree, path):
        """Whether a file belongs to this room."""
        return language(tree, path) in (("javascript",) if self.name == "web" else ("python", "shell"))


class ScriptTrial:
    """The trial of a defect in a script: the units that reach it run, until one notices. count: the defects that will be tried.

    What each unit reaches is recorded where that pays: it takes as long as the trials of a dozen defects."""

    def __init__(self, shop, room, count):
        self.shop = shop
        self.room = room
        self.lock = threading.Lock()
        files = sorted({test for file in room.mutable for test in room.tests.get(file, [])})
        recorded = count > WORTH_RECORDING or any(map(units.is_pages, files))
        self.reach = units.record(shop.copy, files, self.folder(shop.copy)) if recorded else {}
        self.seconds = {unit: seconds for unit, (seconds, _) in self.reach.items()}
        self.sound = set()
        self.noticed = {}  # (file, unit): defects

    def folder(self, tree):
        """Temporary files of one place to try defects in: what a test that was ended leaves is removed with it."""
        path = os.path.join(tree, "build", "tmp")
        os.makedirs(path, exist_ok=True)
        return path

    def run(self, command, tree, limits=(1200, 1200)):
        """(verdict, processor seconds, units of it that passed)."""
        passed = os.path.join(self.folder(tree), "passed")
        with open(passed, "w"):
            pass
        environment = dict(os.environ, TMPDIR=self.folder(tree), PASSED=passed)
        how, spent = run_program(command, tree, limits[0], environment=environment, wait=limits[1])
        with open(passed) as file:
            return how, spent, [line.split() for line in file]

    def refuse_unsound(self, unit):
        """A test that fails without any defect would notice everything."""
        with self.lock:
            if unit not in self.sound:
                verdict, _, _ = self.run(units.commands([unit])[0][0], self.shop.copy)
                if verdict != "passed":
                    raise Unsound(f"{self.room.name}: {unit.rstrip('#')} {verdict} without any defect")
                self.sound.add(unit)

    def parse(self, path, tree):
        """Raises BuildError where the language's own reader refuses the file."""
        kind = language(tree, path)
        if kind == "python":
            with open(os.path.join(tree, path), "rb") as file:
                try:
                    compile(file.read(), path, "exec")
                except SyntaxError as error:
                    raise BuildError(str(error)) from None
            return
        with Slots.free:
            if subprocess.run([*SYNTAX[kind], path], cwd=tree, capture_output=True, check=False).returncode:
                raise BuildError(path)

    def units_of(self, place):
        """Those that reach the place, the cheapest first, with those that noticed other defects of the file; pages in the order of their files."""
        path = place["file"]
        files = self.room.tests.get(path, [])
        found = [unit for unit in self.reach if units.file_of(unit) in files]
        if any(path in ranges for _, ranges in self.reach.values()):
            with open(os.path.join(self.shop.copy, path), "rb") as file:
                starts = line_starts(file.read())
            found = [unit for unit in found if units.reaches(self.reach[unit][1].get(path, []), place, starts)]
        else:
            found = [unit for file in files for unit in units.names(self.shop.copy, file)]
        cost = {unit: self.seconds.get(unit, 1) / (1 + self.noticed.get((path, unit), 0)) for unit in found}
        least = {file: min((cost[unit] for unit in found if units.file_of(unit) == file), default=0) for file in files}
        return sorted(found, key=lambda unit: (least[units.file_of(unit)],) if units.is_pages(unit) else (0, cost[unit]))

    def judge(self, place, end_line, tree):
        left = self.units_of(place)
        if not left:
            return {"verdict": "unreached", "tests": []}
        self.parse(place["file"], tree)
        ran = []
        for command, together in units.commands(left):
            expected = sum(self.seconds.get(unit, SLOWEST) for unit in together)
            how, spent, passed = self.run(command, tree, (math.ceil(PATIENCE * expected + 2), math.ceil(PATIENCE * expected + 20)))
            for unit, seconds in passed:
                self.seconds.setdefault(unit, float(seconds))
            if how == "passed":
                self.seconds.setdefault(together[0], spent)
                ran += together
                continue
            by = together[min(len(passed), len(together) - 1)]
            self.refuse_unsound(by)
            with self.lock:
                self.noticed[place["file"], by] = self.noticed.get((place["file"], by), 0) + 1
            return {"verdict": "noticed", "by": by.rstrip("#"), "how": how, "tests": [unit.rstrip("#") for unit in ran + together[: len(passed) + 1]]}
        return {"verdict": "survived", "tests": [unit.rstrip("#") for unit in ran]}


def places(tree, path):
    """Every place of a script."""
    kind = language(tree, path)
    if kind == "javascript":
        return JavascriptPlanter(tree, path).find()
    with open(os.path.join(tree, path), "rb") as file:
        data = file.read()
    if kind == "python":
        return PythonPlanter(path, data).find()
    if kind == "shell":
        return ShellPlanter(path, data).find()
    raise ParseError(f"{path}: in no language that defects are known for")
