#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The server of a lab (tools/lab-server) and its machines, in a network namespace of their own: two that boot from it, one by UEFI and one by a BIOS, each with
# settings of its own, one with a plan, while the server is killed and started again; then eight that are made up (lab_machines.py) and a server that is killed twice.
# Each run arrives once, whole, and in the archive; the page, in a browser, shows them. LAB_MACHINES=50 LAB_KILLS=10 are more of those.
if [ "${1-}" != --inside ]; then
    . "$(dirname "$0")/../lib"
    PATH=$PATH:/usr/sbin:/sbin
    for program in unshare ip dnsmasq in.tftpd; do
        command -v $program >/dev/null || lacks="${lacks:-needs}${lacks:+,} $program"
    done
    [ -n "${lacks-}" ] || unshare --net sh -c 'ip link add lab0 type bridge && ip tuntap add try0 mode tap' 2>/dev/null || lacks="needs network namespaces, bridges and /dev/net/tun, as root"
    if [ -n "${lacks-}" ]; then
        skip "the server of a lab" "$lacks"
        finish
        exit
    fi
    exec unshare --net "$0" --inside
fi
. "$(dirname "$0")/../lib"
PATH=$PATH:/usr/sbin:/sbin
lab=build/boot/lab
rm -rf $lab $lab.* $lab-*
mkdir -p $lab.build/tools $lab
ip link set lo up
ip link add lab0 type bridge && ip addr add 10.0.17.1/24 dev lab0 && ip addr add fd00:17::1/64 dev lab0 nodad
for number in 6 7; do ip tuntap add tap$number mode tap && ip link set tap$number master lab0 up; done
ip link set lab0 up
# On the virtual PMU the boot file loads the other two.
cp build/vpmu-boot.efi $lab.build/ibsboot.efi
ln -s "$PWD/build/ibsbios.0" $lab.build/
ln -s "$PWD/build/tools/ibsprof" $lab.build/tools/
serve() { setsid tools/lab-server "$1" --card lab0 --build $lab.build --wait 300 >>"$1.log" 2>&1 & server=$!; }
end_server() { kill "-$1" "-$server"; wait $server; } 2>/dev/null
within() { # SECONDS COMMAND...: until it succeeds
    for _ in $(seq $(($1 * 5))); do
        if (shift; "$@") >/dev/null 2>&1; then return 0; fi
        sleep 0.2
    done
    false
}
at_work() { find $lab/tftp/runs $lab/collected -name "52-54-00-12-34-5$1*" | grep -q .; }

serve $lab
within 30 test -e $lab/tftp/confirmed/wait
cp build/ibsboot-vpmu.efi $lab/tftp/vpmu.efi
cp build/ibsboot.efi $lab/tftp/ibsboot/
quick='selftest = no
reference = no
n = 20'
mkdir $lab/tftp/ibsboot/52-54-00-12-34-56 $lab/tftp/ibsboot/52-54-00-12-34-57
printf 'menu = no\nplan = \\ibsboot\\plan.ini\n' >$lab/tftp/ibsboot/52-54-00-12-34-56/ibsboot.ini
printf '%s\nn = 16 | 20\n' "$quick" | grep -v 'n = 20$' >$lab/tftp/ibsboot/52-54-00-12-34-56/plan.ini
printf 'menu = no\n%s\nconfig = count\nevents = 0C0\n' "$quick" >$lab/tftp/ibsboot/52-54-00-12-34-57/ibsboot.ini
firmware=uefi
for number in 6 7; do
    IBSBOOT_QEMU_ARGS="-global virtio-net-pci.mac=52:54:00:12:34:5$number" tools/qemu/boot --network tap,ifname=tap$number,script=no,downscript=no --firmware $firmware \
        --out $lab-$number --timeout $most >$lab-$number.line &
    eval machine$number=\$!
    firmware=bios
done
# Killed while machines are at work, and away for longer than a transfer tries.
for number in 6 7; do
    if within 600 at_work $number; then ok "machine $number is at work"; else not_ok "machine $number begins no run: $(tail -n 5 $lab-$number/console.raw)"; fi
done
end_server KILL
sleep 8
serve $lab
# shellcheck disable=SC2154 # set by eval
wait "$machine6" "$machine7"
for number in 6 7; do
    dir=$lab-$number
    case $(cat $dir.line) in
    *"boot: passed"*) ok "machine $number: $(cat $dir.line)" ;;
    *) not_ok "machine $number: $(cat $dir.line)" && tail -n 20 $dir/console.txt ;;
    esac
    runs=$((8 - number))
    is "machine $number: runs that are there" $runs "$(find $lab/collected -path "*-5$number/*/run.ini" | wc -l)"
    is "machine $number: runs that were confirmed" $runs "$(grep -c '^The boot server has checked the run and keeps it\.' $dir/console.txt)"
done
is "sizes of machine 6" "n = 16 n = 20" "$(find $lab/collected/52-54-00-12-34-56 -name run.ini -exec grep -h '^n = ' {} + | sort | xargs)"
is "runs in the archive" 3 "$(build/tools/ibsprof archive list --csv $lab/archive.db | tail -n +2 | wc -l)"
is "left on the way" "" "$(find $lab/tftp/runs -type f ! -name '*,kept,*')"
if ! command -v chromedriver >/dev/null; then
    skip "the page in a browser" "needs chromedriver"
else
    python3 tests/boot/machine/lab_page.py http://10.0.17.1:8017/ build/boot/lab-page.png >$lab.page 2>&1
    count_log $lab.page
    grep -q '^end$' $lab.page || not_ok "the checks of the page ended early"
fi
end_server TERM

python3 tests/boot/machine/lab_machines.py $lab-many "${LAB_MACHINES:-8}" "${LAB_RUNS:-2}" "${LAB_KILLS:-2}" "${LAB_SEED:-3}" >$lab.many 2>&1
count_log $lab.many
finish
