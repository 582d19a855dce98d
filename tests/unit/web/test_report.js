/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the page of one run (report.js and the views): what is drawn, and what a reader's choices change. */
const assert = require("node:assert");
const {test, open, outline, sorted, kept, click, choose, mouse, plain} = require("./page.js");
const data = require("./data.js");

const shown = window => [...window.document.querySelectorAll("[role=tabpanel]")].filter(view => !view.hidden).map(view => view.id).join();
const texts = (window, selector) => [...window.document.querySelectorAll(selector)].map(node => plain(node.textContent));

test("a run of ibsboot on two nodes", () => {
    const window = open("report.js", "profile", data.profile(), {hash: "#/listing"}), {document} = window;
    kept("report.txt", `${document.title}\n${outline(document.body)}`);
    assert.deepStrictEqual([shown(window), window.seen.scrolled], ["listing", ["row-0 center"]]);

    /* The sentence's links lead to the listing, and to the certificate. */
    window.look("showTab")("summary");
    click(document.querySelector("[data-culprit] button"));
    assert.deepStrictEqual([shown(window), window.seen.scrolled.length, window.location.hash], ["listing", 2, "#/listing"]);
    window.look("showTab")("summary");
    click([...document.querySelectorAll(".lead button")].find(button => button.textContent === "multiply"));
    assert.deepStrictEqual([shown(window), document.activeElement.id], ["listing", "tab-listing"]);
    for (const words of ["See there.", "The counts."]) {
        window.look("showTab")("summary");
        click([...document.querySelectorAll(".notes button")].find(button => button.textContent === words));
        assert.deepStrictEqual([shown(window), document.activeElement.id], ["machine", "tab-machine"]);
    }
    click(document.querySelector("[data-table=functions] tbody tr:nth-child(2) button"));
    assert.deepStrictEqual([shown(window), document.activeElement.id], ["listing", "tab-listing"]);
    assert.match(document.querySelector("#listing p.quiet").textContent, / check in ibsboot, 20 bytes at 1100h\. Source lines are not known\./);
    for (const table of ["latency-rows", "regions", "fetch-rows"]) {
        click(document.querySelector(`[data-table=${table}] tbody tr button.link[class~=code]:last-of-type`));
        click([...document.querySelectorAll(`[data-table=${table}] tbody tr button`)].pop());
    }
    kept("report-listing.txt", outline(document.getElementById("listing")));
});

test("a file that was cut short", () => {
    const profile = data.clock();
    Object.assign(profile.run, {error: "cut.data: the file is cut off", figures: "UNKNOWN: it says no more"});
    const window = open("report.js", "profile", profile);
    assert.ok(texts(window, ".notes li").includes("Only a part: cut.data: the file is cut off"));
    window.look("showTab")("machine");
    assert.match(plain(window.document.getElementById("machine").textContent), /Figures ?UNKNOWN: it says no more/);
});

test("tables by each column", () => {
    const order = profile => sorted(open("report.js", "profile", profile).document);
    kept("report-sorted.txt", ["profile", "clock", "later"].map(name => order(data[name]())).concat(order(data.counted(0))).join("\n"));
});

/* The words for a culprit of each kind, at the edges where one more is said. */
test("why an instruction is the first to look at", () => {
    const words = open("report.js", "profile", data.profile()).look("culpritWords"), lines = [];
    const get = (thing, code) => thing[code] || 0, all = {F100: 1000, F206: 400, F104: 50, F101: 9000, wait: 800};
    const say = (operand, row, more) => lines.push(`${operand}: ${words({get, all}, {row, operand, why: "of it", ...more})}`);
    const estimate = {ppm: 123456, low: 100000, high: 150000};
    for (const operand of ["F219", "F206", "F205", "F104", "F008", "F101", "wait", "F100", "time"])
        for (const row of [{}, {F100: 1, F101: 900, wait: 8, F201: 1, F103: 1, F104: 1, F002: 4, F008: 1, F200: 100, F205: 2, F206: 1, X200: 1, F219: 33},
            {F100: 50, F201: 2000, F200: 2000, F205: 41, F206: 40, X200: 40, F219: 4444}, {F103: 7, F104: 2}]) say(operand, {...row, estimate});
    say("E1", {events: new Map([[3, [5, 9]]])}, {event: {index: 3, samples: 20, name: "my counter"}});
    kept("report-words.txt", lines.join("\n") + "\n");
});

