# SPDX-License-Identifier: BSD-2-Clause
"""Rooms whose files are not compiled: ./dev and tools/ in Python and shell, and JavaScript of the pages. A defect is judged by the test programs that tests/mutate/scripts
names for its file.
"""
import math
import os
import subprocess
import threading
import time

from build import BuildError, Slots
from javascript_defects import JavascriptPlanter
from planter import ParseError
from programs import Unsound, run_program
from python_defects import PythonPlanter
from shell_defects import ShellPlanter

# The folders and files of each room.
ROOMS = {"web": ("tools/ibsprof/html/web/",), "tools": ("tools/", "dev")}
TABLE = "tests/mutate/scripts"
# What a program's first lines say of its language; the rest is known by the end of its name.
MARKS = ((b"python", "python"), (b"/bin/sh", "shell"), (b"busybox sh", "shell"), (b"shellcheck shell=", "shell"))
ENDINGS = {".c": "c", ".js": "javascript", ".py": "python", ".sh": "shell", ".bash": "shell"}
INTERPRETERS = {"python": ["/usr/bin/python3", "-B"], "javascript": ["node"], "shell": ["sh"]}
SYNTAX = {"javascript": ["node", "--check"], "shell": ["bash", "-n"]}
# A test that takes this many times as long as usual hangs: processor time and, for those that wait, seconds.
PATIENCE = 10


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
    """The trial of a defect in a script: its tests run, the shortest first, until one notices."""

    def __init__(self, shop, room):
        self.shop = shop
        self.room = room
        self.normal = {}  # test: (processor seconds, seconds) without a defect
        self.locks = {test: threading.Lock() for tests in room.tests.values() for test in tests}

    def run(self, test, tree, limits=(1200, 1200)):
        command = [*INTERPRETERS[language(tree, test)], test]
        return run_program(command, tree, limits[0], environment=dict(os.environ, TMPDIR=self.folder(tree)), wait=limits[1])

    def folder(self, tree):
        """Temporary files of one place to try defects in: what a test that was ended leaves is removed with it."""
        path = os.path.join(tree, "build", "tmp")
        os.makedirs(path, exist_ok=True)
        return path

    def measure(self, test):
        """The normal times of a test. One that fails without any defect would notice everything."""
        with self.locks[test]:
            if test not in self.normal:
                began = time.monotonic()
                verdict, spent = self.run(test, self.shop.copy)
                if verdict != "passed":
                    raise Unsound(f"{self.room.name}: {test} {verdict} without any defect")
                self.normal[test] = spent, time.monotonic() - began
        return self.normal[test]

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

    def judge(self, place, end_line, tree):
        tests = self.room.tests.get(place["file"], [])
        if not tests:
            return {"verdict": "unreached", "tests": []}
        self.parse(place["file"], tree)
        tests = sorted(tests, key=lambda test: self.measure(test)[1])
        for i, test in enumerate(tests):
            spent, seconds = self.normal[test]
            limits = math.ceil(PATIENCE * spent + 1), math.ceil(PATIENCE * seconds + 5)
            how, _ = self.run(test, tree, limits)
            if how != "passed":
                return {"verdict": "noticed", "by": test, "how": how, "tests": tests[: i + 1]}
        return {"verdict": "survived", "tests": tests}


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
