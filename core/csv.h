/*
 * profile.csv: a row per instruction of the code map, a column per derived event.
 *
 * Header row: rva,function,file,line,instruction, then per event "F000 IBS all fetch [samples]". Quoting after RFC
 * 4180; lines end in LF like all files of a run. Samples outside of the map come last, in a row whose rva is empty and
 * whose function is
 * "(outside the map)", so that every column's sum is the run's total.
 */
#ifndef CORE_CSV_H
#define CORE_CSV_H

#include "core/out.h"
#include "core/profile.h"

/* One field, quoted when it holds a comma, quote or line break. No separator is written. */
void csv_field(struct out *out, const char *text);

void csv_write_profile(struct out *out, const struct profile *profile);

#endif