test("of a part of the cores, and what is not there", () => {
    const p = data.profile(), texts_of = selector => texts(open("report.js", "profile", p), selector).join("\n");
    assert.ok(texts_of(".lead p:first-child").startsWith("Cause: Loads find their data in the L2: 215 of 600"));
    assert.ok(texts_of(".lead p:first-child").includes("Next: Addresses miss both"));
    p.causes[1].name = "retiring";
    assert.ok(!texts_of(".lead p:first-child").includes("Next"));
    delete p.causes[0].where;
    assert.ok(!texts_of(".lead p:first-child").includes("Most of it"));
    p.causes = undefined;
    assert.ok(texts_of(".lead p:first-child").startsWith("What ran: "));
    const clock = data.clock(), lead = () => texts(open("report.js", "profile", clock), ".lead p").join("\n");
    assert.ok(lead().includes("of the samples of cpu-clock"));
    clock.causes = [{name: "dc", event: "known", says: "Accesses miss the data cache", try: "Work on smaller blocks.", sure: "low: few samples"}];
    assert.ok(lead().startsWith("Cause: Accesses miss the data cache."));
    assert.ok(lead().includes("of the samples of known") && !lead().includes("of the samples of cpu-clock"));
    p.run.only_cores = "3";
    assert.ok(texts_of(".lead p").includes("Only core 3 is in this report."));
    Object.assign(p.run, {only_cores: null, only_nodes: "1"});
    assert.ok(texts_of(".lead p").includes("Only node 1 is in this report."));
    p.facts = p.facts.filter(([key]) => !key.startsWith("restored.")).concat([
        ["restored.0", "IDT, 0x1, 0x1, same"], ["restored.1", "GDT, 0x1, 0x1,same"], ["restored.2", "CR3, 0x1, 0x2, DIFFERENT"], ["restored.dropped", "0"]]);
    assert.ok(texts_of("#machine p").includes("1 of 3 registers and tables read differently"));
    assert.ok(!texts_of("#machine p").includes("not complete"));
    p.facts[p.facts.length - 1] = ["restored.dropped", "1234"];
    assert.ok(texts_of("#machine p").includes("1 of 3 registers and tables read differently"));
    assert.ok(texts_of("#machine p").includes("The list is not complete: it had no room for 1,234 rows from all passes."));
    const at = code => data.codes.indexOf(code), without = (...left) => { p.totals = p.totals.map((n, i) => i % 2 && left.includes(data.codes[p.totals[i - 1]]) ? 0 : n); };
    assert.ok(at("F240") > 0);
    without("F240", "F241", "F249", "F24A");
    const words = texts_of("#nodes p.quiet");
    assert.ok(words.includes("The northbridge answered no sampled load") && words.includes("No line came from another core"));
    without("F201");
    assert.ok(texts_of("#nodes p.quiet").includes("No loads were sampled."));
    without("F219", "F101");
    assert.ok(texts_of("#summary p.quiet").includes("Mean wait of a load that missed: 0.0 cycles. Mean time from tag to retirement: 0.0 cycles."));
    without("X200", "F100", "F002");
    assert.ok(!texts_of("#summary p.quiet").includes("cycles"));
    const known = data.clock();
    known.events[2].samples = 0;
    assert.ok(!texts(open("report.js", "profile", known), "[data-table=functions] th").some(title => title.includes("unlucky")));
});

