/* SPDX-License-Identifier: BSD-2-Clause */
/* Made-up profiles for the tests, as docs/files.md describes them, small enough to be read. */
const codes = ["F000", "F001", "F002", "F003", "F004", "F005", "F006", "F007", "F008", "F009", "F00A", "F00B", "F00E", "F100", "F101", "F102",
    "F103", "F104", "F200", "F201", "F202", "F204", "F205", "F206", "F208", "F219", "F240", "F241", "F242", "F243", "F244", "F245", "F246",
    "F247", "F248", "F249", "F24A", "F24B", "F24C", "X200", "X201", "X20C", "X240"];
const sparse = counts => Object.entries(counts).flatMap(([code, n]) => [codes.indexOf(code), n]);
/* Bins: one per cycle up to 63, then in steps of 16. */
const bins = [...Array.from({length: 64}, (_, i) => i), ...Array.from({length: 40}, (_, i) => 64 + 16 * i)];

const hot = {F000: 5, F001: 1, F002: 4, F003: 3, F004: 1, F005: 3, F006: 1, F008: 1, F009: 3, F00A: 4, F00E: 90, F100: 900, F101: 90000, F102: 20000,
    F200: 900, F201: 900, F204: 12, F205: 400, F206: 300, F219: 24000, F240: 30, F241: 10, F242: 12, F243: 8, F244: 4, F245: 10, F246: 6,
    F249: 5, F24A: 7, F24B: 3000, F24C: 2500, X200: 300, X201: 900, X240: 40};
const add = {F000: 2, F002: 2, F003: 2, F005: 2, F009: 2, F00B: 2, F00E: 20, F100: 400, F101: 4000, F102: 300};
const store = {F100: 200, F101: 3000, F103: 100, F104: 3, F200: 200, F202: 200, F208: 2, X201: 200};
const jump = {F100: 150, F101: 1500, F103: 150, F104: 4, F000: 1, F001: 1};

function sum(...all) {
    const to = {};
    for (const counts of all) for (const [code, n] of Object.entries(counts)) to[code] = (to[code] || 0) + n;
    return to;
}

const view = (name, mark, columns, more) => ({name, title: `View ${name}`, what: "ops", population: "F100", mark, footnote: null, columns, ...more});
const views = [
    view("all", "F100", [{title: "All\nops", kind: "count", decimals: 0, left: "F100"},
        {title: "% of\nall", kind: "share", decimals: 1, scale: 100, left: "F100"},
        {title: "Both\nof", kind: "count", decimals: 0, left: "F201+F202"}]),
    view("loads", "F219", [{title: "Miss-\ning", kind: "count", decimals: 0, left: "X200"}, {title: "Mean", kind: "ratio", decimals: 2, scale: 1,
        left: "F219", right: "X200"}, {title: "Cycles", kind: "count", decimals: 0, left: "F219"},
    {title: "Sum", kind: "sum", decimals: 1, scale: 100, left: "F205", plus: "F204", right: "X201"}], {footnote: "A note\nof two lines."}),
];

function core(number, node, op, counts, ratios, latency) {
    return {core: number, node, op: {all: op, outside: number}, fetch: {all: 4 - number, outside: 0}, others: 0, counts: sparse(counts), ratios, latency};
}

/* A walk over memory with a stride of 4096 bytes, every 2 or 3 steps; a second region at random. */
function points() {
    const all = {region: [], offset: [], time_step: [], row: [], latency: [], source: [], flags: []};
    const put = (...values) => Object.keys(all).forEach((key, i) => all[key].push(values[i]));
    for (let i = 0; i < 140; i++) put(0, (i * (i % 3 + 1) * 4096 + i * 8) % 655360, 3000, i % 20 === 7 ? -1 : 0, i % 4 ? 0 : 40 + i, i % 4 ? 0 : i % 3 + 1,
        (i % 5 === 0 ? 2 : 0) + (i % 20 === 7 ? 1 : 0));
    for (let i = 0; i < 6; i++) put(1, 977 * i, 500, i % 2 ? 1 : 2, i === 3 ? 90 : 0, i === 3 ? 2 : 0, i % 2);
    return {...all, count: 146, seen: 300, region_gap: 1048576,
        regions: [{base: "0x7f0000001000", span: 655359, points: 140}, {base: "0x10000", span: 5000, points: 6}]};
}

