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
    FIRMWARE_NO_VOLUME, /* the program was not started from a file system (network boot), or the stick was removed */
    FIRMWARE_TOO_LARGE,
    FIRMWARE_NO_CORES,
    FIRMWARE_CORE_BUSY,
    FIRMWARE_CORE_REFUSED,
    FIRMWARE_NOT_RENAMED,   /* the complete file still has ".new" at the end of its name, and may be incomplete */
    FIRMWARE_BAD_FOLDER,    /* the directory entry of a folder or of a file is damaged */
    FIRMWARE_CORE_SILENT,   /* this and the next three errors come from the program's own start of cores
                               (app/cores/core_start.h) */
    FIRMWARE_NO_TABLE,      /* ACPI has no usable list of cores */
    FIRMWARE_NO_LOW_MEMORY, /* no usable memory below 640 KB, or no local APIC */
    FIRMWARE_NO_MEMORY,     /* no memory for a list of cores, or for a file of own code */
    FIRMWARE_NO_ANSWER,     /* this and the next four errors come from the server of a network boot */
    FIRMWARE_REFUSED,
    FIRMWARE_NO_UPLOAD,
    FIRMWARE_DAMAGED,
    FIRMWARE_UNCONFIRMED,
    FIRMWARE_FAILED,
    FIRMWARE_AREA, /* plus an enum area_refusal: why the run area of the stick cannot be written */
};

/* Returns one line without a full stop: "the volume is write-protected". */
const char *firmware_error_text(enum firmware_error error);

/* Begins the path of each file that the next boot reads again, also over the network. */
#define FIRMWARE_KEPT "\\ibsboot\\plan-"

struct firmware_time {
    uint16_t year;
    uint8_t month, day, hour, minute, second;
    bool valid;
};

enum firmware_tables { FIRMWARE_ACPI, FIRMWARE_SMBIOS, FIRMWARE_TABLES };

enum firmware_end { FIRMWARE_RETURN, FIRMWARE_RESET, FIRMWARE_OFF };

struct firmware_file; /* a file that is being written */

/* Says how a core was started. */
struct firmware_start {
    bool own;  /* started by this program, not by the firmware */
    bool kept; /* the firmware was asked, but the core has not begun: this program starts it for the next run */
    /* Status code of the firmware's last answer to start_core; 0: success, or never asked. */
    uint64_t status;
    /* Number of memory-type registers that this program found different from the boot core's: those that it set, and
     * those that it could not set. */
    uint32_t set, wrong;
};

struct firmware {
    void *context;
    const char *name;       /* for example "UEFI 2.70, EDK II" */
    const char *mac;        /* MAC address of a network card, "52-54-00-12-34-56"; "": not known */
    uint32_t rows, columns; /* size of the console; 80 columns of 25 rows if the firmware does not report it */
    bool keys;              /* there is an input device; without one, read_key() only waits */
    bool forgets;           /* list() knows only the runs of this boot */

    void (*print)(struct firmware *fw, const char *text, size_t length);
    /* For full-screen drawing. Clears the screen and moves to its upper left corner. */
    void (*clear)(struct firmware *fw);
    /* Moves to a row and a column, both counted from 0. Returns false if this console cannot. */
    bool (*place)(struct firmware *fw, uint32_t row, uint32_t column);
    /* Sets the look of all text printed from now on; PAINT_PLAIN is the look at the start. */
    void (*paint)(struct firmware *fw, enum paint paint);
    /* Returns a character or an enum key; waits timeout_ms at most. A terminal may send a key as a sequence of
     * characters, which console_key() (sinks.h) combines. */
    int (*read_key)(struct firmware *fw, uint32_t timeout_ms);

    /* Returns zeroed memory, aligned to 'alignment' (a power of two, at least 4096); NULL: no memory is left. */
    void *(*allocate)(struct firmware *fw, size_t size, size_t alignment);
    /* Allocates within the physical addresses base..end - 1. */
    void *(*allocate_in)(struct firmware *fw, size_t size, size_t alignment, uint64_t base, uint64_t end);
    /* Allocates executable memory below 640 KB, aligned to 4096. */
    void *(*allocate_low)(struct firmware *fw, size_t size);
    /* Calls each() with every physical range, first..last, of the firmware's memory map: free, in use, or reserved.
     * Device registers are mostly not in that map. */
    enum firmware_error (*memory_map)(struct firmware *fw, void (*each)(void *argument, uint64_t first, uint64_t last),
                                      void *argument);
    void (*release)(struct firmware *fw, void *memory, size_t size);
    /* Returns the physical address of ACPI's root pointer (RSDP) or of SMBIOS' entry point; 0: there is none. */
    uint64_t (*tables)(struct firmware *fw, enum firmware_tables which);

