/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what every page needs (base.js) and of the charts' figures, on the smallest of the pages. */
const assert = require("node:assert");
const {test, open, outline, kept, click, plain} = require("./page.js");

const nothing = {generator: "ibsprof 1.0", questions: [], machines: []};
const page = options => open("hardware.js", "hardware", nothing, options);
const window = page();
const {document, look} = window;
/* of TEXT, WANTED pairs: what the page's own scripts make of each. */
const of = pairs => { for (const [text, wanted] of pairs) assert.deepStrictEqual(JSON.parse(JSON.stringify(look(text) ?? null)), wanted, text); };

test("figures as text", () => of([
    ["count(1234567.4)", "1,234,567"], ["fixed(1234.567, 2)", "1,234.57"], ["fixed(1, 0)", "1"], ["ratio(1, 3)", "0.33"], ["ratio(1, 3, 1)", "0.3"], ["ratio(1, 0)", "-"],
    ["percent(1, 3)", "33.3\u202f%"], ["percent(0, 3)", "0.0\u202f%"], ["percent(1, 0)", "-"], ["percent(1, 2000)", "0.1\u202f%"], ["percent(1, 2001)", "0.05\u202f%"],
    ["percent(1, 10000)", "0.01\u202f%"], ["plural(1, 'one', 'many')", "1 one"], ["plural(2000, 'one', 'many')", "2,000 many"], ["plural(0, 'one', 'many')", "0 many"],
    ["hex(255)", "ffh"], ["digits(0xab, 3)", "0AB"], ["bytes(0)", "0 bytes"], ["bytes(1023)", "1,023 bytes"], ["bytes(1024)", "1.0 KB"], ["bytes(1024 * 99.94)", "99.9 KB"],
    ["bytes(1024 * 100)", "100 KB"], ["bytes(1024 ** 2 * 2.5)", "2.5 MB"], ["bytes(1024 ** 3)", "1.0 GB"], ["bytes(1024 ** 4)", "1.0 TB"], ["bytes(1024 ** 5)", "1,024 TB"],
    ["duration(999)", "999 ns"], ["duration(1000)", "1.00 \u00b5s"], ["duration(12345678)", "12.3 ms"], ["duration(1e9)", "1.00 s"], ["duration(1e6)", "1.00 ms"],
    ["duration(123.4)", "123 ns"], ["shortNumber(1e6)", "1 M"], ["shortNumber(12345678)", "12.3 M"], ["shortNumber(10000)", "10 k"], ["shortNumber(9999)", "9,999"],
    ["shortNumber(0.12345)", "0.123"], ["shortNumber(1234.5)", "1230"], ["nanoseconds(9999)", "9,999 ns"], ["nanoseconds(10000)", "10.0 \u00b5s"]]));

test("lists and histograms", () => of([
    ["pairs([1, 2, 3, 4, 5])", [[1, 2], [3, 4]]], ["pairs([1, 2, 3, 4, 5, 6], 3)", [[1, 2, 3], [4, 5, 6]]], ["total([[1, 5], [2, 7]])", 12],
    ["[0, 3, 4, 5, 7, 8, 9, 10, 1023].map(barOf)", [0, 3, 4, 5, 7, 8, 8, 9, 35]], ["[0, 3, 4, 5, 8, 9, 12].map(barLow)", [0, 3, 4, 5, 8, 10, 16]],
    ["barsOf([[0, 2], [1, 3], [2, 4]], [8, 9, 10])", [{i: 8, n: 5}, {i: 9, n: 4}]],
    ["quantile([], [1, 2], .5)", null], ["quantile([[0, 10]], [4, 8], .5)", 6], ["quantile([[0, 10], [1, 10]], [4, 8], .5)", 7], ["quantile([[0, 10], [1, 10]], [4, 8], .9)", 14],
    ["quantile([[0, 1], [1, 1]], [4, 8], .51)", 8], ["quantile([[1, 4]], [10, 20, 40], 1)", 39], ["quantile([[0, 2], [2, 2]], [5, 6, 7], .25)", 5],
    ["decades(d3.scaleLog().domain([.7, 1000]))", [1, 10, 100, 1000]], ["decades(d3.scaleLog().domain([1, 999]))", [1, 10, 100]],
    ["logTicks(d3.scaleLog().domain([3, 60]))", [5, 10, 20, 50]], ["logTicks(d3.scaleLog().domain([1, 2000]))", [1, 10, 100, 1000]],
    ["logTicks(d3.scaleLog().domain([1, 200]))", [1, 2, 5, 10, 20, 50, 100, 200]]]));