function profile() {
    const ratios = {dc: [300, 1100, .25, .3], dc_loads: [300, 900, .3031, .3649], dtlb: [400, 1100, .33, .39], dtlb_l2: [12, 1100, .006, .02],
        branch: [7, 250, .01, .06], misaligned: [2, 1100, .0005, .007], ic: [1, 6, .01, .6], itlb: [0, 6, 0, .4], aborted: [1, 6, .01, .6],
        cache: [12, 900, .007, .023], remote: [10, 40, .14, .4]};
    const events = [
        {name: "ibs_op", kind: "op", type: 9, config: String(2 ** 19), period: 250000, frequency: 0, samples: 1650, weight: 412500000,
            periods_vary: false, weighted: false, operand: null},
        {name: "ibs_fetch", kind: "fetch", type: 8, config: "0", period: 0, frequency: 4000, samples: 8, weight: 99, periods_vary: true, weighted: true, operand: null}];
    return {
        schema: "ibsprof report", version: 1, generator: "ibsprof 1.0",
        run: {path: "build/runs/0001-x", format: "run", vendor: "AuthenticAMD", cpu: "AMD Phenom", family: 16, model: 4, stepping: 2, ibs_caps: 31, hostname: "",
            release: "", arch: "x86_64", version: "ibsboot 1.0", command: "", workload: "matmul-classic", work: 2000000, work_unit: "multiplications",
            only_process: null, only_cores: null, only_nodes: null, tsc_khz: 2000000, file_size: 123456, is_model: true, is_linux: false},
        settings: [["rows", "20"], ["seed", "7"], ["pages", "4k"]],
        facts: [["elapsed_us", "1234567"], ["workload.work", "2000000"], ["workload.unit", "multiplications"], ["workload.check", "1"], ["workload.rows", "20"],
            ["started", "2026-01-02T03:04:05"], ["machine.nodes", "2"], ["machine.tsc_khz", "2000000"], ["machine.vendor", "x"], ["machine.smi", "0"],
            ["restored.0", "MSR C0011033 op control, 0x0, 0x0, same"], ["restored.1", "LVT entry, 0x10400, 0x0, DIFFERENT"], ["nmi.all", "1658"],
            ["nmi.empty", "3"], ["nmi.late", "2"], ["nmi.foreign", "1"]],
        samples: {op: {all: 1650, outside: 100}, fetch: {all: 8, outside: 0}, lost: 1, throttled: 2, records_other: 0, first_time: 1000, last_time: 500000,
            time_unit: "ns"},
        events, derived: codes.map(code => ({code, name: code, kind: "x", unit: "samples"})), totals: sparse(sum(hot, add, store, jump)), ratios,
        latency: {bins, sources: [{name: "data cache", loads: ["F201", "-X200"], counts: []}, {name: "L2", loads: ["X200", "-X240"], counts: [12, 100, 13, 90, 14, 70]},
            {name: "L3", loads: ["F242"], counts: [50, 5, 52, 7]}, {name: "another core's cache", loads: ["F243", "F244"], counts: [66, 12]},
            {name: "DRAM", loads: ["F245"], counts: [70, 6, 90, 4]}, {name: "another node's DRAM", loads: ["F246"], counts: [95, 6]}],
        tag_to_retire: [20, 800, 40, 600, 80, 250], fetch: [10, 2, 20, 3, 66, 1]},
        cpus: [[0, 3, 1000], [1, 5, 650]], nodes_known: true,
        cores: [core(1, 1, 650, {F201: 300, X200: 60, X240: 15, F242: 9, F246: 6, F100: 650}, {dc_loads: [60, 300, .15, .25], dtlb: [100, 300, .28, .39], ic: [1, 5, 0, 1], branch: [1, 10, .01, .4],
            remote: [10, 20, .3, .7], cache: [2, 300, .001, .03]}, [12, 30, 52, 20, 90, 10]),
        core(0, 0, 1000, {F201: 600, X200: 240, X240: 25, F242: 3, F243: 8, F244: 4, F245: 10, F100: 1000}, {dc_loads: [240, 600, .36, .44], dtlb: [300, 600, .46, .54], remote: [0, 20, 0, .2],
            cache: [10, 600, .009, .04]}, [12, 200, 13, 30, 95, 10])],
        nodes: [{node: 0, op: {all: 1000, outside: 0}, fetch: {all: 4, outside: 0}, others: 0, counts: sparse({F201: 600, X200: 240}), ratios, latency: [12, 240]},
            {node: 1, op: {all: 650, outside: 1}, fetch: {all: 3, outside: 0}, others: 0, counts: sparse({F201: 300}), ratios: {}, latency: []}],
        causes: [{name: "l2", says: "Loads find their data in the L2: 215 of 600 sampled loads (35.8 %), 12.0 cycles each", where: "fld [rcx] (1004) in multiply", try: "Work on smaller blocks.",
            sure: "high: by rough weights 3.0 times the next"}, {name: "walks", says: "Addresses miss both data TLBs: 300 of 600 (50.0 %)"}],
        certificate: certificate(), sampling: sampling(), found: ["Shares of op samples were within chance of exact counts in 34 of 34 runs."],
        identities: [{says: "All = killed + attempted", holds: true}, {says: "Loads + stores", holds: false}],
        objects: [{name: "ibsboot", path: "build/ibsboot.elf", why_not: null, build_id: "abcd"}, {name: "firmware", path: null, why_not: "it is not a file", build_id: null}],
        functions: [
            {object: 0, name: "multiply", start: "0x1000", size: 160, workload: true, first_row: 0, sources: [["src/matmul.c", 12, "  sum += a * b;"],
                ["src/matmul.c", 13, null]], rows: [[114, "fld [rcx+rax*4+8]", 0, sparse(hot), [], [12, 100, 13, 90, 14, 70, 52, 12, 66, 12, 90, 16]], [118, "fadd", 0, sparse(add)],
                [122, "mov [rdx], rax", 1, sparse(store)], [126, "nop", -1]], rest_rows: 2, rest: [sparse({F100: 50})]},
            {object: 0, name: "check", start: "0x1100", size: 20, workload: false, first_row: 4, sources: [], rows: [[2, null, -1, sparse(jump)]]},
            {object: 1, name: null, start: "0x0", size: 0, workload: false, first_row: 5, sources: [], rows: [["0xfff00010", null, -1, sparse({F100: 50})]]},
            {object: -1, name: null, start: "0x0", size: 0, workload: false, first_row: 6, sources: [], rows: []}],
        points: points(), views,
    };
}

