#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# ./dev check --each on a made-up repository of a few commits: which of them it calls good, what it says of the others, what it leaves.
cd "$(dirname "$0")/../../.." || exit 1
. tools/verdicts
work=$PWD/build/each-test
rm -rf "$work"
mkdir -p "$work/tree/tests/check" "$work/tree/core" "$work/tree/tests/unit/core" "$work/tree/tools/ibsprof"
log=$work/log out=$work/out
cp tests/check/each "$work/tree/tests/check/"
cd "$work/tree" || exit 1
git init -q
git config user.name x
git config user.email x@example.org
echo build >.gitignore

# A program of all files of core/; the tests of a room leave a word when they run.
makefile() { # FLAGS
    cat >Makefile <<END
ROOMS := core ibsprof
OBJECTS := \$(patsubst %.c,build/%.o,\$(wildcard core/*.c))
all test-images ibsprof: build/program
build/%.o: %.c
	@mkdir -p \$(@D); cc $1 -c \$< -o \$@
build/program: \$(OBJECTS)
	cc \$^ -o \$@
unit-core unit-ibsprof: all
	@[ ! -e wait ] || { echo "\$\$\$\$" >../../../waits; sleep 600; }
	@if [ \$@ = unit-core ]; then build/program; fi || { echo "FAIL core: the answer is wrong"; false; }
END
}
commit() { git add -A && git commit -q -m "$1"; }
makefile ""
printf '%s\n' 'int answer(void);' 'int main(void) { return answer() != 42; }' >core/main.c
echo 'int answer(void) { return 42; }' >core/answer.c
commit "a base"
echo text >README
commit "a document"
echo '// a note' >>core/answer.c
commit "a step that works"
echo 'int answer(void) { return 41; }' >core/answer.c
commit "a wrong answer"
echo 'int answer(void) { return 42; }' >core/answer.c
echo text >tools/ibsprof/text
commit "two rooms"
echo 'int answer(void) { return 42 }' >core/answer.c
commit "a typing error"
git rm -q core/answer.c
commit "a file that is still needed"
printf '%s\n' 'int answer(void);' 'int answer(void) { int unused; return 42; }' >core/answer.c
commit "the file again"
makefile "-Wall -Werror"
commit "a warning becomes an error"
echo 'int answer(void) { return 42; }' >core/answer.c
commit "the warning goes"
echo changed >>README
git status --porcelain >../before

each() { tests/check/each "$@" >"$out" 2>&1; }
says() { # SUBJECT RESULT: the result of a commit, a pattern
    got=$(grep -E "^(ok|not ok) [0-9a-f]+ $1: " "$out")
    if echo "$got" | grep -qE "^$2 \([0-9]+ s\)$"; then ok "$1"; else not_ok "$1: $got"; fi
}

each --jobs 1 HEAD~9
is "a commit that fails is a failure of all" 1 $?
is "its sum" "9 commits: 5 passed, 4 failed" "$(tail -n 1 "$out" | sed 's/ in [0-9]* s//')"
says "a document" "ok .*: builds"
says "a step that works" "ok .*: builds; unit tests pass: core"
says "a wrong answer" "not ok .*: unit tests of core fail: FAIL core: the answer is wrong; build/each/[0-9a-f]{12}.log"
says "two rooms" "ok .*: builds; unit tests pass: core ibsprof"
says "a typing error" "not ok .*: does not build: core/answer.c:1.*error: expected .;.*; build/each/[0-9a-f]{12}.log"
says "a file that is still needed" "not ok .*: does not build: .*undefined reference to .answer.; build/each/[0-9a-f]{12}.log"
says "a warning becomes an error" "not ok .*: does not build: core/answer.c:2.*error: .*unused.*"
says "the warning goes" "ok .*: builds; unit tests pass: core"
is "commits are in order" "a document" "$(sed -n '1s/^ok [0-9a-f]* \(.*\): builds.*/\1/p' "$out")"
check "the log of a failure stays" grep -q "expected .;" build/each/*.log
is "and those of failures alone, without the clones" 4 "$(find build/each -mindepth 1 | wc -l)"
git status --porcelain >../after
check "the main tree is as it was" cmp ../before ../after
is "no clone is known to git" 1 "$(git worktree list | wc -l)"

each HEAD~1
is "only good commits: status" 0 $?
is "and sum" "1 commits: 1 passed, 0 failed" "$(tail -n 1 "$out" | sed 's/ in [0-9]* s//')"
is "logs of an earlier call are gone" 0 "$(find build/each -mindepth 1 | wc -l)"
each --jobs 3 HEAD~9
is "three slices: the same sum" "9 commits: 5 passed, 4 failed" "$(tail -n 1 "$out" | sed 's/ in [0-9]* s//')"
each HEAD
is "no commit: status" 1 $?
check "no commit: a line" grep -q "there is no commit in HEAD..HEAD" "$out"
each nowhere
is "no such base: status" 1 $?
check "no such base: a line" grep -q "each: git .*nowhere" "$out"

# An interrupt in the middle of a test.
touch wait
echo '// a note' >>core/answer.c
commit "a test that hangs"
for signal in INT TERM; do
    rm -f waits
    python3 - $signal tests/check/each HEAD~1 >"$out" 2>&1 <<'END'
import os, signal, subprocess, sys, time
stop = signal.Signals["SIG" + sys.argv[1]]
# A shell may have started us with SIGINT ignored, as it does with what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler if stop == signal.SIGINT else signal.SIG_IGN)
child = subprocess.Popen(sys.argv[2:])
for _ in range(200):
    if os.path.exists("waits"):
        break
    time.sleep(0.05)
child.send_signal(stop)
sys.exit(child.wait(20))
END
    is "SIG$signal: status" 130 $?
    check "SIG$signal: a test ran" [ -s waits ]
    check "SIG$signal: its processes are gone" sh -c 'ps -o stat= -p "$(cat waits)" | grep -v "^Z" | wc -l | grep -qx 0'
    is "SIG$signal: no clone is left" 0 "$(find build/each -mindepth 1 -type d | wc -l)"
done

# A clone that loses its repository while commits are still to come: git must not check them out in the tree around the clone.
printf 'all test-images ibsprof:\n\trm -rf .git\n' >Makefile
commit "a clone without a repository"
echo more >>README
commit "the next one"
before=$(git symbolic-ref HEAD)
each --jobs 1 HEAD~2
is "no repository: the rest is not tried" "not ok 1 commits were not tried" "$(grep 'not tried' "$out")"
is "no repository: the main tree stays where it is" "$before" "$(git symbolic-ref HEAD)"
finish
