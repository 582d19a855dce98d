/* SPDX-License-Identifier: BSD-2-Clause */
/* A machine that was booted over the network, and the boot server, which keeps the names of what it got. */
#ifndef TESTS_UNIT_EFI_FAKE_SERVER_H
#define TESTS_UNIT_EFI_FAKE_SERVER_H

#include "tests/unit/efi/fake_system.h"

struct fake_server {
    bool no_driver;
    bool by_ipxe;      /* which does not say how long a file is */
    char asked[4000];  /* names that were to be read, with blanks between */
    const char *there; /* the one that is there; its text is "text" */
    EFI_STATUS status; /* of other reads and of all writes */
    UINT8 code;        /* that of an ERROR packet */
    bool silent;       /* no packet at all comes */
    unsigned lost;     /* of so many writes the last answer is lost */
    unsigned writes;
    char written[200]; /* name */
    char bytes[100];
    size_t size;
    unsigned children, memory;
    bool configured, full; /* full: of memory */
    EFI_STATUS away;       /* that of the first 'tries_away' writes, to which no packet comes */
    unsigned tries_away;
    UINT8 gateway;
    unsigned packet_bytes; /* of the ERROR packet */
    UINT8 code_high;
    bool no_packet;                        /* a read fails without one */
    bool no_path, no_binding, no_protocol; /* what the firmware does not find */
    unsigned allocations, counts;          /* counts: that the firmware's count was asked for */
    bool one_byte, empty;                  /* as long are the files that are there */
    unsigned taken;                        /* as many names are there when they are asked for */
    bool clock_fails;
    char files[20][100]; /* names that the server has */
    unsigned file_count;
    char screen[2000];
    /* A server that confirms runs: the text of "confirmed/wait", NULL: none; and what it answers to questions for a
     * run, one after the other, then nothing: 'k' it has sums.txt's files, 'a' not, 'o' as of an earlier try, 'p' with
     * a byte more, 't' no answer, '-' nothing. */
    const char *wait, *answers;
    char sums[3000]; /* the last sums.txt */
    unsigned sums_sent;
    /* Calls of the firmware that a run's files take; this one fails with that, once; 0: none. */
    unsigned calls, refuse_call;
    EFI_STATUS refuse_with;
};

extern struct fake_server net;
extern struct efi_firmware efi;
extern EFI_LOADED_IMAGE loaded;
extern EFI_PXE_BASE_CODE_MODE mode;

/* The machine is switched on; the server stays as it is. */
void power_on(void);
/* Switches the machine on, with a new server. */
int setup(void **state);
/* The server's name for "RUN,FILE" of this boot. */
const char *named(const char *run_and_file);
/* Writes a file of one byte. */
enum firmware_error send(const char *path);

#endif
