/* SPDX-License-Identifier: BSD-2-Clause */
/* Parses which parts of a run to send: "perf.data:12,40-47 run.ini", or all. */
#ifndef APP_SEND_WANTED_H
#define APP_SEND_WANTED_H

#include "app/save/run_files.h"

enum { SEND_RANGES = 60 };

struct send_wanted {
    unsigned count; /* 0: all */
    struct {
        const char *name; /* of the run's file */
        uint32_t first, last;
    } range[SEND_RANGES];
};

/* Returns false after a line in 'problems' for a file that the run lacks, blocks that are not numbers, or too many
 * ranges. */
bool send_wanted_read(struct send_wanted *wanted, const char *what, const struct run_file *files, unsigned count,
                      struct out *problems);

bool send_wants_file(const struct send_wanted *wanted, const char *name);
bool send_wants_block(const struct send_wanted *wanted, const char *name, uint32_t number);

/* Returns how many of the file's blocks are wanted. */
uint32_t send_wanted_blocks(const struct send_wanted *wanted, const char *name, uint32_t blocks);

#endif
