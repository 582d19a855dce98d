# SPDX-License-Identifier: BSD-2-Clause
"""The unit tests of a tree, built as `make` builds them but with other flags, into build/mutate of that tree.

The commands are make's own (make -n), so a new file, test or flag needs no change here. All tests of a room are one program, which runs
the test that its argument names: a defect costs one compilation and one link.
Objects are cached by the hash of all their inputs.
"""
import fcntl
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

ROOMS = {
    "core": "core/",
    "drivers": "drivers/",
    "app": "app/",
    "ibsprof": "tools/ibsprof/",
    "vpmu": "vpmu/model/",
    "efi": "efi/",
    "bios": "bios/",
}
# What the tests of a room read of the image.
IMAGES = {"app": ["build/ibsboot-codemap.c", "build/ibsboot.elf"],
          "ibsprof": ["build/ibsboot-codemap.c", "build/ibsboot.elf", "build/ibsboot-run.elf", "build/tools/plan.o"],
          "bios": ["build/ibsboot.efi"]}
# plain: for all objects but the one with the defect; counted: gcov's counts of lines; checked: the flags of `make unit`.
VARIANTS = {
    "plain": [],
    "counted": ["--coverage"],
    "checked": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"],
}
# Linked with the counting programs: the counts of children that end by _exit(), too.
COUNTED = ["-Wl,--wrap=_exit", os.path.join(os.path.dirname(os.path.abspath(__file__)), "counted_exit.c")]
# Folders that no object of a unit test depends on; .c files that are included in others.
UNRELATED = {"build", "docs", "boot", "host", "linux", "fuzz", "mutate", "bench"}
INCLUDED = {"core/base/mem.c"}
# What else objects are made of: headers, assembly, the parts of a page. All other files are read by tests when they run.
PARTS = (".h", ".S", ".s", ".js", ".css", ".html")
# Prints the main() that runs one of several tests.
MAIN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "unit-main")
# Number of objects kept for later runs, the newest ones.
KEPT = 4000
DROPPED = re.compile(r"-fsanitize|-fno-sanitize|-fno-omit-frame|--coverage$|-W|-MMD$|-g1?$|-ffile-prefix-map")


def clang_flags(flags):
    """What libclang needs of the compiler's flags: the language, folders of headers, definitions."""
    pairs = [word for at, flag in enumerate(flags) if flag == "-isystem" for word in flags[at:at + 2]]
    return [flag for flag in flags if flag[:2] in ("-I", "-D", "-s") or flag == "-fshort-wchar"] + pairs


class BuildError(Exception):
    pass


class Slots:
    """Limits the number of programs (compilers, tests) that run at once, over all rooms."""

    free = threading.Semaphore(1)


def run(command, cwd, seconds=None):
    with Slots.free:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
    if done.returncode:
        raise BuildError(f"{' '.join(command)[:300]}\n{done.stdout[-3000:]}")
    return done.stdout


def digest(*parts):
    value = hashlib.sha256()
    for part in parts:
        value.update(part if isinstance(part, bytes) else str(part).encode())
        value.update(b"\0")
    return value.hexdigest()[:24]


def copy_tree(tree, to):
    """Copies the files of a tree without its build folder; files of an earlier copy are removed."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(tree, to, symlinks=True, ignore=lambda at, names: {".git", "build"} & set(names) if at == tree else ())
    os.makedirs(os.path.join(to, "build"), exist_ok=True)
    for path in glob.glob(os.path.join(tree, "build", "ibsboot*")):
        if os.path.isfile(path) and path.endswith((".elf", ".c", ".text", ".efi")):
            shutil.copy2(path, os.path.join(to, "build"))


class Room:
    """One room by make's commands: test programs, the objects that they share, how each object is compiled."""

    def __init__(self, name, commands, links, tree):
        self.name = name
        self.tests = {}  # program: its own source
        self.sources = []  # of the objects that all share
        self.flags = {}
        self.libraries = []
        for words in links:
            objects = [word for word in words if word.endswith(".o") and word in commands]
            made = [os.path.join(tree, word) for word in words if word in IMAGES.get(name, []) and word.endswith(".o")]
            self.libraries = made + [word for word in words if word.startswith("-l")]
            for output in objects:
                source, flags = commands[output]
                self.flags[source] = flags
                if source.startswith(f"tests/unit/{name}/") and os.path.basename(source).startswith("test_"):
                    self.tests[os.path.basename(source)[:-2]] = source
                elif source not in self.sources:
                    self.sources.append(source)
        self.programs = sorted(self.tests)
        self.mutable = sorted(s for s in self.sources if s.startswith(ROOMS[name]))


def read_rooms(tree, names):
    """Asks make for the commands of the rooms' unit tests."""
    needed = sorted({image for name in names for image in IMAGES.get(name, [])})
    if needed:
        run(["make", "-j2"] + needed, tree)
    commands, links = {}, {name: [] for name in names}
    for line in run(["make", "-n", "-B"] + [f"unit-{name}" for name in names], tree).splitlines():
        if " -o build/unit/" not in line:
            continue
        words = shlex.split(line)
        output = words[words.index("-o") + 1]
        if "-c" in words:
            flags = [w for w in words[1 : words.index("-c")] if not DROPPED.match(w)]
            commands[output] = (words[words.index("-c") + 1], flags)
        else:
            room = output.split("/")[2]
            if room in links:
                links[room].append(words)
    for name in names:
        if not links[name]:
            raise BuildError(f"make names no test program of the room {name}")
    return {name: Room(name, commands, links[name], tree) for name in names}


