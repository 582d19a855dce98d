#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/make-image, tools/pe-nx, tools/verdicts, tools/time-error and the completion of ibsprof for bash."""
import os
import re
import struct

import helper


class Image(helper.Shell):
    """mtools and syslinux are the machine's own; the image is read back by them."""

    FILES = ("tools/make-image",)

    def setUp(self):
        super().setUp()
        for name in ("build/ibsboot.efi", "build/ibsboot.elf", "docs/ibsboot.ini", "bios/syslinux.cfg", "build/ibsbios", "other.efi"):
            self.file(name, f"{name}\n")
        self.environment.update(SOURCE_DATE_EPOCH="1700000000", MTOOLS_SKIP_CHECK="1")

    def image(self, *words, **environment):
        said = self.run_it("tools/make-image", *words, "stick", **environment)
        if self.status == 0:
            said += self.run_it("sh", "-c", "stat -c %s stick; od -An -tx1 -j440 -N72 stick; od -An -tx1 -j1048576 -N 96 stick; mdir -/ -a -i stick@@1M :: | grep -v free; "
                                "mshowfat -i stick@@1M ::/IBSRUNS.TAR; "
                                "mtype -i stick@@1M ::/EFI/BOOT/BOOTX64.EFI; cmp -n 440 stick /usr/lib/syslinux/mbr/mbr.bin", TZ="UTC").split("\n", 1)[1]
        return said

    def test_images(self):
        text = self.image("--size-mb", "12", "--area-mb", "2", "--fat16", "--file", "other.efi:a/b/x.efi", "--file", "other.efi:top")
        text += self.image("--size-mb", "12", "--area-mb", "0", "--fat16", "--bare", "--boot", "other.efi", "--kernel", "other.efi", SOURCE_DATE_EPOCH="0")
        os.remove(self.path("tree/build/ibsbios"))
        text += self.image("--size-mb", "8", "--area-mb", "1", "--fat16", SOURCE_DATE_EPOCH="9999999999")
        self.kept("image.txt", text)

    def test_fat32(self):
        """The boot sector's copy is that of the volume; clusters of 512 bytes up to 128 MB, then of 1 KB."""
        text = ""
        for size in ("66", "128"):
            self.image("--size-mb", size, "--area-mb", "1", "--bare")
            self.run_it("sh", "-c", "dd if=stick bs=512 skip=2048 count=1 status=none | md5sum >a; dd if=stick bs=512 skip=2054 count=1 status=none | md5sum >b")
            self.assertEqual(helper.read(self.path("tree/a")), helper.read(self.path("tree/b")))
            text += self.run_it("sh", "-c", "minfo -i stick@@1M :: | grep -iE 'cluster|type|serial|hidden|sectors|heads|big|label|backup'; od -An -tx1 -j446 -N16 stick")
        self.kept("image-fat32.txt", text)

    def test_usage(self):
        text = ""
        for words in (["--fast"], ["--kernel", "none"], ["--size-mb", "4", "--fat16", "--area-mb", "9"], ["--boot", "none", "--size-mb", "4", "--fat16", "--area-mb", "0"]):
            text += self.image(*words)
        text += self.run_it("tools/make-image")
        self.kept("image-usage.txt", text)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])

    def test_signed(self):
        """The boot file on the volume is what sbsign made of it; one that cannot be signed leaves no image, and the old one alone."""
        small = ("--size-mb", "4", "--fat16", "--area-mb", "0")
        for name in ("own.key", "own.crt"):
            self.file(name, name)
        self.command("sbsign", 'printf "%s " "$@"; echo; echo "signed by $2 $4" >"$6"; cat "$7" >>"$6"')
        text = self.image("--sign", "own.key", "own.crt", *small)
        self.command("sbsign", "echo Signing >&2; echo 'no private key' >&2; exit 1")
        text += self.image("--sign", "own.key", "own.crt", *small)
        text += self.run_it("sh", "-c", "mtype -i stick@@1M ::/EFI/BOOT/BOOTX64.EFI")
        for words in (["--sign", "own.key", "none"], ["--sign", "none", "own.crt"], ["--sign", "own.key"], ["--shim", "shim"]):
            text += self.image(*words)
        self.command("sbsign", 'cp "$7" "$6"')
        self.command("openssl", '[ "$3" != own.key ] && echo "DER of $3" >"$7"')
        for name in ("mmx64", "shimx64"):
            text += self.image("--sign", "own.key", "own.crt", "--shim", "shim", *small)
            self.file(f"shim/{name}.efi.signed", name)
        text += self.image("--sign", "own.crt", "own.key", "--shim", "shim", *small)
        text += self.image("--sign", "own.key", "own.crt", "--shim", "shim", *small)
        text += self.run_it("sh", "-c", "for file in EFI/BOOT/grubx64.efi EFI/BOOT/mmx64.efi ibsboot.cer; do mtype -i stick@@1M ::/$file; done")
        self.kept("image-signed.txt", re.sub(r"/tmp\.\w+", "/MADE", text))
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])


