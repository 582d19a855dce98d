/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of one run: header, views, and the words of the summary. */
const report = loadProfile("profile");
let listed = null;

function goRow(row) {
    showTab("listing");
    listed.show(row.fn, row);
}

function goFunction(fn) {
    showTab("listing");
    listed.show(fn);
    document.getElementById("tab-listing").focus();
}

/* Returns what a reader must know before trusting a figure. */
function warnings(p) {
    const {op, fetch} = p.samples, notes = [], facts = p.facts_by_key;
    const outside = [["op", op], ["fetch", fetch]].filter(([, one]) => one.outside > one.all / 20)
        .map(([what, one]) => `${percent(one.outside, one.all)} of the ${what} samples`);
    for (const event of p.events.filter(one => one.periods_vary)) {
        const why = p.run.is_linux ? "as with a frequency (perf record -F)" : "because each group that counted the event had its own";
        const what = event.kind === "op" || event.kind === "fetch"
            ? "its samples, which are counted here, represent unequal numbers of events" : "its samples are weighted by them";
        notes.push(`Periods of ${event.name} vary, ${why}: ${what}.` + (p.run.is_linux ? " A fixed period (-c) avoids this." : ""));
    }
    if (p.run.is_model) notes.push([el("strong", {}, "MODEL: "),
        "all figures come from ibsboot\u2019s virtual PMU, not from silicon. Addresses, branches and executed counts are exact; " +
                "latencies and dispatch come from a simple model."]);
    if (p.run.error) notes.push([el("strong", {}, "Only a part: "), p.run.error]);
    if (p.no_source) notes.push(`Not on this processor (Family ${p.run.family.toString(16).toUpperCase()}h): ${p.no_source.join(", ")}; ` +
        "its registers have no source for these events, which are left out.");
    if (p.samples.lost) notes.push(`${plural(p.samples.lost, "sample was", "samples were")} lost: code that ran at that time is not in ` +
            `this report.`);
    if (p.samples.throttled) notes.push(`The kernel stopped sampling ${plural(p.samples.throttled, "time", "times")} because it took too ` +
            `long: busy phases are under-represented.`);
    if (op.all && op.all < 1000 || !op.all && fetch.all && fetch.all < 1000) notes.push("Few samples: ratios have wide intervals.");
    for (const event of p.others) {
        const inside = d3.sum(p.functions.filter(fn => fn.workload), fn => (fn.events.get(event.index) || [0])[0]);
        if (event.samples - inside > event.samples / 20) outside.push(`${percent(event.samples - inside, event.samples)} of the samples ` +
                `of ${event.name}`);
    }
    if (outside.length) notes.push(`${outside.join(" and ")} lie outside of the ` +
            `workload${p.run.is_linux ? " (kernel, other processes, firmware)" : ", mostly in the sampling\u2019s own interrupt handler"}` +
            ". Shares are of all samples.");
    const event = p.events.find(one => one.kind === "op");
    if (event && op.all && !(BigInt(event.config) & (1n << 19n))) notes.push("Op intervals counted cycles: ops that wait at dispatch are " +
            "sampled more often than they execute.");
    notes.push(...p.found || []);
    if (p.sampling && p.sampling.verdict !== "unchanged") notes.push([p.sampling.text, " ", el("button", {type: "button", class: "link",
        onclick: () => { showTab("machine"); document.getElementById("tab-machine").focus(); }}, "The counts.")]);
    const certified = p.certificate && p.certificate.rows.filter(row => ["NOTE", "FAIL"].includes(row.verdict));
    if (certified && certified.length) notes.push([`The noise certificate has ${plural(certified.length, "line", "lines")} to note: `,
        certified.slice(0, 3).map(row => `${row.what}${row.core === null ? "" : ` (core ${row.core})`}: ${row.value}`).join("; "),
        certified.length > 3 ? "; \u2026" : "",
        ". ", el("button", {type: "button", class: "link",
            onclick: () => { showTab("machine"); document.getElementById("tab-machine").focus(); }}, "See there.")]);
    if (facts["workload.check"] === "0") notes.push("The workload computed a wrong result.");
    if (p.facts.some(([key, value]) => key.startsWith("restored.") && value.endsWith("DIFFERENT"))) notes.push("Not everything was " +
            "restored after the run: see the last view.");
    if (p.identities.some(one => !one.holds)) notes.push("Counts contradict each other: see \u201cIdentities\u201d in the last view.");
    const all = op.all + fetch.all + d3.sum(p.others, one => one.samples);
    p.objects.filter(object => !object.path && object.why_not && p.functions.some(fn => fn.object >= 0 && p.objects[fn.object] === object
                && !fn.name && fnWeight(p, fn) > all / 50))
        .slice(0, 4).forEach(object => notes.push(`No symbols for ${object.name}: ${object.why_not}.`));
    return notes;
}

