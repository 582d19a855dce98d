#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/record-linux, with a perf, a twin and a machine of their own: what is refused, what perf is called with, what is put back."""
import re

import helper

PERF = r"""
case $1 in
--version) echo 'perf version 6.1' ;;
buildid-list) echo 0123abcd ;;
record)
    cat "$PROCFS"/sys/kernel/perf_* "$SYSFS"/devices/system/cpu/cpufreq/boost 2>/dev/null | paste -s -d ' ' >>"$CALLS"
    for word; do [ "$before" = -o ] && file=$word; before=$word; done
    while [ "$1" != -- ]; do shift; done
    shift
    [ -z "$PERF_FAILS" ] || { printf 'Warning: x\nEvents y\n\nno access\nmore\n' >&2; exit 1; }
    head -c "${SIZE:-10}" /dev/zero >"$file"
    "$@"
    ;;
report) printf '%s\n' '   SAMPLE events:       1234 ( 99%)' '   SAMPLE events: 5' "$STATS" ;;
esac
case " $* " in *buildid-cache*) exit "${CACHE:-0}" ;; esac
"""


class Record(helper.Shell):
    FILES = ("tools/record-linux",)

    def setUp(self):
        super().setUp()
        self.command("perf", PERF)
        self.command("taskset", 'shift 2; exec "$@"')
        self.command("uname", 'echo "Linux $*"')
        self.command("twin", 'case "$*" in *bad=*) echo "twin: no bad" >&2; exit 5 ;; esac; echo "workload = $1"', at="tree")
        self.file("sys/bus/event_source/devices/ibs_op/format/cnt_ctl")
        self.file("sys/bus/event_source/devices/ibs_fetch/type")
        self.machine()
        self.file("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1,3-5\n")
        self.file("proc/cpuinfo", "model name\t: AMD X\nmodel name\t: AMD Y\nflags\t: fpu\n")
        self.file("proc/cmdline", "quiet isolcpus=5 root=/dev/sda nohz_full=5 xidle=1 mitigations=off\n")
        self.file("proc/kallsyms", "symbols\n")
        self.environment.update(SYSFS="sys", PROCFS="proc")

    def machine(self, boost="1", percent="25", rate="50000"):
        self.file("sys/devices/system/cpu/cpufreq/boost", boost + "\n")
        self.file("sys/devices/system/cpu/cpu5/cpufreq/scaling_governor", "schedutil\n")
        self.file("proc/sys/kernel/perf_cpu_time_max_percent", percent + "\n")
        self.file("proc/sys/kernel/perf_event_max_sample_rate", rate + "\n")

    def knobs(self):
        return " ".join(helper.read(self.path("tree", name)).strip() for name in (
            "proc/sys/kernel/perf_cpu_time_max_percent", "sys/devices/system/cpu/cpufreq/boost", "sys/devices/system/cpu/cpu5/cpufreq/scaling_governor",
            "proc/sys/kernel/perf_event_max_sample_rate"))

    def record(self, *words, **environment):
        self.run_it("rm", "-rf", "out", "linux-w")
        said = self.run_it("tools/record-linux", *words, **environment)
        said = re.sub(r"tmp\.\w+", "TMP", said)
        return said + f"afterwards: {self.knobs()}\n" + self.run_it(
            "sh", "-c", "find out linux-w -type f 2>/dev/null | sort; cat out/0001/run.ini 2>/dev/null; ls -d \"$TMPDIR\"/tmp.*").split("\n", 1)[1]

    def test_refused(self):
        text = ""
        for words in ("", "--fast w", "w x", "w --runs=0", "w --runs=x", "w --repeat=0", "w --period=", "w --period=1000", "w --period=128", "w --period=144 --cpu=x", "w --event=ibs_fetch --period=0",
                      "w --event=ibs_fetch --period=8", "w --event=cycles", "w --twin=none", "w bad=1", "w --out=tools", "--help", "-h"):
            text += self.record("--twin=./twin", *words.split())
        self.run_it("rm", "-r", "sys/bus")
        text += self.record("--twin=./twin", "w", "--out=out")
        self.file("out/there")
        text += self.run_it("tools/record-linux", "--twin=./twin", "w", "--out=out")
        self.kept("record-refused.txt", text)

    def test_recordings(self):
        text = ""
        for words in ("w n=5 --out=out --runs=2 --period=144", "w --runs=1 --event=ibs_fetch --period=16 --cpu=2 --pages=2m --repeat=3 --out=out", "w --runs=1 --cycles --late --out=out",
                      "w --runs=1 --late --out=out --kernel", "w --runs=1 --event=cpu-clock --period=16 --late", "w --runs=2 --tune --out=out",
                      "w --runs=2 --out=out --after=echo~done~$1;false"):
            text += self.record("--twin=./twin", *[word.replace("~", " ") for word in words.split()])
        text += helper.read(self.path("tree/out/machine.txt"))
        self.run_it("rm", "sys/bus/event_source/devices/ibs_op/format/cnt_ctl")
        self.file("proc/cpuinfo", "flags\t: fpu hypervisor x\n")
        text += self.record("--twin=./twin", "w", "--runs=1", "--out=out", CACHE="1")
        self.machine("0", "0", "2000000")
        text += self.record("--twin=./twin", "w", "--runs=1", "--out=out", "--tune")
        self.kept("record-recordings.txt", text)

    def test_own_code(self):
        """Own code runs by --code, in a folder that has its name, and its file is kept beside the twin's."""
        self.file("a=b/own.c.elf")
        text = self.record("--twin=./twin", "--code=a=b/own.c.elf", "--runs=1") + self.run_it("sh", "-c", "find linux-own.c -type f | sort")
        text += self.record("--twin=./twin", "w", "--code=a=b/own.c.elf", "n=3", "--late", "--out=out", "--runs=1")
        self.kept("record-own-code.txt", text)

    def test_failures(self):
        text = self.record("--twin=./twin", "w", "--runs=3", "--out=out", PERF_FAILS="yes")
        self.command("perf", PERF.replace('[ -z "$PERF_FAILS" ]', 'case $file in *0001*) false ;; esac || [ ! -e out/0002 ]'))
        text += self.record("--twin=./twin", "w", "--runs=3", "--out=out")
        self.command("perf", PERF)
        for stats in ("  THROTTLE events:   2 (0.1%)", "  LOST events: 0", "  LOST_SAMPLES events:  70 ( 3%)\n  LOST events:  1 (1%)"):
            text += self.record("--twin=./twin", "w", "--runs=1", "--out=out", "--tune", STATS=stats)
        text += self.record("--twin=./twin", "w", "--runs=1", "--late", "--out=out", SIZE="8388608") + self.record("--twin=./twin", "w", "--runs=1", "--late", "--out=out", SIZE="8388607")
        text += self.record("--twin=./twin", "w", "--runs=1", "--out=out", SIZE="8388608")
        self.kept("record-failures.txt", text)


if __name__ == "__main__":
    helper.main()
