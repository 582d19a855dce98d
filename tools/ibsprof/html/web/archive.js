/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of 'ibsprof archive compare --html': outliers by name, trends over time, and all comparisons. */
const archive = JSON.parse(document.getElementById("archive").textContent);
const points = value => `${value < 0 ? "\u2212" : "+"}${fixed(Math.abs(100 * value), 2)}`;
const shareOf = value => `${fixed(100 * value, 2)}\u202f%`;
const subjectOf = item => archive.subjects[item.subject];
const placeOf = item => `${item.where} of ${subjectOf(item).workload}`;
const outlierItems = archive.items.filter(item => item.verdict === "different")
    .sort((a, b) => Math.abs(b.difference.value) - Math.abs(a.difference.value));

function outliers(host) {
    host.append(el("div", {class: "lead"}, el("p", {id: "sentence"}, archive.outliers.length
        ? `${plural(archive.outliers.length, "outlier", "outliers")} by ${archive.by}: ${archive.outliers.join(", ")}.`
        : `No outlier by ${archive.by}.`)));
    host.append(el("ul", {class: "notes"}, archive.subjects.map(subject => el("li", {},
        `${subject.workload}, ${subject.event}: ${plural(subject.runs, "run", "runs")} in ${plural(subject.groups, "group", "groups")}`))));
    if (outlierItems.length) intervalChart(host, {name: "outliers", title: "Shares that differ from all others", unit: "% of the samples",
        format: value => `${+value.toPrecision(3)}`,
        rows: outlierItems.slice(0, 40).map(item => ({label: `${item.value}, ${item.where}`, group: item.value, color: palette(5),
            value: 100 * item.own, low: 100 * Math.max(0, item.others + item.difference.low),
            high: 100 * (item.others + item.difference.high),
            text: `${shareOf(item.own)}, the others ${shareOf(item.others)}`})),
        alt: outlierItems.map(item => `${item.value}: ${points(item.difference.value)}`).join("; ")});
    host.append(el("h2", {}, "All comparisons"), dataTable({name: "items", rows: archive.items, limit: 200, columns: [
        {title: archive.by, text: true, value: item => item.value}, {title: "Runs", value: item => item.runs},
        {title: "Where", text: true, value: placeOf, class: "long"},
        {title: "Others", value: item => item.others, show: item => shareOf(item.others)},
        {title: "Own", value: item => item.own, show: item => shareOf(item.own)},
        {title: "Difference,\npoints", value: item => Math.abs(item.difference.value), show: item => points(item.difference.value)},
        {title: "q", value: item => item.q, show: item => item.q.toPrecision(2)},
        {title: "Verdict", text: true, value: item => item.verdict}]}));
}

/* Draws one place: a line for all runs, and one for an outlier, by month. */
function trendChart(host, series, number) {
    const months = [...new Set(series.flatMap(one => one.points.map(point => point.month)))].sort();
    const bottom = 40, left = 64, right = 150;
    chart(host, {name: `trend-${number}`, title: placeOf(series[0]), height: 220,
        note: `Share of all ${subjectOf(series[0]).event}, by month.`,
        alt: series.map(one => `${one.value || "all"}: ${one.points.map(point => `${point.month} ${shareOf(point.share)}`).join(", ")}`)
            .join("; "),
        draw(svg, width, height) {
            const x = d3.scalePoint().domain(months).range([left, width - right]);
            const y = d3.scaleLinear().domain([0, d3.max(series, one => d3.max(one.points, point => point.share)) * 1.05])
                .range([height - bottom, 10]);
            const every = Math.ceil(months.length / 8);
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
                .call(d3.axisBottom(x).tickValues(months.filter((_, i) => i % every === 0)).tickSizeOuter(0));
            svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
                .call(d3.axisLeft(y).ticks(5).tickFormat(value => `${+(100 * value).toPrecision(3)} %`));
            series.forEach((one, i) => {
                const color = palette(i ? 5 : 2), last = one.points[one.points.length - 1];
                svg.append("path").datum(one.points).attr("class", "mark").style("fill", "none").style("stroke", color)
                    .style("stroke-width", 2).attr("d", d3.line().x(point => x(point.month)).y(point => y(point.share)));
                svg.append("g").selectAll("circle").data(one.points).enter().append("circle").attr("class", "mark").attr("r", 3)
                    .attr("cx", point => x(point.month)).attr("cy", point => y(point.share)).style("fill", color)
                    .append("title").text(point => `${one.value || "all"}, ${point.month}: ${shareOf(point.share)} in ` +
                        plural(point.runs, "run", "runs"));
                svg.append("text").attr("x", x(last.month) + 8).attr("y", y(last.share)).attr("dy", ".35em").text(one.value || "all runs");
            });
            return d3.sum(series, one => one.points.length);
        }});
}

/* Trends come one after the other; an outlier's follows that of all runs at the same place. */
function trends(host) {
    const shown = archive.trends.filter(one => one.points.length);
    if (!shown.length) host.append(el("p", {}, "No run has a start time."));
    shown.forEach((one, i) => {
        if (one.value === null) trendChart(host, [one, ...shown.slice(i + 1, i + 2).filter(next => next.value !== null)], i);
    });
}

(function start() {
    document.body.append(el("header", {}, el("div", {class: "wrap"},
        el("div", {class: "name"}, el("h1", {}, `Archive, by ${archive.by}`)), themeButton())));
    tabs(document.body, [
        {id: "outliers", title: "Outliers", draw: outliers},
        {id: "trends", title: "Over time", draw: trends},
    ]);
    document.body.append(el("footer", {}, el("div", {class: "wrap"},
        `${archive.generator}. Each group against all others; q: false discovery rate over all comparisons.`)));
})();
