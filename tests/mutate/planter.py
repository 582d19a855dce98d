# SPDX-License-Identifier: BSD-2-Clause
"""What the planters of all languages have in common: a place is a range of bytes and the texts that may replace it."""
import bisect
from dataclasses import asdict, dataclass

# operator: (kind, replacements)
OPERATORS = {
    "<": ("relation", ["<=", ">="]), "<=": ("relation", ["<", ">"]),
    ">": ("relation", [">=", "<="]), ">=": ("relation", [">", "<"]),
    "==": ("relation", ["!="]), "!=": ("relation", ["=="]),
    "&&": ("logic", ["||"]), "||": ("logic", ["&&"]),
    "+": ("arithmetic", ["-"]), "-": ("arithmetic", ["+"]), "*": ("arithmetic", ["/"]), "/": ("arithmetic", ["*"]),
    "%": ("arithmetic", ["/"]),
    "+=": ("arithmetic", ["-="]), "-=": ("arithmetic", ["+="]), "*=": ("arithmetic", ["/="]), "/=": ("arithmetic", ["*="]),
    "%=": ("arithmetic", ["/="]),
    "&": ("bits", ["|"]), "|": ("bits", ["&"]), "^": ("bits", ["|"]), "<<": ("bits", [">>"]), ">>": ("bits", ["<<"]),
    "&=": ("bits", ["|="]), "|=": ("bits", ["&="]), "^=": ("bits", ["|="]), "<<=": ("bits", [">>="]), ">>=": ("bits", ["<<="]),
}


class ParseError(Exception):
    pass


def line_starts(data):
    """The offset of each line's first byte."""
    return [0] + [at + 1 for at, byte in enumerate(data) if byte == 10]


@dataclass
class Place:
    file: str
    owner: str  # the function, or the variable of a table
    table: bool
    kind: str
    start: int
    end: int
    line: int
    through: int  # a test that runs this line reaches the place: its own line, for the label of a case the switch's
    statement: int  # the line where the statement around it begins, for a place whose own line has no code
    texts: list


class Planter:
    """Collects the places of one file. `data`: its bytes; all offsets are in bytes."""

    def __init__(self, path, data):
        self.path = path
        self.data = data
        self.line_starts = line_starts(data)
        self.places = {}
        self.owner = ""
        self.table = False
        self.statement = 0
        self.label = 0  # in the label of a case: the line of its switch

    def line(self, offset):
        """The line number of an offset, from 1."""
        return bisect.bisect_right(self.line_starts, offset)

    def between(self, start, end):
        return self.data[start:end].decode()

    def editable(self, start, end):
        """Whether a defect may be in [start, end)."""
        return True

    def add(self, kind, start, end, texts):
        texts = [text for text in texts if text != self.between(start, end)]
        if texts and self.editable(start, end):
            line = self.line(start)
            place = Place(self.path, self.owner, self.table, kind, start, end, line, self.label or line, self.statement or line, texts)
            self.places.setdefault((start, end, kind), place)

    def add_operator(self, start, end):
        """The operator in [start, end) becomes another of its kind."""
        kind, texts = OPERATORS.get(self.between(start, end), ("", []))
        self.add(kind, start, end, texts)

    def found(self):
        """Every place, as plain dictionaries in the order of the file."""
        return [asdict(self.places[key]) for key in sorted(self.places)]
