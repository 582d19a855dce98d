#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of the shell programs of tools/linux-guest: what they start, keep and say, with boots, perf and ibsprof of their own."""
import os
import re

import helper

G = "tools/linux-guest/"


def settled(text):
    return re.sub(r"\d+ s\b", "N s", re.sub(r"linux-\d{8}-\d{6}", "linux-DATE", text))


class Guest(helper.Shell):
    """tools/linux-guest/boot and noise-loops."""

    FILES = (G + "boot", G + "noise-loops", G + "packages", "tools/qemu/watch")

    def setUp(self):
        super().setUp()
        helper.write(self.path("bin/sleep"), "#!/bin/sh\nexec /bin/sleep 0.02\n", 0o755)
        helper.write(self.path("bin/timeout"), '#!/bin/sh\nshift 2\nexec /usr/bin/timeout --foreground 0.02 "$@"\n', 0o755)
        self.commands("perf")
        self.command("ldd", "echo '\tlibx.so => /lib/libx.so (0x7)'; echo '\tvdso (0x1)'; echo '\t/lib64/ld.so (0x2)'")
        self.command("nm", "echo '0000000000401000 T image_workloads'; echo '0000000000402000 T other'")
        self.command("qemu-system-x86_64", 'for word; do case $word in file:*raw) [ -n "$console" ] || console=${word#file:} ;; esac; done\neval "$GUEST"')
        self.file(G + "initramfs", "import os, sys\nopen(sys.argv[1], 'w').write('initrd')\nopen(os.environ['CALLS'], 'a').write('initramfs ' + ' '.join(sys.argv[1:]) + '\\n')\n")
        self.file(G + "receive", "import os, sys\nprint(os.environ.get('PARTS', '1 parts, 5 bytes'))\nsys.exit(int(os.environ.get('WRONG', '0')))\n")
        self.command("tools/qemu/boot", 'for word; do [ "$before" = --out ] && out=$word; before=$word; done; echo "args $IBSBOOT_QEMU_ARGS" >>"$CALLS"\n'
                     'touch "$out/volume.img" "$out/port2.raw"; console=$out/console.txt; eval "$GUEST"', at="tree")
        for name in ("build/linux/amd64/boot/vmlinuz-6.1-x", "build/linux/cloud-amd64/boot/vmlinuz-6.1-cloud", "build/vpmu-ask", "ovmf/OVMF_VARS_4M.fd", "plan", "build/ibsboot-workloads"):
            self.file(name, "", 0o755)
        self.file("build/linux/cloud-amd64/boot/config-6.1-cloud", "CONFIG_X=1\nCONFIG_HZ=250\n")
        for flavour in ("amd64", "cloud-amd64"):
            self.file(f"build/linux/{flavour}/bin/busybox", "", 0o755)
        self.environment.update(OVMF_DIR="ovmf")

    def boot(self, *words, **environment):
        said = settled(self.run_it(G + "boot", "--out", "out", *words, **environment))
        return said + " ".join(sorted(os.listdir(self.path("tree/out"))) if os.path.isdir(self.path("tree/out")) else []) + "\n"

    END = "printf 'linux: start\\nlinux: handed out 1 parts\\nlinux: plan ended with status 0\\nlinux: end\\n' >>$console; "

    def test_vpmu(self):
        line = "echo 'boot: FAILED after 9 s: ended by --stall 3: nothing moved (QEMU status 137, x)'; "
        text = self.boot("plan", "a:b", GUEST=self.END)
        text += self.boot("--memory", "99", "--append", "more", "--revision", "zen", "--seed", "4", "--step", "tf", "--stall", "7", "--timeout", "8", "plan", GUEST=self.END, IBSBOOT_QEMU_ARGS="-d x")
        for guest, more in ((line + "echo 'linux: records op' >>$console; exit 4", {}), (line + "echo nothing >>$console; exit 4", {}), (line + self.END + "exit 1", {}),
                            ("echo 'Kernel panic' >>$console", {}), (self.END, {"WRONG": "1"}), (self.END, {"PARTS": "2 parts, 9 bytes"}),
                            ("printf 'linux: handed out 1 parts\\nlinux: plan ended with status 3\\nlinux: end\\n' >>$console", {})):
            text += self.boot("plan", GUEST=guest, **more) + helper.read(self.path("tree/out/verdict.txt"))
        self.run_it("rm", "build/vpmu-ask")
        text += self.boot("plan", GUEST=self.END)
        self.kept("guest/guest-vpmu.txt", settled(text))

    def test_bare(self):
        text = self.boot("--without-vpmu", "plan", GUEST="printf 'a\\033[1mb\\r\\n' >>$console; " + self.END, IBSBOOT_QEMU_ARGS="-d x")
        text += helper.read(self.path("tree/out/console.txt"))
        text += self.boot("--without-vpmu", "--live", "--memory", "77", "plan", GUEST=self.END + "/bin/sleep 0.3; exit 3")
        text += self.boot("--without-vpmu", "--stall", "1", "plan", GUEST="echo 'linux: records op' >>$console; exec /bin/sleep 60")
        self.kept("guest/guest-bare.txt", re.sub(r"monitor .*", "", text))

    def test_usage(self):
        text = ""
        for words in ("--fast plan", "--seed", "--stall x plan", "--timeout 1s plan", "", "none", "--live --append"):
            text += self.boot(*words.split())
        text += self.boot("plan", OVMF_DIR="none", GUEST=self.END) + self.boot("--without-vpmu", "plan", OVMF_DIR="none") + self.boot("plan", LINUX_FLAVOUR="none")
        self.file(G + "initramfs", "raise SystemExit(1)\n")
        text += self.boot("plan")
        self.run_it("rm", "-r", "build/linux")
        self.file("build/linux", "a file")
        text += self.boot("plan")
        self.kept("guest/guest-usage.txt", text)

    def test_noise(self):
        files = "for r in 1 2; do printf \"linux: file run-$r/run.ini\\r\\nini $r\\r\\nlinux: end of file\\n" \
                "linux: file run-$r/noise.csv\\ncsv $r\\n2\\nlinux: end of file\\n\" >>$console; done; "
        text = ""
        for guest in (files + "echo first >&2; echo 'linux: end' >>$console", files + "echo second >&2; echo more >>$console"):
            text += settled(self.run_it(G + "noise-loops", "out", "2", "noise_ms=5", "x", GUEST=guest, IBSBOOT_QEMU_ARGS="-d x"))
            text += self.run_it("sh", "-c", "cd out && head -n 99 */* kernel.txt qemu.log && ls")
        text += settled(self.run_it(G + "noise-loops", "out", "1", "x", GUEST="echo begun >>$console; /bin/sleep 0.3; kill -TERM $PPID; exec /bin/sleep 9"))
        self.file(G + "initramfs", "import sys\nprint(open(sys.argv[2].split(':')[0]).read())\n")
        text += self.run_it(G + "noise-loops", "out", "2", "a", GUEST="") + self.run_it(G + "noise-loops", "out", "1", "a", OVMF_DIR="none")
        self.file(G + "initramfs", "raise SystemExit(1)\n")
        text += self.run_it(G + "noise-loops", "out", "1", "a") + self.run_it(G + "noise-loops", "plan/x", "1", "a")
        self.file(G + "initramfs", "import sys\nprint(open(sys.argv[2].split(':')[0]).read())\n")  # nothing of the one that failed
        text += settled(self.run_it(G + "noise-loops", "out", "1", "b", GUEST=files + "echo 'linux: end' >>$console", IBSBOOT_QEMU_ARGS="-d x"))
        self.run_it("rm", "-r", "build/linux/cloud-amd64")
        self.command("apt-cache", "")
        self.command("id", "echo 0")
        text += self.run_it(G + "noise-loops", "out", "1", "a")
        self.kept("guest/guest-noise.txt", text)


