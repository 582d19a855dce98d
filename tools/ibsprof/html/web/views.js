/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of a profile, a function each: latencies(host, p, go), addresses, nodes, fetches, counters, machine. go(row) shows a row's
 * listing. */
const rowLink = (row, go) => el("button", {type: "button", class: "link code", onclick: () => go(row)}, row.text || hex(row.address));
const rowPlace = row => `${row.fn.label} ${hex(row.address)}`;
const none = (host, text) => host.append(el("p", {class: "quiet"}, text));

/* Returns where loads found their data: [name, loads, index of the colour and in latency.sources]. For a core only what counts show. */
const loadSources = (p, of = p.all) => {
    const counted = source => d3.sum(source.loads, code => p.get(of, code));
    if (p.has("X240")) return p.latency.sources.map((source, i) => [source.name, counted(source), i]);
    /* Without northbridge status in registers: from the latencies of loads that missed, each with a source. */
    const hits = p.get(p.all, "F201") - p.get(p.all, "X200") - p.get(p.all, "X20C");
    return p.latency.sources.map((source, i) =>
        [source.name, i === 0 ? hits : source.loads.length === 1 ? counted(source) : total(pairs(source.counts)), i]);
};

/* ---------------------------------------------------------------- latencies */

function latencies(host, p, go) {
    const bins = p.latency.bins;
    const panels = p.latency.sources.map((source, i) => ({label: source.name, counts: pairs(source.counts), color: palette(i)}))
        .filter((panel, i) => i > 0 && total(panel.counts) > 0);
    host.append(el("h2", {}, "How long loads waited"));
    if (panels.length) {
        host.append(el("p", {}, `Loads that missed the data cache, by where their data came from: cycles from detecting the miss to the ` +
                    `return of data. ` +
            `${count(p.get(p.all, "F201") - p.get(p.all, "X200"))} of ${count(p.get(p.all, "F201"))} sampled loads hit the data cache; ` +
                `hits have no latency and are not drawn.`));
        histograms(host, {name: "latency", title: "Latency of loads that missed, by data source", bins, panels, unit: "cycles",
            what: "loads",
            note: "Solid line: median. Dashed line: 90th percentile. Bars: four per octave.",
            alt: panels.map(panel => `${panel.label}: ${count(total(panel.counts))} loads, median ${quantile(panel.counts, bins, .5)} ` +
                    `cycles, 90 % within ${quantile(panel.counts, bins, .9)}`).join("; ")});
        const rows = p.rows.filter(row => row.latency).sort((a, b) => p.get(b, "F219") - p.get(a, "F219"));
        host.append(el("h3", {}, "By instruction"), dataTable({
            name: "latency-rows", rows, sort: 3, limit: 15, columns: [
                {title: "Instruction", text: true, value: row => row.text || "", show: row => rowLink(row, go)},
                {title: "Where", text: true, value: rowPlace},
                {title: "Loads\nmissed", value: row => p.get(row, "X200"), bar: true},
                {title: "Sum of\ncycles", value: row => p.get(row, "F219"), bar: true},
                {title: "Mean\ncycles", value: row => p.get(row, "F219") / p.get(row, "X200"), show: (row, value) => fixed(value, 1)},
                {title: "Median", value: row => quantile(row.latency, bins, .5)},
                {title: "90 %\nwithin", value: row => quantile(row.latency, bins, .9)},
            ]}));
    } else none(host, "No load of this run missed the data cache in a sample.");
    const retire = pairs(p.latency.tag_to_retire);
    if (retire.length) {
        host.append(el("h2", {}, "Time of ops in the pipeline"));
        histograms(host, {name: "tag-to-retire", title: "Time from tagging to retirement of all sampled ops", bins, unit: "cycles",
            what: "ops",
            panels: [{label: "All ops", counts: retire, color: palette(2)}], panelHeight: 130,
            note: "Ops retire in order: a completed op waits for earlier ops. A long time here does not mean that this op is slow.",
            alt: `Tag to retirement of ${count(total(retire))} ops: median ${quantile(retire, bins, .5)} cycles, 90 % within ` +
                `${quantile(retire, bins, .9)}.`});
    }
}

/* ---------------------------------------------------------------- data addresses */

/* Returns the distance at which an instruction's accesses repeat, if its samples show one. Two samples of a walk with stride S are a
 * multiple of S and little more apart, so modulo S neighbours in time are close together; modulo other numbers they are not. */
