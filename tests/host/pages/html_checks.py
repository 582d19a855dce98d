# SPDX-License-Identifier: BSD-2-Clause
"""Opens a report in headless Chromium and checks what a reader would: html_checks.py walk|run|cores|scattered PAGE SCREENSHOTS.
walk: a generated run of the matrix multiply, run: a real run without gaps; cores: the same on four cores of two nodes; scattered: a file whose code is unknown."""
import csv
import json
import math
import os
import subprocess
import sys
import time

from browser import Browser, checker

kind, page, folder = sys.argv[1:4]
name = os.path.splitext(os.path.basename(page))[0]
# The load of b[k][j], as in the paper's program.
CULPRIT = "fld dword ptr [rcx+rax*4+8]"
check = checker(name)


def exact_latencies():
    """DcMissLat of the culprit's loads that missed, ascending, from the samples themselves."""
    run = json.loads(browser.script("return document.querySelector('script[type=\"application/json\"]').textContent"))["run"]["path"]
    out = subprocess.run(["build/tools/ibsprof", "export", "--samples=op", run], capture_output=True, text=True, check=True).stdout
    missed = [row for row in csv.DictReader(line for line in out.splitlines() if not line.startswith("#")) if row["IbsLdOp"] == "1" and row["IbsDcMiss"] == "1"]
    return sorted(int(row["IbsDcMissLat"]) for row in missed if row["IbsOpRip"].endswith("072"))


def visible():
    return browser.script("return [...document.querySelectorAll('[role=tabpanel]')].filter(s => !s.hidden).map(s => s.id)")


def shoot(view):
    browser.click(f"#tab-{view}")
    browser.screenshot(f"{folder}/{name}-{view}-{size}-{theme}.png", True)


def in_order(names):
    return len(names) >= 4 and browser.script("return arguments[0].every((name, i, all) => i === 0 || all[i - 1].localeCompare(name) <= 0)", names)


def tab_until(test, most=60):
    """Presses Tab until the script is true for the focused element; returns the number of presses, or None."""
    for times in range(1, most):
        browser.keys("Tab")
        if browser.script(f"const e = document.activeElement; return !!({test})"):
            return times
    return None


