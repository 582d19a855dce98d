# SPDX-License-Identifier: BSD-2-Clause
"""The rules for places and kinds of defects in a shell program, applied to its syntax tree (Debian's shfmt).

Nothing is changed in a text that another program reads: here-documents, and quoted programs of sed, awk and sh -c.
"""
import json
import re
import subprocess

from planter import ParseError, Planter

TESTS = {"-eq": ["-ne"], "-ne": ["-eq"], "=": ["!="], "!=": ["="], "-z": ["-n"], "-n": ["-z"], "-lt": ["-le", "-ge"], "-le": ["-lt", "-gt"],
         "-gt": ["-ge", "-le"], "-ge": ["-gt", "-lt"]}
JUMPS = {"exit", "return", "break", "continue"}
# Commands that change nothing by themselves.
IDLE = {":", "true", "false", "[", "test"}
EXPANSIONS = {"#": "##", "##": "#", "%": "%%", "%%": "%"}
SIGN = re.compile(r"[-+*/%<>=!&|^]+")


def syntax_tree(path, data):
    """shfmt's tree; -ln=auto takes the dialect from the first line."""
    done = subprocess.run(["shfmt", "--to-json", f"--filename={path}"], input=data, capture_output=True)
    if done.returncode:
        raise ParseError(f"{path}: shfmt cannot read it: {done.stderr.decode().strip()}")
    return json.loads(done.stdout)


def literal(word):
    """The text of a word without quotes and expansions, or None."""
    parts = word.get("Parts", [])
    return parts[0]["Value"] if len(parts) == 1 and parts[0]["Type"] == "Lit" else None


def words_of(statement):
    """The words of a statement that is one simple command, else none."""
    command = statement.get("Cmd") or {}
    return command.get("Args") or [] if command.get("Type") == "CallExpr" else []


def span(node):
    return node["Pos"]["Offset"], node["End"]["Offset"]


class ShellPlanter(Planter):
    def __init__(self, path, data):
        super().__init__(path, data)
        self.tree = syntax_tree(path, data)
        self.owner = "script"

    def find(self):
        self.visit(self.tree)
        return self.found()

    def visit(self, node):
        saved = self.owner, self.statement
        if node.get("Type") == "FuncDecl":
            self.owner = node["Name"]["Value"]
        if "Cmd" in node:
            self.statement_of(node)
        rule = RULES.get(node.get("Type"))
        if rule:
            rule(self, node)
        for key, value in node.items():
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, dict) and key != "Hdoc":
                    self.visit(child)
        self.owner, self.statement = saved

    def number(self, word):
        text = literal(word)
        if text and text.isdigit():
            value = int(text)
            self.add("constant", *span(word), [str(value + 1)] + ([str(value - 1)] if value else []))

    def text(self, word):
        """A plain word that is compared."""
        text = literal(word)
        if text and re.fullmatch(r"[\w/.=-]*[A-Za-z_][\w/.=-]*", text):
            self.add("text", *span(word), [text + "_"])

    def call(self, node):
        words = node.get("Args") or []
        for assign in node.get("Assigns") or []:
            if assign.get("Value"):
                self.number(assign["Value"])
        if not words:
            self.add("dropped", *span(node), [":"])
            return
        name = literal(words[0])
        for word in words[1:]:
            self.number(word)
        if name in ("[", "test"):
            self.test(words[1:])
        elif name in JUMPS:
            self.add("jump", *span(node), [":"])
        elif name not in IDLE:
            self.add("dropped", *span(node), [":"])

    def test(self, words):
        for i, word in enumerate(words):
            text = literal(word)
            if text in TESTS:
                self.add("relation", *span(word), TESTS[text])
                if text in ("=", "!=") and 0 < i < len(words) - 1:
                    self.text(words[i - 1])
                    self.text(words[i + 1])
            elif text == "!":
                start, end = span(word)
                self.add("negated", start, end + 1, [""])

    def binary(self, node):
        at = node["OpPos"]["Offset"]
        if self.between(at, at + 2) in ("&&", "||"):
            self.add_operator(at, at + 2)

    def arithmetic(self, node):
        at = node["OpPos"]["Offset"]
        sign = SIGN.match(self.between(at, at + 3))
        if sign:
            self.add_operator(at, at + len(sign[0]))
        for side in (node["X"], node["Y"]):
            if side.get("Type") == "Word":
                self.number(side)

    def statement_of(self, node):
        start, _ = span(node)
        # `set -x` tells of a command's first line alone, and of no redirection.
        outer, self.statement = self.statement, self.line(start)
        if node.get("Negated"):
            self.add("negated", start, span(node["Cmd"])[0], [""])
        for redirection in node.get("Redirs") or []:
            at = redirection["OpPos"]["Offset"]
            sign = self.between(at, span(redirection["Word"])[0])
            if sign in (">", ">>") and literal(redirection["Word"]) not in ("/dev/null", "/dev/stderr"):
                self.add("redirection", at, at + len(sign), [">" if sign == ">>" else ">>"])
        if (node["Cmd"] or {}).get("Type") != "CallExpr":
            self.statement = outer

    def condition(self, node):
        """Of if, elif, while and until: one simple command, but not a test of equality, which has a defect of its own."""
        statements = node.get("Cond") or []
        words = words_of(statements[0]) if len(statements) == 1 else []
        if words and not statements[0].get("Negated") and not {literal(word) for word in words} & {"=", "!=", "!", "-z", "-n"}:
            self.add("negated", span(statements[0])[0], span(statements[0])[0], ["! "])
        self.loop(node)

    def branch(self, node):
        while node and node.get("Cond"):
            self.condition(node)
            node = node.get("Else")

    def loop(self, node):
        """Only the first round is made."""
        last = (node.get("Do") or [None])[-1]
        if last and not (words_of(last) and literal(words_of(last)[0]) in JUMPS) and '"Hdoc"' not in json.dumps(last):
            self.add("jump", span(last)[1], span(last)[1], ["\nbreak\n"])

    def choice(self, node):
        """`set -x` tells of the line of the "case" alone that its patterns were compared."""
        outer, self.statement = self.statement, self.line(span(node)[0])
        for item in node.get("Items") or []:
            for pattern in item["Patterns"]:
                self.text(pattern)
        self.statement = outer

    def expansion(self, node):
        word = (node.get("Exp") or {}).get("Word")
        if word:
            start, end = span(node["Param"])[1], span(word)[0]
            sign = self.between(start, end)
            if sign in EXPANSIONS and "*" in self.between(*span(word)):
                self.add("expansion", start, end, [EXPANSIONS[sign]])
            elif sign == ":-":
                self.number(word)
                self.text(word)


RULES = {
    "CallExpr": ShellPlanter.call, "BinaryCmd": ShellPlanter.binary, "BinaryArithm": ShellPlanter.arithmetic, "IfClause": ShellPlanter.branch,
    "WhileClause": ShellPlanter.condition, "ForClause": ShellPlanter.loop, "CaseClause": ShellPlanter.choice, "ParamExp": ShellPlanter.expansion,
}