function sampling() {
    const row = (event, undisturbed, sampled, handler, open, large, hidden) => ({event, undisturbed, sampled, handler, open, large, hidden});
    return {verdict: "changed", text: "WARNING: sampling changed the workload: cycles +12.8 %.", undisturbed_us: 400, sampled_us: 500, interrupts: 250,
        rows: [row("cycles", 1000000, 1128000, 5000, 10312, true, false), row("DC misses", 20000, 19000, 0, 20070, false, false),
            row("mispredicted branches", 13, 34, 553, 4014, false, true), row("lines from the L2", 0, 17, 0, null, false, false), row("instructions", 900, 900, 1, null, false, false)]};
}

function certificate() {
    const gap = (ns, tsc, behind, cause) => ({ns, tsc, behind, pass: 1, cause});
    const row = (number, verdict, what, value) => ({core: number, verdict, what, value});
    return {verdict: "NOTE", rows: [row(null, "PASS", "SMIs", "none"), row(0, "NOTE", "gaps", "2 of them"), row(1, "FAIL", "NMIs", "3"), row(1, "", "other", "-"),
        row(0, "NOTE", "clock", "moved"), row(0, "NOTE", "turbo", "on")],
    cores: [{core: 0, looked: true, gaps: 2, gap_ns: 300, looked_us: 5000, reads: 123456, fewer_milli_per_second: 0, by_cause: {SMI: 1, unknown: 1},
        longest: [gap(45000, 900000, false, "SMI"), gap(400, 3100000, true, "unknown")], tsc_start: 1000000, tsc_stop: 3000000},
    {core: 1, looked: true, gaps: 0, gap_ns: 0, looked_us: 4000, reads: 999, fewer_milli_per_second: 750000, by_cause: {}, longest: [], tsc_start: 0, tsc_stop: 0},
    {core: 2, looked: false, gaps: 0, longest: []},
    {core: 3, looked: true, gaps: 3, gap_ns: 300, looked_us: 90, reads: 5, fewer_milli_per_second: 0, by_cause: {SMI: 3}, tsc_start: 0, tsc_stop: 0,
        longest: [gap(2e8, 5000, false, "SMI"), gap(60, 9000, true, "SMI"), gap(30, 0, true, "SMI")]}]};
}

