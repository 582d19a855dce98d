/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of noise runs, for the pages of 'ibsprof report' (noise.js) and 'ibsprof compare' (compare_noise.js).
 *
 *   noiseSeries(runs)               regimes that are the same over all runs: [{key, label, color, regimes: [{run, ...regime}]}]
 *   noiseTable(host, series)        rates, losses, spread between runs
 *   noiseHistograms(host, series)   lengths of detours
 *   noiseOverTime(host, series, causes)   times of detours, the longest marked
 *   noiseQuanta(host, series)       repetitions of the same work */
const noiseOrder = ["alone", "masked", "firmware", "linux"];
const noiseLabel = regime => regime.name === "linux" ? "Linux" : `ibsboot, ${regime.title}`;

function noiseSeries(runs, prefix = "") {
    const series = [];
    for (const name of noiseOrder) {
        const regimes = runs.flatMap((run, number) => run.regimes.filter(regime => regime.name === name)
            .map(regime => ({...regime, run, number})));
        if (regimes.length) series.push({key: prefix + name, label: prefix + noiseLabel(regimes[0]),
            color: palette({alone: 3, masked: 1, firmware: 2, linux: 5}[name]), regimes});
    }
    return series;
}

const seconds = one => one.duration_ns / 1e9;
const noiseMean = (one, of) => d3.mean(one.regimes, of);
const noiseDetours = one => d3.sum(one.regimes, regime => regime.microsecond.detours);
const noiseLargest = one => d3.max(one.regimes, regime => regime.nine.detours + regime.microsecond.detours ? regime.largest_ns : 0);
/* Applies the rule of three to all runs of a series. */
const noiseFewer = one => 3 / d3.sum(one.regimes, seconds);
const smallPercent = value => value === 0 ? "0" : `${+(100 * value).toPrecision(3)}\u202f%`;
const significant = value => value === 0 ? "0" : value >= 100 ? fixed(value, 1) : String(+value.toPrecision(3));
const tickWords = regime => regime.periods.filter(period => period.tick_hz && regime.name === "linux")
    .map(period => `ticks at HZ=${period.tick_hz}: ${count(period.detours)} of ${count(period.expected)}`)[0]
    || regime.periods.map(period => `every ${duration(period.ns)}: ${count(period.detours)} of ${count(period.expected)}`)[0] || "";

function noiseTable(host, series) {
    const lost = regime => regime.microsecond.lost_ppb / 1e9, more = regime => regime.quanta && regime.quanta.least_ns
        ? regime.quanta.most_ns / regime.quanta.least_ns - 1 : null;
    const spread = one => { const values = one.regimes.map(lost), mean = d3.mean(values); return values.length < 2 ? null : mean
        ? (d3.max(values) - d3.min(values)) / mean : 0; };
    host.append(dataTable({name: "regimes", rows: series, columns: [
        {title: "Regime", text: true, plain: true, show: one => el("span", {class: "swatch", style: {"--c": one.color}}, one.label)},
        {title: "Runs", plain: true, show: one => `${one.regimes.length} \u00d7 ${significant(d3.mean(one.regimes, seconds))} s`},
        {title: "Detours\na second", plain: true, bar: true, value: one => noiseMean(one, regime => regime.microsecond.per_second),
            show: (one, value) => noiseDetours(one) ? fixed(value, 2) : `none: < ${significant(noiseFewer(one))}`},
        {title: "Time lost", plain: true, bar: true, value: one => noiseMean(one, lost), show: (one, value) => smallPercent(value)},
        {title: "Largest", plain: true, show: one => noiseLargest(one) ? nanoseconds(noiseLargest(one)) : "-"},
        {title: "Spread of lost\nbetween runs", plain: true, show: one => spread(one) === null ? "-" : smallPercent(spread(one))},
        {title: "Longest quantum\nover shortest", plain: true,
            show: one => { const values = one.regimes.map(more).filter(value => value !== null); return values.length
                ? `+${smallPercent(d3.max(values))}` : "-"; }},
        {title: "Regular", text: true, plain: true, show: one => tickWords(one.regimes[0])},
        {title: "Their causes", text: true, plain: true,
            show: one => { const sums = d3.nest().key(([cause]) => cause)
                .entries(one.regimes.flatMap(regime => Object.entries(regime.by_cause)));
            return sums.map(({key, values}) => `${count(d3.sum(values, value => value[1]))} ${key}`).join(", ") || ""; }},
    ]}), el("p", {class: "quiet"},
        "Detours of 1 \u00b5s and more, means over the runs. None in a time T: fewer than 3/T per second, with 95 % confidence. " +
            "Spread: (most " +
        "\u2212 least) / mean of the time lost."));
}

