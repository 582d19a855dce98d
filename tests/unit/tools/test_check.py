#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/linux-guest/check and of tools/linux-guest/report, on made-up results of a guest."""
import json
import os

import helper
from helper import python

MODEL = "# MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n"


class Check(helper.Case):
    def check(self, *words):
        status, line = python("tools/linux-guest/check", *words)
        return status, line.rstrip("\n").replace(self.folder, "FOLDER")

    def put(self, name, text):
        helper.write(self.path(name), text)
        return self.path(name)

    def test_kernel(self):
        def log(*lines):
            self.put("dmesg.txt", "\n".join(lines) + "\n")
        ibs, lvt = "[ 0.1] perf: AMD IBS detected (0x0000001f)", "[ 0.2] LVT offset 1 assigned for vector 0x400"
        entry = "[ 0.2] LVT offset 1 assigned"
        good = "IBS detected (0x0000001f), LVT offset 1, no unknown NMI, no firmware bug"
        log(ibs, entry)
        self.assertEqual(self.check("kernel", self.folder, "C"), (0, good))
        self.assertEqual(self.check("kernel", self.folder, "E"), (0, good))
        self.assertEqual(self.check("kernel", self.folder, "B"), (1, f"no 'AMD IBS detected (0x00000007)' but: ['{ibs}']"))
        log(ibs, lvt)
        self.assertEqual(self.check("kernel", self.folder, "C"), (1, f"no LVT offset of 123 was assigned: ['{lvt}']"))
        for number, wanted in (("0", 1), ("2", 0), ("3", 0), ("4", 1)):
            log(ibs, entry.replace("1", number))
            self.assertEqual(self.check("kernel", self.folder, "C")[0], wanted)
        log(ibs)
        self.assertEqual(self.check("kernel", self.folder, "C"), (1, "no LVT offset of 123 was assigned: []"))
        for word in ("Uhhuh. NMI", "x unknown reason y", "Dazed and", "[Firmware Bug]: x", "WARNING: x", "BUG: x", "Oops: x"):
            log(ibs, entry, word)
            self.assertEqual(self.check("kernel", self.folder, "C"), (1, f"1 lines that real machines do not show: ['{word}']"))
        log(ibs, entry, "BUG: 1", "BUG: 2", "BUG: 3", "BUG: 4")
        self.assertEqual(self.check("kernel", self.folder, "C"), (1, "4 lines that real machines do not show: ['BUG: 1', 'BUG: 2', 'BUG: 3']"))
        log(ibs, entry, "[Firmware Bug]: workaround enabled for IBS LVT offset", "Speculative Return Stack Overflow: WARNING: x")
        self.assertEqual(self.check("kernel", self.folder, "C"), (0, good))
        self.assertEqual(self.check("kernel", self.path("none"), "C")[0], 1)
        self.assertEqual(self.check("kernel", self.folder, "zen9")[0], 1)

    def test_kernel_later(self):
        caps = {"B": 0x7, "12h": 0xFF, "14h": 0xFF, "15h-00": 0xFF, "15h-10": 0xFF, "15h-30": 0xFF, "15h-60": 0x7FF, "16h": 0xFF, "zen": 0x3FF,
                "zen2": 0x3FF, "zen3": 0x3FF, "zen4": 0xBFF, "zen5": 0x81BFF, "zen6": 0x9FBFF}
        for name, value in caps.items():
            offset = 1 if name == "B" else 0
            self.put("dmesg.txt", f"AMD IBS detected (0x{value:08x})\nLVT offset {offset} assigned{'' if offset else ' for vector 0x400'}\n")
            self.assertEqual(self.check("kernel", self.folder, name), (0, f"IBS detected (0x{value:08x}), LVT offset {offset}, no unknown NMI, no firmware bug"))
        self.put("dmesg.txt", "AMD IBS detected (0x000003ff)\nLVT offset 1 assigned\n")
        self.assertEqual(self.check("kernel", self.folder, "zen"), (1, "no LVT offset of 0 was assigned: ['LVT offset 1 assigned']"))

    def test_formats(self):
        def pmus(op, fetch="rand_en ", head="cpu type 4 format any \n"):
            self.put("pmus.txt", f"{head}ibs_op type 9 format {op}\nibs_fetch type 8 format {fetch}\n")
        pmus("cnt_ctl l3missonly ")
        self.assertEqual(self.check("formats", self.folder, "C"), (0, "ibs_op: cnt_ctl l3missonly; ibs_fetch: rand_en"))
        self.assertEqual(self.check("formats", self.folder, "B"), (1, "ibs_op has the formats cnt_ctl l3missonly "))
        pmus("")
        self.assertEqual(self.check("formats", self.folder, "B"), (0, "ibs_op: no formats; ibs_fetch: rand_en"))
        self.assertEqual(self.check("formats", self.folder, "C"), (1, "ibs_op has the formats none"))
        pmus("cnt_ctl ", "")
        self.assertEqual(self.check("formats", self.folder, "C"), (1, "ibs_fetch has the formats none"))
        for text, names in (("ibs_op type 9 format x\ncpu type 4 format \n", "ibs_op cpu"), ("ibs_fetch type 9 format rand_en\n", "ibs_fetch")):
            self.put("pmus.txt", text)
            self.assertEqual(self.check("formats", self.folder, "C"), (1, f"only these: {names}"))

    def test_decoded(self):
        one = "x\nibs_op_ctl:\t1\nibs_op_data3:\t2\n"
        dump = self.put("dump", 3 * one)
        self.assertEqual(self.check("decoded", dump, "op/0001: 3 samples", "op"), (0, "3 of 3 op samples"))
        self.assertEqual(self.check("decoded", dump, "op/0001: 4 samples", "op"), (1, "3 of 4 samples were decoded"))
        self.assertEqual(self.check("decoded", dump, "op/0001", "op"), (1, "record-linux told no number of samples"))
        self.assertEqual(self.check("decoded", dump, "x: 3 samples", "fetch"), (1, "0 of 3 samples were decoded"))
        self.assertEqual(self.check("decoded", self.put("dump", ""), "x: 0 samples", "op"), (1, "0 of 0 samples were decoded"))
        self.assertEqual(self.check("decoded", self.put("dump", one + "x\nibs_op_ctl: 1\n"), "x: 2 samples", "op"), (1, "1 of 2 have ibs_op_data3:"))
        self.assertEqual(self.check("decoded", self.put("dump", "x\nibs_fetch_ctl: 1\nIbsFetchLinAd: 2\n"), "x: 1 samples", "fetch"), (0, "1 of 1 fetch samples"))

    def culprit(self, event, rows, *annotated, head="rva,function,F204 x,F205 x,F206 x"):
        profile = self.put("profile.csv", MODEL + "\n".join([head, *rows]) + "\n")
        files = []
        for i, (lines, samples) in enumerate(annotated):
            text = "".join(f"  {percent} :   {address:x}:  {words} \n" for percent, address, words in lines)
            files.append(f"{self.put(f'annotated-{i}', text)}:{samples}")
        return self.check("culprit", event, self.path("program"), profile, *files)

    def command_nm(self):
        helper.write(self.path("bin/nm"), "#!/bin/sh\necho '0000000000400000 T other'\necho '0000000000401000 t multiply_matrices'\n", 0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{self.path('bin')}:{path}"
        self.addCleanup(os.environ.update, PATH=path)

    def test_culprit(self):
        self.command_nm()
        rows = ["0x0f00,before,0,0,99", "0x1000,multiply_matrices,0,0,0", "0x1054,multiply_matrices,3,0,5", "0x1072,multiply_matrices,0,4,1", "0x2000,after,,,"]
        lines = [("60.00", 0x401072, "flds 8(%rcx)"), ("40.00", 0x401054, "flds (%rax)")]
        text = "multiply_matrices+0x72 (flds 8(%rcx)) has 6 of perf's 10 misses"
        self.assertEqual(self.culprit("dtlb", rows, (lines, 10)), (0, text))
        self.assertEqual(self.culprit("dc", rows[1:], (lines, 10)), (1, f"{text}, but +0x54 most of ibsboot's"))
        # 60 % of 10 at 72h, 90 % of 100 at 54h.
        other = [("90.00", 0x401054, "flds (%rax)"), ("10.00", 0x401072, "flds 8(%rcx)")]
        self.assertEqual(self.culprit("dc", rows[1:], (lines, 10), (other, 100)), (0, "multiply_matrices+0x54 (flds (%rax)) has 94 of perf's 110 misses"))
        self.assertEqual(self.culprit("dc", rows, (lines, 10))[0], 1)
        self.assertEqual(self.culprit("dc", rows, ([], 10)), (1, "perf annotate shows no instruction"))
        self.assertEqual(self.culprit("dc", [], (lines, 10)), (1, "FOLDER/profile.csv has no rows"))
        self.assertEqual(self.culprit("dc", rows[:1], (lines, 10)), (1, "FOLDER/profile.csv has no row of multiply_matrices"))
        head = "rva,function,F204 x,F2060 x,F20"
        self.assertEqual(self.culprit("dc", rows, (lines, 10), head=head), (1, "FOLDER/profile.csv lacks one of the columns F206 "))
        self.assertEqual(self.culprit("dtlb", rows, (lines, 10), head=head), (1, "FOLDER/profile.csv lacks one of the columns F204 , F205 "))
        self.assertEqual(self.check("culprit", "dc", self.path("program"), self.path("none"), f"{self.path('none')}:1")[0], 1)

    def test_alike(self):
        verdicts = ["equivalent", "both", "different", "inconclusive"]
        items = [{"column": "share", "verdict": verdict, "place": i} for i, verdict in enumerate(verdicts)] + [{"column": "x", "verdict": "different", "place": 0}]
        d = {"items": items, "places": [{"name": name} for name in "abcd"], "margin_points": 1.5, "a": {"samples": 1000.4}, "b": {"samples": 2000}}
        text = "2 of 4 shares equal within 1.5 points, 1000 and 2000 samples"
        self.assertEqual(self.check("alike", self.put("d", json.dumps(d)), "1"), (1, f"{text}; not: c different, d inconclusive"))
        d["items"] = items[:2]
        text = "2 of 2 shares equal within 1.5 points, 1000 and 2000 samples"
        self.assertEqual(self.check("alike", self.put("d", json.dumps(d)), "2"), (0, text))
        self.assertEqual(self.check("alike", self.put("d", json.dumps(d)), "3"), (1, f"{text}; not: "))
        self.assertEqual(self.check("alike", self.put("d", "{"), "3")[0], 1)

    def test_counts(self):
        events = [("0c0", 100), ("076", 200), ("0c2", 1234), ("0c3", 4)]

        def report(*lines):
            return "# report,\n" + "".join(f"# pmc_run,{i},53,{code},00,1,{n},0\n" for i, (code, n) in enumerate(events)) + "\n".join(lines)
        reports = self.put("report", "head\n" + report() + "# report,\n# pmc_run,0,53,0c0,00,1,7,0\n")
        rows = ["# started", "", "100,,instructions:u,9,100.00,,", "200,,cycles:u,9,100.00,,", "1234,,branches:u,9,100.00,,", "4,,branch-misses:u,9,100.00,,"]
        stat = self.put("stat", "\n".join(rows) + "\n")
        self.assertEqual(self.check("counts", stat, reports, "1"), (0, "100 instructions:u, 200 cycles:u, 1,234 branches:u, 4 branch-misses:u"))
        self.assertEqual(self.check("counts", stat, reports, "2"), (1, "instructions:u: perf 100, the virtual PMU 7"))
        self.assertEqual(self.check("counts", stat, reports, "3"), (1, "the virtual PMU was asked for 2 reports, and this is number 3"))
        self.assertEqual(self.check("counts", self.put("stat", "\n".join(rows[:-1])), reports, "1"), (1, "only ['100 instructions:u', '200 cycles:u', '1,234 branches:u']"))
        for row, line in (("100,,instructions:u,9,50.00,,", "instructions:u: 100, counted for 50.00 % of the time"),
                          ("<not>,,cycles:u,9,100.00,,", "cycles:u: <not>, counted for 100.00 % of the time"),
                          ("5,,branches,9,100.00", "branches: perf 5, the virtual PMU 1234"),
                          ("5,,page-faults,9,100.00", "'page-faults'")):
            self.assertEqual(self.check("counts", self.put("stat", row + "\n"), reports, "1"), (1, line))
        self.assertEqual(self.check("counts", self.put("stat", "5,,branches,9\n"), reports, "1"), (1, "only []"))

    def test_events(self):
        helper.write(self.path("listed"), "076:00 cycles\n0C0:00 retired\n043:48 fills\n")
        helper.write(self.path("report"), "x\n# report,1\n# pmc_run,0,530076,076,00,1,9\n# pmc_run,1,5300c0,0c0,00,1,7\n# report,2\n# pmc_run,0,534843,043,48,1,5\n")

        def counts(first="9,,cycles,1,100.00,,\n7,,retired,1,100.00,,\n", second="5,,fills,1,100.00,,\n", least="3"):
            helper.write(self.path("events-1.csv"), "# started\n\n" + first)
            helper.write(self.path("events-2.csv"), second)
            return self.check("events", self.path(), self.path("report"), self.path("listed"), least)
        self.assertEqual(counts(), (0, "3 events of Linux' lists count as the virtual PMU does"))
        for words, said in (({"second": "6,,fills,1,100.00,,\n"}, "fills (043:48): perf 6, the virtual PMU 5"), ({"least": "4"}, "only 3 events"),
                            ({"second": "5,,fills,1,50.00,,\n"}, "fills: 5, counted for 50.00 % of the time"),
                            ({"first": "<not counted>,,cycles,1,0.00,,\n"}, "cycles: <not counted>, counted for 0.00 % of the time"),
                            ({"first": "5,,fills,1,100.00,,\n"}, "fills (043:48): perf 5, the virtual PMU None")):
            status, text = counts(**words)
            self.assertEqual((status, said in text), (1, True), text)

    def test_levels(self):
        lines = ["# head", "    60.00%   12  L1 hit  ", "    10.00%    3  L2 hit", "     5.00%    2  L3 or Remote Cache", "     1.00%    4  Local RAM hit", "     1.00%   99  N/A"]
        report = self.put("mem", "\n".join(lines) + "\n")
        self.assertEqual(self.check("levels", report), (0, "12 L1 hit, 3 L2 hit, 2 L3 or Remote Cache, 4 Local RAM hit, 99 N/A"))
        for text in ("    60.00%   9  L1 hit\n    1.00%  9  L2 hit\n", "    60.00%   9  L1 hit\n", "   1.00%  9  L2 hit\n", ""):
            status, line = self.check("levels", self.put("mem", text))
            self.assertEqual((status, line.startswith("perf mem knows these levels: {")), (1, True))
        self.assertEqual(self.check("levels", self.put("mem", "    60.00%   9  L1 hit\n    1.00%  8  a cache hit\n"))[0], 0)


def item(column, place, verdict, a=.5, b=.25, q=.01, low=-.3, high=.1):
    return {"column": column, "place": place, "verdict": verdict, "a": {"value": a}, "b": {"value": b}, "difference": {"low": low, "high": high}, "q": q}


class Report(helper.Case):
    COLUMNS = [{"key": key, "title": title, "unit": unit} for key, title, unit in (
        ("share", "Share", "fraction"), ("dc_miss", "DC misses", "fraction"), ("latency_p50", "Median & more", "cycles"), ("per_work", "Per work", "ops"))]
    PLACES = [{"name": "multiply+0x72", "instruction": "fld dword ptr [rcx+rax*4+8]"}, {"name": "a<b", "instruction": "add"}, {"name": "c", "instruction": "sub"},
              {"name": "d", "instruction": "mov eax, [rcx+rax*4+8]"}]

    def comparison(self, **more):
        items = [item("share", 0, "equivalent"), item("share", 1, "both"), item("share", 2, "different", q=.003), item("share", 3, "different", q=.001),
                 item("dc_miss", None, "different", a=.12345, b=None), item("dc_miss", 0, "equivalent"), item("dc_miss", 1, "different", q=.002),
                 item("dc_miss", 3, "inconclusive"), item("latency_p50", None, "equivalent", 12.34, 100, low=-2, high=3.25), item("latency_p50", 1, "different", 1, 2, q=.5),
                 item("per_work", 2, "different", q=0), item("per_work", 0, "different"), item("per_work", None, "different", 10, 20)]
        return {"columns": self.COLUMNS, "places": self.PLACES, "items": items, "a": {"samples": 12345.6}, "b": {"samples": 999}, "margin_points": 1.5,
                "a_against_b": {"total_variation": {"value": .0321, "by_chance": .01}}, "sentence": "They <differ>.", "warnings": ["one & two"],
                "outside_of_workload": {"a": .0123, "b": .5, "parts": [{"name": f"part {i}", "samples_a": i + .6, "samples_b": 2 * i} for i in range(10)]}, **more}

    def page(self, missing=False):
        status, output = python("tools/linux-guest/report", self.folder, self.path("page.html"))
        self.assertEqual((status, output), (0, ""))
        return helper.read(self.path("page.html"))

    def test_page(self):
        for revision in ("B", "zen2", "C"):
            helper.write(self.path(f"linux-{revision}/out/dmesg.txt"), f"[1] IBS {revision} <x>\n[2] Performance Events\n[3] LVT offset\n[4] other\n")
        os.makedirs(self.path("linux-E"))
        helper.write(self.path("compare-op.json"), json.dumps(self.comparison()))
        few = self.comparison(warnings=[], outside_of_workload={"a": 0, "b": 0, "parts": []})
        few["items"] = few["items"][:2] + [item("share", 2, "different")]
        helper.write(self.path("compare-fetch.json"), json.dumps(few))
        few["items"] = [item("share", 0, "equivalent"), item("share", 2, "different"), item("dc_miss", 0, "different", q=1), item("dtlb_l1_miss", None, "equivalent")]
        few["columns"] = few["columns"] + [{"key": "dtlb_l1_miss", "title": "DTLB", "unit": "fraction"}]
        helper.write(self.path("compare-pages-bare.json"), json.dumps(few))
        throttled = self.comparison()
        helper.write(self.path("compare-throttled.json"), json.dumps(throttled))
        self.kept("guest/linux-report.html", self.page())

    def test_missing(self):
        helper.write(self.path("missing.txt"), "missing: one <item>\nmissing: two\n")
        helper.write(self.path("compare-op.html"), "<p class=\"x\">all</p>")
        self.kept("guest/linux-report-missing.html", self.page())
        sections = ("op", "fetch", "pages-bare", "pages-linux", "big", "frames-bare", "frames-linux", "frames", "cycles", "cycles-other", "throttled")
        for name in sections:
            helper.write(self.path(f"compare-{name}.json"), json.dumps(self.comparison(columns=self.COLUMNS, items=[], outside_of_workload={"a": 0, "b": 0, "parts": []})))
        page = self.page()
        self.assertNotIn("Not compared", page)
        self.assertEqual([page.index(f"<h2 id={name}>") for name in sections], sorted(page.index(f"<h2 id={name}>") for name in sections))


if __name__ == "__main__":
    helper.main()
