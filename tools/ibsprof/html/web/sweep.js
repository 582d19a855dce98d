/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of one workload over a parameter: percentiles of its loads' latency as a staircase, where the data came from, and the table. */
const sweep = JSON.parse(document.getElementById("sweep").textContent);
const isKb = sweep.against === "kb", ofX = x => isKb ? bytes(x * 1024).replace(".0 ", " ") : count(x);
const several = sweep.series.length > 1, seriesName = i => sweep.series[i] || sweep.workload;
const ofSeries = i => sweep.points.filter(point => point.series === i);
const cycles = value => value ? `${count(value)} cycles` : "a hit";
const used = sweep.sources.map((name, i) => ({name, i})).filter(({i}) => sweep.points.some(point => point.by_source[i]));

/* Sizes are scaled by powers of two; anything else by powers of ten. */
function xTicks(scale, width) {
    const [low, high] = scale.domain();
    if (!isKb) return logTicks(scale);
    const all = d3.range(Math.ceil(Math.log2(low)), Math.floor(Math.log2(high)) + 1);
    return all.filter(power => all.length * 62 < width || power % (all.length * 31 < width ? 2 : 4) === 0).map(power => 2 ** power);
}

function xScale(points, left, right) {
    const low = d3.min(points, point => point.x), high = d3.max(points, point => point.x);
    return low > 0 ? d3.scaleLog().domain([low / 1.2, high * 1.2]).range([left, right]) : d3.scaleLinear().domain([low, high])
        .range([left, right]);
}

