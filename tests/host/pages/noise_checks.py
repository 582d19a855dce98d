# SPDX-License-Identifier: BSD-2-Clause
"""Opens the pages of make_noise.py's runs in headless Chromium: noise_checks.py report|compare PAGE SCREENSHOTS."""
import os
import sys

from browser import Browser, checker

kind, page, folder = sys.argv[1:4]
name = os.path.splitext(os.path.basename(page))[0]
check = checker(name)


def text(selector):
    return browser.script("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)


browser = Browser()
try:
    browser.show(page, check)
    charts = browser.script("return [...document.querySelectorAll('figure')].map(f => [f.dataset.chart, +f.dataset.marks,"
                            " f.querySelectorAll('svg .mark').length, (f.querySelector('svg[role=img]')?.getAttribute('aria-label') || '').length])")
    check("every chart has data and a text alternative", len(charts) >= 4 and all(marks > 0 and alt > 20 for _, marks, _, alt in charts), ", ".join(f"{c[0]} {c[1]}" for c in charts))
    check("and says so of what is drawn", all(marks == drawn for chart, marks, drawn, _ in charts if not chart.startswith("time-")))
    stray = browser.script("const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, n => n.parentElement.closest('script') ? NodeFilter.FILTER_REJECT : 1);"
                           "for (let n = walk.nextNode(); n; n = walk.nextNode()) if (/^(null|undefined)$|\\bNaN\\b|Infinity|\\[object/.test(n.data.trim())) found.push(n.data); return found")
    check("no figure is missing by mistake", not stray, stray)
    views = [tab[4:] for tab in browser.script("return [...document.querySelectorAll('[role=tab]')].map(tab => tab.id)")]
    largest = dict(browser.script("return [...document.querySelectorAll('figure[data-chart^=time-]')].map(f => [f.dataset.chart, f.querySelector('text.largest').textContent])"))
    linux = largest.get("time-linux" if kind == "report" else "time-B-linux", "")
    check("Linux' largest detour is marked, and is no tick", linux.startswith("380") or linux.startswith("381"), linux)
    check("with its time and class", "at 5.102500 s, unknown" in linux)
    check("and a quiet regime says how rare detours must be", any("fewer than 0.3 a second (95 %)" in line for line in text("[data-quiet]")), len(text("[data-quiet]")))
    if kind == "report":
        table = browser.rows("regimes")
        check("four regimes side by side", [row[0] for row in table] == ["ibsboot, everything off", "ibsboot, interrupts off", "ibsboot, firmware's interrupts on", "Linux"])
        check("two are silent: the rule of three over 30 s", [row[2] for row in table[:2]] == ["none: < 0.1"] * 2, table[0][2])
        check("Linux' ticks are found at their HZ", table[3][7] == "ticks at HZ=250: 2,500 of 2,500", table[3][7])
        check("causes are counted", table[2][8] == "3 SMI, 3,000 interrupt", table[2][8])
        check("the SMI is the firmware regime's largest", "150 \u00b5s at 4.321000 s, SMI" == largest["time-firmware"], largest["time-firmware"])
        bars = text("[data-chart=detour-lengths] .mark title")
        check("the histogram has the SMIs' bar", any("firmware" in bar and bar.endswith(": 3 detours") for bar in bars), len(bars))
        check("fixed work: twelve spreads", len(text("[data-chart=quanta] circle")) == 12)
        browser.script("const s = document.getElementById('noise-run'); s.value = 2; s.dispatchEvent(new Event('change'))")
        check("another run can be drawn", text("[data-chart=time-linux] text.largest")[0] != linux)
    else:
        check("the verdict is in words", text(".lead .verdict") == ["different"] and "fewer than 0.123 per second" in text("#sentence")[0])
        items = {row[0]: row for row in browser.rows("items")}
        check("five figures with verdicts", len(items) == 5 and items["time lost in detours"][-1] == "different" and items["spread of time lost between runs"][-1] == "not judged")
        check("a rate's interval", "251.1" in items["detours of 1 us and more, a second"][2] and " to " in items["detours of 1 us and more, a second"][2],
              items["detours of 1 us and more, a second"][2])
        check("each run is drawn", len(text("[data-chart=runs-lost] circle")) == 6)
    for width, scheme in ((1280, "light"), (1280, "dark"), (800, "light"), (800, "dark")):
        browser.resize(width, 900)
        browser.colours(scheme)
        wide = []
        for view in views:
            browser.click(f"#tab-{view}")
            browser.screenshot(f"{folder}/{name}-{view}-{width}-{scheme}.png", True)
            wide += [view] if browser.script("return document.documentElement.scrollWidth > innerWidth") else []
        check(f"{width} pixels, {scheme}: nothing sticks out", not wide, wide)
    browser.open("about:blank")
    browser.open("file://" + os.path.abspath(page))
    reached = 0
    for reached in range(1, 20):
        browser.keys("Tab")
        if browser.script("return document.activeElement.matches('[role=tab]')"):
            break
    browser.keys("Right")
    check("the keyboard changes the view", browser.script("return [...document.querySelectorAll('[role=tabpanel]')].filter(s => !s.hidden).map(s => s.id)") == [views[1]], f"Tab {reached} times")
    console = browser.console()
    check("no word on the console", not console, console[:3])
finally:
    browser.close()
print("end")
