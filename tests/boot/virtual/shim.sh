#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The virtual PMU's guarantees to its guest, tested by a guest (tests/vpmu/selftest).
. "$(dirname "$0")/../lib"

# Steps are reported to the outside: a byte for every 16,384 steps, or tools/qemu/watch takes a slow machine for a hang.
tells_progress() {
    steps=$(sed -n 's/^vpmu: \([0-9]*\) steps in .*/\1/p' "$dir/console.txt")
    bytes=$(stat -c %s "$dir/progress")
    wanted=$((${steps:-0} / 16384))
    # A step that was emulated by an exit is not reported: one at a multiple is then missing.
    if [ "$bytes" -gt 0 ] && [ "$bytes" -le $wanted ] && [ "$bytes" -ge $((wanted - 1)) ]; then
        ok "$(basename "$dir"): $bytes bytes of progress for $steps steps"
    else
        not_ok "$(basename "$dir"): $bytes bytes of progress for ${steps:-no} steps"
    fi
}

for revision in B C; do
    IBSBOOT_IMAGE=vpmu-selftest boot "shim-$revision" 0 --revision $revision
    tries=$(grep -c '^selftest: ok' "$dir/console.txt")
    if grep -q '^selftest: 0 failed$' "$dir/console.txt" && [ "$tries" -ge 60 ]; then
        ok "$tries promises of the virtual PMU hold on revision $revision"
    else
        not_ok "selftest on revision $revision: $tries ok; $(grep '^selftest: FAILED' "$dir/console.txt" | head -n 5)"
    fi
    shows_not "NOT RESTORED"
done

IBSBOOT_IMAGE=vpmu-selftest boot shim-counted 0 --revision E --late-nmi --count-handler
shows "selftest: 0 failed"
shows_not "NOT RESTORED"
check handlers

# The same guarantees when the guest is stepped by the host, like an operating system; its handlers too, so that each of their
# instructions takes the model's time.
IBSBOOT_IMAGE=vpmu-selftest boot shim-os 0 --os --step-handlers
shows "selftest: 0 failed"
shows_not "NOT RESTORED"
tells_progress

# Most boots continue from the point where the firmware starts the boot file (tools/qemu/snapshot): their results must not differ from
# those of a whole boot.
boot shim-cold 0 --cold --options "menu=no n=30"
cold=$dir
boot shim-resumed 0 --options "menu=no n=30"
if ! by_uefi snapshot "a boot by ibsbios takes two seconds and is always whole"; then :; elif grep -q '^BdsDxe: starting' "$cold/console.txt" && ! grep -q '^BdsDxe' "$dir/console.txt"; then ok "one is whole, one resumed"; else not_ok "not one whole and one resumed boot"; fi
for file in truth.csv handler.csv "runs/0001-matmul-classic-ibs/profile.csv" "runs/0001-matmul-classic-ibs/perf.data" "runs/0001-matmul-classic-ibs/report.txt"; do
    if cmp "$cold/$file" "$dir/$file"; then ok "$file is the same"; else not_ok "$file differs"; fi
done

# Both tagging rules of cycle mode (docs/model.md). With lines of any three ops the one that waits is that of the load which missed, a few
# iterations later: 36 % of its samples missed at this period (bench/periods), of its executions 21 %. When tags that expire in a stall are lost,
# 21 % of the samples. The bounds leave three standard errors.
boot shim-waits 0 --options "menu=no count=cycles fetch=no"
check miss-ratio 32 39
boot shim-lost 0 --lose-stalled --options "menu=no count=cycles fetch=no"
shows "vpmu: virtual Family 10h PMU, revision C, stalled tags lost"
check miss-ratio 16 27
tells_progress
finish