class Workshop:
    """build/mutate of a tree: a copy of its sources, and objects and programs made from them."""

    def __init__(self, tree, jobs):
        self.tree = tree
        self.jobs = jobs
        self.lock, self.host = threading.Lock(), None
        Slots.free = threading.Semaphore(jobs)
        self.home = os.path.join(tree, "build", "mutate")
        self.copy = os.path.join(self.home, "tree")
        os.makedirs(os.path.join(self.home, "objects"), exist_ok=True)
        copy_tree(tree, self.copy)
        self.around = self.hash_files(lambda path: path.endswith(PARTS) or path in INCLUDED)
        self.data = self.hash_files(lambda path: not path.endswith((".c", *PARTS)))

    def hash_files(self, wanted):
        """Hash of the files whose paths are wanted, without those of unrelated folders."""
        parts = []
        for at, folders, files in os.walk(self.copy):
            folders[:] = sorted(set(folders) - UNRELATED)
            for name in sorted(files):
                path = os.path.relpath(os.path.join(at, name), self.copy)
                if "/" in path and wanted(path):
                    with open(os.path.join(at, name), "rb") as file:
                        parts += [path, file.read()]
        return digest(*parts)

    def hash_images(self):
        """Hash of the files of build/ that tests read."""
        images = sorted(path for path in glob.glob(os.path.join(self.copy, "build", "*")) if os.path.isfile(path))
        return digest(*[part for path in images for part in (path, open(path, "rb").read())])

    def key(self, room, source, variant):
        with open(os.path.join(self.copy, source), "rb") as file:
            return digest(self.around, variant, source, *room.flags[source], file.read())

    def compile_command(self, room, source, variant, output):
        # test_object of ibsprof reads the debug information of test programs.
        debug = ["-g"] if source in room.tests.values() else []
        return ["cc", *room.flags[source], "-w", *debug, *VARIANTS[variant], "-c", source, "-o", output]

    def made_by_make(self):
        """{source: object} of core/, which every room is linked with, as make built it for the programs of the host; {} where one is old. The
        long tests of the Makefile are linked from the same objects."""
        with self.lock:
            if self.host is None:
                host = os.path.join(self.tree, "build", "host")
                objects = sorted(glob.glob(os.path.join(host, "core", "**", "*.o"), recursive=True))
                made = {os.path.relpath(path, host)[:-2] + ".c": path for path in objects}
                made = {source: path for source, path in made.items() if os.path.exists(os.path.join(self.tree, source))}
                names = [os.path.relpath(path, self.tree) for path in made.values()]
                current = made and subprocess.run(["make", "-q", *names], cwd=self.tree, capture_output=True, check=False).returncode == 0
                self.host = made if current else {}
        return self.host

    def object(self, room, source, variant):
        """The path of a source's object; it is compiled if missing."""
        if variant == "counted" and source not in room.mutable:
            variant = "plain"
        if variant == "plain" and source not in room.mutable and source in self.made_by_make():
            return self.made_by_make()[source]
        key = self.key(room, source, variant)
        output = os.path.join(self.home, "objects", key, os.path.basename(source)[:-2] + ".o")
        os.makedirs(os.path.dirname(output), exist_ok=True)
        # Rooms are built at the same time, and share sources.
        with open(output + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.path.exists(output):
                os.utime(os.path.dirname(output))
            else:
                self.make_object(room, source, variant, output)
        return output

    def make_object(self, room, source, variant, output):
        made = output[:-2] + ".new.o"
        run(self.compile_command(room, source, variant, made), self.copy)
        if variant == "counted":
            os.rename(made[:-2] + ".gcno", output[:-2] + ".gcno")
        os.rename(made, output)

    def objects(self, room, variant):
        sources = room.sources + sorted(room.tests.values())
        with ThreadPoolExecutor(self.jobs) as pool:
            made = list(pool.map(lambda source: self.object(room, source, variant), sources))
        return dict(zip(sources, made)) | {"": self.dispatcher(room)}

    def dispatcher(self, room):
        """The main program: runs the test program of the given name."""
        source = os.path.join(self.home, f"run-{room.name}.c")
        with open(source, "w") as file:
            file.write(run([MAIN, *room.programs], self.home))
        run(["cc", "-w", "-c", source, "-o", source[:-2] + ".o"], self.home)
        return source[:-2] + ".o"

    def link(self, room, objects, variant, output):
        more = COUNTED if variant == "counted" else []
        run(["cc", *VARIANTS[variant], "-fuse-ld=gold", *more, *objects, "-o", output, "-lcmocka", *room.libraries], self.home)

    def clean(self):
        """Keeps the most recently used objects."""
        folders = [entry.path for entry in os.scandir(os.path.join(self.home, "objects"))]
        for path in sorted(folders, key=os.path.getmtime, reverse=True)[KEPT:]:
            shutil.rmtree(path)
