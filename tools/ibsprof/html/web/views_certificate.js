/* SPDX-License-Identifier: BSD-2-Clause */
/* The noise certificate: certificateView(host, p). Verdicts have a word and a colour; the words come from the image.
 *
 *   causeColor(cause)   colour of the cause of a detour or gap, the same on all pages
 *   causeKey(causes)    key of a chart
 *   verdictWord(text)   PASS, NOTE or FAIL as an element */
const causes = ["unknown", "SMI", "NMI", "interrupt", "P-state change", "timer tick", "not asked"];
const causeColor = cause => palette({unknown: 5, SMI: 6, NMI: 2, interrupt: 1, "timer tick": 1, "P-state change": 3}[cause] ?? 0);
const causeKey = found => causes.filter(cause => found.includes(cause)).map(cause => [cause, causeColor(cause)]);
const verdictWord = text => el("span", {class: `stamp ${text.toLowerCase() || "none"}`}, text || "\u2013");
const nanoseconds = ns => ns >= 1e4 ? duration(ns) : `${count(ns)} ns`;

/* Gaps around the measured part, one lane per core: position, length, cause. The loop runs immediately before and after. */
function gapChart(host, p, lanes) {
    const khz = p.run.tsc_khz || +p.facts_by_key["machine.tsc_khz"] || 0, step = 54, bottom = 40;
    const found = lanes.flatMap(lane => lane.longest.map(gap => gap.cause));
    chart(host, {name: "certificate-gaps", title: "Gaps around the measured part", height: lanes.length * step + bottom,
        key: causeKey(found),
        note: "Before and after the measured part (grey) the time-stamp counter was read continuously. A bar is one of the longest gaps; " +
            "its height is its length, on a log scale. No bar: no gap was found.",
        alt: lanes.map(lane => `core ${lane.core}: ` +
                (lane.gaps ? lane.longest.map(gap => `${nanoseconds(gap.ns)} ${gap.behind ? "after" : "before"}, ${gap.cause}`).join(", ")
                : `no gap in ${duration(lane.looked_us * 1e3)} around the measured part`)).join("; "),
        draw(svg, width, height) {
            const left = 70, right = 16, middle = (width - left - right) / 3;
            /* Three parts of equal width: before, measured, after; each with its own time scale. */
            const reach = side => Math.max(1,
                ...lanes.flatMap(lane => lane.longest.filter(gap => gap.behind === side)
                    .map(gap => Math.abs(gap.tsc - (side ? lane.tsc_stop : lane.tsc_start)))));
            const before = d3.scaleLinear().domain([-reach(false) * 1.1, 0]).range([left, left + middle]),
                behind = d3.scaleLinear().domain([0, reach(true) * 1.1]).range([left + 2 * middle, width - right]);
            const y = d3.scaleLog().domain([Math.min(50, ...lanes.flatMap(lane => lane.longest.map(gap => gap.ns))) / 2,
                Math.max(1e4, ...lanes.flatMap(lane => lane.longest.map(gap => gap.ns)))]).range([0, step - 18]);
            const time = ticks => khz ? duration(Math.abs(ticks) / khz * 1e6) : `${count(Math.abs(ticks))} ticks`;
            let marks = 0;
            lanes.forEach((lane, i) => {
                const floor = (i + 1) * step - 6;
                svg.append("text").attr("x", left - 10).attr("y", floor).attr("text-anchor", "end").text(`core ${lane.core}`);
                svg.append("rect").attr("class", "mark").attr("x", left + middle).attr("y", floor - step + 14).attr("width", middle)
                    .attr("height", step - 14).style("fill", "var(--line)")
                    .append("title").text(lane.tsc_stop ? `measured for ${time(lane.tsc_stop - lane.tsc_start)}` : "measured");
                svg.append("line").attr("class", "gridline").attr("x1", left).attr("x2", width - right).attr("y1", floor).attr("y2", floor);
                if (!lane.gaps) svg.append("text").attr("class", "muted").attr("x", left + middle * 2.5).attr("y", floor - 8)
                    .attr("text-anchor", "middle").text(`none in ${duration(lane.looked_us * 1e3)}`);
                marks++;
                for (const gap of lane.longest) {
                    const at = lane.tsc_start ? (gap.behind ? behind(Math.max(0, gap.tsc - lane.tsc_stop))
                        : before(Math.min(0, gap.tsc - lane.tsc_start))) : gap.behind ? behind.range()[0] + 20 : before.range()[0] + 20;
                    svg.append("rect").attr("class", "mark").attr("x", at - 2).attr("width", 4).attr("y", floor - Math.max(3, y(gap.ns)))
                        .attr("height", Math.max(3, y(gap.ns))).style("fill", causeColor(gap.cause))
                        .append("title").text(`${nanoseconds(gap.ns)}, ${gap.cause}, ${gap.behind ? "after" : "before"} pass ` +
                                `${gap.pass + 1}`);
                    svg.append("text").attr("class", "muted").attr("x", at + 6).attr("y", floor - 4).text(nanoseconds(gap.ns));
                    marks++;
                }
            });
            for (const [text, at] of [["before", .5], ["measured", 1.5], ["after", 2.5]])
                svg.append("text").attr("class", "muted").attr("x", left + middle * at).attr("y", height - 20).attr("text-anchor", "middle")
                    .text(text);
            axisLabel(svg, width - right, height - 4, "TSC time; before and after are not to the same scale");
            return marks;
        }});
}

