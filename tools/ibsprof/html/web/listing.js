/* SPDX-License-Identifier: BSD-2-Clause */
/* Annotated listing of a profile: source lines, instructions, the columns of one of its views, heat by one of them.
 *
 *   culprit(p)      {row, operand, why, clear}: the instruction to look at first; clear: well ahead of the next, or of
 *                   all others for certain, where the run has an estimate of time
 *   leadingEvents(p)   counter events in the order in which they are looked at
 *   listing(host, p, {onview}) -> {show(fn, row)}
 */

/* Returns counter events; the event of the cause comes first. */
function leadingEvents(p) {
    const own = p.causes && p.others.find(event => event.name === p.causes[0].event);
    return own ? [own, ...p.others.filter(event => event !== own)] : p.others;
}

/* Misses of loads cost most, and IBS assigns them exactly, so they come first, if there are enough: 20 of them, and one in 200
 * accesses. */
function culprit(p) {
    const all = code => p.get(p.all, code);
    const rows = p.rows.some(row => row.fn.workload) ? p.rows.filter(row => row.fn.workload) : p.rows;
    const rules = [
        [Boolean(p.time), "time", "estimated time"],
        [all("F206") >= 20 && all("F206") >= all("F200") / 200 && all("F219") > 0, "F219", "cycles that loads waited for missed data"],
        [all("F206") >= 20 && all("F206") >= all("F200") / 200, "F206", "data cache misses"],
        [all("F205") >= 20 && all("F205") >= all("F200") / 200, "F205", "misses in both DTLBs"],
        [all("F104") >= 20 && all("F104") >= all("F103") / 50, "F104", "mispredicted branches"],
        [all("F008") >= 20 && all("F008") >= all("F002") / 100, "F008", "instruction cache misses"],
        [all("wait") > 0, "wait", "cycles from tagging to completion"],
        [all("F100") > 0, "F100", "ops sampled"],
        [all("F002") > 0, "F002", "fetches attempted"],
    ];
    if (!rows.length) return null;
    for (const [holds, operand, why] of rules) {
        if (!holds) continue;
        const row = rows.reduce((best, one) => p.get(one, operand) > p.get(best, operand) ? one : best);
        const next = Math.max(0, ...rows.filter(one => one !== row).map(one => p.get(one, operand)));
        if (!(p.get(row, operand) > 0)) continue;
        const clear = operand === "time" ? rows.every(one => one === row || !one.estimate || one.estimate.high < row.estimate.low)
            : p.get(row, operand) > 1.25 * next;
        return {row, operand, why, clear};
    }
    for (const event of leadingEvents(p)) {
        const samples = row => (row.events.get(event.index) || [0])[0];
        const row = rows.reduce((best, one) => samples(one) > samples(best) ? one : best);
        if (samples(row)) return {row, operand: event.operand, event, why: `samples of ${event.name}`, clear: true};
    }
    return null;
}

/* The image's views; time to completion; and the file's own events that no table of the image has (cpu-clock, events of other families). */
function viewsOf(p) {
    const known = new Set(p.views.flatMap(view => view.columns.map(column => column.left)));
    const rest = p.others.filter(event => !event.operand || !known.has(event.operand));
    const completion = p.get(p.all, "wait") > 0 ? [{
        name: "completion", title: "Time to completion", what: "ops sampled, cycles", population: "F100", mark: "wait",
        footnote: "From tagging to completion: how long an op waited for its operands and its result, without its wait to retire in " +
            "order.",
        columns: [{title: "All\nops", kind: "count", left: "F100"},
            {title: "Tag to\ncompletion\ncycles", kind: "count", left: "wait"},
            {title: "Mean", kind: "ratio", decimals: 2, scale: 1, left: "wait", right: "F100"},
            {title: "Done to\nretire\nmean", kind: "ratio", decimals: 2, scale: 1, left: "F102", right: "F100"}],
    }] : [];
    if (p.time) completion.unshift({
        name: "time", title: "Estimated time", what: "share of the cycles", population: "F100", mark: "time",
        footnote: "The cycles in which an instruction retires, or in which later ones wait for this: estimated from the time of ops " +
            "in flight, and from the cycles of the workload without sampling.",
        columns: [{title: "Est.\ntime", kind: "share", decimals: 1, scale: 100, left: "time"},
            {title: "Ops", kind: "count", left: "F100"},
            {title: "% of\nops", kind: "share", decimals: 1, scale: 100, left: "F100"}],
    });
    if (!rest.length) return [...p.views, ...completion];
    rest.forEach(event => { if (!event.operand) { event.operand = `#${event.index}`; p.operands[event.operand] = event.index; } });
    return [...p.views, ...completion, {
        name: "events", title: "Samples by event", what: "samples", population: rest[0].operand, mark: rest[0].operand, footnote: null,
        columns: rest.flatMap(event => [
            {title: event.name.replace(" ", "\n"), kind: "count", left: event.operand},
            {title: "% of\nall", kind: "share", decimals: 1, scale: 100, left: event.operand}]),
    }];
}

const sourceText = source => source ? `${source[0].split("/").pop()}:${source[1]}` : "";
const fnWeight = (p, fn) => p.get(fn, "F100") + p.get(fn, "F002")
    + p.others.reduce((sum, event) => sum + (fn.events.get(event.index) || [0])[0], 0);

