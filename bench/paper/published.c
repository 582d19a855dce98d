/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/paper/published.h"

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

// clang-format off

/* IBS op samples, cycles counted (section 4.2 and appendix D): all ops, branches, loads and stores. Appendix D has rests
 * of its columns, below. A row of which nothing but other rows' accesses is left has lost its other figures. */
static const struct published_row ops[] = {
    {0x401197, {32508, 0, 32508}, "|32508|0|32508|0040119A", ""},
    {0x4011A1, {3379, 3379, NONE}, "", "in a sentence, as branch samples: every sample of a branch is one; of the last figure only its last digit, 1, is left"},
    {0x4011A3, {NONE, NONE, NONE}, "", "the last figure ends in 6"},
    {0x4011A6, {NONE, NONE, 0}, "", ""},
    {0x4011AC, {NONE, NONE, 2731}, "", "or 31 or 731 if imul had accesses, as jmp has"},
    {0x4011AF, {NONE, NONE, 0}, "", ""},
    {0x4011B5, {1295, 0, 1290}, "|1295|0|1290|004011B8", ""},
    {0x4011B8, {1302, 0, 1302}, "004011B8movesi,dword ptr [ebp-8]|1302|0|1302|004011BB", ""},
    {0x4011BB, {4127, 0, 4127}, "004011BBflddword ptr [eax edx*4 413FE0h]|4127|0|4127|004011C2", ""},
    {0x4011C2, {4091, 0, 4090}, "004011C2fmuldword ptr [ecx esi*4 7E48E8h]|4091|0|4090|004011C9", ""},
    {0x4011C9, {4216, 0, 4199}, "004011C9fadddword ptr [ebp-0Ch]|4216|0|4199|004011CC", ""},
    {0x4011CC, {NONE, NONE, 12207}, "", ""},
    {0x4011CF, {NONE, NONE, 40}, "", "imul at 4011D4 has no accesses, so it is 40 and 3, not 4 and 30; loads and stores agree"},
    {0x4011D1, {NONE, NONE, 3}, "", ""},
    {0x4011D4, {NONE, NONE, 0}, "", ""},
    {0x4011DA, {NONE, NONE, 2}, "", ""},
    {0x4011DD, {NONE, NONE, 4}, "", ""},
    {0x4011E0, {NONE, 0, 0}, "", ""},
    {0x4011E7, {NONE, 3, 0}, "", ""},
    {0x4011E9, {NONE, 0, 0}, "", ""},
    {0x4011EE, {0, 0, 0}, "", ""},
    {0x4011EF, {0, 0, 0}, "", ""},
    {0x4011F1, {0, 0, 0}, "", ""},
    {0x4011F2, {0, 0, 0}, "", ""},
};

/* Accesses of the same samples (section 4.2): loads, stores, DC misses, misses of both DTLB levels. */
static const struct published_row accesses[] = {
    {0x401197, {0, 32508, 21, 0}, "|0|32508|21|0|0x40119a", ""},
    {0x4011B5, {1290, 0, 1, 1}, "|1290|0|1|1|0x4011b8", ""},
    {0x4011B8, {1302, 0, 0, 0}, "0x4011b8movesi,dword ptr [ebp-8]|1302|0|0|0|0x4011bb", ""},
    {0x4011BB, {4127, 0, 51, 18}, "0x4011bbflddword ptr [eax edx*4 413FE0h]|4127|0|51|18|0x4011c2", "or 5 and 118, or 511 and 8"},
    {0x4011C2, {4090, 0, 892, 3141}, "0x4011c2fmuldword ptr [ecx esi*4 7E48E8h]|4090|0|892|3141|0x4011c9", ""},
    {0x4011C9, {4198, 1, 20, 1}, "0x4011c9fadddword ptr [ebp-0Ch]|4198|1|20|1|0x4011cc", "the sum must be 4199"},
    {0x4011CC, {4, 12203, 9, 1}, "0x4011ccfstpdword ptr [ebp-0Ch]|4|12203|9|1|0x4011cf", "the sum must be 12207"},
    {0x4011CF, {NONE, NONE, 2, 0}, "0x4011cfjmp00401191|337|2|0|Unlike", "the sum must be 40: 3 and 37, or 33 and 7"},
};