/* Describes the culprit in a sentence or two. */
function culpritWords(p, {row, operand, event, why}) {
    const get = code => p.get(row, code), all = code => p.get(p.all, code);
    const words = [], time = row.estimate, share = ppm => fixed(ppm / 1e4, 1);
    if (operand === "time") words.push(`An estimated ${share(time.ppm)}\u202f% of the cycles (95\u202f% interval of the samples: ` +
            `${share(time.low)} to ${share(time.high)}) pass while it retires or holds up later ops; ` +
            `it has ${percent(get("F100"), all("F100"))} of the sampled ops.`);
    if (["F219", "F206", "F205"].includes(operand) || operand === "time" && get("X200")) {
        words.push(`Of its ${plural(get("F201"), "sampled load", "sampled loads")}, ${count(get("X200"))} ` +
                `(${percent(get("X200"), get("F201"))}) missed the data cache: ${percent(get("F206"), all("F206"))} of all data cache ` +
                `misses in the run.`);
        if (get("X200")) words.push(`Such a miss took ${ratio(get("F219"), get("X200"), 1)} cycles on average.`);
        if (get("F205") > get("F200") / 50) words.push(`${percent(get("F205"), get("F200"))} of its accesses missed both levels of the ` +
                `data TLB, so a page walk came before.`);
    } else if (operand === "F104" || operand === "time" && get("F104")) words.push(`${count(get("F104"))} of its ` +
        `${plural(get("F103"), "sampled execution", "sampled executions")} (${percent(get("F104"), get("F103"))}) were mispredicted.`);
    else if (operand === "F008") words.push(`${percent(get("F008"), get("F002"))} of the fetches here missed the instruction cache.`);
    else if (event) words.push(`It has ${percent(row.events.get(event.index)[0], event.samples)} of the samples of ${event.name}. ` +
            `Interrupts are taken after their cause, so look at the instructions before it, too.`);
    else if (operand !== "time") words.push(`It has the most ${why}: ${percent(get(operand), all(operand))} of the run\u2019s.`);
    return words.join(" ");
}

/* Shows the first cause of waiting and the next one, before everything else. */
function causeWords(p) {
    const [first, next] = p.causes || [];
    if (!first) return null;
    return el("p", {"data-cause": first.name}, el("strong", {class: "hot"}, "Cause: "), `${first.says}.`,
        first.where ? ` Most of it: ${first.where}.` : "", ` ${first.try}`,
        el("span", {class: "quiet"}, ` How sure this is: ${first.sure}.`,
            next && next.name !== "retiring" ? ` Next: ${next.says}.` : ""));
}

/* Returns, without IBS, the named function with the most samples of the leading event. */
function topByEvent(p) {
    const event = leadingEvents(p).find(one => one.samples), samples = fn => (fn.events.get(event.index) || [0])[0];
    const fns = event ? p.functions.filter(fn => fn.name && samples(fn)) : [];
    if (!fns.length) return null;
    const fn = fns.reduce((best, one) => samples(one) > samples(best) ? one : best);
    return {event, fn, samples: samples(fn)};
}

