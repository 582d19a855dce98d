# SPDX-License-Identifier: BSD-2-Clause
"""The table of functions of General Exploration as text and as CSV, cell by cell: same_cells.py TEXT CSV.

Level 1: rows "NAME share CPI+-half ...", below a name of its own line where it is long. Levels 2 and 3: blocks "NAME: share % of
the clocks" with rows "name value +- half unit". A cell is equal when the CSV's figure, rounded to the text's digits, is the text's.
"""
import csv
import re
import sys

COLUMNS = ["CPI, cycles per instruction", "Retiring", "Bad speculation", "Front-end bound", "Back-end bound"]


def rounded(text, like):
    digits = len(like.partition(".")[2])
    return f"{float(text) + 1e-9:.{digits}f}"


def columns_of(header):
    """Of each node where its figures are: value, half, mark."""
    where = {}
    for i, title in enumerate(header):
        match = re.fullmatch(r"(.+?)(, raw)?: above its threshold", title)
        if match:
            where[match[1]] = i - 2
    return where


def compare(row, at, text):
    """text: "-", or mark, value and half."""
    value, half, mark = row[at:at + 3]
    if text == "-":
        return value == half == mark == ""
    match = re.fullmatch(r"(\*?)(-?[0-9.]+) *\+- *([0-9.]+)", text)
    shown = value if float(value) > 0 or match[2].startswith("-") else "0"
    return match[1] == mark and rounded(shown, match[2]) == match[2] and rounded(half, match[3]) == match[3]


def main(text_file, csv_file):
    with open(csv_file, newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    table = list(csv.reader(lines))
    where, rows = columns_of(table[0]), {row[1]: row for row in table[1:]}
    cells, current, seen, name = 0, None, set(), ""
    with open(text_file) as file:
        for line in file:
            block = re.fullmatch(r"(.+): ([0-9.]+) % of the clocks\n", line)
            level1 = re.fullmatch(r"(.{17}) *([0-9.]+)((?: +(?:-|\*?[0-9.]+\+-[0-9.]+)){5})\n", line)
            deep = re.fullmatch(r"([* ]) +(\S.*?) +(-?[0-9.]+ \+- *[0-9.]+|-)(?: [^+]*)?\n", line)
            if block:
                current = rows[block[1]]
            elif level1:
                row = rows[level1[1].strip() or name]
                seen.add(row[1])
                wrong = [c for c, text in zip(COLUMNS, level1[3].split()) if not compare(row, where[c], text)]
                if wrong or rounded(row[7], level1[2]) != level1[2]:
                    sys.exit(f"{row[1]}: {wrong} differ: {line.strip()}")
                cells += 6
            elif deep and current:
                mark = deep[1].strip() if deep[3] != "-" else ""
                if not compare(current, where[deep[2]], mark + deep[3]):
                    sys.exit(f"{current[1]}, {deep[2]}: differs: {line.strip()}")
                cells += 2
            else:
                name = line.strip()
    if not cells or seen != set(rows):
        sys.exit(f"rows of one form only: {seen ^ set(rows)}")
    print(f"{cells} cells of {len(rows)} rows are the same as text and as CSV")


main(*sys.argv[1:])
