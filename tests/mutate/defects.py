# SPDX-License-Identifier: BSD-2-Clause
"""The rules for places and kinds of defects in a C file, applied to its syntax tree.

The kind of a place is the rule's name. Code lies in functions; the initialisers of the file's variables and of static
constants are tables. The rules for statements are here, those for expressions in expressions.py.
"""
from clang.cindex import CursorKind as K

from expressions import Expressions
from planter import Planter
from syntax import Source, span


LOOPS = {K.FOR_STMT, K.WHILE_STMT, K.DO_STMT}
JUMPS = {K.BREAK_STMT, K.CONTINUE_STMT, K.RETURN_STMT, K.GOTO_STMT}
STATEMENTS = LOOPS | JUMPS | {K.COMPOUND_STMT, K.IF_STMT, K.SWITCH_STMT, K.CASE_STMT, K.DEFAULT_STMT, K.LABEL_STMT, K.DECL_STMT}
LABELLED = {K.CASE_STMT, K.DEFAULT_STMT, K.LABEL_STMT}
# Inside of these nothing is changed: asserted at compile time, not evaluated, or not C.
CLOSED = {K.STATIC_ASSERT, K.CXX_UNARY_EXPR, K.ASM_STMT, K.TYPE_REF, K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.TYPEDEF_DECL}


class Finder(Expressions, Planter):
    def __init__(self, source):
        super().__init__(source.path, source.text)
        self.source = source
        self.editable = source.editable
        self.enumerators = {}
        self.above = []  # the cursors around the visited one
        self.last = None  # the last statement of the function

    def find(self):
        for cursor in self.source.top:
            self.owner = cursor.spelling
            if cursor.kind == K.VAR_DECL:
                self.variable(cursor, True)
            elif cursor.kind == K.FUNCTION_DECL:
                for body in cursor.get_children():
                    if body.kind == K.COMPOUND_STMT:
                        children = list(body.get_children())
                        self.last = span(children[-1]) if children else None
                        self.visit(body, False)
        return self.found()

    def text(self, cursor):
        return self.between(*span(cursor))

    def visit(self, cursor, is_statement):
        """is_statement: the cursor stands where a statement stands, so the value of an expression is not used."""
        kind = cursor.kind
        if kind in CLOSED or not self.source.here(cursor):
            return
        if kind == K.VAR_DECL:
            self.variable(cursor, False)
            return
        outer = self.statement
        if kind in STATEMENTS or is_statement:
            self.statement = self.line(span(cursor)[0])
        if is_statement:
            self.drop(cursor)
        children = list(cursor.get_children())
        if kind in RULES:
            RULES[kind](self, cursor, children)
        self.above.append(cursor)
        for i, child in enumerate(children):
            last = i == len(children) - 1
            body = (
                kind == K.COMPOUND_STMT
                or kind in (K.IF_STMT, K.SWITCH_STMT) and i > 0
                or kind in (K.FOR_STMT, K.WHILE_STMT) and last
                or kind in LABELLED and last
                or kind == K.DO_STMT and i == 0
            )
            if kind == K.CASE_STMT and not last:
                self.label = self.line_of_switch()
            self.visit(child, body)
            self.label = 0
        self.above.pop()
        self.statement = outer

    def line_of_switch(self):
        around = [c for c in self.above if c.kind == K.SWITCH_STMT]
        return self.line(span(around[-1])[0]) if around else 0

    def variable(self, cursor, of_file):
        """Only the initialiser: no test could notice a defect in an array's size."""
        start, end = span(cursor)
        depth = 0
        equals = end
        for token in self.source.tokens_in(start, end):
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == "=" and depth == 0:
                equals = token.end
                break
        saved = self.table, self.owner, self.statement
        if of_file or cursor.storage_class.name == "STATIC" and "const" in cursor.type.spelling:
            self.table, self.owner, self.statement = True, cursor.spelling, 0
        for child in cursor.get_children():
            if span(child)[0] >= equals:
                self.visit(child, False)
        self.table, self.owner, self.statement = saved

    # ------------------------------------------------------------ statements

    def drop(self, cursor):
        """A call or an assignment is removed; a jump is removed or goes elsewhere. Lines keep their numbers."""
        start, end = span(cursor)
        kind = cursor.kind
        lines = "\n" * self.data.count(b"\n", start, end)
        children = list(cursor.get_children())
        calls = kind == K.CALL_EXPR or kind == K.CSTYLE_CAST_EXPR and children and children[-1].kind == K.CALL_EXPR
        assigns = kind in (K.COMPOUND_ASSIGNMENT_OPERATOR, K.UNARY_OPERATOR) or self.operator(children) == "="
        if calls or assigns:
            self.add("dropped", start, end, [lines])
        elif kind == K.BREAK_STMT:
            self.add("jump", start, end, [""])
        elif kind == K.CONTINUE_STMT:
            self.add("jump", start, end, ["", "break"])
        elif kind == K.RETURN_STMT and (start, end) != self.last:
            # A return that ends the function stays: without it behaviour is undefined.
            self.add("jump", start, end, [lines])

    def loop(self, cursor, children):
        """The condition; and an early break, so that only the first round is made."""
        body = children[0 if cursor.kind == K.DO_STMT else -1]
        inner = list(body.get_children()) if body.kind == K.COMPOUND_STMT else []
        if inner and inner[-1].kind not in JUMPS:
            start, end = span(inner[-1])
            token = self.source.token_after(end)
            end = token.end if token and token.text == ";" else end
            outer, self.statement = self.statement, self.line(start)
            self.add("jump", end, end, [" break;"])
            self.statement = outer
        if cursor.kind == K.FOR_STMT:
            self.for_condition(cursor)
        else:
            self.condition(children[0 if cursor.kind == K.WHILE_STMT else -1])

    def for_condition(self, cursor):
        """Between the two semicolons: the syntax tree does not say which of the parts are missing."""
        depth = 0
        ends = []
        for token in self.source.tokens_in(*span(cursor)):
            depth += (token.text in "([{") - (token.text in ")]}")
            if token.text == ";" and depth == 1 and len(ends) < 2:
                ends.append(token)
        inner = list(self.source.tokens_in(ends[0].end, ends[1].start)) if len(ends) == 2 else []
        if inner:
            self.negate(inner[0].start, inner[-1].end)

    def condition(self, cursor):
        children = list(cursor.get_children())
        while cursor.kind == K.UNEXPOSED_EXPR and len(children) == 1:
            cursor = children[0]
            children = list(cursor.get_children())
        # The same as the defects of == and !=, and as removing a !.
        if self.operator(children) not in ("==", "!=") and not self.text(cursor).startswith("!"):
            self.negate(*span(cursor))

    def negate(self, start, end):
        text = self.between(start, end)
        if text not in ("", "1", "true"):
            self.add("negated", start, end, [f"!({text})"])

    def branch(self, cursor, children):
        self.condition(children[0])


RULES = {
    K.BINARY_OPERATOR: Finder.binary,
    K.COMPOUND_ASSIGNMENT_OPERATOR: Finder.binary,
    K.UNARY_OPERATOR: Finder.unary,
    K.INTEGER_LITERAL: Finder.integer,
    K.CHARACTER_LITERAL: Finder.character,
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
    return Finder(Source(tree, path, flags)).find()