function lead(p, worst) {
    const took = Number((p.facts.find(([key]) => key === "elapsed_us") || [])[1]);
    const {op, fetch} = p.samples, run = p.run, span = p.samples.last_time - p.samples.first_time;
    const opEvent = p.events.find(event => event.kind === "op"), unit = opEvent && (BigInt(opEvent.config) & (1n << 19n)) ? "dispatched ops"
        : "core cycles";
    const top = p.functions.slice().sort((a, b) => fnWeight(p, b) - fnWeight(p, a))[0];
    const others = p.others.filter(event => event.taken).map(event => `${plural(event.taken, "sample", "samples")} of ${event.name}`);
    const clock = op.all ? null : topByEvent(p);
    const parameters = p.facts.filter(([key]) => /^workload\.(?!work$|unit$|check$)/.test(key))
        .map(([key, value]) => `${key.slice(9)} = ${value}`).join(", ");
    return el("div", {class: "lead"}, causeWords(p),
        el("p", {}, el("strong", {}, "What ran: "), run.only_process || run.workload
                || (run.is_linux ? `everything in user mode; the file names no workload${run.command ? ` (${run.command})` : ""}`
                : "a program"), parameters ? ` (${parameters})` : "", run.work ? `, ${count(run.work)} ${run.work_unit}` : "", " on ",
        run.cpu || "an unknown processor", ", ",
        run.is_linux ? `under Linux ${run.release}.` : "with no operating system underneath.",
        took > 0 ? ` The last pass took ${(took / 1e6).toFixed(6)} s${run.is_model ? ", in the model's time" : ""}.` : "",
        p.cores.length > 1 ? ` ${plural(p.cores.length, "core", "cores")}${p.nodes.length > 1 ? ` of ${p.nodes.length} nodes` : ""} ` +
                `took samples.` : ""),
        run.only_cores || run.only_nodes
            ? el("p", {}, el("strong", {}, "Only "),
                [run.only_cores && `core ${run.only_cores}`, run.only_nodes && `node ${run.only_nodes}`].filter(Boolean).join(", "),
                " is in this report.") : null,
        el("p", {}, el("strong", {}, "How much was seen: "),
            [op.all ? `${count(op.all)} op ` +
                    `samples${opEvent && opEvent.period ? `, one for about every ${count(opEvent.period)} ${unit}` : ""}` : null, fetch.all
                ? `${count(fetch.all)} fetch samples` : null, ...others].filter(Boolean).join("; ") || "no samples",
            span > 0 && p.samples.time_unit === "ns" ? `, over ${duration(span)}${run.is_model ? " of the model\u2019s time" : ""}.` : "."),
        top && top.name && op.all
            ? el("p", {}, el("strong", {}, "Where: "), el("button", {type: "button", class: "link", onclick: () => goFunction(top)},
                top.label), ` has ${percent(p.get(top, "F100"), op.all)} of the sampled ops. These are shares of ops, not of time.`) : null,
        clock ? el("p", {}, el("strong", {}, "Where: "), el("button", {type: "button", class: "link", onclick: () => goFunction(clock.fn)},
            clock.fn.label), ` has ${percent(clock.samples, clock.event.samples)} of the samples of ${clock.event.name}.`) : null,
        worst ? el("p", {"data-culprit": hex(worst.row.address)},
            el("strong", {class: "hot"}, worst.clear ? "Look here first: " : "No instruction stands out. First by a small margin: "),
            rowLink(worst.row, goRow),
            ` in ${worst.row.fn.label}${worst.row.source ? `, ${worst.row.source[0]} line ${worst.row.source[1]}` : ""}. `,
            culpritWords(p, worst)) : null,
        worst && worst.row.source && worst.row.source[2] ? el("pre", {class: "code"}, worst.row.source[2].trim()) : null);
}