/* Draws one panel each, count against length, both on log scales. part: "histogram", or "late" for quanta. */
function lengthPanels(host, {name, title, note, panels, what, unit}) {
    const panelHeight = 92, gap = 14, left = 58, right = 210, bottom = 34;
    const all = panels.flatMap(panel => panel.bins);
    if (!all.length) return;
    const low = d3.min(all.filter(bin => bin[0] > 0), bin => bin[0]) || 1, high = Math.max(d3.max(all, bin => bin[1]), low * 16);
    chart(host, {name, title, note, height: panels.length * (panelHeight + gap) + bottom,
        alt: panels.map(panel =>
            `${panel.label}: ` + (panel.bins.length
                ? panel.bins.map(([from, to, n]) => `${count(n)} from ${nanoseconds(from)} to ${nanoseconds(to)}`).join(", ")
                : `no ${what}`)).join("; "),
        draw(svg, width, height) {
            const x = d3.scaleLog().domain([low / 1.5, high]).range([left, width - right]).clamp(true), ticks = logTicks(x);
            const y = d3.scaleLog().domain([.6, Math.max(10, d3.max(all, bin => bin[2]))]);
            let marks = 0;
            panels.forEach((panel, number) => {
                const top = number * (panelHeight + gap) + 6, floor = top + panelHeight - 8, scale = y.copy().range([floor, top]);
                gridX(svg, x, ticks, top, floor);
                svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
                    .call(d3.axisLeft(scale).tickValues(decades(scale).filter((d, i, list) => list.length < 5 || i % 2 === 0))
                        .tickFormat(shortNumber).tickSizeOuter(0));
                svg.append("g").selectAll("rect").data(panel.bins).enter().append("rect").attr("class", "mark").style("fill", panel.color)
                    .attr("x", d => x(Math.max(d[0], low / 1.5)))
                    .attr("width", d => Math.max(2, x(d[1]) - x(Math.max(d[0], low / 1.5)) - 1)).attr("y", d => scale(d[2]))
                    .attr("height", d => floor - scale(d[2]))
                    .append("title").text(d => `${panel.label}: ${nanoseconds(d[0])} to ${nanoseconds(d[1])}: ${count(d[2])} ${what}`);
                marks += panel.bins.length;
                const label = svg.append("text").attr("x", width - right + 12).attr("y", top + 12);
                panel.label.split(", ").forEach((part, i) => label.append("tspan").attr("x", width - right + 12)
                    .attr("dy", i ? "1.35em" : 0).style("font-weight", 600).text(part));
                for (const line of panel.lines) label.append("tspan").attr("x", width - right + 12).attr("dy", "1.35em")
                    .attr("class", "muted").text(line);
                svg.append("g").attr("class", "axis").attr("transform", `translate(0,${floor})`)
                    .call(d3.axisBottom(x).tickValues(ticks).tickFormat(number === panels.length - 1 ? nanoseconds : "").tickSizeOuter(0));
            });
            axisLabel(svg, width - right, height - 4, unit);
            axisLabel(svg, 12, (height - bottom) / 2, `${what} (log scale)`, true);
            return marks;
        }});
}

function sumBins(lists) {
    const sums = new Map();
    for (const [from, to, n] of lists.flatMap(list => pairs(list, 3))) {
        /* Files may have different clocks: bins are combined by the power of two in which they begin. */
        const key = from ? Math.round(Math.log2(from)) : -1, old = sums.get(key);
        sums.set(key, old ? [Math.min(old[0], from), Math.max(old[1], to), old[2] + n] : [from, to, n]);
    }
    return [...sums.values()].sort((a, b) => a[0] - b[0]);
}

