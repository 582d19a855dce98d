/* SPDX-License-Identifier: BSD-2-Clause */
/* Roofline of a run: roofline(host, p). It compares the speed of the workload with the peaks of two loops on the machine at the same ratio
 * of floating-point operations to bytes of memory (core/profile/roofline.h). */
const flops = value => `${significant(value / 1e9)} GFLOP/s`;
const gigabytes = value => `${significant(value / 1e9)} GB/s`;
const perByte = ppm => ppm / 1e6;

/* The loops by name, with their data for a chart. */
function roofLoops({loops}) {
    const names = {workload: "workload", operations: "peak of operations (SSE2)", memory: "peak of memory (triad)"};
    return new Map(loops.map(one => [one.loop, {...one, title: names[one.loop]}]));
}

/* Returns corners of the roof from one intensity to the other: up with the bytes, and level from the ridge on. Unknown parts are left
 * out. */
function roofLine(peak, bandwidth, low, high) {
    if (peak === null) return [[low, low * bandwidth], [high, high * bandwidth]];
    if (bandwidth === null) return [[low, peak], [high, peak]];
    const ridge = Math.min(high, Math.max(low, peak / bandwidth));
    return [[low, Math.min(peak, low * bandwidth)], [ridge, Math.min(peak, ridge * bandwidth)], [high, Math.min(peak, high * bandwidth)]];
}

function roofWords({bound, share_ppm: share, roof_s: roof}) {
    if (bound === null) return "It is not known which peak limits the workload.";
    return `The workload reaches ${fixed(share / 1e4, 1)} % of the peak of ${bound === "memory" ? "memory" : "operations"}, which is the ` +
        `nearer one${roof === null ? "" : `; at its intensity the roof is ${flops(roof)}`}.`;
}

/* The loop of operations moves hardly any bytes: it is far to the right, on the level part of the roof. */
function roofChart(host, p, loops) {
    const peak = loops.get("operations").operations_s, bandwidth = loops.get("memory").bytes_s, roof = p.roofline;
    const marks = [...loops.values()].filter(one => one.loop !== "operations" && one.intensity_ppm && one.operations_s);
    if (!marks.length || (peak === null && bandwidth === null)) return none(host, "There are not enough counts to draw the roofline.");
    const at = marks.map(one => perByte(one.intensity_ppm)).concat(roof.ridge_ppm ? [perByte(roof.ridge_ppm)] : []);
    const low = Math.min(...at) / 4, high = Math.max(...at) * 4, line = roofLine(peak, bandwidth, low, high);
    const rates = [...marks.map(one => one.operations_s), ...line.map(([, rate]) => rate)];
    const color = {workload: palette(5), memory: palette(3)};
    const tip = one => `${one.title}: ${flops(one.operations_s)}, ${significant(perByte(one.intensity_ppm))} FLOP/byte`;
    return chart(host, {name: "roofline", title: "Roofline", height: 380,
        note: "Both scales are logarithmic. The line shows the rates of the two loops in the same boot on the same cores: up to the " +
            "ridge bytes of memory limit the rate, beyond it operations do.",
        alt: `${marks.map(tip).join("; ")}. ${roofWords(roof)}`,
        key: marks.map(one => [one.title, color[one.loop]]),
        draw(svg, width, height) {
            const left = 62, right = 24, top = 14, bottom = 44;
            const x = d3.scaleLog().domain([low, high]).range([left, width - right]);
            const y = d3.scaleLog().domain([Math.min(...rates) / 2, Math.max(...rates) * 2]).range([height - bottom, top]);
            const ticks = logTicks(x);
            gridX(svg, x, ticks, top, height - bottom);
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
                .call(d3.axisBottom(x).tickValues(ticks).tickFormat(significant).tickSizeOuter(0));
            svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
                .call(d3.axisLeft(y).tickValues(logTicks(y)).tickFormat(value => significant(value / 1e9)).tickSizeOuter(0));
            axisLabel(svg, width - right, height - 6, "FLOP/byte (log scale)");
            axisLabel(svg, 13, (height - bottom) / 2, "GFLOP/s (log scale)", true);
            svg.append("path").attr("class", "roof").attr("d", d3.line().x(([value]) => x(value)).y(([, rate]) => y(rate))(line));
            if (peak !== null) svg.append("text").attr("class", "muted").attr("text-anchor", "end").attr("x", width - right)
                .attr("y", y(peak) - 7).text(`peak of operations: ${flops(peak)}`);
            for (const one of marks) {
                const px = x(perByte(one.intensity_ppm)), py = y(one.operations_s), own = one.loop === "workload";
                if (own && roof.roof_s) svg.append("line").attr("class", "p90").attr("x1", px).attr("x2", px).attr("y1", py)
                    .attr("y2", y(roof.roof_s));
                svg.append("circle").attr("class", "mark").attr("cx", px).attr("cy", py).attr("r", own ? 7 : 5)
                    .style("fill", color[one.loop]).append("title").text(tip(one));
            }
            return marks.length;
        }});
}

function roofline(host, p) {
    const loops = roofLoops(p.roofline), rows = [...loops.values()];
    const why = rows.flatMap(one => [["operations", one.no_operations], ["bytes", one.no_bytes]].filter(([, text]) => text)
        .map(([what, text]) => `${one.title}: ${what} were not counted: ${text}.`));
    host.append(el("h2", {}, "Roofline"), el("p", {}, roofWords(p.roofline)));
    roofChart(host, p, loops);
    host.append(dataTable({name: "roofline", rows, columns: [
        {title: "Loop", text: true, plain: true, show: one => one.title},
        {title: "GFLOP/s", plain: true, show: one => one.operations_s === null ? "-" : significant(one.operations_s / 1e9)},
        {title: "GB/s", plain: true, show: one => one.bytes_s === null ? "-" : significant(one.bytes_s / 1e9)},
        {title: "FLOP/byte", plain: true, show: one => one.intensity_ppm === null ? "-" : significant(perByte(one.intensity_ppm))},
        {title: "Operations", plain: true, show: one => one.operations === null ? "-" : count(one.operations)},
        {title: "Bytes", plain: true, show: one => one.bytes === null ? "-" : count(one.bytes)},
        {title: "Time", plain: true, show: one => one.ns ? nanoseconds(one.ns) : "-"}]}),
    ...why.map(text => el("p", {class: "quiet"}, text)));
}
