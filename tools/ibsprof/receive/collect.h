/* SPDX-License-Identifier: BSD-2-Clause */
/* Collects runs from lines of a serial port (core/run/transfer.h): blocks in any order, from any number of
 * transmissions. */
#ifndef TOOLS_IBSPROF_COLLECT_H
#define TOOLS_IBSPROF_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/transfer.h"

/* File in a run's folder with the lines of incomplete files. */
#define RECEIVED_LINES "received.lines"

/* An arriving file. */
struct received_file {
    bool known; /* 'head' has arrived */
    struct transfer_head head;
    uint32_t room;  /* number of blocks for which the next two have room */
    uint32_t count; /* number of blocks that have arrived */
    uint8_t *bytes;
    uint8_t *size; /* bytes of each block, plus 1; 0: missing */
    bool wrong;    /* two heads, or two blocks, differ: one of them is damaged in spite of its checksum */
};

struct received_run {
    uint32_t number;
    struct received_file file[TRANSFER_END];
    uint32_t files;                     /* 0: no head has arrived */
    char folder[TRANSFER_NAME_MAX + 1]; /* from its first head */
    bool ended;                         /* the latest line is the end of a transmission */
};

struct collection {
    struct received_run **run;
    uint32_t runs;
    uint64_t blocks, damaged; /* number of lines */
    char *rest;               /* incomplete last line */
    size_t rest_size;
};

/* Processes more text from the port. */
void collect_text(struct collection *collection, const char *text, size_t size);
/* Ends the text; an incomplete last line is damaged. */
void collect_end(struct collection *collection);
/* Adds a complete file of a run. */
void collect_file(struct received_run *run, uint8_t number, const void *bytes);
void collect_free(struct collection *collection);

/* Returns whether all blocks have arrived and the file's checksum is right. */
bool received_file_complete(const struct received_file *file);
/* Returns whether parts contradict each other, or all have arrived and the file's checksum is wrong. */
bool received_file_wrong(const struct received_file *file);
bool received_run_complete(const struct received_run *run);

#endif
