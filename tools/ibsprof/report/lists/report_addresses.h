/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IBS samples by address: fetches by the fetched address, as in AMD's paper; loads and stores by the accessed data, in
 * regions (separated by a megabyte without accesses, so mostly arrays), pages of 4 KB, cache lines of 64 bytes, or by
 * data object (profile/data/data_objects.h). Linear addresses. Samples without a valid address are counted separately.
 */
#ifndef TOOLS_IBSPROF_REPORT_ADDRESSES_H
#define TOOLS_IBSPROF_REPORT_ADDRESSES_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

bool report_is_addresses(enum report_list list);

/* Writes the list options.list. Reads options.input again, from its start. Sorts rows by address, objects by misses;
 * the text omits those with less than options.min_percent of the samples. 'search': where ELF files of objects are. */
void report_addresses(struct out_file *out, enum form form, const struct run_profile *profile,
                      const struct object_search *search, const struct report_options *options);

/* Cache lines of the page, collected while the profile is read. Zeroed except for 'input', which is read again if data
 * sources, not registers, describe the accesses. */
struct report_lines {
    struct input *input; /* may be set once the profile has been read */
    struct list *list;
};
/* Collects samples during the reading that these options are for. */
void report_lines_begin(struct report_lines *lines, struct profile_options *options);
void report_lines_free(struct report_lines *lines);

/* Writes "cache_lines" for the page: the lines with the most loads and stores, the total number of lines, the list's
 * columns and rows; nothing if there are none. To be called once. */
void report_lines_json(struct json *json, const struct run_profile *profile, void *lines);

#endif
