#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the results of a boot with counters: check_counters.py FOLDER CHECK [ARGUMENT]...

Like check.py, for runs with counts.csv or pmc.csv. Everything is computed again from the files and from truth.csv.
"""
import csv
import glob
import os
import re

from check import Run, documented, latest_run, percent, within
from run_csv import read_dicts, read_rows
from verdict import Failed, main


def ini(folder):
    """Returns all "#: key = value" of run.ini."""
    facts = {}
    with open(os.path.join(latest_run(folder), "run.ini")) as file:
        for line in file:
            if line.startswith("#: ") and " = " in line:
                key, value = line[3:].split(" = ", 1)
                facts[key] = value.strip()
    return facts


def console(folder):
    with open(os.path.join(folder, "console.txt")) as file:
        return file.read()


def counts(folder):
    return read_dicts(os.path.join(latest_run(folder), "counts.csv"))


def pmc_rows(folder):
    """Returns the rows of pmc.csv for instructions of the map; columns by select: "041"."""
    table = read_rows(os.path.join(latest_run(folder), "pmc.csv"))
    events = {name.split()[0].split(":")[0]: i for i, name in enumerate(table[0]) if i > 4}
    rows = []
    for row in table[1:]:
        if row[0]:
            item = {event: int(row[i] or 0) for event, i in events.items()}
            item.update(rva=int(row[0], 16), function=row[1], text=row[4])
            rows.append(item)
    return rows


def pmc_runs(folder):
    """Returns the row of truth.csv for each programming of a counter, in order: {column: text}."""
    header = None
    with open(os.path.join(folder, "truth.csv"), newline="") as file:
        for row in csv.reader(file):
            if row[0] == "# pmc_runs_lost" and row[1] != "0":
                raise Failed(f"truth.csv lacks {row[1]} runs")
            if row[0] == "# pmc_run" and header is None:
                header = row
            elif row[0] == "# pmc_run":
                yield dict(zip(header[1:], row[1:]))


def truth_runs(folder):
    """Returns (select, mask, PERF_CTL) and the exact count of the workload for each programming of a counter, in order. Leaves out the
    certificate's clock: 076 on a spare counter, while counting passes have it on counter 0."""
    return [(int(run["select"], 16), int(run["mask"], 16), int(run["perf_ctl"], 16), int(run["workload"])) for run in pmc_runs(folder)
            if run["select"] != "076" or run["counter"] == "0"]


def count_mask(ctl):
    return ctl >> 24 & 0xFF


def counts_cycles(select, threshold):
    """Returns True for events that count cycles of a kind, or slots in them: 076, 087, 1A0, 0D0 to 0DA, and all with a count mask."""
    return select in (0x076, 0x087, 0x1A0) or 0x0D0 <= select <= 0x0DA or threshold > 0


def check_counts(folder, tolerance, least=1):
    """Compares every total of counts.csv with the exact one: the mean over as many of the event's last passes as the total includes, one
    for each repeat, or all passes for cycles.

    The image has measured and subtracted the counts of starting and stopping, so there is no tolerance here: the residue is a share of the
    exact count, and must be 0 if that is 0. Only cycles of a kind are taken as a share of all cycles: the stop drains the workload's ops
    from the pipeline, of which an empty region leaves none, so up to some ten cycles change from one kind to another, whatever the kind's
    own total is (docs/decisions.md)."""
    passes = {}
    for select, mask, ctl, workload in truth_runs(folder):
        passes.setdefault((select, mask, count_mask(ctl)), []).extend([workload] if workload else [])

    def exact(key, repeats):
        return round(sum(passes[key][-repeats:]) / repeats)

    worst = {False: (0.0, 0, ""), True: (0.0, 0, "")}
    checked = {False: 0, True: 0}
    for row in counts(folder):
        if row["state"] != "counted":
            continue
        key = int(row["select"], 16), int(row["mask"], 16), int(row["count_mask"])
        if key not in passes:
            raise Failed(f"truth.csv does not know {row['select']}:{row['mask']}")
        total, cycles = exact(key, int(row["repeats"])), counts_cycles(key[0], key[2])
        residue = abs(int(row["mean"]) - total)
        whole = exact((0x076, 0, 0), 1) if cycles else total
        share = percent(residue, whole) if whole else (100.0 if residue else 0.0)
        checked[cycles] += 1
        # Only the share counts: a large event with a small error must not hide a small one that is wrong.
        worst[cycles] = max(worst[cycles], (share, residue, f" at {row['select']}:{row['mask']} {row['event']}" if residue else ""))
    if checked[False] + checked[True] < int(least):
        raise Failed(f"{checked[False] + checked[True]} totals, wanted {least}")
    lines = [f"{checked[cycles]} totals {kind}: largest share {share:.4f} %{of}: {residue}{where}"
             for cycles, kind, of in ((False, "of events", ""), (True, "of cycles", " of all cycles"))
             for share, residue, where in (worst[cycles],)]
    line = "; ".join(lines) + f"; wanted under {tolerance} %"
    if max(share for share, _, _ in worst.values()) >= float(tolerance):
        raise Failed(line)
    return line


