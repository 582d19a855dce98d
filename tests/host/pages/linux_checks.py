# SPDX-License-Identifier: BSD-2-Clause
"""Texts of the page of a recording without IBS (perf's cpu-clock), in headless Chromium: linux_checks.py clock PAGE. Samples of a clock are shares of time and
have a column of percent; code without symbols is noted where it has 2 % of the samples or more, and only there."""
import json
import os
import re
import sys

from browser import Browser, checker

page = sys.argv[2]
head, text, tail = re.fullmatch(r'(.*<script type="application/json" id="profile">)(.*?)(</script>.*)', open(page, encoding="utf-8").read(), re.S).groups()
profile = json.loads(text)
clock = next(i for i, event in enumerate(profile["events"]) if event["kind"] == "clock" and event["samples"])
samples = profile["events"][clock]["samples"]
check = checker("clock")


def notes(*unnamed):
    """The notes of the page if objects without symbols had these samples: (name, samples)."""
    changed = json.loads(text)
    changed["objects"] = []
    changed["functions"] = [dict(function, object=-1) for function in changed["functions"] if function["name"]]
    for name, count in unnamed:
        changed["functions"].append({"object": len(changed["objects"]), "name": None, "start": "0x0", "size": 0, "workload": False, "first_row": 0,
                                     "rows": [["0x1000", None, -1, [], [clock, count, count]]], "sources": []})
        changed["objects"].append({"name": name, "path": None, "why_not": "it is not a file", "build_id": None})
    with open(page + ".changed.html", "w", encoding="utf-8") as file:
        file.write(head + json.dumps(changed) + tail)
    browser.open("file://" + os.path.abspath(page) + ".changed.html")
    return [line for line in browser.script("return [...document.querySelectorAll('.notes li')].map(note => note.textContent)") if line.startswith("No symbols")]


browser = Browser()
try:
    browser.open("file://" + os.path.abspath(page))
    words = browser.script("return document.body.innerText + [...document.querySelectorAll('[role=tabpanel]')].map(view => view.textContent).join(' ')")
    check("no word of sampled ops and time", "not shares of time" not in words and "shares of sampled" not in words)
    heads = browser.script("return [...document.querySelectorAll('[data-table=functions] thead th')].map(th => th.textContent)")
    rows = browser.script("return [...document.querySelectorAll('[data-table=functions] tbody tr')].map(tr => [...tr.cells].map(td => td.textContent))")
    at = next((i for i, head_ in enumerate(heads) if "cpu-clock" in head_), None)
    check("functions have samples and percent", at is not None and heads[at + 1] == "%", heads)
    shown = [(int(row[at].replace(",", "")), row[at + 1]) for row in rows[:3]] if at is not None else []
    check("percent of all samples", shown and all(abs(float(percent.rstrip("\u202f%")) - 100 * count / samples) < .051 for count, percent in shown), shown)
    ticks = browser.script("return [0, .5, 1.5, 2000, 12345, 2e6].map(shortNumber)")
    check("ticks of an axis keep their digits", ticks == ["0", "0.5", "1.5", "2,000", "12.3 k", "2 M"], ticks)
    few, many = int(samples / 50) - 1, int(samples / 50) + 1
    check("code without symbols under 2 % is not told of", notes(("[kernel.kallsyms]_text", few), ("[vdso]", 1), ("//anon", 1)) == [])
    found = notes(("[kernel.kallsyms]_text", many), ("[vdso]", 1))
    check("from 2 % on it is", found == ["No symbols for [kernel.kallsyms]_text: it is not a file."], found)
    console = browser.console()
    check("no word on the console", not console, console[:3])
finally:
    browser.close()
print("end")
