# SPDX-License-Identifier: BSD-2-Clause
"""The lines of each room that its unit tests run, from the same counts by which a defect's tests are found, against the floors of
tests/mutate/coverage-floors."""
import math
import os

import report


def of_files(reach):
    """{file: (lines that ran, lines with code)}."""
    return {file: (len(reach.lines.get(file, {})), len(lines)) for file, lines in sorted(reach.recorded.items()) if lines}


def check(tree, reaches, lift):
    """Prints the rate of each room and its files with the lowest; returns how many rooms are at or above their floors."""
    path = os.path.join(tree, "tests", "mutate", "coverage-floors")
    floors = report.read_floors(path)
    held = 0
    for name, reach in reaches.items():
        files = of_files(reach)
        ran, all_lines = (sum(column) for column in zip(*files.values())) if files else (0, 0)
        percent = 100 * ran / all_lines if all_lines else 0.0
        lowest = sorted(files, key=lambda file: files[file][0] / files[file][1])[:3]
        print(f"{name}: {ran} of {all_lines} lines, {percent:.1f} %; lowest: " +
              ", ".join(f"{file} {100 * files[file][0] / files[file][1]:.0f} %" for file in lowest))
        floor, possible = floors.get(name, 0), math.floor(percent)
        if percent < floor or not all_lines:
            print(f"FAIL coverage of {name} is under {floor} %")
            continue
        held += 1
        if possible > floor:
            print(f"{name}: the floor of {floor} % can be {possible} %: " + ("written" if lift else "./dev mutate --coverage --raise"))
            floors[name] = possible
    if lift:
        report.write_floors(path, floors)
    return held