def check_modelled(folder, *selects):
    """Checks that these events are reported as not modelled, without a number."""
    states = {row["select"]: row for row in counts(folder)}
    for select in selects:
        row = states.get(select)
        if row is None or row["state"] != "not modelled" or row["mean"]:
            raise Failed(f"{select}: {row}")
    return f"{', '.join(selects)}: not modelled, and no number"


def check_clock(folder, khz):
    """Checks that the image has used the TSC rate that the virtual PMU states."""
    found = ini(folder)["machine.tsc_khz"]
    if found != khz:
        raise Failed(f"machine.tsc_khz = {found}, wanted {khz}")
    return f"the TSC runs at {found} kHz, as the virtual PMU states"


def check_untouched(folder):
    """Checks a refusal: one line between the program's name and its end, and where it is saved; no counter programmed, nothing stepped,
    no run."""
    text = console(folder)
    said = text.split("ibsboot 0", 1)[1].split("\n", 1)[1].split("ibsboot: end:", 1)[0].strip().split("\n")
    saved = glob.glob(os.path.join(folder, "runs", "*", "*"))
    if len(said) != 2 or max(map(len, said)) > 79 or truth_runs(folder) or "vpmu: 0 steps in" not in text or len(saved) != 1:
        raise Failed(f"said {said}, {len(truth_runs(folder))} programmings of a counter, saved {saved}")
    with open(saved[0]) as file:
        if f"\n#: phase = refused: {said[0]}"[:60] not in file.read() or os.path.basename(os.path.dirname(saved[0])) not in said[1]:
            raise Failed(f"{saved[0]} does not say: {said[0]}, or not: {said[1]}")
    return "one line, no counter was programmed, no instruction stepped, the reason saved"


def estimates(folder):
    """Returns by event, from run.ini: the estimate per run of the workload, half of its 95 % interval, samples."""
    facts, found = ini(folder), {}
    for i in range(100):
        if f"event.{i}.samples" not in facts:
            continue
        value, interval, samples = (int(facts[f"event.{i}.{key}"]) for key in ("estimate", "interval_ppm", "samples"))
        weight, runs = (int(facts[f"event.{i}.{key}"]) for key in ("weight", "runs"))
        if abs(value - samples * weight / runs) > 1 + samples / runs:  # the weight is rounded
            raise Failed(f"event {i}: {value} is not {samples} samples of {weight} in {runs} runs")
        found[facts[f"event.{i}"].split("@")[0]] = (value, value * interval / 1e6, samples)
    if not found:
        raise Failed("no event was sampled")
    return found


def check_same_rates(folder, other, least):
    """Compares two ways to share the counters: their intervals for an event overlap. Events with less than ten samples in one way are
    skipped, because their interval of 1.96/sqrt(samples) means little."""
    mine, theirs = estimates(folder), estimates(other)
    if set(mine) != set(theirs):
        raise Failed(f"different events: {sorted(set(mine) ^ set(theirs))}")
    lines, apart = [], []
    for name in mine:
        (a, a_half, a_samples), (b, b_half, b_samples) = mine[name], theirs[name]
        if min(a_samples, b_samples) < 10:
            continue
        lines.append(f"{name} {a} +- {a_half:.0f} and {b} +- {b_half:.0f}")
        if abs(a - b) > a_half + b_half:
            apart.append(lines[-1])
    if apart or len(lines) < int(least):
        raise Failed(f"{len(lines)} events compared, wanted {least}; apart: {', '.join(apart)}")
    return f"{len(lines)} of {len(mine)} events within their stated intervals: {', '.join(lines)}"