test("what sampling changed", () => {
    const calm = data.profile(), unknown = data.profile(), notes = profile => texts(open("report.js", "profile", profile), ".notes li").join("\n");
    calm.sampling.verdict = "unchanged";
    Object.assign(unknown.sampling, {verdict: "not known", text: "NOTE: nobody knows.", rows: []});
    assert.ok(notes(data.profile()).includes("cycles +12.8 %"));
    assert.ok(!notes(calm).includes("cycles +12.8 %"));
    assert.ok(notes(unknown).includes("nobody knows"));
    const tables = profile => open("report.js", "profile", profile).document.querySelectorAll("[data-table=sampling]").length;
    assert.deepStrictEqual([tables(calm), tables(unknown)], [1, 0]);
    const events = clock => {
        calm.sampling.clock = clock;
        return texts(open("report.js", "profile", calm), "[data-table=sampling] tbody td:first-child").slice(0, 2);
    };
    assert.deepStrictEqual([events("TSC"), events("076")], [["* cycles (TSC)", "DC misses"], ["* cycles", "DC misses"]]);
});

test("estimated time", () => {
    const row = (address, ppm, low, high) => ({address, function: "multiply", instruction: "fadd", ppm, low, high, samples: 1});
    const timed = (...rows) => Object.assign(data.profile(), {time: {rows, front_end: {ppm: 5e4}, outside: {ppm: 0}}});
    const profile = timed(row(0x1072, 3e5, 2e5, 4e5), row(0x1076, 6e5, 5e5, 7e5), row(0x1102, 9e5, 9e5, 9e5));
    const window = open("report.js", "profile", profile), {document} = window, lead = () => texts(window, ".lead [data-culprit]")[0];
    kept("report-estimate.txt", outline(document.body));
    assert.ok(lead().startsWith("Look here first: fadd"));
    assert.ok(lead().includes("An estimated 60.0 % of the cycles (95 % interval of the samples: 50.0 to 70.0) pass while it retires"));
    assert.ok(!lead().includes("missed the data cache") && !lead().includes("It has the most"));
    /* The listing opens by it, at the instruction. */
    assert.deepStrictEqual(texts(window, "#listing thead th").slice(3), ["Est. time", "Ops", "% of ops"]);
    assert.strictEqual(document.querySelector("#listing tr[data-culprit]").dataset.address, "1076h");
    assert.strictEqual(texts(window, "#listing tr[data-culprit] td")[3], "60.0 %");
    assert.ok(texts(window, "[data-table=functions] tbody tr:first-child td").includes("90.0 %"));
    assert.ok(document.getElementById("summary").textContent.includes("Instructions with the most estimated time"));

    /* Two whose intervals meet; misses and mispredictions are told. */
    const lines = rows => texts(open("report.js", "profile", timed(...rows)), ".lead [data-culprit]")[0];
    assert.ok(lines([row(0x1072, 6e5, 4e5, 7e5), row(0x1076, 3e5, 2e5, 4e5)]).startsWith("No instruction stands out. First by a small margin: fld"));
    assert.ok(lines([row(0x1072, 6e5, 4e5, 7e5)]).includes("missed the data cache"));
    assert.ok(lines([row(0x107a, 6e5, 4e5, 7e5)]).includes("were mispredicted"));
    assert.ok(lines([row(0x107e, 0, 0, 0)]).includes("missed the data cache")); /* nothing is known: by misses, as without it */
});

