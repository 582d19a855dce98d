/* SPDX-License-Identifier: BSD-2-Clause */
/* Views of the counters and of the run: counters(host, p, go), machine(host, p). */
/* ---------------------------------------------------------------- counters */

const ppm = (value, ratioOf) => ratioOf ? fixed(value / 1e6, 2) : fixed(value / 1e4, 1);

/* Shows the trees of several cores, a column each; rows that no core knows are left out. */
function coreTrees(rows, cores) {
    const cell = node => node.state === "known" ? `${node.flagged ? "\u25b6 " : ""}${ppm(node.value_ppm, node.ratio)}` : "-";
    const shown = rows.map((row, i) => ({row, nodes: cores.map(core => core.tree[i])}))
        .filter(({nodes}) => nodes.some(node => node.state === "known"));
    return el("div", {}, el("h3", {}, "By core"), dataTable({name: "core-trees", rows: shown, columns: [
        {title: "Part", text: true, plain: true, show: ({row}) => "\u2003".repeat(row.level - 1) + row.name},
        {title: "Unit", text: true, plain: true, show: ({row}) => row.unit},
        ...cores.map((core, i) => ({title: `Core ${core.core}`, plain: true, show: ({nodes}) => cell(nodes[i])}))]}));
}

function tree(host, p) {
    const {tree: rows, cycles, checks, slots, says} = p.counters; /* without "slots" the tree is Family 10h's */
    const known = row => row.state === "known";
    host.append(el("h2", {}, "General Exploration: use of the cycles"),
        el("p", {}, `${count(cycles)} cycles, ${slots || "three"} slots each. ` +
            "A row counts only below a highlighted one; grey rows have no weight."));
    /* The parts of the tree: each begins where the unit of level 1 changes; plain ratios are one part. */
    const first = rows.filter(row => row.level === 1), part = row => row.ratio ? "" : row.unit,
        names = slots ? ["Instructions", `Slots, ${slots} per cycle: rows of level 1 exclude each other`] : [
            "Instructions", "Cycles by dispatch: these exclude each other",
            "Slots, three per cycle: rows of level 1 exclude each other", "Cycles by macro-ops retired: these exclude each other"];
    const starts = first.filter((row, i) => i === 0 || part(first[i - 1]) !== part(row));
    const group = row => starts.includes(row) ? el("tr", {class: "group"}, el("td", {colspan: 6}, names[starts.indexOf(row)] || row.unit))
        : null;
    const top = rows.filter(row => row.level === 1 && row.unit === "% slots" && known(row));
    if (top.length) stackChart(host,
        {name: "slots", title: "Slots", unit: "% of slots",
            note: (slots ? `${slots} macro-ops can be dispatched` : "Three macro-ops can be dispatched and retired") +
                " in each cycle. Level 1: these exclude each other.",
            alt: top.map(row => `${row.name} ${ppm(row.value_ppm)} %`).join("; "),
            parts: top.map((row, i) => ({label: row.name.replace(/ \(.*/, ""), value: row.value_ppm, text: `${ppm(row.value_ppm)} %`,
                color: palette([3, 4, 1, 5, 0, 2][i % 6])}))});
    rows.filter(row => row.flagged)
        .forEach(row => host.append(el("div", {class: "hint"},
            el("h3", {}, `${row.name}: ` +
                    `${known(row) ? `${ppm(row.value_ppm, row.ratio)} ${row.unit}` : `${ppm(row.raw_ppm)} % cycles`}`),
            el("dl", {}, [["But", row.but], ["Means", row.means], ["Try", row.try], ["Proof", row.proof]].filter(([, text]) => text)
                .map(([term, text]) => [el("dt", {}, term), el("dd", {}, text)])))));
    host.append(el("div", {class: "scroll"}, el("table", {class: "tree", "data-table": "tree"},
        el("thead", {}, el("tr", {}, ["Part", "Value", "Unit", "Raw,\n% of cycles", "Reliability",
            "Spread, %"].map((title, i) => el("th", {scope: "col", class: (i === 0 || i === 2) && "text"}, title)))),
        el("tbody", {}, rows.map((row, i) => [group(row, i),
            el("tr", {class: row.flagged ? "flagged" : row.greyed ? "greyed" : known(row) ? null : "unknown"},
                el("td", {class: "name", style: {"--level": row.level - 1}}, `${row.flagged ? "\u25b6 " : ""}${row.name}`),
                el("td", {class: !row.ratio && known(row) ? "bar" : null,
                    style: {"--part": `${Math.min(100, Math.max(0, row.value_ppm / 1e4))}%`}}, known(row) ? ppm(row.value_ppm, row.ratio)
                : row.state),
                el("td", {class: "text"}, known(row) ? row.unit : ""),
                el("td", {}, row.raw_state === "known" ? ppm(row.raw_ppm) : ""),
                el("td", {}, known(row) ? fixed(row.reliability_ppm / 1e6, 3) + (row.unreliable ? " LOW" : "") : ""),
                el("td", {}, known(row) ? fixed(row.cv_ppm / 1e4, 2) : ""))])))),
    el("p", {class: "quiet"}, says),
    el("details", {}, el("summary", {}, "Each row in words"),
        el("dl", {}, rows.map(row => [el("dt", {}, `${row.name}: ${row.unit}`), el("dd", {}, row.means)]))),
    p.counters.core_trees && coreTrees(rows, p.counters.core_trees),
    el("h3", {}, "Checks of the counters"), dataTable({name: "checks", rows: checks, columns: [
        {title: "Relation", text: true, plain: true, show: row => row.says},
        {title: "Verdict", text: true, plain: true,
            show: row => el("span", {class: row.verdict === "fail" ? "hot" : row.verdict === "pass" ? "good" : "quiet"}, row.verdict)},
        {title: "Left", plain: true, show: row => row.verdict === "not checked" ? "" : count(row.left)},
        {title: "Right", plain: true, show: row => row.verdict === "not checked" ? "" : count(row.right)}]}));
}

/* Shows, for runs of ibsboot, pmc.csv and the facts of run.ini about each event. */
function sampledByCounters(host, p, go) {
    const {events, rows} = p.counter_samples, places = new Map(p.rows.map(row => [row.fn.workload ? Number(row.address) : -1, row]));
    const facts = new Map();
    for (const [key, value] of p.facts) {
        const match = /^event\.(\d+)(?:\.(period|samples|outside|lost|turns|error_ppm|reliability_ppm|total\.0|state))?$/.exec(key);
        if (match) facts.set(match[1], {...facts.get(match[1]), [match[2] || "name"]: value});
    }
    const list = [...facts.values()].filter(event => event.name), figure = key => event => event[key] === undefined ? null : +event[key];
    const shown = (event, value) => value === null ? (event.state || "") : count(value);
    /* Groups took turns: an event that no turn saw may still have happened, so it is not shown as 0. */
    const taken = list.some(event => +event.error_ppm), unseen = event => +event["total.0"] === 0 && +event.error_ppm;
    host.append(el("h2", {}, "Samples by counter overflow or timer"),
        el("p", {class: "quiet"},
            "The point that retirement had reached at the interrupt: after the cause, sometimes far (skid). IBS, in the " +
                "other views, does not skid."));
    if (list.length) host.append(dataTable({name: "sampled-events", rows: list, sort: -1, columns: [
        {title: "Event", text: true, value: event => event.name.replace(/@\d+$/, "")},
        {title: "Period", value: figure("period"), show: shown},
        {title: "Samples", value: figure("samples"), show: (event, value) => value === null ? "" : count(value), bar: true},
        {title: "Outside the\nworkload", value: figure("outside"), show: (event, value) => value === null ? "" : count(value)},
        {title: "Lost", value: figure("lost"), show: (event, value) => value === null ? "" : count(value)},
        {title: "Events\ncounted", value: figure("total.0"),
            show: (event, value) => value === null ? "" : unseen(event) ? "none seen" : count(value)},
        ...taken ? [
            {title: "Turns", value: figure("turns"),
                show: (event, value) => value === null ? "" : +event.error_ppm ? count(value) : "always"},
            {title: "\u00b1 95 %,\n%", value: figure("error_ppm"),
                show: (event, value) => value === null ? "" : value < 1e6 ? fixed(value / 1e4, 1) : "unknown"},
            {title: "MUX", value: figure("reliability_ppm"),
                show: (event, value) => value === null ? "" : fixed(value / 1e6, 2) + (value < 9e5 ? " LOW" : "")}] : []]}));
    host.append(el("h3", {}, "By instruction"), dataTable({name: "counter-rows", rows, sort: 2, limit: 40, columns: [
        {title: "Instruction", text: true, value: row => row[2], show: row => places.get(Number(row[0])) && row[0]
            ? rowLink(places.get(Number(row[0])), go) : el("span", {class: "code"}, row[2] || row[1])},
        {title: "Where", text: true, value: row => row[0] ? `${row[1]} ${hex(BigInt(row[0]))}` : row[1]},
        ...events.map((event, i) => ({title: event.replace(" [samples]", "").replace(/^(\S+) /, "$1\n").replace(/_/g, "_\u200b"),
            value: row => row[3 + i], bar: true}))]}));
}

/* Shows General Exploration by function, line or module, from samples of counters. */
function explored(host, {by, columns, rows}) {
    const figure = (column, one) => one ? `${one.flagged ? "\u25b6 " : ""}${ppm(one.value_ppm, column.ratio)} \u00b1 ` +
            ppm(one.half_ppm, column.ratio) : "-";
    host.append(el("h2", {}, `General Exploration by ${by}`),
        el("p", {class: "quiet"},
            "With 95 % intervals of the sampling. \u25b6: the whole interval is above the threshold. -: the interval is too wide for a " +
                "conclusion. Counter samples skid by some instructions."),
        dataTable({name: `explored-${by.replace(" ", "-")}`, rows, columns: [
            {title: by[0].toUpperCase() + by.slice(1), text: true, plain: true, show: row => row.name},
            {title: "% of\nclocks", plain: true, show: row => fixed(100 * row.part, 1)},
            ...columns.map((column, i) => ({title: `${column.name.replace(/, .*/, "")}\n${column.unit}${column.raw ? ", raw" : ""}`,
                plain: true, show: row => figure(column, row.figures[i])}))]}));
}

function counters(host, p, go) {
    if (p.counters && p.counters.tree) tree(host, p);
    for (const one of p.explorations || []) explored(host, one);
    if (p.others.length) {
        host.append(el("h2", {}, "Samples by counter overflow or clock"),
            el("p", {class: "quiet"},
                "The point that retirement had reached at the interrupt: after the cause, sometimes far (skid). Each event " +
                    "is its own population."),
            dataTable({name: "events", rows: p.others, sort: 2, columns: [
                {title: "Event", text: true, value: row => row.name}, {title: "Period", value: row => row.period || row.frequency,
                    show: row => row.period ? count(row.period) : `${count(row.frequency)} Hz`},
                {title: "Samples", value: row => row.samples, bar: true}, {title: "Stand for", value: row => row.weight}]}));
        const view = viewsOf(p).filter(one => p.others.some(event => event.operand === one.population));
        for (const one of view.slice(0, 4)) {
            const fns = p.functions.filter(fn => p.get(fn, one.population));
            host.append(el("h3", {}, one.title), dataTable({name: `view-${one.name}`, rows: fns, sort: 1, limit: 12, columns: [
                {title: "Function", text: true, value: fn => fn.label},
                ...one.columns.map(column =>
                    ({title: column.title, value: fn => p.column(fn, column).value, show: fn => p.column(fn, column).text,
                        bar: column.kind === "count"}))]}));
        }
    }
    if (p.counter_samples) sampledByCounters(host, p, go);
    if (p.counters) host.append(el("h2", {}, "Totals"),
        el("p", {class: "quiet"},
            "Counted without interrupts, minus the counts of starting and stopping itself (overhead). Events that the virtual PMU does " +
                "not model are marked so, and are never 0."),
        dataTable({name: "counts", rows: p.counters.counts, sort: -1, columns: [
            {title: "Code", text: true, value: row => row.select,
                show: row => `${digits(row.select, 3)}:${digits(row.mask, 2)}${row.count_mask ? `:c=${row.count_mask}` : ""}`},
            {title: "Event", text: true, value: row => row.event},
            {title: "Mean", value: row => row.mean ?? -1, show: row => row.state === "counted" ? count(row.mean) : row.state},
            {title: "Least", value: row => row.min ?? -1, show: row => row.state === "counted" ? count(row.min) : ""},
            {title: "Most", value: row => row.max ?? -1, show: row => row.state === "counted" ? count(row.max) : ""},
            {title: "Spread, %", value: row => row.cv_ppm ?? -1, show: row => row.state === "counted" && row.repeats > 1
                ? fixed(row.cv_ppm / 1e4, 3) : ""},
            {title: "Overhead", value: row => row.overhead ?? -1, show: row => row.state === "counted" ? count(row.overhead) : ""},
            {title: "Reliability", value: row => row.reliability_ppm ?? -1, show: row => row.state === "counted"
                ? fixed(row.reliability_ppm / 1e6, 3) : ""}]}));
}

/* ---------------------------------------------------------------- machine, settings, certificate */

const factList = rows => el("dl", {class: "facts"}, rows.map(([key, value]) => [el("dt", {}, key), el("dd", {}, String(value))]));

/* Shows events of one pass without sampling and of one with it. */
function samplingView(host, p) {
    const sampling = p.sampling;
    if (!sampling) return;
    const change = row => row.hidden ? "?" : !row.undisturbed ? count(row.sampled)
        : `${row.sampled > row.undisturbed ? "+" : ""}${fixed((row.sampled - row.undisturbed) / row.undisturbed * 100, 1)} %`;
    host.append(el("h2", {}, "What sampling changed"), el("p", {class: sampling.verdict === "changed" ? "hot" : ""}, sampling.text));
    if (sampling.rows.length) host.append(dataTable({name: "sampling", rows: sampling.rows, columns: [
        {title: "Event", text: true, plain: true, show: row => `${row.large ? "* " : ""}${row.event}${
            row.event === "cycles" && sampling.clock === "TSC" ? " (TSC)" : ""}`},
        {title: "Without\nsampling", value: row => row.undisturbed},
        {title: "Sampled", value: row => row.sampled}, {title: "Of the\nhandler", value: row => row.handler},
        {title: "Change", text: true, plain: true, show: change},
        {title: "Samples\nleave open", value: row => row.open, show: (row, value) => value === null ? "-" : count(value)}]}));
}

function machine(host, p) {
    const run = p.run, facts = p.facts, starting = prefix => facts.filter(([key]) => key.startsWith(prefix))
        .map(([key, value]) => [key.slice(prefix.length), value]);
    const restored = starting("restored.").filter(([row]) => row !== "dropped")
        .map(([, value]) => { const parts = value.split(/,\s*(?=0x|same|DIFFERENT)/);
            return {what: parts[0], before: parts[1], after: parts[2], same: parts[3] === "same"}; });
    const dropped = +(starting("restored.").find(([row]) => row === "dropped") || [])[1] || 0;
    const two = el("div", {class: "two"});
    host.append(two);
    two.append(el("div", {}, el("h2", {}, "Machine"),
        factList([["Processor", run.cpu || run.vendor || "not known"],
            ["Family, model, stepping", `${hex(run.family)}, ${hex(run.model)}, ${hex(run.stepping)}`],
            ["IBS capabilities", `${hex(run.ibs_caps)}`],
            ["Underneath", run.is_linux ? `Linux ${run.release}` : "no operating system"],
            ["Figures", run.is_model ? "from a model (virtual PMU), not from silicon" : run.figures || "of silicon"],
            ...(run.hostname ? [["Host", run.hostname]] : []),
            ...starting("machine.").filter(([key]) => !["vendor", "name", "family", "model", "stepping", "ibs_caps"].includes(key))])));
    two.append(el("div", {}, el("h2", {}, "Run"),
        factList([["Read from", run.path], ["Recorded by", `${run.version || "not known"}`],
            ...(run.workload ? [["Workload", run.workload]] : []),
            ...(run.work ? [["Work", `${count(run.work)} ${run.work_unit}`]] : []),
            ...starting("workload.").filter(([key]) => !["work", "unit"].includes(key))
                .map(([key, value]) => key === "check" ? ["Result of the workload", value === "1" ? "right" : "WRONG"] : [key, value]),
            ["Command", run.command || "not known"],
            ...p.events.map(event => [`Event ${event.name}`,
                `${count(event.taken)} samples, ` +
                    `${event.period ? `one for about ${count(event.period)}` : `${count(event.frequency)} a second`}`])])));
    samplingView(host, p);
    certificateView(host, p);
    host.append(el("h2", {}, "Restored registers"));
    if (restored.length) {
        const bad = restored.filter(row => !row.same);
        const nmi = Object.fromEntries(starting("nmi."));
        host.append(el("p", {class: bad.length ? "hot" : "good"}, bad.length
            ? `${bad.length} of ${restored.length} registers and tables read differently after the run.`
            : `${restored.length} of ${restored.length} registers and tables read the same after the run as before.`),
        ...(dropped ? [el("p", {class: "hot"},
            `The list is not complete: it had no room for ${count(dropped)} rows from all passes.`)] : []),
        el("p", {}, `Interrupts: ${count(+nmi.all || 0)} NMIs of sampling, ${count(+nmi.empty || 0)} of them empty, ` +
                    `${count(+nmi.late || 0)} late, ${count(+nmi.foreign || 0)} not ours. `,
        p.samples.op.outside === null
            ? "Which samples lie outside of the workload is not known without the program\u2019s ELF file."
            : `Samples outside of the workload: ${count(p.samples.op.outside)} of ${count(p.samples.op.all)} ops, ` +
                    `${count(p.samples.fetch.outside)} of ${count(p.samples.fetch.all)} fetches.`),
        dataTable({name: "restored", rows: restored,
            columns: [{title: "Register or table", text: true, plain: true, class: "long", show: row => row.what},
                {title: "Before", plain: true, show: row => el("span", {class: "code"}, row.before || "")},
                {title: "After", plain: true, show: row => el("span", {class: "code"}, row.after || "")},
                {title: "", text: true, plain: true, show: row => el("span", {class: row.same ? "good" : "hot"}, row.same ? "same"
                : "DIFFERENT")}]}));
    } else none(host, run.is_linux
        ? "There is none, because an operating system ran. Kernel, other processes and firmware are in the samples or between them."
        : "The file contains none.");
    const held = p.identities.filter(one => one.holds);
    if (p.samples.op.all + p.samples.fetch.all) host.append(el("h2", {}, "Identities between the counts"),
        el("p", {class: held.length === p.identities.length ? "good" : "hot"}, `${held.length} of ${p.identities.length} hold.`),
        el("details", {}, el("summary", {}, "All identities"),
            dataTable({name: "identities", rows: p.identities,
                columns: [{title: "Relation", text: true, plain: true, class: "long", show: row => row.says},
                    {title: "", text: true, plain: true, show: row => el("span", {class: row.holds ? "good" : "hot"}, row.holds ? "holds"
                    : "FAILS")}]})));
    host.append(el("h2", {}, "Code"),
        dataTable({name: "objects", rows: p.objects, columns: [{title: "Object", text: true, value: row => row.name},
            {title: "Read from", text: true, class: "long", value: row => row.path || `not read: ${row.why_not || "not found"}`},
            {title: "Build-id", text: true, value: row => row.build_id,
                show: row => el("span", {class: "code"}, row.build_id || "none")}]}));
    if (p.settings.length) host.append(el("h2", {}, "Settings"),
        el("div", {class: "two"}, factList(p.settings.slice(0, Math.ceil(p.settings.length / 2))),
            factList(p.settings.slice(Math.ceil(p.settings.length / 2)))));
    if (facts.length) host.append(el("details", {}, el("summary", {}, `All ${facts.length} facts of run.ini`), factList(facts)));
}