/* IBS fetch samples (section 4.1 and appendix C) by the fetch's address: all, killed, attempted, completed, aborted. Ten
 * zeros stand at 4011C2 and 4011C9, six and four: no row. */
static const struct published_row fetches[] = {
    {0x401180, {6, 0, 6, 6, 0}, "", "in a sentence: six samples, all of them attempted"},
    {0x401191, {NONE, NONE, 7, 7, 0}, "", "the second of six addresses in ascending order"},
    {0x401197, {0, 0, 0, 0, 0}, "|0|0|0|0|0|0040119A", ""},
    {0x4011A0, {NONE, NONE, 4036, 4036, 0}, "", ""},
    {0x4011B5, {0, 0, 0, 0, 0}, "|0|0|0|0|0|004011B8", ""},
    {0x4011B8, {0, 0, 0, 0, 0}, "004011B8movesi,dword ptr [ebp-8]|0|0|0|0|0|004011BB", ""},
    {0x4011C0, {3955, 2, 3953, 3953, 0}, "004011BBflddword ptr [eax edx*4 413FE0h]|3955|2|3953|3953|0|004011C2", "at the instruction in which this block begins"},
    {0x4011CC, {0, 0, 0, 0, 0}, "", ""},
    {0x4011CF, {0, 0, 0, 0, 0}, "", ""},
    {0x4011D1, {5, 0, 5, 5, 0}, "", ""},
    {0x4011D4, {0, 0, 0, 0, 0}, "", ""},
    {0x4011DA, {0, 0, 0, 0, 0}, "", ""},
    {0x4011DD, {0, 0, 0, 0, 0}, "004011DDmovedx,dword ptr [ebp-0Ch]|0|0|0|0|0|004011E0", ""},
    {0x4011E0, {4020, 4019, 1, 1, 0}, "", ""},
    {0x4011E7, {0, 0, 0, 0, 0}, "", ""},
    {0x4011E9, {0, 0, 0, 0, 0}, "", ""},
    {0x4011EE, {0, 0, 0, 0, 0}, "", ""},
    {0x4011EF, {0, 0, 0, 0, 0}, "", ""},
    {0x4011F1, {0, 0, 0, 0, 0}, "", ""},
    {0x4011F2, {0, 0, 0, 0, 0}, "", ""},
};

