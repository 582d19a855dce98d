# SPDX-License-Identifier: BSD-2-Clause
"""Checks rows of docs/paper.md that have a boot's samples beside its exact counts.

The exact figures are the document's, as printed: they follow from the arrays' addresses and the model. The samples also depend on
where in the loop each interrupt comes, so on the layout of all code in the image, and differ between builds as between seeds. So
they are compared within 3.5 standard errors of a difference, which chance alone exceeds once in 2,000 figures. REBASE=1 writes
the boot's own (figures.py).
"""
import math
import re

ERRORS = 3.5
ROW = "| {} | {{}} / {{}} = **{{}} %** (exact {{}} %) | {{}} (exact {{}}) | {{}} % |"
# Least and most cycles of a miss: from the L2, and from memory (docs/model.md). Latencies between them vary at most as a choice of these
# two.
NEAREST, FARTHEST = 12, 162


def template(name):
    return "docs/paper.md: " + ROW.format(name)


def of_chance(one, other):
    """Returns the greatest difference of two counts by chance."""
    return ERRORS * math.sqrt(one + other)


def of_shares(one, n_one, other, n_other):
    """Returns the greatest difference of two shares by chance, after adding one sample on each side of each, so that it is not 0 if all
    are alike."""
    both = (one * n_one + other * n_other + 2) / (n_one + n_other + 4)
    return ERRORS * math.sqrt(both * (1 - both) * (1 / n_one + 1 / n_other))


def of_latencies(one, n_one, other, n_other):
    mean = (one * n_one + other * n_other) / (n_one + n_other)
    variance = max(mean - NEAREST, 1) * max(FARTHEST - mean, 1)
    return ERRORS * math.sqrt(variance * (1 / n_one + 1 / n_other))


def differences(text, name, values):
    """Returns the figures of the document's row that this boot's values do not allow."""
    pattern = r"(\S+?)".join(re.escape(part) for part in ROW.format(name).split("{}"))
    found = re.findall(pattern, text)
    if len(found) != 1:
        return [f"docs/paper.md has {len(found)} rows of this name"]
    document, now = found[0], [float(value) for value in values]
    misses, loads, ratio, _, latency, _, walks = (float(value) for value in document)
    wrong = [f"exact {a} in the document, {b} now" for a, b in zip(document[3:6:2], values[3:6:2]) if a != b]
    if document[2] != f"{100 * misses / loads:.1f}":
        wrong.append(f"{document[2]} % is not {document[0]} of {document[1]}")
    for what, there, here, most in (
            ("sampled loads", loads, now[1], of_chance(loads, now[1])),
            ("% missed", ratio, now[2], 100 * of_shares(misses / loads, loads, now[0] / now[1], now[1])),
            ("cycles", latency, now[4], of_latencies(latency, misses, now[4], now[0])),
            ("% page walks", walks, now[6], 100 * of_shares(walks / 100, loads, now[6] / 100, now[1]))):
        if abs(there - here) > most:
            wrong.append(f"{there:g} {what} in the document, {here:g} now: {abs(there - here) / most * ERRORS:.1f} standard errors")
    return wrong
