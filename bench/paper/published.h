/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The figures of the tables of AMD's paper on IBS (P. Drongowski, "Instruction-Based Sampling: A New Performance
 * Analysis Technique for AMD Family 10h Processors", 2007) that can be read in its text copy. The copy runs the columns
 * of a row together and has lost many rows; what is not here is not legible.
 *
 * 'digits' are those of the copy, from which the figures are read; 'doubt' says what else they could be, "" when only
 * one reading fits. NONE: not legible.
 */
#ifndef BENCH_PAPER_PUBLISHED_H
#define BENCH_PAPER_PUBLISHED_H

// clang-format off

enum {
    NONE = -1,
    /* Counts between two samples, of every column whose total is known: 16 instructions and 11 data cache accesses in
     * each of 10^9 iterations, and three completed fetches (docs/paper.md). */
    PUBLISHED_PERIOD = 250000,
    PUBLISHED_LATENCY_SUM = 92465, /* cycles of the DC misses at 4011C2 (section 4.2) */
    PUBLISHED_MISPREDICTED = 2,    /* of the branch samples at 4011A1 (section 4.2) */
};

/* IBS op samples, cycles counted (sections 4.2 and appendix D): all ops, branches, loads and stores. */
static const struct published_op {
    long address, all, branches, accesses;
    const char *digits, *doubt;
} published_ops[] = {
    {0x401197, 32508, 0, 32508, "32508 0 32508", ""},
    {0x4011A1, 3379, 3379, NONE, "3,379", "in the text, as branch samples: every sample of a branch is one"},
    {0x4011AC, NONE, NONE, 2731, "6 0 2731 0 1290", "appendix D; the digits before it are lost, so 2731 may be 31 or 731"},
    {0x4011B5, 1295, 0, 1290, "129501290", ""},
    {0x4011B8, 1302, 0, 1302, "130201302", ""},
    {0x4011BB, 4127, 0, 4127, "412704127", ""},
    {0x4011C2, 4091, 0, 4090, "409104090", ""},
    {0x4011C9, 4216, 0, 4199, "421604199", ""},
    {0x4011CC, NONE, NONE, 12207, "12207", "appendix D; all ops is lost, and is at least this"},
    {0x4011CF, 3372, NONE, 0, "33720", "the columns before are lost: all ops or branches"},
};

/* Of the same samples (section 4.2): loads, stores, DC misses, misses of both DTLB levels. */
static const struct published_access {
    long address, loads, stores, misses, walks;
    const char *digits, *doubt;
} published_accesses[] = {
    {0x401197, 0, 32508, 21, 0, "032508210", ""},
    {0x4011B5, 1290, 0, 1, 1, "1290011", ""},
    {0x4011B8, 1302, 0, 0, 0, "1302000", ""},
    {0x4011BB, 4127, 0, 51, 18, "412705118", "or 5 and 118, or 511 and 8"},
    {0x4011C2, 4090, 0, 892, 3141, "409008923141", ""},
    {0x4011C9, 4198, 1, 20, 1, "41981201", "the sum must be 4199"},
    {0x4011CC, 4, 12203, 9, 1, "41220391", "the sum must be 12207"},
};

/* IBS fetch samples (section 4.1 and appendix C) by the fetch's address: all, killed, attempted, completed, aborted. */
static const struct published_fetch {
    long address, all, killed, attempted, completed, aborted;
    const char *digits, *doubt;
} published_fetches[] = {
    {0x401180, NONE, NONE, 6, 6, 0, "6", ""},
    {0x401191, NONE, NONE, 7, 7, 0, "7", "its place is that of the second of six addresses in ascending order"},
    {0x4011A0, NONE, NONE, 4036, 4036, 0, "4036", ""},
    {0x4011C0, 3955, 2, 3953, 3953, 0, "39552395339530", ""},
    {0x4011D1, 5, 0, 5, 5, 0, "5 0 5 5", "its place is that of the fifth"},
    {0x4011E0, 4020, 4019, 1, 1, 0, "4020 4019 1 1 0", ""},
};

/* Counter samples (appendix B): retired instructions, DC accesses, DC misses, misses of both DTLB levels. */
static const struct published_counter {
    long address, instructions, accesses, misses, walks;
    const char *digits, *doubt;
} published_counters[] = {
    {0x401172, 0, 2, 0, 0, "0200", ""},
    {0x40117F, 1, 0, 0, 1, "1001", ""},
    {0x40118F, 2, 0, 0, 0, "2000", ""},
    {0x401191, 1291, 1763, 7, 81, "12911763781", "the copy of section 3 breaks off after 7; else 78 and 1"},
    {0x401194, 1330, 1551, NONE, NONE, "133015516291", "6 and 291, 62 and 91, or 629 and 1"},
    {0x401197, 0, 0, 0, 0, "0000", ""},
    {0x40119A, 0, 2, 0, 1, "0201", ""},
    {0x4011A1, 1693, 1353, NONE, NONE, "1693135328842", "the text says that many DTLB misses are here: 28 and 842; the sums speak for 288 and 42; or 2884 and 2"},
    {0x4011A3, 0, 0, 0, 0, "0000", ""},
    {0x4011A6, 0, 0, 0, 0, "0000", ""},
    {0x4011AC, 2196, 1813, NONE, NONE, "219618134542", "4 and 542, 45 and 42, or 454 and 2"},
    {0x4011AF, 0, 0, 0, 0, "0000", ""},
    {0x4011B5, 1818, 1579, NONE, NONE, "181815791020", "10 and 20, or 102 and 0"},
    {0x4011B8, 0, 0, 0, 0, "0000", ""},
    {0x4011BB, 0, 0, 0, 0, "0000", ""},
    {0x4011C2, 1165, 1107, NONE, NONE, "116511079218", "9 and 218, 92 and 18, or 921 and 8"},
    {0x4011C9, 33298, 22415, 409, 2093, "33298224154092093", ""},
    {0x4011CC, 17983, 8363, NONE, NONE, "17983836341256", "4 and 1256, 41 and 256, or 412 and 56"},
    {0x4011CF, 3365, 4146, NONE, NONE, "3365414647276", "47 and 276, or 472 and 76"},
    {0x4011D4, 3, 4, 0, 1, "3401", ""},
    {0x4011DA, 2, 0, 0, 0, "2000", ""},
    {0x4011E7, 67, 94, 1, 0, "6794 1 0", "or 6 and 794, or 679 and 4"},
};

// clang-format on

#endif
