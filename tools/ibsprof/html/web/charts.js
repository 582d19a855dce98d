/* SPDX-License-Identifier: BSD-2-Clause */
/* Charts. Each is a figure with a caption that says what is drawn, an SVG with role=img and a text alternative, units on every axis, and
 * the
 * number of its marks in data-marks. They are drawn again when the page's width or theme changes.
 *
 *   chart(host, {name, title, note, alt, key, height, draw(svg, width, height)})   draw returns the number of marks; height: pixels, or a
 * function of the width
 *   barChart(host, {..., rows: [{label, value, text, color, onclick}], log, unit})  horizontal bars
 *   stackChart(host, {..., parts: [{label, value, color}], unit})                  one bar whose parts make 100 %
 *   histograms(host, {..., bins, panels: [{label, counts, color}], unit, what})    one panel each, log scales
 *   scatter(host, {..., points, x, y, color, ...})                                 on a canvas
 *   quantile(counts, bins, q)   of a histogram, within its bin by proportion */
const palette = i => `var(--s${i})`;
const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const drawn = [];

function chart(host, {name, title, note, alt, key, height, draw}) {
    const plot = el("div", {class: "plot"});
    const legend = key && el("div", {class: "key"}, key.map(([label, color]) => el("span", {style: {"--c": color}}, label)));
    const figure = el("figure", {"data-chart": name, "data-marks": "0"}, el("figcaption", {}, title, note && el("small", {}, note)), legend,
        plot);
    let measured; /* texts have no length in a hidden view */
    const redraw = () => {
        const width = Math.floor(Math.max(320, Math.min(plot.clientWidth || plot.closest("main")?.clientWidth || 900, 1560)));
        const tall = typeof height === "function" ? height(width) : height;
        measured = plot.clientWidth > 0;
        plot.replaceChildren();
        const svg = d3.select(plot).append("svg").attr("role", "img").attr("aria-label", typeof alt === "function" ? alt() : alt)
            .attr("width", width).attr("height", tall).attr("viewBox", `0 0 ${width} ${tall}`);
        figure.dataset.width = width;
        figure.dataset.marks = draw(svg, width, tall, plot);
        if (measured) settleLabels(svg.node());
    };
    host.append(figure);
    drawn.push({plot, figure, redraw});
    new ResizeObserver(() => { if (plot.clientWidth && (!measured || Math.abs(plot.clientWidth - figure.dataset.width) > 1)) redraw(); })
        .observe(plot);
    redraw();
    return {figure, redraw};
}
themeListeners.push(() => drawn.filter(one => one.figure.isConnected).forEach(one => one.redraw()));

/* Moves labels that stick out of the picture inwards. Removes labels of axes that overlap an earlier label. */
function settleLabels(svg) {
    const frame = svg.getBoundingClientRect(), kept = [];
    for (const text of svg.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        const by = box.left < frame.left ? frame.left - box.left : box.right > frame.right ? frame.right - box.right : 0;
        if (by) text.setAttribute("transform", `translate(${by},0) ${text.getAttribute("transform") || ""}`);
    }
    for (const text of svg.querySelectorAll(".axis .tick text")) {
        const box = text.getBoundingClientRect();
        if (!box.width) continue;
        if (kept.some(one => box.left < one.right + 3 && box.right > one.left - 3 && box.top < one.bottom - 2 && box.bottom > one.top
                    + 2)) text.remove();
        else kept.push(box);
    }
}

const shortNumber = value => value >= 1e6 ? `${+(value / 1e6).toPrecision(3)} M` : value >= 1e4 ? `${+(value / 1e3).toPrecision(3)} k`
    : Number.isInteger(value) ? count(value) : String(+value.toPrecision(3));

/* Returns the ticks of a log scale: powers of ten within it. */
function decades(scale) {
    const [low, high] = scale.domain();
    return d3.range(Math.ceil(Math.log10(low)), Math.floor(Math.log10(high)) + 1).map(power => 10 ** power);
}