function noiseHistograms(host, series) {
    host.append(el("h2", {}, "Lengths of detours"));
    if (!series.some(noiseDetours)) return none(host, "No regime of any run had a detour.");
    lengthPanels(host, {name: "detour-lengths", title: "Lengths of detours, all runs together", what: "detours", unit: "length (log scale)",
        note: "Both scales are logarithmic, and the same in all panels: a panel without bars had no detour.",
        panels: series.map(one => ({label: one.label, color: one.color, bins: sumBins(one.regimes.map(regime => regime.histogram)),
            lines: noiseDetours(one) ? [`${count(noiseDetours(one))} detours`, `largest ${nanoseconds(noiseLargest(one))}`]
            : [`none in ${significant(d3.sum(one.regimes, seconds))} s`, `fewer than ${significant(noiseFewer(one))} per second`]}))});
}

/* Linux does not tell its programs the cause of a detour. Detours that begin in time with its tick (within 1 % of the period) count as
 * ticks. */
function detourPoints(regime, causeNames) {
    const points = pairs(regime.detours, 3).map(([at, ns, cause]) => ({at, ns, cause: causeNames[cause]})), tick = regime.name === "linux"
        && regime.periods.find(period => period.tick_hz);
    if (!tick) return points;
    const phases = new Array(200).fill(0), phase = point => point.at % tick.ns / tick.ns;
    points.forEach(point => phases[Math.floor(phase(point) * 200)]++);
    const most = (phases.indexOf(Math.max(...phases)) + .5) / 200;
    for (const point of points) {
        const away = Math.abs(phase(point) - most);
        point.cause = Math.min(away, 1 - away) < .01 ? "timer tick" : "unknown";
    }
    return points;
}

/* Draws a panel for each regime of one run that had detours. */
function noiseOverTime(host, series, causeNames) {
    const many = Math.max(...series.map(one => one.regimes.length)), box = el("select", {id: "noise-run", onchange: () => draw()},
        d3.range(many).map(i => el("option", {value: i}, `${i + 1} of ${many}`)));
    const body = el("div", {});
    host.append(el("h2", {}, "Detours over time"), many > 1 ? el("div", {class: "controls"}, el("label", {}, "Run", box)) : "", body);
    function draw() {
        body.replaceChildren();
        for (const one of series) {
            const regime = one.regimes[+box.value || 0];
            if (!regime) continue;
            const points = detourPoints(regime, causeNames);
            if (!points.length) {
                body.append(el("p", {"data-quiet": one.key}, el("strong", {}, `${one.label}: `),
                    `no detour in ${significant(seconds(regime))} s: fewer than ` +
                            `${significant(regime.microsecond.fewer_per_second ?? 3 / seconds(regime))} a second (95 %).`));
                continue;
            }
            const largest = points.reduce((best, point) => point.ns > best.ns ? point : best),
                found = [...new Set(points.map(point => point.cause))];
            const low = d3.min(points, point => point.ns), span = [0, regime.duration_ns], [unit, size] = span[1] > 2e9 ? ["s", 1e9]
                : span[1] > 2e6 ? ["ms", 1e6] : ["\u00b5s", 1e3];
            const tick = tickWords(regime);
            scatter(body, {name: `time-${one.key.replace(/\W+/g, "-")}`, title: `${one.label}: detours over time`, height: 230,
                key: causeKey(found.length ? found : ["not asked"]),
                note: [`${count(regime.nine.detours || regime.microsecond.detours)} detours in ${significant(seconds(regime))} s`,
                    points.length < regime.detours_kept ? `, ${count(points.length)} drawn` : "", regime.not_kept
                        ? `, ${count(regime.not_kept)} more not kept` : "", tick ? `; ${tick}` : "", ". The longest one is marked."],
                alt: `${count(points.length)} detours over ${significant(seconds(regime))} s, from ${nanoseconds(low)} to ` +
                    `${nanoseconds(largest.ns)}; the longest at ${fixed(largest.at / 1e9, 6)} s: ${largest.cause}. ${tick}`,
                points: () => points.map(point => ({x: point.at, y: point.ns, color: `--s${causeColor(point.cause).match(/\d/)[0]}`,
                    large: point === largest,
                    tip: () => `${nanoseconds(point.ns)} at ${fixed(point.at / 1e9, 9)} s: ${point.cause}`})),
                x: () => ({scale: d3.scaleLinear().domain(span), label: `time since the loop began, ${unit}`,
                    format: value => +(value / size).toPrecision(6)}),
                y: () => { const scale = d3.scaleLog().domain([low / 2, largest.ns * 2.5]);
                    return {scale, ticks: logTicks(scale), label: "length (log scale)", format: nanoseconds}; },
                annotate: (svg, x, y, right) => {
                    const at = x(largest.at), left = at > right * .6;
                    svg.append("circle").attr("class", "mark largest").attr("cx", at).attr("cy", y(largest.ns)).attr("r", 7)
                        .style("fill", "none").style("stroke", "var(--ink)").style("stroke-width", 1.5);
                    const text = svg.append("text").attr("y", y(largest.ns) - 9).attr("class", "largest")
                        .text(`${nanoseconds(largest.ns)} at ${fixed(largest.at / 1e9, 6)} s, ${largest.cause}`);
                    const length = text.node().getComputedTextLength();
                    text.attr("x", Math.max(x.range()[0] + 6, Math.min(right - length, left ? at - 12 - length : at + 12)));
                    return 1;
                }});
        }
    }
    draw();
}