/* Counter samples (appendix B): retired instructions, DC accesses, DC misses, misses of both DTLB levels. */
static const struct published_row counters[] = {
    {0x401140, {0, 0, 0, 0}, "00401140 push ebp|0|0|0|0|", ""},
    {0x401141, {0, 0, 0, 0}, "00401141 mov|0|0|0|0|", ""},
    {0x401143, {0, 0, 0, 0}, "00401143 sub|0|0|0|0|", ""},
    {0x401146, {0, 0, 0, 0}, "00401146 push esi|0|0|0|0|", ""},
    {0x401147, {0, 0, 0, 0}, "00401147 mov|0|0|0|0|", ""},
    {0x40114E, {0, 0, 0, 0}, "0040114E jmp|0|0|0|0|", ""},
    {0x401150, {0, 0, 0, 0}, "00401150 mov|0|0|0|0|", ""},
    {0x401153, {0, 0, 0, 0}, "00401153 add|0|0|0|0|", ""},
    {0x401156, {0, 0, 0, 0}, "00401156 mov|0|0|0|0|", ""},
    {0x401159, {0, 0, 0, 0}, "00401159 cmp|0|0|0|0|", ""},
    {0x401160, {0, 0, 0, 0}, "00401160 jge|0|0|0|0|", ""},
    {0x401166, {0, 0, 0, 0}, "00401166 mov|0|0|0|0|", ""},
    {0x40116D, {0, 0, 0, 0}, "0040116D jmp|0|0|0|0|", ""},
    {0x40116F, {0, 0, 0, 0}, "0040116F mov|0|0|0|0|", ""},
    {0x401172, {0, 2, 0, 0}, "00401172 add|0|2|0|0|", ""},
    {0x401175, {0, 0, 0, 0}, "00401175 mov|0|0|0|0|", ""},
    {0x401178, {0, 0, 0, 0}, "00401178 cmp|0|0|0|0|", ""},
    {0x40117F, {1, 0, 0, 1}, "0040117F jge|1|0|0|1|", ""},
    {0x401181, {0, 0, 0, 0}, "00401181 mov|0|0|0|0|", ""},
    {0x401188, {0, 0, 0, 0}, "00401188 mov|0|0|0|0|", ""},
    {0x40118F, {2, 0, 0, 0}, "0040118F jmp|2|0|0|0|", ""},
    {0x401191, {1291, 1763, 7, 81}, "00401191 mov|1291|1763|7|81|", "the copy of section 3 breaks off after 7; else 78 and 1"},
    {0x401194, {1330, 1551, NONE, NONE}, "00401194 add|1330|1551|6291|", "6 and 291, 62 and 91, or 629 and 1"},
    {0x401197, {0, 0, 0, 0}, "00401197 mov|0|0|0|0|", ""},
    {0x40119A, {0, 2, 0, 1}, "0040119A cmp|0|2|0|1|", ""},
    {0x4011A1, {1693, 1353, NONE, NONE}, "004011A1 jge|1693|1353|28842|", "the text says that many DTLB misses are here: 28 and 842; the sums speak for 288 and 42; or 2884 and 2"},
    {0x4011A3, {0, 0, 0, 0}, "004011A3 mov|0|0|0|0|", ""},
    {0x4011A6, {0, 0, 0, 0}, "004011A6 imul eax,eax,4000|0|0|0|0|", ""},
    {0x4011AC, {2196, 1813, NONE, NONE}, "004011AC mov|2196|1813|4542|", "4 and 542, 45 and 42, or 454 and 2"},
    {0x4011AF, {0, 0, 0, 0}, "004011AF imul ecx,ecx,4000|0|0|0|0|", ""},
    {0x4011B5, {1818, 1579, NONE, NONE}, "004011B5 mov|1818|1579|1020|", "10 and 20, or 102 and 0"},
    {0x4011B8, {0, 0, 0, 0}, "004011B8 mov|0|0|0|0|", ""},
    {0x4011BB, {0, 0, 0, 0}, "004011BB fld|0|0|0|0|", ""},
    {0x4011C2, {1165, 1107, NONE, NONE}, "004011C2 fmul dword ptr [ecx esi*4 7E48E8h]|1165|1107|9218|", "9 and 218, 92 and 18, or 921 and 8"},
    {0x4011C9, {33298, 22415, 409, 2093}, "004011C9 fadd dword ptr [ebp-0Ch]|33298|22415|409|2093|", ""},
    {0x4011CC, {17983, 8363, NONE, NONE}, "004011CC fstp dword ptr [ebp-0Ch]|17983|8363|41256|", "4 and 1256, 41 and 256, or 412 and 56"},
    {0x4011CF, {3365, 4146, NONE, NONE}, "004011CF jmp|3365|4146|47276|", "47 and 276, or 472 and 76"},
    {0x4011D1, {0, 0, 0, 0}, "004011D1 mov|0|0|0|0|", ""},
    {0x4011D4, {3, 4, 0, 1}, "004011D4 imul eax,eax,4000|3|4|0|1|", ""},
    {0x4011DA, {2, 0, 0, 0}, "004011DA mov|2|0|0|0|", ""},
    {0x4011DD, {0, 0, 0, 0}, "004011DD mov|0|0|0|0|", ""},
    {0x4011E0, {0, 0, 0, 0}, "004011E0 mov|0|0|0|0|", ""},
    {0x4011E7, {67, 94, 1, 0}, "004011E7 jmp|67|94|1|0|", "or 6 and 794, or 679 and 4"},
    {0x4011E9, {0, 0, 0, 0}, "004011E9 jmp|0|0|0|0|", ""},
    {0x4011EE, {0, 0, 0, 0}, "004011EE pop|0|0|0|0|", ""},
    {0x4011EF, {0, 0, 0, 0}, "004011EF mov|0|0|0|0|", ""},
    {0x4011F1, {0, 0, 0, 0}, "004011F1|0|0|0|0|", ""},
    {0x4011F2, {0, 0, 0, 0}, "004011F2 ret|0|0|0|0|", ""},
};

