/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Declares what the application needs of the firmware below it: console, keys, memory, files, time.
 *
 * app/ is written against this and knows neither UEFI nor BIOS; efi/ fills it in for UEFI, the unit tests for the host.
 * All functions are called on the boot core. Text is UTF-8 with '\n'; paths use '\\' and are relative to the volume
 * that the program was started from. Functions return 0 or a FIRMWARE_* error; out-parameters are untouched on failure.
 */
#ifndef APP_FIRMWARE_H
#define APP_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/screen/keys.h"
#include "core/screen/paint.h"

enum firmware_error {
    FIRMWARE_OK = 0,
    FIRMWARE_NOT_FOUND,
    FIRMWARE_READ_ONLY,
    FIRMWARE_FULL,
    FIRMWARE_NO_VOLUME, /* not started from a file system (network boot), or the stick was removed */
    FIRMWARE_TOO_LARGE,
    FIRMWARE_NO_CORES,
    FIRMWARE_CORE_BUSY,
    FIRMWARE_CORE_REFUSED,
    FIRMWARE_NOT_RENAMED,   /* a file is there, but has ".new" at the end of its name, and may be incomplete */
    FIRMWARE_BAD_FOLDER,    /* a folder's entry is damaged, or a file's */
    FIRMWARE_CORE_SILENT,   /* this and the next three are of the program's own start (app/cores/core_start.h) */
    FIRMWARE_NO_TABLE,      /* of cores */
    FIRMWARE_NO_LOW_MEMORY, /* where a core could begin */
    FIRMWARE_NO_MEMORY,     /* for a list of cores, or a file of own code */
    FIRMWARE_NO_ANSWER,     /* this and the next four are of a network boot's server */
    FIRMWARE_REFUSED,
    FIRMWARE_NO_UPLOAD,
    FIRMWARE_DAMAGED,
    FIRMWARE_UNCONFIRMED,
    FIRMWARE_FAILED,
    FIRMWARE_AREA, /* plus an enum area_refusal: why the run area of the stick takes nothing */
};

/* One line, no full stop: "the volume is write-protected". */
const char *firmware_error_text(enum firmware_error error);

/* Begins the path of a file that the next boot reads again, also one over the network. */
#define FIRMWARE_KEPT "\\ibsboot\\plan-"

struct firmware_time {
    uint16_t year;
    uint8_t month, day, hour, minute, second;
    bool valid;
};

enum firmware_tables { FIRMWARE_ACPI, FIRMWARE_SMBIOS, FIRMWARE_TABLES };

enum firmware_end { FIRMWARE_RETURN, FIRMWARE_RESET, FIRMWARE_OFF };

struct firmware_file; /* being written */

/* How a core was started. */
struct firmware_start {
    bool own;  /* by this program, not by the firmware */
    bool kept; /* by the firmware, and it has not begun: this program starts it when it is to run again */
    /* The firmware's own code of what it last answered to start_core; 0: it did it, or was not asked. */
    uint64_t status;
    /* By this program: registers of memory types that were not as the boot core's, and were set; registers that could
     * not be made as the boot core's. */
    uint32_t set, wrong;
};

struct firmware {
    void *context;
    const char *name;       /* for example "UEFI 2.70, EDK II" */
    const char *mac;        /* "52-54-00-12-34-56", of a network card; "": not known */
    uint32_t rows, columns; /* of the console; 25 and 80 where it does not tell */
    bool keys;              /* there is an input device; without one read_key() only waits */
    bool forgets;           /* list() knows the runs of this boot alone */

    void (*print)(struct firmware *fw, const char *text, size_t length);
    /* For screens that are drawn. Clears it; then what is printed begins at the left of its first row. */
    void (*clear)(struct firmware *fw);
    /* Moves to a row and a column, from 0 on. False: this console cannot. */
    bool (*place)(struct firmware *fw, uint32_t row, uint32_t column);
    /* Says how what is printed from now on looks; PAINT_PLAIN is as it was at the start. */
    void (*paint)(struct firmware *fw, enum paint paint);
    /* Returns a character or an enum key; waits timeout_ms at most. A terminal's keys may come as the characters of its
     * sequences: console_key() (sinks.h) puts them together. */
    int (*read_key)(struct firmware *fw, uint32_t timeout_ms);

    /* Zeroed memory, aligned to 'alignment' (a power of two, at least 4096); NULL when there is none. */
    void *(*allocate)(struct firmware *fw, size_t size, size_t alignment);
    /* Allocates within physical addresses base..end - 1. */
    void *(*allocate_in)(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end);
    /* Allocates below 640 KB, aligned to 4096, and such that code may run there. */
    void *(*allocate_low)(struct firmware *fw, size_t size);
    /* Calls each() with the ranges of physical addresses, first..last, of all that the firmware has in its map of
     * memory: free, in use, or reserved. Registers of devices are mostly not there. */
    enum firmware_error (*memory_map)(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                      void *argument);
    void (*release)(struct firmware *fw, void *memory, size_t size);
    /* Where such tables begin: the physical address of ACPI's root pointer (RSDP), of SMBIOS' entry point. 0: there is
     * none. */
    uint64_t (*tables)(struct firmware *fw, enum firmware_tables which);

