/* SPDX-License-Identifier: BSD-2-Clause */
/* Cache lines: linesView(host, p) shows the list of "ibsprof report --by=cache-line": which cores used which bytes of a line, and who
 * answered. */
const lineName = row => digits(BigInt(row.address), 16);

/* Says how several cores shared a line. */
function lineSharing(row, stores) {
    if (row.cores < 2) return "";
    return row.false_sharing ? "false" : row.values[stores] ? "true" : "only read";
}

/* Returns what answered loads of a line, or of a part of it, the most frequent first. */
function lineAnswers(answers, row) {
    return answers.map((name, i) => ({name, n: row.answered[i]})).filter(({n}) => n).sort((a, b) => b.n - a.n)
        .map(({name, n}) => `${name} ${n}`).join(", ");
}

/* Returns the figures of a line, or of a part of it. */
function lineFigures({columns, answers, rows}) {
    return [
        ...columns.map(({title}, i) => title === "Mean"
            ? {title: "Mean miss\ncycles", value: row => row.values[i], show: (row, value) => value === null ? "-" : fixed(value, 1)}
            : {title: {"DC miss": "DC\nmisses", "O. cache": "Other\ncache"}[title] || title, value: row => row.values[i], bar: i < 2}),
        ...(rows.some(row => row.modified) ? [{title: "Modified\nelsewhere", value: row => row.modified}] : []),
        {title: "Loads, by who answered", text: true, class: "long", value: row => lineAnswers(answers, row)},
    ];
}

function linesView(host, p) {
    const lines = p.cache_lines, {rows} = lines, stores = lines.columns.findIndex(column => column.title === "Stores");
    const shared = rows.filter(row => row.cores > 1), wrong = shared.filter(row => row.false_sharing), figures = lineFigures(lines);
    const part = shared.flatMap(line => line.parts.map(one => ({...one, line})));
    host.append(el("h2", {}, "Cache lines"),
        el("p", {}, rows.length < lines.count
            ? `The ${count(rows.length)} of ${plural(lines.count, "line", "lines")} of 64 bytes with most sampled loads and stores. `
            : `${plural(rows.length, "line", "lines")} of 64 bytes that sampled loads and stores used. `,
        shared.length ? `Several cores used ${count(shared.length)} of them. ` : "No two cores used the same line. ",
        wrong.length ? el("strong", {class: "hot"}, `${count(wrong.length)} with false sharing.`) : null),
        dataTable({name: "cache-lines", file: "cache-lines.csv", rows, limit: 30, columns: [
            {title: "Line", text: true, class: "code", value: lineName},
            {title: "Cores", value: row => row.cores},
            {title: "Sharing", text: true, value: row => lineSharing(row, stores)}, ...figures]}));
    if (part.length) host.append(el("h3", {}, "Which core used which bytes of a shared line"),
        dataTable({name: "line-parts", file: "line-parts.csv", rows: part, limit: 30, columns: [
            {title: "Line", text: true, class: "code", value: one => lineName(one.line)},
            {title: "Byte", text: true, value: one => one.offset, show: (one, value) => `+${value}`},
            {title: "Core", text: true, value: one => one.core}, ...figures]}));
    host.append(el("p", {class: "quiet"}, "False sharing: several cores used the line, at least one stored to it, and no two of them " +
        "used the same address; true: two did. Other cache: loads that another core\u2019s cache on the node answered. ",
    lines.without_address ? `${plural(lines.without_address, "load or store has", "loads and stores have")} no valid address. ` : "",
    "All lines: ", el("code", {}, "ibsprof report --by=cache-line --csv"), "."));
}
