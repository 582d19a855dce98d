# SPDX-License-Identifier: BSD-2-Clause
"""The tests of script rooms one by one. A unit is "FILE#NAME": a method of a program of tests/unit/tools, the number of a test of tests/unit/web;
of any other program it is "FILE#", the whole.

What each unit runs is recorded once, without a defect: pages by V8's counts, Python by its tracing, shell by bash's `set -x`."""
import ast
import json
import os
import re
import subprocess

from build import BuildError, Slots
from planter import line_starts

INTERPRETERS = {".py": ["/usr/bin/python3", "-B"], ".js": ["node"], ".sh": ["sh"]}
RUN_PAGES = ["node", "tests/mutate/web_tests.js"]


def file_of(unit):
    return unit.split("#")[0]


def is_pages(file):
    return file.startswith("tests/unit/web/")


def is_cases(file):
    return file.startswith("tests/unit/tools/")


def names(tree, file):
    """The units of a test program."""
    with open(os.path.join(tree, file)) as source:
        text = source.read()
    if is_cases(file):
        classes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
        return [f"{file}#{one.name}.{method.name}" for one in classes for method in one.body
                if isinstance(method, ast.FunctionDef) and method.name.startswith("test_")]
    return [file + "#"]


def commands(units):
    """[(command, the units that it runs one after the other)]: pages share one process, since jsdom takes a second to begin."""
    pages = [unit for unit in units if is_pages(file_of(unit))]
    single = [([*INTERPRETERS[os.path.splitext(file_of(unit))[1]], *unit.split("#")[:1 if unit.endswith("#") else 2]], [unit])
              for unit in units if unit not in pages]
    return ([([*RUN_PAGES, "--run", *pages], pages)] if pages else []) + single


def record(tree, files, temporary):
    """{unit: (seconds, {path: [(from, to)] in bytes})} of the test programs of a room. Whatever they say of themselves does not matter here."""
    found = {}
    pages = [file for file in files if is_pages(file)]
    if pages:
        path = os.path.join(temporary, "pages.reach")
        with Slots.free:
            done = subprocess.run([*RUN_PAGES, "--reach", *pages], cwd=tree, env=dict(os.environ, REACH=path), capture_output=True, text=True,
                                  check=False)
        if done.returncode:
            raise BuildError(done.stderr[-2000:])
        with open(path) as file:
            for unit, data in json.load(file).items():
                found[unit] = data["seconds"], {path: [tuple(pair) for pair in pairs] for path, pairs in data["ranges"].items()}
    for file in files:
        if is_cases(file):
            path = os.path.join(temporary, os.path.basename(file) + ".reach")
            with Slots.free:
                subprocess.run([*INTERPRETERS[".py"], file], cwd=tree, env=dict(os.environ, REACH=path, TMPDIR=temporary),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            with open(path) as data:
                for name, (seconds, lines) in json.load(data).items():
                    found[f"{file}#{name}"] = seconds, {path: bytes_of_lines(tree, path, numbers) for path, numbers in lines.items()}
    return found


def bytes_of_lines(tree, path, numbers):
    with open(os.path.join(tree, path), "rb") as file:
        data = file.read()
    starts = line_starts(data) + [len(data)]
    return [(starts[number - 1], starts[number]) for number in numbers if number < len(starts)]


def reaches(ranges, place, starts):
    """Whether a unit that ran these bytes of the file reaches the place. Languages that record lines record the one where a statement begins."""
    if place["file"].endswith(".js"):
        # An operand that did not run is left out together with the "||" before it, but with "&&" it would have run.
        first = place["start"] - (place["kind"] == "logic")
    else:
        first = starts[min(place["statement"], place["line"]) - 1]
    return any(begin <= place["end"] and first < end for begin, end in ranges)


def shell_lines(text, files):
    """{path: lines} of what `set -x` wrote: "+@SOURCE:LINE@", where SOURCE is the script as it was called."""
    found = {}
    for source, number in set(re.findall(r"^\++@([^@\n]*):(\d+)@", text, re.M)):
        name = re.sub(r"^(\.{0,2}/)+", "", source)
        for path in files:
            if path == name or path.endswith("/" + name) or name.endswith("/" + path):
                found.setdefault(path, set()).add(int(number))
    return found
