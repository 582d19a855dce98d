/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A firmware in memory: the console is a buffer, keys come from a script, the volume is a list of files with a
 * capacity. Each call is counted, and any call of any function can fail.
 *
 * It enforces the contract of struct firmware: folders must exist before files, a file is neither written nor kept
 * after an error, and memory is freed with its size.
 */
#ifndef TESTS_UNIT_APP_FAKE_FIRMWARE_H
#define TESTS_UNIT_APP_FAKE_FIRMWARE_H

#include <setjmp.h>

#include "app/base/firmware.h"
#include "tests/unit/app/fake_terminal.h"

enum { FAKE_FILES = 64, FAKE_PATH = 128, FAKE_PLACED = 64, FAKE_SCREEN_BYTES = 1 << 22 };

/* Functions of struct firmware that can fail. */
enum fake_call {
    FAKE_READ_KEY, /* no key is typed in that time */
    FAKE_ALLOCATE,
    FAKE_ALLOCATE_IN,
    FAKE_ALLOCATE_LOW,
    FAKE_MEMORY_MAP,
    FAKE_READ_FILE,
    FAKE_LIST,
    FAKE_MAKE_FOLDER,
    FAKE_ROOM,
    FAKE_FILE_CREATE,
    FAKE_FILE_WRITE,
    FAKE_FILE_CLOSE,
    FAKE_FILE_APPEND,
    FAKE_FILE_REMOVE,
    FAKE_COUNT_CORES,
    FAKE_START_CORE,
    FAKE_CORE_APIC_ID,
    FAKE_NOW, /* the time is not valid */
    FAKE_CALLS,
};
const char *fake_call_name(enum fake_call call);

struct fake_file {
    char path[FAKE_PATH];
    char *data;
    size_t size;
    bool folder;
};

struct fake_placed {
    void *memory;
    size_t size, alignment;
    uint64_t base, end;
};

struct fake_firmware {
    struct firmware firmware;
    size_t screen_length;
    struct fake_terminal terminal;
    /* Keys, in order; after the end of the string comes silence, then Enter for ever. \1 takes a picture of the screen,
     * \2 is silence for a time, \4 to \7 are the arrows up, down, right, and left. */
    const char *keys;
    unsigned calls[FAKE_CALLS];
    struct {
        enum fake_call call;
        unsigned at;               /* number of the failing call, from 1; 0: none */
        unsigned and;              /* number of failing calls after that one */
        enum firmware_error error; /* FIRMWARE_OK stands for FIRMWARE_FAILED */
    } fail;
    bool failed;

    struct fake_file file[FAKE_FILES];
    unsigned files, open;
    bool read_only, no_volume;
    bool tells_no_size;  /* reading reports no sizes, and loses a file's last zeros */
    size_t capacity;     /* bytes all files may take; 0: no limit */
    uint64_t room_asked; /* bytes in the last call of room() */

    uint32_t cores;                /* 0: other cores cannot be started */
    uint32_t (*id_of)(unsigned);   /* returns the APIC ID that it lists for a core; NULL: the core's number */
    void (*begin)(void *argument); /* function that the last dead core should have run */
    void *begin_argument;
    uint64_t started;                    /* bit n: core n was started */
    uint64_t status;                     /* status code for refusing a core */
    const void *tables[FIRMWARE_TABLES]; /* addresses of the tables */
    uint64_t dead;                       /* cores that neither begin nor end */
    uint64_t keeps;                      /* cores that are not started a second time */
    uint64_t refused;                    /* cores that cannot be started */
    uint64_t late;                       /* cores that have ended, which the firmware notices only after 'late_us' */
    uint64_t late_us;
    uint64_t ended;   /* bit n: the application has seen that core n ended */
    uint64_t stalled; /* microseconds in total; microseconds since a core was started */
    uint64_t stalled_since;
    bool tsc_stands;               /* the TSC stands still during delays: its rate cannot be measured */
    unsigned stalls, smi_in_stall; /* number of the delay, from 1, that an SMI doubles; 0: none */

    struct fake_placed placed[FAKE_PLACED]; /* blocks allocated by address */
    unsigned placed_count;
    uint64_t reserved; /* an additional address in its memory map; 0: none */
    uint64_t no_room;  /* ranges that contain this address have no room; 0: none */
    struct firmware_time time;
    enum firmware_end ended_by; /* end() was called, without open files */
    bool really_ends;           /* end() does not return: jumps to 'gone' */
    jmp_buf gone;
    char screen[FAKE_SCREEN_BYTES];
};

void fake_firmware_init(struct fake_firmware *fake);
/* Frees everything; asserts that the application has released all memory. */
void fake_firmware_done(struct fake_firmware *fake);

/* Clears the screen and the counts of calls. */
void fake_firmware_clear(struct fake_firmware *fake);

void fake_file_put(struct fake_firmware *fake, const char *path, const void *data, size_t size);
void fake_folder_put(struct fake_firmware *fake, const char *path);
const struct fake_file *fake_file_find(const struct fake_firmware *fake, const char *path);
/* Deletes all files and folders. */
void fake_files_clear(struct fake_firmware *fake);

#endif
