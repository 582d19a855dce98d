# SPDX-License-Identifier: BSD-2-Clause
"""Runs one check of a boot's results: a module's functions check_NAME take the folder and their arguments, return a line on their
findings,
and raise Failed."""
import sys


class Failed(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Failed(text)


def main(functions):
    """SCRIPT FOLDER NAME [ARGUMENT]...: prints the line of one of a module's (its globals()) checks; exits with 1 if it fails."""
    folder, name, *arguments = sys.argv[1:]
    try:
        print(functions["check_" + name.replace("-", "_")](folder, *arguments))
    except Failed as failure:
        sys.exit(f"{failure}")
