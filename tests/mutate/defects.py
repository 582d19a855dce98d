"""Where a defect can be planted in a C file, and which: the rules, applied to the syntax tree.

A place is a range of bytes with one or more texts that replace it. Its kind is the rule's name. Code lies in functions;
the initialisers of variables of the file and of static constants are tables.
"""
import re
from dataclasses import asdict, dataclass, field

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from syntax import Source, span


@dataclass
class Place:
    file: str
    owner: str  # the function, or the variable of a table
    table: bool
    kind: str
    start: int
    end: int
    line: int
    statement: int  # the line where the statement around it begins
    texts: list = field(default_factory=list)  # what may stand there instead


RELATIONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"]}
BITS = {"&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"]}
COMPOUND = {"+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "%=": ["/="], "&=": ["|="], "|=": ["&="], "^=": ["|="],
            "<<=": [">>="], ">>=": ["<<="]}
MASKED = {"&", "|", "^", "&=", "|=", "^="}
SHIFTED = {"<<", ">>", "<<=", ">>="}
LOOPS = {K.FOR_STMT, K.WHILE_STMT, K.DO_STMT}
# Inside of these nothing is changed: asserted at compile time, not evaluated, or not C.
CLOSED = {K.STATIC_ASSERT, K.CXX_UNARY_EXPR, K.ASM_STMT, K.TYPE_REF, K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.TYPEDEF_DECL}
STATEMENTS = {K.COMPOUND_STMT, K.IF_STMT, K.FOR_STMT, K.WHILE_STMT, K.DO_STMT, K.SWITCH_STMT, K.CASE_STMT, K.DEFAULT_STMT,
              K.LABEL_STMT, K.RETURN_STMT, K.BREAK_STMT, K.CONTINUE_STMT, K.GOTO_STMT, K.DECL_STMT, K.NULL_STMT}
LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)$")


def value_of(text):
    """(value, base, suffix) of an integer literal, or None."""
    match = LITERAL.match(text)
    if not match:
        return None
    digits = match[1].lower()
    base = 16 if digits[:2] == "0x" else 2 if digits[:2] == "0b" else 8 if digits[0] == "0" and digits != "0" else 10
    return int(digits.removeprefix("0x").removeprefix("0b"), base), base, match[2]


def literal(value, base, suffix):
    return (hex(value) if base in (2, 16) else oct(value).replace("0o", "0") if base == 8 and value else str(value)) + suffix


