# SPDX-License-Identifier: BSD-2-Clause
"""Tests of ./dev mutate on scripts: the defects of a statement in each language, and the trial on a made-up tree. Run by test_mutate.py."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import made_tree
import scripts
import units

HERE = os.path.dirname(os.path.abspath(__file__))

# A statement of a function, and every defect of the line as (kind, text before, text after).
PYTHON = [
    ("x = a < b", {("relation", "<", "<="), ("relation", "<", ">=")}),
    ("x = a == 'k'", {("relation", "==", "!="), ("text", "'k'", "'k?'")}),
    ("x = a not in b", {("relation", "not in", "in")}),
    ("x = a is not None", {("relation", "is not", "is")}),
    ("x = a and (b or c)", {("logic", "and", "or"), ("logic", "or", "and")}),
    ("x = a - 2 * b", {("arithmetic", "-", "+"), ("arithmetic", "*", "/"), ("constant", "2", "3"), ("constant", "2", "1")}),
    ("x = a & 0x6", {("bits", "&", "|"), ("mask", "0x6", "0x4"), ("mask", "0x6", "0xe"), ("constant", "0x6", "0x7"), ("constant", "0x6", "0x5")}),
    ("x = -a", {("arithmetic", "-", "")}),
    ("x = not a", {("negated", "not", "")}),
    ("if a: b()", {("negated", "a", "(not (a))"), ("dropped", "b()", "pass")}),
    ("if a == b: x += 1", {("relation", "==", "!="), ("arithmetic", "+", "-"), ("dropped", "x += 1", "pass"), ("constant", "1", "2"), ("constant", "1", "0")}),
    ("x = [y for y in a if b]", {("negated", "b", "(not (b))")}),
    ("while a:\n        b()", {("negated", "a", "(not (a))"), ("dropped", "b()", "pass"), ("jump", "", "\n        break")}),
    ("for a in b:\n        continue", {("jump", "continue", "pass")}),
    ("if x: return True", {("negated", "x", "(not (x))"), ("jump", "return True", "pass"), ("constant", "True", "False")}),
    ("x[0] = a", {("dropped", "x[0] = a", "pass"), ("constant", "0", "1")}),
    ("x = f(a, b).get('k', 0)", {("swapped", "a, b", "b, a"), ("text", "'k'", "'k?'"), ("swapped", "'k', 0", "0, 'k'"), ("constant", "0", "1")}),
    ("x = a['k']", {("text", "'k'", "'k?'")}),
    ("x = f'{a < 1} 2'  # b == 3", set()),
    ('"""a == 1"""', set()),
]
JAVASCRIPT = [
    ("x = a < b;", {("relation", "<", "<="), ("relation", "<", ">="), ("dropped", "x = a < b", "void 0")}),
    ("if (a === \"k\") b();", {("relation", "===", "!=="), ("text", '"k"', '"k?"'), ("dropped", "b()", "void 0")}),
    ("if (!a && b) b();", {("negated", "!a && b", "!(!a && b)"), ("negated", "!", ""), ("logic", "&&", "||"), ("dropped", "b()", "void 0")}),
    ("x = a ?? -1;", {("logic", "??", "&&"), ("arithmetic", "-", ""), ("constant", "1", "2"), ("constant", "1", "0"), ("dropped", "x = a ?? -1", "void 0")}),
    ("x += .5 * b;", {("arithmetic", "+=", "-="), ("arithmetic", "*", "/"), ("constant", ".5", "(.5 + 1)"), ("dropped", "x += .5 * b", "void 0")}),
    ("x = a ? true : b;", {("negated", "a", "!(a)"), ("constant", "true", "false"), ("dropped", "x = a ? true : b", "void 0")}),
    ("for (const y of a) { b(y); }", {("dropped", "b(y)", "void 0"), ("jump", "", " break;")}),
    ("while (a) { x++; continue; }", {("negated", "a", "!(a)"), ("arithmetic", "++", "--"), ("dropped", "x++", "void 0"), ("jump", "continue;", ";")}),
    ("a.attr(\"y\", 1).text(x, b);", {("dropped", '.attr("y", 1)', ""), ("constant", "1", "2"), ("constant", "1", "0"), ("swapped", "x, b", "b, x"),
                                      ("dropped", 'a.attr("y", 1).text(x, b)', "void 0")}),
    ("x = a.includes(\"é\");", {("text", '"é"', '"é?"'), ("dropped", 'x = a.includes("é")', "void 0")}),
    ("if (a) return;", {("negated", "a", "!(a)"), ("jump", "return;", ";")}),
    ("const o = {1: \"a < b\"};", set()),
    ("// a === 1", set()),
]
SHELL = [
    ('[ "$a" -lt 5 ] && b', {("relation", "-lt", "-le"), ("relation", "-lt", "-ge"), ("constant", "5", "6"), ("constant", "5", "4"), ("logic", "&&", "||"),
                             ("dropped", "b", ":")}),
    ('[ "$a" = yes ] || b', {("relation", "=", "!="), ("text", "yes", "yes_"), ("logic", "||", "&&"), ("dropped", "b", ":")}),
    ("if [ ! -e x ]; then b; fi", {("negated", "! ", ""), ("dropped", "b", ":")}),
    ("if grep -q x y; then b; fi", {("negated", "", "! "), ("dropped", "grep -q x y", ":"), ("dropped", "b", ":")}),
    ("! grep x", {("negated", "! ", ""), ("dropped", "grep x", ":")}),
    ("while read -r x; do\n    b\ndone", {("negated", "", "! "), ("dropped", "read -r x", ":"), ("dropped", "b", ":"), ("jump", "", "\nbreak\n")}),
    ("for x in 1 2; do break; done", {("jump", "break", ":")}),
    ("x=7", {("dropped", "x=7", ":"), ("constant", "7", "8"), ("constant", "7", "6")}),
    ("x=$((a + 1))", {("dropped", "x=$((a + 1))", ":"), ("arithmetic", "+", "-"), ("constant", "1", "2"), ("constant", "1", "0")}),
    ("exit 2", {("jump", "exit 2", ":"), ("constant", "2", "3"), ("constant", "2", "1")}),
    ("case $a in x | *y) b ;; esac", {("text", "x", "x_"), ("dropped", "b", ":")}),
    ("b >>c 2>/dev/null", {("dropped", "b", ":"), ("redirection", ">>", ">")}),
    ("x=${a%%:*}", {("dropped", "x=${a%%:*}", ":"), ("expansion", "%%", "%")}),
    ("x=${a:-no}", {("dropped", "x=${a:-no}", ":"), ("text", "no", "no_")}),
    ("cat <<END\n[ a = b ] && c\nEND", {("dropped", "cat", ":")}),
    ("awk '$1 > 2 && $3'", {("dropped", "awk '$1 > 2 && $3'", ":")}),
    ("# [ a = b ]", set()),
]
WRAPPED = {"shell": "#!/bin/sh\nf() {{\n    a\n{}\n}}\n",
           "javascript": "function f(a, b) {{\n    let x = a;\n    {}\n    return x;\n}}\n", "python": "def f(a, b):\n    x = a\n    {}\n    return x\n"}


def places_of(language, text):
    """(the text, its places) of a file of that language."""
    ending = {"python": ".py", "javascript": ".js", "shell": ".sh"}[language]
    with tempfile.TemporaryDirectory() as folder:
        made_tree.write(folder, "tools/tried" + ending, text)
        return text.encode(), scripts.places(folder, "tools/tried" + ending)


class Units(unittest.TestCase):
    """Tests one by one, and what each of them runs."""

    def test_names(self):
        with tempfile.TemporaryDirectory() as folder:
            made_tree.write(folder, "tests/unit/tools/test_a.py", "class A(B):\n    def test_x(self):\n        pass\n    def other(self):\n        pass\n"
                            "class C:\n    def test_y(self):\n        pass\n")
            made_tree.write(folder, "tests/test_b.py", "class A(B):\n    def test_x(self):\n        pass\n")
            self.assertEqual(units.names(folder, "tests/unit/tools/test_a.py"), ["tests/unit/tools/test_a.py#A.test_x", "tests/unit/tools/test_a.py#C.test_y"])
            self.assertEqual(units.names(folder, "tests/test_b.py"), ["tests/test_b.py#"])

    def test_commands(self):
        self.assertEqual(units.commands(["tests/unit/web/a.js#1", "tests/unit/tools/b.py#C.d", "tests/unit/web/a.js#0", "tests/e.sh#"]), [
            (["node", "tests/mutate/web_tests.js", "--run", "tests/unit/web/a.js#1", "tests/unit/web/a.js#0"], ["tests/unit/web/a.js#1", "tests/unit/web/a.js#0"]),
            (["/usr/bin/python3", "-B", "tests/unit/tools/b.py", "C.d"], ["tests/unit/tools/b.py#C.d"]), (["sh", "tests/e.sh"], ["tests/e.sh#"])])

    def test_lines_of_shell(self):
        files = ["tools/qemu/boot", "tools/linux-guest/lib", "dev"]
        text = "+@./dev:3@ echo\n++@tools/qemu/boot:10@ ls\n+@/tmp/x/tree/tools/linux-guest/lib:7@ a\n b\n+@../lib:8@ c\nx+@dev:5@\n+@other:1@ d\n"
        self.assertEqual(units.shell_lines(text, files), {"dev": {3}, "tools/qemu/boot": {10}, "tools/linux-guest/lib": {7, 8}})

    def test_reaches(self):
        """Of pages by bytes; of other languages by the lines from the statement's first to the place."""
        starts = [0, 10, 20, 30]
        line = {"file": "a", "kind": "relation", "start": 15, "end": 17, "line": 2, "statement": 1}
        page = {**line, "file": "a.js"}
        for ranges, of_page, of_line in (([(0, 15)], False, True), ([(0, 16)], True, True), ([(17, 20)], True, True), ([(18, 20)], False, False), ([(20, 30)], False, False),
                                         ([(0, 10)], False, True), ([], False, False)):
            self.assertEqual((units.reaches(ranges, page, starts), units.reaches(ranges, line, starts)), (of_page, of_line), ranges)
        self.assertTrue(units.reaches([(0, 15)], {**page, "kind": "logic"}, starts))
        self.assertFalse(units.reaches([(0, 9)], {**line, "kind": "logic", "statement": 2}, starts))

    def test_records(self):
        """Of a real test program, on a program in shell: more lines where it does more."""
        root = os.path.dirname(os.path.dirname(HERE))
        found = {}
        with tempfile.TemporaryDirectory() as folder:
            found = units.record(root, ["tests/unit/tools/test_small.py"], folder)
        seconds, ranges = found["tests/unit/tools/test_small.py#Image.test_usage"]
        self.assertTrue(seconds > 0)
        more = found["tests/unit/tools/test_small.py#Image.test_images"][1]
        self.assertGreater(len(more["tools/make-image"]), len(ranges["tools/make-image"]))
        self.assertGreater(len(found["tests/unit/tools/test_small.py#Verdicts.test_verdicts"][1]["tools/verdicts"]), 5)  # which is sourced


