# SPDX-License-Identifier: BSD-2-Clause
"""The report's JSON (docs/files.md), from a .json file or a page: it parses, and every sum is right."""
import json
import sys

text = open(sys.argv[1], encoding="utf-8").read()
if text.startswith("<!DOCTYPE"):
    text = text.split('id="profile">\n', 1)[1].split("</script>", 1)[0]
report = json.loads(text)


def pairs(sparse):
    return {sparse[i]: sparse[i + 1] for i in range(0, len(sparse), 2)}


def check(what, left, right):
    if left != right:
        sys.exit(f"{what}: {left} is not {right}")


assert report["schema"] == "ibsprof report" and report["version"] == 1
codes = [event["code"] for event in report["derived"]]
totals = pairs(report["totals"])
total = {code: totals.get(i, 0) for i, code in enumerate(codes)}
sums, number, latency = {}, 0, {}
for function in report["functions"]:
    check("first_row", function["first_row"], number)
    last = -1
    for row in function["rows"]:
        number += 1
        offset = int(row[0], 16) if isinstance(row[0], str) else row[0]
        assert offset > last, f"rows of {function['name']} do not ascend"
        last = offset
        assert row[2] == -1 or row[2] < len(function["sources"])
        counts = pairs(row[3]) if len(row) > 3 else {}
        for key, value in counts.items():
            sums[key] = sums.get(key, 0) + value
        if len(row) > 5:
            check(f"loads that missed at {offset:x}", sum(pairs(row[5]).values()), counts.get(codes.index("X200"), 0))
            for key, value in pairs(row[5]).items():
                latency[key] = latency.get(key, 0) + value
    for key, value in pairs(function.get("rest", [[]])[0]).items():
        sums[key] = sums.get(key, 0) + value
check("sums of rows", {codes[key]: value for key, value in sums.items()}, {code: value for code, value in total.items() if value})
RATIOS = {"dc": ("F206", "F200"), "dc_loads": ("X200", "F201"), "cache": ("F243", "F201"), "dtlb": ("F205", "X201"), "dtlb_l2": ("F204", "X201"),
          "remote": ("F241", "X240"), "branch": ("F104", "F103"), "misaligned": ("F208", "F200"), "ic": ("F008", "F002"), "itlb": ("F006 F007", "F002"),
          "aborted": ("F004", "F002")}
for one, of in [(report, total)] + [(core, {codes[i]: n for i, n in pairs(core["counts"]).items()}) for core in report["cores"] + report["nodes"]]:
    wanted = {key: [sum(of.get(code, 0) for code in part.split()), of[whole]] for key, (part, whole) in RATIOS.items() if of.get(whole)}
    check("ratios", {key: value[:2] for key, value in one["ratios"].items()}, wanted)
    for part, whole, low, high in one["ratios"].values():  # E. B. Wilson, J. Am. Stat. Assoc. 22, 1927
        p, n, z2 = part / whole, whole, 1.959964**2
        middle, half = (p + z2 / 2 / n) / (1 + z2 / n), (z2 * p * (1 - p) / n + (z2 / 2 / n) ** 2) ** 0.5 / (1 + z2 / n)
        assert abs(low - max(0, middle - half)) < 1e-6 and abs(high - min(1, middle + half)) < 1e-6, (part, whole, low, high)
check("op samples", total["F100"], report["samples"]["op"]["all"])
check("fetch samples", total["F000"], report["samples"]["fetch"]["all"])
by_source = [sum(pairs(source["counts"]).values()) for source in report["latency"]["sources"]]
check("latencies by source", sum(by_source[1:]), total["X200"])
answered = [sum(-total[code[1:]] if code[0] == "-" else total[code] for code in source["loads"]) for source in report["latency"]["sources"]]
# The manual's events do not count what another node's L3 answered (docs/measuring.md), which has the place of its caches here.
far = [source["name"] for source in report["latency"]["sources"]].index("another node's cache")
check("loads by source", answered[1:far] + answered[far + 1 :], by_source[1:far] + by_source[far + 1 :])
check("all loads by source", sum(answered) - answered[far] + by_source[far], total["F201"])
assert answered[far] <= by_source[far]
check("time to retirement", sum(pairs(report["latency"]["tag_to_retire"]).values()), total["F100"])
points = report["points"]
for column in ("region", "offset", "time_step", "row", "latency", "source", "flags"):
    check(f"points.{column}", len(points[column]), points["count"])
assert points["count"] <= 20000 and points["count"] <= points["seen"]
check("points of regions", sum(region["points"] for region in points["regions"]), points["count"])
for region, offset, row in zip(points["region"], points["offset"], points["row"]):
    assert offset <= points["regions"][region]["span"] and -1 <= row < number
known = set(codes) | {event["operand"] for event in report["events"]}
for view in report["views"]:
    for column in view["columns"]:
        assert {column[key] for key in ("left", "plus", "right") if key in column} <= known | {"E041"}, view["name"]
print(f"{number} rows, {points['count']} points")