/* The tick comes at 0.70 of its period, then across its end: within 1 % of it, from both sides. */
test("detours in time with a tick", () => {
    const causes = (at, more) => `detourPoints({name: "linux", periods: [{ns: 50, tick_hz: 0}, {ns: 1000, tick_hz: 250}], detours: [${at.map((ns, i) => `${ns}, ${i + 1}, ${i % 2}`).join()}],
        ...${JSON.stringify(more || {})}}, ["a", "b"]).map(point => point.cause)`, tick = "timer tick", no = "unknown";
    of([[causes([703, 1705, 2700, 5000, 3712, 4713, 6695, 7692]), [tick, tick, tick, no, tick, no, tick, no]], [causes([2, 1003, 2995, 3500, 4012, 5013]), [tick, tick, tick, no, tick, no]],
        [causes([703, 2700], {name: "masked"}), ["a", "b"]], [causes([703, 2700], {periods: []}), ["a", "b"]]]);
});

test("the stride of a walk", () => of([
    ["findStride(d3.range(200).map(i => ({offset: i % 50 * 4096 + i})), 2e5)", 4096], ["findStride(d3.range(200).map(i => ({offset: i * i * 7919 % 1e6})), 1e6)", null],
    ["findStride(d3.range(100).map(i => ({offset: i * 512})), 51200)", null], ["findStride(d3.range(101).map(i => ({offset: (i % 7) * 512 + (i & 3)})), 51712)", 512],
    ["findStride(d3.range(101).map(i => ({offset: (i % 7) * 512})), 4095)", 256], ["findStride(d3.range(101).map(i => ({offset: (i % 3) * 64})), 1e3)", 64],
    ["findStride(d3.range(101).map(i => ({offset: (i % 3) * 60})), 1e3)", null],
    ["findStride([...d3.range(601).map(i => ({offset: i % 5 * 1024})), ...d3.range(900).map(i => ({offset: i * i * 7919 % 1e6}))], 1e6)", 1024]]));

test("the instruction to look at first", () => {
    const culprit = look("culprit"), row = (counts, workload) => ({fn: {workload: workload || false}, events: new Map(), counts});
    const found = (all, rows, others) => {
        const made = rows || [row({F219: 5, F206: 5, F205: 5, F104: 5, F008: 5, wait: 5, F100: 5, F002: 5}), row({})];
        const got = culprit({rows: made, others: others || [], all: {counts: all}, get: (thing, code) => thing.counts[code] || 0});
        return got && `${got.operand} ${made.indexOf(got.row)} ${got.clear}`;
    };
    for (const [all, wanted] of [
        [{F206: 20, F200: 4000, F219: 1}, "F219 0 true"], [{F206: 20, F200: 4001, F219: 1}, null], [{F206: 19, F200: 1, F219: 1}, null], [{F206: 20, F200: 4000}, "F206 0 true"],
        [{F206: 20, F200: 4001}, null], [{F206: 19}, null], [{F205: 20, F200: 4000}, "F205 0 true"], [{F205: 20, F200: 4001}, null], [{F205: 19}, null],
        [{F104: 20, F103: 1000}, "F104 0 true"], [{F104: 20, F103: 1001}, null], [{F104: 19}, null], [{F008: 20, F002: 2000}, "F008 0 true"], [{F008: 20, F002: 2001}, "F002 0 true"],
        [{F008: 19}, null], [{wait: 1}, "wait 0 true"], [{F100: 1}, "F100 0 true"], [{F002: 1}, "F002 0 true"], [{}, null], [{wait: 1, F100: 1}, "wait 0 true"]])
        assert.strictEqual(found(all), wanted, JSON.stringify(all));
    const two = (a, b, more) => [row({F100: a}), row({F100: b}), ...more || []];
    assert.deepStrictEqual([found({F100: 1}, two(4, 5)), found({F100: 1}, two(4, 5.01)), found({F100: 1}, two(3, 3)), found({F100: 1}, two(0, 0)), found({F100: 1}, []),
        found({F100: 1}, two(9, 8, [row({F100: 1}, true)]))], ["F100 1 false", "F100 1 true", "F100 0 false", null, null, "F100 2 true"]);
    const event = {index: 3, operand: "E1", name: "e"}, sampled = n => ({...row({}), events: new Map([[3, [n, n]]])});
    assert.deepStrictEqual([found({}, [sampled(1), sampled(5), row({})], [event]), found({}, [row({})], [event])], ["E1 1 true", null]);
});