/* Returns powers of ten, and their double and fivefold if there are few. */
function logTicks(scale) {
    const [low, high] = scale.domain(), tens = d3.range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)) + 1)
        .map(power => 10 ** power);
    const steps = decades(scale).length > 3 ? [1] : [1, 2, 5];
    return tens.flatMap(ten => steps.map(step => step * ten)).filter(value => value >= low && value <= high);
}

function axisLabel(svg, x, y, text, rotate) {
    return svg.append("text").attr("class", "muted").attr("text-anchor", rotate ? "middle" : "end")
        .attr("transform", `translate(${x},${y})${rotate ? " rotate(-90)" : ""}`).text(text);
}

function gridX(svg, scale, ticks, top, bottom) {
    svg.append("g").selectAll("line").data(ticks).enter().append("line").attr("class", "gridline")
        .attr("x1", scale).attr("x2", scale).attr("y1", top).attr("y2", bottom);
}

function barChart(host, {rows, log, unit, step = 26, ...rest}) {
    const left = Math.min(300, 30 + 7 * Math.max(...rows.map(row => row.label.length))),
        right = 24 + 6.4 * Math.max(...rows.map(row => (row.text || count(row.value)).length)), bottom = 40;
    const above = width => width < left + right + 120 ? 16 : 0; /* without room beside the bar, its label has its own line */
    return chart(host, {height: width => rows.length * (step + above(width)) + bottom, ...rest, draw(svg, width, height) {
        const most = Math.max(1, ...rows.map(row => row.value)), over = above(width);
        const labels = over ? 8 : left;
        const x = log ? d3.scaleLog().domain([.7, most]).range([labels, width - right]) : d3.scaleLinear().domain([0, most])
            .range([labels, width - right]);
        const ticks = log ? decades(x) : x.ticks(5);
        gridX(svg, x, ticks, 0, height - bottom);
        svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
            .call(d3.axisBottom(x).tickValues(ticks).tickFormat(shortNumber).tickSizeOuter(0));
        axisLabel(svg, width - right, height - 6, unit + (log ? " (log scale)" : ""));
        const row = svg.selectAll("g.row").data(rows).enter().append("g")
            .attr("transform", (d, i) => `translate(0,${i * (step + over) + over})`);
        row.append("text").attr("x", over ? labels : labels - 8).attr("y", over ? -4 : step / 2).attr("dy", over ? 0 : ".35em")
            .attr("text-anchor", over ? "start" : "end").text(d => d.label)
            .each(function () { /* a long name loses its end; the title of its bar has the whole name */
                let text = this.textContent;
                while (this.getComputedTextLength() > (over ? width : labels) - 12 && text.length > 6) {
                    text = text.slice(0, -1);
                    this.textContent = text + "\u2026";
                }
            });
        row.filter(d => d.value > 0).append("rect").attr("class", "mark").attr("x", labels).attr("y", 4).attr("height", step - 8)
            .attr("width", d => Math.max(1, x(d.value) - labels)).style("fill", d => d.color || palette(2))
            .append("title").text(d => `${d.label}: ${d.text || count(d.value)}`);
        row.append("text").attr("x", d => (d.value > 0 ? x(d.value) : labels) + 6).attr("y", step / 2).attr("dy", ".35em")
            .attr("class", "muted")
            .text(d => d.text || count(d.value));
        return rows.filter(d => d.value > 0).length;
    }});
}

function stackChart(host, {parts, unit, ...rest}) {
    return chart(host, {height: 74, key: parts.map(part => [`${part.label} ${part.text}`, part.color]), ...rest, draw(svg, width) {
        const all = d3.sum(parts, part => Math.max(0, part.value));
        const x = d3.scaleLinear().domain([0, 100]).range([2, width - 20]);
        let at = 0;
        for (const part of parts.filter(one => one.value > 0)) {
            const share = 100 * Math.max(0, part.value) / all;
            svg.append("rect").attr("class", "mark").attr("x", x(at)).attr("y", 2).attr("height", 30)
                .attr("width", Math.max(0, x(at + share) - x(at) - 1))
                .style("fill", part.color).append("title").text(`${part.label}: ${part.text}`);
            at += share;
        }
        svg.append("g").attr("class", "axis").attr("transform", "translate(0,36)").call(d3.axisBottom(x).ticks(10).tickSizeOuter(0));
        axisLabel(svg, width - 20, 71, unit);
        return parts.filter(part => part.value > 0).length;
    }});
}

