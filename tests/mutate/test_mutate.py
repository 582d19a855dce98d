#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of ./dev mutate on made-up C, and those on scripts (test_scripts.py): run by tests/host/project/mutate.sh. The last line is "N passed, N failed"."""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
import build
import choose
import defects
import made_tree
import rooms
import since
import trial

HEAD = """\
#include <stdbool.h>
#define LIMIT 7
#define TWICE(x) ((x) * 2)
enum colour { RED, GREEN, BLUE };
int take(int a, int b);
int strcmp(const char *a, const char *b);
void *calloc(unsigned long count, unsigned long size);
int other(const char *text, int a, bool yes);
int least(int a, int b);
int say(const char *format, const char *text);
int stats_mul_div(int a, int b, int c);
"""

# A statement of a function, and every defect of the line as (kind, text before, text after).
STATEMENTS = [
    ("x = a < b;", {("relation", "<", "<="), ("relation", "<", ">="), ("dropped", "x = a < b", "")}),
    ("x = a == b;", {("relation", "==", "!="), ("dropped", "x = a == b", "")}),
    ("x += a;", {("arithmetic", "+=", "-="), ("dropped", "x += a", "")}),
    ("x = a * 10;", {("arithmetic", "*", "/"), ("constant", "10", "11"), ("constant", "10", "9"), ("dropped", "x = a * 10", "")}),
    ("x = 0u;", {("constant", "0u", "1u"), ("dropped", "x = 0u", "")}),
    ("x = a & 0x06;", {("bits", "&", "|"), ("mask", "0x06", "0x4"), ("mask", "0x06", "0xe"), ("dropped", "x = a & 0x06", "")}),
    ("x = a << (4);", {("bits", "<<", ">>"), ("mask", "4", "5"), ("mask", "4", "3"), ("dropped", "x = a << (4)", "")}),
    ("if (a && b) x++;", {("logic", "&&", "||"), ("negated", "a && b", "!(a && b)"), ("arithmetic", "++", "--"),
                          ("dropped", "x++", "")}),
    ("if (!a) return b;", {("negated", "!", ""), ("jump", "return b", "")}),
    ("while (a) { take(a, b); }", {("negated", "a", "!(a)"), ("swapped", "a, b", "b, a"), ("dropped", "take(a, b)", ""),
                                   ("jump", "", " break;")}),
    ("for (;;) { if (a) break; else continue; }", {("negated", "a", "!(a)"), ("jump", "break", ""), ("jump", "continue", ""),
                                                   ("jump", "continue", "break"), ("jump", "", " break;")}),
    ("(void)other(\"a == 1\", a, true);", {("dropped", "(void)other(\"a == 1\", a, true)", ""), ("constant", "true", "false"),
                                           ("swapped", "a, true", "true, a")}),
    ("x = strcmp(\"b\", \"a\");", {("swapped", '"b", "a"', '"a", "b"'), ("dropped", 'x = strcmp("b", "a")', "")}),
    ("x = (strcmp(\"b\", \"a\")) == 0;", {("relation", "==", "!="), ("constant", "0", "1"),
                                          ("dropped", 'x = (strcmp("b", "a")) == 0', "")}),
    ("calloc(a, sizeof(b));", {("dropped", "calloc(a, sizeof(b))", "")}),
    ("least(a, b);", {("dropped", "least(a, b)", "")}),
    ("stats_mul_div(a, x, b);", {("dropped", "stats_mul_div(a, x, b)", ""), ("swapped", "x, b", "b, x")}),
    ('say("%s", a ? "x" : "");', {("dropped", 'say("%s", a ? "x" : "")', ""), ("negated", "a", "!(a)")}),
    ('say("%s", a ? "%" : "");', {("dropped", 'say("%s", a ? "%" : "")', ""), ("negated", "a", "!(a)"),
                                  ("swapped", '"%s", a ? "%" : ""', 'a ? "%" : "", "%s"')}),
    ("return -1;", {("constant", "1", "0"), ("arithmetic", "-", ""), ("jump", "return -1", "")}),
    ("x = a ? (-1) : -2;", {("negated", "a", "!(a)"), ("constant", "1", "0"), ("constant", "2", "1"), ("constant", "2", "3"),
                            ("arithmetic", "-", ""), ("dropped", "x = a ? (-1) : -2", "")}),
    ("x = -1;", {("constant", "1", "2"), ("constant", "1", "0"), ("arithmetic", "-", ""), ("dropped", "x = -1", "")}),
    ("x = GREEN;", {("enum", "GREEN", "RED"), ("enum", "GREEN", "BLUE"), ("dropped", "x = GREEN", "")}),
    ("x = a ? 'q' : -b;", {("negated", "a", "!(a)"), ("constant", "'q'", "('q' + 1)"), ("arithmetic", "-", ""),
                           ("dropped", "x = a ? 'q' : -b", "")}),
    ("switch (a) { case RED: x = b; }", {("enum", "RED", "GREEN"), ("dropped", "x = b", "")}),
    ("static const int rows[2] = {4};", {("constant", "4", "5"), ("constant", "4", "3")}),
]