function findStride(points, span) {
    const pairs = [];
    for (let i = 1; i < points.length && pairs.length < 600; i++) pairs.push(Math.abs(points[i].offset - points[i - 1].offset));
    if (pairs.length < 100) return null;
    let best = null, least = .04; /* chance gives 0.25 */
    for (let stride = Math.min(65536, Math.floor(span / 8)) & ~3; stride >= 64; stride -= 4) {
        let sum = 0;
        for (const distance of pairs) {
            const rest = distance % stride;
            sum += Math.min(rest, stride - rest);
        }
        const score = sum / pairs.length / stride;
        if (score < least * .999) { least = score; best = stride; }
    }
    return best;
}

function loadPoints(p) {
    const source = p.points;
    let time = 0;
    return source.region.map((region, i) => {
        time += source.time_step[i];
        return {region, offset: source.offset[i], time, row: source.row[i] < 0 ? null : p.rows[source.row[i]], latency: source.latency[i],
            source: source.source[i], store: !!(source.flags[i] & 1), tlb: !!(source.flags[i] & 2)};
    });
}

function addresses(host, p, go) {
    const ticks = p.samples.time_unit !== "ns", points = loadPoints(p);
    host.append(el("h2", {}, "Data accesses over time"));
    if (!points.length) return none(host, "No sample of this run has a data address.");
    const regions = p.points.regions.map((region, number) => {
        const own = points.filter(point => point.region === number), base = BigInt(region.base);
        return {number, base, span: region.span, own, misses: own.filter(point => point.latency > 0).length,
            tlb: own.filter(point => point.tlb).length,
            pages: new Set(own.map(point => (base + BigInt(point.offset)) >> 12n)).size,
            rows: d3.nest().key(point => point.row ? point.row.number : -1).entries(own)
                .sort((a, b) => b.values.length - a.values.length)};
    });
    host.append(el("p", {}, p.points.count < p.points.seen
        ? `${count(p.points.count)} of ${count(p.points.seen)} accesses with an address, chosen evenly.`
        : `All ${count(p.points.count)} accesses with an address.`,
    ` A gap of ${bytes(p.points.region_gap)} without accesses ends a region.`));
    const sources = p.latency.sources.map(source => source.name);
    const dominant = regions.reduce((best, region) => (region.tlb + region.misses) > (best.tlb + best.misses) ? region : best);
    const box = (label, options, value) => {
        const select = el("select", {onchange: () => update()}, options.map(([v, text]) => el("option", {value: v}, text)));
        select.value = value;
        return {label: el("label", {}, label, select), select};
    };
    const where = region => `${hex(region.base)}, ${bytes(region.span + 1)}`;
    const regionBox = box("Region", regions.map(region => [region.number, `${where(region)} (${count(region.own.length)})`]),
        dominant.number);
    const yBox = box("Upwards", [["row", "place in a row of"], ["address", "address"], ["page", "page of 4 KB"],
        ["line", "line in the page"]], "address");
    const xBox = box("To the right", [["time", "time"], ["insn", "instruction"]], "time");
    const colorBox = box("Colour", [["source", "data source of loads"], ["tlb", "DTLB misses"], ["store", "loads and stores"]], "source");
    const insnBox = box("Only", [["all", "all instructions"]], "all");
    const strideBox = el("input", {type: "number", min: "8", step: "4", "aria-label": "bytes in a row", style: {width: "6.5em"},
        onchange: () => update()});
    const zoomOut = el("button", {type: "button", class: "plain", disabled: true, onclick: () => { zoom = null; update(); }}, "Whole time");
    const says = el("p", {});
    let zoom = null, lastRegion = null;

    host.append(dataTable({name: "regions", rows: regions, sort: 2, limit: 8, columns: [
        {title: "Region", text: true, value: region => Number(region.base),
            show: region => el("button",
                {type: "button", class: "link code", onclick: () => { regionBox.select.value = region.number; update(); }},
                hex(region.base))},
        {title: "Size", value: region => region.span + 1, show: (region, value) => bytes(value)},
        {title: "Accesses\ndrawn", value: region => region.own.length, bar: true},
        {title: "Pages\ntouched", value: region => region.pages},
        {title: "Loads\nmissed", value: region => region.misses, bar: true},
        {title: "DTLB\nL1M L2M", value: region => region.tlb, bar: true},
        {title: "Most by", text: true, plain: true, show: region => { const row = region.rows[0].values[0].row;
            return row ? rowLink(row, go) : ""; }},
    ]}));
    host.append(el("div", {class: "controls"}, regionBox.label, yBox.label, strideBox, xBox.label, colorBox.label, insnBox.label, zoomOut),
        says);
    const figureHost = el("div", {});
    host.append(figureHost);

    const region = () => regions[regionBox.select.value];
    const chosen = () => region().own.filter(point => insnBox.select.value === "all"
            || (point.row ? point.row.number : -1) === +insnBox.select.value);
    const stride = () => Math.max(4, Math.round(+strideBox.value) || 4096);
    const lanes = () => region().rows.slice(0, 12);
    const yOf = point => {
        const at = yBox.select.value;
        if (at === "row") return point.offset % stride();
        const address = region().base + BigInt(point.offset);
        if (at === "line") return Number((address & 4095n) >> 6n);
        return at === "page" ? Number((address >> 12n) - (region().base >> 12n)) : point.offset;
    };
    const colors = {
        source: {of: point => point.store && !point.latency ? "--line" : `--s${point.source}`,
            key: () => sources.map((text, i) => [text, palette(i), i])
                .filter(([, , i]) => region().own.some(point => point.source === i))},
        tlb: {of: point => point.tlb ? "--s5" : "--s0", key: () => [["missed both DTLBs", palette(5)], ["hit a DTLB", palette(0)]]},
        store: {of: point => point.store ? "--s5" : "--s2", key: () => [["load", palette(2)], ["store", palette(5)]]},
    };

    function update() {
        const now = region();
        if (now !== lastRegion) {
            const main = now.rows[0], found = findStride(main.values, now.span);
            lastRegion = now;
            zoom = null;
            insnBox.select.replaceChildren(el("option", {value: "all"}, "all instructions"), ...now.rows.slice(0, 12).map(entry =>
                el("option", {value: entry.key},
                    `${entry.values[0].row ? `${hex(entry.values[0].row.address)} ${entry.values[0].row.text || ""}` : "others"} ` +
                        `(${count(entry.values.length)})`)));
            strideBox.value = found || 4096;
            yBox.select.value = found ? "row" : "address";
            says.replaceChildren(...(found && main.values[0].row ? [
                el("strong", {}, "A walk: "), `accesses of `, rowLink(main.values[0].row, go),
                ` lie a multiple of ${count(found)} bytes apart, and the place within these ${count(found)} bytes moves slowly. `,
                found >= 4096 - 256 ? `Each step goes to another page of 4 KB: ${count(now.pages)} pages, ` +
                    `${percent(now.tlb, now.own.length)} of the accesses missed both DTLBs.` : `Each step goes to another cache line.`]
                : []));
        }
        strideBox.hidden = yBox.select.value !== "row";
        zoomOut.disabled = !zoom;
        const coloring = colors[colorBox.select.value], byTime = xBox.select.value === "time";
        const order = new Map(lanes().map((entry, i) => [+entry.key, i]));
        const xOf = (point, i) => byTime ? point.time : (order.get(point.row ? point.row.number : -1) ?? 12) + .5
            + .35 * Math.sin(i * 12.9898);
        const yName = {row: `place in a row of ${count(stride())} bytes`, address: `bytes above ${hex(now.base)}`,
            page: `page of 4 KB above ${hex(now.base)}`, line: "cache line in its page"}[yBox.select.value];
        const own = chosen(), top = Math.max(1, ...own.map(yOf));
        const inBytes = yBox.select.value === "address" && top > 4096;
        const span = zoom || [0, p.samples.last_time - p.samples.first_time];
        const [unit, size] = ticks ? ["TSC ticks", 1] : span[1] > 2e9 ? ["s", 1e9] : span[1] > 2e6 ? ["ms", 1e6] : ["\u00b5s", 1e3];
        figureHost.replaceChildren();
        scatter(figureHost, {
            name: "addresses", title: `Accesses to ${where(now)}`,
            note: byTime ? "Each point is a sampled access. Drag over the plot to select a part of the time."
            : "Each point is a sampled access, by the instruction that made it.",
            alt: `Scatter plot of ${count(own.length)} accesses, ${yName} against ${byTime ? "time" : "instruction"}. ${says.textContent}`,
            key: coloring.key(),
            points: () => own.map((point, i) => ({x: xOf(point, i), y: yOf(point), color: coloring.of(point), large: point.latency > 0,
                tip: () => `${hex(now.base + BigInt(point.offset))} ` +
                    (point.store ? "store" : "load") +
                    (point.latency ? `, missed: ${point.latency} cycles, ${sources[point.source]}` : "") +
                    `${point.tlb ? ", missed both DTLBs" : ""}; ` +
                        `${point.row ? `${hex(point.row.address)} ${point.row.text || ""} in ${point.row.fn.label}` : ""}`})),
            x: () => byTime ? {scale: d3.scaleLinear().domain(span), label: `time since the first sample, ${unit}`,
                format: value => +(value / size).toPrecision(6)}
            : {scale: d3.scaleLinear().domain([0, order.size]), label: "instruction", ticks: [...order.values()].map(i => i + .5),
                format: value => { const row = lanes()[Math.floor(value)].values[0].row; return row ? hex(row.address) : "?"; }},
            /* Bytes in steps of a power of two. */
            y: () => ({scale: inBytes ? d3.scaleLinear().domain([0, top]) : d3.scaleLinear().domain([0, top]).nice(), ticks: inBytes
                ? d3.range(0, top, 2 ** Math.ceil(Math.log2(top / 8))) : null, label: yName, format: value => inBytes ? bytes(value)
            : count(value)}),
            brush: byTime ? (from, to) => { zoom = [Math.max(0, from), to]; update(); } : null,
        });
    }
    update();
}