function listing(host, p) {
    const views = viewsOf(p), worst = culprit(p);
    const fns = p.functions.filter(fn => fn.rows.length).sort((a, b) => fnWeight(p, b) - fnWeight(p, a));
    const start = views.find(view => worst && view.mark === worst.operand)
        || views.find(view => worst && view.columns.some(c => c.left === worst.operand)) || views[0];
    const body = el("div", {});
    if (!views.length || !fns.length) {
        host.append(el("p", {}, "This file has no samples of instructions."));
        return {show() {}};
    }
    const select = (label, options, onchange) => {
        const box = el("select", {onchange}, options.map(([value, text]) => el("option", {value}, text)));
        return [el("label", {}, label, box), box];
    };
    const [fnLabel, fnBox] = select("Function", fns.map(fn => [fn.number, `${fn.label} (${fn.objectName})`]), () => draw());
    const [viewLabel, viewBox] = select("Columns", views.map((view, i) => [i, view.title]), () => { heats(); draw(); });
    const [heatLabel, heatBox] = select("Heat by", [], () => draw());
    const sources = el("input", {type: "checkbox", checked: true, onchange: () => draw()});
    const silent = el("input", {type: "checkbox", checked: true, onchange: () => draw()});

    function heats() {
        const view = views[viewBox.value];
        heatBox.replaceChildren(...view.columns.map((column, i) => el("option", {value: i}, column.title.replace(/-\n/g, "")
            .replace(/\n/g, " "))));
        heatBox.value = Math.max(0, view.columns.findIndex(column => column.left === view.mark && column.kind !== "ratio"));
    }

    function draw() {
        const view = views[viewBox.value], fn = p.functions[fnBox.value];
        const figures = fn.rows.map(row => view.columns.map(column => p.column(row, column)));
        const column = +heatBox.value;
        const largest = Math.max(0, ...figures.map(row => row[column].value || 0));
        const hottest = figures.findIndex(row => largest > 0 && row[column].value === largest);
        const width = view.columns.length + 3, lines = [];
        let last = null;

        fn.rows.forEach((row, i) => {
            const sampled = row.counts.size > 0 || row.events.size > 0;
            if (!sampled && !silent.checked) return;
            if (sources.checked && row.source && row.source !== last) {
                last = row.source;
                lines.push(el("tr", {class: "source"}, el("td", {}), el("td", {colspan: width - 1, class: "code"},
                    el("span", {class: "number", title: `${row.source[0]}:${row.source[1]}`}, row.source[2] === null
                        ? sourceText(row.source) : row.source[1]),
                    row.source[2] || "")));
            }
            const share = largest ? (figures[i][column].value || 0) / largest : 0;
            lines.push(el("tr", {
                class: `insn${sampled ? "" : " silent"}`, id: `row-${row.number}`, "data-address": hex(row.address), "data-row": row.number,
                "data-culprit": i === hottest, style: {"--tint": (share * .3).toFixed(3)}},
            el("td", {class: "flag"}, i === hottest
                ? el("span", {role: "img", "aria-label": "most of this column", title: "most of this column"}, "\u25b6") : ""),
            el("td", {}, hex(row.address)),
            el("td", {class: "code"}, row.text || "(not disassembled)"),
            figures[i].map((figure, c) =>
                el("td", {class: [c === column && figure.value && "bar", !figure.value && "zero"].filter(Boolean).join(" ") || null,
                    style: c === column ? {"--part": `${(100 * share).toFixed(1)}%`} : {}}, sampled ? figure.text : ""))));
        });
        body.replaceChildren(
            el("p", {class: "quiet"}, `${view.title}: ${view.what}. ${fn.label} in ${fn.objectName}` +
                (fn.name ? `, ${count(fn.size)} bytes at ${hex(BigInt(fn.start))}. ` : ". ")
                    + (fn.rows.some(r => r.source) ? `Source: ${fn.rows.find(r => r.source).source[0]}.` : "Source lines are not known.")),
            el("div", {class: "listing-box"}, el("table", {class: "listing wide", "data-table": "listing"},
                el("thead", {}, el("tr", {}, el("th", {}), el("th", {}, "Address"), el("th", {class: "text"}, "Instruction"),
                    view.columns.map((one, c) => el("th", {scope: "col", class: c === column && "heat"}, one.title)))),
                el("tbody", {}, lines,
                    fn.rest && el("tr", {}, el("td", {}), el("td", {}),
                        el("td", {class: "text"}, `${count(fn.rest_rows)} more addresses with few samples`),
                        view.columns.map(one => el("td", {}, p.column(fn.rest, one).text))),
                    el("tr", {class: "total"}, el("td", {}), el("td", {}), el("td", {class: "text"}, fn.label),
                        view.columns.map(one => el("td", {}, p.column(fn, one).text))),
                    el("tr", {class: "total"}, el("td", {}), el("td", {}), el("td", {class: "text"}, "all samples"),
                        view.columns.map(one => el("td", {}, p.column(p.all, one).text)))))),
            ...(view.footnote ? [el("p", {class: "quiet"}, view.footnote.replace(/\n/g, " "))] : []));
    }

    viewBox.value = views.indexOf(start);
    fnBox.value = worst ? worst.row.fn.number : fns[0].number;
    heats();
    if (worst) {
        const at = start.columns.findIndex(column => column.left === worst.operand && column.kind !== "ratio");
        if (at >= 0) heatBox.value = at;
    }
    host.append(el("div", {class: "controls"}, fnLabel, viewLabel, heatLabel, el("label", {}, sources, "source lines"),
        el("label", {}, silent, "instructions without samples")), body);
    draw();
    /* The listing opens at this row's line, also when a link leads to it. */
    requestAnimationFrame(() => { const line = body.querySelector("tr[data-culprit]"); if (line) line.scrollIntoView({block: "center"}); });
    return {
        show(fn, row) {
            fnBox.value = fn.number;
            draw();
            const line = row && body.querySelector(`#row-${row.number}`);
            if (line) line.scrollIntoView({block: "center"});
        },
    };
}
