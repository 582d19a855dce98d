/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of a trace of ops (config=trace): ops downwards, cycles to the right. */
const trace = JSON.parse(document.getElementById("trace").textContent);
const cycles = n => plural(n, "cycle", "cycles");
const took = op => op.lost ? "lost" : `${cycles(op.retire - op.tag)}, completed ${cycles(op.retire - op.completion)} before it retired`;
const rowHeight = 14, rowsTop = 30;

function pipeline(host) {
    const longest = d3.max(trace.ops, op => op.label.length) || 0, left = Math.min(340, 16 + 6.4 * longest), right = 24;
    chart(host, {name: "pipeline", title: "Ops in the order of the program",
        note: "From tag to completion, and from completion to retirement, on the earliest axis that fits all durations. " +
            "A dashed line is an op that was tagged and never retired.",
        key: [["tag to completion", palette(1)], ["completion to retirement", palette(0)]],
        height: trace.ops.length * rowHeight + rowsTop + 12,
        alt: trace.ops.map(op => `${op.label}: ${took(op)}`).join("; "),
        draw(svg, width, height) {
            const last = d3.max(trace.ops, op => op.retire) || 1, x = d3.scaleLinear().domain([0, last]).range([left, width - right]);
            const ticks = x.ticks(Math.max(2, (width - left - right) / 90)), y = i => rowsTop + i * rowHeight;
            gridX(svg, x, ticks, rowsTop - 4, height - 12);
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${rowsTop - 6})`)
                .call(d3.axisTop(x).tickValues(ticks).tickFormat(count).tickSizeOuter(0));
            axisLabel(svg, left - 8, rowsTop - 12, "cycles");
            const row = svg.selectAll("g.op").data(trace.ops).enter().append("g").attr("class", "op")
                .attr("transform", (_, i) => `translate(0,${y(i)})`);
            row.append("title").text(op => `${op.label}: ${took(op)}. ${op.details}`);
            row.append("text").attr("x", left - 8).attr("y", rowHeight / 2).attr("dy", ".35em").attr("text-anchor", "end")
                .style("font-size", "11px").text(op => op.label.slice(0, 50));
            const bar = (name, from, to, color) => row.filter(op => !op.lost && to(op) > from(op)).append("rect")
                .attr("class", `mark ${name}`).attr("x", op => x(from(op))).attr("y", 2).attr("height", rowHeight - 4)
                .attr("width", op => Math.max(1, x(to(op)) - x(from(op)))).style("fill", color);
            bar("tagged", op => op.tag, op => op.completion, palette(1));
            bar("completed", op => op.completion, op => op.retire, palette(0));
            row.filter(op => op.lost).append("line").attr("class", "lost").attr("x1", op => x(op.tag)).attr("x2", width - right)
                .attr("y1", rowHeight / 2).attr("y2", rowHeight / 2).style("stroke", "var(--line)").style("stroke-dasharray", "2 4");
            return trace.ops.length;
        }});
}

function opTable(host) {
    host.append(dataTable({name: "ops", rows: trace.ops, columns: [
        {title: "Op", value: op => op.op},
        {title: "Instruction", text: true, class: "long", value: op => op.label},
        {title: "Tagged at", value: op => op.tag},
        {title: "Tag to retirement", value: op => op.lost ? null : op.retire - op.tag},
        {title: "Completion to retirement", value: op => op.lost ? null : op.retire - op.completion},
        {title: "Sample", text: true, class: "long", value: op => op.lost ? "lost" : op.details}]}));
}

(function start() {
    document.title = "Trace of ops: ibsprof";
    document.body.append(el("header", {}, el("div", {class: "wrap"},
        el("div", {class: "name"}, el("h1", {}, "Trace of ops", trace.comment ? el("span", {class: "badge"}, "MODEL") : null),
            el("p", {}, plural(trace.ops.length, "op", "ops"))), themeButton())));
    tabs(document.body, [
        {id: "picture", title: "Picture", draw: host => {
            if (trace.comment) host.append(el("ul", {class: "notes"}, el("li", {}, trace.comment)));
            pipeline(host);
        }},
        {id: "ops", title: "Ops", draw: opTable},
    ]);
    document.body.append(el("footer", {}, el("div", {class: "wrap"}, `${trace.generator}. docs/exact.md explains the axis.`)));
})();