function staircase(host) {
    const left = 76, right = 24, bottom = 48, top = 28, lane = 34, points = sweep.points,
        missed = points.flatMap(point => [point.p10, point.median, point.p90]).filter(Boolean);
    const hits = points.some(point => !point.p10 || !point.median);
    chart(host, {name: "staircase",
        title: `Latency of ${sweep.workload}\u2019s loads against ${isKb ? "the size of its data" : sweep.against}`, height: 460,
        key: several ? sweep.series.map((text, i) => [text, palette([2, 5, 3, 4, 6, 7][i % 6])])
        : used.map(({name, i}) => [name, palette(i)]),
        note: [`Dots: medians${several ? "" : ", coloured by where most of the loads came from"}; band: 10th (dots) to 90th percentile ` +
                `(dashes). Grey: the level changes between two measured points. `,
        hits ? "A hit in the data cache has no miss latency: it lies in the lowest lane." : ""],
        alt: sweep.levels.map(level =>
            `${several ? `${seriesName(level.series)}: ` : ""}${ofX(level.from)} to ${ofX(level.to)}: ${sweep.sources[level.source]}, ` +
                `${cycles(level.median)}`).join("; "),
        draw(svg, width, height) {
            const x = xScale(points, left, width - right), floor = height - bottom - (hits ? lane : 0),
                ticks = xTicks(x, width - left - right);
            const scale = d3.scaleLog().domain([Math.max(1, d3.min(missed) / 1.6) || 1, (d3.max(missed) || 10) * 1.5]).range([floor, top]),
                hitY = height - bottom - lane / 2 + 4;
            const y = value => value ? scale(value) : hitY, yTicks = logTicks(scale);
            gridX(svg, x, ticks, top, height - bottom);
            svg.append("g").selectAll("line").data(yTicks).enter().append("line").attr("class", "gridline").attr("x1", left)
                .attr("x2", width - right).attr("y1", scale).attr("y2", scale);
            svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
                .call(d3.axisLeft(scale).tickValues(yTicks).tickFormat(count).tickSizeOuter(0));
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
                .call(d3.axisBottom(x).tickValues(ticks).tickFormat(ofX).tickSizeOuter(0));
            if (hits) {
                svg.append("line").attr("class", "gridline").attr("x1", left).attr("x2", width - right).attr("y1", floor + 4)
                    .attr("y2", floor + 4).style("stroke", "var(--line)");
                svg.append("text").attr("class", "muted").attr("x", left - 10).attr("y", hitY).attr("dy", ".35em")
                    .attr("text-anchor", "end").text("hit");
            }
            axisLabel(svg, width - right, height - 6, isKb ? "size of the data (log scale)" : `${sweep.against} (log scale)`);
            axisLabel(svg, 14, (floor + top) / 2, "cycles from miss to data (log scale)", true);
            let marks = 0;
            sweep.series.forEach((_, number) => {
                const own = ofSeries(number), color = several ? palette([2, 5, 3, 4, 6, 7][number % 6]) : "var(--quiet)";
                svg.append("path").datum(own).attr("class", "mark band").style("fill", color).style("opacity", .18)
                    .attr("d", d3.area().curve(d3.curveStep).x(d => x(d.x)).y0(d => y(d.p10)).y1(d => y(d.p90)));
                svg.append("path").datum(own).attr("class", "mark").style("fill", "none").style("stroke", color).style("stroke-width", 2)
                    .attr("d", d3.line().curve(d3.curveStep).x(d => x(d.x)).y(d => y(d.median)));
                for (const key of ["p10", "p90"])
                    svg.append("path").datum(own).attr("class", "mark").style("fill", "none").style("stroke", color)
                        .style("stroke-dasharray", key === "p90" ? "3 3" : "1 3")
                        .attr("d", d3.line().curve(d3.curveStep).x(d => x(d.x)).y(d => y(d[key])));
                svg.append("g").selectAll("circle").data(own).enter().append("circle").attr("class", "mark").attr("cx", d => x(d.x))
                    .attr("cy", d => y(d.median)).attr("r", Math.max(3, 6 - 2.2 * number * several))
                    .style("fill", d => several ? color : palette(d.most)).style("stroke", "var(--paper)")
                    .append("title").text(d =>
                        `${ofX(d.x)}: median ${cycles(d.median)}, ${cycles(d.p10)} to ${cycles(d.p90)}, mostly from ` +
                            `${sweep.sources[d.most]}`);
                marks += 4 + own.length;
            });
            /* Names of levels, wide levels first, if there is room; the table of steps has all names. */
            const taken = [], span = level => x(level.to) - x(level.from);
            if (!several) for (const level of sweep.levels.slice().sort((a, b) => span(b) - span(a))) {
                const lines = [["level", 12, sweep.sources[level.source]],
                    ["muted", 25, level.median ? `${count(level.median)} cycles` : "hits"]].map(([className, y, text]) => svg.append("text")
                    .attr("class", className).attr("y", y).style("font-weight", className === "level" ? 600 : null).text(text));
                const half = d3.max(lines, line => line.node().getComputedTextLength()) / 2 + 4,
                    at = Math.max(left + half, Math.min(width - half, (Math.max(left, x(level.from)) + x(level.to)) / 2));
                if (taken.some(other => Math.abs(other.at - at) < other.half + half)) lines.forEach(line => line.remove());
                else lines.forEach(line => line.attr("x", at).attr("text-anchor", "middle"));
                if (lines[0].node().parentNode) taken.push({at, half});
            }
            if (!several) sweep.levels.forEach((level, i) => {
                const next = sweep.levels[i + 1];
                if (!next) return;
                svg.append("rect").attr("class", "mark step").attr("x", x(level.to)).attr("width", Math.max(1, x(next.from) - x(level.to)))
                    .attr("y", top).attr("height", height - bottom - top).style("fill", "var(--quiet)").style("opacity", 0.12)
                    .append("title").text(`${sweep.sources[level.source]} to ${sweep.sources[next.source]} between ${ofX(level.to)} and ` +
                            `${ofX(next.from)}`);
                marks++;
            });
            return marks;
        }});
}

function sourceBars(host) {
    const step = 24, bottom = 40, left = several ? 230 : 90, right = 20;
    chart(host, {name: "sweep-sources", title: "Where the loads found their data", height: sweep.points.length * step + bottom,
        key: used.map(({name, i}) => [name, palette(i)]),
        alt: sweep.points.map(point =>
            `${ofX(point.x)}: ${used.map(({name, i}) => `${name} ${percent(point.by_source[i], point.loads)}`).join(", ")}`).join("; "),
        draw(svg, width, height) {
            const x = d3.scaleLinear().domain([0, 100]).range([left, width - right]);
            let marks = 0;
            gridX(svg, x, x.ticks(5), 0, height - bottom);
            sweep.points.forEach((point, row) => {
                let at = 0;
                svg.append("text").attr("x", left - 8).attr("y", row * step + step / 2).attr("dy", ".35em").attr("text-anchor", "end")
                    .text(`${ofX(point.x)}${several ? `, ${seriesName(point.series)}` : ""}`);
                for (const {name, i} of used.filter(source => point.by_source[source.i])) {
                    const share = 100 * point.by_source[i] / point.loads;
                    svg.append("rect").attr("class", "mark").attr("x", x(at)).attr("y", row * step + 3).attr("height", step - 6)
                        .attr("width", Math.max(1, x(at + share) - x(at) - 1)).style("fill", palette(i))
                        .append("title").text(`${ofX(point.x)}: ${name} ${percent(point.by_source[i], point.loads)}`);
                    at += share;
                    marks++;
                }
            });
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
                .call(d3.axisBottom(x).ticks(5).tickSizeOuter(0));
            axisLabel(svg, width - right, height - 6, "% of the loads");
            return marks;
        }});
}