class Packages(helper.Shell):
    FILES = (G + "packages",)

    def fetch(self, flavour="amd64", user="0", **environment):
        self.command("id", f"echo {user}")
        said = self.run_it("sh", "-c", f". {G}packages; linux_fetch {flavour}; echo \"$? $linux_kernel $linux_config $linux_release $linux_busybox $linux_problem\"; "
                           "ls -R build 2>/dev/null", **environment)
        return said

    def test_packages(self):
        self.command("apt-cache", '[ -n "$KNOWN" ] || [ -e updated ] && [ -z "$NONE" ] && printf "linux-image-%s\\n  Depends: linux-image-6.1-x\\n  Depends: linux-image-7\\n" "$2"')
        self.command("apt-get", '[ "$1" = update ] && touch updated 2>/dev/null; [ "$1" != download ] || { [ -z "$NET" ] || { echo first; echo "no network"; exit 1; }; touch a.deb b.deb; } >&1')
        self.command("sudo", '"$@"')
        self.command("dpkg-deb", 'case $2 in *a.deb) mkdir -p t/boot && cd t && : >boot/vmlinuz-6.1-x && : >boot/config-6.1-x && tar -c ./boot ;; '
                     '*) mkdir -p t/bin && cd t && echo >bin/busybox && chmod +x bin/busybox && tar -c ./bin ;; esac')
        text = self.fetch(NET="none", KNOWN="1") + self.fetch(NONE="1") + self.fetch(user="7", NONE="1") + self.fetch(KNOWN="1") + self.fetch(KNOWN="1")
        os.remove(self.path("tree/build/linux/amd64/bin/busybox"))
        self.command("dpkg-deb", "exit 1")
        text += self.fetch(KNOWN="1") + self.fetch("cloud-amd64", KNOWN="1", IBSBOOT_BUILD="other")
        self.file("plain")
        text += self.fetch(IBSBOOT_BUILD="plain")
        self.kept("guest/guest-packages.txt", text)


