# SPDX-License-Identifier: BSD-2-Clause
"""The rules of defects.py for expressions: operators, literals, names of enumerators, arguments."""
import re

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from syntax import span

MASKED = {"&", "|", "^", "&=", "|=", "^="}
SHIFTED = {"<<", ">>", "<<=", ">>="}
LITERAL = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlL]*)$")
# Functions for which the order of two arguments does not matter: equality, maximum, a count and a size. For comparisons of the
# order of texts this holds only where the result is compared with 0; of stats_mul_div(), which divides by the third, of the first two.
EITHER_ORDER = {"str_equal", "fmax", "fmin", "hypot", "calloc", "reallocarray", "must_alloc", "must_grow", "stat_alloc", "least", "later", "times",
                "stats_alike"}
FIRST_TWO_IN_EITHER = {"stats_mul_div"}
# A text without a percent sign, one of two, is printed as it is by "%s" and as a format.
PRINTED_AS_FORMAT = re.compile(r'[^"]*\? *"[^"%]*"\s*: *"[^"%]*"$')
ORDER = {"strcmp", "strncmp", "strcasecmp", "memcmp"}
NUMBERS = set(range(TypeKind.BOOL.value, TypeKind.LONGDOUBLE.value + 1)) | {TypeKind.ENUM.value}


def value_of(digits):
    """(value, written in base) of an integer literal without its suffix."""
    digits = digits.lower()
    if digits.startswith(("0x", "0b")):
        return int(digits, 0), 16
    return (int(digits, 8), 8) if len(digits) > 1 and digits[0] == "0" else (int(digits), 10)


def written(value, base):
    return hex(value) if base == 16 else f"0{value:o}" if base == 8 else str(value)


def compatible(a, b):
    """Whether arguments of these types can change places."""
    a, b = a.get_canonical(), b.get_canonical()
    if a.kind.value in NUMBERS and b.kind.value in NUMBERS:
        return True
    if a.kind != TypeKind.POINTER or b.kind != TypeKind.POINTER:
        return a.spelling == b.spelling
    plain = [t.get_pointee().spelling.replace("const ", "").strip() for t in (a, b)]
    return plain[0] == plain[1] or "void" in plain


class Expressions:
    """Part of defects.Finder. A rule is given a cursor and its children."""

    def operator_token(self, children):
        """The only token between two operands, or None."""
        if len(children) != 2:
            return None
        between = list(self.source.tokens_in(span(children[0])[1], span(children[1])[0]))
        return between[0] if len(between) == 1 else None

    def operator(self, children):
        token = self.operator_token(children)
        return token.text if token else None

    def binary(self, cursor, children):
        token = self.operator_token(children)
        if token:
            self.add_operator(token.start, token.end)

    def unary(self, cursor, children):
        start, end = span(cursor)
        text = self.text(cursor)
        other = {"++": "--", "--": "++"}
        if text[:2] in other:
            self.add("arithmetic", start, start + 2, [other[text[:2]]])
        elif text[-2:] in other:
            self.add("arithmetic", end - 2, end, [other[text[-2:]]])
        elif text[:1] in ("!", "-", "~"):
            self.add({"!": "negated", "-": "arithmetic", "~": "bits"}[text[0]], start, start + 1, [""])

    def parents(self):
        """The expressions of which the visited one is an operand, from the inside, ignoring parentheses."""
        return [c for c in reversed(self.above) if c.kind not in (K.UNEXPOSED_EXPR, K.PAREN_EXPR)]

    def parent(self):
        return next(iter(self.parents()), None)

    def is_negative_answer(self):
        """A returned -1, or one side of ?:, means "none" or "before"; -2 would mean the same."""
        around = self.parents()[:2]
        return (len(around) == 2 and around[0].kind == K.UNARY_OPERATOR and self.text(around[0])[:1] == "-" and
                around[1].kind in (K.RETURN_STMT, K.CONDITIONAL_OPERATOR))

    def character(self, cursor, children):
        self.add("constant", *span(cursor), [f"({self.text(cursor)} + 1)"])

    def integer(self, cursor, children):
        """By one; a bit of a mask; the count of a shift."""
        start, end = span(cursor)
        text = self.text(cursor)
        if text in ("true", "false"):
            self.add("constant", start, end, ["false" if text == "true" else "true"])
        match = LITERAL.match(text)
        if not match:
            return
        value, base = value_of(match[1])
        kind, values = "constant", [value + 1] + ([value - 1] if value else [])
        if value == 1 and self.is_negative_answer():
            values = [0]
        parent = self.parent()
        if parent is not None and parent.kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR):
            sides = list(parent.get_children())
            sign = self.operator(sides)
            if sign in MASKED:
                # Without its lowest bit; with an additional one above its highest.
                kind, values = "mask", [value & (value - 1), value | 1 << value.bit_length()] if value else [1]
            elif sign in SHIFTED and start >= span(sides[1])[0]:
                kind = "mask"
        self.add(kind, start, end, [written(v, base) + match[2] for v in values if v < 1 << 64])

    def call(self, cursor, children):
        """Two neighbouring arguments in the other order."""
        if cursor.spelling in EITHER_ORDER or cursor.spelling in ORDER and self.is_tested_for_equality():
            return
        arguments = [a for a in cursor.get_arguments() if a is not None]
        for left, right in list(zip(arguments, arguments[1:]))[cursor.spelling in FIRST_TWO_IN_EITHER :]:
            a, b = self.text(left), self.text(right)
            (start, middle), (right_start, end) = span(left), span(right)
            if a == '"%s"' and PRINTED_AS_FORMAT.match(b):
                continue
            if a and b and a != b and middle <= right_start and compatible(left.type, right.type):
                self.add("swapped", start, end, [b + self.between(middle, right_start) + a])

    def is_tested_for_equality(self):
        parent = self.parent()
        return parent is not None and parent.kind == K.BINARY_OPERATOR and self.operator(list(parent.get_children())) in ("==", "!=")

    def name(self, cursor, children):
        """An enumerator's neighbours in its enum."""
        target = cursor.referenced
        if target is None or target.kind != K.ENUM_CONSTANT_DECL:
            return
        key = target.semantic_parent.hash
        if key not in self.enumerators:
            row = [c for c in target.semantic_parent.get_children() if c.kind == K.ENUM_CONSTANT_DECL]
            self.enumerators[key] = [(c.spelling, c.enum_value) for c in row]
        row = self.enumerators[key]
        at = [name for name, _ in row].index(target.spelling)
        near = [row[i][0] for i in (at - 1, at + 1) if 0 <= i < len(row) and row[i][1] != row[at][1]]
        self.add("enum", *span(cursor), near)