const struct published published[PUBLISHED_TABLES] = {
    [OP_SAMPLES] = {"op samples", 7, 3, "%08lX", ops, ROWS(ops)},
    [LOADS_AND_STORES] = {"load/store", 8, 4, "0x%lx", accesses, ROWS(accesses)},
    [FETCHES] = {"fetches", 6, 5, "%08lX", fetches, ROWS(fetches)},
    [COUNTER_SAMPLES] = {"counters", 12, 4, "%08lX", counters, ROWS(counters)},
};

const struct published_column published_columns[] = {
    {OP_SAMPLES, 14, OP_ALL, 1, false, 0x4011F2, "IBS all |0|0|0|0|IBS"},
    {OP_SAMPLES, 14, OP_BRANCHES, 1, false, 0x4011F2, "IBS |0|3|0|0|0|0|0|IBS"},
    {OP_SAMPLES, 14, OP_ACCESSES, 1, false, 0x4011F2, "IBS 6|0|2731|0|1290|1302|4127|4090|4199|12207|40|3|0|2|4|0|0|0|0|0|0|0|Page 14"},
    {FETCHES, 5, FETCH_ATTEMPTED, 1, true, 0x4011E0, "multiply ed|6|7|4036|3953|5|1|Completed"},
    {FETCHES, 5, FETCH_COMPLETED, 1, true, 0x4011E0, "Completed|6|7|4036|3953|5|1|Aborted"},
    {FETCHES, 5, FETCH_ABORTED, 1, true, 0x4011E0, "Aborted|0|0|0|0|0|0|IC miss"},
    {FETCHES, 13, FETCH_ALL, 5, false, 0x4011F2, "Completed |0|0|0|0|0|0|0|0|0|0|5|0|5|5|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|4020| 4019|1|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0| 2007"},
};
const unsigned published_column_count = ROWS(published_columns);

const struct published_sentence published_sentences[] = {
    {8, OP_SAMPLES, 0x4011A1, OP_ALL, 3379, "0x4011a1 is taken when the loop exit condition is true. |3,379| IBSbranch op samples"},
    {8, OP_SAMPLES, 0x4011A1, OP_BRANCHES, 3379, "0x4011a1 is taken when the loop exit condition is true. |3,379| IBSbranch op samples"},
    {8, OP_SAMPLES, 0x4011A1, PUBLISHED_COLUMNS, PUBLISHED_MISPREDICTED, "Of these samples, only |two| indicated that thebranch was mispredicted"},
    {8, LOADS_AND_STORES, 0x4011C2, PUBLISHED_COLUMNS, PUBLISHED_LATENCY_SUM, "the culprit instruction was |92,465| cycles"},
    {5, FETCHES, 0x401180, FETCH_ALL, 6, "|six| IBS fetchsamples were taken for the address 0x401180"},
    {5, FETCHES, 0x401180, FETCH_ATTEMPTED, 6, "0x401180 and all |six| of those samples were attemptedfetches that completed"},
};
const unsigned published_sentence_count = ROWS(published_sentences);

// clang-format on
