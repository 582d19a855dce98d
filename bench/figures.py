# SPDX-License-Identifier: BSD-2-Clause
"""Figures of programs that measure times: a figure whose error is larger than itself is none."""
import statistics


def figure(values, form):
    """The median of the rounds' values; in words when they differ by more than it is."""
    middle, error = statistics.median(values), max(values) - min(values)
    return format(middle, form) if error <= middle else f"no figure ({min(values):{form.lstrip('0123456789')}} to {max(values):{form.lstrip('0123456789')}})"


def speed(work, more, less):
    """Work a second, of the times of two programs of which one does so much more work, in rounds. None when the difference of the times is
    not above its error, the sum of both spreads; one round has no error."""
    difference = statistics.median(more) - statistics.median(less)
    error = max(more) - min(more) + max(less) - min(less)
    return work / difference if len(more) > 1 and difference > error else None