/* A recording of Linux by a clock and by a counter whose periods vary, with code that has no symbols. */
function clock() {
    const p = profile(), event = (name, kind, more) => ({name, kind, type: 1, config: "0", period: 1000, frequency: 0, samples: 500, weight: 500000,
        periods_vary: false, weighted: false, operand: null, ...more});
    const fn = (object, name, rows, more) => ({object, name, start: "0x400000", size: 64, workload: false, first_row: 0, sources: [], rows, ...more});
    Object.assign(p.run, {workload: "", is_linux: true, is_model: false, release: "6.1.0", command: "perf record x", hostname: "lab", work: 0, cpu: "", vendor: "AuthenticAMD",
        version: "", only_cores: "1-2", only_nodes: "0", tsc_khz: 0});
    const none = {all: 0, outside: null};
    return Object.assign(p, {
        events: [event("cpu-clock", "clock"), event("my counter x", "counter", {samples: 300, weight: 70000, periods_vary: true, weighted: true, period: 0, frequency: 4000}),
            event("unlucky", "counter", {samples: null, weight: null}), event("known", "counter", {operand: "E041", samples: 9, weight: 9000})],
        samples: {...p.samples, op: none, fetch: none, lost: 0, throttled: 0, time_unit: "ticks"}, totals: [], ratios: {}, facts: [["workload.check", "0"]], settings: [],
        functions: [fn(0, "loop", [[4, "add", -1, [], [0, 200, 200000, 1, 60, 50000, 3, 9, 9000]], [8, "jne", -1, [], [0, 150, 150000]], [12, "nop", -1]], {workload: true}),
            fn(1, null, [["0x7fff00001000", null, -1, [], [0, 150, 150000, 1, 20, 20000]]])],
        latency: {bins, sources: [], tag_to_retire: [], fetch: []}, cores: [], nodes: [], points: {...p.points, region: [], regions: []},
        causes: undefined, certificate: null, sampling: undefined, identities: [],
        objects: [{name: "prog", path: "/bin/prog", why_not: null, build_id: "12"}, {name: "[kernel]", path: null, why_not: "no rights", build_id: null}],
        views: [view("pmc", "E041", [{title: "Branches", kind: "count", decimals: 0, left: "E041"}, {title: "% of\nall", kind: "share", decimals: 1, scale: 100, left: "E041"}],
            {population: "E041"})],
    });
}

