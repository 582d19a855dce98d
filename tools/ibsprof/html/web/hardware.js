/* SPDX-License-Identifier: BSD-2-Clause */
/* The page of config=hardware: machines against questions, and what the answers change. */
const hardware = JSON.parse(document.getElementById("hardware").textContent);
const answerOf = hardware.machines.map(machine => new Map(machine.answers.map(answer => [answer.id, answer])));
const isTold = answer => answer && (answer.verdict === "otherwise" || answer.verdict === "running");
const machineTitle = i => `Machine ${i + 1}`;

function answerCell(answer) {
    if (!answer) return "";
    const good = answer.verdict === "as expected", name = good ? "good" : isTold(answer) ? "hot" : "quiet";
    return el("span", {class: name, title: answer.found || null}, answer.verdict);
}

function machineTable(host) {
    host.append(dataTable({name: "hardware-machines", rows: hardware.machines.map((machine, i) => ({machine, i})), columns: [
        {title: "Machine", text: true, value: row => machineTitle(row.i)},
        {title: "Processor", text: true, class: "long", value: row => row.machine.machine},
        {title: "Firmware", text: true, value: row => row.machine.firmware},
        {title: "Read from", text: true, class: "long", value: row => row.machine.path},
        ...["as expected", "otherwise", "not answerable", "by hand"].map(verdict => ({title: verdict[0].toUpperCase() + verdict.slice(1),
            value: row => row.machine.answers.filter(answer => answer.verdict === verdict).length}))]}));
}

function toldTable(host) {
    const rows = hardware.questions.flatMap(question => answerOf.map((answers, i) => ({question, i, answer: answers.get(question.id)})))
        .filter(row => isTold(row.answer));
    host.append(el("h2", {}, "Not as expected"), rows.length ? dataTable({name: "hardware-told", rows, columns: [
        {title: "#", value: row => row.question.number},
        {title: "Question", text: true, class: "long", value: row => row.question.question},
        {title: "Machine", text: true, value: row => machineTitle(row.i)},
        {title: "Found", text: true, class: "long",
            value: row => row.answer.verdict === "running" ? "ended at this question" : row.answer.found},
        {title: "Expected", text: true, class: "long", value: row => row.question.expected},
        {title: "This changes", text: true, class: "long", value: row => row.question.changes}]}) : el("p", {}, "None."));
}

function questionTable(host) {
    host.append(dataTable({name: "hardware-questions", rows: hardware.questions, columns: [
        {title: "#", value: question => question.number},
        {title: "Question", text: true, class: "long", value: question => question.question},
        ...answerOf.map((answers, i) => ({title: machineTitle(i), text: true, value: question => answers.get(question.id)?.verdict || "",
            show: question => answerCell(answers.get(question.id))})),
        ...answerOf.map((answers, i) => ({title: `Found by ${i + 1}`, text: true, class: "long",
            value: question => answers.get(question.id)?.found || ""}))]}));
}

(function start() {
    const model = hardware.machines.some(machine => machine.is_model);
    document.title = "Hardware check: ibsprof report";
    document.body.append(el("header", {}, el("div", {class: "wrap"},
        el("div", {class: "name"}, el("h1", {}, "Hardware check", model ? el("span", {class: "badge"}, "MODEL") : null),
            el("p", {}, plural(hardware.machines.length, "machine", "machines"))), themeButton())));
    tabs(document.body, [
        {id: "summary", title: "Machines", draw: host => {
            if (model) host.append(el("ul", {class: "notes"}, el("li", {}, el("strong", {}, "MODEL: "),
                "answers of a virtual machine describe its model, not silicon.")));
            machineTable(host);
            toldTable(host);
        }},
        {id: "questions", title: "Questions", draw: questionTable},
    ]);
    document.body.append(el("footer", {},
        el("div", {class: "wrap"}, `${hardware.generator}. docs/hardware-checks.md has all questions.`)));
})();
