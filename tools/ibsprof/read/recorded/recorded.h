/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Converts recordings of Linux' perf into one plain perf.data file: recordings into a pipe (perf record -o -), with
 * compressed records (-z), or into a folder with a file for each thread of perf (--threads).
 *
 * Sources: Linux tools/perf/Documentation/perf.data-file-format.txt, tools/lib/perf/include/perf/event.h (records from
 * 64 on), tools/perf/util/zstd.c and session.c (one stream of zstd for all compressed records of a file).
 */
#ifndef TOOLS_IBSPROF_RECORDED_H
#define TOOLS_IBSPROF_RECORDED_H

#include <stdbool.h>

#include "tools/ibsprof/read/input_inside.h"

/* Converts the mapped file if it is from a pipe or compressed. Returns false with a line in input->error. */
bool recorded_make_plain(struct input *input);

/* Maps the files of a folder of perf record --threads as one: "data", and after its records those of data.0, data.1 ...
 * Returns false with a line in input->error. */
bool recorded_of_threads(struct input *input);

#endif
