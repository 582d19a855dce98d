/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of 'ibsprof compare --html': verdict, the two profiles side by side, and all comparisons. The data is what --json writes, in the
 * element "comparison". Each verdict has a colour, a shape and a word, so that a reader needs only one of them. */
const verdicts = {
    different: {color: "var(--s5)", shape: "diamond"},
    both: {color: "var(--s7)", shape: "square"},
    equivalent: {color: "var(--s2)", shape: "dot"},
    inconclusive: {color: "var(--s0)", shape: "ring"},
};
const overall = {...verdicts, "one-run": {color: "var(--s0)", shape: "ring"}}; /* verdicts on the sides */
const data = JSON.parse(document.getElementById("comparison").textContent);
const columnOf = Object.fromEntries(data.columns.map(column => [column.key, column]));
const placeName = item => item.place === null ? "whole workload" : placeLabel(data.places[item.place]);
const placeLabel = place => place.function === null ? "rarely sampled instructions" : place.name;
const itemAt = new Map(data.items.map(item => [`${item.column} ${item.place}`, item]));
const find = (column, place) => itemAt.get(`${column} ${place}`);

const isFraction = column => columnOf[column].unit === "fraction";
function figure(column, value, sign = false) {
    if (value === null) return "-";
    const shown = isFraction(column) ? fixed(100 * value, 2) : fixed(value, Math.abs(value) < 10 ? 2 : 1);
    return (sign && value > 0 ? "+" : "") + shown.replace("-", "\u2212");
}
const unit = column => ({fraction: "%", ops: `per ${data.work_unit || "unit of work"}`, cycles: "cycles"}[columnOf[column].unit]);
const small = value => value === null ? "-" : value < 1e-99 ? "<1e\u221299" : value < .001 ? value.toExponential(1).replace("-", "\u2212")
    : fixed(value, 3);

/* ---------------------------------------------------------------- marks */

function svg(tag, attributes, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
}

function mark(verdict, x, y) {
    const {color, shape} = overall[verdict];
    switch (shape) {
    case "diamond": return svg("path", {d: `M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z`, style: `fill:${color}`});
    case "square": return svg("rect", {x: x - 4, y: y - 4, width: 8, height: 8, style: `fill:${color}`});
    case "dot": return svg("circle", {cx: x, cy: y, r: 4.5, style: `fill:${color}`});
    default: return svg("circle", {cx: x, cy: y, r: 4, style: `fill:var(--paper);stroke:${color};stroke-width:2`});
    }
}

const word = verdict => el("span", {class: "verdict"}, svg("svg", {width: 14, height: 14, "aria-hidden": "true"}, mark(verdict, 7, 7)),
    verdict);

/* Draws difference and interval with 0 and the margin (grey). Ends outside of the scale are arrows. */
function differenceBar(item, most, width = 200) {
    const height = 18, middle = height / 2, x = value => width / 2 + Math.max(-1, Math.min(1, value / most)) * (width / 2 - 8);
    const {value, low, high} = item.difference, {margin} = item, {color} = verdicts[item.verdict];
    const text = `${figure(item.column, value, true)} ${unit(item.column)}, from ${figure(item.column, low, true)} to ` +
        `${figure(item.column, high, true)}: ${item.verdict}`;
    const node = svg("svg", {width, height, role: "img", "aria-label": text, class: "difference"},
        svg("title", {}, text),
        svg("rect", {x: x(-margin), y: 1, width: x(margin) - x(-margin), height: height - 2,
            style: "fill:var(--panel);stroke:var(--grid)"}),
        svg("line", {x1: width / 2, x2: width / 2, y1: 0, y2: height, style: "stroke:var(--quiet)"}),
        svg("line", {x1: x(low), x2: x(high), y1: middle, y2: middle, style: `stroke:${color};stroke-width:2.5`}));
    for (const end of [low, high])
        if (Math.abs(end) > most) {
            const tip = x(end) + Math.sign(end) * 6;
            node.append(svg("path", {d: `M${tip} ${middle}l${-6 * Math.sign(end)} -4v8Z`, style: `fill:${color}`}));
        }
    node.append(mark(item.verdict, x(value), middle));
    return node;
}