class Finder:
    def __init__(self, source):
        self.source = source
        self.places = {}
        self.enumerators = {}
        self.owner = ""
        self.table = False
        self.statement = 0
        self.above = []  # the cursors around the visited one

    def add(self, kind, start, end, texts):
        old = self.source.text[start:end].decode()
        texts = [text for text in texts if text != old]
        if texts and self.source.editable(start, end):
            line = self.source.line(start)
            self.places.setdefault(
                (start, end, kind),
                Place(self.source.path, self.owner, self.table, kind, start, end, line, self.statement or line, texts),
            )

    def text(self, cursor):
        start, end = span(cursor)
        return self.source.text[start:end].decode()

    def find(self):
        for cursor in self.source.top:
            self.owner = cursor.spelling
            if cursor.kind == K.FUNCTION_DECL:
                body = [c for c in cursor.get_children() if c.kind == K.COMPOUND_STMT]
                if body:
                    self.block(body[0])
            elif cursor.kind == K.VAR_DECL:
                self.variable(cursor, True)
        return [self.places[key] for key in sorted(self.places)]

    # ------------------------------------------------------------ statements

    def block(self, body):
        """The body of a function. A return that ends it stays: what follows would be undefined."""
        children = list(body.get_children())
        self.last = span(children[-1]) if children else None
        self.visit(body, False)

    def visit(self, cursor, is_statement):
        """is_statement: the cursor stands where a statement stands, so an expression's value is not used."""
        kind = cursor.kind
        if kind in CLOSED:
            return
        if kind == K.VAR_DECL:
            self.variable(cursor, False)
            return
        outer = self.statement
        if kind in STATEMENTS or is_statement:
            self.statement = self.source.line(span(cursor)[0])
        if is_statement:
            self.drop(cursor)
        rule = RULES.get(kind)
        children = list(cursor.get_children())
        if rule:
            rule(self, cursor, children)
        for i, child in enumerate(children):
            inner = kind == K.COMPOUND_STMT or (
                kind in (K.IF_STMT, K.SWITCH_STMT) and i > 0
                or kind in (K.FOR_STMT, K.WHILE_STMT, K.CASE_STMT, K.DEFAULT_STMT, K.LABEL_STMT) and i == len(children) - 1
                or kind == K.DO_STMT and i == 0
            )
            if kind == K.FOR_STMT:
                self.statement = self.source.line(span(cursor)[0])
            self.above.append(cursor)
            self.visit(child, inner)
            self.above.pop()
        self.statement = outer

    def variable(self, cursor, of_file):
        """Only the initialiser: an array's size is no constant that a test could notice."""
        start, end = span(cursor)
        equals = None
        depth = 0
        for token in self.source.tokens_in(start, end):
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == "=" and depth == 0:
                equals = token.end
                break
        if equals is None:
            return
        saved = self.table, self.owner, self.statement
        if of_file or cursor.storage_class.name == "STATIC" and "const" in cursor.type.spelling:
            self.table = True
            self.owner = cursor.spelling
            self.statement = 0
        for child in cursor.get_children():
            if span(child)[0] >= equals:
                self.visit(child, False)
        self.table, self.owner, self.statement = saved

    def drop(self, cursor):
        """A call, an assignment, a jump that does nothing any more."""
        start, end = span(cursor)
        kind = cursor.kind
        lines = "\n" * self.source.text.count(b"\n", start, end)
        if kind in (K.CALL_EXPR, K.COMPOUND_ASSIGNMENT_OPERATOR) or kind == K.UNARY_OPERATOR and self.text(cursor)[:2] != "(v":
            self.add("dropped", start, end, [lines])
        elif kind == K.BINARY_OPERATOR and self.operator(list(cursor.get_children())):
            self.add("dropped", start, end, [lines])
        elif kind == K.BREAK_STMT:
            self.add("jump", start, end, [""])
        elif kind == K.CONTINUE_STMT:
            self.add("jump", start, end, ["", "break"])
        elif kind == K.RETURN_STMT and (start, end) != self.last:
            self.add("jump", start, end, [lines])

    def loop(self, cursor, children):
        """An early break: only the first round is made."""
        body = children[0 if cursor.kind == K.DO_STMT else -1]
        inner = list(body.get_children()) if body.kind == K.COMPOUND_STMT else []
        if inner and inner[-1].kind not in (K.BREAK_STMT, K.RETURN_STMT, K.CONTINUE_STMT, K.GOTO_STMT):
            end = span(inner[-1])[1]
            token = self.source.token_after(end)
            if token and token.text == ";":
                end = token.end
            keep, self.statement = self.statement, self.source.line(span(inner[-1])[0])
            self.add("jump", end, end, [" break;"])
            self.statement = keep
        if cursor.kind == K.FOR_STMT:
            self.for_condition(cursor)
        else:
            self.condition(children[0 if cursor.kind == K.WHILE_STMT else -1])

    def for_condition(self, cursor):
        depth = 0
        ends = []
        start, end = span(cursor)
        for token in self.source.tokens_in(start, end):
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ";" and depth == 1:
                ends.append(token)
                if len(ends) == 2:
                    break
        if len(ends) == 2:
            inner = list(self.source.tokens_in(ends[0].end, ends[1].start))
            if inner:
                self.negate(inner[0].start, inner[-1].end)

    def condition(self, cursor):
        while cursor.kind == K.UNEXPOSED_EXPR and len(list(cursor.get_children())) == 1:
            cursor = next(cursor.get_children())
        if cursor.kind == K.BINARY_OPERATOR and self.operator(list(cursor.get_children())) in ("==", "!="):
            return  # the same as the relation's defect
        if cursor.kind == K.UNARY_OPERATOR and self.text(cursor).startswith("!"):
            return  # the same as dropping the !
        self.negate(*span(cursor))

    def negate(self, start, end):
        text = self.source.text[start:end].decode()
        if text and text not in ("1", "true"):
            self.add("negated", start, end, [f"!({text})"])

    def branch(self, cursor, children):
        self.condition(children[0])

    # ------------------------------------------------------------ expressions

    def operator(self, children):
        """The operator's token text between two operands, or None."""
        token = self.operator_token(children)
        return token.text if token else None

    def operator_token(self, children):
        if len(children) != 2:
            return None
        between = [t for t in self.source.tokens_in(span(children[0])[1], span(children[1])[0])]
        return between[0] if len(between) == 1 else None

    def binary(self, cursor, children):
        token = self.operator_token(children)
        if token is None:
            return
        for kind, table in (("relation", RELATIONS), ("logic", LOGIC), ("arithmetic", ARITHMETIC), ("bits", BITS),
                            ("arithmetic", COMPOUND)):
            if token.text in table:
                kind = "bits" if token.text[0] in "&|^<>" and table is COMPOUND else kind
                self.add(kind, token.start, token.end, table[token.text])

    def unary(self, cursor, children):
        start, end = span(cursor)
        text = self.text(cursor)
        for sign in ("++", "--"):
            other = {"++": "--", "--": "++"}[sign]
            if text.startswith(sign):
                self.add("arithmetic", start, start + 2, [other])
                return
            if text.endswith(sign):
                self.add("arithmetic", end - 2, end, [other])
                return
        if text.startswith("!"):
            self.add("negated", start, start + 1, [""])
        elif text[:1] in ("-", "~"):
            self.add("arithmetic" if text[0] == "-" else "bits", start, start + 1, [""])

    def integer(self, cursor, children):
        start, end = span(cursor)
        text = self.text(cursor)
        if cursor.kind == K.CHARACTER_LITERAL:
            self.add("constant", start, end, [f"({text} + 1)"])
            return
        read = value_of(text)
        if read is None:
            if text in ("true", "false"):
                self.add("constant", start, end, ["false" if text == "true" else "true"])
            return
        value, base, suffix = read
        kind, values = "constant", [value + 1] + ([value - 1] if value else [])
        parent = next((c for c in reversed(self.above) if c.kind not in (K.UNEXPOSED_EXPR, K.PAREN_EXPR)), None)
        if parent is not None and parent.kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            sides = list(parent.get_children())
            sign = self.operator(sides)
            if sign in MASKED:
                kind, values = "mask", [value & (value - 1), value ^ 1 << value.bit_length()] if value else [1]
            elif sign in SHIFTED and span(sides[1])[0] <= start:
                kind = "mask"
        self.add(kind, start, end, [literal(v, base, suffix) for v in values if v < 1 << 64])

    def call(self, cursor, children):
        arguments = list(cursor.get_arguments())
        for left, right in zip(arguments, arguments[1:]):
            if left is None or right is None or not compatible(left.type, right.type):
                continue
            a, b = self.text(left), self.text(right)
            start, end = span(left)[0], span(right)[1]
            if not a or not b or a == b or span(left)[1] > span(right)[0]:
                continue
            between = self.source.text[span(left)[1]:span(right)[0]].decode()
            self.add("swapped", start, end, [b + between + a])

    def name(self, cursor, children):
        target = cursor.referenced
        if target is None or target.kind != K.ENUM_CONSTANT_DECL:
            return
        key = target.semantic_parent.hash
        if key not in self.enumerators:
            self.enumerators[key] = [
                (c.spelling, c.enum_value) for c in target.semantic_parent.get_children() if c.kind == K.ENUM_CONSTANT_DECL
            ]
        row = self.enumerators[key]
        at = [name for name, _ in row].index(target.spelling)
        near = [row[i] for i in (at - 1, at + 1) if 0 <= i < len(row) and row[i][1] != row[at][1]]
        start, end = span(cursor)
        self.add("enum", start, end, [name for name, _ in near])


