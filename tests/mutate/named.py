# SPDX-License-Identifier: BSD-2-Clause
"""The list of defects that no test can notice, each with its reason: tests/mutate/equivalent.

An entry is a file and a function (or a table's variable), the lines before, the lines after, and the reason:

    core/profile/aliasing.c is_tested
    - the line as it is
    + the line with the defect
    = why no test can distinguish them

Blank lines separate the entries; a line that begins with # is a comment. Leading and trailing blanks of lines do not count.
An entry that fits no line of the tree is an error, and so is one that fits several: the reason is one line's.
"""


class ListError(Exception):
    pass


def changed_lines(source, place, text):
    """(lines before, lines after) of a defect as tuples of stripped texts; source: the file as bytes."""
    first = source.rfind(b"\n", 0, place["start"]) + 1
    last = source.find(b"\n", place["end"])
    last = len(source) if last < 0 else last
    before = source[first:last].decode()
    after = (source[first : place["start"]] + text.encode() + source[place["end"] : last]).decode()
    return tuple(tuple(line.strip() for line in part.split("\n") if line.strip()) for part in (before, after))


def read(path):
    """{(file, owner, before, after): reason}."""
    try:
        with open(path) as file:
            blocks = file.read().split("\n\n")
    except FileNotFoundError:
        return {}
    entries = {}
    for block in blocks:
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            continue
        head = lines[0].split()
        parts = {sign: [line[1:].strip() for line in lines[1:] if line[0] == sign] for sign in "-+="}
        if len(head) != 2 or not parts["-"] or not "".join(parts["="]) or any(line[0] not in "-+=" for line in lines[1:]):
            raise ListError(f"{path}: not an entry:\n{block}")
        entries[head[0], head[1], tuple(parts["-"]), tuple(p for p in parts["+"] if p)] = " ".join(parts["="])
    return entries


def key_of(source, place, text):
    return (place["file"], place["owner"], *changed_lines(source, place, text))


def misfits(entries, places, sources):
    """[(entry, lines that it fits)] of those for the files of `sources` that fit none, or more than one."""
    fits = {entry: set() for entry in entries if entry[0] in sources}
    for place in places:
        if any(entry[0] == place["file"] for entry in fits):
            for text in place["texts"]:
                lines = fits.get(key_of(sources[place["file"]], place, text))
                if lines is not None:
                    lines.add(place["line"])
    return [(entry, sorted(lines)) for entry, lines in fits.items() if len(lines) != 1]


def has_lines(path, before):
    """Whether the file has these lines, one after the other: what can be said of an entry without the syntax tree."""
    try:
        with open(path) as file:
            lines = [line.strip() for line in file if line.strip()]
    except FileNotFoundError:
        return False
    return any(tuple(lines[at : at + len(before)]) == before for at in range(len(lines)))