test("a roofline", () => {
    const page = (own, more, width) => {
        const p = data.counted(0);
        p.roofline = Object.assign(data.roofline(own), more);
        return open("report.js", "profile", p, {width});
    };
    const view = window => window.document.getElementById("roofline"), words = window => plain(view(window).textContent);
    const path = window => view(window).querySelector(".roof").getAttribute("d").match(/[\d.]+,[\d.]+/g).map(corner => corner.split(",").map(Number));
    const known = page();
    assert.deepStrictEqual(texts(known, "#roofline tbody tr").map(row => row.slice(0, 32)), ["workload1.530.54,000,0002,000,00", "peak of operations (SSE2)120.000",
        "peak of memory (triad)0.8100.084"]);
    assert.deepStrictEqual(texts(known, "#roofline circle title"), ["workload: 1.5 GFLOP/s, 0.5 FLOP/byte", "peak of memory (triad): 0.8 GFLOP/s, 0.08 FLOP/byte"]);
    assert.deepStrictEqual(texts(known, "#roofline svg > text"), ["FLOP/byte (log scale)", "GFLOP/s (log scale)", "peak of operations: 12 GFLOP/s"]);
    assert.ok(words(known).includes("The workload reaches 30.0 % of the peak of memory, which is the nearer one; at its intensity the roof is 5 GFLOP/s."));
    /* The words of both axes, one of them upright, and of the roof, which ends in the picture. */
    const [across, upright, roof] = view(known).querySelectorAll("svg > text");
    assert.deepStrictEqual([across, upright].map(one => /rotate\(-90\)/.test(one.getAttribute("transform"))), [false, true]);
    assert.ok(+roof.getAttribute("x") > 62 && +roof.getAttribute("x") < 900 && roof.getAttribute("text-anchor") === "end");
    /* Next to where the figures are rounded otherwise. */
    for (const [rate, told] of [[1125000000, "1.13"], [1124999999, "1.12"]])
        assert.deepStrictEqual([...view(page({bytes_s: rate, operations_s: rate})).querySelectorAll("tbody tr:first-child td")].map(cell => cell.textContent).filter(text => text.startsWith("1.12")
            || text.startsWith("1.13")), [told, told]);
    /* Up to the ridge, level beyond; the workload is below it, at all widths. */
    for (const width of [420, 900, 2560]) {
        const window = page({}, {}, width), corners = path(window), own = view(window).querySelector("circle");
        assert.ok(corners.length === 3 && corners[0][1] > corners[1][1] && corners[1][1] === corners[2][1]);
        assert.ok(corners[0][0] < +own.getAttribute("cx") && +own.getAttribute("cx") < corners[1][0] && +own.getAttribute("cy") > corners[1][1]);
        assert.ok(corners[2][0] <= Math.min(width, 1560) && +view(window).querySelector("line.p90").getAttribute("y2") < +own.getAttribute("cy"));
    }
    /* Without bytes, or operations, there is no such place, and the reason is told. */
    const blind = page({bytes: null, no_bytes: "several cores of a node", bytes_s: null, intensity_ppm: null}, {bound: null, roof_s: null, share_ppm: null});
    assert.ok(words(blind).includes("workload: bytes were not counted: several cores of a node."));
    assert.ok(words(blind).includes("It is not known which peak limits the workload."));
    assert.strictEqual(view(blind).querySelectorAll("circle").length, 1);
    const idle = page({operations: 0, operations_s: 0, intensity_ppm: 0}, {roof_s: null});
    assert.ok(words(idle).includes("which is the nearer one.") && !words(idle).includes("at its intensity"));
    assert.strictEqual(view(idle).querySelectorAll("line.p90").length, 0);
    const peaks = (one, key) => { const roofline = data.roofline(); roofline.loops[one][key] = null; return page({}, {...roofline, ridge_ppm: null}); };
    assert.ok((corners => corners.length === 2 && corners[0][1] > corners[1][1])(path(peaks(1, "operations_s"))));
    assert.ok((corners => corners.length === 2 && corners[0][1] === corners[1][1])(path(peaks(2, "bytes_s"))));
    const little = page({intensity_ppm: null, operations_s: null}, {bound: "operations", loops: data.roofline({ns: 0}).loops.map(one => ({...one, operations_s: null, operations: null,
        intensity_ppm: null, bytes: null, bytes_s: null}))});
    assert.ok(words(little).includes("There are not enough counts to draw the roofline.") && words(little).includes("of the peak of operations"));
    assert.deepStrictEqual(texts(little, "#roofline tbody tr:first-child td"), ["workload", "-", "-", "-", "-", "-", "-"]);
    assert.strictEqual(open("report.js", "profile", data.profile()).document.getElementById("roofline"), null);
});

