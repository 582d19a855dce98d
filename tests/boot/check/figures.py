#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the figures of README.md and docs/ that come from a boot of the suite: figures.py FOLDER [TEXT VALUE...]

FOLDER is build/boot/NAME. Without TEXT, each block of a document after a line

    <!-- boot NAME: SOURCE -->

must be that boot's output. SOURCE is "report" (the report.txt of its runs in sequence), "console", or a command of
ibsprof with the run at its end ("ibsprof report --view=ibs_dclat"). A line "     ..." in the block marks omitted lines; the lines
between two of them are contiguous in the source, in the same order.

With TEXT, "DOCUMENT: words with {} in them" must be in that document with the values in place of {}, whatever its line breaks.

With REBASE=1 in the environment the documents are rewritten: git diff shows what changed.
"""
import fcntl
import glob
import os
import re
import subprocess
import sys

LEFT_OUT = "     ..."


class Failed(Exception):
    pass


def source(folder, name):
    runs = sorted(glob.glob(os.path.join(folder, "runs", "*")))
    if name.startswith("ibsprof "):
        command = ["build/tools/ibsprof"] + name.split()[1:] + [runs[0]]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [line.rstrip() for line in text.replace(folder.rstrip("/") + "/", "").split("\n")]
    paths = [os.path.join(folder, "console.txt")] if name == "console" else [os.path.join(run, "report.txt") for run in runs]
    return [line.rstrip() for path in paths for line in open(path).read().split("\n")]


def key(line):
    """Returns a line without its figures."""
    return re.sub(r"\b(0x)?[0-9a-f]*[0-9][0-9a-f]*h?\b|[\s.,%#>()-]", "", line)


def find(segment, lines, start, same):
    for at in range(start, len(lines) - len(segment) + 1):
        if all(same(a, b) for a, b in zip(segment, lines[at:])):
            return at
    return -1


def renewed(block, lines):
    """Returns the block made from these lines, and whether the document has it."""
    segments, new, at, equal = [[]], [], 0, True
    for line in block:
        if line == LEFT_OUT:
            segments.append([])
        else:
            segments[-1].append(line)
    for number, segment in enumerate(segments):
        new += [LEFT_OUT] if number else []
        there = find(segment, lines, at, lambda a, b: a == b)
        if there < 0:
            equal, there = False, find(segment, lines, at, lambda a, b: key(a) == key(b))
        if there < 0:
            raise Failed("nothing like this was printed: " + " | ".join(segment[:3]))
        new += lines[there:there + len(segment)]
        at = there + len(segment)
    return new, equal


def blocks(text, boot):
    """Yields (first line, end, source) of each block of that boot; the lines are between the fences."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        marker = re.fullmatch(r"<!-- boot (\S+): (.*) -->", line)
        if marker and marker[1] == boot:
            first = next(i for i in range(number, len(lines)) if lines[i].startswith("```")) + 1
            yield first, next(i for i in range(first, len(lines)) if lines[i] == "```"), marker[2]


def check_blocks(folder, text, rebase):
    lines, wrong, count = text.split("\n"), [], 0
    for first, end, name in blocks(text, os.path.basename(folder.rstrip("/"))):
        try:
            new, equal = renewed(lines[first:end], source(folder, name))
        except Failed as failure:
            wrong.append(str(failure))
            continue
        count += 1
        if not equal and not rebase:
            wrong.append(next(f"'{a}' where '{b}' was printed" for a, b in zip(lines[first:end], new) if a != b))
        lines[first:end] = new if rebase else lines[first:end]
    return "\n".join(lines), count, wrong


def check_text(text, template, values, rebase):
    pattern = r"(\S+?)".join(re.escape(part).replace(r"\ ", r"\s+") for part in template.split("{}"))
    found = list(re.finditer(pattern, text))
    if len(found) != 1 or found[0].re.groups != len(values):
        raise Failed(f"found {len(found)} times: {template}")
    if rebase:
        for group in range(len(values), 0, -1):
            start, end = found[0].span(group)
            text = text[:start] + values[group - 1] + text[end:]
    elif found[0].groups() != tuple(values):
        raise Failed(f"{template}: {', '.join(found[0].groups())} in the document, {', '.join(values)} now")
    return text


def edit(path, work):
    """Replaces the document by work(text), safely with several tests at once."""
    with open(path, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        text = file.read()
        new = work(text)
        if new != text:
            file.seek(0)
            file.truncate()
            file.write(new)


def main():
    folder, rebase = sys.argv[1], os.environ.get("REBASE") == "1"
    if len(sys.argv) > 2:
        path, template = sys.argv[2].split(": ", 1)
        edit(path, lambda text: check_text(text, template, sys.argv[3:], rebase))
        print(f"{path} has {template.format(*sys.argv[3:])}")
        return
    total, wrong = 0, []

    def each(text):
        nonlocal total, wrong
        new, count, bad = check_blocks(folder, text, rebase)
        total, wrong = total + count, wrong + bad
        return new

    for path in ["README.md"] + sorted(glob.glob("docs/*.md")):
        edit(path, each)
    if wrong or not total:
        raise Failed("; ".join(wrong) or "no document has a block of this boot")
    print(f"{total} blocks of the documents are as this boot printed them")


try:
    main()
except Failed as failure:
    sys.exit(f"{failure} (REBASE=1 writes the documents anew)")
