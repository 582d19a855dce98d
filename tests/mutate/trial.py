# SPDX-License-Identifier: BSD-2-Clause
"""One defect: planted in a copy of the tree; in C it is compiled, linked, and the tests that reach it run until one notices."""
import filecmp
import math
import os
import queue
import subprocess

from build import BuildError, copy_tree, run
from programs import Reach, run_program

# A test that takes this many times its normal processor time, plus a second, hangs. Sanitizers in one object, even that
# with the inner loop, slow a test down less.
PATIENCE = 10
# A test program that takes longer does not run again with sanitizers: a survivor of the model would take a minute more, and
# what a sanitizer sees is seen by the short ones that reach the place.
SANITIZED_SECONDS = 2


class Bench:
    """Places to try defects in, as many as jobs: each has a copy of the tree of its own."""

    def __init__(self, shop):
        self.shop = shop
        self.free = queue.Queue()
        for number in range(shop.jobs):
            copy = os.path.join(shop.home, f"job-{number}")
            copy_tree(shop.tree, copy)
            self.free.put(copy)

    def try_one(self, trial, place, text):
        """{"verdict": ..., "by": the test that noticed, "how": ..., "tests": those that ran}. trial: of the room.

        Verdicts: "noticed", "survived", "unreached"; "invalid" (does not compile), "identical" (the same object).
        """
        copy = self.free.get()
        path = os.path.join(copy, place["file"])
        with open(path, "rb") as file:
            original = file.read()
        try:
            with open(path, "wb") as file:
                file.write(original[: place["start"]] + text.encode() + original[place["end"] :])
            return trial.judge(place, original.count(b"\n", 0, place["end"]) + 1, copy)
        except (BuildError, subprocess.TimeoutExpired):
            return {"verdict": "invalid"}
        finally:
            with open(path, "wb") as file:
                file.write(original)
            self.free.put(copy)


class CompiledTrial:
    """The trial of a defect in C: its object is compiled, the room's tests are linked, and those that reach the place run.

    sanitizers: the object with the defect is compiled with ASan and UBSan. The other objects are not: that would take
    four times as long, and seldom notices a defect.
    """

    def __init__(self, shop, room, sanitizers):
        self.shop = shop
        self.room = room
        self.reach = Reach(shop, room)
        self.variant = "checked" if sanitizers else "plain"

    def compile(self, source, variant, copy):
        output = f"{copy}-{variant}.o"
        run(self.shop.compile_command(self.room, source, variant, output), copy, 60)
        return output

    def run_again(self, tests):
        """Those of the programs that run with sanitizers, too."""
        return [test for test in tests if self.reach.seconds[test] <= SANITIZED_SECONDS]

    def judge(self, place, end_line, copy):
        source, reach = place["file"], self.reach
        objects = dict(reach.objects("plain"))
        made = self.compile(source, "plain", copy)
        if filecmp.cmp(made, objects[source], shallow=False):
            return {"verdict": "identical"}
        tests = reach.tests_of(place, end_line)
        if not tests:
            return {"verdict": "unreached", "tests": []}
        # Without sanitizers first: nine in ten defects are noticed so, in half of the time.
        for variant in dict.fromkeys(("plain", self.variant)):
            objects[source] = made if variant == "plain" else self.compile(source, self.variant, copy)
            self.shop.link(self.room, objects.values(), variant, copy + ".run")
            programs = tests if variant == "plain" else self.run_again(tests)
            for i, test in enumerate(programs):
                how, _ = run_program([copy + ".run", test], copy, math.ceil(PATIENCE * reach.seconds[test] + 1))
                if how != "passed":
                    reach.refuse_unsound(test)
                    reach.note(test, source)
                    return {"verdict": "noticed", "by": test, "how": how, "tests": programs[: i + 1]}
        return {"verdict": "survived", "tests": tests}
