/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of noise runs: all regimes of all runs side by side. */
const noise = JSON.parse(document.getElementById("noise").textContent);

function noiseLead(series) {
    const quiet = series.filter(one => !noiseDetours(one)), loud = series.filter(noiseDetours)
        .sort((a, b) => noiseMean(b, r => r.microsecond.lost_ppb) - noiseMean(a, r => r.microsecond.lost_ppb))[0];
    return el("div", {class: "lead"},
        quiet.length ? el("p", {}, el("strong", {class: "good"}, "Silent: "),
            quiet.map(one => `${one.label} (${significant(d3.sum(one.regimes, seconds))} s, so fewer than ` +
                    `${significant(noiseFewer(one))} ` +
                    `detours per second)`).join("; "), ".") : "",
        loud ? el("p", {}, el("strong", {class: "hot"}, "The most time was lost in "),
            `${loud.label}: ${smallPercent(noiseMean(loud, r => r.microsecond.lost_ppb / 1e9))} of the time, by ` +
                `${fixed(noiseMean(loud, r => r.microsecond.per_second), 1)} detours per second, the largest of ` +
                `${nanoseconds(noiseLargest(loud))}${tickWords(loud.regimes[0]) ? ` (${tickWords(loud.regimes[0])})` : ""}.`) : "");
}

(function start() {
    const series = noiseSeries(noise.runs), model = noise.runs.some(run => run.is_model), cpu = noise.runs.map(run => run.cpu)
        .find(Boolean);
    document.title = "Noise: ibsprof report";
    document.body.append(el("header", {},
        el("div", {class: "wrap"},
            el("div", {class: "name"}, el("h1", {}, "Noise", model ? el("span", {class: "badge"}, "MODEL") : null),
                el("p", {}, [plural(noise.runs.length, "run", "runs"), cpu].filter(Boolean).join(" \u00b7 "))), themeButton())));
    tabs(document.body, [
        {id: "summary", title: "Side by side", draw: host => {
            host.append(noiseLead(series));
            if (model) host.append(el("ul", {class: "notes"},
                el("li", {}, el("strong", {}, "MODEL: "),
                    "ibsboot ran in a virtual machine: lengths compare systems on the same machine, and say nothing about silicon.")));
            const least = d3.min(noise.runs.flatMap(run => run.regimes), regime => regime.duration_ns);
            if (least < 1e8) host.append(el("ul", {class: "notes"},
                el("li", {}, `${significant(least / 1e6)} ms in a regime is too short for meaningful rates: choose a longer noise_ms=.`)));
            noiseTable(host, series);
            noiseHistograms(host, series);
        }},
        {id: "time", title: "Over time", draw: host => noiseOverTime(host, series, noise.causes)},
        {id: "quanta", title: "Fixed work", draw: host => noiseQuanta(host, series)},
        {id: "runs", title: "Runs", draw: host => host.append(el("h2", {}, "Every regime of every run"),
            dataTable({name: "noise-runs", rows: noise.runs.flatMap(run => run.regimes.map(regime => ({run, regime}))), columns: [
                {title: "Read from", text: true, class: "long", value: row => row.run.path},
                {title: "Regime", text: true, value: row => noiseLabel(row.regime)},
                {title: "Readings\nof the TSC", value: row => row.regime.reads},
                {title: "Usual gap,\nns", value: row => row.regime.usual_ps / 1e3, show: (row, value) => fixed(value, 2)},
                {title: "9 \u00d7 that,\nns", value: row => row.regime.nine.threshold_ns},
                {title: "Detours\nof that", value: row => row.regime.nine.detours, bar: true},
                {title: "Detours\nof 1 \u00b5s", value: row => row.regime.microsecond.detours, bar: true},
                {title: "Lost, ppb", value: row => row.regime.microsecond.lost_ppb, bar: true},
                {title: "Largest", value: row => row.regime.largest_ns, show: (row, value) => value ? nanoseconds(value) : "-"},
                {title: "Unwatched", value: row => row.regime.blind_ns, show: (row, value) => value ? nanoseconds(value) : "-"}]}),
            el("p", {class: "quiet"}, "Unwatched: the time in which the program looked for the cause of a detour."))},
    ]);
    document.body.append(el("footer", {},
        el("div", {class: "wrap"}, `${noise.generator}. docs/noise.md says how each figure is measured.`)));
})();