ARITHMETIC_TYPES = set(range(TypeKind.BOOL.value, TypeKind.LONGDOUBLE.value + 1)) | {TypeKind.ENUM.value}


def compatible(a, b):
    a, b = a.get_canonical(), b.get_canonical()
    if a.kind.value in ARITHMETIC_TYPES and b.kind.value in ARITHMETIC_TYPES:
        return True
    if a.kind != TypeKind.POINTER or b.kind != TypeKind.POINTER:
        return a.spelling == b.spelling
    plain = [t.get_pointee().spelling.replace("const ", "").strip() for t in (a, b)]
    return plain[0] == plain[1] or "void" in plain


RULES = {
    K.BINARY_OPERATOR: Finder.binary,
    K.COMPOUND_ASSIGNMENT_OPERATOR: Finder.binary,
    K.UNARY_OPERATOR: Finder.unary,
    K.INTEGER_LITERAL: Finder.integer,
    K.CHARACTER_LITERAL: Finder.integer,
    K.CALL_EXPR: Finder.call,
    K.DECL_REF_EXPR: Finder.name,
    K.IF_STMT: Finder.branch,
    K.CONDITIONAL_OPERATOR: Finder.branch,
    K.WHILE_STMT: Finder.loop,
    K.DO_STMT: Finder.loop,
    K.FOR_STMT: Finder.loop,
}


def places(tree, path, flags):
    """Every place of a file, as plain dictionaries in the order of the file."""
    return [asdict(place) for place in Finder(Source(tree, path, flags)).find()]