class Kinds(unittest.TestCase):
    def compare(self, language, statements):
        wrapped = WRAPPED[language]
        before = {(p["kind"], p["line"]) for p in places_of(language, wrapped.format(""))[1]}
        for statement, expected in statements:
            with self.subTest(statement):
                data, places = places_of(language, wrapped.format(statement))
                first = wrapped.split("{}")[0].count("\n") + 1
                found = [p for p in places if first <= p["line"] <= first + statement.count("\n") and (p["kind"], p["line"]) not in before]
                self.assertEqual({(p["kind"], data[p["start"]:p["end"]].decode(), text) for p in found for text in p["texts"]}, expected)

    def test_python(self):
        self.compare("python", PYTHON)

    def test_javascript(self):
        self.compare("javascript", JAVASCRIPT)

    def test_shell(self):
        self.compare("shell", SHELL)

    def test_patterns(self):
        """Who runs the line of "case" compares the patterns on lines of their own."""
        places = places_of("shell", "#!/bin/sh\ncase $a in\nx)\n    b 2 ;;\nesac\nc 3\n")[1]
        self.assertEqual({(p["kind"], p["line"], p["statement"]) for p in places if p["kind"] in ("text", "constant")},
                         {("text", 3, 2), ("constant", 4, 4), ("constant", 6, 6)})

    def test_continued(self):
        """Who runs the first line of a command runs those that it goes on with."""
        places = places_of("shell", "#!/bin/sh\na 1 \\\n    2 >b\nif c; then\n    d 3 &&\n        e 4\nfi >f\n")[1]
        self.assertEqual({(p["kind"], p["line"], p["statement"]) for p in places if p["kind"] in ("redirection", "constant")},
                         {("constant", 2, 2), ("constant", 3, 2), ("redirection", 3, 2), ("constant", 5, 5), ("constant", 6, 6), ("redirection", 7, 4)})

    def test_owners(self):
        """The function around a place, or the variable of a table."""
        places = places_of("python", 'TABLE = {"a": 1}\nx = 5\nclass C:\n    def f(self):\n        return 2\nif __name__ == "__main__":\n    f(3)\n')[1]
        self.assertEqual({(p["line"], p["owner"], p["table"]) for p in places}, {(1, "TABLE", True), (2, "module", False), (5, "f", False)})

        places = places_of("javascript", 'const T = [1, () => 2];\nconst g = x => x + 3;\n(function start() {\n    f(4);\n})();\nf(5);\n')[1]
        self.assertEqual({(p["line"], p["owner"], p["table"]) for p in places if p["kind"] == "constant"},
                         {(1, "T", True), (1, "T", False), (2, "g", False), (4, "start", False), (6, "page", False)})

        places = places_of("shell", "#!/bin/sh\na 1\nf() {\n    b 2\n}\n")[1]
        self.assertEqual({(p["line"], p["owner"], p["table"]) for p in places}, {(2, "script", False), (4, "f", False)})

    def test_unreadable(self):
        for language in ("python", "javascript", "shell"):
            with self.assertRaises(scripts.ParseError):
                places_of(language, "if (((\n")


