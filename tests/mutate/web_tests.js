/* SPDX-License-Identifier: BSD-2-Clause */
/* The tests of tests/unit/web one by one, all in this process. A unit is "FILE#NUMBER", by the order in the file.
 *
 *   node tests/mutate/web_tests.js --run UNIT...     until one fails (status 1); what passed is a line in the file $PASSED: unit, seconds
 *   node tests/mutate/web_tests.js --reach FILE...   of all their units what they run, to the file $REACH: {unit: {seconds, ranges: {path: [[from, to]]}}}, in bytes */
/* eslint-env node */
/* eslint max-len: ["error", 200] */
/* global globalThis */
const fs = require("node:fs");
const path = require("node:path");
const {Session} = require("node:inspector");
const [mode, ...words] = process.argv.slice(2);
const web = "tools/ibsprof/html/web/";

/* page.js puts the tests into this list in the place of starting them. */
globalThis.unitTests = [];
const loaded = new Map();

function unitsOf(file) {
    if (!loaded.has(file)) {
        globalThis.unitTests.length = 0;
        require(path.resolve(file));
        loaded.set(file, [...globalThis.unitTests]);
    }
    return loaded.get(file);
}

async function run(units) {
    for (const unit of units) {
        const [file, number] = unit.split("#"), began = performance.now();
        await unitsOf(file)[number].body();
        if (process.env.PASSED) fs.appendFileSync(process.env.PASSED, `${unit} ${((performance.now() - began) / 1000).toFixed(3)}\n`);
    }
}

/* Of each script that was run: how often each of its characters was. The ranges of a function are inside of those before. */
function counted(result) {
    const scripts = new Map();
    for (const {url, functions} of result.filter(script => !script.url.startsWith("file:") && script.url.endsWith(".js") && !script.url.includes("/"))) {
        const length = Math.max(...functions.flatMap(fn => fn.ranges.map(range => range.endOffset)));
        const counts = new Uint8Array(length);
        for (const {ranges} of functions) for (const range of ranges) counts.fill(range.count ? 1 : 0, range.startOffset, range.endOffset);
        const before = scripts.get(url);
        scripts.set(url, before ? counts.map((count, i) => count | (before[i] || 0)) : counts);
    }
    return scripts;
}

/* {path: ranges} of the files that the scripts are made of. */
function rangesOf(scripts) {
    const {sources, head} = require(path.resolve("tests/unit/web/page.js")), all = {};
    for (const [script, counts] of scripts) {
        let at = head.length;
        for (const [name, text] of sources(script)) {
            const ranges = all[web + name] ||= [];
            for (let i = 0, from = -1, bytes = 0; i <= text.length; i++) {
                const on = i < text.length && counts[at + i];
                if (on && from < 0) from = bytes;
                if (!on && from >= 0) {
                    ranges.push([from, bytes]);
                    from = -1;
                }
                bytes += i < text.length ? Buffer.byteLength(text[i]) : 0;
            }
            at += text.length + 1;
        }
    }
    return all;
}

async function reach(files) {
    const session = new Session(), found = {};
    session.connect();
    const post = (method, parameters) => new Promise((resolve, reject) => session.post(method, parameters, (error, answer) => error ? reject(error) : resolve(answer)));
    await post("Profiler.enable");
    await post("Profiler.startPreciseCoverage", {callCount: true, detailed: true});
    for (const file of files) {
        await post("Profiler.takePreciseCoverage");
        const count = unitsOf(file).length, atLoad = counted((await post("Profiler.takePreciseCoverage")).result);
        for (let i = 0; i < count; i++) {
            const began = performance.now();
            await run([`${file}#${i}`]);
            const seconds = (performance.now() - began) / 1000, ranges = rangesOf(counted((await post("Profiler.takePreciseCoverage")).result));
            for (const [name, more] of Object.entries(rangesOf(atLoad))) ranges[name] = [...ranges[name] || [], ...more];
            found[`${file}#${i}`] = {seconds, ranges};
        }
    }
    fs.writeFileSync(process.env.REACH, JSON.stringify(found));
}

(mode === "--reach" ? reach : run)(words).then(() => process.exit(0), error => {
    console.error(error);
    process.exit(1);
});