browser = Browser()
try:
    size, theme = 1280, "light"
    began = time.monotonic()
    browser.show(page, check)
    check("drawn within 20 s", time.monotonic() - began < 20, f"{time.monotonic() - began:.1f} s")
    views = browser.script("return [...document.querySelectorAll('[role=tab]')].map(tab => tab.id.slice(4))")
    check("eight views", len(views) >= 8, " ".join(views))

    charts = browser.script("return [...document.querySelectorAll('figure')].map(f => [f.dataset.chart, +f.dataset.marks, f.querySelectorAll('svg .mark').length, "
                            "!!f.querySelector('svg[role=img]'), (f.querySelector('svg').getAttribute('aria-label') || '').length])")
    check("every chart has data", len(charts) >= 8 and all(marks > 0 for _, marks, _, _, _ in charts), ", ".join(f"{c[0]} {c[1]}" for c in charts))
    check("and says so of what is drawn", all(marks == drawn for chart, marks, drawn, _, _ in charts if chart not in ("addresses",)))
    check("every chart has a role and a text alternative", all(role and text > 20 for _, _, _, role, text in charts))
    browser.click("#tab-data")
    pixels = browser.script("const c = document.querySelector('[data-chart=addresses] canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
                            "let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n")
    check("the plot of addresses has ink", pixels > 200, f"{pixels} pixels")
    unnamed = browser.script("return [...document.querySelectorAll('button, select, input')].filter(e =>"
                             " !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map(e => e.outerHTML)")
    check("every control has a name", not unnamed, unnamed)
    check("every axis has a unit", browser.script("return [...document.querySelectorAll('figure svg')].every(svg => svg.querySelector('text.muted'))"))
    stray = browser.script("const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, n => n.parentElement.closest('script') ? NodeFilter.FILTER_REJECT : 1);"
                           "for (let n = walk.nextNode(); n; n = walk.nextNode()) if (/^(null|undefined)$|\\bNaN\\b|\\[object/.test(n.data.trim())) found.push(n.data); return found")
    check("no figure is missing by mistake", not stray, stray)

    if kind in ("walk", "cores"):
        stamps = browser.script("return [...document.querySelectorAll('[data-table=certificate] .stamp')].map(e => [e.textContent, getComputedStyle(e).borderTopColor])")
        words = [word for word, _ in stamps]
        check("the certificate's verdicts are drawn", words.count("NOTE") == 3 and words.count("PASS") == (4 if kind == "walk" else 22) and "FAIL" not in words, " ".join(words))
        check("and each has a colour of its own", len({stamp for word, stamp in stamps if word in ("PASS", "NOTE")}) == 2)
        found = [cell for row in browser.rows("certificate") for cell in row]
        check("SMI, P-state limit and gaps are noted", any("1 unknown, 1 SMI" in cell for cell in found) and "0 at the start, 1 at the end" in found)
        bars = browser.script("return [...document.querySelectorAll('[data-chart=certificate-gaps] .mark title')].map(t => t.textContent)")
        check("the gaps are drawn with their causes", sorted(bar for bar in bars if "pass" in bar) == ["412 ns, unknown, after pass 1", "91.0 \u00b5s, SMI, before pass 1"], bars)
        check("the summary says that there is something to note", "noise certificate" in browser.script("return document.querySelector('.notes').textContent"))
    if kind == "run":
        words = browser.script("return [...document.querySelectorAll('[data-table=certificate] .stamp')].map(e => e.textContent)")
        check("the certificate passes", words.count("PASS") == 6 and not {"NOTE", "FAIL"} & set(words), " ".join(words))
        check("no gap: the rule of three", [row[-1].startswith("fewer than") for row in browser.rows("gaps")] == [True], browser.rows("gaps"))
        bars = browser.script("return [...document.querySelectorAll('[data-chart=certificate-gaps] .mark title')].map(t => t.textContent)")
        check("no gap is drawn, but how long was measured", len(bars) == 1 and bars[0].startswith("measured for "), bars)
        check("the summary has nothing to note of it", "noise certificate" not in browser.script("return document.querySelector('.notes').textContent"))
    if kind == "cores":
        check("no gap in 10 ms: the rule of three", [row[-1] for row in browser.rows("gaps")] == ["200 seen", "fewer than 300", "fewer than 300", "fewer than 300"], browser.rows("gaps")[1][-1])
        cores, nodes = browser.rows("core-rows"), browser.rows("node-rows")
        number = lambda text: int(text.replace(",", ""))
        check("four cores of two nodes", [row[:2] for row in cores] == [["core 0", "0"], ["core 1", "0"], ["core 2", "1"], ["core 3", "1"]] and [row[0] for row in nodes] == ["node 0", "node 1"])
        check("a node is the sum of its cores", all(sum(number(row[2]) for row in cores if row[1] == node[0][-1]) == number(node[1]) for node in nodes), [row[1] for row in nodes])
        heads = browser.script("return [...document.querySelectorAll('[data-table=core-rows] th')].map(th => th.textContent)")
        remote = [row[heads.index("Remote")] for row in cores]
        check("only cores of the second node asked the other one", remote[:2] == ["0.0\u202f%"] * 2 and all(30 < float(text[:-2]) < 70 for text in remote[2:]), remote)
        check("the line that is used most has all four cores, and two of them at one address", browser.rows("cache-lines")[0][1:3] == ["4", "true"], browser.rows("cache-lines")[0])
        browser.click("#tab-lines")
        browser.script("const box = document.querySelector('#lines input'); box.value = arguments[0]; box.dispatchEvent(new Event('input'))", browser.rows("cache-lines")[1][0])
        check("a line is found by its address", len(browser.rows("cache-lines")) == 1)
        browser.click("#tab-cores")
        drawn = lambda: browser.script("return [...document.querySelectorAll('[data-chart=core-ratios] .mark title')].map(t => t.textContent)")
        first = drawn()
        check("each core's miss ratio is drawn", len(first) == 4 and "more than chance" in browser.script("return document.querySelector('[data-chart=core-ratios] figcaption').textContent"), first)
        browser.script("const s = document.getElementById('core-ratio'); s.value = 'remote'; s.dispatchEvent(new Event('change'))")
        check("another ratio can be chosen", drawn() != first and len(drawn()) == 4, drawn())
        check("latency by core is drawn", len(browser.script("return [...document.querySelectorAll('[data-chart=core-latency] circle')]")) == 4)
    if kind == "walk":
        browser.click("#tab-roofline")
        drawn = browser.script("const chart = document.querySelector('[data-chart=roofline]');"
                               "return [chart.querySelector('.roof').getAttribute('d').split('L').length, chart.querySelectorAll('circle').length]")
        check("the roofline has both bends of the roof and two places", drawn == [3, 2], drawn)
        check("and says how near its roof the workload is", "18.8 % of the peak of memory" in browser.script("return document.querySelector('#roofline p').textContent"))
    if kind in ("walk", "run"):
        check("the summary points at the culprit", CULPRIT in browser.script("return document.querySelector('[data-culprit]').textContent"))
        check("and says that it is a model", "MODEL" in browser.script("return document.querySelector('.notes').textContent"))
        browser.click("#tab-listing")
        marked = browser.script("return [...document.querySelectorAll('tr[data-culprit]')].map(tr => tr.cells[2].textContent)")
        check("the hottest row of the listing is the culprit", marked == [CULPRIT], marked)
        check("with its source line", "matrix->b[k][j]" in browser.script("return document.querySelector('table.listing').textContent"))
        check("the walk through the matrix is found", browser.script("return document.querySelector('#data input[type=number]').value") == "4000")
        for column, expected in (("Loads", None), ("Miss ratio", CULPRIT)):
            browser.script("const s = document.querySelectorAll('#listing select')[2]; s.value = [...s.options].find(o => o.text === arguments[0]).value; s.dispatchEvent(new Event('change'))", column)
            heat = browser.script("return document.querySelector('#listing th.heat').innerText.replace(/\\n/g, ' ')")
            marked = browser.script("return document.querySelector('tr[data-culprit]').cells[2].textContent")
            check(f"heat by {column}", heat == column and (expected is None or marked == expected), marked)
        sampled = browser.script("return document.querySelectorAll('#listing tr.insn').length")
        browser.script("document.querySelectorAll('#listing input[type=checkbox]')[1].click()")
        check("instructions without samples can be left out", browser.script("return document.querySelectorAll('#listing tr.insn').length") < sampled)
        browser.script("document.querySelectorAll('#listing input[type=checkbox]')[1].click()")

        browser.click("#tab-functions")
        browser.click("[data-table=functions] tbody button")
        check("a click on a function goes to its listing", visible() == ["listing"])
        browser.click("#tab-latency")
        slow, cells = exact_latencies(), next(row for row in browser.rows("latency-rows") if CULPRIT in row[0])
        wanted = [slow[math.ceil(q * len(slow)) - 1] for q in (0.5, 0.9)]
        check("its median and 90th percentile are latencies that were sampled", [int(cell) for cell in cells[-2:]] == wanted and len(slow) > 100, wanted)
        browser.click("[data-table='latency-rows'] tbody button")
        check("a click on an instruction, too", visible() == ["listing"] and
              browser.script("const r = document.querySelector('tr[data-culprit]').getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight"))

        # By keyboard alone, from the start.
        browser.open("about:blank")
        browser.open("file://" + os.path.abspath(page))
        steps = tab_until("e.matches('[role=tab]')")
        check("Tab reaches the views", steps is not None, f"{steps} times")
        focus = browser.script("const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]")
        check("the focus is visible", focus[0] != "none" and focus[1] >= 2, focus)
        browser.keys("Right")
        check("the arrow changes the view", visible() == ["functions"])
        before = [row[0] for row in browser.rows("functions")]
        steps = tab_until("e.matches('[data-table=functions] th button')")
        browser.keys("Enter")
        sorts = browser.script("return [...document.querySelectorAll('[data-table=functions] th')].map(th => th.getAttribute('aria-sort'))")
        names = [row[0] for row in browser.rows("functions")][:-1]
        check("Enter sorts by the column", sorts[0] == "ascending" and in_order(names), f"{before[0]}... to {names[0]}...{names[-1]}, {len(names)} rows")
        browser.keys("Enter")
        names = [row[0] for row in browser.rows("functions")][:-1]
        check("and again the other way", in_order(names[::-1]), f"{names[0]}...{names[-1]}")
        steps = tab_until("e.matches('[data-table=functions] tbody button')")
        browser.keys("Enter")
        check("Enter on a function shows its listing", steps is not None and visible() == ["listing"])
        browser.open("file://" + os.path.abspath(page) + "#/fetch")
        check("the address can name a view", visible() == ["fetch"])
    else:
        check("code without symbols is said to be so", "(no symbol" in browser.script("return document.body.textContent"))
        check("few rows are drawn of many", browser.script("return document.querySelectorAll('tr').length") < 60000)

    for width, scheme in ((1280, "light"), (1280, "dark"), (800, "light"), (800, "dark")) if kind != "scattered" else ((1280, "light"),):
        size, theme = width, scheme
        browser.resize(width, 900)
        browser.colours(scheme)
        wide = []
        for view in views:
            shoot(view)
            wide += [view] if browser.script("return document.documentElement.scrollWidth > innerWidth") else []
        check(f"{width} pixels, {scheme}: nothing sticks out", not wide, wide)
        paper = browser.script("return getComputedStyle(document.body).backgroundColor").strip("rgb()").split(",")
        check(f"{width} pixels: {scheme} is {scheme}", (sum(map(int, paper)) < 200) == (scheme == "dark"), paper)
    if kind == "walk":
        browser.resize(1400, 1000)
        browser.open("about:blank")
        browser.open("file://" + os.path.abspath(page) + "#/listing")
        browser.script("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        place = browser.script("const at = document.querySelector('[data-table=listing] tr[data-culprit]').getBoundingClientRect(); return [at.top, at.bottom, innerHeight]")
        check("the listing opens at its line by a link", 0 <= place[0] and place[1] <= place[2], place)
    if kind in ("walk", "run"):
        browser.click("button.theme")
        check("the button changes to light", browser.script("return [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]") == ["light", "rgb(252, 252, 251)"])
        browser.pdf(f"{folder}/{name}.pdf")
        check("it prints", os.path.getsize(f"{folder}/{name}.pdf") > 50000)
    console = browser.console()
    check("no word on the console", not console, console[:3])
finally:
    browser.close()
print("end")
