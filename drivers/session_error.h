/*
 * Everything that can go wrong between cli and sti, with a sentence for each.
 */
#ifndef DRIVERS_SESSION_ERROR_H
#define DRIVERS_SESSION_ERROR_H

enum session_error {
    SESSION_OK,
    /* the plan, found before anything is touched */
    SESSION_NO_IBS,
    SESSION_NO_WORKSPACE,
    SESSION_NO_RING,
    SESSION_FETCH_PERIOD_LOW,
    SESSION_FETCH_PERIOD_HIGH,
    SESSION_OP_PERIOD_LOW,
    SESSION_OP_PERIOD_HIGH,
    SESSION_OP_PERIOD_HIGH_RANDOM,
    SESSION_PERIOD_NIBBLE,
    SESSION_NO_FETCH_SAMPLING,
    SESSION_NO_OP_SAMPLING,
    SESSION_NO_OP_COUNTING,
    SESSION_ARENA_ALIGNMENT,
    SESSION_ARENA_SIZE,
    SESSION_NO_1G_PAGES,
    SESSION_SHUFFLE_1G,
    SESSION_PAGE_MEMORY,
    /* the processor refused */
    SESSION_MSR_FAULT,
    SESSION_GDT,
    SESSION_FIVE_LEVEL_PAGING,
    SESSION_NO_PML4_SLOT,
    SESSION_APIC_DISABLED,
    SESSION_APIC_X2APIC,
    SESSION_NO_EXTENDED_LVT,
    SESSION_NO_FREE_LVT,
    SESSION_NO_NODES,
    SESSION_F3X1CC,
    SESSION_IBS_CONTROL,
    SESSION_LVT_WRITE,
    SESSION_IBS_ENABLE,
    /* the run */
    SESSION_FAULT,
    SESSION_RESTORE,
    SESSION_ERRORS,
};

/* A sentence without a full stop; "unknown error" outside the table. */
const char *session_error_text(enum session_error error);

#endif
