#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of ./dev: what each command installs, builds and starts, with programs that note how they were called."""
import os

import helper

PROGRAMS = ("tests/all", "tests/check/run", "docs/refresh", "tests/boot/machine/matrix.py",
            "bench/run", "bench/kills", "bench/boots", "bench/stepping", "tools/make-image", "tools/dist", "tools/linux-guest/run")


class Dev(helper.Shell):
    FILES = ("dev",)

    def setUp(self):
        super().setUp()
        self.commands("make", "clang-format")
        self.command("nproc", "echo 3")
        # It is called a thousand times.
        helper.write(self.path("bin/dpkg-query"), '#!/bin/sh\necho "dpkg-query $3" >>$CALLS\ncase " $MISSING " in *" $3 "*) ;; *) echo installed ;; esac\n', 0o755)
        self.command("git", "printf 'core/a.c\\0core/b.h\\0'")
        self.command("date", "echo 20260102-030405")
        self.command("od", "echo '   1234567'")
        for name in PROGRAMS:
            self.command(name, 'echo "path $PATH"' if name == "tests/all" else "", at="tree")
        self.file("tests/check/each", "import sys\nprint('each', sys.argv[1:], sys.flags.dont_write_bytecode)\n")
        self.file("tests/mutate/__main__.py", "import sys\nprint('mutate', sys.argv[1:], sys.flags.dont_write_bytecode)\n")
        self.command("tools/qemu/boot", 'out=${*##*--out }; out=${out%% *}; for file in $RUNS; do mkdir -p "$out/runs/${file%/*}"; : >"$out/runs/$file"; done; exit ${ENDS:-0}', at="tree")
        for name in ("ibsboot.efi", "ibsboot.elf", "ibsboot-vpmu.efi", "ibsboot-workloads"):
            self.file(f"build/{name}")
        self.command("build/tools/ibsprof", at="tree")

    def quiet(self, text):
        """Without the packages that were looked for, which are all there."""
        return "\n".join(line for line in text.splitlines() if not line.startswith("dpkg-query ")) + "\n"

    def test_commands(self):
        text = packages = ""
        for words in ("build", "check", "check --each HEAD~2 --jobs 3", "format", "test", "matrix sampled", "docs", "docs --tables", "mutate core --seed 2", "image",
                      "image --sign own.key own.crt", "dist --out x", "linux --only C", "bench", "clean", "nonsense", "help", "-h", "--help", ""):
            said = self.run_it("./dev", *words.split())
            if words == "build":
                said = "\n".join(line.split()[-1] if line.startswith("-") else line for line in said.splitlines()) + "\n"
            text += self.quiet(said)
            found = [line.split()[1] for line in self.calls.splitlines() if line.startswith("dpkg-query ")]
            packages += f"{words}: {' '.join(found)}\n"
            self.assertEqual(os.path.exists(self.path("tree/build")), words not in ("clean", "nonsense", "help", "-h", "--help", ""))
        self.kept("dev-commands.txt", text)
        self.kept("dev-packages.txt", packages)

    def test_install(self):
        self.command("sudo", '"$@"')
        self.command("apt-get", 'echo "apt says $DEBIAN_FRONTEND"; exit ${APT:-0}')
        text = ""
        for user, apt in ((0, 0), (1000, 0), (0, 1)):
            self.command("id", f"echo {user}")
            text += self.quiet(self.run_it("./dev", "image", MISSING="mtools syslinux", APT=str(apt)))
        os.remove(self.path("bin/sudo"))
        os.symlink("/bin/sh", self.path("bin/sh"))
        self.command("id", "echo 1000")
        for name in ("dirname", "cat", "mkdir", "mktemp", "rm"):
            os.symlink(f"/usr/bin/{name}", self.path("bin", name))
        text += self.quiet(self.run_it("./dev", "image", MISSING="mtools", PATH=self.path("bin")))
        self.kept("dev-install.txt", text)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])

    def test_failed_build(self):
        self.command("make", "echo 'error: no' >&2; exit 2")
        said = self.run_it("./dev", "build")
        self.assertEqual((self.status, self.output), (1, "dev: building all ibsprof build/ibsboot-workloads\nerror: no\n"), said)
        self.assertEqual(helper.read(self.path("tree/build/make.log")), "error: no\n")

    def test_run(self):
        # In place of the program, which is linked from the image's objects (tests/host/ibsprof/mistakes.sh has its answers).
        self.command("build/tools/arguments", """while [ "${1#--}" != "$1" ]; do printf "'%s' '%s' " "$1" "$2"; shift 2; done
printf -- '-- '
for word; do
    [ "$word" != wrong ] || { echo "dev: this is wrong" >&2; exit 2; }
    printf "'%s' " "$word"
done""", at="tree")
        text = ""
        for words in ("pages=2m frames=shuffled", "n=100", "frame_seed=5 seed=2", "--revision zen2 --smp 2 --nodes 2 --timeout 5 --stall 6 --hostile a+b --step tf --firmware bios seed=1",
                      "--smp 2 rows=2 wrong", "rows=2 --help"):
            text += self.quiet(self.run_it("./dev", "run", *words.split()))
        text += self.quiet(self.run_it("./dev", "run", "seed=1", 'show="event 041"'))
        self.assertEqual(os.readlink(self.path("tree/build/latest")), "runs/20260102-030405")
        self.file("own/tried.elf", "code")
        for words in ("--repeat 2 --out many seed=9 n=100", "--repeat 2 --out many", "--repeat 3", "--code own/tried.elf seed=1"):
            text += self.quiet(self.run_it("./dev", "run", *words.split(), RUNS="0001-a/run.ini"))
        self.assertEqual(helper.read(self.path("tree/build/own/tried.elf")), "code")
        for runs, ends in (("0001-a/run.ini", "0"), ("0001-a/run.ini 0002-b/run.ini", "0"), ("0001-h/run.ini 0001-h/hardware.csv", "3"), ("0001-x/begun.ini", "4")):
            self.run_it("rm", "-rf", "build/runs")
            text += self.quiet(self.run_it("./dev", "run", "seed=1", RUNS=runs, ENDS=ends))
        self.kept("dev-run.txt", text)


if __name__ == "__main__":
    helper.main()