/* ---------------------------------------------------------------- nodes and caches */

function nodes(host, p) {
    const get = code => p.get(p.all, code), loads = get("F201");
    host.append(el("h2", {}, "Where loads found their data"));
    if (!loads) none(host, "No loads were sampled.");
    else {
        const parts = loadSources(p).filter(([, n]) => n > 0);
        barChart(host, {name: "sources", title: "Sampled loads by data source", log: true, unit: "loads",
            note: p.has("X240") ? "Decoded by the rules of Family 10h: the L2 served a miss that the northbridge did not answer."
            : "Decoded by the rules of this processor.",
            alt: parts.map(([label, n]) => `${label}: ${count(n)}, ${percent(n, loads)}`).join("; "),
            rows: parts.map(([label, value, i]) =>
                ({label, value, color: palette(i), text: `${count(value)}  (${percent(value, loads)})`}))});
    }
    if (!p.has("F240") || !p.has("F249") || !p.has("F242"))
        return none(host, "This processor's registers do not show the northbridge's events (F240 to F24C), or not all of them.");
    const local = get("F240"), remote = get("F241"), count_nodes = +(p.facts_by_key["machine.nodes"] || 0);
    host.append(el("h2", {}, "Nodes"));
    if (local + remote) {
        stackChart(host, {name: "nodes", title: "Loads that the northbridge answered", unit: "% of these loads",
            note: count_nodes === 1 && !remote ? "This machine has one node, so nothing is remote."
            : "Remote: another node's cache or memory.",
            alt: `this node answered ${count(local)} loads, another node ${count(remote)}`,
            parts: [{label: "local", value: local, text: `${count(local)} (${percent(local, local + remote)})`, color: palette(2)},
                {label: "remote", value: remote, text: `${count(remote)} (${percent(remote, local + remote)})`, color: palette(5)}]});
        const line = (label, loads_, caches, memory, other, cycles) => ({label, loads_, caches, memory, other, cycles});
        host.append(dataTable({name: "nodes", rows: [line("local", local, get("F242") + get("F243"), get("F245"), get("F247"), get("F24B")),
            line("remote", remote, get("F244"), get("F246"), get("F248"), get("F24C"))], columns: [
            {title: "Node", text: true, plain: true, show: row => row.label}, {title: "Loads", plain: true, value: row => row.loads_},
            {title: "L3 and\ncaches", plain: true, value: row => row.caches},
            {title: "Memory", plain: true, value: row => row.memory}, {title: "Others", plain: true, value: row => row.other},
            {title: "Mean\ncycles", plain: true, show: row => ratio(row.cycles, row.loads_, 1)}]}));
    } else none(host, "The northbridge answered no sampled load: all loads that missed the data cache hit the L2.");
    host.append(el("h2", {}, "State of lines from other caches"));
    const modified = get("F249"), owned = get("F24A");
    if (modified + owned) stackChart(host, {name: "states", title: "Lines that came from another cache", unit: "% of these loads",
        alt: `${count(modified)} lines came in state modified, ${count(owned)} in state owned`,
        parts: [{label: "modified", value: modified, text: count(modified), color: palette(5)},
            {label: "owned", value: owned, text: count(owned), color: palette(4)}]});
    else none(host, "No line came from another core's cache.");
    const fns = p.functions.filter(fn => p.get(fn, "X240") > 0);
    if (fns.length) host.append(el("h2", {}, "By function"), dataTable({name: "node-functions", rows: fns, sort: 1, limit: 15, columns: [
        {title: "Function", text: true, value: fn => fn.label}, {title: "Answered by\nnorthbridge", value: fn => p.get(fn, "X240"),
            bar: true}, {title: "Local", value: fn => p.get(fn, "F240")},
        {title: "Remote", value: fn => p.get(fn, "F241")}, {title: "L3", value: fn => p.get(fn, "F242")},
        {title: "Other\ncaches", value: fn => p.get(fn, "F243") + p.get(fn, "F244")},
        {title: "Memory", value: fn => p.get(fn, "F245") + p.get(fn, "F246")}, {title: "Modified", value: fn => p.get(fn, "F249")},
        {title: "Owned", value: fn => p.get(fn, "F24A")}]}));
}