/* Fetch samples alone, few of them, on a later family without the northbridge's events. */
function later() {
    const p = profile(), left = codes.filter(code => !/^F24|^X240|^F008/.test(code)), at = counts => Object.entries(counts).filter(([code]) => left.includes(code))
        .flatMap(([code, n]) => [left.indexOf(code), n]);
    Object.assign(p.run, {family: 25, is_model: false, only_process: "one process", work: 0, workload: ""});
    Object.assign(p, {derived: left.map(code => ({code, name: code})), no_source: ["F008", "F240"], certificate: {verdict: "", rows: [], cores: []}, nodes: p.nodes.slice(0, 1),
        cores: [{...p.cores[1], counts: at(hot), fetch: {all: 0, outside: 0}}], nodes_known: false, totals: at(sum(hot, jump)), facts: []});
    p.functions = p.functions.slice(0, 1).map(fn => ({...fn, workload: false, rows: [[114, "fld", -1, at(hot), [], [12, 300]], [118, null, -1, at(jump)]], rest: null, rest_rows: 0}));
    p.latency.sources = [{name: "data cache", loads: [], counts: []}, {name: "L2", loads: ["X200", "X20C"], counts: [12, 100]}, {name: "far", loads: ["X200"], counts: [95, 7]}];
    Object.assign(p.samples, {op: {all: 0, outside: 0}, fetch: {all: 6, outside: 3}, lost: 0, throttled: 0, first_time: 0, last_time: 0});
    p.events = [{...p.events[0], config: "0", samples: 0, weight: 0}, {...p.events[1], period: 4096, periods_vary: false, weighted: false}];
    Object.assign(p.points, {count: 300, regions: p.points.regions.slice(1), region: [0, 0, 0], offset: [0, 64, 5000], time_step: [1, 1, 1], row: [-1, 0, 1], latency: [0, 0, 0],
        source: [0, 0, 0], flags: [0, 1, 2]});
    p.identities = p.identities.slice(0, 1);
    return p;
}

function node(name, level, unit, value, more) {
    return {name, unit, level, parent: -1, limit_ppm: 0, state: "known", value_ppm: value, ratio: unit === "ratio", raw_state: "none", raw_ppm: 0, flagged: false, greyed: false,
        unreliable: false, reliability_ppm: 999000, cv_ppm: 12345, means: "It means.", try: "Try this.", proof: "", ...more};
}

/* A run that counted, with the tree of General Exploration, over the samples of counters. */
function counted(slots) {
    const p = profile(), unit = "% slots";
    const rows = [node("IPC", 1, "ratio", 1234567), node("Dispatched", 1, "% cycles", 600000, {raw_state: "known", raw_ppm: 610000}),
        node("Stalled", 2, "% cycles", 250000, {flagged: true, raw_ppm: 260000, but: "not told apart."}), node("Front end (x)", 1, unit, 300000, {unreliable: true}),
        node("Back end", 1, unit, 500000, {flagged: true, state: "unknown", raw_ppm: 77000, proof: "Seen."}), node("Retiring", 1, unit, 200000, {greyed: true}),
        node("None", 1, "% cycles", -5, {state: "not counted"})];
    const tree_of = (number, i) => ({core: number, tree: rows.map((row, at) => at === i ? {...row, state: "unknown"} : {...row, value_ppm: row.value_ppm + number})});
    const counts = {select: 0x41, mask: 2, count_mask: 0, event: "DATA_CACHE_MISSES", state: "counted", mean: 1500, min: 1400, max: 1600, cv_ppm: 12345, repeats: 3, overhead: 7,
        reliability_ppm: 987654};
    p.counters = {cycles: 1234567, slots, tree: rows, checks: [{says: "a <= b", verdict: "pass", left: 5, right: 1234}, {says: "c", verdict: "fail", left: 6, right: 5},
        {says: "d", verdict: "not checked", left: 0, right: 0}], core_trees: slots ? null : [tree_of(0, 6), tree_of(1, 0)],
    counts: [counts, {...counts, select: 0x76, mask: 0, count_mask: 2, event: "CYCLES", repeats: 1}, {...counts, state: "not modelled", mean: null, min: null, max: null, cv_ppm: null,
        overhead: null, reliability_ppm: null}]};
    p.counters.says = "Raw: cycles with this cause. Dispatch waits.";
    p.explorations = [{by: "source line", columns: [{name: "Front, all", unit, ratio: false, raw: false}, {name: "IPC", unit: "ratio", ratio: true, raw: true}],
        rows: [{row: 0, name: "matmul.c:12", clocks: 900, part: .9, figures: [{value_ppm: 300000, half_ppm: 5000, flagged: true}, null]},
            {row: 1, name: "other", clocks: 100, part: .1, figures: [{value_ppm: 1000, half_ppm: 500, flagged: false}, {value_ppm: 1500000, half_ppm: 250000, flagged: false}]}]}];
    p.counter_samples = {events: ["DATA_CACHE_MISSES l2_hits [samples]", "TIMER"], rows: [["0x1072", "multiply", "fld", 50, 3], ["0x1100", "check", "ret", 2, 0], ["", "firmware", "", 1, 9]]};
    p.facts.push(["event.0", "DATA_CACHE_MISSES@1000"], ["event.0.period", "1000"], ["event.0.samples", "53"], ["event.0.outside", "1"], ["event.0.lost", "0"], ["event.0.total.0", "54000"],
        ["event.0.turns", "12"], ["event.0.error_ppm", "104000"], ["event.0.reliability_ppm", "896000"],
        ["event.3", "UNSEEN@9"], ["event.3.total.0", "0"], ["event.3.turns", "12"], ["event.3.error_ppm", "1000000"], ["event.3.reliability_ppm", "0"],
        ["event.4", "IN_ALL@9"], ["event.4.total.0", "0"], ["event.4.turns", "24"], ["event.4.error_ppm", "0"], ["event.4.reliability_ppm", "1000000"],
        ["event.1", "TIMER"], ["event.1.state", "not run"], ["event.2.samples", "5"]);
    if (slots) Object.assign(p.samples.op, {all: 0, outside: null});
    return p;
}

