/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The IBS unit of one core: counters, tags, sample registers and interrupt requests.
 *
 * Bit positions are defined a second time here, independently of core/family/ibs_regs.h: the decoder is tested against
 * the model. Sources: AMD BKDG 31116 (MSRC001_1030..103A), AMD APM vol. 2 section 13.3.
 *
 * A counter runs while its En is set, its Val is clear and its MaxCnt is not 0. When it expires, a fetch or an op is
 * tagged, which leaves its data in the registers, sets Val and requests an interrupt. Software clears Val.
 */
#ifndef VPMU_IBS_UNIT_H
#define VPMU_IBS_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "vpmu/model/params.h"

#define VFETCH_MAX_CNT    0xFFFFull
#define VFETCH_CNT_SHIFT  16
#define VFETCH_CNT        (0xFFFFull << VFETCH_CNT_SHIFT)
#define VFETCH_LAT_SHIFT  32
#define VFETCH_EN         (1ull << 48)
#define VFETCH_VAL        (1ull << 49)
#define VFETCH_COMP       (1ull << 50)
#define VFETCH_IC_MISS    (1ull << 51)
#define VFETCH_PHY_VALID  (1ull << 52)
#define VFETCH_PGSZ_SHIFT 53
#define VFETCH_L1TLB_MISS (1ull << 55)
#define VFETCH_L2TLB_MISS (1ull << 56)
#define VFETCH_RAND_EN    (1ull << 57)
/* 63:58 are reserved on Family 10h; which of these a later one has: later.c. */
#define VFETCH_L2_MISS (1ull << 58)
#define VFETCH_L3_ONLY (1ull << 59)
#define VFETCH_OC_MISS (1ull << 60)
#define VFETCH_L3_MISS (1ull << 61)

#define VOP_MAX_CNT   0xFFFFull
#define VOP_EN        (1ull << 17)
#define VOP_VAL       (1ull << 18)
#define VOP_CNT_CTL   (1ull << 19)
#define VOP_CUR_SHIFT 32
#define VOP_CUR_MASK  (0x7FFFFFFull << VOP_CUR_SHIFT) /* 58:32; on Family 10h 51:32 */
#define VOP_L3_ONLY   (1ull << 16)
#define VOP_MAX_EXT   0x07F00000ull /* 26:20: those bits of the maximum, not shifted */
#define VOP_LAT_SHIFT 59
#define VOP_LAT_MASK  (0xFull << VOP_LAT_SHIFT)
#define VOP_LAT_EN    (1ull << 63)

/* IBS_OP_CTL2 and IBS_FETCH_CTL2 of Zen 6 (Linux arch/x86/events/amd/ibs.c). The two filters by bit 63 of the address
 * are in opposite order. */
#define VCTL2_DIS          (1ull << 0)
#define VOP2_NOT_USER      (1ull << 1) /* addresses with bit 63 clear */
#define VOP2_NOT_KERNEL    (1ull << 2)
#define VOP2_STREAMING     (1ull << 3) /* streaming stores alone */
#define VFETCH2_LAT_SHIFT  1           /* 4:1: at least this number times 128 cycles */
#define VFETCH2_NOT_KERNEL (1ull << 5)
#define VFETCH2_NOT_USER   (1ull << 6)
#define VLAT_UNIT          128 /* cycles, of this and of VOP_LAT_MASK + 1 */

#define VDATA_TAG_SHIFT   16
#define VDATA_RESYNC      (1ull << 32)
#define VDATA_MISP_RETURN (1ull << 33)
#define VDATA_RETURN      (1ull << 34)
#define VDATA_TAKEN       (1ull << 35)
#define VDATA_MISP        (1ull << 36)
#define VDATA_BRANCH      (1ull << 37)
#define VDATA_RIP_INVALID (1ull << 38) /* this and the next: not on Family 10h */
#define VDATA_FUSED       (1ull << 39)
#define VDATA_MICROCODE   (1ull << 40)
#define VDATA2_REMOTE     (1ull << 4)
#define VDATA2_OWNED      (1ull << 5)
#define VDATA2_STREAMING  (1ull << 8) /* this and the next: Zen 6 */
#define VDATA2_SOCKET     (1ull << 9)

