# SPDX-License-Identifier: BSD-2-Clause
"""Runs test programs under limits, and finds which lines each of them reaches."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from build import Slots, digest, run


# Of a child: no core files, and no more than 512 MB in a file: a defect may write for ever, and tests of bios/ make volumes of 300 MB.
LIMITS = ["prlimit", "--core=0", f"--fsize={1 << 29}"]


def run_program(command, cwd, seconds, environment=None, wait=None, output=subprocess.DEVNULL):
    """(verdict, processor seconds): "passed", "failed", "crashed" or "timed out".

    The limit is processor time, so a busy machine does not look like a hang; a program that waits for ever is ended after `wait`
    seconds, or 15 times the limit. The first check that fails ends the program: cmocka then calls abort(), so that is "failed".
    """
    environment = dict(environment or os.environ, CMOCKA_TEST_ABORT="1")
    with Slots.free:
        child = subprocess.Popen(
            [*LIMITS, f"--cpu={seconds}:{seconds + 1}", *command], cwd=cwd, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=output, stderr=output,
        )
        late = threading.Timer(wait or 15 * seconds, os.killpg, (child.pid, signal.SIGKILL))
        late.start()
        _, status, usage = os.wait4(child.pid, 0)
        late.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    try:
        os.killpg(child.pid, signal.SIGKILL)  # what it started
    except ProcessLookupError:
        pass
    spent = usage.ru_utime + usage.ru_stime
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timed out", spent
    crashed = child.returncode < 0 and child.returncode != -signal.SIGABRT
    return ("passed" if child.returncode == 0 else "crashed" if crashed else "failed"), spent


class Unsound(Exception):
    pass


def run_sound(room, program, command, cwd, environment=None):
    """Runs a test of a tree without any defect. Returns its processor seconds; Unsound, with its last lines, if it does not pass."""
    with tempfile.TemporaryFile() as output:
        verdict, seconds = run_program(command, cwd, 1200, environment, output=output)
        if verdict != "passed":
            output.seek(0)
            last = output.read().decode(errors="replace").splitlines()[-12:]
            raise Unsound("\n".join([f"{room}: {program} {verdict} without any defect", *last]))
    return seconds


class Reach:
    """Of one room: normal times of the test programs (with gcov's counting), and the lines of its sources that each runs."""

    def __init__(self, shop, room):
        self.shop = shop
        self.room = room
        self.made = {}
        self.lock, self.checking = threading.Lock(), threading.Lock()
        self.linked, self.sound = set(), set()
        self.seconds = {}
        self.noticed = {}  # source: {program: number of defects in it that the program noticed}
        self.lines = {}  # source: {line: set of programs}
        self.recorded = {}  # source: the lines that have code at all
        folder = os.path.join(shop.home, "reach")
        os.makedirs(folder, exist_ok=True)
        keys = {source: shop.key(room, source, "plain") for source in room.flags}
        shared = digest(shop.hash_images(), shop.data, *sorted(keys[s] for s in room.sources))
        missing = []
        found = {}
        for program in room.programs:
            path = os.path.join(folder, f"{room.name}-{program}.json")
            key = digest(shared, keys[room.tests[program]])
            kept = self.read(path)
            if kept and kept["key"] == key:
                found[program] = kept
            else:
                missing.append((program, path, key))
        if missing:
            self.measure(missing, found)
        for program, data in found.items():
            self.seconds[program] = data["seconds"]
            for source, lines in data["lines"].items():
                for number, count in lines:
                    self.recorded.setdefault(source, set()).add(number)
                    if count:
                        self.lines.setdefault(source, {}).setdefault(number, set()).add(program)

    def objects(self, variant):
        with self.lock:
            if variant not in self.made:
                self.made[variant] = self.shop.objects(self.room, variant)
            return self.made[variant]

    @staticmethod
    def read(path):
        try:
            with open(path) as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def program(self, variant):
        """The room's tests without a defect."""
        path = os.path.join(self.shop.home, f"{self.room.name}-{variant}")
        objects = self.objects(variant)
        with self.lock:
            if variant not in self.linked:
                self.shop.link(self.room, objects.values(), variant, path)
                self.linked.add(variant)
        return path

    def measure(self, missing, found):
        def one(job):
            program, path, key = job
            lines, seconds = self.count(program)
            data = {"key": key, "seconds": round(seconds, 3), "lines": lines}
            self.sound.add(program)
            with open(path, "w") as file:
                json.dump(data, file)
            found[program] = data

        with ThreadPoolExecutor(self.shop.jobs) as pool:
            list(pool.map(one, missing))

    def refuse_unsound(self, program):
        """A test that fails without any defect notices nothing: run for tests that fail with a defect. One at a time: the copy that
        has no defect is one for all jobs, and a test that runs there twice at once finds the files of the other run."""
        with self.checking:
            if program not in self.sound:
                run_sound(self.room.name, program, [self.program("plain"), program], self.shop.copy)
                self.sound.add(program)

    def count(self, program):
        """({source: [(line, whether it ran)]} of one test program from gcov's counts, processor seconds). Counts of two threads may get
        lost, and be negative; they are not 0 then."""
        objects, binary = self.objects("counted"), self.program("counted")
        prefix = os.path.join(self.shop.home, "counts", f"{self.room.name}-{program}")
        shutil.rmtree(prefix, ignore_errors=True)
        os.makedirs(prefix)
        environment = dict(os.environ, GCOV_PREFIX=prefix)
        seconds = run_sound(self.room.name, program, [binary, program], self.shop.copy, environment)
        data = []
        for source in self.room.mutable:
            made = objects[source][:-2]
            # gcc names the counts after the object as it was called when it was compiled.
            counts = prefix + made + ".new.gcda"
            if os.path.exists(counts):
                shutil.copy(made + ".gcno", counts[:-5] + ".gcno")
                data.append(counts)
        lines = {}
        if data:
            for line in run(["gcov", "--json-format", "--stdout", *data], prefix).splitlines():
                for file in json.loads(line)["files"]:
                    if file["file"] in self.room.mutable:
                        lines[file["file"]] = [(one["line_number"], int(one["count"] != 0)) for one in file["lines"]]
        shutil.rmtree(prefix)
        return lines, seconds

    def tests_of(self, place, end_line):
        """The programs that reach a place: first the short ones, and those that noticed many defects of the file so far."""
        by_line = self.lines.get(place["file"], {})
        recorded = self.recorded.get(place["file"], set())
        programs = set()
        if place["table"]:
            # Reads of tables are not counted: every program, those that run the file's code first.
            near = set().union(*by_line.values()) if by_line else set()
            rest = [p for p in self.room.programs if p not in near]
            return self.in_order(near, place["file"]) + self.in_order(rest, place["file"])
        if place["through"] in recorded:
            programs = by_line.get(place["through"], set())
        else:
            around = [n for n in range(place["statement"], end_line + 1) if n in recorded]
            before = [n for n in recorded if n < place["line"]]
            for number in around or ([max(before)] if before else []):
                programs = programs | by_line.get(number, set())
        return self.in_order(programs, place["file"])

    def in_order(self, programs, file):
        noticed = self.noticed.get(file, {})
        return sorted(programs, key=lambda program: self.seconds[program] / (1 + noticed.get(program, 0)))

    def note(self, program, file):
        noticed = self.noticed.setdefault(file, {})
        noticed[program] = noticed.get(program, 0) + 1
