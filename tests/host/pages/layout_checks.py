# SPDX-License-Identifier: BSD-2-Clause
"""Layout in headless Chromium, one for all pages: layout_checks.py SCREENSHOTS PAGE... At three widths (dark at one: colours do not change the layout) on every tab of
every page: no text is cut off (by the window, or by an element that hides its overflow), no two labels of a chart overlap, no two ticks of an
axis have the same label, no cell is so narrow that it has one letter per line, and from 1400 pixels on nothing has to be scrolled sideways. With
SCREENSHOTS=yes each tab is saved as a picture."""
import os
import sys

from browser import Browser

folder, pages = sys.argv[1], sys.argv[2:]
WIDTHS, UNSCROLLED = (420, 1400, 2560), 1400

# Each text of a rendered node has rectangles; they must be inside the box of each ancestor that clips its content.
PROBLEMS = """
const sideways = arguments[0];
return (async () => {
/* Charts of a hidden view are drawn again when it is shown. */
for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
const unscrolled = sideways, slack = 1.5, found = new Set(), short = node => node.textContent.trim().slice(0, 40);
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || !parent.checkVisibility() || parent.closest("script, style, title, option, noscript, [aria-hidden=true]")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(r => r.width > 0 && r.height > 0);
    if (!rects.length) continue;
    const left = Math.min(...rects.map(r => r.left)), right = Math.max(...rects.map(r => r.right)), top = Math.min(...rects.map(r => r.top)), bottom = Math.max(...rects.map(r => r.bottom));
    let scrolls = false;
    for (let box = parent; box && box !== document.documentElement; box = box.parentElement) {
        const style = getComputedStyle(box), area = box.getBoundingClientRect();
        if (style.display === "inline" || style.overflowX === "visible" || box === document.body) continue;
        const out = right > area.right + slack || left < area.left - slack;
        if (["auto", "scroll"].includes(style.overflowX)) {
            scrolls = true;
            if (out && unscrolled) found.add(`has to be scrolled to: ${short(node)}`);
        } else if (!scrolls && (out || bottom > area.bottom + slack || top < area.top - slack))
            found.add(`cut off by ${box.tagName}: ${short(node)}`);
    }
    if (!scrolls && (right > innerWidth + slack || left < -slack)) found.add(`out of the window: ${short(node)}`);
}
for (const cell of document.querySelectorAll("td"))
    if (cell.checkVisibility() && cell.clientHeight > 150 && cell.clientWidth < 120) found.add(`a letter a line: ${short(cell)}`);
for (const svg of document.querySelectorAll("svg")) {
    if (!svg.checkVisibility()) continue;
    for (const axis of svg.querySelectorAll(".axis")) {
        const labels = [...axis.querySelectorAll(".tick text")].map(text => text.textContent).filter(Boolean);
        if (new Set(labels).size < labels.length) found.add(`one label at several ticks: ${labels.join(" ")}`);
    }
    const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim()).map(text => ({text, r: text.getBoundingClientRect()}));
    texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
        if (Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > slack && Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 3)
            found.add(`on each other: ${short(a.text)} | ${short(b.text)}`);
    }));
}
if (document.documentElement.scrollWidth > innerWidth + slack) {
    const wide = [...document.body.querySelectorAll("*")].filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth && !one.closest(".scroll, .listing-box"));
    found.add(`the page is wider than the window: ${wide.map(one => one.tagName + "." + one.className).slice(-3).join(" ")}`);
}
return [...found];
})();
"""

browser = Browser()
try:
    for page in pages:
        name, bad, looked = os.path.splitext(os.path.basename(page))[0], [], 0
        browser.open("file://" + os.path.abspath(page))
        tabs = browser.script("return [...document.querySelectorAll('[role=tab]')].map(tab => tab.id)")
        for width in WIDTHS:
            browser.resize(width, 1000)
            for theme in ("light", "dark") if width == UNSCROLLED or os.environ.get("SCREENSHOTS") else ("light",):
                browser.colours(theme)
                for tab in tabs:
                    browser.script("document.getElementById(arguments[0]).click()", tab)
                    bad += [f"{width} {theme} {tab[4:]}: {problem}" for problem in browser.script(PROBLEMS, width >= UNSCROLLED)]
                    looked += 1
                    browser.screenshot(f"{folder}/layout-{name}-{tab[4:]}-{width}-{theme}.png", True)
        good = not bad and looked >= 8
        print(f"{'ok' if good else 'not ok'} {name}: nothing is cut off or on another at {', '.join(map(str, WIDTHS))} pixels in {len(tabs)} views" +
              (f": {len(bad)} places" if bad else ""), flush=True)
        for problem in bad[: int(os.environ.get("MOST", "20"))]:
            print(f"  {problem}")
finally:
    browser.close()
print("end")