/* Returns a scale for most intervals: the largest distances are cut. */
function scaleOf(items) {
    const ends = items.flatMap(item => [Math.abs(item.difference.low), Math.abs(item.difference.high)]).sort((a, b) => a - b);
    return Math.max(...items.map(item => 1.5 * Math.min(item.margin, 1)), ends[Math.floor(.9 * (ends.length - 1))] || 0) || 1;
}

/* ---------------------------------------------------------------- verdict */

function sides(host) {
    const side = (name, s) => [el("dt", {}, name),
        el("dd", {}, `${plural(s.runs.length, "run", "runs")}, ${count(s.samples)} samples of ${data.event}: `,
            s.runs.map(run => run.path).join(", "))];
    host.append(el("h2", {}, "Sides"), el("dl", {class: "facts"}, side("A", data.a), side("B", data.b)));
    if (data.settings_that_differ.length)
        host.append(el("p", {class: "quiet"}, "Differences between the sides, other than the profile:"),
            dataTable({name: "settings", rows: data.settings_that_differ, columns: [
                {title: "Setting", text: true, value: row => row.name}, {title: "A", text: true, value: row => row.a},
                {title: "B", text: true, value: row => row.b}]}));
}

function outside(host) {
    const o = data.outside_of_workload, all = {a: data.a.samples / (1 - o.a), b: data.b.samples / (1 - o.b)};
    const rows = [{name: "all of it", a: o.a, b: o.b},
        ...o.parts.map(part => ({name: part.name, a: part.samples_a / all.a, b: part.samples_b / all.b}))];
    host.append(el("h2", {}, "Outside of the workload"),
        el("p", {class: "quiet"},
            "Samples of the kernel, firmware, the sampling handler and other processes: the system\u2019s share of all samples. " +
                "The rest of this page does not contain them. ",
            `B \u2212 A: ${fixed(100 * o.difference.low, 2)} to ${fixed(100 * o.difference.high, 2)} points.`),
        dataTable({name: "outside", rows, columns: [{title: "Where", text: true, value: row => row.name},
            {title: "A, %", value: row => row.a, show: row => fixed(100 * row.a, 2)},
            {title: "B, %", value: row => row.b, show: row => fixed(100 * row.b, 2)}]}));
}

function distances(host) {
    const measures = [["Overlap, %", "total_variation", value => fixed(100 * (1 - value), 2)],
        ["Jensen\u2013Shannon divergence, bits", "jensen_shannon_bits", value => fixed(value, 5)],
        ["Cram\u00e9r\u2019s V", "cramer_v", value => fixed(value, 4)]];
    const pairs = [["A against B", data.a_against_b], ["A against itself", data.a_against_a], ["B against itself", data.b_against_b]];
    const cell = (of, key, show) => {
        if (!of) return "-";
        const {value, low, high, by_chance} = of[key], ends = low === undefined ? ""
            : ` (${[show(low), show(high)].sort((a, b) => parseFloat(a) - parseFloat(b)).join(" to ")})`;
        return [`${show(value)}${ends}`, el("small", {class: "chance"}, `by chance alone ${show(by_chance)}`)];
    };
    host.append(el("h2", {}, "The profiles as a whole"),
        el("p", {class: "quiet"},
            "Two samples of the same profile are never equal: \u201cby chance alone\u201d is their expected difference. A " +
                "side against itself (halves of its runs, or of its time) should not show more."),
        el("div", {class: "scroll"},
            el("table", {"data-table": "whole"},
                el("thead", {}, el("tr", {}, el("th", {}), pairs.map(([title]) => el("th", {scope: "col"}, title)))),
                el("tbody", {}, el("tr", {}, el("td", {class: "text"}, "p of no difference"),
                    pairs.map(([, of]) => el("td", {}, of ? small(of.p) : "-"))),
                measures.map(([title, key, show]) => el("tr", {}, el("td", {class: "text"}, title),
                    pairs.map(([, of]) => el("td", {}, cell(of, key, show)))))))));
}

