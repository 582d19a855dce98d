# SPDX-License-Identifier: BSD-2-Clause
"""For the tests of tools/ and ./dev: runs a program, with commands of the test's own, and compares what it did with a kept text."""
import contextlib
import io
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
REACH = os.environ.get("REACH")  # of ./dev mutate: a file for {test: [seconds, {path: lines}]}, the lines that each test runs
reached, known = {}, {}
if REACH:
    sys.path.append(os.path.join(ROOT, "tests", "mutate"))
    import units
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


def python(path, *words, stdin=""):
    """(status, output) of a Python program of the project, run in this process."""
    output, saved = io.StringIO(), (sys.argv, sys.stdin, list(sys.path))
    if REACH:
        sys.settrace(note_line)
    sys.argv, sys.stdin = [path, *words], io.StringIO(stdin)
    try:
        with contextlib.redirect_stdout(output):
            runpy.run_path(os.path.join(ROOT, path), run_name="__main__")
        status = 0
    except SystemExit as end:
        status = 1 if isinstance(end.code, str) else int(end.code or 0)
        if isinstance(end.code, str):
            print(end.code, file=output)
    finally:
        sys.settrace(None)
        sys.argv, sys.stdin, sys.path[:] = saved
    return status, output.getvalue()


def note_line(frame, event, argument):
    """For sys.settrace(): the lines of the project's own programs."""
    path = os.path.relpath(frame.f_code.co_filename, ROOT)
    if not path.startswith("tools/"):
        return None
    reached.setdefault(path, set()).add(frame.f_lineno)
    return note_line


def write(path, text="", mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(text, bytes) else "w") as file:
        file.write(text)
    os.chmod(path, mode)


def read(path):
    with open(path, errors="replace") as file:
        return file.read()


class Case(unittest.TestCase):
    """A test with a folder of its own, self.folder."""

    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if REACH:
            reached.clear()
            self.addCleanup(self.note_reach, sum(os.times()[:4]))

    def note_reach(self, began):
        """What this test ran, in the file of all."""
        lines = {path: sorted(numbers) for path, numbers in reached.items()}
        if os.path.exists(self.path("trace")):
            for path, numbers in units.shell_lines(read(self.path("trace")), self.FILES).items():
                lines[path] = sorted(numbers | set(lines.get(path, ())))
        with contextlib.suppress(FileNotFoundError), open(REACH) as file:
            known.update(json.load(file))
        known[self.id().split(".", 1)[1]] = sum(os.times()[:4]) - began, lines
        write(REACH, json.dumps(known))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def kept(self, name, text):
        """Compares with golden/NAME; REBASE=1 writes that file."""
        text = text.replace(self.folder, "FOLDER").replace(ROOT, "ROOT")
        path = os.path.join(GOLDEN, name)
        if os.environ.get("REBASE"):
            write(path, text)
        self.assertEqual(text.splitlines(), read(path).splitlines())


class Shell(Case):
    """A test of a shell program, copied with what it needs into self.folder/tree. Commands of self.folder/bin come before the machine's;
    each call of one of them is a line of self.folder/calls."""

    FILES = ()

    def setUp(self):
        super().setUp()
        self.environment = {"PATH": f"{self.path('bin')}:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.folder, "TMPDIR": self.folder,
                            "LC_ALL": "C.UTF-8", "CALLS": self.path("calls")}
        os.makedirs(self.path("bin"))
        # Whatever is wrong with a program, here it installs nothing, and ends nothing.
        self.commands("apt-get", "apt-cache", "dpkg-deb", "sudo", "poweroff", "mount")
        for name in self.FILES:
            target = self.path("tree", name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), target)
            if REACH:
                self.trace(target)
        write(self.path("calls"))

    def trace(self, program):
        """Makes a shell program write the lines that it runs to self.folder/trace, by bash, which can do that beside its output. The second line is
        the licence's, of what is sourced the first, so that no line gets another number."""
        lines = read(program).split("\n")
        if lines[0] == "#!/bin/sh":
            lines[0] = "#!/bin/bash"
        licence = next((at for at in (0, 1) if lines[at].startswith("# SPDX")), None)
        if licence is not None:
            lines[licence] = (f"if [ -n \"${{BASH_VERSION:-}}\" ]; then exec {{BASH_XTRACEFD}}>>{self.path('trace')}; "
                              "PS4='+@${BASH_SOURCE[0]}:$LINENO@ '; set -x; fi")
            write(program, "\n".join(lines), os.stat(program).st_mode & 0o777)

    def command(self, name, body="", at="bin"):
        """A command that notes its words and then does `body`."""
        # In one write, as two commands may run at the same time.
        write(self.path(at, name), f'#!/bin/sh\nprintf "%s\\n" "$(printf "%s" "{os.path.basename(name)}"\n    for word; do printf " <%s>" "$word"; done)" '
              f'>>"$CALLS"\n{body}\n', 0o755)

    def commands(self, *names):
        for name in names:
            self.command(name)

    def file(self, name, text="", mode=0o644):
        write(self.path("tree", name), text, mode)

    def run_it(self, *words, stdin="", **environment):
        """Runs a program of the tree; self.status, self.output (both streams), self.calls."""
        write(self.path("calls"))
        started = ("bash", *words[1:]) if REACH and words[0] == "sh" else words  # which notes what of a file that it reads is run
        # Into a file: what a program leaves running would keep a pipe open.
        with open(self.path("output"), "w") as output:
            done = subprocess.run(started, cwd=self.path("tree"), env={**self.environment, **environment}, input=stdin, text=True, stdout=output,
                                  stderr=output, check=False)
        self.status, self.output, self.calls = done.returncode, read(self.path("output")), read(self.path("calls"))
        return f"$ {' '.join(words)}\n{self.output}status {self.status}\n{self.calls}"


def main():
    """Runs the tests of the program, or those that are named; the last line is "N passed, N failed"."""
    loader, module = unittest.defaultTestLoader, sys.modules["__main__"]
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2)
    result = runner.run(loader.loadTestsFromNames(sys.argv[1:], module) if sys.argv[1:] else loader.loadTestsFromModule(module))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