test("cache lines", () => {
    const page = more => open("report.js", "profile", {...data.profile(), cache_lines: data.lines(more)});
    const window = page(), view = window.document.getElementById("lines"), rows = (of, table) => [...of.document.querySelectorAll(`[data-table=${table}] tbody tr`)].map(row =>
        [...row.cells].map(cell => cell.textContent).join(" "));
    assert.deepStrictEqual(texts(window, "[data-table=cache-lines] th"), ["Line", "Cores", "Sharing", "Loads", "Stores", "DC misses", "Mean miss cycles", "Other cache",
        "Modified elsewhere", "Loads, by who answered"]);
    assert.deepStrictEqual(rows(window, "cache-lines"), ["0000000009000000 2 false 7 3 4 400.3 4 4 another core's cache 4, L1 3", "FFFF880000000040 2 true 1 2 0 - 0 0 L1 1",
        "0000000009100000 1  0 2 0 - 0 0 "]);
    assert.deepStrictEqual(rows(window, "line-parts"), ["0000000009000000 +0 0 3 3 0 - 0 0 L1 3", "0000000009000000 +8 1 4 0 4 400.3 4 4 another core's cache 4",
        "FFFF880000000040 +16 0 1 1 0 - 0 0 L1 1",
        "FFFF880000000040 +16 1 0 1 0 - 0 0 "]);
    assert.ok(plain(view.textContent).includes("3 lines of 64 bytes that sampled loads and stores used. Several cores used 2 of them. 1 with false sharing."));
    assert.ok(!view.textContent.includes("valid address"));
    /* What is typed leaves the rows that have it, and their CSV. */
    const box = view.querySelector("input"), link = view.querySelector("a[download='cache-lines.csv']"), csv = () => decodeURIComponent(link.href.split(",")[1]);
    const type = text => { box.value = text; box.dispatchEvent(new window.Event("input")); };
    assert.strictEqual(csv().split("\n").length, 5);
    type("FALSE");
    assert.deepStrictEqual(rows(window, "cache-lines").length, 1);
    assert.strictEqual(csv(), "Line,Cores,Sharing,Loads,Stores,DC misses,Mean miss cycles,Other cache,Modified elsewhere,\"Loads, by who answered\"\n" +
        "0000000009000000,2,false,7,3,4,400.25,4,4,\"another core's cache 4, L1 3\"\n");
    type("880000");
    assert.strictEqual(csv().split("\n")[1], "FFFF880000000040,2,true,1,2,0,,0,0,L1 1");
    type("");
    assert.strictEqual(rows(window, "cache-lines").length, 3);

    /* Only a part of the lines, none of them shared; read by all cores; a file without. */
    const [first, second, third] = data.lines().rows, one = page({count: 4000, without_address: 2, rows: [third]});
    assert.ok(plain(one.document.getElementById("lines").textContent).includes("The 1 of 4,000 lines of 64 bytes with most sampled loads and stores. No two cores used the same line."));
    assert.ok(one.document.getElementById("lines").textContent.includes("2 loads and stores have no valid address."));
    assert.strictEqual(one.document.querySelector("[data-table=line-parts]"), null);
    assert.ok(!texts(one, "[data-table=cache-lines] th").includes("Modified elsewhere"));
    assert.deepStrictEqual(rows(page({rows: [{...second, values: [1, 0, 0, null, 0]}, first]}), "cache-lines")[0].split(" ")[2], "only");
    assert.strictEqual(open("report.js", "profile", data.profile()).document.getElementById("lines"), null);

    /* Names are texts, loads and stores have bars; of many rows 30 are shown. */
    const many = page({rows: Array(31).fill(first)}), classes = table => [...many.document.querySelector(`[data-table=${table}] tbody tr`).cells].map(cell => cell.className).join("|");
    assert.strictEqual(classes("cache-lines"), "text code||text|bar|bar|||||text long");
    assert.strictEqual(classes("line-parts"), "text code|text|text|bar|bar|zero||zero|zero|text long");
    assert.deepStrictEqual(["cache-lines", "line-parts"].map(table => rows(many, table).length), [30, 30]);
});

