# SPDX-License-Identifier: BSD-2-Clause
"""The rules for places and kinds of defects in a Python file, applied to its syntax tree (the module ast)."""
import ast
import re

from planter import ParseError, Planter

OPERATORS = {
    ast.Lt: ("relation", "<", ["<=", ">="]), ast.LtE: ("relation", "<=", ["<", ">"]),
    ast.Gt: ("relation", ">", [">=", "<="]), ast.GtE: ("relation", ">=", [">", "<"]),
    ast.Eq: ("relation", "==", ["!="]), ast.NotEq: ("relation", "!=", ["=="]),
    ast.In: ("relation", "in", ["not in"]), ast.NotIn: ("relation", r"not\s+in", ["in"]),
    ast.Is: ("relation", "is", ["is not"]), ast.IsNot: ("relation", r"is\s+not", ["is"]),
    ast.And: ("logic", "and", ["or"]), ast.Or: ("logic", "or", ["and"]),
    ast.Add: ("arithmetic", "+", ["-"]), ast.Sub: ("arithmetic", "-", ["+"]), ast.Mult: ("arithmetic", "*", ["/"]),
    ast.Div: ("arithmetic", "/", ["*"]), ast.FloorDiv: ("arithmetic", "//", ["*"]), ast.Mod: ("arithmetic", "%", ["//"]),
    ast.BitAnd: ("bits", "&", ["|"]), ast.BitOr: ("bits", "|", ["&"]), ast.BitXor: ("bits", "^", ["|"]),
    ast.LShift: ("bits", "<<", [">>"]), ast.RShift: ("bits", ">>", ["<<"]),
}
MASKS = (ast.BitAnd, ast.BitOr, ast.BitXor)
# Methods whose first argument is looked for in a text or a table.
LOOKING = {"startswith", "endswith", "split", "rsplit", "partition", "index", "find", "get", "count", "pop"}
JUMPS = (ast.Return, ast.Break, ast.Continue, ast.Raise)