test("elements", () => {
    look(`document.body.append(el("p", {id: "made", class: null, title: false, lang: undefined, hidden: true, style: {"--a": "1px"}, onclick: () => { window.clicked = 1; }},
        "a", null, [["b", [el("b", null, 5)]], undefined], 0))`);
    const made = document.getElementById("made");
    assert.strictEqual(made.outerHTML, "<p id=\"made\" hidden=\"\" style=\"--a: 1px;\">ab<b>5</b>0</p>");
    click(made);
    assert.strictEqual(window.clicked, 1);
    made.remove();
});

test("tables", () => {
    look(`window.made = dataTable({name: "t", caption: "C", sort: 1, limit: 3, mark: row => row.n === 5 && {class: "five"}, total: {s: "all", n: 21, m: 9},
        rows: [["b", 5, 1], ["a", 0, null], ["d", 7, 3], ["c", 9, 2]].map(([s, n, m]) => ({s, n, m})), columns: [
            {title: "S", text: true, value: row => row.s}, {title: "N", value: row => row.n, bar: true, hint: "H"},
            {title: "M", value: row => row.m, show: (row, value) => value === null ? "-" : "m" + value, class: "x"},
            {title: "P", plain: true, text: true, show: row => row.s + "!"}, {title: "Q", plain: true, show: () => "q"}]})`);
    const {made} = window, lines = [outline(made)], order = () => [...made.querySelectorAll("tbody tr")].map(row => row.cells[0].textContent).join(""),
        sorted = () => [...made.querySelectorAll("th")].map(th => th.getAttribute("aria-sort")).join();
    const press = i => { click(made.querySelectorAll("th button")[i]); lines.push(`${order()} ${sorted()}`); };
    for (const i of [1, 1, 0, 0, 2, 2, 2]) press(i);
    click(made.querySelector("button.plain"));
    lines.push(outline(made));
    press(0);
    look(`window.made = dataTable({rows: [], columns: [{title: "S", value: row => row.s, bar: true}], sort: 0})`);
    lines.push(outline(window.made));
    look(`window.made = dataTable({rows: [{s: 3}, {s: -1}], columns: [{title: "S", value: row => row.s, bar: true}], sort: 5})`);
    kept("table.txt", lines.concat(outline(window.made)).join("\n"));
});