function certificateView(host, p) {
    const certificate = p.certificate;
    host.append(el("h2", {}, "Noise certificate: other uses of the processor"));
    if (!certificate) return none(host, p.run.is_linux
        ? "There is none, because an operating system ran. Kernel, other processes and firmware are in the samples or between them."
        : "The file contains none.");
    const worst = certificate.verdict, several = certificate.rows.some(row => row.core !== null);
    const counts_ = ["FAIL", "NOTE", "PASS"].map(verdict => [verdict, certificate.rows.filter(row => row.verdict === verdict).length]);
    host.append(el("p", {}, verdictWord(worst), " ",
        {FAIL: "Something else ran in the measured part.",
            NOTE: "By the samples nothing else ran in the measured part, but there is something to note.",
            PASS: "Nothing else was found with the means of this processor."}[worst] || "Nothing could be checked.", " ",
        counts_.filter(([, n]) => n).map(([verdict, n]) => `${n} ${verdict}`).join(", "), "."),
    dataTable({name: "certificate", rows: certificate.rows, columns: [
        {title: "Verdict", text: true, plain: true, show: row => verdictWord(row.verdict)},
        ...(several ? [{title: "Core", text: true, plain: true, show: row => row.core === null ? "all" : String(row.core)}] : []),
        {title: "Looked for", text: true, plain: true, show: row => row.what},
        {title: "Found", text: true, plain: true, class: "long", show: row => row.value}]}));
    const lanes = certificate.cores.filter(core => core.looked);
    if (!lanes.length) return;
    gapChart(host, p, lanes);
    host.append(dataTable({name: "gaps", rows: lanes, columns: [
        {title: "Core", text: true, value: row => row.core, show: row => String(row.core)},
        {title: "Looked for,\n\u00b5s", value: row => row.looked_us}, {title: "Readings\nof the TSC", value: row => row.reads},
        {title: "A gap is\nfrom, ns", value: row => row.gap_ns || null, show: (row, value) => value ? count(value) : "-"},
        {title: "Gaps", value: row => row.gaps, bar: true},
        ...causes.filter(cause => lanes.some(row => row.by_cause[cause]))
            .map(cause => ({title: cause, value: row => row.by_cause[cause] || 0})),
        {title: "Gaps a second,\n95 %", value: row => row.fewer_milli_per_second || null, show: row => row.gaps
            ? `${count(row.gaps / row.looked_us * 1e6)} seen` : `fewer than ${count(row.fewer_milli_per_second / 1e3)}`}]}),
    el("p", {class: "quiet"},
        "None in a time T: fewer than 3/T, with 95 % confidence (the rule of three). This is about the time around the measured part; " +
            "within it, interrupts and SMIs are counted."));
}