function noiseQuanta(host, series) {
    const there = series.filter(one => one.regimes.some(regime => regime.quanta));
    host.append(el("h2", {}, "Repetitions of the same work"));
    if (!there.length) return none(host, "No fixed work was done.");
    const least = d3.min(there.flatMap(one => one.regimes.map(regime => regime.quanta ? regime.quanta.least_ns : Infinity)));
    const rows = there.flatMap(one => one.regimes.filter(regime => regime.quanta).map(({quanta}, number) => ({
        label: one.regimes.length > 1 ? `${one.label}, run ${number + 1}` : one.label, group: one.key, color: one.color,
        low: 100 * (quanta.least_ns / least - 1), high: 100 * (quanta.most_ns / least - 1),
        value: 100 * (quanta.least_ns / (1 - quanta.lost_ppb / 1e9) / least - 1),
        text: `longest +${smallPercent(quanta.most_ns / quanta.least_ns - 1)}, lost ${smallPercent(quanta.lost_ppb / 1e9)}`})));
    intervalChart(host, {name: "quanta", title: "Fixed work quantum: how much longer it took than the shortest of all", unit: "% longer",
        rows, format: String,
        note: `The same multiplications ${count(there[0].regimes.find(regime => regime.quanta).quanta.count)} times, ` +
            `${duration(least)} at least. Line: from the shortest to the longest; dot: the mean.`,
        alt: rows.map(row => `${row.label}: ${row.text}`).join("; ")});
    const panels = there.map(one =>
        ({label: one.label, color: one.color, bins: sumBins(one.regimes.map(regime => regime.quanta ? regime.quanta.late : []))
            .filter(bin => bin[0] > 0),
        lines: [`${count(d3.sum(one.regimes, regime => regime.quanta ? regime.quanta.count : 0))} quanta`,
            count(d3.sum(one.regimes.flatMap(regime => regime.quanta ? pairs(regime.quanta.late, 3).filter(bin => bin[0] > 0) : []),
                bin => bin[2])) + " late"]}));
    if (panels.some(panel => panel.bins.length))
        lengthPanels(host, {name: "quanta-late", title: "Excess of longer quanta",
            note: "Time beyond the run\u2019s shortest quantum; quanta without excess are not drawn.", what: "quanta",
            unit: "more than the shortest (log scale)", panels});
}