test("tabs by mouse, keys and address", () => {
    const own = page({hash: "#/questions"}), doc = own.document, [first, second] = doc.querySelectorAll("[role=tab]");
    const state = () => [first, second].map(tab => `${tab.getAttribute("aria-selected")} ${tab.tabIndex} ${doc.getElementById(tab.getAttribute("aria-controls")).hidden}`).join() +
        ` ${doc.activeElement.id} ${own.location.hash}`;
    const on = (name, which) => `${["false -1 true", "true 0 false"].sort((a) => which ? a[0] === "f" ? -1 : 1 : a[0] === "t" ? -1 : 1).join()} ${name} #/${which ? "questions" : "summary"}`;
    assert.strictEqual(state(), on("", 1));
    click(first);
    assert.strictEqual(state(), on("", 0));
    const press = key => {
        const event = new own.KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
        doc.querySelector("[role=tablist]").firstChild.dispatchEvent(event);
        return event.defaultPrevented;
    };
    assert.deepStrictEqual([press("ArrowRight"), state()], [false, on("", 0)]); /* the focus is elsewhere */
    first.focus();
    for (const [key, id, which] of [["ArrowRight", "tab-questions", 1], ["ArrowRight", "tab-summary", 0], ["ArrowLeft", "tab-questions", 1], ["Home", "tab-summary", 0], ["End", "tab-questions", 1]])
        assert.deepStrictEqual([press(key), state()], [true, on(id, which)], key);
    assert.deepStrictEqual([press("x"), state()], [false, on("tab-questions", 1)]);
    own.location.hash = "#/summary";
    own.dispatchEvent(new own.Event("hashchange"));
    assert.strictEqual(state().slice(0, 12), "true 0 false");
    own.location.hash = "#/nowhere";
    own.dispatchEvent(new own.Event("hashchange"));
    assert.strictEqual(state(), on("tab-questions", 0));
    own.location.hash = "#/questions";
    own.dispatchEvent(new own.Event("hashchange"));
    assert.strictEqual(state(), on("tab-questions", 1));
    const nav = doc.querySelector("nav");
    Object.defineProperty(nav, "offsetHeight", {value: 41});
    own.seen.observers.filter(one => one.node === nav).forEach(one => one.call());
    assert.strictEqual(doc.documentElement.style.getPropertyValue("--nav"), "41px");
});

test("light and dark", () => {
    for (const [dark, kept_, wanted] of [[false, null, ["Dark", undefined]], [true, null, ["Light", undefined]], [true, "light", ["Dark", "light"]], [false, "dark", ["Light", "dark"]]]) {
        const own = page({dark, prepare: made => { if (kept_) made.localStorage.setItem("ibsprof-theme", kept_); }}), button = own.document.querySelector(".theme");
        const state = () => [button.textContent, own.document.documentElement.dataset.theme];
        assert.deepStrictEqual(state(), wanted);
        assert.strictEqual(button.getAttribute("aria-label"), `Change to ${wanted[0].toLowerCase()} colours`);
        let calls = 0;
        own.look("call => themeListeners.push(call)")(() => calls++);
        click(button);
        const other = wanted[0] === "Dark" ? "dark" : "light";
        assert.deepStrictEqual([...state(), own.localStorage.getItem("ibsprof-theme"), calls], [other === "dark" ? "Light" : "Dark", other, other, 1]);
        click(button);
        assert.deepStrictEqual([own.document.documentElement.dataset.theme, calls], [other === "dark" ? "light" : "dark", 2]);
        delete own.document.documentElement.dataset.theme;
        own.seen.dark = !dark;
        own.seen.listeners.forEach(([name, call]) => name === "change" && call());
        assert.deepStrictEqual([button.textContent, calls], [dark ? "Dark" : "Light", 3]);
    }
});