class Nx(helper.Shell):
    FILES = ("tools/pe-nx",)

    @staticmethod
    def checksum(data):
        total = sum(word for word, in struct.iter_unpack("<H", data[:176] + bytes(4) + data[180:]))
        while total >> 16:
            total = (total & 65535) + (total >> 16)
        return total + len(data)

    def made(self, magic=0x20B, rest=b""):
        """A header whose optional part begins at 88 + 24."""
        data = bytearray(b"MZ" + bytes(58) + struct.pack("<I", 88) + bytes(24) + b"PE" + bytes(22) + struct.pack("<H", magic) + bytes(120) + rest)
        struct.pack_into("<I", data, 176, self.checksum(data))
        return bytes(data)

    def marked(self, data):
        with open(self.path("tree/x.efi"), "wb") as file:
            file.write(data)
        self.said = self.run_it("tools/pe-nx", "x.efi")
        with open(self.path("tree/x.efi"), "rb") as file:
            return file.read()

    def test_flag_and_checksum(self):
        """All other bytes stay; the carry of the checksum is taken in; what has flags is left."""
        for rest in (b"", b"\xff\xfe", b"\x10\xff\x07\x80", bytes(70000)):
            before = self.made(rest=rest)
            after = self.marked(before)
            self.assertEqual(after[182:184], b"\0\1")
            self.assertEqual(struct.unpack_from("<I", after, 176)[0], self.checksum(after))
            self.assertEqual(after[:176] + after[180:182] + after[184:], before[:176] + before[180:182] + before[184:])
            self.assertEqual(self.marked(after), after)

    def test_refused(self):
        before = self.made(magic=0x10B)
        self.assertEqual(self.marked(before), before)
        self.assertEqual((self.status, "pe-nx: x.efi is not a PE32+ file\n" in self.said), (2, True))


class Verdicts(helper.Shell):
    FILES = ("tools/verdicts",)

    def test_verdicts(self):
        lines = "for i in $(seq 50); do echo line $i; done >long; log=long; "
        text = ""
        for script in ("ok one; finish",
                       "not_ok two; finish", "skip three why; ok one; finish", lines + "not_ok four; not_ok five /dev/null; finish", "log=l; check a echo said; check b false; cat l; finish",
                       "verdict 0 a; verdict 7 b; is c x x; is d x y; finish", "printf 'ok a\\nnot ok b\\n ok c\\nok d\\n' >l; count_log l; finish", "log=l; check a sh -c 'echo why; exit 3'; finish"):
            text += self.run_it("sh", "-c", f". tools/verdicts; {script}")
        self.kept("verdicts.txt", text)


class TimeError(helper.Case):
    EXACT = "# model,C\n# cycles,{}\nrva,function,dispatch_cycles_sixths,time_sixths,empty_cycles\n1000,f,150,120,0\n1004,f,90,60,6\n2000,g,60,60,0\noutside,,0,24,0\n"
    ESTIMATED = ('# a comment\nrva,function,"ops [samples]","est. time [ppm]"\n1000,f,10,300000\n1004,f,20,400000\n,(front end),0,100000\n,(outside),10,200000\n')

    def said(self, cycles):
        helper.write(self.path("truth-reference.csv"), self.EXACT.format(cycles))
        helper.write(self.path("runs/1/time.csv"), self.ESTIMATED)
        return helper.python("tools/time-error", self.folder)

    def test_variation(self):
        """Exact are 0.4, 0.2, 0.2, outside 0.08 and front end 0.12; what is in one of both alone counts whole.
        At dispatch 0.5, 0.3, 0.2."""
        self.assertEqual(self.said(50), (0, "32.0 % of the estimated time is at other instructions than in the model's exact counts; of the ops 47.0 %, of the cycles at dispatch 20.0 %\n"))

    def test_exact_times_are_the_cycles(self):
        """As far as the first fetch."""
        for cycles, status in ((37, 1), (38, 0), (62, 0), (63, 1)):
            self.assertEqual(self.said(cycles)[0], status)
        self.assertEqual(self.said(63)[1], "exact times are 50.0 of 63 cycles\n")

    def test_nothing_to_compare(self):
        """Of two runs, without exact times, without an estimate, without a run."""
        self.said(50)
        os.mkdir(self.path("runs/2"))
        self.assertEqual(helper.python("tools/time-error", self.folder), (1, ""))
        os.rmdir(self.path("runs/2"))
        os.remove(self.path("truth-reference.csv"))
        self.assertEqual(helper.python("tools/time-error", self.folder), (1, ""))
        self.said(50)
        os.remove(self.path("runs/1/time.csv"))
        self.assertEqual(helper.python("tools/time-error", self.folder), (1, ""))
        os.rmdir(self.path("runs/1"))
        self.assertEqual(helper.python("tools/time-error", self.folder), (1, ""))
        for words in ((), ("a", "b")):
            status, text = helper.python("tools/time-error", *words)
            self.assertEqual((status, "tools/time-error FOLDER" in text), (1, True))


class Completion(helper.Shell):
    FILES = ("tools/ibsprof/ibsprof.bash",)

    def test_words(self):
        self.command("ibsprof", 'case $* in --help) printf "  report  x\\n  runs  y\\n  Note z\\n" ;; '
                     '"report --complete") echo "--format= --html" ;; "report --complete format") echo "csv text" ;; esac')
        for name in ("run one", "run-two", "other"):
            self.file(name)
        text = ""
        for words in (["ibsprof", "re"], ["ibsprof", ""], ["ibsprof", "--v"], ["ibsprof", "report", "--h"], ["ibsprof", "report", "--f"], ["ibsprof", "report", "--format", "="],
                      ["ibsprof", "report", "--format", "=", "c"], ["ibsprof", "report", "--output", "=", "ru"], ["ibsprof", "report", "run"], ["ibsprof", "report", "oth"],
                      ["ibsprof", "report", "--x", "="]):
            quoted = " ".join(f"'{word}'" for word in words)
            text += self.run_it("bash", "-c", "complete() { echo \"complete $*\"; }; compopt() { echo \"compopt $*\"; }; . tools/ibsprof/ibsprof.bash; "
                                f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _ibsprof; printf '<%s>\\n' \"${{COMPREPLY[@]}}\" | sort")
        self.kept("completion.txt", "\n".join(line for line in text.splitlines() if not line.startswith("$")))


if __name__ == "__main__":
    helper.main()