function counts(host) {
    const rows = data.columns.map(column => {
        const items = data.items.filter(item => item.column === column.key), whole = find(column.key, null);
        return {column, whole, items: items.length,
            ...Object.fromEntries(Object.keys(verdicts).map(name => [name, items.filter(item => item.verdict === name).length]))};
    }).filter(row => row.items);
    host.append(el("h2", {}, "By column"), dataTable({name: "columns", rows, columns: [
        {title: "What is compared", text: true, value: row => row.column.title},
        {title: "Whole\nA", plain: true, show: row => row.whole ? figure(row.column.key, row.whole.a.value) : "-"},
        {title: "workload\nB", plain: true, show: row => row.whole ? figure(row.column.key, row.whole.b.value) : "-"},
        {title: "B \u2212 A", plain: true, show: row => row.whole ? differenceBar(row.whole, scaleOf([row.whole])) : ""},
        {title: "", text: true, plain: true, show: row => row.whole ? word(row.whole.verdict) : ""},
        ...Object.keys(verdicts).map(name => ({title: name, value: row => row[name]})),
    ]}));
}

/* Shows the time of a run on each side. */
function times(host) {
    const rows = data.time || [], show = row => value => value === null ? "-" : fixed(value * row.scale, 3);
    const side = key => ({title: key.toUpperCase(), plain: true, show: row => row[key] ? show(row)(row[key].value) : "not known"});
    const part = show => row => row.difference ? show(row) : "-";
    if (rows.length === 0) return;
    host.append(el("h2", {}, "Time of a run"), dataTable({name: "time", rows, columns: [
        {title: "Time", text: true, plain: true, show: row => row.name}, {title: "Unit", text: true, plain: true, show: row => row.unit},
        side("a"), side("b"), {title: "B \u2212 A", plain: true, show: part(row => show(row)(row.difference.value))},
        {title: "Interval", plain: true, show: part(row => row.difference.low === null ? "-"
        : `${show(row)(row.difference.low)} to ${show(row)(row.difference.high)}`)},
        {title: "B / A", plain: true, show: part(row => fixed(row.b.value / row.a.value, 3))},
        {title: "", text: true, plain: true, show: row => row.verdict ? word(row.verdict) : "not judged"}]}));
}

/* Shows rows of General Exploration that are known on both sides. */
function exploration(host) {
    const rows = (data.exploration || []).filter(row => row.difference), show = row => value => row.ratio ? fixed(value, 3)
        : fixed(100 * value, 2);
    const side = key => ({title: key.toUpperCase(), plain: true, show: row => (row[key].flagged_in_runs ? "\u25b6 " : "")
                + show(row)(row[key].value)});
    const spread = key => ({title: `Spread\n${key.toUpperCase()}`, plain: true, show: row => row[key].spread === null ? "-"
        : show(row)(row[key].spread)});
    if (rows.length === 0) return;
    host.append(el("h2", {}, "General Exploration"),
        el("p", {class: "quiet"},
            "Row by row of the tree; spread: standard deviation between runs. \u25b6: above its threshold in some run."),
        dataTable({name: "exploration", rows, columns: [
            {title: "Part", text: true, plain: true, show: row => "\u2003".repeat(row.level - 1) + row.name},
            {title: "Unit", text: true, plain: true, show: row => row.unit}, side("a"), side("b"),
            {title: "B \u2212 A", plain: true, show: row => show(row)(row.difference.value)},
            {title: "Interval", plain: true, show: row => row.difference.low === null ? "-"
            : `${show(row)(row.difference.low)} to ${show(row)(row.difference.high)}`},
            spread("a"), spread("b"), {title: "", text: true, plain: true, show: row => row.verdict ? word(row.verdict) : "not judged"}]}));
}

