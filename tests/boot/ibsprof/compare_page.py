# SPDX-License-Identifier: BSD-2-Clause
"""Checks of a page of 'ibsprof compare --html' of 4 KB against 2 MB pages, in a browser: compare_page.py PAGE SCREENSHOTS"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../host/pages"))
from browser import Browser  # noqa: E402

page, shots = os.path.abspath(sys.argv[1]), sys.argv[2]
os.makedirs(shots, exist_ok=True)


def check(what, good, told=""):
    print(f"ok page: {what}" if good else f"not ok page: {what}: {told}", flush=True)


browser = Browser()
try:
    browser.requests()
    browser.open("file://" + page)
    text = browser.script("return document.getElementById('sentence').textContent")
    check("the verdict comes first", "ifferent: " in text and "L1 DTLB miss rate" in text, text)
    browser.screenshot(f"{shots}/compare-verdict.png", whole=True)
    browser.click("#tab-sides")
    column = browser.script("return document.getElementById('column').value")
    check("side by side opens at the column that differs", column == "dtlb_l1_miss", column)
    rows = browser.script("return [...document.querySelectorAll('[data-table=sides] tr[data-verdict=different]')].map(row => row.textContent)")
    check("the culprit's row says different in words", len(rows) == 1 and "fld dword ptr [rcx+rax*4+8]" in rows[0] and rows[0].endswith("different"), rows)
    bars = browser.script("return [...document.querySelectorAll('[data-table=sides] svg.difference')].map(bar => bar.getAttribute('aria-label'))")
    check("every bar has a text alternative", bars and all(bar and ": " in bar for bar in bars), bars)
    browser.screenshot(f"{shots}/compare-sides.png", whole=True)
    browser.script("document.getElementById('column').value = 'share'; document.getElementById('column').dispatchEvent(new Event('change'))")
    shares = browser.script("return document.querySelectorAll('[data-table=sides] tr.insn:not(.silent)').length")
    check("shares have a row an instruction", shares > 20, shares)
    browser.click("#tab-items")
    for name in ("both", "equivalent", "inconclusive"):
        browser.script("[...document.querySelectorAll('#items .controls label')].find(label => label.textContent === arguments[0]).querySelector('input').click()", name)
    left = browser.script("return [...document.querySelectorAll('[data-table=items] tbody tr')].map(row => row.textContent)")
    check("the list can be narrowed to what differs", 2 <= len(left) <= 3 and all("different" in row for row in left), left)
    cut = browser.script("return [...document.querySelectorAll('[data-table=items] tbody .verdict')].filter(word =>"
                         "  word.getBoundingClientRect().right > word.closest('[role=tabpanel]').getBoundingClientRect().right).length")
    check("no verdict is cut off", cut == 0, cut)
    title = browser.script("return document.title + ' | ' + document.querySelector('h1').textContent")
    check("the title says what is compared", title == "pages 4k against 2m: ibsprof compare | pages 4k against 2mMODEL", title)
    browser.screenshot(f"{shots}/compare-items.png")
    asked = [url for url in browser.requests() if not url.startswith(("data:", "chrome"))]  # the browser's own icons
    check("the page itself is the only request", asked == ["file://" + page], asked)
    console = browser.console()
    check("no word on the console", not console, console[:3])
    print("end")
finally:
    browser.close()