class PythonPlanter(Planter):
    def __init__(self, path, data):
        super().__init__(path, data)
        try:
            self.tree = ast.parse(data)
        except SyntaxError as error:
            raise ParseError(f"{path}: Python cannot read it: {error}") from None
        self.owner = "module"
        self.last = None  # the last statement of the function

    def span(self, node):
        starts = self.line_starts
        return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset

    def find(self):
        self.visit(self.tree)
        return self.found()

    def visit(self, node):
        if isinstance(node, ast.JoinedStr) or isinstance(node, ast.If) and "__main__" in ast.dump(node.test):
            return  # within an f-string Python before 3.12 knows no positions
        saved = self.owner, self.table, self.last
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self.owner, self.last = node.name, node.body[-1]
        elif self.owner == "module" and isinstance(node, ast.Assign) and isinstance(node.value, (ast.Dict, ast.Tuple, ast.List, ast.Set)):
            self.owner, self.table = self.between(*self.span(node.targets[0])).split()[0], True
        for rules in RULES.get(type(node), ()):
            rules(self, node)
        for child in ast.iter_child_nodes(node):
            self.visit(child)
        self.owner, self.table, self.last = saved

    def operator(self, operator, left, right):
        """The operator between two operands."""
        kind, pattern, texts = OPERATORS.get(type(operator), ("", "", []))
        start, end = self.span(left)[1], self.span(right)[0]
        pattern = rf"\b{pattern}\b" if pattern[-1:].isalpha() else re.escape(pattern)
        match = texts and re.search(pattern.encode(), self.data[start:end])
        if match:
            self.add(kind, start + match.start(), start + match.end(), texts)

    def compare(self, node):
        for operator, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators):
            self.operator(operator, left, right)
        for side in [node.left, *node.comparators]:
            self.text(side)

    def boolean(self, node):
        for left, right in zip(node.values, node.values[1:]):
            self.operator(node.op, left, right)

    def binary(self, node):
        self.operator(node.op, node.left, node.right)
        if isinstance(node.op, MASKS):
            for side in (node.left, node.right):
                if isinstance(side, ast.Constant) and isinstance(side.value, int):
                    value = side.value
                    self.add("mask", *self.span(side), [hex(value & (value - 1)), hex(value | 1 << value.bit_length())])

    def augmented(self, node):
        self.operator(node.op, node.target, node.value)

    def unary(self, node):
        start = self.span(node)[0]
        if isinstance(node.op, ast.Not):
            self.add("negated", start, start + 3, [""])
        elif isinstance(node.op, (ast.USub, ast.Invert)):
            self.add("arithmetic" if isinstance(node.op, ast.USub) else "bits", start, start + 1, [""])

    def condition(self, node):
        tests = [node.test] if hasattr(node, "test") else node.ifs
        for test in tests:
            equality = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn))
            if not (equality or isinstance(test, (ast.UnaryOp, ast.Constant))):
                start, end = self.span(test)
                self.add("negated", start, end, [f"(not ({self.between(start, end)}))"])

    def constant(self, node):
        start, end = self.span(node)
        if isinstance(node.value, bool):
            self.add("constant", start, end, [str(not node.value)])
        elif isinstance(node.value, int):
            values = [node.value + 1] + ([node.value - 1] if node.value else [])
            self.add("constant", start, end, [hex(v) if self.between(start, end).startswith("0x") else str(v) for v in values])

    def text(self, node):
        """A text that is compared or looked for."""
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            start, end = self.span(node)
            self.add("text", start, end, [f"{self.between(start, end)[:-1]}?{self.between(start, end)[-1]}"])

    def subscript(self, node):
        self.text(node.slice)

    def call(self, node):
        if isinstance(node.func, ast.Attribute) and node.func.attr in LOOKING and node.args:
            self.text(node.args[0])
        for left, right in zip(node.args, node.args[1:]):
            alike = type(left) is type(right) and isinstance(left, (ast.Name, ast.Attribute, ast.Subscript, ast.Constant))
            (start, middle), (right_start, end) = self.span(left), self.span(right)
            a, b = self.between(start, middle), self.between(right_start, end)
            if alike and a != b:
                self.add("swapped", start, end, [b + self.between(middle, right_start) + a])

    def dropped(self, node):
        """A call, or a change of something that was there before."""
        if isinstance(node, ast.Expr):
            drop = isinstance(node.value, (ast.Call, ast.Yield))
        else:
            drop = isinstance(node, ast.AugAssign) or isinstance(node.targets[0], (ast.Attribute, ast.Subscript))
        if drop:
            start, end = self.span(node)
            self.add("dropped", start, end, ["pass" + "\n" * self.data.count(b"\n", start, end)])

    def jump(self, node):
        if node is not self.last:
            start, end = self.span(node)
            self.add("jump", start, end, ["pass" + "\n" * self.data.count(b"\n", start, end)])

    def loop(self, node):
        """Only the first round is made."""
        last = node.body[-1]
        start, end = self.span(last)
        if not isinstance(last, JUMPS) and not hasattr(last, "body") and node.body[0].lineno > node.lineno:
            blanks = len(self.between(self.line_starts[last.lineno - 1], start))
            self.add("jump", end, end, ["\n" + " " * blanks + "break"])


RULES = {
    ast.Compare: [PythonPlanter.compare], ast.BoolOp: [PythonPlanter.boolean], ast.BinOp: [PythonPlanter.binary],
    ast.UnaryOp: [PythonPlanter.unary], ast.If: [PythonPlanter.condition], ast.IfExp: [PythonPlanter.condition],
    ast.While: [PythonPlanter.condition, PythonPlanter.loop], ast.For: [PythonPlanter.loop], ast.comprehension: [PythonPlanter.condition],
    ast.AugAssign: [PythonPlanter.augmented, PythonPlanter.dropped], ast.Assign: [PythonPlanter.dropped],
    ast.Expr: [PythonPlanter.dropped], ast.Constant: [PythonPlanter.constant], ast.Subscript: [PythonPlanter.subscript],
    ast.Call: [PythonPlanter.call], ast.Return: [PythonPlanter.jump], ast.Break: [PythonPlanter.jump],
    ast.Continue: [PythonPlanter.jump], ast.Raise: [PythonPlanter.jump],
}
