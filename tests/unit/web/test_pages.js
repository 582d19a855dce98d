/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the other pages: comparisons, noise runs, sweeps, and the answers of machines. */
const assert = require("node:assert");
const {test, open, outline, sorted, kept, choose, mouse} = require("./page.js");

const all = window => `${window.document.title}\n${outline(window.document.body)}`;
const change = (window, node, key, value) => { node[key] = value; node.dispatchEvent(new window.Event("change")); };

/* ---------------------------------------------------------------- ibsprof compare */

function comparison() {
    const side = (letter, runs, figures) => ({runs: runs.map(path => ({path})), samples: 1000, figures, letter});
    const item = (column, place, verdict, a, b, difference, q, more) => ({column, place, verdict, a: {value: a}, b: {value: b}, q, p: q, margin: .015,
        difference: {value: difference, low: difference - .02, high: difference + .01}, log2_ratio: {value: a ? Math.log2(b / a) : null}, ...more});
    const distance = (value, chance) => ({value, low: value / 2, high: value * 2, by_chance: chance});
    const against = p => ({p, total_variation: distance(.1, .05), jensen_shannon_bits: distance(.02, .01), cramer_v: distance(.15, .1)});
    const whole = (value, more) => ({value, low: value - .01, high: value + .01, spread: .001, flagged_in_runs: 0, ...more});
    return {verdict: "different", sentence: "They differ.", event: "op", level: .95, margin_points: 1.5, margin_percent: 5, margin_points_of_rates: null, work_unit: "multiplications",
        a: side("A", ["runs/a/1", "runs/a/2/"], "MODEL: a"), b: side("B", ["runs/b/1"], "MODEL: b"), warnings: ["Careful."], notes: ["A note."],
        settings_that_differ: [{name: "seed", a: "1", b: "2"}, {name: "long", a: "x".repeat(60), b: ""}, {name: "pages", a: "4k", b: "2m"}],
        columns: [{key: "share", title: "Share of samples", unit: "fraction"}, {key: "dtlb", title: "DTLB misses", unit: "fraction"}, {key: "work", title: "Per work", unit: "ops"},
            {key: "p50", title: "Latency", unit: "cycles"}, {key: "none", title: "Not compared", unit: "cycles"}],
        places: [{function: "multiply", name: "multiply+0x72", offset: "0x72", instruction: "fld"}, {function: "multiply", name: "multiply+0x8", offset: "0x8", instruction: ""},
            {function: null, name: "rest", offset: "0x0", instruction: null}, {function: "check", name: "check+0x2", offset: "0x2", instruction: "ret"}],
        items: [item("share", 0, "equivalent", .5, .51, .01, .8), item("share", 1, "both", .2, .21, .012, .04), item("share", 2, "inconclusive", .1, 0, -.1, .5),
            item("share", 3, "inconclusive", .6, .7, .005, .3, {needed_a: 5000, needed_b: 700}), item("dtlb", null, "different", .4, .1, -.3, 1e-120),
            item("dtlb", 0, "different", .9, .1, -.8, 1e-7), item("dtlb", 1, "inconclusive", 0, .1, .1, .5, {log2_ratio: {value: null}}), item("work", null, "equivalent", 12.345, 9.5, -2.845, .0004),
            item("p50", 0, "different", 100, 80, -20, .002, {margin: 5, difference: {value: -20, low: -200, high: 190}})],
        a_against_b: against(1e-5), a_against_a: {...against(.5), total_variation: {value: .03, by_chance: .02}}, b_against_b: null,
        outside_of_workload: {a: .1, b: .02, difference: {low: -.09, high: -.07}, parts: [{name: "kernel", samples_a: 80, samples_b: 10}]},
        time: [{name: "elapsed", unit: "ms", scale: .001, a: whole(14830), b: whole(15300), difference: {value: 470, low: 400, high: 540}, verdict: "both"},
            {name: "cycles", unit: "millions", scale: 1e-6, a: whole(2e6), b: whole(3e6), difference: {value: 1e6, low: null, high: null}, verdict: null},
            {name: "recorded", unit: "ms", scale: .001, a: null, b: whole(1000)}],
        exploration: [{name: "IPC", level: 1, unit: "ratio", ratio: true, a: whole(1.2345), b: whole(1.1, {spread: null}), difference: {value: -.1345, low: -.2, high: -.1}, verdict: "different"},
            {name: "Front", level: 3, unit: "% slots", ratio: false, a: whole(.3, {flagged_in_runs: 2}), b: whole(.25), difference: {value: -.05, low: null, high: null}, verdict: null},
            {name: "Unknown", level: 2, unit: "x", ratio: false, a: null, b: null, difference: null, verdict: null}],
        on_one_side_only: [{function: "late", side: "B", samples: 12}]};
}

