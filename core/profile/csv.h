/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.csv: a row per instruction, a column per derived event. All instructions of a function are there, those
 * without samples too, if the function has samples; functions without any are left out.
 *
 * Header row: rva,function,file,line,instruction, then per event "F000 IBS all fetch [samples]"; app/save/save.c puts a
 * comment line before it where the figures are not silicon's. Quoting after RFC 4180; lines end in LF like all files of
 * a run. Samples outside of the map come last, in a row whose rva is empty and whose function is "(outside the map)",
 * so that every column's sum is the run's total.
 *
 * A run with an estimate of time has three columns more, in millionths of the cycles: share, and its 95 % interval.
 * Time without an op to retire is a row after the last, whose function is "(front end)".
 */
#ifndef CORE_CSV_H
#define CORE_CSV_H

#include "core/base/out.h"
#include "core/ibs/time_share.h"
#include "core/profile/pmc_profile.h"
#include "core/profile/profile.h"

/* Writes one field, quoted when it holds a comma, quote or line break, without a separator. */
void csv_field(struct out *out, const char *text);

/* Writes the file. time: for the rows of the profile's map, or NULL. */
void csv_write_profile(struct out *out, const struct profile *profile, const struct time_share *time);

/* Columns of an estimate of time, each after a comma. */
#define CSV_TIME_TITLES ",est. time [ppm],low [ppm],high [ppm]"
void csv_time(struct out *out, const struct time_share_part *part);

/* Writes a profile of counter and timer samples: the columns are the run's events, "041 DATA_CACHE_MISSES [samples]",
 * and the timer, "timer [samples]". Samples are as they were taken, not weighted (core/profile/pmc_profile.h). */
void csv_write_pmc_profile(struct out *out, const struct pmc_profile *profile);

/* Writes the title of a derived event's column: "F000 IBS all fetch [samples]". */
void csv_event(struct out *out, enum derived event);

/* Writes rva,function,file,line,instruction of one instruction, with a comma after each but the last. */
void csv_instruction(struct out *out, const struct codemap *map, uint32_t index);

#endif
