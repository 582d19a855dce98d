#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The documents' commands work: run as printed, on the runs of one boot; their settings at the image's prompt.
. "$(dirname "$0")/../lib"
build=${IBSBOOT_BUILD:-build}

# Eight short runs and the questions to a machine, in the order of the names that the documents have; then what the documents type at the prompt, which is taken, not run.
small="op_period=512 fetch_period=256 n=300 rows=1" # some loads miss the data cache
set -- "config=ibs seed=1 $small" run "config=tbp timer_us=10 seed=2" run "seed=3" run
set -- "$@" "config=ibs seed=4" run
for seed in 5 6; do set -- "$@" "pages=2m seed=$seed" run; done
set -- "$@" "pages=4k workload=pointer-chase hops=1000 op_period=144 fetch=no kb=16" run "kb=256" run
set -- "$@" "config=hardware" run "config=skid workload=matmul-classic $small" run
mkdir -p build/boot
python3 tests/boot/ibsprof/documents.py words >build/boot/documents-words.txt
while read -r words; do set -- "$@" "$words"; done <build/boot/documents-words.txt
batch documents 0 "$@"
typed=$(wc -l <build/boot/documents-words.txt)
[ "$typed" -gt 6 ] && ok "the image takes $typed lines that documents type at its prompt" || not_ok "$typed lines at the prompt"

# A folder that looks like the project after these runs, with a build that builds nothing and a runner that boots nothing.
place=$PWD/build/documents
root=$PWD
rm -rf "$place"
mkdir -p "$place/bin" "$place/build/runs" "$place/tests/boot" "$place/4k" "$place/2m"
sed 's/^need() {/need() { return 0/' dev >"$place/dev" # the suite's packages are installed
mkdir -p "$place/tools/qemu"
ln -s "$root/docs" "$root/bios" "$place/"
cp -r examples "$place/"
for file in tools/*; do [ "$file" = tools/qemu ] || ln -s "$root/$file" "$place/$file"; done
for file in ibsboot.efi ibsboot-vpmu.efi ibsboot.elf ibsboot-workloads ibsbios tools; do ln -s "$root/$build/$file" "$place/build/$file"; done
printf '%s:\n\t@echo "would make $@"\n' "$(sed -n 's/^\.PHONY: \([^$]*\)$/\1/p' Makefile | paste -s -d ' ')" >"$place/Makefile"
cat >"$place/tools/qemu/boot" <<END
#!/bin/sh
echo "would boot: \$*"
out=\$(echo "--out build/boot/last \$*" | sed 's/.*--out \([^ ]*\).*/\1/')
mkdir -p "\$out/runs" && ln -sfn "$root/$dir/runs/0001-matmul-classic-ibs" "\$out/runs/"
END
ln -s "$root/$build/tools/ibsprof" "$place/bin/ibsprof"
printf '#!/bin/sh\nexec "$@"\n' >"$place/bin/sudo"
chmod +x "$place/dev" "$place/tools/qemu/boot" "$place/bin/sudo"
python3 tests/host/ibsprof/make_noise.py "$place/noise" && mv "$place/noise/linux" "$place/linux"
mkdir "$place/runs"
ln -s "$root/$dir"/runs/* "$place"/noise/bare/runs/* "$place/runs/"
ln -s "$root/$dir" "$place/build/runs/20260101-120000"
ln -s "$place/noise/bare" "$place/build/runs/20260101-130000"
side() { # RUN NAME...: its names in the documents
    of=$place/runs/$1-matmul-classic-ibs
    shift
    for name; do ln -s "$of" "$place/$name"; done
}
side 0001 A A1 4k/1
side 0004 A2 4k/2
side 0005 B B1 2m/1
side 0006 B2 2m/2
cp "$place/runs/0001-matmul-classic-ibs/perf.data" "$place/os.data"
# As a machine with a BIOS leaves them.
tar --format=ustar -h -C "$dir" --transform='s,^,ibsboot/,' -cf "$place/IBSRUNS.TAR" runs && truncate -s +64K "$place/IBSRUNS.TAR"
for file in hardware phenom opteron; do cp "$dir"/runs/*-hardware/hardware.csv "$place/$file.csv"; done
python3 tests/boot/ibsprof/documents.py run "$place" >"$dir/documents.txt" 2>&1
add_checks documents.py $? "$dir/documents.txt"
rm -f "$place/build/ibsboot-usb.img"
finish