/* The roofline of a run; 'own' replaces fields of the workload. */
function roofline(own) {
    const loop = (name, more) => ({loop: name, operations: 4e6, no_operations: null, bytes: 2e6, no_bytes: null, ns: 1e6, operations_s: 4e9, bytes_s: 2e9,
        intensity_ppm: 2e6, ...more});
    return {loops: [loop("workload", {operations_s: 1.5e9, bytes_s: 3e9, intensity_ppm: 5e5, ...own}), loop("operations", {bytes: 64, bytes_s: 64e3, intensity_ppm: 6.25e10,
        operations_s: 12e9}), loop("memory", {operations_s: 8e8, bytes_s: 1e10, intensity_ppm: 8e4})], bound: "memory", roof_s: 5e9, share_ppm: 300000, ridge_ppm: 1200000};
}

/* Three cache lines: one of a core, one of false and one of true sharing; 'more' replaces fields. */
function lines(more) {
    const answered = (near, other) => [near, 0, 0, 0, 0, other], part = (offset, core, values, of) => ({offset, core, values, answered: of, modified: of[5]});
    return {count: 3, without_address: 0, columns: ["Loads", "Stores", "DC miss", "Mean", "O. cache"].map(title => ({title})),
        answers: ["L1", "a miss under way", "L2", "L3", "L3 or another core's cache", "another core's cache"],
        rows: [{address: "0x9000000", cores: 2, false_sharing: true, values: [7, 3, 4, 400.25, 4], answered: answered(3, 4), modified: 4,
            parts: [part(0, 0, [3, 3, 0, null, 0], answered(3, 0)), part(8, 1, [4, 0, 4, 400.25, 4], answered(0, 4))]},
        {address: "0xffff880000000040", cores: 2, false_sharing: false, values: [1, 2, 0, null, 0], answered: answered(1, 0), modified: 0,
            parts: [part(16, 0, [1, 1, 0, null, 0], answered(1, 0)), part(16, 1, [0, 1, 0, null, 0], answered(0, 0))]},
        {address: "0x9100000", cores: 1, false_sharing: false, values: [0, 2, 0, null, 0], answered: answered(0, 0), modified: 0, parts: [part(0, 0, [0, 2, 0, null, 0], answered(0, 0))]}],
        ...more};
}

/* A file in which nothing is. */
function empty() {
    const p = profile(), none = {all: 0, outside: 0};
    return Object.assign(p, {events: [], samples: {...p.samples, op: none, fetch: none, lost: 0, throttled: 0}, totals: [], ratios: {}, functions: [], cores: [], nodes: [], facts: [],
        causes: undefined,
        settings: [], identities: [], certificate: null, points: {...p.points, region: [], regions: []}, views: [], latency: {bins, sources: [], tag_to_retire: [], fetch: []}, objects: []});
}

module.exports = {profile, clock, later, counted, empty, lines, roofline, sparse, codes, bins};
