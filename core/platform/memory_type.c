/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/platform/memory_type.h"

enum {
    VARIABLE = (SILICON_MTRR_FIX_64K_00000 - SILICON_MTRR_BASE_0) / 2,
    PAGE = 4096,
    FIXED_END = 0x100000, /* the fixed MTRRs reach to 1 MB */
    FIXED_16K = 0x80000,
    FIXED_4K = 0xC0000,
};

#define DEF_TYPE_FIXED (1ull << 10)
#define DEF_TYPE_ON    (1ull << 11)
#define MASK_VALID     (1ull << 11)
#define ADDRESS        0xFFFFFFFFFF000ull /* 51:12 */
#define SYSCFG_TOM2_ON (1ull << 21)
#define SYSCFG_TOM2_WB (1ull << 22)
#define TOM2_ADDRESS   0xFFFFFF800000ull /* Linux arch/x86/kernel/cpu/mtrr/generic.c, mtrr_tom2 */
#define FOUR_GB        0x100000000ull

const char *memory_type_name(enum memory_type type)
{
    static const char *const names[] = {[MEMORY_UC] = "UC",
                                        [MEMORY_WC] = "WC",
                                        [2] = "undefined",
                                        [3] = "undefined",
                                        [MEMORY_WT] = "WT",
                                        [MEMORY_WP] = "WP",
                                        [MEMORY_WB] = "WB",
                                        [MEMORY_UC_MINUS] = "UC-",
                                        [MEMORY_UNDEFINED] = "undefined",
                                        [MEMORY_MIXED] = "mixed",
                                        [MEMORY_UNKNOWN] = "not known"};

    return names[type];
}

static enum memory_type checked(uint64_t type)
{
    return type == MEMORY_UC || type == MEMORY_WC || (type >= MEMORY_WT && type <= MEMORY_WB) ? (enum memory_type)type
                                                                                              : MEMORY_UNDEFINED;
}

/* Returns the byte of the fixed MTRRs for an address below 1 MB. Bits 4:3, RdMem and WrMem, may be shown beside the
 * type. */
static enum memory_type fixed(const struct silicon *silicon, uint32_t address)
{
    unsigned row = SILICON_MTRR_FIX_64K_00000, part = address >> 16;

    if (address >= FIXED_4K) {
        row = SILICON_MTRR_FIX_4K_C0000 + ((address - FIXED_4K) >> 15);
        part = address >> 12;
    } else if (address >= FIXED_16K) {
        row = SILICON_MTRR_FIX_16K_80000 + ((address - FIXED_16K) >> 17);
        part = address >> 14;
    }
    return checked(silicon->value[row] >> (part & 7) * 8 & 7);
}

/* Combines types by section 7.7.2: equal ones; else UC if one of them is; else WT of WT and WB. */
static enum memory_type overlap(enum memory_type a, enum memory_type b)
{
    if (a == b)
        return a;
    if (a == MEMORY_UC || b == MEMORY_UC)
        return MEMORY_UC;
    if ((a == MEMORY_WT && b == MEMORY_WB) || (a == MEMORY_WB && b == MEMORY_WT))
        return MEMORY_WT;
    return MEMORY_UNDEFINED;
}

static enum memory_type by_default(const struct silicon *silicon, uint64_t physical)
{
    uint64_t syscfg = silicon->value[SILICON_SYSCFG], wanted = SYSCFG_TOM2_ON | SYSCFG_TOM2_WB;

    if (physical >= FOUR_GB && physical < (silicon->value[SILICON_TOP_MEM2] & TOM2_ADDRESS) &&
        (syscfg & wanted) == wanted)
        return MEMORY_WB;
    return checked(silicon->value[SILICON_MTRR_DEF_TYPE] & 0xFF);
}

static uint64_t mask_of(const struct silicon *silicon, unsigned n)
{
    uint64_t mask = silicon->value[SILICON_MTRR_MASK_0 + 2 * n];

    return mask & MASK_VALID ? mask & ADDRESS : 0;
}

/* Returns the type of one address by MTRRs alone. */
static enum memory_type by_mtrr(const struct silicon *silicon, uint64_t physical)
{
    uint64_t def_type = silicon->value[SILICON_MTRR_DEF_TYPE];
    enum memory_type type = MEMORY_UNKNOWN;

    if (!silicon_has(silicon, SILICON_MTRR_DEF_TYPE))
        return MEMORY_UNKNOWN;
    if (!(def_type & DEF_TYPE_ON))
        return MEMORY_UC;
    if (physical < FIXED_END && def_type & DEF_TYPE_FIXED)
        return fixed(silicon, (uint32_t)physical);
    for (unsigned n = 0; n < VARIABLE; n++) {
        uint64_t base = silicon->value[SILICON_MTRR_BASE_0 + 2 * n], mask = mask_of(silicon, n);

        if (!mask || (physical & mask) != (base & mask))
            continue;
        type = type == MEMORY_UNKNOWN ? checked(base & 0xFF) : overlap(type, checked(base & 0xFF));
    }
    return type == MEMORY_UNKNOWN ? by_default(silicon, physical) : type;
}

/* Applies table 7-9 and what follows it: where it has no type, UC. */
static enum memory_type with_pat(enum memory_type mtrr, unsigned pat)
{
    if (mtrr > MEMORY_WB)
        return mtrr;
    switch (pat) {
    case MEMORY_WB:
        return mtrr;
    case MEMORY_WC:
        return MEMORY_WC;
    case MEMORY_UC_MINUS:
        return mtrr == MEMORY_WC ? MEMORY_WC : MEMORY_UC;
    case MEMORY_WT:
    case MEMORY_WP:
        return mtrr == MEMORY_WB || mtrr == pat ? (enum memory_type)pat : MEMORY_UC;
    default:
        return MEMORY_UC;
    }
}

/* Returns the largest step at whose multiples types change: the smallest variable range, and the end of memory above 4
 * GB. */
static uint64_t granule(const struct silicon *silicon)
{
    uint64_t bits = FOUR_GB | (silicon->value[SILICON_TOP_MEM2] & TOM2_ADDRESS);

    for (unsigned n = 0; n < VARIABLE; n++)
        bits |= mask_of(silicon, n);
    return bits & -bits;
}

enum memory_type memory_type_of(const struct silicon *silicon, uint64_t base, uint64_t size, unsigned pat)
{
    unsigned chosen = silicon_has(silicon, SILICON_PAT) ? silicon->value[SILICON_PAT] >> pat * 8 & 7 : MEMORY_WB;
    enum memory_type type = by_mtrr(silicon, base);
    uint64_t end = base + size, step = granule(silicon);

    for (uint64_t at = base; type != MEMORY_UNKNOWN && at < end;) {
        uint64_t by = at < FIXED_END ? PAGE : step;

        if (by_mtrr(silicon, at) != type)
            return MEMORY_MIXED;
        at = (at & ~(by - 1)) + by;
    }
    return with_pat(type, chosen);
}
