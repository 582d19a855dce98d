/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the syntax tree of a JavaScript file as JSON (acorn, of Debian's node-acorn): node syntax.js FILE. */
/* eslint-env node */
const acorn = require("acorn");
const fs = require("fs");

try {
    const tree = acorn.parse(fs.readFileSync(process.argv[2], "utf8"), {ecmaVersion: 2022});
    console.log(JSON.stringify(tree, (key, value) => typeof value === "bigint" ? String(value) : value));
} catch (error) {
    console.error(error.message);
    process.exitCode = 1;
}
