/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds who allocated memory in a Linux program, by probes of its allocator: entries with the size, returns with the
 * address, both in one recording with the samples (perf probe -x libc.so.6 'malloc size=%di', 'malloc%return
 * ptr=$retval'). The return address names the caller. A block is known until a probe of free() reports its end, or
 * another block overlaps it.
 *
 * Sources: Linux kernel/trace/trace_uprobe.c (struct uprobe_trace_entry_head, and the arguments behind it),
 * include/linux/trace_events.h (struct trace_entry, 8 bytes), Documentation/trace/uprobetracer.rst (an argument
 * without a type is a word).
 */
#ifndef TOOLS_IBSPROF_ALLOCATIONS_H
#define TOOLS_IBSPROF_ALLOCATIONS_H

#include "tools/ibsprof/read/input.h"

struct allocations;

/* Returns NULL if the file has no such probes. */
struct allocations *allocations_make(const struct input_facts *facts);
void allocations_free(struct allocations *allocations);

/* Processes the next sample, in the input's order. */
void allocations_sample(struct allocations *allocations, const struct perfdata_item *sample);

/* Finds the caller that allocated the block at an address, as the address after the call. Returns false if no block is
 * known there. */
bool allocations_find(const struct allocations *allocations, uint32_t pid, uint64_t address, uint64_t *ret_caller);

#endif
