/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs from lines of a serial port (core/run/transfer.h): blocks in any order, from any number of transmissions. */
#ifndef TOOLS_IBSPROF_COLLECT_H
#define TOOLS_IBSPROF_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/run/transfer.h"

/* The file of a run's folder in which lines of incomplete files are kept. */
#define RECEIVED_LINES "received.lines"

/* A file that is arriving. */
struct received_file {
    bool known; /* its head is there */
    struct transfer_head head;
    uint32_t room;  /* blocks that the next two have room for */
    uint32_t count; /* blocks that are there */
    uint8_t *bytes;
    uint8_t *size; /* of each block, plus 1; 0: not there */
    bool wrong;    /* two heads, or two blocks, that differ: one of them was damaged and looks right */
};

struct received_run {
    uint32_t number;
    struct received_file file[TRANSFER_END];
    uint32_t files;                     /* 0: no head is there yet */
    char folder[TRANSFER_NAME_MAX + 1]; /* of its first head */
    bool ended;                         /* the last line so far is the end of a transmission */
};

struct collection {
    struct received_run **run;
    uint32_t runs;
    uint64_t blocks, damaged; /* lines */
    char *rest;               /* the beginning of a line whose end is awaited */
    size_t rest_size;
};

/* More of what the port said. */
void collect_text(struct collection *collection, const char *text, size_t size);
/* There is no more: the beginning of a line is a damaged one. */
void collect_end(struct collection *collection);
/* A file of a run that is there as a whole. */
void collect_file(struct received_run *run, uint8_t number, const void *bytes);
void collect_free(struct collection *collection);

/* All blocks are there and the file's checksum is right. */
bool received_file_complete(const struct received_file *file);
/* Parts contradict each other, or all are there and the checksum of the whole is not right. */
bool received_file_wrong(const struct received_file *file);
bool received_run_complete(const struct received_run *run);

#endif
