#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ibsprof's export of each family of processors against Linux' decoder, on pseudo-random registers: tests/host/families/family_compare.py.
# The decoder is Debian's newest perf where its mirror can be reached, else the installed one, which does not know the latest families.
# Environment: FAMILY_ROWS (500) op and fetch samples of each.
. tools/verdicts
work=$PWD/build/families-host
rows=${FAMILY_ROWS:-500}
mkdir -p "$work"
log=$work/log
: >"$log"

# The mirror is that of this machine's apt, not another origin's, nor that of security updates. The machine's own settings of apt would come
# after those of $APT_CONFIG, so they are left out.
rm -rf "$work/apt"
mkdir -p "$work/apt/lists/partial" "$work/apt/none"
while read -r site origin suite; do
    echo "deb http://$site $suite main" >>"$work/apt/sources.list"
    list=$work/apt/lists/$(echo "$site" | tr / _)_dists_$suite
    printf '%s\n' "Origin: $origin" "Codename: $suite" 'Date: Wed, 25 Nov 2026 00:00:00 UTC' 'Components: main' 'Architectures: amd64' >"${list}_InRelease"
    : >"${list}_main_binary-amd64_Packages"
done <<'END'
security.example/debian-security Debian bookworm-security
other.example/debian Other stable
mirror.example/pub/debian Debian bookworm
END
cat >"$work/apt/conf" <<END
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::Etc::parts "$work/apt/none";
Dir::Etc::main "/dev/null";
Dir::State::lists "$work/apt/lists";
END
is "the mirror of apt's sources" http://mirror.example/pub/debian/ "$(APT_CONFIG=$work/apt/conf tests/host/families/newest_perf --mirror 2>&1)"
: >"$work/apt/sources.list"
is "or none" "" "$(APT_CONFIG=$work/apt/conf tests/host/families/newest_perf --mirror)"

compare() { python3 -B tests/host/families/family_compare.py --perf "$perf" "$@"; }
if ! perf=$(tests/host/families/newest_perf 2>"$work/why"); then
    skip "the newest perf" "$(cat "$work/why")"
    perf=perf
fi
$perf --version
compare --rows "$rows" >"$log" 2>&1
case $? in
2)
    cat "$log"
    skip "a perf that is newer than the list of differences" "$($perf --version); see tests/host/families/family_differences.py"
    ;;
*) if grep -q '^\(not \)\?ok ' "$log"; then count_log "$log"; else not_ok "every family"; fi ;;
esac

# The comparison itself must notice.
notices() { # name, words of its output, environment and options
    name=$1 words=$2
    shift 2
    if env "$@" >"$work/broken" 2>&1 || ! grep -q "$words" "$work/broken"; then
        not_ok "comparison sees $name" "$work/broken"
    else ok "comparison sees $name"; fi
}
run="python3 -B tests/host/families/family_compare.py --perf $perf --rows 100 --only zen2"
real=$PWD/build/tools/ibsprof
# An ibsprof whose lines go through sed.
altered() {
    printf '#!/bin/sh\n%s "$@" | sed "%s"\n' "$real" "$1" >"$work/altered"
    chmod +x "$work/altered"
}
# shellcheck disable=SC2086 # words of a command
notices "a difference that nothing explains" 'perf RESERVED\|perf Reserved-3' $run --without "page size 3"
altered 's/16 KB/Reserved-3/'
# shellcheck disable=SC2086
notices "a difference that is not there" "does not differ as 'page size 3' says" IBSPROF="$work/altered" $run
altered 's/,-,/,0,/g'
# shellcheck disable=SC2086
notices "a field that perf withholds" 'is shown, and perf withholds it' IBSPROF="$work/altered" $run
altered 's/,DRAM,/,Other,/'
# shellcheck disable=SC2086
notices "another value" 'DataSrc: perf DRAM, ibsprof Other' IBSPROF="$work/altered" $run
altered '101d'
# shellcheck disable=SC2086
notices "a missing sample" '100 samples, perf shows 100, ibsprof 99' IBSPROF="$work/altered" $run

finish
