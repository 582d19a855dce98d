#!/bin/sh
# What the virtual PMU promises to whatever runs above it, tried from the guest's place (tests/vpmu/selftest).
. "$(dirname "$0")/lib"

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
if grep -q '^op,instructions,,[1-9]' "$dir/handler.csv" && grep -q '^none,nmis,,[1-9]' "$dir/handler.csv"; then
    ok "handlers counted, and NMIs without a sample after each stop"
else
    not_ok "handler.csv: $(cat "$dir/handler.csv")"
fi
if grep -q '^counter,instructions,,[1-9]' "$dir/handler.csv" && grep -q '^timer,instructions,,[1-9]' "$dir/handler.csv"; then
    ok "handlers of counters and of the timer counted apart"
else
    not_ok "handler.csv: $(cat "$dir/handler.csv")"
fi

# The same promises when the guest is stepped as an operating system is, by the host; its handlers too, so that the time of each
# of their instructions is the model's.
IBSBOOT_IMAGE=vpmu-selftest boot shim-os 0 --os --step-handlers
shows "selftest: 0 failed"
shows_not "NOT RESTORED"

# The other tagging rule of cycle mode: what waits for memory has more of the samples (docs/model.md: 40 % and not 23 %).
boot shim-stalled 0 --revision B --tag-stalled --options "menu=no"
shows "vpmu: virtual Family 10h PMU, revision B, stalled ops tagged"
check miss-ratio 35 45
finish
