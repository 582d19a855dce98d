/* A firmware in memory: the console is a buffer, keys come from a script, the volume is a list of files with a
 * capacity. */
#ifndef TESTS_UNIT_APP_FAKE_FIRMWARE_H
#define TESTS_UNIT_APP_FAKE_FIRMWARE_H

#include "app/firmware.h"

enum { FAKE_BLOCKS = 64, FAKE_FILES = 32, FAKE_SCREEN_BYTES = 1 << 23 };

struct fake_file {
    char path[128];
    char *data;
    size_t size;
    bool folder;
};

struct fake_placed {
    void *memory;
    size_t size;
    uint64_t base;
};

struct fake_firmware {
    struct firmware firmware;
    char screen[FAKE_SCREEN_BYTES];
    size_t screen_length;
    const char *keys; /* typed one after the other; the end of the string is silence, then Enter for ever */
    struct fake_file file[FAKE_FILES];
    unsigned files;
    uint32_t cores;   /* 0: it cannot start any */
    uint64_t started; /* bit n: core n was */
    uint32_t dead;    /* this one never begins, nor ends; 0: none */
    uint32_t refused; /* this one cannot be started; 0: none */
    bool read_only, no_volume;
    size_t capacity;          /* bytes all files may take; 0: no limit */
    unsigned allocations;     /* live ones */
    void *block[FAKE_BLOCKS]; /* which */
    struct fake_placed placed[FAKE_BLOCKS]; /* asked for by address */
    unsigned placed_count;
    uint64_t no_room; /* there is none where this address is; 0: none */
    unsigned fail_allocation; /* the n-th from now fails; 0: none */
};

void fake_firmware_init(struct fake_firmware *fake);
/* Frees everything; asserts that the application released all it took. */
void fake_firmware_done(struct fake_firmware *fake);

/* Gives up what a core that hung kept. */
void fake_firmware_forget(struct fake_firmware *fake);

void fake_file_put(struct fake_firmware *fake, const char *path, const void *data, size_t size);
const struct fake_file *fake_file_find(const struct fake_firmware *fake, const char *path);

#endif
