#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# An export of an archive, read by another program: DuckDB (npm's @duckdb/node-api, which brings its binary; fetched once into build/duckdb).
# Its sums must be those of 'ibsprof archive query'; and bench/archive with few runs, so that it stays able to run.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
ibsprof=build/tools/ibsprof
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

if bench/archive --runs 200 --machines 10 --kills 4 --folder "$dir" >"$dir/bench.txt" 2>&1; then
    ok "four writers, four kills: all runs are there once"
else
    not_ok "bench/archive: $(tail -n 3 "$dir/bench.txt")"
fi

for run in 1 2 3; do
    mkdir -p "$dir/runs/$run"
    printf 'workload = "loop"\n#: machine.serial = %s\n' $((run % 2)) >"$dir/runs/$run/run.ini"
    printf 'rva,function,file,line,instruction,F100 All IBS op [samples]\n0x10,f,f.c,7,"mov rax, ""x""",%s\n0x14,f,f.c,8,ret,%s\n' \
        $((10 * run)) "$run" >"$dir/runs/$run/profile.csv"
done
$ibsprof archive add "$dir/a.db" "$dir/runs" >"$dir/add.txt" && $ibsprof archive export "$dir/a.db" "$dir/out" || not_ok "add and export"
[ -d build/duckdb/node_modules/@duckdb/node-api ] || timeout 120 npm install --prefix build/duckdb @duckdb/node-api >"$dir/npm.txt" 2>&1
if [ ! -d build/duckdb/node_modules/@duckdb/node-api ]; then
    skip "DuckDB reads an export" "npm cannot fetch @duckdb/node-api"
else
    got=$(NODE_PATH=build/duckdb/node_modules node -e '
        const {DuckDBInstance} = require("@duckdb/node-api"), {readFileSync} = require("fs"), folder = process.argv[1];
        (async () => {
            const connection = await (await DuckDBInstance.create(":memory:")).connect();
            for (const {name, path, columns, partitioned_by} of JSON.parse(readFileSync(`${folder}/schema.json`)).tables) {
                const types = columns.map(one => `\x27${one.name}\x27: \x27${one.type}\x27`).join(", ");
                await connection.run(`CREATE TABLE ${name} AS SELECT * FROM read_csv(\x27${folder}/${path}\x27, header = true, ` +
                    `columns = {${types}}, hive_partitioning = ${Boolean(partitioned_by)}, hive_types_autocast = false)`);
            }
            const result = await connection.runAndReadAll(
                "SELECT instruction, count(DISTINCT runs.machine), count(*), CAST(sum(count) AS BIGINT) FROM figures JOIN runs " +
                "ON runs.digest = figures.run AND runs.machine = figures.machine WHERE place >= 0 GROUP BY instruction ORDER BY instruction");
            for (const row of result.getRows()) console.log(row.join(";"));
        })();' "$dir/out" 2>&1)
    if [ "$got" = 'mov rax, "x";2;3;60
ret;2;3;6' ]; then ok "DuckDB reads an export"; else not_ok "DuckDB reads an export: $got"; fi
fi
finish
