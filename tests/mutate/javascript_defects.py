# SPDX-License-Identifier: BSD-2-Clause
"""The rules for places and kinds of defects in a JavaScript file, applied to its syntax tree (acorn by syntax.js)."""
import json
import os
import subprocess

from planter import ParseError, Planter

HERE = os.path.dirname(os.path.abspath(__file__))
LITERALS = {"ArrayExpression", "ObjectExpression"}
FUNCTIONS = {"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"}
JUMPS = {"ReturnStatement", "BreakStatement", "ContinueStatement", "ThrowStatement"}
# Methods whose first argument is looked for in a text or a list.
LOOKING = {"startsWith", "endsWith", "includes", "indexOf", "split"}
# Methods that return what they are called on, or the same kind of thing: a link of a chain that can be left out.
LINKS = {"attr", "style", "filter", "sort", "slice", "reverse", "trim", "nice", "clamp", "tickSizeOuter", "toLowerCase", "replace"}
EQUALITY = {"===": "!==", "!==": "==="}


def syntax_tree(path):
    """acorn's tree of a file."""
    done = subprocess.run(["node", os.path.join(HERE, "syntax.js"), path], capture_output=True, text=True,
                          env=dict(os.environ, NODE_PATH="/usr/share/nodejs"))
    if done.returncode:
        raise ParseError(f"{path}: acorn cannot read it: {done.stderr.strip()}")
    return json.loads(done.stdout)


def children(node):
    """The nodes below a node, with the key that each has in it."""
    for key, value in node.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict) and "type" in one:
                yield key, one


def kind_of(node):
    """Whether a literal is a number, a text or another."""
    return type(node.get("value")).__name__