test("a comparison", () => {
    const window = open("compare.js", "comparison", comparison()), {document} = window;
    const lines = [all(window)], box = document.getElementById("column");
    for (const {value} of [...box.options]) {
        choose(box, value);
        lines.push(`${value}\n${outline(document.querySelector("#sides .listing-box"))}`, document.querySelector("#sides p.quiet").textContent);
    }
    const boxes = document.querySelectorAll("#items input");
    change(window, boxes[0], "checked", false);
    change(window, boxes[3], "checked", false);
    kept("compare.txt", lines.concat([...document.querySelectorAll("[data-table=items] tbody tr")].map(row => row.textContent)).join("\n") + "\n");
});

test("a comparison of little", () => {
    const data = comparison();
    Object.assign(data, {settings_that_differ: [], warnings: [], notes: [], time: null, exploration: null, on_one_side_only: [], margin_points_of_rates: .25, work_unit: "", verdict: "one-run",
        items: data.items.filter(item => item.place === null || item.column === "share").map(item => ({...item, verdict: "equivalent"}))});
    data.a.figures = null;
    data.b.runs = [{path: "else/1"}];
    const window = open("compare.js", "comparison", data), {document} = window, look = text => window.look(text);
    kept("compare-little.txt", [document.title, ...["header", "#summary", "#sides"].map(part => outline(document.querySelector(part)))].join("\n"));
    for (const [a, b, title] of [["MODEL: x", "MODEL: x", "1 against 2"], ["silicon", null, "1 against 2"], [null, "silicon", "1 against 2"], [null, null, "A against B"]]) {
        data.a.figures = a;
        data.b.figures = b;
        data.a.runs = [{path: "x/1"}];
        data.b.runs = [{path: title === "A against B" ? "y/1/" : "y/2"}];
        const other = open("compare.js", "comparison", data).document;
        assert.deepStrictEqual([other.title, !!other.querySelector(".badge"), [...other.querySelectorAll(".notes li")].map(note => note.textContent)], [`${title}: ibsprof compare`,
            a === "MODEL: x", a === b ? [a].filter(Boolean) : [a && `Side A: ${a}`, b && `Side B: ${b}`].filter(Boolean)]);
    }
    for (const [text, wanted] of [["small(null)", "-"], ["small(1e-99)", "1.0e\u221299"], ["small(9e-100)", "<1e\u221299"], ["small(.001)", "0.001"], ["small(.00099)", "9.9e\u22124"],
        ["figure('share', null)", "-"], ["figure('share', -.5)", "\u221250.00"], ["figure('share', .5, true)", "+50.00"], ["figure('share', 0, true)", "0.00"],
        ["figure('work', 9.999)", "10.00"], ["figure('work', 10)", "10.0"], ["figure('work', -10.04, true)", "\u221210.0"], ["unit('share')", "%"], ["unit('work')", "per unit of work"],
        ["unit('p50')", "cycles"], ["scaleOf([{margin: .25, difference: {low: -.1, high: .3}}])", .375], ["scaleOf([{margin: 5, difference: {low: 0, high: 0}}])", 1.5],
        ["scaleOf([{margin: .1, difference: {low: -9, high: 2}}, {margin: .1, difference: {low: 1, high: 3}}])", 3], ["scaleOf([{margin: 0, difference: {low: 0, high: 0}}])", 1]])
        assert.strictEqual(look(text), wanted, text);
});

/* ---------------------------------------------------------------- noise */

function regime(name, title, more) {
    return {name, title, duration_ns: 2e9, reads: 1000000, usual_ps: 25123, nine: {threshold_ns: 226, detours: 0, per_second: 0, lost_ppb: 0, fewer_per_second: 1.5},
        microsecond: {threshold_ns: 1000, detours: 0, per_second: 0, lost_ppb: 0, fewer_per_second: 1.5}, largest_ns: 0, not_kept: 0, blind_ns: 0, by_cause: {}, histogram: [], periods: [],
        quanta: null, detours: [], detours_kept: 0, ...more};
}

const causes = ["unknown", "SMI", "NMI", "timer tick"];

