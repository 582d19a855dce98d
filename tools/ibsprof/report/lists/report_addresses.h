/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IBS samples by their addresses: fetches by the address that was fetched, as in AMD's paper; loads and stores by the
 * data that they touched, in regions (cut where nothing was touched for a megabyte, so mostly arrays), pages of 4 KB,
 * cache lines of 64 bytes, or by data object (profile/data/data_objects.h). Linear addresses. Samples without a valid
 * address are counted apart.
 */
#ifndef TOOLS_IBSPROF_REPORT_ADDRESSES_H
#define TOOLS_IBSPROF_REPORT_ADDRESSES_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

bool report_is_addresses(enum report_list list);

/* options.list says which. Reads options.input again, from its begin. Rows are in the order of their addresses, objects
 * in that of their misses; the text leaves out those with less than options.min_percent of the samples. 'search':
 * where the ELF files of objects are. */
void report_addresses(struct out_file *out, enum form form, const struct run_profile *profile,
                      const struct object_search *search, const struct report_options *options);

/* The cache lines of the page, made while the profile is read: all zeros but for the input, which is read again where
 * the samples' data source, not registers, tells what they accessed. */
struct report_lines {
    struct input *input; /* may be set when the profile is there */
    struct list *list;
};
/* Sees the samples of the profile that these options are for. */
void report_lines_begin(struct report_lines *lines, struct profile_options *options);
void report_lines_free(struct report_lines *lines);

/* Writes "cache_lines", for the page: the lines with most loads and stores, the number of all, and the list's columns
 * and rows; nothing where there are none. Once for each. */
void report_lines_json(struct json *json, const struct run_profile *profile, void *lines);

#endif