function ratios(p) {
    const get = code => p.get(p.all, code);
    const rows = [
        ["dc", "Data cache misses", "loads and stores"], ["dc_loads", "Loads that missed the data cache", "loads"],
        ["dtlb", "Missed both DTLBs", "loads and stores"], ["dtlb_l2", "Missed L1 DTLB, hit L2", "loads and stores"],
        ["branch", "Branches mispredicted", "branches"], ["misaligned", "Misaligned", "loads and stores"],
        ["ic", "Instruction cache misses", "attempted fetches"], ["itlb", "ITLB misses", "attempted fetches"],
        ["aborted", "Fetches aborted", "attempted fetches"],
    ].filter(([key]) => p.ratios[key]).map(([key, title, what]) => [title, what, ...p.ratios[key]]);
    const means = [["Mean wait of a load that missed", get("F219"), get("X200")],
        ["Mean time from tag to retirement", get("F101"), get("F100")], ["Mean fetch latency", get("F00E"), get("F002")]].filter(row =>
        row[2] > 0);
    return [dataTable({name: "ratios", rows, columns: [
        {title: "Of this run", text: true, plain: true, show: row => row[0]},
        {title: "Ratio", plain: true, bar: true, value: row => row[2] / row[3], show: row => percent(row[2], row[3])},
        {title: "95 % interval", plain: true, show: ([, , , , low, high]) => el("span", {class: "quiet"},
            `${fixed(100 * low, 1)} to ${fixed(100 * high, 1)}\u202f%`)},
        {title: "Samples", text: true, plain: true,
            show: row => [`${count(row[2])} `, el("span", {class: "quiet"}, `of ${count(row[3])} ${row[1]}`)]}]}),
    means.length ? el("p", {class: "quiet"}, means.map(([label, a, b]) => `${label}: ${ratio(a, b, 1)} cycles`).join(". ") + ".") : null];
}

function summary(host) {
    const p = report, worst = culprit(p), notes = warnings(p), loads = p.get(p.all, "F201");
    host.append(lead(p, worst));
    if (notes.length) host.append(el("ul", {class: "notes", "aria-label": "What to know before trusting a figure"},
        notes.map(note => el("li", {}, note))));
    const side = el("div", {class: "side"}), left = el("div", {}), right = el("div", {});
    if (p.samples.op.all + p.samples.fetch.all) {
        left.append(...ratios(p).filter(Boolean));
        side.append(left, right);
        host.append(side);
    }
    if (loads) {
        const parts = loadSources(p).filter(([, n]) => n > 0);
        barChart(right, {name: "summary-sources", title: "Where sampled loads found their data", log: true, unit: "loads",
            alt: parts.map(([label, n]) => `${label}: ${count(n)}, ${percent(n, loads)}`).join("; "),
            rows: parts.map(([label, value, i]) =>
                ({label, value, color: palette(i), text: `${count(value)} (${percent(value, loads)})`}))});
    }
    if (!worst) return;
    const value = row => worst.event ? (row.events.get(worst.event.index) || [0])[0] : p.get(row, worst.operand);
    const rows = p.rows.filter(row => value(row) > 0).sort((a, b) => value(b) - value(a)).slice(0, 8);
    const all = worst.operand === "time" ? p.get(p.all, "time") : d3.sum(p.rows, value);
    barChart(host, {name: "hottest", title: `Instructions with the most ${worst.why}`, unit: "% of the run\u2019s total",
        note: "The listing shows them in context.",
        alt: rows.map(row => `${row.text || hex(row.address)}: ${percent(value(row), all)}`).join("; "),
        rows: rows.map(row => ({label: `${hex(row.address)} ${row.text || ""}`, value: 100 * value(row) / all,
            text: `${percent(value(row), all)}  ${row.fn.label}`, color: row === worst.row ? palette(5) : palette(1)}))});
}

