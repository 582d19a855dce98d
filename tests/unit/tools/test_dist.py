#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests of tools/dist on a made-up tree: versions, what is built with which words, the files of a release. tests/host/project/release.sh makes a real one."""
import os
import re

import helper

GIT = """case $* in
"rev-parse --short=8 HEAD") echo 1234abcd ;;
"rev-parse HEAD") echo 1234abcd00 ;;
rev-parse*) echo "$TAG"; [ -n "$TAG" ] ;;
status*) echo "$DIRTY" ;;
show*) cat "${2#HEAD:}" ;;
rev-list*) echo 7 ;;
log*) echo 1700000000 ;;
archive*) mkdir -p "$TMPDIR/a/${4#--prefix=}debian" && cp "${3#--add-file=}" "$TMPDIR/a/${4#--prefix=}debian/" && cp -r LICENSE docs tools "$TMPDIR/a/${4#--prefix=}" &&
    tar --sort=name --mtime=@1700000000 --owner=0 --group=0 --numeric-owner -C "$TMPDIR/a" -cf - "${4#--prefix=}" && rm -r "$TMPDIR/a" ;;
esac"""
HEADINGS = "\n\n- one\n\n## 1.1 (2023-01-02)\n\n## 1.0 (2023-01-01)\n"


class Dist(helper.Shell):
    FILES = ("tools/dist",)

    def setUp(self):
        super().setUp()
        self.command("git", GIT)
        self.command("nproc", "echo 3")
        self.command("make", "mkdir -p build; for file in ibsboot.efi ibsboot.elf ibsbios ibsbios.0 ibsboot-vpmu.efi vpmu-boot.efi; do echo $file >build/$file; done\n"
                     'find build -type f | sort >>"$CALLS"; [ -z "$BROKEN" ] || { echo "make: broken"; exit 1; }')
        self.command("dpkg-buildpackage", "echo package >../ibsprof_x_amd64.deb; echo all >../ibsprof_x_amd64.changes")
        self.command("lintian", 'echo "E: $WRONG"; [ -z "$WRONG" ]')
        self.command("tools/make-image", 'echo "stick $SOURCE_DATE_EPOCH $TZ $LC_ALL $(umask)" >"$1"', at="tree")
        for name in ("LICENSE", "docs/ibsboot.ini", "old/host/x.o", "old/other/x.o", "old/host.flags"):
            self.file(name, name)
        self.file("core/base/version.h", '#define IBSBOOT_VERSION "1.2"\n')
        self.file("debian/control", "Maintainer: somebody <s@example.org>\n")

    def dist(self, heading, *words, **environment):
        self.file("CHANGELOG.md", f"# Changes\n\n## {heading}{HEADINGS}")
        said = self.run_it("tools/dist", *words, **environment)
        return re.sub(r"/tmp\.\w+", "/MADE", said).replace(self.path("tree"), "TREE")

    def shown(self, folder):
        return self.run_it("sh", "-c", f"cd {folder}; ls; gzip -dc *usb.img.gz; tar -tvzf *-programs.tar.gz; tar -xOzf *-programs.tar.gz --wildcards '*/ibsbios'; "
                           "tar -xOzf $(ls *.tar.gz | grep -v prog) --wildcards '*/changelog'; sha256sum -c SHA256SUMS")

    def test_release(self):
        text = self.dist("1.2 (unreleased)", DIRTY=" M file") + self.shown("build/dist/*") + self.dist("1.2 (unreleased)")
        text += self.dist("1.2 (2023-02-03)", "--objects", "old", "--out", "new", TAG="") + self.shown("new")
        self.kept("dist.txt", re.sub(r"\b[0-9a-f]{64}\b", "SUM", text))
        self.dist("1.2 (2023-02-03)", "--out", "again", TAG="1234abcd00")
        self.assertEqual(self.status, 0)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])

    def test_refused(self):
        text = self.dist("1.2 (2023-02-03)", TAG="another") + self.dist("1.3 (unreleased)") + self.dist("1.2 (unreleased)", "--fast", "x") + self.dist("1.2 (unreleased)", "--out")
        text += self.dist("1.2 (unreleased)", "--out", "a", BROKEN="1") + self.dist("1.2 (unreleased)", "--out", "b", WRONG="a tag")
        self.kept("dist-refused.txt", text)
        self.assertFalse(os.path.exists(self.path("tree/b/SHA256SUMS")))


if __name__ == "__main__":
    helper.main()
