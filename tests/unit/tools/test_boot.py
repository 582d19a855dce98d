#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/qemu/boot, watch and snapshot: what QEMU is called with, what is on the volume, and what is said of its end. The volume is
mtools' own, where it is looked at; QEMU is a program that notes its words and writes what a guest would."""
import difflib
import os
import re
import struct

import helper

# As tools/qemu/boot gives them: -serial file:CONSOLE, -chardev file,id=NAME,path=FILE, -drive ...,file=VOLUME.
QEMU = r"""
for word; do
    case $word in
    --version) exit 0 ;;
    *hold,string=1) holds=1 ;;
    file:*) console=${word#file:} ;;
    *id=line,*) console=${word#*logfile=} ;;
    *id=post,*) post=${word#*path=} ;;
    *id=progress,*) progress=${word#*path=} ;;
    *id=stick,*) volume=${word#*file=} ;;
    *vpmu-plugin.so) [ "$1 $2" != "-M none" ] || exec sh -c "$PLUGIN" ;;
    esac
done
if [ -n "$holds" ]; then
    [ "$HELD" != no ] || exit 1
    echo 'vpmu: held' >>"$console"
    while read -r line; do
        echo "monitor <$line>" >>"$CALLS"
        case $line in
        'migrate "exec:cat >'*) file=${line#*>} && echo state >"${file%\"}" ;;
        quit) /bin/sleep 0.2 && echo 'Migration status: completed' && exit 0 ;;
        esac
    done
    exit 0
fi
cat | sed 's/^/monitor </; s/$/>/' >>"$CALLS"
eval "$GUEST"
exit "${STATUS:-33}"
"""