class JavascriptPlanter(Planter):
    def __init__(self, tree, path):
        full = os.path.join(tree, path)
        with open(full, "rb") as file:
            super().__init__(path, file.read())
        self.tree = syntax_tree(full)
        text = self.data.decode()
        # acorn counts UTF-16 units: all characters of our sources are one.
        self.bytes_of = None if text.isascii() else [len(text[:at].encode()) for at in range(len(text) + 1)]
        self.owner = "page"
        self.last = None  # the last statement of the function

    def span(self, node):
        start, end = node["start"], node["end"]
        return (self.bytes_of[start], self.bytes_of[end]) if self.bytes_of else (start, end)

    def text_of(self, node):
        return self.between(*self.span(node))

    def find(self):
        self.visit(self.tree)
        return self.found()

    def visit(self, node):
        saved = self.owner, self.table, self.last
        kind = node["type"]
        if kind in FUNCTIONS and node.get("id"):
            self.owner = node["id"]["name"]
        elif kind == "VariableDeclarator" and self.owner == "page" and node["id"]["type"] == "Identifier":
            self.owner, self.table = node["id"]["name"], (node["init"] or {}).get("type") in LITERALS
        if kind in FUNCTIONS:
            body = node["body"]
            self.last, self.table = (body["body"] or [None])[-1] if body["type"] == "BlockStatement" else None, False
        for rule in RULES.get(kind, ()):
            rule(self, node)
        for key, child in children(node):
            # "key: value" and "object.key" name things.
            if not (key in ("key", "property", "id", "label") and not node.get("computed")):
                self.visit(child)
        self.owner, self.table, self.last = saved

    def operator(self, node, left="left", right="right"):
        start, end = self.span(node[left])[1], self.span(node[right])[0]
        sign = node["operator"]
        at = self.data.index(sign.encode(), start, end)
        if sign in EQUALITY:
            self.add("relation", at, at + 3, [EQUALITY[sign]])
            self.text(node[left])
            self.text(node[right])
        elif sign == "??":
            self.add("logic", at, at + 2, ["&&"])
        else:
            self.add_operator(at, at + len(sign))

    def unary(self, node):
        start = self.span(node)[0]
        kinds = {"!": "negated", "-": "arithmetic", "~": "bits"}
        if node["operator"] in kinds:
            self.add(kinds[node["operator"]], start, start + 1, [""])

    def update(self, node):
        start, end = self.span(node)
        at = start if node["prefix"] else end - 2
        self.add("arithmetic", at, at + 2, [{"++": "--", "--": "++"}[node["operator"]]])

    def condition(self, node):
        test = node["test"]
        if test and not (test["type"] in ("UnaryExpression", "Literal") or test.get("operator") in EQUALITY):
            start, end = self.span(test)
            self.add("negated", start, end, [f"!({self.between(start, end)})"])

    def literal(self, node):
        start, end = self.span(node)
        value = node.get("value")
        if isinstance(value, bool):
            self.add("constant", start, end, [str(not value).lower()])
        elif isinstance(value, int) and not node.get("bigint"):
            values = [value + 1] + ([value - 1] if value > 0 else [])
            self.add("constant", start, end, [hex(v) if node["raw"].startswith("0x") else str(v) for v in values])
        elif isinstance(value, float):
            self.add("constant", start, end, [f"({node['raw']} + 1)"])

    def text(self, node):
        """A text that is compared or looked for."""
        if node and node["type"] == "Literal" and isinstance(node.get("value"), str) and "regex" not in node and "bigint" not in node:
            start, end = self.span(node)
            self.add("text", start, end, [f"{self.between(start, end)[:-1]}?{self.between(start, end)[-1]}"])

    def case(self, node):
        self.text(node["test"])

    def member(self, node):
        if node["computed"]:
            self.text(node["property"])

    def call(self, node):
        """Arguments in another order; a link of a chain of calls left out."""
        callee, arguments = node["callee"], node["arguments"]
        method = callee["property"].get("name") if callee["type"] == "MemberExpression" and not callee["computed"] else None
        if method in LOOKING and arguments:
            self.text(arguments[0])
        if method in LINKS:
            start, end = self.span(callee["object"])[1], self.span(node)[1]
            self.add("dropped", start, end, ["\n" * self.data.count(b"\n", start, end)])
        for left, right in zip(arguments, arguments[1:]):
            alike = left["type"] == right["type"] in ("Identifier", "MemberExpression", "Literal") and kind_of(left) == kind_of(right)
            (start, middle), (right_start, end) = self.span(left), self.span(right)
            a, b = self.between(start, middle), self.between(right_start, end)
            if alike and a != b:
                self.add("swapped", start, end, [b + self.between(middle, right_start) + a])

    def dropped(self, node):
        """A call or an assignment."""
        start, end = self.span(node["expression"])
        if node["expression"]["type"] in ("CallExpression", "AssignmentExpression", "UpdateExpression"):
            self.add("dropped", start, end, ["void 0" + "\n" * self.data.count(b"\n", start, end)])

    def jump(self, node):
        if node is not self.last:
            start, end = self.span(node)
            self.add("jump", start, end, [";" + "\n" * self.data.count(b"\n", start, end)])

    def loop(self, node):
        """Only the first round is made."""
        body = node["body"]
        if body["type"] == "BlockStatement" and body["body"] and body["body"][-1]["type"] not in JUMPS:
            end = self.span(body["body"][-1])[1]
            self.add("jump", end, end, [" break;"])


P = JavascriptPlanter
RULES = {
    "BinaryExpression": [P.operator], "LogicalExpression": [P.operator], "AssignmentExpression": [P.operator], "UnaryExpression": [P.unary],
    "UpdateExpression": [P.update], "ConditionalExpression": [P.condition], "IfStatement": [P.condition], "Literal": [P.literal],
    "WhileStatement": [P.condition, P.loop], "DoWhileStatement": [P.condition, P.loop], "ForStatement": [P.condition, P.loop],
    "ForOfStatement": [P.loop], "ForInStatement": [P.loop], "SwitchCase": [P.case], "MemberExpression": [P.member],
    "CallExpression": [P.call], "ExpressionStatement": [P.dropped], "ReturnStatement": [P.jump], "BreakStatement": [P.jump],
    "ContinueStatement": [P.jump],
}
