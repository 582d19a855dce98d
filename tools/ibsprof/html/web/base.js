/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions for every page: elements, figures as text, tables that sort, tabs, the theme, and profiles as objects.
 *
 *   el(tag, {attributes}, ...children)   a new element; attributes that begin with "on" are listeners, null ones are left out
 *   count(n) percent(a, b) ratio(a, b)   figures as text; "-" when there is nothing to divide
 *   dataTable({columns, rows, ...})      a table whose headers sort, by mouse and by keyboard
 *   tabs(host, [{id, title, draw}])      draw(section) fills it once; showTab(id) goes there
 *   themeButton()                        light, dark, or the system's choice
 *   loadProfile(id)                      the JSON of docs/files.md in that element, made handy
 */
function el(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else if (key === "style") for (const [name, text] of Object.entries(value)) node.style.setProperty(name, text);
        else node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat(3).filter(child => child !== null && child !== undefined));
    return node;
}

/* ---------------------------------------------------------------- figures */

const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});
const count = n => grouped.format(n);
const fixed = (value, decimals) => value.toLocaleString("en-US", {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
const ratio = (a, b, decimals = 2) => b ? fixed(a / b, decimals) : "-";
/* A small share keeps a digit: 0.01 %, not 0.0 %. */
const percent = (a, b) => !b ? "-" : (a > 0 && a / b < .0005 ? (100 * a / b).toPrecision(1) : fixed(100 * a / b, 1)) + "\u202f%";
const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;
const hex = value => value.toString(16) + "h";
const digits = (value, width) => value.toString(16).toUpperCase().padStart(width, "0");

function bytes(n) {
    const units = ["bytes", "KB", "MB", "GB", "TB"];
    let unit = 0;
    while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
    return `${unit && n < 100 ? fixed(n, 1) : count(n)} ${units[unit]}`;
}

function duration(ns) {
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]])
        if (ns >= size) return `${(ns / size).toPrecision(3)} ${unit}`;
    return `${count(ns)} ns`;
}

/* ---------------------------------------------------------------- tables */

/* columns: {title, value(row) to sort by, show(row, value): text or element, text: left, bar: a bar behind the figure, plain: not to
 * be sorted by}. rows: anything. sort: index of the column that sorts at first, descending. limit: rows shown until "all" is asked for.
 * file: name of the CSV file with the rows, offered beside a box that keeps only rows with the typed text. */
function dataTable({columns, rows, sort = -1, caption = null, limit = 0, name = null, mark = null, total = null, file = null}) {
    const head = el("tr", {}), body = el("tbody", {});
    const table = el("table", {"data-table": name}, caption && el("caption", {}, caption), el("thead", {}, head), body);
    const more = el("p", {}), box = el("input", {type: "search", oninput: () => fill()});
    const link = el("a", {download: file}, "CSV");
    let by = sort, descending = true, all = limit === 0;

    const heads = columns.map((column, index) => {
        if (column.plain) return el("th", {scope: "col", class: column.text && "text"}, column.title);
        const button = el("button", {type: "button", onclick: () => {
            descending = by === index ? !descending : !column.text;
            by = index;
            fill();
        }}, column.title);
        return el("th", {scope: "col", class: column.text && "text", "aria-sort": "none", title: column.hint}, button);
    });
    head.append(...heads);

    function cell(column, row, largest) {
        const value = column.value ? column.value(row) : null;
        const shown = column.show ? column.show(row, value) : typeof value === "number" ? count(value) : value;
        const bar = column.bar && typeof value === "number" && largest > 0;
        return el("td", {class: [column.text && "text", bar && "bar", value === 0 && !column.text && "zero", column.class].filter(Boolean)
            .join(" ") || null,
        style: bar ? {"--part": `${(100 * Math.max(0, value) / largest).toFixed(1)}%`} : {}}, shown);
    }

    const has = (row, text) => columns.some(column => cell(column, row, 0).textContent.toLowerCase().includes(text));
    const field = value => /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
    const csv = order => [columns.map(column => column.title.replaceAll("\n", " ")),
        ...order.map(row => columns.map(column => String(column.value(row) ?? "")))].map(line => `${line.map(field).join(",")}\n`).join("");

    function fill() {
        const order = box.value ? rows.filter(row => has(row, box.value.toLowerCase())) : rows.slice();
        if (columns[by]) {
            const key = columns[by].value;
            order.sort((a, b) => {
                const x = key(a), y = key(b);
                const less = typeof x === "string" ? x.localeCompare(y) : (x ?? -Infinity) - (y ?? -Infinity);
                return descending ? -less : less;
            });
        }
        heads.forEach((th, index) => columns[index].plain || th.setAttribute("aria-sort", index !== by ? "none" : descending ? "descending"
            : "ascending"));
        const largest = columns.map(column => column.bar ? Math.max(0, ...rows.map(column.value)) : 0);
        if (file) link.setAttribute("href", `data:text/csv;charset=utf-8,${encodeURIComponent(csv(order))}`);
        const shown = all ? order : order.slice(0, limit);
        body.replaceChildren(...shown.map(row => el("tr", mark && mark(row) || {},
            columns.map((column, i) => cell(column, row, largest[i])))));
        if (total) body.append(el("tr", {class: "total"}, columns.map(column => cell({...column, bar: false}, total, 0))));
        more.replaceChildren();
        if (shown.length < order.length)
            more.append(el("button", {type: "button", class: "plain", onclick: () => { all = true; fill(); }},
                `Show all ${count(order.length)} rows`));
    }
    fill();
    return el("div", {}, file && el("div", {class: "controls"}, el("label", {}, "Search", box), link),
        el("div", {class: "scroll"}, table), more);
}

