# SPDX-License-Identifier: BSD-2-Clause
"""Opens the page of make_chase's runs in headless Chromium: sweep_checks.py sweep|near-far PAGE SCREENSHOTS."""
import os
import re
import sys

from browser import Browser, checker

kind, page, folder = sys.argv[1:4]
name = os.path.splitext(os.path.basename(page))[0]
check = checker(name)


browser = Browser()
try:
    browser.show(page, check)
    charts = browser.script("return [...document.querySelectorAll('figure')].map(f => [f.dataset.chart, +f.dataset.marks,"
                            " f.querySelectorAll('svg .mark').length, (f.querySelector('svg[role=img]')?.getAttribute('aria-label') || '').length])")
    check("every chart has data, says how much, and has a text alternative", all(marks > 0 and marks == drawn and alt > 20 for _, marks, drawn, alt in charts), charts)
    # The median's curve in pixels: level within a step, rising at its end.
    heights = browser.script("return [...document.querySelectorAll('[data-chart=staircase] circle.mark')].map(c => Math.round(+c.getAttribute('cy')))")
    first = heights[:12]
    check("the steps are seen: three sizes each on four heights, rising", len(set(first)) == 4 and all(len(set(first[i:i + 3])) == 1 for i in (0, 3, 6, 9)) and
          first == sorted(first, reverse=True), first)
    x = browser.script("return [...document.querySelectorAll('[data-chart=staircase] circle.mark')].map(c => +c.getAttribute('cx'))")[:12]
    check("sizes go by their logarithms", abs((x[1] - x[0]) - (x[4] - x[3]) * 1 / 1.415) < 1.5, [round(v) for v in x[:5]])
    table = browser.rows("sweep")
    check("the table has a row for each run", len(table) == (12 if kind == "sweep" else 24))
    if kind == "sweep":
        check("and its percentiles", table[9][:1] + table[9][3:7] == ["12 MB", "162", "162", "162", "DRAM"], table[9][:7])
        labels = browser.script("return [...document.querySelectorAll('[data-chart=staircase] text.level')].sort((a, b) => a.getAttribute('x') - b.getAttribute('x')).map(t => t.textContent)")
        check("levels are named where they are", labels == ["L1", "L2", "L3", "DRAM"], labels)
        check("and where they change", len(browser.script("return [...document.querySelectorAll('[data-chart=staircase] .step')]")) == 3)
        widths = browser.script("return [...document.querySelectorAll('[data-chart=staircase] rect.step')].map(band => band.getBoundingClientRect().width)")
        check("as bands from the last point of a step to the first of the next", len(widths) == 3 and all(width > 5 for width in widths), widths)
        steps = browser.rows("levels")
        check("steps at sizes and latencies",
              steps == [["16 KB", "48 KB", "L1", "a hit; 12.5\u202f% missed"],
                        ["96 KB", "448 KB", "L2", "12 cycles"], ["768 KB", "5 MB", "L3", "52 cycles"], ["12 MB", "1 GB", "DRAM", "162 cycles"]], steps)
    else:
        series = browser.script("return [...document.querySelectorAll('[data-chart=staircase] .key span')].map(s => s.textContent)")
        check("two curves", series == ["memory = local", "memory = remote"], series)
        texts = browser.script("return [...document.querySelectorAll('[data-chart=near-far] .mark title')].map(t => t.textContent)")
        near, far = ([int(re.search(r"(\d+) cycles", text)[1]) for text in texts if node in text] for node in ("this node", "another node"))
        check("memory near and far", set(near) == {162} and set(far) == {272}, f"{len(near)} and {len(far)} sizes")
    for width, scheme in ((1280, "light"), (1280, "dark"), (800, "light"), (800, "dark")):
        browser.resize(width, 900)
        browser.colours(scheme)
        wide = []
        for view in ("staircase", "table", "sources"):
            browser.click(f"#tab-{view}")
            browser.screenshot(f"{folder}/{name}-{view}-{width}-{scheme}.png", True)
            wide += [view] if browser.script("return document.documentElement.scrollWidth > innerWidth") else []
        check(f"{width} pixels, {scheme}: nothing sticks out", not wide, wide)
    console = browser.console()
    check("no word on the console", not console, console[:3])
finally:
    browser.close()
print("end")