test("the listing's choices", () => {
    const window = open("report.js", "profile", data.profile()), {document} = window;
    const [fn, view, heat] = document.querySelectorAll("#listing select"), [sources, silent] = document.querySelectorAll("#listing input");
    const table = () => outline(document.querySelector("#listing table"));
    let text = `${[fn, view, heat].map(box => box.value)}\n`;
    choose(view, "0");
    text += `${heat.value} ${plain(heat.textContent)}\n${table()}`;
    choose(heat, "2");
    sources.checked = false;
    sources.dispatchEvent(new window.Event("change"));
    silent.checked = false;
    silent.dispatchEvent(new window.Event("change"));
    text += table();
    choose(view, "1");
    choose(fn, "2");
    text += `${heat.value}\n${plain(document.querySelector("#listing p.quiet").textContent)}\n${table()}`;
    choose(view, "2");
    kept("report-choices.txt", text + table());
});

test("data addresses: the plot's choices", () => {
    const window = open("report.js", "profile", data.profile(), {width: 640}), {document} = window, host = document.getElementById("data");
    const [region, y, x, color, only] = host.querySelectorAll("select"), stride = host.querySelector("input");
    const lines = [];
    const note = () => lines.push([region, y, x, color, only, stride].map(box => box.value).join(), String(stride.hidden), outline(host.querySelector("figure")).split("\n")
        .filter((line, i) => !line.includes("2d ") || i % 4 === 0).join("\n"));
    note();
    for (const [box, value] of [[y, "address"], [y, "page"], [y, "line"], [color, "tlb"], [color, "store"], [x, "insn"], [only, "0"], [only, "-1"], [region, "1"], [x, "time"]]) {
        choose(box, value);
        if (box !== only) note();
        else lines.push(only.value, host.querySelector("figure").dataset.marks);
    }
    stride.value = "128.4";
    choose(y, "row");
    lines.push(host.querySelector("svg").getAttribute("aria-label"));
    stride.value = "1";
    stride.dispatchEvent(new window.Event("change"));
    lines.push(host.querySelector("svg").getAttribute("aria-label"), plain(only.textContent));
    click(host.querySelectorAll("[data-table=regions] tbody button")[0]);
    lines.push(region.value, plain(host.querySelector("figcaption").textContent));
    kept("report-plot.txt", lines.join("\n") + "\n");
});

test("data addresses: a part of the time, and what is under the mouse", async () => {
    const window = open("report.js", "profile", data.profile(), {width: 640}), {document} = window, host = document.getElementById("data");
    const overlay = () => host.querySelector(".overlay"), whole = [...host.querySelectorAll("button")].find(button => button.textContent === "Whole time");
    const drag = (from, to) => {
        mouse(window, overlay(), "mousedown", from, 100);
        mouse(window, window, "mousemove", to, 100);
        mouse(window, window, "mouseup", to, 100);
    };
    const marks = () => host.querySelector("figure").dataset.marks, all = marks(), axis = () => texts(window, "#data .axis:first-of-type text").join(" ");
    assert.strictEqual(whole.disabled, true);
    drag(100, 103);
    assert.deepStrictEqual([marks(), whole.disabled], [all, true]);
    drag(86, 352);
    const lines = [all, marks(), axis(), String(whole.disabled)];
    drag(352, 620);
    lines.push(marks(), axis());
    await new Promise(resolve => setTimeout(resolve, 20)); /* d3 swallows a click that ends a drag */
    click(whole);
    assert.deepStrictEqual([marks(), whole.disabled], [all, true]);
    const readout = () => host.querySelector(".readout").textContent;
    for (let px = 90; px < 620; px += 60) for (const py of [20, 200, 370]) {
        mouse(window, overlay(), "mousemove", px, py);
        lines.push(readout());
    }
    mouse(window, overlay(), "mouseleave", 0, 0);
    assert.strictEqual(readout(), "");
    kept("report-time.txt", lines.join("\n") + "\n");
    /* The part stays for another look at the same region, and is given up for another region. */
    const [region, y] = host.querySelectorAll("select");
    drag(86, 352);
    choose(y, "page");
    assert.strictEqual(whole.disabled, false);
    choose(region, region.options[region.selectedIndex ? 0 : 1].value);
    assert.strictEqual(whole.disabled, true);
});