class Boot(helper.Shell):
    FILES = ("tools/qemu/boot", "tools/qemu/watch", "tools/qemu/snapshot", "vpmu/model/free.c")

    def setUp(self):
        super().setUp()
        self.command("qemu-system-x86_64", QEMU)
        helper.write(self.path("bin/sleep"), "#!/bin/sh\nexec /bin/sleep 0.02\n", 0o755)
        helper.write(self.path("bin/timeout"), '#!/bin/sh\nshift 2\nexec /usr/bin/timeout --foreground 0.02 "$@"\n', 0o755)
        if self._testMethodName in ("test_options", "test_ends", "test_plugin", "test_snapshot", "test_kill", "test_stop", "test_live"):
            for name in ("mformat", "mmd", "mdir", "mcopy"):
                os.symlink("/bin/true", self.path("bin", name))
        for name in ("ibsboot.efi", "ibsboot-vpmu.efi", "vpmu-boot.efi", "ibsboot-test.efi", "ibsboot-test-vpmu.efi"):
            self.file(f"build/{name}", f"{name}\n")
        for name in ("OVMF_VARS_4M.fd", "OVMF_CODE_4M.fd"):
            self.file(f"ovmf/{name}", name)
        self.file("build/vpmu-plugin.so", "plugin", 0o755)
        self.environment.update(OVMF_DIR="ovmf", GUEST="echo 'vpmu: end: status 0' >>$console", PLUGIN="exit 0")

    def boot(self, *words, **environment):
        said = self.run_it("tools/qemu/boot", "--out", "out", *words, **environment)
        said = re.sub(r"snapshots/[0-9a-f]{12}-[0-9a-f]{12}", "snapshots/KEY", said)
        said = "\n".join(line for line in said.splitlines() if not line.startswith("qemu-system-x86_64 <-M> <none>"))
        # A line for each option, with its value.
        said = re.sub(r" <", "\n  <", re.sub(r"after \d+ s", "after N s", said)) + "\n"
        return re.sub(r"(\n  <-[^\n]*)\n  (<[^-\n])", r"\1 \2", said)

    def changes(self, base, said):
        """What the second boot has otherwise, each change between the lines around it: these name the place, for no line stands twice."""
        base, said = base.splitlines(), said.splitlines()
        self.assertEqual((len(set(base)), len(set(said))), (len(base), len(said)))
        return "".join(line + "\n" for line in list(difflib.unified_diff(base, said, lineterm="", n=1))[2:] if not line.startswith("@@"))

    def on_volume(self):
        return self.run_it("mdir", "-/", "-a", "-b", "-i", "out/volume.img").split("\n", 1)[1].replace("status 0\n", "")

    def test_options(self):
        base = self.boot("--size-mb", "4")
        text = base
        for words in (["--cold"], ["--revision", "B", "--late-nmi", "--seed", "9", "--disturb", "77", "--hostile", "a+b", "--lose-stalled", "--count-handler", "--memory", "256"],
                      ["--options", "a=1,2 b", "--smp", "4", "--nodes", "2", "--dead-core", "3", "--without-mp", "--x2apic", "--cpu", "max", "--machine", "pc", "--plugin-fails", "tb"],
                      ["--without-vpmu", "--threads", "multi", "--smp", "2", "--readonly", "--bus", "ide"], ["--os", "--code", "0x10", "--step-handlers", "--image", "\\vmlinuz", "--options", "x"],
                      ["--step", "tf", "--without-serial", "--free", "l1,dc,schedulers"], ["--firmware", "bios", "--area-kb", "100", "--options", "hold_s=3"], ["--network", "socket,udp=1"],
                      ["--network", "socket,udp=1", "--firmware", "bios", "--bus", "xhci"], ["--bus", "ahci", "--cold"], ["--bus", "uhci", "--cold"], ["--bus", "ehci", "--cold"],
                      ["--twin", "--bus", "ahci"], ["--twin", "--bus", "xhci", "--sector", "4096"], ["--without-vpmu", "--secure", "ovmf/OVMF_VARS_4M.fd"], ["--line", "typed.sock"],
                      ["--writes", "50"], ["--vga", "cirrus", "--rtc", "base=2002-01-01,clock=vm"]):
            text += self.changes(base, self.boot(*words, "--size-mb", "4"))
        text += self.changes(base, self.boot("--cold", "--size-mb", "4", IBSBOOT_IMAGE="ibsboot-test", IBSBOOT_OPTIONS="first", IBSBOOT_QEMU_ARGS="-d int"))
        text += self.changes(base, self.boot("--size-mb", "4", "--options", "second", IBSBOOT_OPTIONS="first", IBSBOOT_FIRMWARE="bios"))
        self.kept("boot-options.txt", text)

    def test_nodes(self):
        """The SRAT (ACPI 5.2.16) has each core and the memory, in parts of 16 MB."""
        self.boot("--smp", "4", "--nodes", "3", "--memory", "100", "--size-mb", "4")
        with open(self.path("tree/build/srat-4-3-100"), "rb") as file:
            table = file.read()
        self.assertEqual((len(table), struct.unpack_from("<IQ", table)), (12 + 4 * 16 + 3 * 40, (1, 0)))
        cores = [struct.unpack_from("<BBBBIB3xI", table, 12 + 16 * core) for core in range(4)]
        self.assertEqual(cores, [(0, 16, 0, 0, 1, 0, 0), (0, 16, 0, 1, 1, 0, 0), (0, 16, 1, 2, 1, 0, 0), (0, 16, 2, 3, 1, 0, 0)])
        parts = [struct.unpack_from("<BBI2xQQ4xI8x", table, 76 + 40 * node) for node in range(3)]
        self.assertEqual(parts, [(1, 40, 0, 0, 48 << 20, 1), (1, 40, 1, 48 << 20, 32 << 20, 1), (1, 40, 2, 80 << 20, 32 << 20, 1)])

    def test_usage(self):
        text = ""
        for words in (["--fast"], ["--seed"], ["--free", "dram,dtlbs"], ["--free", ""], ["--free", "l1,,l2"], ["--free", ".*"],
                      ["--stall", "2m"], ["--timeout", ""], ["--bus", "scsi"], ["--sector", "1024"], ["--firmware", "coreboot"], ["--threads", "two"], ["--step", "by"],
                      ["--threads", "multi"], ["--stick", "none"], ["--volume", "none"], ["--file", "none:a/b"], ["--cold"]):
            text += self.boot("--size-mb", "4", *words, OVMF_DIR="ovmf" if words != ["--cold"] else "none")
        self.file("plain")
        text += self.run_it("tools/qemu/boot", "--out", "plain/out")
        self.kept("boot-usage.txt", text)

    def test_volume(self):
        self.file("one.txt", "one")
        files = [word for name in ("a/b/c.txt", "/top.txt", "a/d.txt") for word in ("--file", f"one.txt:{name}")]
        self.boot("--cold", "--size-mb", "4", *files)
        text = self.on_volume()
        self.boot("--without-vpmu", "--size-mb", "4", GUEST="echo 'ibsboot: end: status 0' >>$console")
        text += self.on_volume()
        self.boot("--cold", "--size-mb", "64", "--firmware", "bios")
        text += self.on_volume() + self.run_it("minfo", "-i", "out/volume.img", "::")
        self.boot("--sector", "4096", "--size-mb", "64")
        text += self.run_it("minfo", "-i", "out/volume.img", "::")
        self.boot("--cold", "--size-mb", "63")
        text += self.run_it("minfo", "-i", "out/volume.img", "::")
        self.kept("boot-volume.txt", "\n".join(line for line in text.splitlines() if re.match(r"::/|disk type|serial|Volume label|Big size|Small size|big size|small size|FAT size", line)))

    def test_results(self):
        """What the guest saved is in the folder, its console without escapes; a given volume is kept."""
        save = "mmd -i $volume ::/ibsboot/runs ::/ibsboot/runs/0001 && echo saved | mcopy -i $volume - ::/ibsboot/runs/0001/report.txt\n" \
               "printf 'a\\033[1mb\\r\\nvpmu: end: status 0\\n' >>$console"
        self.boot("--cold", "--size-mb", "4", GUEST=save)
        self.assertEqual((helper.read(self.path("tree/out/console.txt")), helper.read(self.path("tree/out/runs/0001/report.txt"))), ("ab\nvpmu: end: status 0\n", "saved\n"))
        self.assertFalse(os.path.exists(self.path("tree/out/vars.fd")))
        self.boot("--cold", "--size-mb", "4", "--volume", "out/volume.img", GUEST="echo 'vpmu: end: status 0' >>$console")
        self.assertEqual(helper.read(self.path("tree/out/runs/0001/report.txt")), "saved\n")
        tar = "mkdir -p runs/0002 && echo bios >runs/0002/report.txt && : >runs/0002/gone.txt && tar -cf t ./runs && rm -r runs && mcopy -o -i $volume t ::/IBSRUNS.TAR\n" \
              "mkdir -p t2/IBSRUNS/runs/0003 && echo deep >t2/IBSRUNS/runs/0003/x && : >t2/IBSRUNS/runs/0003/empty && tar -C t2 -cf t IBSRUNS && " \
              "mcopy -o -i $volume t ::/IBSRUNS.TAR; rm -r t t2\n" \
              "echo 'vpmu: end: status 0' >>$console"
        self.boot("--firmware", "bios", "--size-mb", "4", GUEST=tar)
        self.assertEqual(sorted(os.listdir(self.path("tree/out/runs/0003"))), ["x"])
        self.assertEqual([name for name in os.listdir(self.path("tree/out")) if name.endswith(".tar")], [])

    def test_stick(self):
        self.run_it("sh", "-c", "truncate -s 3M stick && mformat -i stick@@1M -T 4096 -h 255 -s 63 -H 2048 :: && mmd -i stick@@1M ::/ibsboot && echo x | mcopy -i stick@@1M - ::/ibsboot/note.txt")
        text = self.boot("--stick", "stick", "--firmware", "bios", "--bus", "ehci")
        self.assertEqual((helper.read(self.path("tree/out/note.txt")), "<-kernel>" in text, "file=out/volume.img" in text), ("x\n", False, True))

    def test_ends(self):
        says = "echo 'vpmu: end: status 0' >>$console"
        text = ""
        for guest, status, words in (
                (says, 0, []), (says, 35, []), ("echo 'vpmu: end: status 1' >>$console", 33, []), ("echo 'qemu: broke' >&2", 1, []), ("", 33, []),
                ("echo 'of x ibsbios: exception 6' >>$console; " + says, 33, []), ("echo '!!!! X64 Exception Type - 0D' >>$console; " + says, 33, []),
                ("echo 'vpmu: exception 14' >>$console; " + says, 33, []), ("echo 'FAIL it' >>$console; " + says, 33, []), ("echo 'not FAIL' >>$console; " + says, 33, []),
                ("echo 'FAIL it' >>$console; echo 'vpmu: end: status 1' >>$console", 33, []), ("printf '\\356' >>$post; " + says, 33, ["--firmware", "bios"]),
                ("printf '\\356' >>$post; " + says, 33, []), ("printf '\\355' >>$post; " + says, 33, ["--firmware", "bios"]),
                ("echo 'vpmu: stepping by TF: no mapping' >>$console; echo 'plugin: no rights' >&2; " + says, 33, []),
                ("echo 'vpmu: stepping by TF: no mapping' >>$console; " + says, 33, ["--step", "tf"]),
                ("echo 'ibsboot: end: status 0' >>$console", 0, ["--without-vpmu"]),
                *((f"echo '{refused}' >>$console; exec /bin/sleep 60", 0, ["--without-vpmu", "--secure", "ovmf/OVMF_VARS_4M.fd"])
                  for refused in ("BdsDxe: failed to load Boot0001 \"x\": Access Denied", "Boot0001: Security Violation", "Verification failed: (0x1A)")),
                ("echo 'ibsboot: end: status 0' >>$console; exec /bin/sleep 60", 0, ["--without-vpmu"]), ("echo 'ibsboot: end: status 2' >>$console; exec /bin/sleep 60", 0, ["--without-vpmu"])):
            said = self.boot("--cold", "--size-mb", "4", *words, GUEST=guest, STATUS=str(status)).splitlines()
            text += "\n".join([guest, *[line for line in said if not line.startswith(("  <", "qemu-system", "$"))]]) + "\n"
        self.kept("boot-ends.txt", text)

    def test_limits(self):
        """Twenty rounds without movement, of which each takes 20 ms: the guest may be that slow where other processes run beside it."""
        text = ""
        save = "mmd -i $volume ::/ibsboot/runs ::/ibsboot/runs/1 ::/ibsboot/runs/2; head -c 70 /dev/zero >>$progress; "
        lines = "for i in $(seq 20); do echo line $i >>$console; done; "
        for words in (["--stall", "20"], ["--timeout", "3", "--stall", "0"], ["--stall", "20", "--os"]):
            said = self.boot("--cold", "--size-mb", "4", *words, GUEST=save + lines + "exec /bin/sleep 60").splitlines()
            text += "\n".join([" ".join(words), *[line for line in said if not line.startswith(("  <", "qemu-system", "$", "boot: the console's last lines with"))]]) + "\n"
        self.kept("boot-limits.txt", re.sub(r"\d+ s after its last", "N s after its last", text))

    def test_plugin(self):
        """Whether QEMU loads the plugin is asked once for a plugin and a QEMU; where it does not, stepping is by TF, and the reason is told."""
        def asked(**environment):
            said = self.boot("--cold", "--size-mb", "4", **environment)
            return self.calls.count("<-M> <none>"), [line for line in said.splitlines() if line.startswith("boot: no plugin")], "plugin.so,progress" in said, "memfd" in said
        self.assertEqual(asked(), (1, [], True, True))
        self.assertEqual(asked(), (0, [], True, True))
        self.file("build/vpmu-plugin.so", "another plugin", 0o755)
        self.assertEqual(asked(PLUGIN="echo no such symbol >&2; echo more >&2; exit 1"), (1, ["boot: no plugin, so stepping is by TF, 20 times slower: no such symbol"], False, False))
        self.assertEqual(asked(PLUGIN="exit 1")[1], ["boot: no plugin, so stepping is by TF, 20 times slower: build/vpmu-plugin.so does not load"])
        self.assertEqual(asked()[0], 1)
        os.chmod(self.path("tree/build/vpmu-plugin.so"), 0o644)
        self.assertEqual(asked()[0], 1)

    def test_snapshot(self):
        """The firmware's start is done once for each kind of machine; a boot goes on from there."""
        self.command("qemu-memory", 'shift; exec "$@"', at="tree/build")
        text = self.boot("--size-mb", "4", "--memory", "64")
        self.assertEqual(text.count("hold,string=1"), 1)
        names = os.listdir(self.path("tree/build/snapshots"))
        self.assertEqual([os.path.getsize(self.path("tree/build/snapshots", name)) for name in names if name.endswith(".memory")], [64 << 20])
        names = sorted(re.sub(r"^[0-9a-f-]{25}", "KEY", name) for name in names)
        text += " ".join(names) + "\n" + self.boot("--size-mb", "4", "--memory", "64")
        self.assertEqual(text.count("hold,string=1"), 1)
        first = set(os.listdir(self.path("tree/build/snapshots")))
        # What a boot leaves that is killed while it makes one does not hinder the next.
        key = self.path("tree/build/snapshots/" + next(name for name in first if re.fullmatch("[0-9a-f-]{25}", name)))
        os.remove(key)
        os.mkfifo(key + ".monitor")
        said = self.boot("--size-mb", "4", "--memory", "64")
        self.assertEqual((said.count("hold,string=1"), "-incoming" in said), (1, True))
        self.boot("--size-mb", "4", "--memory", "32")
        self.assertTrue(first < set(os.listdir(self.path("tree/build/snapshots"))))
        self.file("build/vpmu-boot.efi", "another")
        self.boot("--size-mb", "4", "--memory", "64")
        second = set(os.listdir(self.path("tree/build/snapshots")))
        self.assertEqual((len(first & second), len(second)), (1, 3))
        # None can be made: a whole boot, and it is not tried again.
        self.file("build/vpmu-boot.efi", "a third")
        for tried in (1, 0):
            said = self.boot("--size-mb", "4", "--memory", "64", HELD="no")
            self.assertEqual((said.count("hold,string=1"), "boot: passed" in said, "<-incoming>" in said), (tried, True, False))
            self.assertEqual([name for name in os.listdir(self.path("tree/build/snapshots")) if name.endswith(".memory")], [])
        for words in (["--cold"], ["--readonly"], ["--without-serial"], ["--firmware", "bios"], ["--step", "tf", "--without-vpmu"]):
            self.assertNotIn("-incoming", self.boot("--size-mb", "4", *words))
        self.assertNotIn("-incoming", self.boot("--size-mb", "4", IBSBOOT_QEMU_ARGS="-s"))
        self.kept("boot-snapshot.txt", text)

    def test_kill(self):
        """Killed when so many bytes are on port 80h."""
        for at, later in (("5", 9), ("6+0.01", 0.1)):
            guest = f"printf 12345 >>$post; /bin/sleep {later}; printf 6 >>$post; exec /bin/sleep 60"
            said = self.boot("--cold", "--size-mb", "4", "--kill-at", at, GUEST=guest)
            self.assertIn("(QEMU status 137", said)
            self.assertEqual(len(helper.read(self.path("tree/out/post"))), int(at[0]))

    def test_stop(self):
        """By a signal: QEMU is ended, and what the guest has saved by then is taken from the volume."""
        said = self.boot("--cold", "--size-mb", "4", GUEST="/bin/sleep 0.3; kill -TERM $PPID; exec /bin/sleep 9")
        self.assertIn("boot: FAILED after N s: stopped by a signal, ", said)
        self.assertEqual((self.status, said.count("(QEMU status 137,"), said.count("gives it more time")), (4, 1, 0))

    def test_waits(self):
        """How long QEMU's threads waited for a processor since they were last asked, in ms. One that has ended takes its time with it."""
        steps = (("1", "9 3000000000 4"), ("2", "0 2500000 1"), ("1", ""), ("2", "7 6500000 2"))
        script = ". tools/qemu/watch; watch_pid=7 watch_waited=0; " + "; ".join(
            f"mkdir -p 7/task/{thread}; echo '{text}' >7/task/{thread}/schedstat; [ '{text}' ] || rm -r 7/task/{thread}; watch_waits; echo $watch_lost" for thread, text in steps)
        self.run_it("sh", "-c", script, PROCFS=".")
        self.assertEqual(self.output.split(), ["3000", "2", "0", "4"])

    def test_rounds(self):
        """Three rounds without movement after four with it; each is one call of timeout, with the process's number."""
        self.command("timeout", '[ "$(grep -c . "$CALLS")" -gt 3 ] || echo more >>progress')
        self.run_it("sh", "-c", ". tools/qemu/watch; watch_stall=3; /bin/sleep 99 & watch $! none progress; echo $! $watch_ended $watch_still; watch_says", PROCFS="none")
        number, said = self.output.split(" ", 1)
        self.assertEqual(said, "stall 3\nended by --stall 3: nothing has moved for 3 s\n")
        self.assertEqual(self.calls, f"timeout <--foreground> <1> <tail> <-s> <0.02> <-f> <--pid={number}> </dev/null>\n" * 6)

    def test_live(self):
        said = self.boot("--cold", "--size-mb", "4", "--live", GUEST="printf 'a\\033[1mb\\r\\nvpmu: end: status 0\\n' >>$console; /bin/sleep 3")
        self.assertEqual(said.count("\nab\n"), 1, said)


if __name__ == "__main__":
    helper.main()