/* Bars with and without room beside them, names that are too long, panels over many decades, rows without a value. */
test("charts, wide and narrow", () => {
    const lines = [];
    for (const width of [900, 260]) {
        const own = page({width}), doc = own.document;
        own.look(`const host = document.querySelector("main");
            for (const log of [false, true]) barChart(host, {name: "bars", title: "B", alt: "A", unit: "u", log, rows: [{label: "a", value: 1234.5, text: "T"},
                {label: "b".repeat(60), value: 0.5, color: "red"}, {label: "zero", value: 0}, {label: "c".repeat(41), value: 70}]});
            stackChart(host, {name: "stack", title: "S", alt: "A", unit: "u", parts: [{label: "a", value: 3, text: "3", color: "red"}, {label: "no", value: 0, text: "0", color: "blue"},
                {label: "less", value: -1, text: "-1", color: "green"}, {label: "b", value: 1, text: "1", color: "black"}]});
            const bins = [...d3.range(64), ...d3.range(40).map(i => 64 + 16 * i)];
            for (const most of [3000, 2e5]) histograms(host, {name: "h", title: "H", alt: "A", unit: "cycles", what: "w", bins, panels: [{label: "few", counts: [[0, 2], [1, 1], [5, 9]], color: "red"},
                {label: "many", counts: [[3, most], [40, 10], [90, 4]], color: "blue"}]});
            for (const log of [false, true]) intervalChart(host, {name: "i", title: "", alt: "A", unit: "u", log, rows: [{label: "one", low: .2, value: 3, high: 40, text: "t", color: "red", group: 1},
                {label: "none", low: 0, value: null, high: 0, text: "none at all", color: "red", group: 1}, {label: "two", low: 4, value: 4, high: 4, text: "u", color: "blue", group: 2}]});
            scatter(host, {name: "s", title: "S", alt: "A", points: () => [[0, 1], [5, 9], [10, 3], [11, 3], [4, -1]].map(([x, y], i) => ({x, y, color: i % 2 ? "--s1" : "--s2", large: i === 1,
                tip: () => "tip " + i})), x: () => ({scale: d3.scaleLinear().domain([0, 10]), label: "X", format: String}), y: () => ({scale: d3.scaleLinear().domain([0, 9]), label: "Y",
                format: String, ticks: [1]}), annotate: (svg, x, y, right) => { svg.append("text").text([x(1), y(1), right].join()); return 7; }})`);
        lines.push(...[...doc.querySelectorAll("figure")].map(figure => outline(figure)));
    }
    kept("charts.txt", lines.join(""));
});

test("charts are drawn again when their width changes, and labels are settled", () => {
    const own = page(), doc = own.document;
    own.look(`chart(document.querySelector("main"), {name: "c", title: "T", note: "N", alt: () => "A", key: [["k", "red"]], height: width => width / 4,
        draw(svg, width, height) { window.times = (window.times || 0) + 1; svg.append("text").text(width + " " + height); return 3; }})`);
    const figure = doc.querySelector("figure"), lines = [outline(figure)], watch = own.seen.observers.find(one => one.node === figure.querySelector(".plot"));
    const widths = [900, 901, 902, 0, 300, 2000];
    for (const width of widths) {
        own.seen.width = width;
        watch.call();
        lines.push(`${width}: ${own.times} ${figure.dataset.width} ${figure.dataset.marks} ${plain(figure.querySelector("svg").textContent)} ${figure.querySelector("svg").getAttribute("viewBox")}`);
    }
    own.look("themeListeners").forEach(call => call());
    lines.push(String(own.times));
    figure.remove();
    own.look("themeListeners").forEach(call => call());
    lines.push(String(own.times));
    const boxes = [[-5, 20, 0, 10], [90, 120, 0, 10], [10, 20, 20, 30], [22, 30, 20, 30], [24, 30, 20, 30], [21, 29, 29, 40], [21, 29, 27, 40], [40, 40, 20, 30], [26, 29, 28, 33]];
    own.look("svg => settleLabels(svg)")({getBoundingClientRect: () => ({left: 0, right: 100}), querySelectorAll: selector => boxes
        .map(([left, right, top, bottom], i) => ({getBoundingClientRect: () => ({left, right, top, bottom, width: right - left}), getAttribute: () => i ? null : "t",
            setAttribute: (name, value) => lines.push(`${i} ${name} ${value}`), remove: () => lines.push(`${i} removed, ${selector}`)}))});
    kept("chart.txt", lines.join("\n") + "\n");
});