function functionsView(host) {
    const p = report, ops = p.samples.op.all, fetch = p.samples.fetch.all;
    const of = (title, code, bar) => ({title, value: fn => p.get(fn, code), bar});
    const share = (title, a, b) => ({title, value: fn => p.get(fn, b) ? p.get(fn, a) / p.get(fn, b) : null,
        show: fn => percent(p.get(fn, a), p.get(fn, b))});
    host.append(el("h2", {}, "Functions"),
        el("p", {class: "quiet"},
            `${ops || fetch ? "Shares of sampled ops are not shares of time. " : ""}Choose a name to see its listing.`), dataTable({
            name: "functions", rows: p.functions, sort: p.objects.length > 1 ? 2 : 1, limit: 100,
            total: {...p.all, label: "all samples", objectName: ""},
            columns: [
                {title: "Function", text: true, value: fn => fn.label, show: fn => fn.rows
                    ? el("button", {type: "button", class: "link", onclick: () => goFunction(fn)}, fn.label) : fn.label},
                ...(p.objects.length > 1 ? [{title: "Object", text: true, value: fn => fn.objectName}] : []),
                ...(ops ? [of("Ops\nsampled", "F100", true),
                    {title: "% of\nops", value: fn => p.get(fn, "F100"), show: fn => percent(p.get(fn, "F100"), ops)},
                    ...(p.time ? [{title: "Est.\ntime", bar: true, value: fn => p.get(fn, "time"),
                        show: (fn, value) => percent(value, 1e6)}] : []),
                    of("Loads", "F201"),
                    of("Stores", "F202"), of("DC\nmisses", "F206", true),
                    share("Load miss\nratio", "X200", "F201"),
                    {title: "Mean miss\ncycles", value: fn => p.get(fn, "X200") ? p.get(fn, "F219") / p.get(fn, "X200") : null,
                        show: fn => ratio(p.get(fn, "F219"), p.get(fn, "X200"), 1)},
                    share("DTLB\nL1M L2M", "F205", "X201"), share("Mispre-\ndicted", "F104", "F103")] : []),
                ...(fetch ? [of("Fetch\nattempts", "F002", true),
                    ...(p.has("F008") ? [share("IC miss\nratio", "F008", "F002")] : [])] : []),
                ...p.others.filter(event => event.samples)
                    .flatMap(event => [{title: event.name.replace(" ", "\n"), value: fn => (fn.events.get(event.index) || [0])[0],
                        bar: true},
                    {title: "%", value: fn => (fn.events.get(event.index) || [0])[0],
                        show: (fn, value) => percent(value, event.samples)}]),
            ]}));
}

(function start() {
    const p = report, name = p.run.only_process || p.run.workload || p.run.path;
    document.title = `${name}: ibsprof report`;
    document.body.append(el("header", {}, el("div", {class: "wrap"},
        el("div", {class: "name"}, el("h1", {}, name, p.run.is_model ? el("span", {class: "badge"}, "MODEL") : null),
            el("p", {}, [p.run.cpu, p.run.is_linux ? `Linux ${p.run.release}` : "no operating system", p.facts_by_key.started
                        && p.facts_by_key.started.replace("T", " ")].filter(Boolean).join(" \u00b7 "))),
        themeButton())));
    const has = p.samples.op.all || p.samples.fetch.all;
    tabs(document.body, [
        {id: "summary", title: "Summary", draw: summary},
        {id: "functions", title: "Functions", draw: functionsView},
        {id: "listing", title: "Listing", draw: host => { host.append(el("h2", {}, "Annotated listing")); listed = listing(host, p); }},
        has && {id: "latency", title: "Latency", draw: host => latencies(host, p, goRow)},
        has && {id: "data", title: "Data addresses", draw: host => addresses(host, p, goRow)},
        p.cache_lines && {id: "lines", title: "Cache lines", draw: host => linesView(host, p)},
        has && {id: "nodes", title: "Nodes and caches", draw: host => nodes(host, p)},
        (has && p.cores.length > 0 || p.cores.length > 1) && {id: "cores", title: "Cores", draw: host => coresView(host, p)},
        p.samples.fetch.all > 0 && {id: "fetch", title: "Fetch", draw: host => fetches(host, p, goRow)},
        p.roofline && {id: "roofline", title: "Roofline", draw: host => roofline(host, p)},
        (p.counters || p.counter_samples || p.others.length) && {id: "counters", title: "Counters", draw: host => counters(host, p, goRow)},
        {id: "machine", title: "Machine and certificate", draw: host => machine(host, p)},
    ].filter(Boolean));
    document.body.append(el("footer", {},
        el("div", {class: "wrap"},
            `${p.generator}. Read from ${p.run.path}, ${bytes(p.run.file_size)}. Addresses are those of the ELF file. `,
            p.samples.op.all ? "IBS op shares are shares of sampled ops, not of time." : "")));
})();