# Nothing of these may be changed.
UNTOUCHED = [
    "// x = a == 1;",
    "/* if (a < 1) */",
    "_Static_assert(LIMIT == 7, \"is 7\");",
    "int size[3];",
    "const char *text = \"1 == 2\" /* 3 */;",
    "int twice = TWICE(a);",
    "int limit = LIMIT;",
    "int bytes = sizeof(a + 1);",
    "__asm__ volatile(\"nop\" : : \"r\"(a + 1));",
    "\n#if 1 < 2\n#endif\n",
    "int made(int b), c;",
]


def defects_of(statement):
    """{(kind, before, after)} of a statement in a function."""
    with tempfile.TemporaryDirectory() as folder:
        text = f"{HEAD}int tried(int a, int b)\n{{\n    int x = a;\n    {statement}\n    return x;\n}}\n"
        made_tree.write(folder, "core/tried.c", text)
        places = defects.places(folder, "core/tried.c", ["-std=gnu11", "-I."])
        data = text.encode()
        return {(p["kind"], data[p["start"]:p["end"]].decode(), after) for p in places for after in p["texts"]}


class Kinds(unittest.TestCase):
    def test_statements(self):
        for statement, expected in STATEMENTS:
            with self.subTest(statement):
                self.assertEqual(defects_of(statement), expected)

    def test_untouched(self):
        for statement in UNTOUCHED:
            with self.subTest(statement):
                self.assertEqual(defects_of(statement), set())

    def test_flags(self):
        """libclang finds headers of -isystem, and knows how wide a character is."""
        with tempfile.TemporaryDirectory() as folder:
            made_tree.write(folder, "headers/known.h", "#define KNOWN 1\n")
            made_tree.write(folder, "core/wide.c", "#include <known.h>\n#include <stddef.h>\n"
                            "static const wchar_t wide[] = {0xFFFF + KNOWN};\nint f(int a)\n{\n    return a + wide[0];\n}\n")
            words = ["cc", "-O2", "-std=gnu11", "-isystem", os.path.join(folder, "headers"), "-g", "-fshort-wchar", "-Wall"]
            self.assertEqual(build.clang_flags(words), ["-std=gnu11", "-fshort-wchar", "-isystem", os.path.join(folder, "headers")])
            self.assertIn("arithmetic", {p["kind"] for p in defects.places(folder, "core/wide.c", build.clang_flags(words))})

    def test_included(self):
        """What an included file has is no place of the file that includes it, where other text is at that offset."""
        with tempfile.TemporaryDirectory() as folder:
            made_tree.write(folder, "core/rows.h", "ROW(GREEN, 12)\nROW(BLUE, 13)\n{GREEN, 14},\n" * 9)
            made_tree.write(folder, "core/table.c", "enum colour { RED, GREEN, BLUE };\n#define ROW(colour, n) {colour, n},\n"
                            "static const struct row {\n    enum colour colour;\n    int n;\n} rows[] = {\n"
                            "#include \"core/rows.h\"\n    {RED, 3},\n};\nint f(int a)\n{\n    return rows[a].n;\n}\n")
            with open(os.path.join(folder, "core/table.c")) as file:
                text = file.read()
            found = defects.places(folder, "core/table.c", build.clang_flags(["cc", "-std=gnu11", "-I."]))
            self.assertEqual({text[p["start"]:p["end"]] for p in found if p["owner"] == "rows"}, {"RED", "3"})

    def test_beside_macros(self):
        self.assertIn(("relation", ">", ">="), defects_of("x = TWICE(a) > LIMIT;"))
        self.assertIn(("negated", "a > TWICE(b)", "!(a > TWICE(b))"), defects_of("if (a > TWICE(b)) return LIMIT;"))