/* Memory of this node and of another node, if there are both. Indices of the sources as in "sources". */
function nearAndFar(host) {
    const far = sweep.sources.indexOf("another node's DRAM"), near = sweep.sources.indexOf("DRAM");
    const rows = sweep.points.slice().sort((a, b) => a.x - b.x || a.series - b.series)
        .filter(point => point.by_source[far] >= 5 || point.by_source[near] >= 5)
        .flatMap(point => [["this node", near, 5], ["another node", far, 6]].filter(([, i]) => point.by_source[i] >= 5)
            .map(([name, i, color]) => ({
                label: `${ofX(point.x)}, ${name}`, group: point.x, color: palette(color), value: point.median_of[i],
                low: point.median_of[i],
                high: point.median_of[i], text: `${cycles(point.median_of[i])}, ${count(point.by_source[i])} loads`})));
    if (!sweep.points.some(point => point.by_source[far] >= 5)) return;
    host.append(el("h2", {}, "Memory near and far"));
    intervalChart(host, {name: "near-far", title: "Median latency of loads from memory, by node", unit: "cycles", rows, format: count,
        note: "Sizes with at least five loads from there.", alt: rows.map(row => `${row.label}: ${row.text}`).join("; ")});
}

(function start() {
    document.title = `${sweep.workload}: ibsprof report`;
    document.body.append(el("header", {},
        el("div", {class: "wrap"},
            el("div", {class: "name"}, el("h1", {}, `${sweep.workload} against ${sweep.against}`, sweep.is_model
                ? el("span", {class: "badge"}, "MODEL") : null),
            el("p", {}, [sweep.cpu, plural(sweep.points.length, "run", "runs")].filter(Boolean).join(" \u00b7 "))), themeButton())));
    tabs(document.body, [
        {id: "staircase", title: "Staircase", draw: host => {
            if (sweep.is_model) host.append(el("ul", {class: "notes"},
                el("li", {}, el("strong", {}, "MODEL: "), "all figures come from ibsboot\u2019s virtual PMU, not from silicon.")));
            staircase(host);
            host.append(el("h2", {}, "Steps"), dataTable({name: "levels", rows: sweep.levels, columns: [
                ...(several ? [{title: "Series", text: true, plain: true, show: level => seriesName(level.series)}] : []),
                {title: "From", plain: true, show: level => ofX(level.from)}, {title: "To", plain: true, show: level => ofX(level.to)},
                {title: "Answered by", text: true, plain: true, show: level => sweep.sources[level.source]},
                {title: "Median", plain: true, show: level => level.median ? `${count(level.median)} cycles`
                : level.missed > 0 ? `a hit; ${percent(level.missed, 1)} missed` : "a hit"}]}),
            el("p", {class: "quiet"},
                `From IBS DcMissLat of one instruction, the load at ${sweep.load}, which waited longest in all runs. It begins when the ` +
                "miss is detected, after the time of the data cache itself."));
        }},
        {id: "table", title: "Table", draw: host => {
            host.append(el("h2", {}, "Every run"), dataTable({name: "sweep", rows: sweep.points, columns: [
                {title: isKb ? "Size" : sweep.against, value: point => point.x, show: point => ofX(point.x)},
                ...(several ? [{title: "Series", text: true, value: point => seriesName(point.series)}] : []),
                {title: "Loads", value: point => point.loads}, {title: "Hits", value: point => point.by_source[0] / point.loads,
                    show: point => percent(point.by_source[0], point.loads)},
                {title: "p10,\ncycles", value: point => point.p10}, {title: "Median,\ncycles", value: point => point.median, bar: true},
                {title: "p90,\ncycles", value: point => point.p90, bar: true},
                {title: "Mostly from", text: true, value: point => sweep.sources[point.most]},
                {title: "Read from", text: true, class: "long", value: point => point.path}]}),
            el("p", {class: "quiet"}, "0 cycles: a hit in the data cache."));
        }},
        {id: "sources", title: "Sources", draw: host => { host.append(el("h2", {}, "Sources")); sourceBars(host); nearAndFar(host); }},
    ]);
    document.body.append(el("footer", {},
        el("div", {class: "wrap"}, `${sweep.generator}. A single run has listing and addresses: ibsprof report --html RUN.`)));
})();
