/* SPDX-License-Identifier: BSD-2-Clause */
/* For the tests of tools/ibsprof/html/web: opens a page on made-up data in jsdom, as html.c writes it, and compares it with a kept text.
 *
 *   open(script, id, data, {width, hash, dark})   the window; look(text) evaluates text within the page's scripts
 *   outline(element)                              a line for each element: what a reader, or a screen reader, has of it
 *   sorted(document)                              a line for each column by which a table can be sorted: the order of its rows
 *   kept(name, text)                              compares with golden/NAME; REBASE=1 writes that file
 *   test(name, body)                              node's own
 * jsdom lays nothing out: every letter is 6 wide, `width` is that of all elements, and what is drawn on a canvas is kept as text. */
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const runner = require("node:test");
const vm = require("node:vm");

/* Debian's modules, whichever node runs this. */
process.env.NODE_PATH = "/usr/share/nodejs";
require("node:module").Module._initPaths();
const {JSDOM} = require("jsdom");
const root = path.dirname(path.dirname(path.dirname(__dirname)));
const web = name => fs.readFileSync(path.join(root, "tools/ibsprof/html/web", name), "utf8");
const d3 = new vm.Script(fs.readFileSync("/usr/share/nodejs/d3/dist/d3.min.js", "utf8"));
/* As in write_scripts() of html.c. */
const always = ["base.js", "charts.js", "listing.js", "views.js", "views_cores.js", "views_certificate.js", "views_noise.js", "views_run.js",
    "views_roofline.js", "views_lines.js"];

/* The files of a page, in order, after the head. */
const head = "\"use strict\";\n", sources = script => [...always, script].map(name => [name, web(name)]);

const number = text => text.replace(/-?\d+\.\d{3,}(e-?\d+)?/g, digits => String(+(+digits).toFixed(2)));

/* What jsdom lacks. */
function complete(window, {width, dark}) {
    const {document} = window, pens = new Map();
    window.seen = {observers: [], scrolled: [], listeners: [], dark: dark || false};
    window.ResizeObserver = class {
        constructor(call) { this.call = call; }
        observe(node) { window.seen.observers.push({node, call: this.call}); }
    };
    window.matchMedia = query => ({matches: window.seen.dark && query === "(prefers-color-scheme: dark)",
        addEventListener: (name, call) => window.seen.listeners.push([name, call])});
    window.devicePixelRatio = 2;
    window.requestAnimationFrame = call => call();
    window.getComputedStyle = () => ({getPropertyValue: name => ` colour ${name} `});
    window.Element.prototype.scrollIntoView = function (how) {
        window.seen.scrolled.push(`${this.id || this.dataset.row} ${how && how.block}`);
    };
    window.SVGElement.prototype.getComputedTextLength = function () { return 6 * this.textContent.length; };
    window.HTMLCanvasElement.prototype.getContext = function (kind) {
        if (!pens.has(this)) pens.set(this, {kind, drawn: [], scale: (x, y) => pens.get(this).drawn.push(`scale ${x} ${y}`),
            fillRect(...box) {
                this.drawn.push(`${this.fillStyle} ${this.globalAlpha} ${box.map(value => +value.toFixed(2)).join(" ")}`);
            }});
        return pens.get(this);
    };
    Object.defineProperty(window.HTMLElement.prototype, "clientWidth", {get() { return this.closest("[hidden]") ? 0 : window.seen.width; }});
    window.seen.width = width;
    document.pens = pens;
}

function open(script, id, data, {width = 900, hash = "", dark, prepare = () => {}} = {}) {
    const dom = new JSDOM(`<!DOCTYPE html><html><body><script type="application/json" id="${id}"></script></body></html>`,
        {runScripts: "outside-only", url: `http://page.example/${hash}`, pretendToBeVisual: true});
    const {window} = dom, context = dom.getInternalVMContext();
    window.document.getElementById(id).textContent = JSON.stringify(data);
    complete(window, {width, dark});
    prepare(window);
    d3.runInContext(context);
    const text = head + [...sources(script).map(([, source]) => source), "window.look = text => eval(text);"].join("\n");
    new vm.Script(text, {filename: script}).runInContext(context);
    return window;
}

function outline(element, depth = 0) {
    const lines = [], {pens} = element.ownerDocument;
    const walk = (node, level) => {
        if (node.nodeName === "SCRIPT") return;
        const attributes = [...node.attributes].map(one => `${one.name}=${number(one.value)}`);
        for (const name of ["value", "checked", "disabled", "hidden", "tabIndex"])
            if (["INPUT", "SELECT", "BUTTON", "SECTION"].includes(node.nodeName) && node[name]) attributes.push(`.${name}=${node[name]}`);
        const single = [...node.childNodes].every(child => child.nodeType === 3);
        lines.push(`${" ".repeat(level)}${node.nodeName.toLowerCase()}${attributes.length ? ` [${attributes.join(" | ")}]` : ""}` +
            (single && node.textContent ? ` ${JSON.stringify(node.textContent)}` : ""));
        if (pens.has(node)) lines.push(...pens.get(node).drawn.map(line => `${" ".repeat(level + 1)}${pens.get(node).kind} ${line}`));
        if (!single) for (const child of node.childNodes) {
            if (child.nodeType === 1) walk(child, level + 1);
            else if (child.nodeType === 3) lines.push(`${" ".repeat(level + 1)}${JSON.stringify(child.data)}`);
        }
    };
    walk(element, depth);
    return lines.join("\n") + "\n";
}

function kept(name, text) {
    const file = path.join(__dirname, "golden", name);
    if (process.env.REBASE) fs.writeFileSync(file, text);
    assert.deepStrictEqual(text.split("\n"), fs.readFileSync(file, "utf8").split("\n"));
}

/* Each table by each of its columns, down or up as the first click has it: the rows' places in the order at first. */
function sorted(document) {
    const lines = [];
    for (const table of document.querySelectorAll("table[data-table]")) {
        const place = row => [...row.cells].map(cell => cell.textContent).join("|"), first = [...table.querySelectorAll("tbody tr")].map(place);
        for (const button of table.querySelectorAll("th button")) {
            click(button);
            lines.push(`${table.dataset.table}, ${button.textContent.replace(/\s+/g, " ")}: ${[...table.querySelectorAll("tbody tr")].map(row =>
                first.indexOf(place(row))).join(" ")}`);
        }
    }
    return lines.join("\n") + "\n";
}

const click = node => node.dispatchEvent(new node.ownerDocument.defaultView.MouseEvent("click", {bubbles: true}));

/* A choice in a select element, as a reader makes it. */
function choose(select, value) {
    select.value = value;
    select.dispatchEvent(new select.ownerDocument.defaultView.Event("change"));
}

const mouse = (window, node, type, x, y) => node.dispatchEvent(new window.MouseEvent(type, {bubbles: true, view: window, clientX: x,
    clientY: y, button: 0}));
const plain = text => text.replace(/\s+/g, " ").trim();

/* tests/mutate/web_tests.js starts the tests itself. */
/* global globalThis */
const test = (name, body) => globalThis.unitTests ? globalThis.unitTests.push({name, body}) : runner.test(name, body);

module.exports = {head, sources, test, open, outline, sorted, kept, click, choose, mouse, plain};