#define VDATA3_LOAD       (1ull << 0)
#define VDATA3_STORE      (1ull << 1)
#define VDATA3_L1TLB_MISS (1ull << 2)
#define VDATA3_L2TLB_MISS (1ull << 3)
#define VDATA3_L1HIT_2M   (1ull << 4)
#define VDATA3_L1HIT_1G   (1ull << 5)
#define VDATA3_L2HIT_2M   (1ull << 6)
#define VDATA3_MISS       (1ull << 7)
#define VDATA3_MISALIGNED (1ull << 8)
#define VDATA3_LOAD_BANK  (1ull << 9)
#define VDATA3_STORE_BANK (1ull << 10)
#define VDATA3_FORWARDED  (1ull << 11)
#define VDATA3_CANCELLED  (1ull << 12)
#define VDATA3_WC         (1ull << 13) /* 13 = WC, 14 = UC: oprofile since 2010, Linux, AMD APM; older sources swap them */
#define VDATA3_UC         (1ull << 14)
#define VDATA3_LOCKED     (1ull << 15)
#define VDATA3_MAB_HIT    (1ull << 16)
#define VDATA3_LIN_VALID  (1ull << 17)
#define VDATA3_PHY_VALID  (1ull << 18)
#define VDATA3_L2HIT_1G   (1ull << 19) /* revision C and later */
#define VDATA3_LAT_SHIFT  32
/* On later families. */
#define VDATA3_L2_MISS       (1ull << 20)
#define VDATA3_SW_PREFETCH   (1ull << 21)
#define VDATA3_WIDTH_SHIFT   22
#define VDATA3_OPEN_SHIFT    26
#define VDATA3_TLB_LAT_SHIFT 48

/* Holds what later families' registers, but not Family 10h's, tell of a tagged op. */
struct op_facts {
    uint64_t next;   /* address of the instruction that followed */
    uint32_t refill; /* cycles from the miss in the L1 DTLB to its refill */
    uint16_t size;   /* bytes of the access; 0: none */
    uint8_t open;    /* other misses under way when it missed */
    uint8_t page;    /* enum page_size */
    uint8_t source;  /* enum cache_source */
    bool remote;
    bool vector; /* VectorPath, which is microcode */
};

struct op_sample {
    uint64_t rip, data, data2, data3, dc_linear, dc_physical;
    uint64_t target, data4; /* where the registers exist */
    struct op_facts facts;
};

struct fetch_event {
    uint64_t address;
    uint64_t physical;
    uint64_t bits; /* VFETCH_COMP .. VFETCH_L2TLB_MISS; 0 for a killed fetch */
    uint32_t latency;
    uint32_t miss, refill; /* cycles beyond a hit of the L1I, of the L1 ITLB */
};

struct ibs_unit {
    const struct vpmu_params *params;
    struct rng rng;
    struct rng garbage; /* for fields that are not valid */

    uint64_t fetch_ctl, fetch_linear, fetch_physical, fetch_extended;
    uint64_t fetch_ctl2, op_ctl2; /* of Zen 6 */
    uint64_t fetch_left;          /* completed fetches until the next fetch is tagged */
    bool fetch_running;
    bool fetch_tag_next;

    uint64_t op_ctl; /* without the running count */
    struct op_sample op;
    uint64_t op_left;   /* ops until one is tagged or, in cycle mode, may be tagged; UINT64_MAX: no tag due */
    uint64_t op_expiry; /* cycle mode: cycle of the tag, UINT64_MAX when not counting cycles */
    bool line_tagged;   /* cycle mode: an op of the current line carries the tag */
    uint32_t line_ops;  /* ops of that line seen so far */
    uint64_t tag_cycle;
    struct op_sample candidate;

    uint32_t requests;        /* interrupt requests not yet taken by vpmu_step() */
    uint32_t late;            /* late NMIs due */
    uint32_t storm;           /* NMIs of erratum 420 due */
    bool endless;             /* their number does not decrease (HOSTILE_STORM) */
    bool late_nmi;            /* config */
    bool storms;              /* HOSTILE_STORM */
    bool stays;               /* HOSTILE_STORM_STAYS */
    bool stuck;               /* HOSTILE_STUCK_VALID */
    bool no_cur_cnt;          /* HOSTILE_CURCNT */
    bool rip_invalid;         /* HOSTILE_RIP_INVALID */
    uint64_t hostile;         /* all switches; 0 before the later families */
    bool open;                /* the LVT lets interrupts pass: kept by regs.c for each write of a control register */
    bool op_open, fetch_open; /* likewise at the last write that left En set */

