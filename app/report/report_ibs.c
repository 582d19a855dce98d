/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_ibs.h"

#include "app/base/sentence.h"
#include "core/base/wrap.h"
#include "core/family/ibs_regs.h"

enum { LABEL = 14 };

/* CPUID Fn8000_001B EAX in words. */
static const struct {
    uint32_t bit;
    const char *word;
} caps[] = {{IBS_CAP_FETCH, "fetch"},
            {IBS_CAP_OP, "op"},
            {IBS_CAP_OPCNT, "op counting"},
            {IBS_CAP_RDWR_OPCNT, "CurCnt writable"},
            {IBS_CAP_BRNTRGT, "branch target"},
            {IBS_CAP_OPCNTEXT, "27-bit counts"},
            {IBS_CAP_RIPINVALID, "invalid RIPs marked"},
            {IBS_CAP_OPBRNFUSE, "fused branches"},
            {IBS_CAP_FETCHCTLEXTD, "ITLB refill latency"},
            {IBS_CAP_L3MISSONLY, "L3 miss filter"},
            {IBS_CAP_LDLAT, "load latency filter"},
            {IBS_CAP_DIS, "stop bit"},
            {IBS_CAP_DTLB_PGSIZE, "DTLB page size"}};

static bool put_words(struct out *out, uint32_t bits)
{
    bool any = false;

    for (unsigned i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
        if (!(bits & caps[i].bit))
            continue;
        out_printf(out, "%s%s", any ? ", " : "", caps[i].word);
        any = true;
    }
    return any;
}

static void there(struct out *out, const struct machine *machine)
{
    char text[SENTENCE_MAX];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    (void)put_words(&memory.out, machine->ibs_caps);
    out_printf(&memory.out, " (%xh, %s)", machine->ibs_caps,
               machine->ibs_leaf ? "CPUID 8000_001B" : "no leaf 8000_001B");
    wrap_text(out, text, LABEL, LABEL, SENTENCE_LINE);
}

/* Prints only abilities that others of its family have. */
static void not_there(struct out *out, const struct machine *machine)
{
    char text[SENTENCE_MAX];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "not there: ");
    if (!machine->row || !put_words(&memory.out, machine->row->caps_known & ~machine->ibs_caps))
        return;
    out_printf(out, "%*s", LABEL, "");
    wrap_text(out, text, LABEL, LABEL, SENTENCE_LINE);
}

void report_ibs(struct out *out, const struct machine *machine)
{
    out_printf(out, "IBS           ");
    if (!machine->ibs) {
        out_printf(out, "none\n");
        return;
    }
    there(out, machine);
    not_there(out, machine);
    if (machine->ibs_switched)
        out_printf(out, "              switched on only during runs, by zen_ibs_on: CPUID reports none\n");
}

void report_most_answers(struct out *out, const uint64_t source[IBS_SOURCES], uint64_t all)
{
    unsigned most = 0;

    for (unsigned s = 1; s < IBS_SOURCES; s++)
        most = source[s] > source[most] ? s : most;
    out_printf(out, "  %s ", most == IBS_SOURCE_NONE ? "L2" : ibs_source_text(most));
    out_ratio(out, source[most], all, 100, 0, 0);
    out_printf(out, "%%");
}

void report_source_columns(struct out *out)
{
    for (unsigned s = 0; s < IBS_SOURCES; s++)
        out_printf(out, ",%s", s == IBS_SOURCE_NONE ? "none" : ibs_source_text(s));
    out_printf(out, "\n");
}
