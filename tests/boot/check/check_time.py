#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""check_time.py FOLDER MOST: compares the estimate of time with the model's time by state of commit, like tools/time-error: at most MOST
per
cent may be elsewhere, and fewer than for the shares of ops, which come second. Prints one line; exit status 1 otherwise."""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run_csv


def main(folder, most):
    run_csv.read_rows(glob.glob(folder + "/runs/*")[0] + "/time.csv")  # checks for MODEL
    said = subprocess.run(["tools/time-error", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    line = said.stdout.strip()
    figures = [float(figure) for figure in re.findall(r"([0-9.]+) %", line)]
    if said.returncode or len(figures) != 3 or figures[0] > min(float(most), figures[1]):
        sys.exit(line or f"{folder}: no time to compare")
    return line


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