function quantile(counts, bins, q) {
    const all = total(counts);
    let below = 0;
    for (const [i, n] of counts) {
        if (below + n >= q * all) {
            const width = (bins[i + 1] ?? bins[i] * 2) - bins[i];
            return Math.floor(bins[i] + (width - 1) * (q * all - below) / n + .5);
        }
        below += n;
    }
    return null;
}

/* Bars: 0 to 3 one by one, then four per octave. */
const barOf = value => value < 4 ? value : (octave => 4 * (octave - 1) + (value >> (octave - 2) & 3))(31 - Math.clz32(value));
const barLow = bar => bar < 4 ? bar : (4 + bar % 4) * 2 ** Math.floor((bar - 4) / 4);
function barsOf(counts, bins) {
    const bars = new Map();
    for (const [bin, n] of counts) bars.set(barOf(bins[bin]), (bars.get(barOf(bins[bin])) || 0) + n);
    return [...bars].map(([i, n]) => ({i, n}));
}

function histograms(host, {bins, panels, unit, what, panelHeight = 96, ...rest}) {
    const left = 60, right = 190, gap = 16, bottom = 30;
    const bars = panels.map(panel => barsOf(panel.counts, bins));
    const used = bars.flat().map(bar => bar.i), first = Math.max(1, Math.min(...used) - 1), last = Math.max(...used) + 1, edge = barLow;
    return chart(host, {height: panels.length * (panelHeight + gap) + bottom, ...rest, draw(svg, width, height) {
        const x = d3.scaleLog().domain([Math.max(1, edge(first)), Math.max(edge(last + 1), 8 * edge(first))]).range([left, width - right])
            .clamp(true);
        const ticks = d3.range(0, 17).map(power => 2 ** power).filter(value => value >= x.domain()[0] && value <= x.domain()[1]);
        let marks = 0;
        panels.forEach((panel, number) => {
            const top = number * (panelHeight + gap) + 8, floor = top + panelHeight - 8;
            const y = d3.scaleLog().domain([.7, Math.max(10, ...bars[number].map(bar => bar.n))]).range([floor, top]);
            gridX(svg, x, ticks, top, floor);
            svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`)
                .call(d3.axisLeft(y).tickValues(decades(y).filter((d, i, all) => all.length < 5 || i % 2 === 0)).tickFormat(shortNumber)
                    .tickSizeOuter(0));
            svg.append("g").selectAll("rect").data(bars[number]).enter().append("rect").attr("class", "mark").style("fill", panel.color)
                .attr("x", d => x(Math.max(1, edge(d.i))))
                .attr("width", d => Math.max(1.5, x(Math.max(1, edge(d.i + 1))) - x(Math.max(1, edge(d.i))) - 1))
                .attr("y", d => y(d.n)).attr("height", d => floor - y(d.n))
                .append("title").text(d => `${panel.label}: ${edge(d.i)} to ${edge(d.i + 1) - 1} cycles: ${count(d.n)}`);
            marks += bars[number].length;
            for (const [q, style] of [[.5, "median"], [.9, "p90"]]) {
                const value = quantile(panel.counts, bins, q);
                if (value >= 1) svg.append("line").attr("class", style).attr("x1", x(value)).attr("x2", x(value)).attr("y1", top - 5)
                    .attr("y2", floor);
            }
            const label = svg.append("text").attr("x", width - right + 14).attr("y", top + 10);
            label.append("tspan").style("font-weight", 600).text(panel.label);
            for (const line of [`${count(total(panel.counts))} ${what}`, `median ${count(quantile(panel.counts, bins, .5))} ${unit}`,
                `90 % within ${count(quantile(panel.counts, bins, .9))}`])
                label.append("tspan").attr("x", width - right + 14).attr("dy", "1.35em").attr("class", "muted").text(line);
            svg.append("g").attr("class", "axis").attr("transform", `translate(0,${floor})`)
                .call(d3.axisBottom(x).tickValues(ticks).tickFormat(number === panels.length - 1 ? d3.format("d") : "").tickSizeOuter(0));
        });
        axisLabel(svg, width - right, height - 4, `${unit} (log scale)`);
        axisLabel(svg, 12, (height - bottom) / 2, `${what} (log scale)`, true);
        return marks;
    }});
}

/* points: [{x, y, color, shape, tip}], colour as a CSS variable's name. x and y: {scale, label, format, ticks}. brush(x0, x1): a range was
 * chosen by mouse. annotate(svg, x, y, right): draws more and returns how many marks; x and y are the scales in pixels. */
function scatter(host, {points, x, y, brush, annotate, size = 2, ...rest}) {
    const left = 86, right = 20, top = 8, bottom = 44;
    const readout = el("div", {class: "readout", "aria-hidden": "true"});
    const made = chart(host, {height: 420, ...rest, draw(svg, width, height, plot) {
        const data = points(), sx = x().scale.range([left, width - right]), sy = y().scale.range([height - bottom, top]);
        const axis = (make, setting, at) => {
            const call = make(setting.scale).tickSizeOuter(0);
            if (setting.ticks) call.tickValues(setting.ticks); else call.ticks(7);
            svg.append("g").attr("class", "axis").attr("transform", at).call(call.tickFormat(setting.format));
        };
        axis(d3.axisBottom, {...x(), scale: sx}, `translate(0,${height - bottom})`);
        axis(d3.axisLeft, {...y(), scale: sy}, `translate(${left},0)`);
        axisLabel(svg, width - right, height - 6, x().label);
        axisLabel(svg, 13, height / 2 - 20, y().label, true);
        const canvas = d3.select(plot).append("canvas").node(), scale = devicePixelRatio || 1;
        canvas.width = width * scale;
        canvas.height = height * scale;
        canvas.style.width = width + "px";
        canvas.style.height = height + "px";
        const pen = canvas.getContext("2d");
        pen.scale(scale, scale);
        pen.globalAlpha = data.length > 5000 ? .55 : .8;
        const colors = {};
        let marks = 0;
        for (const point of data) {
            const px = sx(point.x), py = sy(point.y);
            if (!(px >= left - 1 && px <= width - right + 1 && py >= top - 1 && py <= height - bottom + 1)) continue;
            pen.fillStyle = colors[point.color] ??= css(point.color);
            const r = point.large ? size + 1 : size;
            pen.fillRect(px - r / 2, py - r / 2, r, r);
            marks++;
        }
        if (annotate) marks += annotate(svg, sx, sy, width - right);
        const layer = svg.append("g");
        if (brush) {
            layer.call(d3.brushX().extent([[left, top], [width - right, height - bottom]]).on("end", () => {
                const chosen = d3.event.selection;
                if (chosen && chosen[1] - chosen[0] > 4) brush(sx.invert(chosen[0]), sx.invert(chosen[1]));
            }));
        } else {
            layer.append("rect").attr("class", "overlay").attr("x", left).attr("y", top).attr("width", width - left - right)
                .attr("height", height - top - bottom);
        }
        const tree = d3.quadtree(data, point => sx(point.x), point => sy(point.y));
        layer.on("mousemove", () => {
            const [mx, my] = d3.mouse(svg.node());
            const near = tree.find(mx, my, 14);
            readout.textContent = near ? near.tip() : "";
        }).on("mouseleave", () => { readout.textContent = ""; });
        return marks;
    }});
    made.figure.append(readout);
    return made;
}