function noisy(seed, more) {
    const detours = Array.from({length: 12}, (_, i) => [i * 4000000 + 1000 + 10 * seed, i === 7 ? 90000 + seed : 1500 + 10 * i, i % 3]).flat();
    return regime("linux", "Linux", {nine: {threshold_ns: 226, detours: 30, per_second: 15, lost_ppb: 9000}, microsecond: {threshold_ns: 1000, detours: 13, per_second: 6.5, lost_ppb: 5000 * seed,
        fewer_per_second: null}, largest_ns: 90000 + seed, not_kept: 3, blind_ns: 1200, by_cause: {unknown: 5 + seed, SMI: 7}, histogram: [0, 512, 2, 1024, 2048, 9, 65536, 131072, 1],
    periods: [{ns: 4000000, detours: 12, expected: 500, tick_hz: 250}, {ns: 1e9, detours: 1, expected: 2, tick_hz: 0}], detours, detours_kept: 14,
    quanta: {count: 1000, least_ns: 50000, most_ns: 61000 + 1000 * seed, lost_ppb: 20000000, late: [0, 8, 900, 512, 1024, 5, 8192, 16384, 1 + seed]}, ...more});
}

const run = (path, regimes, more) => ({path, system: "ibsboot", is_linux: false, is_model: true, cpu: "AMD Phenom", tsc_khz: 2e6, regimes, ...more});
const alone = () => regime("alone", "alone", {quanta: {count: 1000, least_ns: 49000, most_ns: 49100, lost_ppb: 0, late: [0, 8, 1000]}});

function noiseRuns() {
    const firmware = regime("firmware", "firmware's interrupts", {microsecond: {threshold_ns: 1000, detours: 2, per_second: 1, lost_ppb: 100, fewer_per_second: null}, largest_ns: 20000,
        by_cause: {"timer tick": 2}, periods: [{ns: 1e9, detours: 2, expected: 2, tick_hz: 0}], detours: [100, 1500, 3, 1e9, 20000, 3], detours_kept: 2, histogram: [1024, 2048, 1, 16384, 32768, 1]});
    return {generator: "ibsprof 1.0", causes, runs: [run("n/1", [alone(), regime("masked", "masked", {duration_ns: 5e7}), firmware]), run("n/2", [alone()], {is_model: false, cpu: ""}),
        run("l/1", [noisy(1)], {system: "Linux", is_linux: true, is_model: false}), run("l/2", [noisy(2, {periods: [], detours: [5, 99999, 0, 1000, 2000, 1], detours_kept: 2, not_kept: 0})],
            {is_linux: true, is_model: false})]};
}

test("noise runs", () => {
    const window = open("noise.js", "noise", noiseRuns()), {document} = window;
    const lines = [all(window)];
    choose(document.getElementById("noise-run"), "1");
    kept("noise.txt", lines.concat(outline(document.getElementById("time"))).join("\n"));
});

/* The detour under the mouse is told: its length, its time to the nanosecond, and its cause. */
test("noise runs: detours under the mouse", () => {
    const window = open("noise.js", "noise", noiseRuns()), {document} = window, select = document.getElementById("noise-run"), lines = [];
    for (const {value} of select.options) {
        const told = new Set();
        choose(select, value);
        for (const overlay of document.querySelectorAll("#time .overlay"))
            for (let px = 60; px < 880; px += 8) for (let py = 10; py < 220; py += 15) {
                mouse(window, overlay, "mousemove", px, py);
                told.add(overlay.closest("figure").querySelector(".readout").textContent);
            }
        lines.push(`run ${value}`, ...[...told].filter(text => text).sort());
    }
    assert.deepStrictEqual(lines, ["run 0", "1,500 ns at 0.000000100 s: timer tick", "1,500 ns at 0.000001010 s: timer tick",
        ...[["1,530", 12], ["1,540", 16], ["1,580", 32], ["1,590", 36], ["1,610", 44]].map(([ns, ms]) => `${ns} ns at 0.0${ms}001010 s: timer tick`),
        "20.0 \u00b5s at 1.000000000 s: timer tick", "90.0 \u00b5s at 0.028001010 s: timer tick",
        "run 1", "100 \u00b5s at 0.000000005 s: unknown", "2,000 ns at 0.000001000 s: SMI"]);
});

