/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/selftest/selftest_first.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "drivers/machine/vpmu_query.h"

enum { LIMIT_MS_SILICON = 2000 /* for each trial, of some 0.1 ms */ };

/* Options of the self-test: user settings do not change it, except for USB legacy emulation. */
struct first {
    struct options options;
    struct run run;
};

/* Returns the bits of enum selftest_part that the run uses. */
static uint32_t uses(const struct run *run)
{
    const struct ibs_plan *ibs = &run->ibs.plan;
    uint32_t parts = 0;

    if (run->task.kinds[0]->anywhere || run->task.kinds[0] == kind_find("selftest"))
        return 0;
    if (run->task.kinds[0]->events != KIND_NO_EVENTS)
        parts |= SELFTEST_PMC;
    for (EACH_KIND(kind, run))
        parts |= *kind == &kind_timer ? SELFTEST_TIMER : 0;
    return parts | (ibs->op ? SELFTEST_IBS_OP : 0) | (ibs->op && ibs->random ? SELFTEST_IBS_RANDOM : 0) |
           (ibs->fetch ? SELFTEST_IBS_FETCH : 0);
}

static void print(struct out *out, const struct selftest *test)
{
    if (!test->failed) {
        out_printf(out, "Self-test: %u of %u checks passed.\n", test->passed, SELFTEST_ROWS);
        return;
    }
    for (unsigned i = 0; i < SELFTEST_ROWS; i++)
        if (test->found[i].verdict == SELFTEST_FAIL)
            selftest_print_row(out, test, i, "Self-test: ");
}

static void make(struct selftest_summary *summary, const struct run *of, struct out *out)
{
    struct firmware *fw = of->fw;
    struct first *first = fw->allocate(fw, sizeof(*first), POOL_PAGE);

    *summary = (struct selftest_summary){.made = true};
    if (first && options_init(&first->options)) {
        memcpy(first->options.config, "selftest", sizeof("selftest"));
        first->options.records = 1; /* the self-test has its own */
        /* A machine that USB legacy emulation hangs, hangs here first. */
        first->options.usb_legacy = of->options->usb_legacy;
        first->options.limit_ms = of->machine->hypervisor ? 0 : LIMIT_MS_SILICON;
        summary->possible = run_prepare(&first->run, fw, of->machine, &first->options, of->image, out);
    }
    if (summary->possible) {
        const struct selftest *test = first->run.own;

        run_measure(&first->run);
        vpmu_forget(of->machine);
        print(out, test);
        summary->passed = test->passed;
        summary->failed = test->failed;
        summary->wrong = test->wrong;
        for (unsigned i = 0; i < SELFTEST_ROWS; i++)
            summary->failed_rows |= (uint32_t)(test->found[i].verdict == SELFTEST_FAIL) << i;
        run_release(&first->run);
    }
    fw->release(fw, first, sizeof(*first));
}

bool selftest_allows(struct selftest_summary *summary, const struct run *run, const struct options *options,
                     struct out *out)
{
    uint32_t used = uses(run), wrong;
    char text[SELFTEST_TEXT];
    struct out_memory memory;

    if (options->selftest == OPTIONS_SELFTEST_NO || !used)
        return true;
    if (!summary->made)
        make(summary, run, out);
    wrong = summary->possible ? summary->wrong & used : used;
    if (!wrong)
        return true;
    out_memory_init(&memory, text, sizeof(text));
    selftest_parts(&memory.out, wrong);
    sentence(out, "The self-test %s for parts that this run uses: %s.", summary->possible ? "failed" : "had no memory",
             text);
    if (options->selftest == OPTIONS_SELFTEST_FORCE)
        sentence(out, "selftest=force: the run starts nevertheless.");
    else
        sentence(out, "Not run. 'selftest=force' runs nevertheless; 'config=selftest' shows every check.");
    return options->selftest == OPTIONS_SELFTEST_FORCE;
}

void selftest_summary_print(struct out *out, const struct selftest_summary *summary)
{
    const char *separator = "failed: ";

    if (!summary->possible)
        out_printf(out, "no memory");
    else if (!summary->failed)
        out_printf(out, "passed");
    for (unsigned i = 0; i < SELFTEST_ROWS; i++) {
        if (!(summary->failed_rows >> i & 1))
            continue;
        out_printf(out, "%s%s", separator, selftest_table[i].name);
        separator = ", ";
    }
}
