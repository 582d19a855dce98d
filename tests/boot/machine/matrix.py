#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Boots the machines of tests/boot/machine/matrix.rows, and compares how each ends with what its row says:

    tests/boot/machine/matrix.py [--list] [--share N OF] [--seconds S] [NAME...]

NAME: only boots whose names begin so. --share: every OF-th boot, from the N-th on; --seconds: none begins later. The last line is "N passed, N failed".
"""
import argparse
import itertools
import os
import re
import shutil
import subprocess
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))
# tools/qemu/boot, and what begins with that instead where the first word is "network".
START = "tools/qemu/boot", "tests/boot/machine/on-network"
LACKING = 77  # its status where a machine cannot have networks of its own
ROWS, OUT = os.path.join(ROOT, "tests/boot/machine/matrix.rows"), os.path.join(ROOT, "build/boot/matrix")
FIXED = "menu=no hold_s=0 selftest=no reference=no"


def boots(path):
    """(name, end, what is shown, words, settings) of each boot."""
    for line in open(path, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        name, end, shown, *cells = [cell.strip() for cell in line.split("|")]
        *cells, settings = [[word if word != "-" else "" for word in cell.split(" / ")] for cell in cells]
        for words in itertools.product(*cells, settings):
            *words, setting = words
            text = " ".join(word for word in words if word)
            yield "-".join([name, *map(os.path.basename, re.sub(r"--\S+ |--", "", text).split())]), int(end), shown, text.split(), setting


def boot(name, end, shown, words, settings):
    """None, what is wrong, or a whole line that says why it was not tried."""
    folder = os.path.join(OUT, name.replace(",", "."))
    os.makedirs(folder, exist_ok=True)
    if "--secure" in words and not os.path.exists(os.path.join(ROOT, "build/boot/secure")):
        subprocess.run("tests/boot/machine/secure-sticks", cwd=ROOT, capture_output=True, check=False)
    start = [START[0]]
    if words[0] == "network":
        start, words = [START[1], f"{folder}/server"], words[1:]
        shutil.rmtree(start[1], ignore_errors=True)
    words = [*start, "--out", folder, "--timeout", "600", *words]
    if "--revision" in words:
        words += ["--options", f"{FIXED} {settings}"]
    else:
        with open(f"{folder}/ibsboot.ini", "w", encoding="utf-8") as file:
            file.write("\n".join(f"{FIXED} end=off {settings}".split()) + "\n")
        words += ["--without-vpmu", "--file", f"{folder}/ibsboot.ini:ibsboot/ibsboot.ini"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == LACKING:
        return f"skip boot over the network: {done.stdout.strip()}"
    with open(f"{folder}/console.txt", encoding="utf-8", errors="replace") as file:
        console = file.read()
    if done.returncode != end:
        return f"status {done.returncode}, not {end}: {' '.join(done.stdout.split())}"
    if shown.strip("-") and (shown.lstrip("!") in console) == shown.startswith("!"):
        return f"'{shown}': {console.strip().splitlines()[-1:]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--share", nargs=2, type=int, default=(0, 1))
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--rows", default=ROWS)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    chosen = [row for row in boots(given.rows) if not given.names or row[0].startswith(tuple(given.names))][given.share[0]::given.share[1]]
    if given.list:
        print("\n".join(row[0] for row in chosen))
        return 0
    passed = failed = 0
    begun = time.monotonic()
    for row in chosen:
        if time.monotonic() - begun > given.seconds:
            break
        wrong = boot(*row)
        if (wrong or "").startswith("skip "):
            print(wrong)
            continue
        print(f"not ok {row[0]}: {wrong}" if wrong else f"ok {row[0]}: status {row[1]}", flush=True)
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    raise SystemExit(main())