/* Within 1 % of the period, whichever part of it has most. */
test("noise runs: detours that come with Linux's tick", () => {
    const at = [500, 1500, 2505, 3500, 4492, 5500, 6500, 7520, 8480, 9700], one = {name: "linux", periods: [{ns: 1000, tick_hz: 250}], detours: at.flatMap(ns => [ns, 9, 0])};
    const {look} = open("noise.js", "noise", noiseRuns()), told = JSON.parse(look(`JSON.stringify(detourPoints(${JSON.stringify(one)}, ["cause"]))`));
    assert.deepStrictEqual(told.filter(point => point.cause !== "timer tick").map(point => point.at), [4492, 7520, 8480, 9700]);
});

test("noise runs of which some did fixed work", () => {
    const window = open("noise.js", "noise", {generator: "x", causes, runs: [run("n/1", [regime("alone", "alone")]), run("n/2", [alone()])]});
    assert.strictEqual(window.document.querySelector("#quanta [data-chart=quanta] svg").getAttribute("aria-label").split("; ").length, 1);
});

test("noise runs without any noise", () => {
    const window = open("noise.js", "noise", {generator: "x", causes, runs: [run("n/1", [regime("alone", "alone", {duration_ns: 1e8})], {is_model: false})]}), {document, look} = window;
    kept("noise-none.txt", ["summary", "time", "quanta"].map(id => outline(document.getElementById(id))).join("\n"));
    for (const [text, wanted] of [["smallPercent(0)", "0"], ["smallPercent(.012345)", "1.23\u202f%"], ["significant(0)", "0"], ["significant(99.994)", "100"], ["significant(100)", "100.0"],
        ["significant(1.2345)", "1.23"],
        ["noiseLargest({regimes: [{nine: {detours: 2}, microsecond: {detours: 2}, largest_ns: 7}, {nine: {detours: 0}, microsecond: {detours: 0}, largest_ns: 9}]})", 7],
        ["JSON.stringify(sumBins([[0, 8, 1, 1000, 2000, 2], [1024, 2048, 3, 0, 4, 9]]))", "[[0,8,10],[1000,2048,5]]"]])
        assert.strictEqual(look(text), wanted, text);
});

test("a comparison of noise runs", () => {
    const one = runs => ({label: "L", runs, seconds: 4, detours: 0, fewer_per_second: .75, spread_relative: null, longest_quantum: .002, tick_hz: 0});
    const value = (of, low, high) => ({value: of, low, high}), none = value(null, null, null);
    const data = {generator: "ibsprof 1.0", verdict: "both", sentence: "Both.", warnings: ["One."], level: .95, regime_a: "alone", regime_b: "linux", causes,
        a: {...one([run("n/1", [alone(), regime("masked", "m")])]), label: "bare"}, b: {...one([run("l/1", [noisy(1)]), run("l/2", [noisy(2)])]), detours: 26, spread_relative: .25, tick_hz: 250},
        items: [{title: "Rate", unit: "a second", a: value(0, 0, .75), b: value(6.5, 5, 120), difference: value(6.5, -5, 9), q: 1e-120, verdict: "different"},
            {title: "Lost", unit: "fraction", a: value(0, 0, .0001), b: value(.0123, null, null), difference: value(-.0123, -.02, -.01), q: .00012, verdict: "equivalent"},
            {title: "Largest", unit: "ns", a: value(0, 0, null), b: value(90001, 90001, null), difference: none, q: null, verdict: null},
            {title: "Spread", unit: "fraction", a: none, b: none, difference: none, q: .5, verdict: "inconclusive"}]};
    kept("compare-noise.txt", all(open("compare_noise.js", "comparison", data)));
    Object.assign(data, {warnings: [], verdict: ""});
    const {document} = open("compare_noise.js", "comparison", data);
    assert.deepStrictEqual([document.querySelector(".lead").textContent, document.querySelectorAll(".notes").length], ["not judgedBoth.", 0]);
});

/* ---------------------------------------------------------------- sweeps and machines */

