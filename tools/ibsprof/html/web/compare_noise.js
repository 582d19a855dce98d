/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of 'ibsprof compare --html' of noise runs: verdict with intervals, and the pictures of both sides. */
const data = JSON.parse(document.getElementById("comparison").textContent);
const verdictColors = {different: palette(5), both: palette(7), equivalent: palette(2), inconclusive: palette(0)};
const verdictMark = verdict => el("span", {class: "swatch verdict", style: {"--c": verdictColors[verdict] || "transparent"}},
    verdict || "not judged");
const figure = (item, value) => value === null ? "-" : item.unit === "fraction" ? smallPercent(Math.abs(value))
    .replace(/^/, value < 0 ? "\u2212" : "") : item.unit === "ns" ? (value ? nanoseconds(value) : "0") : significant(value);
const interval = (item, {value, low, high}) => value === null ? "-" : [figure(item, value), low === null && high === null ? ""
    : el("small", {class: "chance"}, high === null ? `${figure(item, low)} or more` : `${figure(item, low)} to ${figure(item, high)}`)];
const sideSeries = () => [["A: ", data.a, data.regime_a], ["B: ", data.b, data.regime_b]].flatMap(([prefix, side, name], i) =>
    noiseSeries(side.runs, prefix).filter(one => one.regimes[0].name === name || one.regimes[0].name === "linux")
        .map(one => ({...one, color: palette(i ? 5 : 2)})));

function noiseVerdict(host) {
    host.append(el("div", {class: "lead"}, el("p", {}, verdictMark(data.verdict)), el("p", {id: "sentence"}, data.sentence)));
    if (data.warnings.length) host.append(el("ul", {class: "notes"}, data.warnings.map(text => el("li", {}, text))));
    host.append(el("h2", {}, "Figures"), dataTable({name: "items", rows: data.items, columns: [
        {title: "What is compared", text: true, plain: true, show: item => item.unit === "a second" ? `${item.title}, a second`
        : item.title},
        {title: `A: ${data.a.label}`, plain: true, show: item => interval(item, item.a)},
        {title: `B: ${data.b.label}`, plain: true, show: item => interval(item, item.b)},
        {title: "B \u2212 A", plain: true, show: item => interval(item, item.difference)},
        {title: "q", plain: true, show: item => item.q === null ? "-" : item.q < 1e-99 ? "<1e\u221299" : item.q < .001
            ? item.q.toExponential(1).replace("-", "\u2212") : fixed(item.q, 3),
        hint: "expected share of false differences among all with this q or less"},
        {title: "Verdict", text: true, plain: true, show: item => verdictMark(item.verdict)}]}),
    el("p", {class: "quiet"},
        `Intervals: ${fixed(100 * data.level, 0)} %. The interval of the largest detour has no upper end: rarer ones were not seen. ` +
            `Spread: standard deviation between the runs of a side.`));
    const sides = [["A", data.a], ["B", data.b]];
    host.append(el("h2", {}, "Sides"), dataTable({name: "sides", rows: sides, columns: [
        {title: "Side", text: true, plain: true, show: ([name, side]) => `${name}: ${side.label}`},
        {title: "Runs", plain: true, show: ([, side]) => String(side.runs.length)},
        {title: "Seconds", plain: true, show: ([, side]) => significant(side.seconds)},
        {title: "Detours", plain: true, show: ([, side]) => side.detours ? count(side.detours)
        : `none: fewer than ${significant(side.fewer_per_second)} per second`},
        {title: "(most \u2212 least) /\nmean of time lost", plain: true, show: ([, side]) => side.spread_relative === null ? "-"
        : smallPercent(side.spread_relative)},
        {title: "Longest quantum\nover shortest", plain: true, show: ([, side]) => `+${smallPercent(side.longest_quantum)}`},
        {title: "Ticks", plain: true, show: ([, side]) => side.tick_hz ? `HZ=${side.tick_hz}` : "-"}]}),
    el("dl", {class: "facts"}, sides.map(([name, side]) => [el("dt", {}, name), el("dd", {}, side.runs.map(run => run.path).join(", "))])));
    const rows = sideSeries()
        .flatMap((one, side) => one.regimes.map((regime, i) => ({label: `${side ? "B" : "A"}, run ${i + 1}`, group: side, color: one.color,
            value: regime.microsecond.lost_ppb / 1e7, low: regime.microsecond.lost_ppb / 1e7,
            high: regime.microsecond.lost_ppb / 1e7,
            text: `${smallPercent(regime.microsecond.lost_ppb / 1e9)}, ${fixed(regime.microsecond.per_second, 1)} detours per second`})));
    host.append(el("h2", {}, "From run to run"));
    intervalChart(host, {name: "runs-lost", title: "Time lost, by run", unit: "% of the time", rows,
        format: value => `${+value.toPrecision(3)}`, note: "The interval of a side comes from the distances between its runs.",
        alt: rows.map(row => `${row.label}: ${row.text}`).join("; ")});
}

(function start() {
    const series = sideSeries();
    document.title = "Noise, A against B: ibsprof compare";
    document.body.append(el("header", {},
        el("div", {class: "wrap"}, el("div", {class: "name"}, el("h1", {}, "Noise: A against B"),
            el("p", {}, `${data.a.label} against ${data.b.label}, ${data.a.runs.length} and ` +
                    `${plural(data.b.runs.length, "run", "runs")}`)), themeButton())));
    tabs(document.body, [
        {id: "summary", title: "Verdict", draw: noiseVerdict},
        {id: "lengths", title: "Lengths", draw: host => noiseHistograms(host, series)},
        {id: "time", title: "Over time", draw: host => noiseOverTime(host, series, data.causes)},
        {id: "quanta", title: "Fixed work", draw: host => noiseQuanta(host, series)},
    ]);
    document.body.append(el("footer", {},
        el("div", {class: "wrap"}, `${data.generator}. docs/compare.md says how each figure is computed.`)));
})();
