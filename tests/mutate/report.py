# SPDX-License-Identifier: BSD-2-Clause
"""The results of a run: on the terminal, in build/mutate/report.json, and against the floors of tests/mutate/floors."""
import difflib
import json
import math

NOTICED, LEFT = ("noticed",), ("survived", "unreached")


def diff(source, place, text):
    after = source[: place["start"]] + text.encode() + source[place["end"] :]
    lines = list(difflib.unified_diff(source.decode().splitlines(), after.decode().splitlines(), lineterm="", n=1))
    return "\n".join("    " + line for line in lines[2:])


def rate(results):
    """(noticed, total, percentage) without the equivalent ones."""
    noticed = sum(r["verdict"] == "noticed" for r in results)
    of = sum(r["verdict"] != "named" for r in results)
    return noticed, of, 100 * noticed / of if of else 100.0


def print_survivor(result, source):
    tests = result["tests"]
    ran = "not reached by any test" if result["verdict"] == "unreached" else f"{len(tests)} ran: {' '.join(tests)}"
    head = f"{result['file']}:{result['line']}: {result['owner']}: {result['kind']}: {ran}"
    print(f"{head}\n{diff(source, result, result['text'])}\n", end="", flush=True)


def print_room(name, results, skipped):
    noticed, of, percent = rate(results)
    named = len(results) - of
    unreached = sum(r["verdict"] == "unreached" for r in results)
    print(
        f"{name}: {noticed} of {of} noticed, {percent:.0f} % ({of - noticed - unreached} survived, {unreached} not reached, "
        f"{named} named equivalent; drawn again: {skipped['invalid']} that do not compile, {skipped['identical']} with the "
        f"same object)"
    )


def write(path, seed, rooms):
    """rooms: name -> (results, skipped)."""
    data = {"seed": seed, "rooms": {}}
    for name, (results, skipped) in rooms.items():
        noticed, of, percent = rate(results)
        data["rooms"][name] = {"noticed": noticed, "of": of, "percent": round(percent, 1), "named": len(results) - of,
                               "drawn_again": skipped, "defects": results}
    with open(path, "w") as file:
        json.dump(data, file, indent=1)


def read_floors(path):
    """{room: per cent}; "# comment" and "ROOM PERCENT" lines."""
    floors = {}
    try:
        with open(path) as file:
            for line in file:
                words = line.split("#")[0].split()
                if words:
                    floors[words[0]] = int(words[1])
    except FileNotFoundError:
        pass
    return floors


def possible_floor(results):
    """The rate with one more survivor, so that a change of the tree may bring one into the sample."""
    noticed, of, _ = rate(results)
    return math.floor(100 * max(noticed - 1, 0) / of) if of else 0


def write_floors(path, floors):
    with open(path) as file:
        head = [line for line in file if line.startswith("#")]
    with open(path, "w") as file:
        file.writelines(head)
        file.writelines(f"{room} {percent}\n" for room, percent in sorted(floors.items()))