function sweep() {
    const point = (x, series, p10, median, p90, by_source, most) => ({x, series, path: `s/${series}/${x}`, loads: 100, p10, median, p90, by_source, most, median_of: [0, 12, 52, 160, 270]});
    return {generator: "ibsprof 1.0", workload: "pointer-chase", against: "kb", cpu: "AMD Phenom", is_model: true, sources: ["data cache", "L2", "L3", "DRAM", "another node's DRAM"], series: [""],
        points: [point(16, 0, 0, 0, 0, [100, 0, 0, 0, 0], 0),
            point(96, 0, 0, 12, 13, [30, 70, 0, 0, 0], 1), point(128, 0, 11, 12, 14, [20, 78, 2, 0, 0], 1), point(4096, 0, 50, 52, 55, [0, 6, 90, 4, 0], 2),
            point(65536, 0, 150, 162, 180, [0, 0, 3, 92, 5], 3)],
        load: "0x1016",
        levels: [{series: 0, source: 0, from: 16, to: 16, median: 0, missed: 0}, {series: 0, source: 0, from: 32, to: 48, median: 0, missed: .0625},
            {series: 0, source: 1, from: 96, to: 128, median: 12}, {series: 0, source: 2, from: 4096, to: 4096, median: 52},
            {series: 0, source: 3, from: 65536, to: 65536, median: 162}]};
}

test("tables of the other pages by each column", () => {
    const hits = sweep();
    kept("sorted.txt", [open("compare.js", "comparison", comparison()), open("sweep.js", "sweep", hits)].map(window => sorted(window.document)).join("\n"));
    /* Every load hits: no cycles to draw. */
    hits.points = hits.points.slice(0, 1).concat({...hits.points[0], x: 32});
    hits.levels = hits.levels.slice(0, 1);
    kept("sweep-hits.txt", outline(open("sweep.js", "sweep", hits).document.querySelector("[data-chart=staircase]")));
});

test("functions side by side by their weight", () => {
    const data = comparison(), order = () => [...open("compare.js", "comparison", data).document.querySelectorAll("#sides tr.source")].map(row => row.textContent).join();
    assert.strictEqual(order(), "multiply,check,(rarely sampled instructions together)");
    data.items[3].a.value = .9;
    data.items[3].b.value = .95;
    data.items[2].a.value = 5;
    assert.strictEqual(order(), "check,multiply,(rarely sampled instructions together)");
});

test("a sweep over sizes", () => kept("sweep.txt", all(open("sweep.js", "sweep", sweep()))));

test("a sweep of two series over another parameter, on a narrow page", () => {
    const data = sweep();
    Object.assign(data, {against: "hops", is_model: false, series: ["memory = local", "memory = remote"], cpu: ""});
    data.points = [1, 100, 5000].flatMap(x => [0, 1].map(series => ({...data.points[x > 100 ? 4 : 3], x, series,
        by_source: [0, 0, 4, series ? 4 : 60, series ? 40 : 5 * (x > 100)]})));
    data.levels = [{series: 0, source: 3, from: 1, to: 5000, median: 160}, {series: 1, source: 4, from: 1, to: 5000, median: 270}];
    kept("sweep-two.txt", all(open("sweep.js", "sweep", data, {width: 500})));
    const ticks = (domain, width) => open("sweep.js", "sweep", sweep()).look(`xTicks(d3.scaleLog().domain([${domain}]), ${width}).join(" ")`);
    assert.deepStrictEqual([ticks("14, 70000", 807), ticks("14, 70000", 806), ticks("14, 70000", 403)],
        ["16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536", "16 64 256 1024 4096 16384 65536",
            "16 256 4096 65536"]);
    const same = sweep();
    same.points.forEach(one => { one.x -= 16; });
    same.points = same.points.slice(0, 1);
    assert.strictEqual(open("sweep.js", "sweep", same).look("xScale(sweep.points, 5, 105)(0)"), 5 + 100 / 2);
});

test("answers of machines", () => {
    const question = (number, id) => ({number, id, question: `Q${number}?`, expected: `E${number}`, check: "c", changes: `C${number}`});
    const answer = (id, verdict, found) => ({id, verdict, found});
    const data = {generator: "ibsprof 1.0", questions: [question(1, "a"), question(2, "b"), question(3, "c")], machines: [
        {path: "h/1", machine: "M1", firmware: "F1", is_model: true, answers: [answer("a", "as expected", "yes"), answer("b", "otherwise", "no"), answer("c", "running", "")]},
        {path: "h/2", machine: "M2", firmware: "F2", is_model: false, answers: [answer("a", "by hand", "look"), answer("b", "not answerable", "")]}]};
    kept("hardware.txt", all(open("hardware.js", "hardware", data)));
    data.machines = data.machines.slice(1);
    const {document} = open("hardware.js", "hardware", data);
    assert.deepStrictEqual([document.querySelector(".badge"), document.querySelector(".notes"), document.querySelector("#summary > p").textContent], [null, null, "None."]);
});

