/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/free.h"

#include "vpmu/model/words.h"

/* Rows of one cause each come first. */
const struct free_row free_table[FREE_WORDS] = {
    {"l1", FREE_L1, "a load that hits the L1D has its data at once"},
    {"l2", FREE_L2, "data comes from the L2 as from the L1D"},
    {"l3", FREE_L3, "data comes from the L3 as from the L1D"},
    {"dram", FREE_DRAM, "data comes from memory as from the L1D, and streaming stores wait for nothing"},
    {"sharing", FREE_SHARING, "data comes from other cores as from the L1D, and lines are owned at once"},
    {"dtlb", FREE_DTLB, "L2 DTLB hits and page walks of data take no time"},
    {"itlb", FREE_ITLB, "L2 ITLB hits and page walks of fetches take no time"},
    {"ic", FREE_IC, "instructions come from everywhere as from the L1I"},
    {"prediction", FREE_PREDICTION, "mispredicted branches, and those without BTB entry, cost what predicted ones do"},
    {"forwarding", FREE_FORWARDING, "loads wait for no store in the queue"},
    {"banks", FREE_BANKS, "bank conflicts and misaligned accesses take no cycle more"},
    {"dependences", FREE_DEPENDENCES, "ops wait for no register, nor for the op before in their instruction"},
    {"window", FREE_WINDOW, "the reorder buffer is never full"},
    {"schedulers", FREE_SCHEDULERS, "reservation stations, floating-point scheduler and LS1 are never full"},
    {"locks", FREE_LOCKS, "locked operations take what unlocked ones do, and wait for no store"},
    {"stores", FREE_STORES, "stores leave their queue as they retire, and wait for no line"},
    {"taken", FREE_TAKEN, "the fetch after a taken branch follows the one before it"},
    {"execution", FREE_EXECUTION, "an op has its result with its operands, and waits for no unit"},
    {"dc", FREE_L1 | FREE_L2 | FREE_L3 | FREE_DRAM, "l1,l2,l3,dram"},
};

bool free_parse(const char *text, uint32_t *ret_causes)
{
    uint32_t causes = 0;

    while (*text) {
        size_t length = 0;

        for (unsigned i = 0; i < FREE_WORDS && !length; i++) {
            length = word_match(text, free_table[i].word, ',');
            if (length)
                causes |= free_table[i].causes;
        }
        if (!length)
            return false;
        text += length;
        text += *text == ',' && text[1];
    }
    *ret_causes = causes;
    return true;
}

void free_print(uint32_t causes, struct out *out)
{
    const char *comma = "";

    for (unsigned i = 0; i < FREE_WORDS; i++) {
        if (!(causes & free_table[i].causes))
            continue;
        out_printf(out, "%s%s", comma, free_table[i].word);
        causes &= ~free_table[i].causes;
        comma = ",";
    }
}