function summary(host) {
    host.append(el("div", {class: "lead"}, el("p", {}, word(data.verdict)), el("p", {id: "sentence"}, data.sentence)));
    const figures = data.a.figures === data.b.figures ? [data.a.figures] : [data.a.figures && `Side A: ${data.a.figures}`,
        data.b.figures && `Side B: ${data.b.figures}`];
    const notes = [...figures.filter(Boolean), ...data.warnings, ...data.notes];
    if (notes.length) host.append(el("ul", {class: "notes"}, notes.map(text => el("li", {}, text))));
    times(host);
    counts(host);
    exploration(host);
    host.append(el("p", {class: "quiet"},
        `Intervals: ${fixed(100 * data.level, 0)} %. Grey: the margin of equivalence, ${data.margin_points} points or ` +
                `${data.margin_percent} % of A, whichever is more; `,
        data.margin_points_of_rates === null ? "small rates: a tenth of the rate."
        : `rates: ${data.margin_points_of_rates} points or ${data.margin_percent} %.`));
    distances(host);
    sides(host);
    outside(host);
    if (data.on_one_side_only.length)
        host.append(el("h2", {}, "Functions with samples on one side only"),
            dataTable({name: "lonely", rows: data.on_one_side_only, columns: [
                {title: "Function", text: true, value: row => row.function}, {title: "Side", text: true, value: row => row.side},
                {title: "Samples", value: row => row.samples, bar: true}]}));
}

/* ---------------------------------------------------------------- side by side */

function sideBySide(host) {
    const functions = [...new Set(data.places.map(place => place.function))];
    const weight = name => d3.sum(data.places, (place, i) => place.function === name ? (find("share", i)?.a.value || 0)
            + (find("share", i)?.b.value || 0) : 0);
    functions.sort((a, b) => (a === null) - (b === null) || weight(b) - weight(a));
    const columns = data.columns.filter(column => data.items.some(item => item.column === column.key && item.place !== null));
    const box = el("select", {onchange: () => draw(), id: "column"},
        columns.map(column => el("option", {value: column.key}, column.title)));
    const body = el("div", {});
    /* The clearest difference comes first. */
    const telling = data.items.filter(item => item.place !== null && item.verdict === "different").sort((a, b) => a.q - b.q)[0];

    function draw() {
        const column = box.value, items = data.places.map((_, i) => find(column, i)), there = items.filter(Boolean);
        const most = scaleOf(there), largest = Math.max(...there.flatMap(item => [item.a.value, item.b.value]));
        const bar = value => ({class: "bar", style: {"--part": `${(100 * value / largest).toFixed(1)}%`}});
        const rows = [], withShares = column !== "share",
            titles = ["Offset", "Instruction", ...(withShares ? ["Share of\nA, %", "samples\nB, %"] : []), "A", "B \u2212 A", "B",
                "Verdict"];
        for (const name of functions) {
            rows.push(el("tr", {class: "source"},
                el("td", {colspan: titles.length}, name === null ? "(rarely sampled instructions together)" : name)));
            data.places.forEach((place, i) => {
                if (place.function !== name) return;
                const item = items[i];
                rows.push(el("tr", {class: `insn${item ? "" : " silent"}`, "data-verdict": item ? item.verdict : null, "data-place": i},
                    el("td", {}, place.function === null ? "" : parseInt(place.offset, 16).toString(16) + "h"),
                    el("td", {class: "code"}, place.instruction || placeLabel(place)),
                    withShares && ["a", "b"].map(side => el("td", {class: "quiet"}, find("share", i)
                        ? figure("share", find("share", i)[side].value) : "")),
                    item ? el("td", bar(item.a.value), figure(column, item.a.value)) : el("td", {}),
                    item ? el("td", {}, differenceBar(item, most, 220)) : el("td", {}),
                    item ? el("td", bar(item.b.value), figure(column, item.b.value)) : el("td", {}),
                    el("td", {class: "text"}, item ? word(item.verdict) : "")));
            });
        }
        body.replaceChildren(el("p", {class: "quiet"},
            `${columnOf[column].title}, ${unit(column)}. The bars in the middle: B \u2212 A with its ${fixed(100 * data.level, 0)} % ` +
                    `interval, `,
            `to \u00b1${figure(column, most)}; grey: the margin of equivalence. Instructions without a figure had too few samples ` +
                `on one side.`),
        el("div", {class: "listing-box"}, el("table", {class: "listing", "data-table": "sides"},
            el("thead", {}, el("tr", {},
                titles.map(title => el("th", {scope: "col", class: title === "Instruction" || title === "Verdict" ? "text"
                : title === "B \u2212 A" ? "middle" : null}, title)))),
            el("tbody", {}, rows))));
    }
    if (telling) box.value = telling.column;
    host.append(el("h2", {}, "Side by side"), el("div", {class: "controls"}, el("label", {}, "Column", box)), body);
    draw();
}