class InTheGuest(helper.Shell):
    """init, plan and send, with the guest's paths below the test's folder."""

    FILES = (G + "init", G + "plan", G + "send")

    def setUp(self):
        super().setUp()
        for name in self.FILES[:2]:
            text = helper.read(self.path("tree", name))
            paths = "/settings|/out|/record-linux|/ibsboot-workloads|/tmp|/sys/bus|/proc/sys|/bin/vpmu-ask|/plan|/events|/proc/kallsyms|/proc/cpuinfo"
            # All at once: the test's folder may be in /tmp itself.
            text = re.sub(rf"(?<![\w}}])(?:{paths})\b", lambda found: self.path("tree") + found[0], text)
            text = text.replace("/bin/busybox", "busybox").replace("export PATH=/bin", "export PATH")
            self.file(name, text, 0o755)
        self.commands("send", "vpmu-ask", "mkfifo", "perf")
        for name in ("sys/bus/event_source/devices/ibs_op/format/cnt_ctl", "sys/bus/event_source/devices/ibs_op/format/rand", "sys/bus/event_source/devices/cpu/x", "tmp/x", "proc/sys/kernel/x"):
            self.file(name)
        for name, number in (("ibs_op", "9"), ("cpu", "4")):
            self.file(f"sys/bus/event_source/devices/{name}/type", number)
        self.command("record-linux", "echo recorded; exit ${RECORDS:-0}", at="tree")
        self.command("ibsboot-workloads", "echo twin; exit ${TWIN:-0}", at="tree")

    def plan(self, event="ibs_op", ask=True, **environment):
        self.file("settings", f"workload='w n=1' items='{environment.pop('items')}' op_event={event} fetch_event=ibs_fetch op_period=11 other_period=12 fetch_period=13 runs=4 others=2 "
                  "frames_workload='f n=2' frames_period=14\n")
        if ask:
            self.command("bin/vpmu-ask", at="tree")
        self.run_it("rm", "-rf", "out")
        said = self.run_it("sh", G + "plan", **environment)
        return said + self.run_it("sh", "-c", "cd out && head -n 99 *.txt *.status *.ini *.csv */*/* 2>/dev/null").split("\n", 1)[1]

    def test_plan(self):
        items = "op op-2m fetch cycles cycles-other cycles-77 frames throttled mem"
        text = self.plan(items=items) + self.plan(items=items, RECORDS="3") + self.plan(items="throttled", RECORDS="3") + self.plan("cpu-clock", items="op")
        self.command("perf", 'while [ $# -gt 0 ]; do case $1 in -o) echo counted >"$2" ;; --) shift && exec "$@" ;; esac; shift; done')
        text += self.plan(items="mem stat mem") + self.plan(items="stat", TWIN="1") + self.plan(items="mem", TWIN="1")
        # All but one event are modelled. 003 takes two of the six counters: it fills the first group, has no room in the second, and begins the third.
        self.file("events", "".join(f"{code}:{n:02X} name{n}\n" for n, code in enumerate("0C0 0C1 0C2 0C3 0C4 003 0C6 0C7 0C0 0C1 0C2 003 0C0 0C1 0C2 0C4".split())))
        self.command("vpmu-ask", '[ "$1 $2 $3" != "counts 0C3 03" ] || exit 1')
        text += self.plan(ask=False, items="events")
        self.run_it("rm", "bin/vpmu-ask")
        text += self.plan(ask=False, items="stat")
        self.kept("guest/guest-plan.txt", text)

    def test_init(self):
        self.commands("busybox", "mount", "stty", "poweroff", "plan")
        self.command("dmesg", "echo kernel")
        self.command("send", "exit ${SENDS:-0}")
        for name, text in (("proc/kallsyms", "0 T start\n0 t local\n0 W weak\n0 d data\n"), ("proc/cpuinfo", "cpu\n"), ("plan", "echo planned; exit 4\n"), ("tmp/part.number", "7\n")):
            self.file(name, text)
        text = self.run_it("sh", G + "init") + self.run_it("sh", "-c", "cd out && cat dmesg.txt cpuinfo.txt && gunzip -c kallsyms.gz")
        self.kept("guest/guest-init.txt", text + self.run_it("sh", G + "init", SENDS="1"))

    def test_send(self):
        self.command("md5sum", "cat >/dev/null; echo 0123456789abcdef0123456789abcdef")
        os.remove(self.path("bin/send"))
        for name in ("out/a", "out/d/b c", "out/d/e"):
            self.file(name, name)
        where = {"OUT": self.path("tree/out"), "PORT": self.path("tree/port"), "TMPDIR": self.path("tree/tmp")}

        def send(*words):
            said = self.run_it("sh", G + "send", *words, **where)
            heads = re.findall(r"^linux: part .*$", helper.read(self.path("tree/port")) if os.path.exists(self.path("tree/port")) else "", re.M)
            tar = self.run_it("sh", "-c", "tail -c +1 port | tail -c 10240 | tar -t 2>&1 | tail -n 5").split("\n", 1)[1]
            return said + "\n".join(heads) + f"\n{tar}" + self.run_it("sh", "-c", "sort tmp/part.sent; ls tmp").split("\n", 1)[1]
        text = send("d/e") + send() + send()
        self.file("out/new")
        text += send() + send("a") + send("none")
        where["OUT"] = self.path("none")
        text += send()
        where.update(OUT=self.path("tree/out"), PORT=self.path("none/port"))
        self.kept("guest/guest-send.txt", text + send("a"))


