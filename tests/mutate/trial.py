"""One defect: planted in a copy of the tree, compiled, linked, and the tests that reach it run until one notices."""
import filecmp
import math
import os
import queue
import subprocess

from build import BuildError, copy_tree
from programs import run_program

# A test that takes longer than this many times its normal time, plus a second, hangs.
PATIENCE = 5


class Bench:
    """Places to try defects in, as many as jobs: each has a copy of the tree of its own."""

    def __init__(self, shop):
        self.shop = shop
        self.free = queue.Queue()
        for number in range(shop.jobs):
            copy = os.path.join(shop.home, f"job-{number}")
            copy_tree(shop.tree, copy)
            self.free.put(copy)

    def try_one(self, room, reach, variant, place, text):
        """{"verdict": ..., "by": the test that noticed, "how": ..., "tests": those that ran}.

        Verdicts: "noticed", "survived", "unreached"; "invalid" (does not compile), "identical" (the same object).
        """
        copy = self.free.get()
        path = os.path.join(copy, place["file"])
        with open(path, "rb") as file:
            original = file.read()
        try:
            with open(path, "wb") as file:
                file.write(original[: place["start"]] + text.encode() + original[place["end"] :])
            return self.judge(room, reach, variant, place, copy, original)
        finally:
            with open(path, "wb") as file:
                file.write(original)
            self.free.put(copy)

    def judge(self, room, reach, variant, place, copy, original):
        made = copy + ".o"
        objects = dict(reach.objects(variant))
        command = self.shop.compile_command(room, place["file"], variant, made)
        # A defect may keep the compiler busy (a loop that it unrolls).
        try:
            done = subprocess.run(command, cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        except subprocess.TimeoutExpired:
            return {"verdict": "invalid"}
        if done.returncode:
            return {"verdict": "invalid"}
        if filecmp.cmp(made, objects[place["file"]], shallow=False):
            return {"verdict": "identical"}
        end = original.count(b"\n", 0, place["end"]) + 1
        tests = reach.tests_of(place, end)
        if not tests:
            return {"verdict": "unreached", "tests": []}
        objects[place["file"]] = made
        program = copy + ".run"
        try:
            self.shop.link(room, objects.values(), variant, program)
        except BuildError:
            return {"verdict": "invalid"}
        # Sanitizers make a test up to ten times as slow.
        slower = 10 if variant == "checked" else 1
        for i, test in enumerate(tests):
            seconds = math.ceil(PATIENCE * slower * reach.seconds[test] + 1)
            how, _ = run_program(program, test, copy, seconds)
            if how != "passed":
                return {"verdict": "noticed", "by": test, "how": how, "tests": tests[: i + 1]}
        return {"verdict": "survived", "tests": tests}
