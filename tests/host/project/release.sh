#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A release of this tree as it stands (tools/dist): twice, in other folders and surroundings, with the same bytes; what its files are;
# and its package, installed in a fresh root of Debian and removed again.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/release log=$PWD/build/release/log
rm -rf "$work" && mkdir -p "$work/tree" "$work/tmp" || exit 1
for program in dh lintian; do
    command -v $program >/dev/null && continue
    skip "a release" "$program is missing: debhelper and lintian are installed by ./dev dist"
    finish
    exit
done

git ls-files -co --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - 2>/dev/null | tar -xf - -C "$work/tree"
committed() { # folder
    git -C "$1" add -A && git -C "$1" -c user.name=x -c user.email=x@example.org commit -q -m "a release"
}
git init -q -b main "$work/tree" && committed "$work/tree"
version=$(sed -n 's/.*IBSBOOT_VERSION "\(.*\)"/\1/p' core/base/version.h)
heading=$(grep -m 1 '^## ' CHANGELOG.md)
case $heading in *"(unreleased)") full=$version~1.$(git -C "$work/tree" rev-parse --short=8 HEAD) ;; *) full=$version ;; esac

# What the installed package needs, in a root of Debian's essential packages; made once for a list of needs.
root_of() { # package
    needs=$(dpkg-deb -f "$1" Depends | sed 's/([^)]*)//g; s/ //g')
    root=build/fresh-root-$(echo "$needs" | md5sum | cut -c 1-8).tar
    [ -e "$root" ] || { mmdebstrap --variant=essential --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/locale/*' --include="$needs" bookworm \
        "$root.new.tar" >"$log" 2>&1 && mv "$root.new.tar" "$root"; } # it makes a tar of that name, and a folder of others
}

is "an unknown option" "dist: unknown option --fast (see the top of tools/dist)" "$(tools/dist --fast x 2>&1)"
TMPDIR=$work/tmp "$work/tree/tools/dist" --out "$work/first" --objects "$PWD/build" >"$log" 2>&1
verdict $? "a release is made: $(tail -n 1 "$log")"
is "its files" "SHA256SUMS ibsboot-$full-programs.tar.gz ibsboot-$full-usb.img.gz ibsboot-$full.tar.gz ibsprof_${full}_amd64.deb" \
    "$(find "$work/first" -type f -printf '%f\n' | LC_ALL=C sort | paste -s -d ' ')"
check "their checksums" sh -c "cd $work/first && sha256sum --strict -c SHA256SUMS && [ \$(wc -l <SHA256SUMS) = 4 ]"
check "the programs are those of this build" sh -c "tar -xzf $work/first/*-programs.tar.gz -C $work --strip-components=1 && cmp build/ibsboot.efi $work/ibsboot.efi && cmp build/ibsbios $work/ibsbios"
gzip -dc "$work/first/ibsboot-$full-usb.img.gz" >"$work/usb.img"
check "the stick starts ibsboot" sh -c "mtype -i $work/usb.img@@1M ::/EFI/BOOT/BOOTX64.EFI | cmp - build/ibsboot.efi"
tar -xzf "$work/first/ibsboot-$full.tar.gz" -C "$work"
check "the source is the commit, with Debian's changelog" sh -c "diff -r -x .git $work/tree $work/ibsboot-$full | diff - - <<END
Only in $work/ibsboot-$full/debian: changelog
END"
check "which names each version" [ "$(grep -c '^ibsboot (' "$work/ibsboot-$full/debian/changelog")" = "$(grep -c '^## ' CHANGELOG.md)" ]
check "what the package is built with is what ./dev installs" sh -c "sed -n '/^Build-Depends/,/^Std/s/^ \([a-z0-9-]*\),*\$/\1/p' debian/control | sort >$work/needed
    sed -n 's/^BUILD_PACKAGES=\"\(.*\)\"/\1/p' dev | tr ' ' '\n' | grep -vxE 'gcc|libc6-dev|make|binutils|gnu-efi' | sort | diff $work/needed -"

# Another folder, umask, language and time zone; an eighth of the host's objects is compiled anew, by turns.
git clone -q "$work/tree" "$work/another"
mkdir "$work/objects" && cp -a build/bios build/host build/image build/tools build/vpmu build/*.flags "$work/objects/"
find "$work/objects/host" -name '*.o' | sort | awk -v turn="$(tests/turn 8 tests/host/project/release.sh)" 'turn == "" || NR % 8 == turn' | xargs rm
(umask 077 && TZ=Asia/Tokyo LANG=de_DE.UTF-8 USER=else HOME=$work "$work/another/tools/dist" --out "$work/second" --objects "$work/objects" >"$log" 2>&1)
verdict $? "another one is made"
check "of the same bytes" diff -r "$work/first" "$work/second"

if ! command -v mmdebstrap >/dev/null || ! root_of "$work/first/ibsprof_${full}_amd64.deb"; then
    skip "a fresh root" "needs mmdebstrap and Debian's mirror: $(tail -n 1 "$log")"
else
    mkdir "$work/root" && tar -xf "$root" -C "$work/root" --exclude='./dev/*' && cp "$work/first/ibsprof_${full}_amd64.deb" "$work/root/ibsprof.deb"
    everything() { (cd "$work/root" && find usr etc var/lib/dpkg/info ! -name '*.cache' | sort); }
    everything >"$work/before"
    check "the package is installed in a fresh root" chroot "$work/root" dpkg -i /ibsprof.deb
    is "and its program runs there" "ibsprof $version" "$(chroot "$work/root" ibsprof --version 2>&1 | head -n 1 | cut -d ' ' -f 1,2)"
    chroot "$work/root" ibsprof report --complete >"$work/options" 2>&1
    check "and completes" grep -qx -- --html "$work/options"
    is "with manual and completions" "/usr/bin/ibsprof
/usr/share/bash-completion/completions/ibsprof
/usr/share/fish/vendor_completions.d/ibsprof.fish
/usr/share/man/man1/ibsprof.1.gz
/usr/share/zsh/vendor-completions/_ibsprof" "$(chroot "$work/root" dpkg -L ibsprof | grep '/.*ibsprof' | grep -v /doc/)"
    printf 'workload = tight-loop\niterations = 1..3\n' >"$work/root/plan.ini"
    is "and reads a plan" 3 "$(chroot "$work/root" ibsprof plan /plan.ini 2>&1 | grep -c ' tight-loop')"
    rm "$work/root/plan.ini"
    check "the package is removed" chroot "$work/root" dpkg --remove ibsprof
    is "and its program is gone" "" "$(find "$work/root/usr" -name '*ibsprof*')"
    check "the package is purged" chroot "$work/root" dpkg --purge ibsprof
    everything >"$work/after"
    check "nothing of it is left" diff "$work/before" "$work/after"
fi

# Versions: a heading with a date is a release, which one commit may have.
refused() { # name, words
    "$work/tree/tools/dist" --out "$work/none" >"$log" 2>&1
    is "$1: status" 2 $?
    is "$1" "dist: $2" "$(cat "$log")"
}
sed -i "s/^## $version .*/## $version (2026-01-01)/" "$work/tree/CHANGELOG.md" && committed "$work/tree"
git -C "$work/tree" tag "v$version" HEAD~1
refused "a tag of another commit" "v$version is another commit: begin the next version in CHANGELOG.md and core/base/version.h"
sed -i "s/^## $version .*/## 9.9 (2026-01-01)/" "$work/tree/CHANGELOG.md" && committed "$work/tree"
refused "another version in the changelog" "CHANGELOG.md begins with '## 9.9 (2026-01-01)', and core/base/version.h has $version"
check "the public CI runs the suite" grep -q 'run: .*\.ci/run$' .github/workflows/ci.yml
rm -rf "$work"
finish