def check_estimate(folder, name, exact, disturbance):
    """Checks that an event's samples represent the known count, within the stated interval and the counts of interrupts."""
    value, half, samples = estimates(folder)[name]
    allowed = half + value * float(disturbance) / 100
    if abs(value - float(exact)) > allowed:
        raise Failed(f"{name}: {samples} samples stand for {value:.0f}, wanted {exact} +- {allowed:.0f}")
    return f"{name}: {samples} samples stand for {value:.0f}, exact {exact}, allowed +- {allowed:.0f}"


def check_reliability(folder, wanted):
    """Multiplexing: reliabilities under 0.9 in run.ini are flagged on the console, events without samples are named, and an event of
    5000 occurrences is low, or high."""
    facts = ini(folder)
    values = {i: int(facts[f"event.{i}.reliability_ppm"]) / 1e6 for i in range(100) if f"event.{i}.reliability_ppm" in facts}
    totals = {i: max(int(facts[key]) for key in facts if key.startswith(f"event.{i}.total.")) for i in values}
    unseen = [i for i in values if not totals[i] and int(facts[f"event.{i}.error_ppm"])]
    often = [values[i] for i in values if totals[i] >= 5000]
    low = sum(value < 0.9 for value in values.values())
    text = console(folder)
    flagged, said = (len(re.findall(pattern, text, re.MULTILINE)) for pattern in (" LOW$", "     none seen .* unknown  0.00 LOW$"))
    line = f"{low} of {len(values)} events under 0.9, {flagged} flagged; {len(unseen)} not seen, {said} said so; often: {min(often):.2f} to {max(often):.2f}"
    if flagged != low or said != len(unseen) or any(values[i] for i in unseen) or not (max(often) < 0.9 if wanted == "low" else min(often) >= 0.9):
        raise Failed(line)
    return line


def check_total(folder, name, exact, tolerance):
    """Checks an event's count by its counter, scaled to the whole run."""
    facts = ini(folder)
    at = next(i for i in range(100) if facts.get(f"event.{i}", "").split("@")[0] == name)
    total = int(facts[f"event.{at}.total.0"])
    return within(f"{name}: {total} counted in turns, exact {exact}: difference", 100 * abs(total / int(exact) - 1), 0,
                  float(tolerance))


def check_uncounted(folder, *names):
    """Checks that events whose turn never came have a state in run.ini and no figure; their cells of pmc.csv are empty."""
    facts = ini(folder)
    table = read_rows(os.path.join(latest_run(folder), "pmc.csv"))
    for name in names:
        at = next(i for i in range(100) if facts.get(f"event.{i}", "").split("@")[0] == name)
        figures = [key for key in facts if key.startswith(f"event.{at}.") and not key.endswith((".groups", ".state"))]
        if facts.get(f"event.{at}.state") != "not measured" or figures:
            raise Failed(f"{name}: state {facts.get(f'event.{at}.state')}, {figures}")
        if any(row[5 + at] for row in table[1:]):
            raise Failed(f"{name}: has samples in pmc.csv")
    return "no figure of " + ", ".join(names)


def check_skid(folder, most, least):
    """Checks that the counter's samples of DC misses are smeared over the instructions after the culprit, while IBS samples are on it."""
    run = Run(folder)
    culprit = run.culprit()
    samples = [row for row in pmc_rows(folder) if row["function"] == culprit["function"]]
    ibs = [row for row in run.rows if row["function"] == culprit["function"]]
    at = next(i for i, row in enumerate(samples) if row["rva"] == culprit["rva"])
    all_pmc, all_ibs = sum(row["041"] for row in samples), sum(row["F206"] for row in ibs)
    pmc_share, ibs_share = percent(samples[at]["041"], all_pmc), percent(culprit["F206"], all_ibs)
    after = percent(sum(row["041"] for row in samples[at + 1:at + 10]), all_pmc)
    line = (f"DC misses at {culprit['text']}: {pmc_share:.1f} % of {all_pmc} counter samples (wanted at most {most}), "
            f"{ibs_share:.1f} % of {all_ibs} ops sampled by IBS (at least {least}); {after:.1f} % of the counter's on the "
            "nine instructions after it")
    if pmc_share > float(most) or ibs_share < float(least) or after < 50:
        raise Failed(line)
    if f"At > DC misses: {pmc_share:.1f}% of {all_pmc} counter samples, {ibs_share:.1f}% of {all_ibs} IBS ops" not in console(folder):
        raise Failed("the console does not say so: " + line)
    return line


