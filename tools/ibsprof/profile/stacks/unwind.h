/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds a sample's callers from the registers and the copy of the stack that perf record --call-graph dwarf records,
 * and from the call frame information of mapped files: elfutils' libdwfl unwinds. Only for call_stacks.c, and 64-bit
 * programs on x86.
 *
 * A stack ends with its copy (perf record --call-graph dwarf,BYTES), or in code without a file.
 */
#ifndef TOOLS_IBSPROF_UNWIND_H
#define TOOLS_IBSPROF_UNWIND_H

#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/profile/spaces/spaces.h"

struct unwinder;

/* 'search' finds files of maps. */
struct unwinder *unwinder_make(const struct run_profile *profile, const struct object_search *search);
void unwinder_free(struct unwinder *unwinder);

/* Writes at most 'most' addresses of user mode, the innermost first: the interrupted one, then the calls, each one byte
 * before its return address. Returns their number; 0: the sample has no copy of its stack. */
uint32_t unwinder_addresses(struct unwinder *unwinder, struct spaces *spaces, const struct perfdata_item *item,
                            uint64_t *addresses, uint32_t most);

#endif