/* ---------------------------------------------------------------- tabs and theme */

let showTab = () => {};
const themeListeners = [];

function tabs(host, list) {
    const bar = el("div", {role: "tablist", "aria-label": "Views", class: "wrap"});
    const main = el("main", {class: "wrap"});
    const buttons = list.map(tab => el("button", {role: "tab", type: "button", id: `tab-${tab.id}`, "aria-controls": tab.id,
        onclick: () => select(tab.id)}, tab.title));
    const sections = list.map(tab => el("section", {role: "tabpanel", id: tab.id, "aria-labelledby": `tab-${tab.id}`, tabindex: "0"}));

    function select(id, focus) {
        const index = Math.max(0, list.findIndex(tab => tab.id === id));
        list.forEach((tab, i) => {
            buttons[i].setAttribute("aria-selected", String(i === index));
            buttons[i].tabIndex = i === index ? 0 : -1;
            sections[i].hidden = i !== index;
        });
        if (focus) buttons[index].focus();
        try { history.replaceState(null, "", `#/${list[index].id}`); } catch { /* a sandboxed page has no history */ }
    }
    bar.addEventListener("keydown", event => {
        const at = buttons.indexOf(document.activeElement);
        const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1}[event.key];
        if (at < 0 || to === undefined) return;
        event.preventDefault();
        select(list[(to + list.length) % list.length].id, true);
    });
    bar.append(...buttons);
    main.append(...sections);
    host.append(el("nav", {}, bar), main);
    list.forEach((tab, i) => tab.draw(sections[i]));
    showTab = select;
    /* "#/summary" is no element's id, so that the browser does not scroll. */
    addEventListener("hashchange", () => select(location.hash.slice(2)));
    select(location.hash.slice(2));
    const nav = bar.parentElement;
    new ResizeObserver(() => document.documentElement.style.setProperty("--nav", `${nav.offsetHeight}px`)).observe(nav);
}

