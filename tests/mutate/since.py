# SPDX-License-Identifier: BSD-2-Clause
"""The lines that changed since a commit, and the commit of the last release."""
import os
import re
import subprocess


class SinceError(Exception):
    pass


def git(tree, *words):
    done = subprocess.run(["git", *words], cwd=tree, capture_output=True, text=True)
    if done.returncode:
        raise SinceError(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def changed_lines(tree, commit):
    """{file: set of line numbers} of the tree as it stands, also what is not committed. A moved line of a renamed file did not change."""
    lines, file = {}, None
    for line in git(tree, "diff", "-U0", "-M", "--no-color", "--no-ext-diff", "--relative", commit, "--").splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else None
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk and file:
            first, count = int(hunk[1]), int(hunk[2] or 1)
            lines.setdefault(file, set()).update(range(first, first + count))
    for file in git(tree, "ls-files", "-o", "--exclude-standard").splitlines():
        with open(os.path.join(tree, file), "rb") as text:
            lines[file] = set(range(1, text.read().count(b"\n") + 2))
    return lines


def last_release(tree):
    """The commit that brought CHANGELOG.md the heading of its newest version, "## N.N (date)"; None: there is none, or no git. What is
    to come is no release: "## N.N (unreleased)"."""
    try:
        with open(os.path.join(tree, "CHANGELOG.md")) as file:
            heading = re.search(r"^## \d(?!.*\(unreleased\))[^\n]*", file.read(), re.M)
        return heading and git(tree, "log", "-1", "--format=%H", f"-S{heading[0]}", "--", "CHANGELOG.md").strip() or None
    except (OSError, SinceError):
        return None


def only(places, lines):
    """The places in these lines."""
    return [place for place in places if place["line"] in lines.get(place["file"], ())]