/* ---------------------------------------------------------------- ibsprof archive compare --html */

const archived = () => ({generator: "ibsprof 1.0", by: "machine", outliers: ["M3"], subjects: [{workload: "loop", event: "F100", runs: 48, groups: 6, left_out: 0}],
    items: [{value: "M1", runs: 8, subject: 0, where: "f+0 nop", others: .2, own: .21, difference: {value: .01, low: -.01, high: .03}, q: .4, verdict: "equivalent"},
        {value: "M3", runs: 1, subject: 0, where: "f+2 mov", others: .3, own: .36, difference: {value: .06, low: .05, high: .07}, q: 1e-9, verdict: "different"},
        {value: "M3", runs: 8, subject: 0, where: "g+0 ret", others: .4, own: .3, difference: {value: -.1, low: -.12, high: -.08}, q: 2e-9, verdict: "different"}],
    trends: [{subject: 0, where: "f+2 mov", value: null, points: [{month: "2026-01", runs: 6, share: .3}, {month: "2026-02", runs: 1, share: .25}]},
        {subject: 0, where: "g+0 ret", value: null, points: [{month: "2026-01", runs: 6, share: .4}]},
        {subject: 0, where: "g+0 ret", value: "M3", points: [{month: "2026-01", runs: 1, share: .3}, {month: "2026-03", runs: 1, share: .2}]},
        {subject: 0, where: "f+0 nop", value: null, points: []}]});

test("an archive's outliers and trends", () => {
    kept("archive.txt", all(open("archive.js", "archive", archived())));
    const {document} = open("archive.js", "archive", archived());
    assert.match(document.querySelector("#sentence").textContent, /^1 outlier by machine: M3\.$/);
});

/* A trend of all runs has that of the outlier behind it, and of no other. */
test("an archive's trends, each with its outlier", () => {
    const data = archived(), [, , outlier] = data.trends, whole = data.trends[1];
    data.trends = [whole, outlier, whole, outlier, whole];
    assert.deepStrictEqual([...open("archive.js", "archive", data).document.querySelectorAll("[data-chart^=trend]")].map(one => one.querySelectorAll("path.mark").length), [2, 2, 1]);
});

test("an archive without outliers, of runs without times", () => {
    const data = archived();
    data.outliers = [];
    data.items = data.items.slice(0, 1);
    data.trends = data.trends.slice(3);
    kept("archive-none.txt", all(open("archive.js", "archive", data)));
});

/* ---------------------------------------------------------------- ibsprof export --format=html */

test("a trace of ops", () => {
    const op = (number, label, tag, completion, retire, more) => ({op: number, label, details: `chase w.c:${number}`, tag, completion, retire, lost: false, ...more});
    const data = {generator: "ibsprof test", comment: "MODEL: a", ops: [op(20, "20: 0x1 mov rax, qword ptr [rax]", 0, 30, 31), op(21, "21: 0x4 sub ecx, 1", 0, 2, 31),
        op(22, "22: lost", 5, 5, 5, {lost: true}), op(23, "23: 0x7 jne 0x1", 6, 6, 40)]};
    const window = open("trace.js", "trace", data), {document} = window;
    const bars = name => [...document.querySelectorAll(`rect.${name}`)].map(bar => ["x", "width"].map(key => Math.round(bar.getAttribute(key))).join("+"));
    assert.equal(bars("tagged").length, 2);
    assert.equal(bars("completed").length, 3);
    assert.equal(document.querySelectorAll("line.lost").length, 1);
    kept("trace.txt", [all(window), `tagged ${bars("tagged").join(" ")}`, `completed ${bars("completed").join(" ")}`].join("\n") + "\n");
});

test("a trace of silicon", () => {
    const window = open("trace.js", "trace", {generator: "ibsprof test", comment: "", ops: []});
    assert.equal(window.document.querySelector(".badge"), null);
    assert.match(window.document.querySelector("header p").textContent, /^0 ops$/);
});

test("a trace of long names and thousands of cycles", () => {
    const op = (number, label, tag, completion, retire) => ({op: number, label, details: "", tag, completion, retire, lost: false});
    const {document} = open("trace.js", "trace", {generator: "ibsprof test", comment: "", ops: [op(1, "n".repeat(51), 0, 1, 4000)]});
    assert.equal(document.querySelector("g.op > text").textContent, "n".repeat(50));
    assert.equal(document.querySelector("rect.tagged").getAttribute("width"), "1");
});
