#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The pages of noise runs of boots in a browser: noise_page.py REPORT COMPARISON SCREENSHOTS."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../host/pages"))
from browser import Browser  # noqa: E402

report, comparison, folder = sys.argv[1:4]
browser = Browser()
try:
    said = []
    for page, views in ((report, ("summary", "time", "quanta", "runs")), (comparison, ("summary", "lengths", "time", "quanta"))):
        browser.colours("light")
        browser.open("file://" + os.path.abspath(page))
        marks = browser.script("return [...document.querySelectorAll('figure')].map(f => [f.dataset.chart, +f.dataset.marks])")
        assert marks and all(n > 0 for _, n in marks), marks
        assert any("fewer than 0.6 a second" in line for line in browser.script("return [...document.querySelectorAll('[data-quiet]')].map(e => e.textContent)"))
        ticks = [line for line in browser.script("return [...document.querySelectorAll('figcaption')].map(e => e.textContent)") if "ticks at HZ=250" in line]
        assert ticks
        said.append(", ".join("%s %d" % (chart, n) for chart, n in marks))
        for view in views:
            browser.click("#tab-" + view)
            browser.screenshot("%s/boot-%s-%s.png" % (folder, os.path.splitext(os.path.basename(page))[0], view), True)
        console = browser.console()
        assert not console, console
    assert browser.script("return document.querySelector('.lead .verdict').textContent") == "different"
    print("; ".join(said))
finally:
    browser.close()
