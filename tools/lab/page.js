// SPDX-License-Identifier: BSD-2-Clause
// The table of all machines, drawn anew from state.json. What machines say is text, never markup.
"use strict";
(() => {
    const PERIOD_MS = 2000;
    const byId = id => document.getElementById(id);

    function cell(row, text, below, kind) {
        const made = document.createElement("td");
        made.textContent = text;
        made.className = kind || "";
        if (below) {
            const small = document.createElement("small");
            small.textContent = below;
            made.append(small);
        }
        row.append(made);
    }

    function ago(seconds) {
        const whole = Math.max(0, Math.round(seconds));
        if (whole < 120)
            return `${whole} s ago`;
        return whole < 7200 ? `${Math.floor(whole / 60)} min ago` : `${Math.floor(whole / 3600)} h ago`;
    }

    function draw(state) {
        const rows = state.machines.map(machine => {
            const row = document.createElement("tr");
            const sent = machine.files ? `${machine.files} files, ${Math.ceil(machine.bytes / 1024)} KB` : "";
            cell(row, machine.mac, [machine.name, machine.address, machine.board, machine.processor].filter(Boolean).join(", "));
            cell(row, machine.state, machine.phase, machine.state.split(" ")[0]);
            cell(row, machine.what, machine.plan && `plan: run ${machine.plan}`);
            cell(row, sent);
            cell(row, machine.changed ? ago(state.time - machine.changed) : "");
            cell(row, String(machine.received), machine.cut_off ? `${machine.cut_off} cut off` : "", "number");
            cell(row, machine.last, machine.result, machine.result);
            cell(row, machine.settings);
            return row;
        });
        byId("machines").replaceChildren(...rows);
        const sum = key => state.machines.reduce((all, machine) => all + machine[key], 0);
        const working = state.machines.filter(machine => ["measuring", "sent"].includes(machine.state)).length;
        byId("sums").textContent = `${state.machines.length} machines, ${working} at work, ${sum("received")} runs received, ` +
            `${sum("cut_off")} cut off`;
        const others = state.others ? `${state.others} files that no machine writes` : "";
        byId("problem").textContent = [state.problem, others].filter(Boolean).join("; ");
    }

    async function refresh() {
        try {
            const answer = await fetch("state.json");
            draw(await answer.json());
        } catch (error) {
            byId("problem").textContent = "The server does not answer: what is shown is old.";
        }
        setTimeout(refresh, PERIOD_MS);
    }
    refresh();
})();