    uint64_t op_samples, fetch_samples, skipped_tags, erratum_420_hits;
    uint64_t op_filtered, fetch_filtered; /* samples that a filter dropped */
    uint64_t op_tags;                     /* tags of samples, dropped or not, and of ops that are flushed */
    uint64_t wrong_ops;                   /* ops of wrong paths since one was tagged, while ops are counted */
};

void ibs_init(struct ibs_unit *unit, const struct vpmu_params *params, const struct vpmu_config *config);
bool ibs_armed(const struct ibs_unit *unit);
/* Returns whether fetch or op sampling is enabled and has no sample waiting. */
bool ibs_counting(const struct ibs_unit *unit);

/* Reads and writes of the control registers; now = the current dispatch cycle. */
uint64_t ibs_read_op_ctl(const struct ibs_unit *unit, uint64_t now);
void ibs_write_op_ctl(struct ibs_unit *unit, uint64_t value, uint64_t now);
uint64_t ibs_read_fetch_ctl(const struct ibs_unit *unit);
void ibs_write_fetch_ctl(struct ibs_unit *unit, uint64_t value);
void ibs_write_op_ctl2(struct ibs_unit *unit, uint64_t value, uint64_t now);
void ibs_write_fetch_ctl2(struct ibs_unit *unit, uint64_t value);

/* Takes a fetch that ended. The fetch after the one that completed the count is tagged. */
void ibs_fetch(struct ibs_unit *unit, const struct fetch_event *event);
/* Returns whether the next fetch carries the tag: it must be reported by ibs_fetch(). */
INLINED bool ibs_fetch_tagged(const struct ibs_unit *unit)
{
    return RARELY(unit->fetch_tag_next);
}
/* Takes an untagged fetch that completed. Killed and aborted untagged fetches need no report. */
INLINED void ibs_fetch_completed(struct ibs_unit *unit)
{
    if (unit->fetch_running && --unit->fetch_left == 0)
        unit->fetch_tag_next = true;
}

/* Takes a line, in cycle mode: the decoder was empty until cycle 'from', but for ops of a wrong path before
 * 'wrong_until'; from then the line waited, which is dispatched in cycle 'to'. */
void ibs_line_slow(struct ibs_unit *unit, uint64_t from, uint64_t to, uint64_t wrong_until);
INLINED void ibs_line(struct ibs_unit *unit, uint64_t from, uint64_t to, uint64_t wrong_until)
{
    if (RARELY(unit->op_expiry <= to))
        ibs_line_slow(unit, from, to, wrong_until);
}
/* Counts dispatched ops of a wrong path, which are not modelled: while ops are counted, one of each period of them is
 * tagged and flushed. Ops of the right path are still counted alone, so one in a period of all ops is tagged, and
 * samples stay the same. */
void ibs_wrong_path(struct ibs_unit *unit, uint64_t ops);
/* Retires a tag in the line, which is complete. */
void ibs_line_end_slow(struct ibs_unit *unit);
INLINED void ibs_line_end(struct ibs_unit *unit)
{
    if (RARELY(unit->line_tagged))
        ibs_line_end_slow(unit);
}

/* Counts a dispatched op. Returns true: call ibs_op_tagged(). */
INLINED bool ibs_op_counted(struct ibs_unit *unit)
{
    return RARELY(--unit->op_left == 0);
}
/* Returns true if the op carries the tag for now; the caller fills unit->candidate. */
bool ibs_op_tagged(struct ibs_unit *unit, uint64_t cycle);
/* Retires the tagged op, its candidate filled, in op mode. */
void ibs_op_retired(struct ibs_unit *unit);

/* Turns the registers of a sample, filled as Family 10h has them, into those of a later family (later_ibs.c). before:
 * those of the op before. */
void later_op(struct ibs_unit *unit, const struct op_sample *before);
/* Return whether the candidate, or the fetch, passes all filters. */
bool later_op_passes(const struct ibs_unit *unit);
bool later_fetch_passes(const struct ibs_unit *unit, const struct fetch_event *event);
void later_fetch(struct ibs_unit *unit, const struct fetch_event *event);

/* Change a sample by switches (odd_samples.c), before bits that the family does not have are cleared. */
void odd_op(struct ibs_unit *unit);
void odd_fetch(struct ibs_unit *unit);
/* Returns the source that IbsOpData2 says, an enum cache_source. */
uint8_t odd_source(struct ibs_unit *unit, uint8_t source);
/* Returns whether a sample passes that a filter should drop. */
bool odd_leak(struct ibs_unit *unit);

#endif
