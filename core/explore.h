/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration for Family 10h: from totals of events (core/counts.h) to a tree that says where the slots went.
 *
 * The core dispatches and retires up to three macro-ops per cycle. No top-down method was published for this family;
 * this one has the shape of A. Yasin, "A Top-Down Method for Performance Analysis and Counters Architecture", ISPASS
 * 2014, built of the events there are. With C = 076h, U = 0C1h, Dn = 0D0h + n, p cycles per mispredicted branch:
 *
 *   cycles   D0/C + D1/C + dispatching = 1
 *   bad      m = min(0C3h * p, D0 + D2) / C; bad speculation = max(m, D2/C)
 *   slots    retiring U/3C + bad speculation + front end (D0/C less the rest of bad speculation) + back end
 *            ((D1 - D2)/C) + slack = 1
 *
 * Slack is what dispatching cycles lost (groups not full, VectorPath alone, ops of the wrong path): no event tells
 * these apart, so it is a separate row. It is a signed remainder: slightly below 0 it is noise between passes.
 *
 * CPI and IPC (C and 0C0h) come first: how fast the code is, before where its slots went. They have no limit, as what
 * is good depends on what the instructions do.
 *
 * What lacks an input has a state and no value. A share outside of -5 % to 105 % is dropped (toplev's rule). A node
 * counts only under a flagged parent; else it is greyed. Thresholds: toplev's for Ivy Bridge (pmu-tools ivb_client),
 * to be calibrated. Millionths (ppm) throughout.
 */
#ifndef CORE_EXPLORE_H
#define CORE_EXPLORE_H

#include "core/counts.h"

/* What is to be counted; the order is that of the list. */
enum explore_event_index {
    EXPLORE_C,  /* 076h: the sentinel */
    EXPLORE_C0, /* instructions */
    EXPLORE_U,  /* 0C1h: macro-ops */
    EXPLORE_R1, /* 0C1h with count mask 1: cycles that retire at least one */
    EXPLORE_R2,
    EXPLORE_R3,
    EXPLORE_C2,
    EXPLORE_C3,
    EXPLORE_CC,
    EXPLORE_CF,
    EXPLORE_D0,
    EXPLORE_D1,
    EXPLORE_D2,
    EXPLORE_D3,
    EXPLORE_D4,
    EXPLORE_D5,
    EXPLORE_D6,
    EXPLORE_D7,
    EXPLORE_D8,
    EXPLORE_D9,
    EXPLORE_DA,
    EXPLORE_40,
    EXPLORE_41,
    EXPLORE_42,
    EXPLORE_43,
    EXPLORE_45,
    EXPLORE_46,
    EXPLORE_68,
    EXPLORE_69,
    EXPLORE_82,
    EXPLORE_83,
    EXPLORE_84,
    EXPLORE_85,
    EXPLORE_4E0,
    EXPLORE_4E1,
    EXPLORE_EVENTS,
    EXPLORE_IBS = EXPLORE_EVENTS, /* the sums of IBS, where inputs of a node are listed */
};

struct explore_event {
    uint16_t select;
    uint8_t mask;
    uint8_t count_mask;
    const char *what; /* for */
};

extern const struct explore_event explore_events[EXPLORE_EVENTS];

/* The list to be counted, entry by entry explore_events fitted to a revision ('B' to 'E'); EXPLORE_C is the sentinel.
 */
void explore_list(struct event_list *list, char revision);

/* ---------------------------------------------------------------- input */

struct explore_count {
    uint64_t total;
    uint8_t state;            /* enum counts_state; 0 = not counted */
    uint32_t reliability_ppm; /* see counts_reliability_ppm */
    uint32_t cv_ppm;          /* spread over repeats */
};

/* Sums over op samples with dispatched ops counted (IbsOpCntCtl = 1). "Misses": loads and stores that missed the data
 * cache. Memory bound is split from core bound by the time to completion (IbsTagToRetCtr - IbsCompToRetCtr): the time
 * to retirement also grows for ops that are done and wait for an older miss to retire; it is shown for comparison. */
struct explore_ibs {
    uint8_t state; /* enum counts_state */
    uint64_t complete_all, complete_misses;
    uint64_t retire_all, retire_misses; /* IbsTagToRetCtr */
};

/* What one event costs, in cycles. Estimates: a machine's own figures are better. 0 means the default. */
struct explore_costs {
    uint32_t mispredict; /* 12; AMD 40546 says at least 10 */
    uint32_t l2;         /* 15: AnandTech, Phenom II review */
    uint32_t l3;         /* 55: the same */
    uint32_t memory;     /* 140: a choice, 55 ns at 2.5 GHz */
    uint32_t tlb_l2;     /* 3: a choice, L2 TLB hit */
    uint32_t walk;       /* 30: a choice, two accesses to the L2 */
};

struct explore_input {
    struct explore_count count[EXPLORE_EVENTS];
    struct explore_ibs ibs;
    struct explore_costs costs;
    bool expected_known; /* the next two are set */
    uint64_t expected;   /* instructions that the region retires, without interrupts and exceptions */
    uint64_t exceptions; /* that happened in it */
};

/* Takes over one event's result. */
void explore_take(struct explore_input *input, enum explore_event_index event, const struct counts_result *result);

/* The instructions of one run of the workload are known: less those that a pass over nothing has, on each core that
 * works. */
void explore_expect(struct explore_input *input, uint64_t instructions, uint64_t workers);

/* ---------------------------------------------------------------- the tree */

enum explore_node_index {
    EXPLORE_CPI, /* C / C0 */
    EXPLORE_IPC,
    /* cycles, exclusive */
    EXPLORE_CYCLES_FRONT,
    EXPLORE_CYCLES_BACK,
    EXPLORE_CYCLES_ACTIVE,
    /* slots, level 1, exclusive; each followed by its children */
    EXPLORE_RETIRING,
    EXPLORE_OPS_PER_INSN,
    EXPLORE_DOUBLES,
    EXPLORE_MICROCODE, /* not observable */
    EXPLORE_BAD,
    EXPLORE_BAD_REFILL,
    EXPLORE_BAD_ABORT,
    EXPLORE_BAD_PATH, /* not observable */
    EXPLORE_BAD_RATIO,
    EXPLORE_FRONT,
    EXPLORE_FRONT_IC,
    EXPLORE_FRONT_ITLB,
    EXPLORE_FRONT_DECODE,
    EXPLORE_BACK,
    EXPLORE_MEMORY,
    EXPLORE_MEMORY_L2,
    EXPLORE_MEMORY_L3,
    EXPLORE_MEMORY_DRAM,
    EXPLORE_MEMORY_DTLB,
    EXPLORE_MEMORY_NEAR, /* L1 hits and stores: not observable */
    EXPLORE_NB_SHARE,
    EXPLORE_L3_HITS,
    EXPLORE_MISS_LATENCY,
    EXPLORE_CORE,
    EXPLORE_MU,
    EXPLORE_MU_RETIRE,
    EXPLORE_MU_CHECK,
    EXPLORE_SERIAL, /* causes of dispatch stalls: normalised, and raw beside it */
    EXPLORE_SEGMENT,
    EXPLORE_ROB,
    EXPLORE_STATION,
    EXPLORE_FPU,
    EXPLORE_LS,
    EXPLORE_QUIET,
    EXPLORE_FAR,
    EXPLORE_SLACK,
    /* cycles by macro-ops retired, exclusive */
    EXPLORE_N0,
    EXPLORE_N1,
    EXPLORE_N2,
    EXPLORE_N3,
    EXPLORE_NODES,
    EXPLORE_ROOT = EXPLORE_NODES, /* parent of what has none */
};

enum explore_unit {
    EXPLORE_UNIT_CYCLES, /* ppm of cycles */
    EXPLORE_UNIT_SLOTS,  /* ppm of slots, three per cycle */
    EXPLORE_UNIT_SHARE,  /* ppm of what the row's unit text says */
    EXPLORE_UNIT_RATIO,  /* millionths of one; may be any number */
};

enum { EXPLORE_NO_LIMIT = 0 }; /* for information, never flagged */

struct explore_node_row {
    const char *name;
    const char *unit_text; /* "% slots" */
    uint8_t unit;          /* enum explore_unit */
    uint8_t level;         /* 1 to 3 */
    uint8_t parent;        /* a lower index, or EXPLORE_ROOT */
    uint8_t raw;           /* causes: the event whose share of cycles is printed as it is; else EXPLORE_EVENTS */
    bool unobservable;     /* no event of this family tells */
    uint32_t limit_ppm;    /* flagged above it */
    uint64_t inputs;       /* 1 << enum explore_event_index */
    /* Rows with a limit: */
    const char *means;
    const char *try_this;
    const char *proof; /* which IBS column shows it */
};

extern const struct explore_node_row explore_tree[EXPLORE_NODES];

/* ---------------------------------------------------------------- the checks */

enum explore_check_index {
    EXPLORE_CHECK_HISTOGRAM, /* R1 + R2 + R3 = U */
    EXPLORE_CHECK_STACK,     /* D0 + D1 <= 1.02 C */
    EXPLORE_CHECK_STALL_MAX, /* max(D2..DA) <= D1 */
    EXPLORE_CHECK_STALL_SUM, /* D1 <= sum(D2..DA) */
    EXPLORE_CHECK_OPS,       /* C0 <= U */
    EXPLORE_CHECK_BRANCHES,  /* C3 <= C2 */
    EXPLORE_CHECK_DC,        /* 041 <= 040 */
    EXPLORE_CHECK_REFILLS,   /* 043 <= 042 */
    EXPLORE_CHECK_EXPECTED,  /* C0 = expected + interrupts + exceptions */
    EXPLORE_CHECKS,
};

enum explore_relation { EXPLORE_EQUAL, EXPLORE_AT_MOST };

struct explore_check_row {
    const char *says;
    uint64_t left, right;   /* sums of events: 1 << enum explore_event_index */
    bool left_is_max;       /* the largest instead of the sum */
    bool needs_expected;    /* expected and exceptions are added at the right */
    uint8_t relation;       /* enum explore_relation */
    uint32_t tolerance_ppm; /* of the right side */
};

extern const struct explore_check_row explore_checks[EXPLORE_CHECKS];

enum explore_verdict { EXPLORE_NOT_CHECKED, EXPLORE_PASS, EXPLORE_FAIL };

/* ---------------------------------------------------------------- result */

enum explore_state {
    EXPLORE_KNOWN,
    EXPLORE_NOT_COUNTED,
    EXPLORE_NOT_MODELLED,   /* by the virtual PMU below */
    EXPLORE_NOT_OBSERVABLE, /* no event of Family 10h tells */
    EXPLORE_NO_BASE,        /* the denominator is 0 */
    EXPLORE_DROPPED,        /* outside of -5 % to 105 %, or a part of such a value: inputs do not fit together */
    EXPLORE_NO_L3,          /* a row of the L3, on a processor that has none */
};

struct explore_node {
    int64_t value;            /* see the row's unit. EXPLORE_DROPPED: as computed; other states: 0 */
    int64_t raw;              /* ppm of cycles, for rows with a raw event; 0 unless known */
    uint8_t state;            /* enum explore_state */
    uint8_t raw_state;        /* the same */
    bool flagged;             /* above the limit (by the raw value when only that is known), under a flagged parent */
    bool greyed;              /* its parent is not flagged */
    bool unreliable;          /* reliability_ppm under 900000; never set without a value */
    uint32_t reliability_ppm; /* the worst of the inputs' */
    uint32_t cv_ppm;          /* the largest of the inputs' */
};

struct explore_check {
    uint8_t verdict; /* enum explore_verdict */
    uint64_t left, right;
};

struct explore_result {
    struct explore_node node[EXPLORE_NODES];
    struct explore_check check[EXPLORE_CHECKS];
    struct explore_costs costs;           /* as used */
    uint64_t cycles;                      /* 0 when not counted */
    uint8_t input_state[EXPLORE_IBS + 1]; /* enum counts_state */
};

void explore_compute(struct explore_result *result, const struct explore_input *input);

/* The tree, what flagged nodes mean, the checks; lines of at most 79 columns. */
void explore_print(struct out *out, const struct explore_result *result);

/* The trees of up to EXPLORE_BESIDE cores, column beside column, without what none of them knows; lines of at most 79
 * columns. */
enum { EXPLORE_BESIDE = 4 };
struct explore_of {
    const char *name; /* "core 3", 9 characters at most */
    const struct explore_result *result;
};
void explore_print_cores(struct out *out, const struct explore_of *trees, unsigned count);

/* The tree as CSV, a line for each row with the figures of the text, not rounded; core: "", or of which core it is.
 * Mark: '*' above its threshold, "()" below a row that is not. */
void explore_csv_head(struct out *out);
void explore_csv_rows(struct out *out, const char *core, const struct explore_result *result);

/* "known", "not modelled", ... */
const char *explore_state_name(const struct explore_node_row *row, const struct explore_node *node);

#endif
