/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes and cores: coresView(host, p). And intervalChart, which others use:
 *
 *   intervalChart(host, {name, title, note, alt, rows: [{label, low, value, high, text, color, group}], unit, log, format})
 *       a line for each row from low to high with a dot at value; value null: there is none. Rows of another group are set apart. */
function intervalChart(host, {rows, unit, log, format = shortNumber, ...rest}) {
    const step = 24, bottom = 42, apart = 10, left = Math.min(260, 26 + 7 * Math.max(...rows.map(row => row.label.length)));
    const right = 24 + 6.6 * Math.max(...rows.map(row => row.text.length)),
        gaps = rows.map((row, i) => i > 0 && row.group !== rows[i - 1].group ? 1 : 0);
    const above = width => width < left + right + 120 ? 16 : 0;
    /* without room beside the line, its label has its own line */
    const top = (i, over) => i * (step + over) + apart * d3.sum(gaps.slice(0, i + 1));
    return chart(host, {height: width => top(rows.length - 1, above(width)) + step + above(width) + bottom, ...rest,
        draw(svg, width, height) {
            const known = rows.filter(row => row.value !== null), over = above(width), labels = over ? 10 : left;
            const most = Math.max(...known.map(row => row.high)) || 1, first = log
                ? Math.min(...known.map(row => row.low).filter(value => value > 0)) : 0;
            const x = (log ? d3.scaleLog().domain([Math.max(.7, first * .8), most * 1.1]) : d3.scaleLinear().domain([0, most]))
                .range([labels, width - right]).clamp(true);
            const ticks = log ? x.ticks(6).filter((value, i, all) => all.length < 9 || [1, 2, 5].includes(+String(value)[0])) : x.ticks(6);
            gridX(svg, x, ticks, 0, height - bottom);
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
                .call(d3.axisBottom(x).tickValues(ticks).tickFormat(format).tickSizeOuter(0));
            axisLabel(svg, width - right, height - 6, unit + (log ? " (log scale)" : ""));
            rows.forEach((row, i) => {
                const y = top(i, over) + over + step / 2;
                svg.append("text").attr("x", over ? labels : labels - 10).attr("y", over ? y - step / 2 : y).attr("dy", over ? 0 : ".35em")
                    .attr("text-anchor", over ? "start" : "end").text(row.label);
                svg.append("text").attr("x", row.value === null ? labels + 6 : x(row.high) + 10).attr("y", y).attr("dy", ".35em")
                    .attr("class", "muted").text(row.text);
                if (row.value === null) return;
                svg.append("line").attr("x1", x(row.low)).attr("x2", Math.max(x(row.high), x(row.low) + 1)).attr("y1", y).attr("y2", y)
                    .style("stroke", row.color).style("stroke-width", 2);
                svg.append("circle").attr("class", "mark").attr("cx", x(row.value)).attr("cy", y).attr("r", 4.5).style("fill", row.color)
                    .append("title").text(`${row.label}: ${row.text}`);
            });
            return known.length;
        }});
}

/* Ratios that are compared between cores: [key, title, name of the whole]. */
const coreRatios = [
    ["dc_loads", "Data cache misses of loads", "loads"], ["cache", "Loads answered by another core\u2019s cache", "loads"],
    ["dtlb", "Missed both DTLBs", "loads and stores"], ["remote", "Answered by another node", "loads that a northbridge answered"],
    ["branch", "Branches mispredicted", "branches"], ["ic", "Instruction cache misses", "attempted fetches"],
];

/* Does the ratio differ between cores? Chi-square of the table cores x (part, rest): value and degrees of freedom. */
function coresDiffer(p, key) {
    const rows = p.cores.map(core => core.ratios[key]).filter(Boolean);
    const all = d3.sum(rows, row => row[1]), share = d3.sum(rows, row => row[0]) / all;
    if (rows.length < 2 || share <= 0 || share >= 1 || rows.some(([, of]) => of * Math.min(share, 1 - share) < 5)) return null;
    return {chi: d3.sum(rows, ([n, of]) => (n - of * share) ** 2 / (of * share * (1 - share))), df: rows.length - 1};
}

