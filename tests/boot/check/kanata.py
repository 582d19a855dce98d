# SPDX-License-Identifier: BSD-2-Clause
"""Reads a Kanata log, version 4, only by its description (kanata-log-format.md of github.com/shioyadan/Konata, commit 0be91801)."""


class Wrong(Exception):
    """The file is no valid log."""


class Op:
    def __init__(self, number, cycle):
        self.number, self.began, self.ended, self.flushed = number, cycle, None, False
        self.label, self.stages, self.open = "", [], {}


def need(holds, line, what):
    if not holds:
        raise Wrong(f"line {line}: {what}")


def read(path):
    """Returns the ops by ID. Each must begin (I) before its other lines, and end (R) after them."""
    ops, cycle, retired = {}, None, set()
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    need(lines[0] == "Kanata\t0004", 1, "no header of version 4")
    need(lines[-1] == "", len(lines), "the last line has no end")
    for number, text in enumerate(lines[1:-1], 2):
        word, *fields = text.split("\t")
        if word == "C=":
            need(cycle is None and number == 2, number, "C= again")
            cycle = int(fields[0])
            continue
        need(cycle is not None, number, "no C= before it")
        if word == "C":
            need(int(fields[0]) > 0, number, "time does not go forward")
            cycle += int(fields[0])
            continue
        op_id = int(fields[0])
        if word == "I":
            need(op_id == len(ops) and len(fields) == 3, number, "IDs do not follow one another")
            ops[op_id] = Op(int(fields[1]), cycle)
            continue
        need(op_id in ops, number, "no I before it")
        op = ops[op_id]
        need(op.ended is None, number, "it is over")
        if word == "L":
            need(len(fields) == 3 and fields[1] in "01", number, "no label")
            op.label += fields[2] if fields[1] == "0" else ""
        elif word == "S":
            need(fields[1] not in op.open, number, "its lane has a stage")
            op.open[fields[1]] = (fields[2], cycle)
        elif word == "E":
            name, began = op.open.pop(fields[1], (None, None))
            need(name == fields[2], number, "another stage ends")
            op.stages.append((name, began, cycle))
        elif word == "R":
            need(fields[2] in "01" and not op.open, number, "a stage is open")
            op.ended, op.flushed = cycle, fields[2] == "1"
            need(op.flushed or fields[1] not in retired, number, "a retirement's ID twice")
            if not op.flushed:
                retired.add(fields[1])
        else:
            need(False, number, f"{word} is none of its commands")
    need(all(op.ended is not None for op in ops.values()), len(lines), "an op has no R")
    return ops