class Choice(unittest.TestCase):
    def setUp(self):
        place = {"owner": "f", "kind": "constant", "texts": ["1"]}
        self.places = [dict(place, file="core/a.c", line=n + 1, start=n, end=n + 1, table=n >= 50) for n in range(500)]
        self.texts = {"core/a.c": [f"line {n}" for n in range(500)]}

    def lines(self, seed, places=None, texts=None):
        return [p["line"] for p, _ in choose.draws(places or self.places, texts or self.texts, seed)]

    def test_seed(self):
        self.assertEqual(self.lines("1"), self.lines("1"))
        self.assertNotEqual(self.lines("1"), self.lines("2"))
        self.assertEqual(sorted(n for n in self.lines("1") if n <= 50), list(range(1, 51)))

    def test_shifted(self):
        """A line more at the top leaves the choice as it was."""
        shifted = [dict(p, line=p["line"] + 1) for p in self.places]
        moved = self.lines("1", shifted, {"core/a.c": ["new"] + self.texts["core/a.c"]})
        self.assertEqual([n - 1 for n in moved], self.lines("1"))

    def test_share_of_tables(self):
        first = self.lines("1")[:30]
        self.assertLessEqual(sum(n > 50 for n in first), 4)
        self.assertGreaterEqual(sum(n > 50 for n in first), 1)

    def test_fresh_first(self):
        """Half of the sample in new lines; none twice; all of it in the rest where nothing is new."""
        fresh = [p for p in self.places if 20 < p["line"] <= 40]
        drawn = [p["line"] for p, _ in itertools.islice(choose.fresh_first(self.places, fresh, self.texts, "1", 10), 40)]
        self.assertEqual(drawn[:10], self.lines("1", fresh)[:10])
        self.assertEqual(drawn[10:], [n for n in self.lines("1") if n not in drawn[:10]][:30])
        self.assertEqual([p["line"] for p, _ in choose.fresh_first(self.places, [], self.texts, "1", 10)], self.lines("1"))


ENTRY = "core/sum.c made_clamp\n- if (value > 9)\n+ if (value >= 9)\n= 9 either way\n"


class Again(unittest.TestCase):
    def test_long_programs(self):
        """With sanitizers only programs of two seconds at most run, in the same order."""
        of = types.SimpleNamespace(reach=types.SimpleNamespace(seconds={"quick": 0.1, "just": 2.0, "long": 2.1}))
        self.assertEqual(trial.CompiledTrial.run_again(of, ["long", "just", "quick"]), ["just", "quick"])