function coresView(host, p) {
    const cores = p.cores.slice().sort((a, b) => a.node - b.node || a.core - b.core), many = cores.length > 1, several = p.nodes.length > 1;
    const color = core => palette(several ? [2, 5, 3, 4, 6, 7, 1, 0][core.node % 8] : 2),
        label = core => `core ${core.core}${several ? `, node ${core.node}` : ""}`;
    const ops = p.samples.op.all, bins = p.latency.bins, quantileOf = (one, q) => p.get(one, "X200") ? quantile(one.latency, bins, q)
        : null;
    host.append(el("h2", {}, several ? "Nodes and their cores" : "Cores"),
        el("p", {}, many ? `${plural(cores.length, "core", "cores")} took samples. ` : "One core took samples. ",
            p.nodes_known ? several ? `They are on ${p.nodes.length} nodes.` : "All of them are on one node."
            : "The file does not name the nodes: one is assumed."));
    const columns = name => [
        {title: name, text: true, value: one => one.core === undefined ? one.node : one.core, show: one => one.core === undefined
            ? `node ${one.node}` : `core ${one.core}`},
        ...(name === "Core" && several ? [{title: "Node", value: one => one.node}] : []),
        ...(name === "Core" && cores.some(core => core.ccx !== undefined) ? [{title: "Core\ncomplex", value: one => one.ccx}] : []),
        ...(ops ? [{title: "Op\nsamples", value: one => one.op.all, bar: true},
            {title: "% of\nops", value: one => one.op.all, show: one => percent(one.op.all, ops)},
            ...(p.samples.op.outside === null ? []
            : [{title: "Outside", value: one => one.op.outside / (one.op.all || 1),
                show: one => percent(one.op.outside, one.op.all)}]), {title: "Loads", value: one => p.get(one, "F201")}] : []),
        ...(p.samples.fetch.all ? [{title: "Fetch\nsamples", value: one => one.fetch.all, bar: true}] : []),
        ...(p.others.length ? [{title: "Other\nsamples", value: one => one.others, bar: true}] : []),
        ...coreRatios.filter(([key]) => p.ratios[key]).map(([key]) => ({
            title: {dc_loads: "DC\nmiss", cache: "Other\ncache", dtlb: "DTLB\nmiss", remote: "Remote", branch: "Mispre-\ndicted",
                ic: "IC\nmiss"}[key],
            value: ({ratios: {[key]: of}}) => of ? of[0] / of[1] : null, show: ({ratios: {[key]: of}}) => of ? percent(of[0], of[1])
            : "-"})),
        ...(p.get(p.all, "X200")
            ? [.1, .5, .9].map((q, i) => ({title: `${["Miss\np10", "Miss\nmedian", "Miss\np90"][i]}`, value: one => quantileOf(one, q),
                show: (one, value) => value === null ? "-" : count(value)})) : []),
    ];
    if (several) host.append(el("h3", {}, "Nodes"), dataTable({name: "node-rows", rows: p.nodes, columns: columns("Node")}),
        el("h3", {}, "Cores"));
    host.append(dataTable({name: "core-rows", rows: cores, columns: columns("Core")}),
        el("p", {class: "quiet"},
            ops ? "DC miss and other cache (another core\u2019s cache answered): shares of loads. DTLB miss: both levels, share of " +
                "accesses. Remote: loads that a northbridge served. Miss p10, median, p90: wait of loads that missed, in cycles. " : "",
            "One core alone: ", el("code", {}, "ibsprof report --core=N"), "; one node: ", el("code", {}, "--node=N"), "."));
    if (ops && many) barChart(host, {name: "core-samples", title: "Op samples by core", unit: "op samples",
        alt: cores.map(core => `${label(core)}: ${count(core.op.all)}`).join("; "),
        note: "A core that ran longer has more samples; all cores have the same sampling period.",
        rows: cores.map(core => ({label: label(core), value: core.op.all, text: `${count(core.op.all)}  (${percent(core.op.all, ops)})`,
            color: color(core)}))});

    const there = coreRatios.filter(([key]) => p.ratios[key] && (p.ratios[key][0] > 0 || key === "dc_loads"));
    if (there.length) {
        const box = el("select", {id: "core-ratio", onchange: () => draw()},
                there.map(([key, title]) => el("option", {value: key}, title))), body = el("div", {});
        const draw = () => {
            const [key, title, what] = there.find(([name]) => name === box.value), test = coresDiffer(p, key);
            const rows = cores.map(core => {
                const [a, b, low, high] = core.ratios[key] || [0, 0, 0, 0];
                return {label: label(core), group: core.node, color: color(core), value: b ? 100 * a / b : null, low: 100 * low,
                    high: 100 * high, text: b ? `${percent(a, b)}  (${count(a)} of ${count(b)})` : `no ${what}`};
            });
            body.replaceChildren();
            /* The expected value of chi-square is df, its standard deviation sqrt(2 df). */
            const says = test && (test.chi > test.df + 4 * Math.sqrt(2 * test.df) ? "Cores differ by more than chance."
                : "Cores differ no more than by chance.");
            intervalChart(body, {name: "core-ratios", title: `${title}, by core`, unit: `% of ${what}`, rows,
                note: [`Dot: ratio; line: its 95 % interval.`,
                    says && ` ${says} (chi-square ${fixed(test.chi, 1)}, ${plural(test.df, "degree", "degrees")} of freedom)`],
                alt: rows.map(row => `${row.label}: ${row.text}`).join("; "), format: String});
        };
        host.append(el("h2", {}, "Ratios"), el("div", {class: "controls"}, el("label", {}, "Ratio", box)), body);
        draw();
    }
    const missed = cores.filter(core => p.get(core, "X200"));
    if (missed.length) {
        const rows = cores.map(core => {
            const [low, value, high] = [.1, .5, .9].map(q => quantileOf(core, q));
            return {label: label(core), group: core.node, color: color(core), low: low ?? 0, value, high: high ?? 0, text: value === null
                ? "no load missed" : `${count(value)}  (${count(low)} to ${count(high)}, ` +
                    `${plural(p.get(core, "X200"), "load", "loads")})`};
        });
        host.append(el("h2", {}, "Latency"));
        intervalChart(host, {name: "core-latency", title: "Wait of loads that missed, by core", unit: "cycles", log: true, rows,
            note: "Dot: median; line: from the 10th to the 90th percentile.",
            alt: rows.map(row => `${row.label}: ${row.text}`).join("; "), format: d3.format("d")});
    }
    const sourceNames = loadSources(p).map(([title, , i]) => ({title, i}))
        .filter(({i}) => i > 0 && cores.some(core => loadSources(p, core)[i][1] > 0));
    if (many && p.has("X240") && sourceNames.length) host.append(el("h2", {}, "Where missed loads found their data"),
        dataTable({name: "core-sources", rows: cores, columns: [
            {title: "Core", text: true, value: core => core.core, show: core => label(core)},
            ...sourceNames.map(({title, i}) =>
                ({title: title.replace("'s ", "'s\n"), value: core => loadSources(p, core)[i][1], bar: true}))]}));
}
