/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine booted over the network, and its boot server, which keeps the names of received files. */
#ifndef TESTS_UNIT_EFI_FAKE_SERVER_H
#define TESTS_UNIT_EFI_FAKE_SERVER_H

#include "tests/unit/efi/fake_system.h"

struct fake_server {
    bool no_driver;
    bool by_ipxe;      /* iPXE does not report a file's length */
    char asked[4000];  /* requested names, separated by blanks */
    const char *there; /* name of the existing file, whose text is "text" */
    EFI_STATUS status; /* statuses of other reads and of all writes */
    UINT8 code;        /* code of an ERROR packet */
    bool silent;       /* no packet arrives at all */
    unsigned lost;     /* number of writes whose last answer is lost */
    unsigned writes;
    char written[200]; /* name */
    char bytes[100];
    size_t size;
    unsigned children, memory;
    bool configured, full; /* full: memory is full */
    EFI_STATUS away;       /* status of the first 'tries_away' writes, which get no packet */
    unsigned tries_away;
    UINT8 gateway;
    unsigned packet_bytes; /* size of the ERROR packet */
    UINT8 code_high;
    bool no_packet;                        /* a read fails without a packet */
    bool no_path, no_binding, no_protocol; /* parts that are missing in the firmware */
    unsigned allocations, counts;          /* counts: number of queries of the firmware's count */
    bool one_byte, empty;                  /* length of existing files */
    unsigned taken;                        /* number of names that exist when queried */
    bool clock_fails;
    char files[20][100]; /* names on the server */
    unsigned file_count;
    char screen[2000];
    /* The settings of a server that confirms runs: the text of "confirmed/wait", NULL: none; and its answers to queries
     * for a run, in order, then nothing: 'k' it has sums.txt's files, 'a' it does not, 'o' as for an earlier try, 'p'
     * with one more byte, 't' no answer, '-' nothing. */
    const char *wait, *answers;
    char sums[3000]; /* the last sums.txt */
    unsigned sums_sent;
    /* Number of calls of the firmware that a run's files take; this one fails once with that status; 0: none. */
    unsigned calls, refuse_call;
    EFI_STATUS refuse_with;
};

extern struct fake_server net;
extern struct efi_firmware efi;
extern EFI_LOADED_IMAGE loaded;
extern EFI_PXE_BASE_CODE_MODE mode;

/* Switches the machine on; the server is unchanged. */
void power_on(void);
/* Switches the machine on, with a new server. */
int setup(void **state);
/* Returns the server's name for "RUN,FILE" of this boot. */
const char *named(const char *run_and_file);
/* Writes a file of one byte. */
enum firmware_error send(const char *path);

#endif
