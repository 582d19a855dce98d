/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Holds what the model needs of the map's instructions, computed once, and what is announced at an instruction's
 * boundary.
 */
#ifndef VPMU_INSN_H
#define VPMU_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/codemap.h"
#include "vpmu/model/pipeline/fp_class.h"
#include "vpmu/model/truth.h"

struct insn_mem {
    uint64_t disp;       /* of an operand relative to RIP: its address */
    uint8_t base, index; /* as in codemap.h */
    uint8_t scale, size, flags;
    uint8_t op;        /* which of the instruction's ops makes the access */
    uint8_t unaligned; /* KIND_LOAD, KIND_STORE: bits of an address that are 0 when it is naturally aligned */
    uint8_t reserved[3];
    uint32_t bits; /* of IbsOpData3, known beforehand: locked, write-combining */
};

/* Paths that an instruction can take through the pipeline model. */
enum insn_kind {
    KIND_PLAIN,   /* one op, no operand in memory */
    KIND_LOAD,    /* one op that loads */
    KIND_STORE,   /* one op that stores; neither locked nor streaming */
    KIND_UPDATE,  /* one op that loads and stores the same operand */
    KIND_BRANCH,  /* one op: a direct jump */
    KIND_OUTSIDE, /* any instruction outside the map */
    KIND_OTHER,   /* one op of any other kind */
    KIND_SPECIAL, /* other branches, several ops, VectorPath, serialising */
    KIND_NOTHING, /* no instruction */
    KINDS,
};

/* Names what an op holds until all of its operands are there. */
enum held {
    HELD_STATION, /* an entry of a reservation station */
    HELD_FP,      /* one of the floating-point scheduler */
    HELD_NOTHING, /* nothing more than before its last operand came: plain loads and stores */
    HELD,
};

/* An execution unit that takes one op a cycle; all others are as many as a line has places. */
enum exec_unit { EXEC_ANY, EXEC_MULTIPLIER, EXEC_FADD, EXEC_FMUL, EXEC_FSTORE, EXEC_UNITS };

/* Names what a line must find free to be dispatched. */
enum need {
    NEED_STATIONS = 7, /* a bit for each place in the line */
    NEED_FP = 8,
    NEED_ACCESS_SHIFT = 4, /* number of accesses, */
    NEED_ACCESSES = 3,
    NEED_LOADS = 64, /* some of which load, */
    NEED_STORES = 128,
};

/* Names what the address of an instruction's operand is made of. */
enum operand_form {
    FORM_NONE,    /* no operand */
    FORM_FIXED,   /* one: an address */
    FORM_BASE,    /* one: a register and a displacement */
    FORM_INDEXED, /* one: and a scaled register */
    FORM_OTHER,   /* two, or one with a scaled register alone */
};

struct vpmu;
struct announced;
/* Runs an announced instruction, once the address of the next one is known, and takes requested interrupts. Returns
 * whether they are an NMI. */
typedef bool pipeline_step(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip);

/* Holds what the model needs of an instruction, computed once; what each step needs is in its first 80 bytes. */
struct insn_info {
    uint64_t rip;            /* run-time address; NO_RIP for KIND_OUTSIDE */
    struct insn_info *usual; /* the next one in the map, unless it is FORM_OTHER; else the one for all outside */
    struct truth_row *row;
    uint8_t kind; /* enum insn_kind */
    uint8_t length;
    uint8_t mems;
    uint8_t form;       /* enum operand_form */
    uint8_t latency;    /* execution, cycles */
    uint8_t load_extra; /* cycles between a load's data and its use */
    uint8_t ops;        /* macro-ops, at least 1 */
    uint8_t branch;     /* enum codemap_branch */
    /* Registers, as indices of pipeline.ready: NEVER_WRITTEN and NEVER_READ fill the rest. The x87 stack is not in
     * 'written'. Only when 'simple' is set these are all. */
    uint8_t waits[2]; /* of the operand's address */
    uint8_t read[2];  /* other registers waited for */
    uint8_t written[2];
    bool simple : 1;     /* these are all, and at most one memory operand, neither locked nor streaming */
    bool writes_x87 : 1; /* likewise */
    bool more;           /* it writes x87, reads two of these registers, or has its own unit: op_complete_more() */
    bool vector : 1;     /* VectorPath: starts a line and ends it */
    bool serial : 1;
    bool paired : 1;  /* DirectPath double */
    bool repeats : 1; /* REP: one instruction, however often it is announced */
    uint8_t unit : 3; /* enum exec_unit: of its last op */
    bool twice : 1;   /* and takes the unit for two cycles */
    uint8_t holds;    /* enum held: each of its ops */
    uint8_t need[2];  /* needs of a line that begins with its first op, with a later one: enum need */
    struct fp_class fp;
    uint8_t window; /* lower bits of the number of the decoding window in which it ends */
    uint64_t last;  /* number of the fetch block in which it ends; not for KIND_OUTSIDE */
    struct insn_mem mem[2];
    uint64_t reads, writes; /* registers as sets, of any kind */
};

_Static_assert(offsetof(struct insn_info, mem[1]) == 80, "what each step needs");
_Static_assert(sizeof(struct truth_row) == 128, "two of them");

/* An instruction boundary. */
struct announced {
    struct insn_info *info;
    uint64_t rip;
    uint64_t linear[2];      /* addresses of its operands */
    struct announced *other; /* the next one and the one before */
};

#define NO_RIP (1ull << 63) /* not canonical: no instruction is there */

/* Prepares all instructions of the map, followed by the entry for those outside the map. rows: the same number.
 * general: no instruction takes a fast path. at_once: an op has its result with its operands, and waits for no unit. */
void insns_prepare(struct insn_info *infos, const struct codemap *map, uint64_t image_base, struct truth_row *rows,
                   unsigned window_shift, bool general, bool at_once);

#endif
