/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Callers of a sample by the registers and the copy of its stack that perf record --call-graph dwarf keeps with it, and
 * by the call frame information of the files that its process had mapped: elfutils' libdwfl unwinds. For call_stacks.c
 * only; programs of 64 bits on x86.
 *
 * A stack ends where its copy does (perf record --call-graph dwarf,BYTES), or in code that no file describes.
 */
#ifndef TOOLS_IBSPROF_UNWIND_H
#define TOOLS_IBSPROF_UNWIND_H

#include "tools/ibsprof/profile/profile.h"
#include "tools/ibsprof/profile/spaces/spaces.h"

struct unwinder;

/* Files of maps are looked for as search says. */
struct unwinder *unwinder_make(const struct run_profile *profile, const struct object_search *search);
void unwinder_free(struct unwinder *unwinder);

/* Writes the addresses of user mode, the innermost first, at most 'most': where it was interrupted, then the calls,
 * each one byte before its return address. Returns how many: 0 where the sample has no copy of its stack. */
uint32_t unwinder_addresses(struct unwinder *unwinder, struct spaces *spaces, const struct perfdata_item *item,
                            uint64_t *addresses, uint32_t most);

#endif
