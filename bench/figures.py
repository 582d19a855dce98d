# SPDX-License-Identifier: BSD-2-Clause
"""Figures of programs that measure times: a figure whose error is larger than the figure is not printed."""
import statistics


def figure(values, form):
    """Returns the median of the rounds' values; in words if they differ by more than the median."""
    middle, error = statistics.median(values), max(values) - min(values)
    return format(middle, form) if error <= middle else f"no figure ({min(values):{form.lstrip('0123456789')}} to {max(values):{form.lstrip('0123456789')}})"


def speed(work, more, less):
    """Returns work per second, from the times of two programs, one of which does this much more work, in rounds. None if the difference of the times is
    not above its error, the sum of both spreads; one round has no error."""
    difference = statistics.median(more) - statistics.median(less)
    error = max(more) - min(more) + max(less) - min(less)
    return work / difference if len(more) > 1 and difference > error else None