LEVEL1 = ("Retiring", "Bad speculation", "Front-end bound", "Back-end bound")


def tree(folder):
    """Returns the rows of the exploration tree by name: whether a row is flagged, and its value if it has one."""
    rows = {}
    text = re.split("General Exploration, (?:Family 10h|top-down of [a-z]+ slots per cycle|Zen[ 23]*, six slots, stalls by token):", console(folder), maxsplit=1)
    if len(text) < 2:
        raise Failed("there is no exploration tree")
    for line in text[1].split("* above its threshold", 1)[0].splitlines()[2:]:
        value = line[36:45].strip(" ()")
        rows[line[2:36].strip()] = (line.startswith("*"), float(value) if value[:1].isdigit() or value[:1] == "-" else None)
    return rows


def check_flagged(folder, *names):
    """Checks that these rows of the exploration tree are marked as above their threshold, and no other row of level 1 is."""
    flagged = {name for name, (mark, _) in tree(folder).items() if mark}
    if (missing := set(names) - flagged) | (extra := (flagged & set(LEVEL1)) - set(names)):
        raise Failed(f"flagged: {sorted(flagged)}; missing {sorted(missing)}, too many {sorted(extra)}")
    return f"flagged: {', '.join(sorted(flagged))}"


def check_not_flagged(folder, *names):
    rows = tree(folder)
    flagged = [name for name in names if rows[name][0]]
    if flagged:
        raise Failed(f"flagged: {flagged}")
    return "not flagged: " + ", ".join(f"{name} ({rows[name][1]} %)" for name in names)


def check_level1(folder):
    """Checks that level 1 and slack add up to 100 %, except for rounding five rows to a tenth."""
    rows = tree(folder)
    values = [rows[name][1] for name in LEVEL1 + ("Slack (rest, not observable)",)]
    return within(f"level 1, {' + '.join(str(value) for value in values)}", sum(values), 99.75, 100.25)


def check_tree(folder):
    """Computes level 1 as docs/exploration.md describes, from the virtual PMU's exact counts, and compares each row with the console, to
    the printed tenth and the 0.1 % tolerance of a total. Late branches come from samples, so their row is the console's."""
    exact = {(select, mask, count_mask(ctl)): workload for select, mask, ctl, workload in truth_runs(folder) if workload}
    cycles, ops, wrong = (exact[select, 0, 0] for select in (0x076, 0x0C1, 0x0C3))
    empty, stalled, aborting = (exact.get((select, 0, 0), 0) for select in (0x0D0, 0x0D1, 0x0D2))
    aborting = min(aborting, stalled)
    bad = max(min(12 * wrong, empty + aborting), aborting)
    front, back = empty - (bad - aborting), stalled - aborting
    rows = tree(folder)
    bad += rows["Until the branch is known, est."][1] * cycles / 100
    slack = cycles - ops / 3 - bad - front - back
    wanted = dict(zip(LEVEL1 + ("Slack (rest, not observable)",), (percent(part, cycles) for part in (ops / 3, bad, front, back, slack))))
    off = [f"{name} {rows[name][1]}, exact {value:.2f}" for name, value in wanted.items() if abs(rows[name][1] - value) > 0.15]
    if off:
        raise Failed("; ".join(off))
    return "level 1 from exact counts: " + ", ".join(f"{name} {value:.2f}" for name, value in wanted.items())


