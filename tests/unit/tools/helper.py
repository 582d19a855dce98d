# SPDX-License-Identifier: BSD-2-Clause
"""For the tests of tools/ and ./dev: runs a program in Python, and compares what it did with a kept text."""
import contextlib
import io
import os
import runpy
import shutil
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")


def python(path, *words, stdin=""):
    """(status, output) of a Python program of the project, run in this process."""
    output, saved = io.StringIO(), (sys.argv, sys.stdin, list(sys.path))
    sys.argv, sys.stdin = [path, *words], io.StringIO(stdin)
    try:
        with contextlib.redirect_stdout(output):
            runpy.run_path(os.path.join(ROOT, path), run_name="__main__")
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    finally:
        sys.argv, sys.stdin, sys.path[:] = saved
    return status, output.getvalue()


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

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def kept(self, name, text):
        """Compares with golden/NAME; REBASE=1 writes that file."""
        text = text.replace(self.folder, "FOLDER").replace(ROOT, "ROOT")
        path = os.path.join(GOLDEN, name)
        if os.environ.get("REBASE"):
            write(path, text)
        self.assertEqual(text.splitlines(), read(path).splitlines())


def main():
    """Runs the tests of the program; the last line is "N passed, N failed". ./dev mutate asks to end at the first failure."""
    stop = "CMOCKA_TEST_ABORT" in os.environ
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, failfast=stop)
    result = runner.run(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