ADD = """#!/usr/bin/python3
import sys
total = 0
for word in sys.argv[1:]:
    total += int(word)
print(total)
if total > 100:
    print("much")
"""
TEST_ADD = """import subprocess, sys
out = subprocess.run([sys.executable, "tools/add", "2", "3"], capture_output=True, text=True).stdout
sys.exit(out != "5\\n")
"""


class Made(unittest.TestCase):
    """./dev mutate tools on a made-up tree."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = folder.name
        made_tree.write(self.tree, "tools/add", ADD)
        made_tree.write(self.tree, "tools/other.py", "x = 1\n")
        made_tree.write(self.tree, "tools/room/main.c", "int x = 1;\n")
        made_tree.write(self.tree, "tests/test_add.py", TEST_ADD)
        made_tree.write(self.tree, "tests/mutate/scripts", "# head\ntools/add tests/test_add.py\n")

    def mutate(self, *words):
        done = subprocess.run([sys.executable, "-B", HERE, "tools", "--tree", self.tree, "--count", "99", *words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def test_verdicts(self):
        status, output = self.mutate()
        self.assertEqual(status, 0, output)
        with open(os.path.join(self.tree, "build/mutate/report.json")) as file:
            defects = json.load(file)["rooms"]["tools"]["defects"]
        found = {(d["file"], d["line"], d["kind"], d["text"]): d["verdict"] for d in defects}
        self.assertEqual(found["tools/add", 5, "arithmetic", "-"], "noticed")
        self.assertEqual(found["tools/add", 7, "relation", ">="], "survived")
        self.assertEqual(found["tools/other.py", 1, "constant", "2"], "unreached")
        self.assertEqual({file for file, *_ in found}, {"tools/add", "tools/other.py"})
        self.assertIn("tools/add:7: module: relation: 1 ran: tests/test_add.py", output)

    def test_sample(self):
        """Fewer defects than of a room in C, and the floor holds for them."""
        for floor, status in ((1, 0), (100, 1)):
            made_tree.write(self.tree, "tests/mutate/floors", f"tools {floor}\n")
            self.assertEqual(self.mutate("--sample")[0], status)
            with open(os.path.join(self.tree, "build/mutate/report.json")) as file:
                self.assertEqual(len(json.load(file)["rooms"]["tools"]["defects"]), 3)

    def test_unsound(self):
        """A test that fails without any defect would notice everything."""
        made_tree.write(self.tree, "tests/test_add.py", "raise SystemExit(1)\n")
        status, output = self.mutate()
        self.assertEqual((status, "without any defect" in output), (2, True))

    def test_table(self):
        self.assertEqual(scripts.read_table(self.tree), {"tools/add": ["tests/test_add.py"]})
        for line, told in (("tools/add tests/gone.py", "there is no tests/gone.py"), ("tools/gone tests/test_add.py", "there is no tools/gone"), ("tools/add", "no test")):
            made_tree.write(self.tree, "tests/mutate/scripts", line + "\n")
            with self.assertRaisesRegex(scripts.BuildError, told):
                scripts.read_table(self.tree)

    def test_every_script_has_a_row(self):
        tree = os.path.dirname(os.path.dirname(HERE))
        for name in scripts.ROOMS:
            room = scripts.ScriptRoom(tree, name)
            self.assertEqual([path for path in room.mutable if path not in room.tests], [], f"{scripts.TABLE} names no test of these")