    /* Reads a whole file of at most 'max' bytes; FIRMWARE_TOO_LARGE (with its size in *ret_size) when it is longer. */
    enum firmware_error (*read_file)(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size);
    /* Names in a folder, for the next run's number; with those in the run area, and some may come twice. read_file()
     * reads from there, too. */
    enum firmware_error (*list)(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                                void *argument);
    /* Does nothing when it exists. */
    enum firmware_error (*make_folder)(struct firmware *fw, const char *path);
    /* Tries whether the volume has room for so many bytes in a folder that is there: FIRMWARE_FULL when it has not.
     * NULL: nothing tells, as with a network boot's server. */
    enum firmware_error (*room)(struct firmware *fw, const char *folder, uint64_t bytes);
    /* Writing goes to path + ".new"; file_close flushes and renames, or, with keep false, deletes it. What cannot be
     * flushed or renamed stays as it is: FIRMWARE_NOT_RENAMED. */
    enum firmware_error (*file_create)(struct firmware *fw, const char *path, struct firmware_file **ret_file);
    enum firmware_error (*file_write)(struct firmware_file *file, const void *data, size_t size);
    enum firmware_error (*file_close)(struct firmware_file *file, bool keep);
    /* Adds to the end of a file that is there, and flushes. */
    enum firmware_error (*file_append)(struct firmware *fw, const char *path, const void *data, size_t size);
    enum firmware_error (*file_remove)(struct firmware *fw, const char *path);
    /* Says where files are written from now on: to the run area of the volume, IBSRUNS.TAR, or as files of its own. The
     * next folder that is made tells if that cannot be. NULL: there is one place alone. */
    void (*save_to)(struct firmware *fw, bool area);
    /* Waits until a server has checked the run of which all files are written and begun.ini is removed; returns at once
     * where none does that. FIRMWARE_DAMAGED: all of them must be written again, to the same folder.
     * FIRMWARE_UNCONFIRMED: the server said nothing in time. NULL: files are on a volume. */
    enum firmware_error (*confirm)(struct firmware *fw);

    void (*stall)(struct firmware *fw, uint32_t microseconds);

    /* Other cores. 0 is the boot core, on which the program runs; the others follow in the firmware's order.
     * FIRMWARE_NO_CORES: this firmware cannot start any, and *ret_count is 1. */
    enum firmware_error (*count_cores)(struct firmware *fw, uint32_t *ret_count);
    /* Calls function(argument) there and returns at once. The function runs with interrupts off, on a stack of the
     * firmware's (32 KB under EDK II), and must call nothing of this struct: other cores have no firmware services. It
     * may take any time. FIRMWARE_CORE_BUSY: the core has not returned from an earlier function. */
    enum firmware_error (*start_core)(struct firmware *fw, uint32_t core, void (*function)(void *argument),
                                      void *argument);
    /* The function has returned, or there never was one. */
    bool (*core_ended)(struct firmware *fw, uint32_t core);
    /* FIRMWARE_NO_CORES: it does not know. */
    enum firmware_error (*core_apic_id)(struct firmware *fw, uint32_t core, uint32_t *ret_id);
    /* Lets cores that this program keeps rest until they are started again. Of app/cores/core_start.c; NULL
     * below it. */
    void (*rest_cores)(struct firmware *fw);
    uint32_t unreached; /* cores that there are but that no interrupt reaches, once cores have been counted */
    void (*core_started)(struct firmware *fw, uint32_t core, struct firmware_start *ret_start);
    void (*now)(struct firmware *fw, struct firmware_time *ret_time);

    /* A warm reset or power off, with all files closed. Comes back when the firmware does not do it. */
    void (*end)(struct firmware *fw, enum firmware_end how);
};

/* The program's own image in memory, against which samples are resolved. */
struct image {
    uint64_t base;        /* run-time address of RVA 0 */
    uint32_t text_rva;    /* all code, not only the workloads'; equal to its place in the ELF file (linker.ld) */
    uint32_t text_size;   /* bytes */
    uint32_t handler_rva; /* the NMI handler and its entry: samples there are the profiler's own */
    uint32_t handler_size;
    const uint8_t *build_id; /* 20 bytes, of the ELF file that perf takes symbols from */
    const uint8_t *elf;      /* that file, with code, symbols and lines alone */
    size_t elf_size;         /* bytes */
};

/* The application. 'options' are the load options as ASCII, "" when there are none. Returns 0 when all that was asked
 * for was done, 1 otherwise; the last line printed says which. */
int app_main(struct firmware *fw, const char *options, const struct image *image);

#endif