test("cores: another ratio", () => {
    const window = open("report.js", "profile", data.profile(), {width: 340}), {document} = window, box = document.getElementById("core-ratio");
    const lines = [plain(box.textContent)];
    for (const {value} of [...box.options]) {
        choose(box, value);
        lines.push(value, outline(document.querySelector("[data-chart=core-ratios]")));
    }
    lines.push(JSON.stringify(window.look("['dc_loads', 'dtlb', 'branch', 'ic', 'cache'].map(key => coresDiffer(report, key))")));
    kept("report-cores.txt", lines.join("\n"));
});

test("General Exploration: each part of the slots has a colour of its own", () => {
    const p = data.counted(0), row = p.counters.tree.find(one => one.level === 1 && one.unit === "% slots");
    p.counters.tree = [0, 1, 2, 3, 4, 5].map(i => ({...row, name: `Part ${i}`, state: "known", value_ppm: 100000 + i}));
    const colors = [...open("report.js", "profile", p).document.querySelectorAll("[data-chart=slots] .key span")].map(one => one.style.getPropertyValue("--c"));
    assert.deepStrictEqual([colors.length, new Set(colors).size], [6, 6]);
});

test("a certificate of one core, and of several", () => {
    for (const [cores, several] of [[[null], false], [[0, 1], true], [[null, 1], true]]) {
        const p = data.profile();
        p.certificate.rows = cores.map(core => ({...p.certificate.rows[0], core}));
        assert.strictEqual(texts(open("report.js", "profile", p), "[data-table=certificate] th").some(text => text.startsWith("Core")), several);
    }
});

test("cores: their op samples, where there are several cores and such samples", () => {
    for (const [ops, cores, drawn] of [[1650, 2, 1], [0, 2, 0], [1650, 1, 0]]) {
        const p = data.profile();
        p.samples.op.all = ops;
        p.cores = p.cores.slice(0, cores);
        assert.strictEqual(open("report.js", "profile", p).document.querySelectorAll("[data-chart=core-samples]").length, drawn, `${ops}, ${cores}`);
    }
});

test("cores: samples of other events", () => {
    const p = data.profile();
    p.events.push({name: "cycles", kind: "counter", config: "0x76"});
    p.cores.forEach((core, i) => { core.others = 30 * (i + 1); });
    const window = open("report.js", "profile", p), rows = () => [...window.document.querySelectorAll("[data-table=core-rows] tr")];
    const at = [...rows()[0].cells].findIndex(cell => plain(cell.textContent).startsWith("Other"));
    assert.ok(at > 0);
    assert.deepStrictEqual(rows().slice(1).map(row => [plain(row.cells[at].textContent), row.cells[at].className]), [["60", "bar"], ["30", "bar"]]);
});

test("cores: their complexes, where the file says them", () => {
    const p = data.profile(), texts = profile => [...open("report.js", "profile", profile).document.querySelectorAll("[data-table=core-rows] th")]
        .map(cell => cell.textContent);
    const without = texts(p);
    p.cores[0].ccx = 3;
    const together = texts(p);
    assert.strictEqual(together.length, without.length + 1);
    assert.ok(together.some(text => /^Core\s*complex/.test(text)), together.join("; "));
});

for (const [name, make] of [["clock", data.clock], ["later", data.later], ["empty", data.empty], ["counted", () => data.counted(0)], ["slots", () => data.counted(6)]])
    test(`a run: ${name}`, () => {
        const window = open("report.js", "profile", make()), {document} = window;
        const parts = ["counted", "slots"].includes(name) ? ["counters", "summary"] : [...document.querySelectorAll("[role=tabpanel]")].map(view => view.id);
        const places = name === "counted" ? [...document.querySelectorAll("[data-table=counter-rows] button.link")] : [];
        kept(`report-${name}.txt`, [document.title, outline(document.querySelector("header")), outline(document.querySelector("nav")), ...parts.map(id =>
            outline(document.getElementById(id))), outline(document.querySelector("footer"))].join("\n"));
        if (name === "counted") {
            click(places[0]);
            assert.deepStrictEqual([places.length, shown(window)], [1, "listing"]);
        }
    });