/* ---------------------------------------------------------------- all comparisons */

function everything(host) {
    const boxes = Object.keys(verdicts).map(name => [name, el("input", {type: "checkbox", checked: true, onchange: () => draw()})]);
    const body = el("div", {}), scales = Object.fromEntries(data.columns.map(column => {
        const items = data.items.filter(item => item.column === column.key), single = items.filter(item => item.place !== null);
        return [column.key, items.length ? scaleOf(single.length ? single : items) : 1];
    }));

    function draw() {
        const shown = new Set(boxes.filter(([, box]) => box.checked).map(([name]) => name));
        body.replaceChildren(dataTable({name: "items", rows: data.items.filter(item => shown.has(item.verdict)).sort((a, b) => a.q - b.q),
            limit: 200, columns: [
                {title: "Verdict", text: true, value: item => item.verdict, show: item => word(item.verdict)},
                {title: "Column", text: true, value: item => columnOf[item.column].title},
                {title: "Place", text: true, value: placeName},
                {title: "Instruction", text: true, class: "code", value: item => item.place === null ? ""
                : data.places[item.place].instruction},
                {title: "A", value: item => item.a.value, show: item => `${figure(item.column, item.a.value)}`},
                {title: "B", value: item => item.b.value, show: item => `${figure(item.column, item.b.value)}`},
                {title: "B \u2212 A", value: item => item.difference.value / scales[item.column],
                    show: item => figure(item.column, item.difference.value, true)},
                {title: "with interval", plain: true, show: item => differenceBar(item, scales[item.column], 120)},
                {title: "log2 B/A", value: item => item.log2_ratio.value, show: item => item.log2_ratio.value === null ? "-"
                : fixed(item.log2_ratio.value, 2)},
                {title: "q", value: item => item.q, show: item => small(item.q),
                    hint: "expected share of false differences among all with this q or less"},
                {title: "Samples\nneeded", value: item => item.needed_a === undefined ? null : Math.max(item.needed_a, item.needed_b),
                    show: (item, value) => value ? count(value) : "",
                    hint: "on each side, to show that there is no difference if there is none"},
            ]}));
    }
    host.append(el("h2", {}, `All ${count(data.items.length)} comparisons`),
        el("div", {class: "controls"}, boxes.map(([name, box]) => el("label", {}, box, word(name)))), body);
    draw();
}

(function start() {
    /* The names of the sides: the first setting that differs, else the folders of their runs. */
    const told = data.settings_that_differ.filter(one => !["seed", "operating system"].includes(one.name)
            && `${one.a}${one.b}`.length < 60)[0];
    const last = side => side.runs[0].path.split("/").filter(Boolean).slice(-1)[0], name = told ? `${told.name} ${told.a} against ${told.b}`
        : last(data.a) !== last(data.b) ? `${last(data.a)} against ${last(data.b)}` : "A against B";
    const model = [data.a.figures, data.b.figures].some(text => text && text.startsWith("MODEL"));
    document.title = `${name}: ibsprof compare`;
    document.body.append(el("header", {},
        el("div", {class: "wrap"}, el("div", {class: "name"}, el("h1", {}, name, model ? el("span", {class: "badge"}, "MODEL") : null),
            el("p", {}, `${plural(data.a.runs.length, "run", "runs")} against ${plural(data.b.runs.length, "run", "runs")}, ` +
                    `${data.event}`)),
        themeButton())));
    tabs(document.body, [
        {id: "summary", title: "Verdict", draw: summary},
        {id: "sides", title: "Side by side", draw: sideBySide},
        {id: "items", title: "All comparisons", draw: everything},
    ]);
    document.body.append(el("footer", {},
        el("div", {class: "wrap"}, "ibsprof compare. docs/compare.md says how each figure is computed.")));
})();
