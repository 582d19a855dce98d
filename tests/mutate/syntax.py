# SPDX-License-Identifier: BSD-2-Clause
"""One C file as libclang sees it: tokens, the ranges that macros expand from, and a walk over functions and tables.

All offsets are bytes from the start of the file. Macros are not expanded: a place inside a macro's use is refused by
Source.editable().
"""
import bisect
import os

from clang.cindex import CursorKind, Index, TokenKind, TranslationUnit

from planter import ParseError, line_starts

# These expand to one literal; a defect may replace the name itself.
PLAIN_MACROS = {"true", "false", "NULL"}


class Token:
    __slots__ = ("start", "end", "text", "kind")

    def __init__(self, token):
        self.start = token.extent.start.offset
        self.end = token.extent.end.offset
        self.text = token.spelling
        self.kind = token.kind


class Source:
    """The file `path` below the folder `tree`, parsed with `flags` (what the compiler is given, without -c and -o)."""

    def __init__(self, tree, path, flags):
        self.path = path
        full = os.path.join(tree, path)
        with open(full, "rb") as file:
            self.text = file.read()
        # clang looks for "-I." in the folder of the process.
        flags = [f"-I{os.path.join(tree, flag[2:])}" if flag.startswith("-I") else flag for flag in flags]
        self.unit = Index.create().parse(
            full, args=flags + ["-w"], options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        )
        errors = [str(d) for d in self.unit.diagnostics if d.severity >= 3]
        if errors:
            raise ParseError(f"{path}: clang cannot read it: {errors[0]}")
        self.name = self.unit.spelling
        self.tokens = [
            Token(t) for t in self.unit.get_tokens(extent=self.unit.cursor.extent) if t.kind != TokenKind.COMMENT
        ]
        self.token_starts = [t.start for t in self.tokens]
        self.top = []
        self.macros = []
        for cursor in self.unit.cursor.get_children():
            kind = cursor.kind
            if kind == CursorKind.MACRO_DEFINITION or kind == CursorKind.INCLUSION_DIRECTIVE or not self.here(cursor):
                continue
            if kind == CursorKind.MACRO_INSTANTIATION:
                if cursor.spelling not in PLAIN_MACROS:
                    self.macros.append(span(cursor))
            else:
                self.top.append(cursor)
        self.macros.sort()
        self.directives = self.find_directives()

    def here(self, cursor):
        file = cursor.location.file
        return file is not None and file.name == self.name

    def find_directives(self):
        """Ranges of preprocessor lines, continued ones too."""
        found = []
        number = 0
        starts, lines = line_starts(self.text), self.text.split(b"\n")
        while number < len(lines):
            first = number
            if lines[number].lstrip().startswith(b"#"):
                while lines[number].endswith(b"\\"):
                    number += 1
                found.append((starts[first], starts[number] + len(lines[number])))
            number += 1
        return found

    def editable(self, start, end):
        """Whether [start, end) may be replaced: it cuts no use of a macro and touches no preprocessor line."""
        for low, high in self.macros:
            apart = end <= low or start >= high
            around = start <= low and high <= end and (start, end) != (low, high)
            if not apart and not around:
                return False
        return all(end <= low or start >= high for low, high in self.directives)

    def tokens_in(self, start, end):
        i = bisect.bisect_left(self.token_starts, start)
        while i < len(self.tokens) and self.tokens[i].end <= end:
            yield self.tokens[i]
            i += 1

    def token_after(self, offset):
        i = bisect.bisect_left(self.token_starts, offset)
        return self.tokens[i] if i < len(self.tokens) else None


def span(cursor):
    extent = cursor.extent
    return extent.start.offset, extent.end.offset