class Run(helper.Shell):
    """tools/linux-guest/run and lib: which boots, checks and comparisons are made of what is there."""

    FILES = (G + "run", G + "lib", "tools/verdicts")

    def setUp(self):
        super().setUp()
        self.command("date", 'case $1 in +%s) echo 100 ;; *) echo 20260102-030405 ;; esac')
        self.command("perf", 'echo said by perf')
        bare = 'for word; do [ "$before" = --out ] && out=$word; before=$word; done\nmkdir -p "$out"\n'
        self.command("tools/qemu/boot", bare + 'cat "$out.txt" >>"$CALLS"; touch "$out/volume.img"; [ -z "$BARE" ] || for n in $BARE; do '
                     'mkdir -p "$out/runs/000$n-x"; echo x >"$out/runs/000$n-x/perf.data"; '
                     'echo y >"$out/runs/000$n-x/profile.csv"; done; echo "boot: passed after 1 s: end (QEMU status 33, x)"; exit ${BOOTS:-0}', at="tree")
        self.command(G + "boot", bare + 'cat "$out/../settings-${out##*-}" >>"$CALLS"; for n in $THERE; do '
                     'mkdir -p "$out/out/$n"; echo x >"$out/out/$n/perf.data"; echo "/out/$n: 5 samples" >>"$out/out/${n%/*}.txt"; done\n'
                     '[ -z "$THERE" ] || { for f in dmesg.txt pmus.txt stat.csv stat-user.csv events-1.csv; do echo x >"$out/out/$f"; done; '
                     'mkdir -p "$out/out/throttled/0001"; echo x >"$out/out/throttled/0001/perf.data.throttled"; }\n'
                     'echo "linux: FAILED after 5 s: ended by --stall 1: nothing; x; at \'linux: records op\'; handed out: 1 parts (QEMU status 1, y)" '
                     '| tee "$out/verdict.txt"; exit ${GUESTS:-1}', at="tree")
        self.command(G + "check", 'echo "checked $1"; exit ${CHECKS:-0}', at="tree")
        self.command(G + "misses", 'echo 7; touch "$2"; exit ${MISSES:-0}', at="tree")
        self.command(G + "report", at="tree")
        self.command("build/tools/ibsprof", 'for word; do [ "$before" = -o ] && echo z >"$word"; before=$word; done; [ -z "$COMPARE" ] || { echo "no good" >&2; exit 1; }', at="tree")
        self.file("build/ibsboot.elf")
        self.file("tests/facts/zen_linux.txt", "# facts\ncore 076:00 1234 core cycles\ncore 076:00 45 core again\ncore 000:10 1 fp old\nl3 004:FF 45 cache l3\ncore 0A0:02 45 core new\n")

    def started(self, *words, **environment):
        self.run_it("rm", "-rf", "out")
        said = self.run_it(G + "run", "--out", "out", *words, **environment)
        lines = said.splitlines()
        # Both kinds of boots run at the same time.
        return "\n".join(lines[:lines.index(f"status {self.status}") + 1] + sorted(lines[lines.index(f"status {self.status}") + 1:])) + "\n" + self.run_it(
            "sh", "-c", "ls out; ls -d out/*/runs/* 2>/dev/null; grep . out/events-zen* /dev/null 2>/dev/null; cat out/missing.txt").split("\n", 1)[1]

    ALL = "op/0001 op/0002 op/0003 op/0004 op-2m/0001 fetch/0001 frames/0001 cycles/0001 cycles/0002 cycles/0003 cycles/0004 cycles-other/0001 cycles-other/0002 mem/0001"

    def test_boots(self):
        text = self.started() + self.started("--only", "zen2", "--timeout", "5", "--stall", "6", "--step", "tf", LINUX_RUNS="2", LINUX_OTHERS="2", LINUX_N="200", LINUX_ROWS="3")
        text += self.started("--without-vpmu", BOOTS="1", GUESTS="0", LINUX_FRAMES_N="5") + self.run_it(G + "run", "--nonsense") + self.run_it(G + "run", "--out")
        self.kept("guest/linux-boots.txt", settled(text))

    def test_whole(self):
        text = self.started("--only", "C", THERE=self.ALL, BARE="1 2 3 4 5 6 7 8") + self.started("--only", "B", THERE=self.ALL, BARE="1 2 3 4", LINUX_N="299")
        text += self.started("--only", "zen4", THERE=self.ALL, BARE="1 2 3 4 5", LINUX_N="300")
        self.kept("guest/linux-whole.txt", settled(text))

    def test_faults(self):
        text = self.started("--only", "C", THERE="op/0001", BARE="1", CHECKS="1", MISSES="1", COMPARE="no") + self.started("--only", "zen4", THERE="fetch/0001", BARE="5")
        text += self.run_it(G + "run", "--again", "--out", "out", "--only", "zen4", THERE="") + self.run_it("sh", "-c", "ls out")
        self.run_it("rm", "-rf", "out/linux-zen4/verdict.txt", "out/linux-zen4/out")
        self.file("out/linux-zen4/out/op.status", "1\n")
        self.file("out/linux-zen4/out/op.txt", "record-linux: note: x\nrecord-linux: first\nrecord-linux: nothing was recorded\n")
        self.file("out/linux-zen4/out/mem.status", "0\n")
        text += self.run_it(G + "run", "--again", "--out", self.path("tree/out"), "--only", "zen4")
        self.kept("guest/linux-faults.txt", settled(text))


if __name__ == "__main__":
    helper.main()