def check_whole(folder, workload, points):
    """Compares level 1 of the whole run, by counters that took turns, with the tree in docs/exploration.md; late branches are in slack."""
    with open("docs/exploration.md") as file:
        row = next(line for line in file if line.startswith(f"| `{workload}` |"))
    wanted = [float(cell.strip(" *")) for cell in row.split("|")[3:8]]
    text = console(folder).split("General Exploration, level 1 of the whole run", 1)
    if len(text) < 2:
        raise Failed("there is no level 1 of the whole run")
    rows = {line[2:34].strip(): float(line[35:44]) for line in text[1].splitlines()[2:8]}
    values = [rows[name] for name in LEVEL1 + ("Slack (rest, not observable)",)]
    worst = max(abs(a - b) for a, b in zip(*([f[0], f[1] + f[4], f[2], f[3]] for f in (values, wanted))))
    if worst > float(points):
        raise Failed(f"off by {worst:.1f} points: {values}, wanted {wanted}")
    return f"level 1 {values}, the tree has {wanted}: off by {worst:.1f} points at most, wanted {points}"


def check_documented(folder, head):
    """Compares the row of docs/exploration.md with this beginning with level 1 of this boot; flagged figures are bold."""
    rows = tree(folder)
    values = [("**%.1f**" if rows[name][0] else "%.1f") % rows[name][1] for name in LEVEL1 + ("Slack (rest, not observable)",)]
    return documented(folder, "docs/exploration.md: " + head + " | {} | {} | {} | {} | {} |", *values)


def check_row(folder, name, low, high):
    """Checks a row of the exploration tree, in percent."""
    return within(name, tree(folder)[name][1], float(low), float(high))


def check_ratio(folder, above, below, low, high):
    """Checks the ratio of two totals. CPI and IPC in the tree are those of 076 and 0C0, to the printed hundredth."""
    means = {row["select"].upper(): int(row["mean"] or 0) for row in reversed(counts(folder))}
    rows = tree(folder)
    for name, value in (("CPI, cycles per instruction", means["076"] / means["0C0"]), ("IPC, instructions per cycle", means["0C0"] / means["076"])):
        if abs(rows[name][1] - value) > 0.0051:
            raise Failed(f"{name}: {rows[name][1]}, counted {value:.4f}")
    return within(f"{above} / {below}", means[above] / means[below], float(low), float(high), "")


def check_invariants(folder, least):
    passed = failed = 0
    text = console(folder).split("Checks of counters and tool", 1)
    if len(text) < 2:
        raise Failed("no invariants were printed")
    for line in text[1].split("\n\n", 1)[0].splitlines():
        passed += line.startswith("PASS ")
        failed += line.startswith("FAIL ")
    if failed or passed < int(least):
        raise Failed(f"{passed} invariants hold, {failed} do not")
    return f"{passed} invariants hold"


def check_configuration(folder, row):
    """NAME|TITLE|VIEW...: checks that the run of that configuration has this title, and each of its views has rows."""
    name, title, *views = row.split("|")
    runs = os.path.join(folder, "runs")
    mine = [run for run in sorted(os.listdir(runs)) if run.endswith("-" + name)]
    if len(mine) != 1:
        raise Failed(f"{name}: runs {mine}")
    with open(os.path.join(runs, mine[0], "report.txt")) as file:
        lines = file.read().split("\n")
    # The IBS report prints its settings instead of a title.
    if name != "ibs" and f"Measured      {name}: {title}" not in lines:
        raise Failed(f"{name}: no title {title}")
    most = 0
    for view in views:
        at = [i for i, line in enumerate(lines) if line.startswith(view + " by instruction: ")]
        totals = [line for i in at for line in lines[i:i + 200] if line.startswith(" all samples")][:1]
        if len(at) != 1 or not totals or f"{view}: no samples" in lines:
            raise Failed(f"{name}: view {view} is there {len(at)} times, with totals {totals}")
        most = max([most] + [int(word) for word in totals[0].split() if word.isdigit()])
    if not most:
        raise Failed(f"{name}: all samples are 0")
    return f"{name}, {title}: {len(views)} view{'s' if len(views) > 1 else ''}, up to {most} samples"


def check_columns(folder):
    """Checks that no line of the report exceeds an 80-column screen, and the console showed all of it."""
    shown = console(folder)
    with open(os.path.join(latest_run(folder), "report.txt")) as file:
        report = file.read().split("\n", 1)[1]
    wide = [line for line in report.split("\n") if len(line) > 79]
    if report not in shown or wide:
        raise Failed(f"report.txt differs from the console, or is too wide: {wide[:1]}")
    return f"report.txt ({report.count(chr(10))} lines) is on the console, at most 79 columns wide"


if __name__ == "__main__":
    main(globals())
