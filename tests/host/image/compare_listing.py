#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares `codemap list` with `objdump -d -M intel --no-show-raw-insn`, instruction by instruction.

usage: compare_listing.py CODEMAP_LIST OBJDUMP [NM]

Addresses and lengths must be equal. Text must be equal after this normalisation of spelling, and nothing more:
  - case and blanks do not count;
  - numbers: objdump prints negative immediates in two's complement at 8, 16, 32 or 64 bits, and "+0x0" displacements;
  - addresses: objdump prints a RIP-relative operand as [rip+n] with the address after '#', a branch target with <symbol>,
    an absolute operand as ds:n; all are compared as addresses;
  - a size ("dword ptr") that only one side prints is not compared;
  - st(n) is stn, movabs is mov, string instructions print no operands, nops neither operands nor prefixes (66 90 is "xchg ax,ax" too);
  - compares: objdump's cmpltsd a,b is cmpsd a,b,1.

NM is the output of `nm -S`: then only instructions inside functions count, because ours lists functions and objdump lists the
padding between them as well.
"""
import bisect
import functools
import re
import sys

SIZE = re.compile(r"\b(byte|word|dword|fword|qword|tbyte|xmmword|oword) ptr ")
NUMBER = re.compile(r"(?<![\w.@])-?(?:0x[0-9a-f]+|\d+)(?![\w.])")
RIP = re.compile(r"\[rip[^\]]*\]")
PREDICATES = ["eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord"]
STRING = re.compile(r"\b(movs|stos|lods|scas|cmps|ins|outs) .*?\b(byte|word|dword|qword) ptr .*$")


def read_ours(path):
    rows = []
    instruction = re.compile(r"\s*([0-9a-f]+)\s+(\d+)  (.*)$").match
    source = re.compile(r"\.[chS]:\d+$").search
    for line in open(path):
        match = instruction(line)
        if match:
            text = re.sub(r"\s+\S+:\d+$", "", match[3]) if source(match[3]) else match[3]
            rows.append((int(match[1], 16), int(match[2]), text.strip()))
    return rows


def read_objdump(path):
    starts, texts = [], []
    instruction = re.compile(r"\s*([0-9a-f]+):\t(.*)$").match
    for line in open(path, errors="replace"):
        match = instruction(line)
        if match:
            starts.append(int(match[1], 16))
            texts.append(match[2].strip())
    # objdump prints no lengths; the last instruction's stays unknown
    lengths = [after - start for start, after in zip(starts, starts[1:])] + [None]
    return list(zip(starts, lengths, texts))


def inside_functions(rows, nm_path):
    functions = []
    for line in open(nm_path):
        match = re.match(r"([0-9a-f]+) ([0-9a-f]+) [tTwW] ", line)
        if match:
            functions.append((int(match[1], 16), int(match[1], 16) + int(match[2], 16)))
    functions.sort()
    starts = [start for start, _ in functions]
    found = [bisect.bisect_right(starts, row[0]) - 1 for row in rows]
    return [row for row, i in zip(rows, found) if i >= 0 and row[0] < functions[i][1]]


def common(text):
    text = re.sub(r"\s+", " ", text.lower()).replace(", ", ",")
    text = re.sub(r"\bst\((\d)\)", r"st\1", text)
    text = re.sub(r"\bmovabs\b", "mov", text)
    if re.search(r"\bnop\b", text) or text == "xchg ax,ax":  # 66 90: a two-byte nop
        return "nop", []
    sizes = SIZE.findall(text)
    string = STRING.search(text)
    if string:
        return text[: string.start()] + string[1] + string[2][0], []
    return SIZE.sub("", text), sizes


def normalise_objdump(text):
    address = re.search(r"# (?:0x)?([0-9a-f]+)(?: <.*>)?$", text)
    text = re.sub(r"\s*(#.*|<[^>]*>+)$", "", text)
    text, sizes = common(text)
    text = re.sub(r"\bst\b(?!\d)", "st0", text)
    text = re.sub(r"^cmp(%s)([sp][sd] .*)$" % "|".join(PREDICATES), lambda m: f"cmp{m[2]},{PREDICATES.index(m[1])}", text)
    text = text.replace("+0x0]", "]")
    text = re.sub(r"\b([fg]s|ds|[ces]s):(0x[0-9a-f]+)", r"\1:[\2]", text)
    text = re.sub(r"ds:\[0x([0-9a-f]+)\]", r"[@\1]", text)
    if address:
        text = re.sub(r"\[[re]ip[^\]]*\]", "[@%s]" % address[1], text)
    text = re.sub(r"^((?:bnd |notrack )?(?:j\w+|call|loop\w*)) (?:0x)?([0-9a-f]+)$", r"\1 @\2", text)
    return text, sizes


def normalise_ours(text):
    text, sizes = common(text)
    text = re.sub(r"(?<!:)\[(?:0x)?([0-9a-f]+)\]", r"[@\1]", text)
    text = re.sub(r"^((?:bnd |notrack )?(?:j\w+|call|loop\w*)) ([0-9a-f]+)$", r"\1 @\2", text)
    return text, sizes


def numbers_equal(a, b):
    return a == b or (a < 0 <= b and any(a + (1 << bits) == b for bits in (8, 16, 32, 64)))


def jump_or_rip_relative(text):
    """objdump's text of these, which are the ones that seldom recur, as ours is; so most need no normalisation."""
    text, _, address = text.partition(" # ")
    mnemonic, _, operands = text.partition(" <")[0].lower().partition(" ")
    operands = operands.strip().replace(",", ", ")
    if address:
        operands = RIP.sub(f"[{address.partition(' ')[0]}]", operands)
    return f"{mnemonic} {operands}"


@functools.lru_cache(maxsize=None)  # most instructions recur
def same_text(ours, theirs):
    if theirs[-1] == ">" and ours == jump_or_rip_relative(theirs):
        return True
    (a, a_sizes), (b, b_sizes) = normalise_ours(ours), normalise_objdump(theirs)
    a_numbers, b_numbers = ([int(n, 0) for n in NUMBER.findall(text)] for text in (a, b))
    a, b = (re.sub(r"([+-]?)" + NUMBER.pattern, "+N", text).replace(",+N", ",N") for text in (a, b))
    if a_sizes and b_sizes and a_sizes != b_sizes:
        return False
    return a == b and len(a_numbers) == len(b_numbers) and all(map(numbers_equal, a_numbers, b_numbers))


def main():
    ours, theirs = read_ours(sys.argv[1]), read_objdump(sys.argv[2])
    if len(sys.argv) > 3:
        theirs = inside_functions(theirs, sys.argv[3])
    problems = abs(len(ours) - len(theirs))
    for a, b in zip(ours, theirs):
        if a[0] != b[0] or b[1] not in (a[1], None) or not same_text(a[2], b[2]):
            problems += 1
            if problems <= 20:
                print(f"# ours    {a[0]:x} {a[1]} {a[2]}\n# objdump {b[0]:x} {b[1]} {b[2]}")
    print(f"# {len(ours)} instructions of ours, {len(theirs)} of objdump, {problems} differ")
    sys.exit(0 if problems == 0 and ours else 1)


main()