function isDark() {
    const set = document.documentElement.dataset.theme;
    return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeButton() {
    const button = el("button", {type: "button", class: "plain theme"});
    const changed = () => {
        button.textContent = isDark() ? "Light" : "Dark";
        button.setAttribute("aria-label", `Change to ${isDark() ? "light" : "dark"} colours`);
        themeListeners.forEach(listener => listener());
    };
    try { const kept = localStorage.getItem("ibsprof-theme"); if (kept) document.documentElement.dataset.theme = kept;
    } catch { /* file:// may have none */ }
    button.addEventListener("click", () => {
        document.documentElement.dataset.theme = isDark() ? "light" : "dark";
        try { localStorage.setItem("ibsprof-theme", document.documentElement.dataset.theme); } catch { /* the same */ }
        changed();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
    changed();
    return button;
}

/* ---------------------------------------------------------------- profiles */

const pairs = (list, step = 2) => Array.from({length: Math.floor(list.length / step)}, (_, i) => list.slice(i * step, i * step + step));
/* Histograms: [bin, n] by ascending bin, as pairs() makes them from a sparse list. */
const total = counts => d3.sum(counts, ([, n]) => n);

/* Adds to the JSON: code -> index; functions and rows with .counts (Map by index), .address, .source; .get(thing, operand), "-" before an
 * operand
 * is less of it. The operand "wait" is ours: cycles from tagging to completion, without the time that a completed op waits for earlier
 * ops. */
function loadProfile(id) {
    const p = JSON.parse(document.getElementById(id).textContent);
    p.index = Object.fromEntries(p.derived.map((event, i) => [event.code, i]));
    p.has = code => code in p.index; /* the processor has a source for the event */
    p.operands = Object.fromEntries(p.events.map((event, i) => [event.operand, i]).filter(([operand]) => operand));
    p.others = p.events.map((event, i) => ({...event, index: i}))
        .filter(event => (event.kind === "counter" || event.kind === "clock") && event.samples !== null); /* null: it had no turn */
    p.facts_by_key = Object.fromEntries(p.facts);
    p.rows = [];

    /* If periods vary, a sample counts as many events as it represents, and so do those of the table's other counters;
     * taken: how many samples there were. */
    const varies = p.events.map(event => event.weighted && event.kind !== "op" && event.kind !== "fetch");
    for (const list of [p.events, p.others])
        for (const event of list) {
            event.taken = event.samples;
            if (event.weighted && event.kind !== "op" && event.kind !== "fetch") event.samples = event.weight;
        }
    const sums = (counts = [], events = [], latency = []) => ({
        counts: new Map(pairs(counts)),
        events: new Map(pairs(events, 3).map(([event, samples, weight]) => [event, [varies[event] ? weight : samples, weight]])),
        latency: latency.length ? pairs(latency) : null,
    });
    const add = (to, from) => {
        for (const [key, value] of from.counts) to.counts.set(key, (to.counts.get(key) || 0) + value);
        for (const [key, [samples, weight]] of from.events) {
            const [s, w] = to.events.get(key) || [0, 0];
            to.events.set(key, [s + samples, w + weight]);
        }
    };
    p.functions.forEach((fn, number) => {
        const start = BigInt(fn.start);
        Object.assign(fn, sums(), {number, objectName: fn.object < 0 ? "[unknown]" : p.objects[fn.object].name});
        fn.label = fn.name || `(no symbol in ${fn.objectName})`;
        fn.rows = fn.rows.map(([offset, text, source, counts, events, latency]) => {
            const address = typeof offset === "string" ? BigInt(offset) : start + BigInt(offset);
            const row = {fn, address, text, source: source < 0 ? null : fn.sources[source], number: p.rows.length,
                ...sums(counts, events, latency)};
            p.rows.push(row);
            add(fn, row);
            return row;
        });
        if (fn.rest) add(fn, fn.rest = sums(...fn.rest));
    });
    for (const one of [...p.cores, ...p.nodes])
        Object.assign(one, {counts: new Map(pairs(one.counts)), events: new Map(), latency: pairs(one.latency)});
    if (p.time) {
        const times = new Map(p.time.rows.map(time => [BigInt(time.address), time]));
        for (const row of p.rows.filter(one => one.fn.workload && times.has(one.address))) {
            row.estimate = times.get(row.address);
            row.fn.time = (row.fn.time || 0) + row.estimate.ppm;
        }
    }
    p.all = {counts: new Map(pairs(p.totals)), events: new Map(p.events.map((event, i) => [i, [event.samples, event.weight]]))};
    p.get = (thing, operand, weighted) => {
        if (operand[0] === "-") return -p.get(thing, operand.slice(1));
        if (operand === "wait") return p.get(thing, "F101") - p.get(thing, "F102");
        if (operand === "time") return thing === p.all ? 1e6 : thing.estimate ? thing.estimate.ppm : thing.time || 0;
        if (operand.includes("+")) return d3.sum(operand.split("+"), term => p.get(thing, term, weighted));
        const event = p.operands[operand];
        if (event !== undefined) return (thing.events.get(event) || [0, 0])[weighted ? 1 : 0];
        return thing.counts.get(p.index[operand]) || 0;
    };
    /* A column of p.views for a row, a function or p.all: its value (null: nothing to divide) and its text. */
    p.column = (thing, column) => {
        const left = p.get(thing, column.left, column.kind === "ratio" || column.kind === "sum");
        if (column.kind === "count") return {value: left, text: count(left)};
        const right = column.kind === "share" ? p.get(p.all, column.left) : p.get(thing, column.right, true);
        const above = column.kind === "sum" ? left + p.get(thing, column.plus, true) : left;
        if (!right) return {value: null, text: "-"};
        const value = above / right * column.scale;
        return {value, text: fixed(value, column.decimals) + (column.scale === 100 ? "\u202f%" : "")};
    };
    return p;
}