/* ---------------------------------------------------------------- fetches */

function fetches(host, p, go) {
    const get = code => p.get(p.all, code), all = get("F000");
    host.append(el("h2", {}, "Instruction fetches"));
    if (!all) return none(host, "No IBS fetch samples in this run.");
    host.append(el("p", {}, `${count(all)} fetches were sampled. ${count(get("F001"))} were killed before they reached instruction cache ` +
                `and ITLB; of the ${count(get("F002"))} that were attempted, ` +
        `${count(get("F003"))} delivered bytes and ${count(get("F004"))} were aborted. All = killed + attempted; attempted = completed ` +
            `+ aborted.`));
    const two = el("div", {class: "two"});
    host.append(two);
    const bars = (name, title, note, rows) => barChart(two.appendChild(el("div", {})), {name, title, note, log: true, unit: "fetches",
        alt: rows.map(([label, n, of]) => `${label}: ${count(n)}, ${percent(n, of)}`).join("; "),
        rows: rows.map(([label, value, of, color]) =>
            ({label, value, color: palette(color), text: `${count(value)}  (${percent(value, of)})`}))});
    bars("fetch-outcome", "Outcome of fetches", "Percent of all sampled fetches.",
        [["completed", get("F003"), all, 2], ["aborted", get("F004"), all, 5], ["killed", get("F001"), all, 0]]);
    bars("fetch-cache", "Instruction cache and ITLB", "Percent of attempted fetches.",
        [...(p.has("F008") ? [["IC hit", get("F009"), get("F002"), 1], ["IC miss", get("F008"), get("F002"), 5]] : []),
            ["ITLB: L1 hit", get("F005"), get("F002"), 1], ["L1 miss, L2 hit", get("F006"), get("F002"), 3],
            ["missed both", get("F007"), get("F002"), 5],
            ["4 KB page", get("F00A"), get("F002"), 0], ["2 MB page", get("F00B"), get("F002"), 0]]);
    const counts = pairs(p.latency.fetch);
    if (counts.length) histograms(host, {name: "fetch-latency", title: "Latency of attempted fetches", bins: p.latency.bins, unit: "cycles",
        what: "fetches", panelHeight: 130,
        note: "From the start of the fetch to delivery or abort.", panels: [{label: "Attempted", counts, color: palette(2)}],
        alt: `Latency of ${count(total(counts))} fetches: median ${quantile(counts, p.latency.bins, .5)} cycles, 90 % within ` +
            `${quantile(counts, p.latency.bins, .9)}.`});
    const rows = p.rows.filter(row => p.get(row, "F000") > 0);
    host.append(el("h2", {}, "Where fetches began"),
        el("p", {class: "quiet"},
            "A fetch address is that of a block or branch target; inside an instruction it counts for this instruction."),
        dataTable({name: "fetch-rows", rows, sort: 2, limit: 20, columns: [
            {title: "Instruction", text: true, value: row => row.text || "", show: row => rowLink(row, go)},
            {title: "Where", text: true, value: rowPlace},
            {title: "Attempted", value: row => p.get(row, "F002"), bar: true}, {title: "Killed", value: row => p.get(row, "F001")},
            {title: "Completed", value: row => p.get(row, "F003")},
            {title: "Aborted", value: row => p.get(row, "F004")}, {title: "IC\nmiss", value: row => p.get(row, "F008")},
            {title: "ITLB\nL1M", value: row => p.get(row, "F006") + p.get(row, "F007")},
            {title: "Mean\ncycles", value: row => p.get(row, "F002") ? p.get(row, "F00E") / p.get(row, "F002") : null,
                show: (row, value) => value === null ? "-" : fixed(value, 1)}]}));
}