class Made(unittest.TestCase):
    """./dev mutate on the made-up tree: what the first run of it finds, and further runs."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tree = cls.folder.name
        made_tree.make(cls.tree)
        cls.output, cls.status = cls.mutate("--count", "1000")
        cls.found = cls.read()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def mutate(cls, *words):
        command = [sys.executable, "-B", HERE, "core", "--tree", cls.tree, *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout, done.returncode

    @classmethod
    def read(cls):
        with open(os.path.join(cls.tree, "build/mutate/report.json")) as file:
            return json.load(file)["rooms"]["core"]

    def setUp(self):
        for name in ("equivalent", "floors"):
            made_tree.write(self.tree, f"tests/mutate/{name}", "# none\n")

    def verdict(self, line, kind, text):
        file, text_of = next(pair for pair in (("core/made.c", made_tree.MADE_C), ("core/sum.c", made_tree.SUM_C)) if line + "\n" in pair[1])
        number = text_of.split("\n").index(line) + 1
        here = [d for d in self.found["defects"] if d["file"] == file and (d["line"], d["kind"], d["text"]) == (number, kind, text)]
        self.assertEqual(len(here), 1, (line, kind, text))
        return here[0]

    def test_noticed(self):
        defect = self.verdict("        sum += from[i];", "arithmetic", "-=")
        self.assertEqual((defect["verdict"], defect["how"], defect["by"]), ("noticed", "failed", "test_made"))

    def test_hang(self):
        """2^32 turns would end on a fast machine before the limit does: 2^64 do not."""
        defect = self.verdict("    for (unsigned long i = 0; i != 2; i++)", "arithmetic", "--")
        self.assertEqual((defect["verdict"], defect["how"]), ("noticed", "timed out"))

    def test_survivor(self):
        self.assertEqual(self.verdict("    if (value > 9)", "relation", ">=")["verdict"], "survived")
        self.assertIn("-    if (value > 9)\n    +    if (value >= 9)\n", self.output)
        self.assertIn("core/sum.c:14: made_clamp: relation: 1 ran: test_made", self.output)

    def test_sanitizers(self):
        """One element too many is read; it is 0, so only ASan knows."""
        defect = self.verdict("    for (int i = 0; i < count; i++)", "relation", "<=")
        self.assertEqual(defect["verdict"], "noticed")
        self.mutate("--count", "1000", "--file", "core/sum.c", "--no-sanitizers")
        self.assertEqual(self.read()["noticed"], self.of_sum("noticed") - 1)

    def of_sum(self, *verdicts):
        """How many defects of core/sum.c the first run found, of these verdicts or of all."""
        return sum(d["file"] == "core/sum.c" and d["verdict"] in (verdicts or [d["verdict"]]) for d in self.found["defects"])

    def test_unreached(self):
        self.assertEqual(self.verdict("    return value + 5;", "arithmetic", "-")["verdict"], "unreached")
        self.assertIn("not reached by any test", self.output)

    def test_child(self):
        """What only a child runs that ends by _exit() is reached, too."""
        self.assertEqual(self.verdict("    return value + 6;", "arithmetic", "-")["verdict"], "noticed")

    def test_identical(self):
        """0 * 8 for 0 * 7 leaves no trace in the object."""
        number = made_tree.MADE_C.split("\n").index("    return steps + 0 * 7;") + 1
        self.assertEqual([d for d in self.found["defects"] if d["file"] == "core/made.c" and d["line"] == number and d["text"] in ("6", "8")], [])
        self.assertGreaterEqual(self.found["drawn_again"]["identical"], 2)

    def test_rate(self):
        verdicts = [d["verdict"] for d in self.found["defects"]]
        self.assertEqual(self.found["noticed"], verdicts.count("noticed"))
        self.assertEqual(self.found["of"], len(verdicts))
        self.assertEqual(self.status, 0)

    def test_named(self):
        made_tree.write(self.tree, "tests/mutate/equivalent", "# comment\n\n" + ENTRY)
        output, status = self.mutate("--count", "1000", "--file", "core/sum.c")
        again = self.read()
        self.assertEqual(status, 0, output)
        self.assertEqual((again["named"], again["of"]), (1, self.of_sum() - 1))
        self.assertNotIn(">= 9", output)

    def test_stale(self):
        for entry in (ENTRY.replace("> 9", "> 8"), ENTRY.replace("core/sum.c", "core/gone.c")):
            made_tree.write(self.tree, "tests/mutate/equivalent", entry)
            output, status = self.mutate("--count", "1")
            self.assertEqual(status, 2)
            self.assertIn("fits no line", output)

    def test_stale_elsewhere(self):
        """Of a room that is not looked at an entry's lines must be in its file."""
        made_tree.write(self.tree, "drivers/made.c", made_tree.SUM_C)
        for entry, wanted in ((ENTRY, 0), (ENTRY.replace("> 9", "> 8"), 2)):
            made_tree.write(self.tree, "tests/mutate/equivalent", entry.replace("core/sum.c", "drivers/made.c"))
            self.assertEqual(self.mutate("--count", "0")[1], wanted)

    def test_fits_twice(self):
        clamp = "    if (value > 9)\n        return 9;\n"
        made_tree.write(self.tree, "core/sum.c", made_tree.SUM_C.replace(clamp, 2 * clamp))
        made_tree.write(self.tree, "tests/mutate/equivalent", ENTRY)
        output, status = self.mutate("--count", "1")
        made_tree.write(self.tree, "core/sum.c", made_tree.SUM_C)
        self.assertEqual(status, 2)
        self.assertIn("fits lines 14, 16: core/sum.c made_clamp: if (value > 9)", output)

    def test_no_reason(self):
        made_tree.write(self.tree, "tests/mutate/equivalent", ENTRY.replace("= 9 either way\n", ""))
        self.assertEqual(self.mutate("--count", "1")[1], 2)

    def test_same_seed(self):
        runs = []
        for seed in ("5", "5", "6"):
            self.mutate("--count", "5", "--seed", seed)
            runs.append([(d["start"], d["text"], d["verdict"]) for d in self.read()["defects"]])
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])

    def test_floors(self):
        made_tree.write(self.tree, "tests/mutate/floors", "# head\ncore 100\n")
        output, status = self.mutate("--sample")
        self.assertEqual(status, 1)
        self.assertIn("FAIL core", output)
        made_tree.write(self.tree, "tests/mutate/floors", "# head\ncore 10\n")
        output, status = self.mutate("--sample", "--raise")
        self.assertEqual(status, 0)
        with open(os.path.join(self.tree, "tests/mutate/floors")) as file:
            head, line = file.read().splitlines()
        self.assertEqual(head, "# head")
        self.assertGreater(int(line.split()[1]), 10)

    def test_coverage(self):
        """All lines run but those of made_never(); the floor is held, and raised."""
        floors = os.path.join(self.tree, "tests/mutate/coverage-floors")
        for floor, status in ((100, 1), (10, 0)):
            made_tree.write(self.tree, "tests/mutate/coverage-floors", f"# head\ncore {floor}\n")
            output, got = self.mutate("--coverage", *(["--raise"] if not status else []))
            self.assertEqual(got, status, output)
            self.assertEqual("FAIL coverage of core is under 100 %" in output, floor == 100)
            self.assertTrue(output.endswith("0 passed, 1 failed\n" if status else "1 passed, 0 failed\n"))
        ran, of, percent = re.search(r"core: (\d+) of (\d+) lines, ([0-9.]+) %; lowest: core/made.c", output).groups()
        self.assertEqual(int(of) - int(ran), 2)  # made_never() and its return
        with open(floors) as file:
            self.assertEqual(file.read(), f"# head\ncore {int(float(percent))}\n")

    def test_since(self):
        """Changed lines, committed and not, and new files; not lines that moved."""
        with tempfile.TemporaryDirectory() as tree:
            made_tree.make(tree)
            made_tree.write(tree, ".gitignore", "build/\n")
            made_tree.write(tree, "CHANGELOG.md", "# Changes\n\n## 1.0 (today)\n")
            git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", tree]

            def commit():
                subprocess.run([*git, "add", "-A"], check=True)
                subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
                return subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()

            subprocess.run([*git, "init", "-q"], check=True)
            self.assertIsNone(since.last_release(tree))
            base = commit()
            self.assertEqual(since.changed_lines(tree, base), {})
            made_tree.write(tree, "core/sum.c", "/* moved */\n" + made_tree.SUM_C.replace("value > 9", "value > 8"))
            made_tree.write(tree, "CHANGELOG.md", "# Changes\n\n## 1.1 (unreleased)\n\n- one\n\n## 1.0 (today)\n")
            commit()
            made_tree.write(tree, "core/made.c", made_tree.MADE_C.replace("value + 5", "value + 6"))
            made_tree.write(tree, "core/new.c", "int made_new(void)\n{\n}\n")
            line = made_tree.SUM_C.split("\n").index("    if (value > 9)") + 2
            lines = since.changed_lines(tree, base)
            self.assertEqual({name: lines[name] for name in lines if name.startswith("core/")},
                             {"core/sum.c": {1, line}, "core/made.c": {13}, "core/new.c": {1, 2, 3, 4}})
            self.assertEqual(since.last_release(tree), base)
            with self.assertRaises(since.SinceError):
                since.changed_lines(tree, "nowhere")
            os.remove(os.path.join(tree, "core/new.c"))
            command = [sys.executable, "-B", HERE, "core", "--tree", tree, "--count", "99", "--since", base]
            self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 0)
            with open(os.path.join(tree, "build/mutate/report.json")) as file:
                tried = json.load(file)["rooms"]["core"]["defects"]
            self.assertEqual({(d["file"], d["line"]) for d in tried}, {("core/sum.c", line), ("core/made.c", 13)})

    def test_turns(self):
        """Consecutive commits try all rooms; outside of git one run does."""
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, TURN=""):
            self.assertEqual(choose.in_turn(folder), list(rooms.STARTS))
            git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", folder]
            subprocess.run([*git, "init", "-q"], check=True)
            names = []
            for _ in choose.TURNS:
                subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
                names += choose.in_turn(folder)
            self.assertEqual(sorted(names), sorted(rooms.STARTS))

    def test_failing_test(self):
        """A test that fails without any defect would notice everything."""
        good = made_tree.TEST_C
        made_tree.write(self.tree, "tests/unit/core/sum/test_made.c", good.replace("(21), 42", "(21), 43"))
        output, status = self.mutate("--count", "1")
        made_tree.write(self.tree, "tests/unit/core/sum/test_made.c", good)
        self.assertEqual(status, 2)
        self.assertIn("without any defect", output)
        self.assertIn("0x2a != 0x2b", output)


if __name__ == "__main__":
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(unittest.defaultTestLoader.loadTestsFromNames(["__main__", "test_programs", "test_scripts"]))
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    sys.exit(failed != 0)