    /* Reads a whole file of at most 'max' bytes. Returns FIRMWARE_TOO_LARGE, with the file's size in *ret_size, if it
     * is longer. */
    enum firmware_error (*read_file)(struct firmware *fw, const char *path, void *buffer, size_t max, size_t *ret_size);
    /* Calls each() with the names in a folder and in the run area; some names may come twice. The caller finds the next
     * run's number so. read_file() reads from both places, too. */
    enum firmware_error (*list)(struct firmware *fw, const char *path, void (*each)(void *argument, const char *name),
                                void *argument);
    /* Makes a folder; does nothing if it exists. */
    enum firmware_error (*make_folder)(struct firmware *fw, const char *path);
    /* Returns FIRMWARE_FULL if the volume has no room for this many bytes in an existing folder. NULL: the free space
     * cannot be known, for example on a network boot's server. */
    enum firmware_error (*room)(struct firmware *fw, const char *folder, uint64_t bytes);
    /* Write to path + ".new"; file_close flushes the file, then renames it, or deletes it if 'keep' is false. It
     * returns FIRMWARE_NOT_RENAMED if flushing or renaming fails; the file then stays as it is. */
    enum firmware_error (*file_create)(struct firmware *fw, const char *path, struct firmware_file **ret_file);
    enum firmware_error (*file_write)(struct firmware_file *file, const void *data, size_t size);
    enum firmware_error (*file_close)(struct firmware_file *file, bool keep);
    /* Appends to an existing file, and flushes it. */
    enum firmware_error (*file_append)(struct firmware *fw, const char *path, const void *data, size_t size);
    enum firmware_error (*file_remove)(struct firmware *fw, const char *path);
    /* Chooses where files are written from now on: the run area of the volume, IBSRUNS.TAR, or separate files. If that
     * is impossible, the next make_folder() fails. NULL: there is only one place. */
    void (*save_to)(struct firmware *fw, bool area);
    /* Waits until a server has checked the complete run, which no longer has begun.ini; returns at once without such a
     * server. FIRMWARE_DAMAGED: write all files again, to the same folder. FIRMWARE_UNCONFIRMED: the server did not
     * answer in time. NULL: files are on a volume. */
    enum firmware_error (*confirm)(struct firmware *fw);

    void (*stall)(struct firmware *fw, uint32_t microseconds);

    /* Counts the cores. Core 0 is the boot core, on which the program runs; the others follow in the firmware's order.
     * FIRMWARE_NO_CORES: this firmware cannot start cores, and *ret_count is 1. */
    enum firmware_error (*count_cores)(struct firmware *fw, uint32_t *ret_count);
    /* Calls function(argument) on a core and returns at once. The function runs with interrupts off, on a stack of the
     * firmware's (32 KB under EDK II), for any time. It must not call this struct: other cores have no firmware
     * services. FIRMWARE_CORE_BUSY: the core has not returned from an earlier function. */
    enum firmware_error (*start_core)(struct firmware *fw, uint32_t core, void (*function)(void *argument),
                                      void *argument);
    /* Returns true if the core runs no function. */
    bool (*core_ended)(struct firmware *fw, uint32_t core);
    /* Reads a core's APIC ID. FIRMWARE_NO_CORES: the firmware does not know it. */
    enum firmware_error (*core_apic_id)(struct firmware *fw, uint32_t core, uint32_t *ret_id);
    /* Halts the cores that this program keeps until they are started again. Set by app/cores/core_start.c; NULL in the
     * firmware below it. */
    void (*rest_cores)(struct firmware *fw);
    uint32_t unreached; /* number of cores that no interrupt reaches; set when cores have been counted */
    void (*core_started)(struct firmware *fw, uint32_t core, struct firmware_start *ret_start);
    void (*now)(struct firmware *fw, struct firmware_time *ret_time);

    /* Resets the machine (warm) or switches it off, with all files closed. Returns if the firmware fails to do so. */
    void (*end)(struct firmware *fw, enum firmware_end how);
};

/* The program's own image in memory, against which samples are resolved. */
struct image {
    uint64_t base;        /* run-time address of RVA 0 */
    uint32_t text_rva;    /* all code, not only the workloads; the same offset as in the ELF file (linker.ld) */
    uint32_t text_size;   /* bytes */
    uint32_t handler_rva; /* the NMI handler and its entry: samples there belong to the profiler */
    uint32_t handler_size;
    const uint8_t *build_id; /* 20 bytes, of the ELF file from which perf reads symbols */
    const uint8_t *elf;      /* that ELF file, reduced to code, symbols and lines */
    size_t elf_size;         /* bytes */
};

/* Runs the application. 'options' are the load options as ASCII, "" if there are none. Returns 0 if everything that was
 * asked for was done, otherwise 1; the last printed line says which. */
int app_main(struct firmware *fw, const char *options, const struct image *image);

#endif
