#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""lab_page.py URL PICTURE: checks of the page of tools/lab-server in a browser, after tests/boot/machine/lab.sh's two machines have ended; a picture of it."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "host", "pages"))
from browser import Browser, checker  # noqa: E402 (of tests/host/pages)

CELLS = "return [...document.querySelectorAll('#machines tr')].map(row => [...row.cells].map(cell => cell.innerText))"


def main():
    url, picture = sys.argv[1:3]
    browser, check = Browser(), checker("the lab's page")
    browser.open(url)
    rows = []
    for _ in range(100):
        rows = browser.script(CELLS)
        if len(rows) == 2:
            break
        time.sleep(0.1)
    by_mac = {row[0].split("\n")[0]: row for row in rows}
    for mac, runs, what in (("52-54-00-12-34-56", "2", "matmul-classic ibs"), ("52-54-00-12-34-57", "1", "matmul-classic count")):
        row = by_mac.get(mac, [""] * 8)
        check(f"{mac}: ended", row[1] == "finished", row)
        check(f"{mac}: what it did", row[2].split("\n")[0] == what, row[2])
        check(f"{mac}: runs", row[5] == runs, row[5])
        check(f"{mac}: last run, whose result is right", mac in row[6] and row[6].endswith("\nright"), row[6])
        check(f"{mac}: settings of its own", row[7] == "own", row[7])
    sums = browser.script("return document.getElementById('sums').textContent")
    check("sums", sums == "2 machines, 0 at work, 3 runs received, 0 cut off", sums)
    problem = browser.script("return document.getElementById('problem').textContent")
    check("no problem", problem == "", problem)
    said = [line for line in browser.console() if "favicon" not in line and "chrome:" not in line]  # the browser's own
    check("nothing on the console", not said, said)
    browser.screenshot(picture)
    browser.close()
    print("end")


if __name__ == "__main__":
    main()
