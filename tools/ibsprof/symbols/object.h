/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ELF file with samples: its functions, source lines (libelf, libdw) and instructions (Zydis), in the form of
 * core/ibs/codemap.h, so that core's profile and views work as in the image.
 *
 * It is found by build-id (folders of --debug-dir and the files in them, ~/.debug as perf fills it,
 * /usr/lib/debug/.build-id), else by the path in the recording: below --symfs, beside the input (where a run of
 * ibsboot has it) and up to five folders above it (the project's build folder), and in the working directory and its
 * build folder; last, from the servers of DEBUGINFOD_URLS. A file with another build-id than the recorded one is not
 * used.
 */
#ifndef TOOLS_IBSPROF_OBJECT_H
#define TOOLS_IBSPROF_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/ibs/codemap.h"

/* Opened files and kernels; zeroed at first. */
struct objects {
    struct object **object;
    size_t count;
    struct object_kernel *kernel;
    size_t kernels;
};

struct object_search {
    const char *symfs;             /* NULL: none */
    const char *const *debug_dirs; /* ends with NULL; or NULL */
    const char *beside;            /* the input, or its folder */
    /* Inputs read together with this one, ends with NULL; or NULL. Files with the right build-id are also searched
     * beside them, so that the order of inputs has no influence. */
    const char *const *others;
    struct objects *opened; /* shared with other profiles; NULL: each has its own */
};

struct object {
    const char *name; /* as in the file's maps: "ibsboot.elf", "[kernel.kallsyms]" */
    const char *path; /* ELF file in use; NULL: none, and why_not has the reason */
    const char *why_not;
    bool listed;   /* without a file: its code map is the run's listing (object_use_csv) */
    uint64_t base; /* of addresses in its code map: 0, except for the kernel and generated code */
    uint8_t build_id[20];
    uint8_t build_id_size; /* 0: not known */
    void *private_data;
};

/* Returns the object, never NULL; the same name and build-id give the same object. Freed by objects_free(). */
struct object *object_get(struct objects *all, const struct object_search *search, const char *name,
                          const uint8_t *build_id, size_t build_id_size);
void objects_free(struct objects *all);

/* Returns whether the name is not that of a file: "[vdso]", "//anon". */
bool object_name_is_special(const char *name);

/* Takes the functions of a part of the kernel from a copy of /proc/kallsyms (kallsyms.h), if there is one and the
 * object has no file; 'reference' identifies the boot. The build-id is the kernel's own, also for a module;
 * reference_name and reference are as there. Reads each copy once. Affects code maps made later. */
void object_use_kallsyms(struct objects *all, struct object *object, const struct object_search *search,
                         const uint8_t *build_id, size_t build_id_size, const char *reference_name, uint64_t reference);

/* Takes the functions of generated code from the process's perf-PID.map (perf_map.h): those within 4 GB from its lowest
 * address. Affects code maps made later. */
void object_use_perf_map(struct object *object, const char *path, uint64_t lowest);

/* Describes our image without its ELF file: adds functions, lines and instructions from a run's profile.csv or pmc.csv
 * to those of other runs. Returns false if the file has none. Affects code maps made later. */
bool object_use_csv(struct object *object, FILE *csv);

/* Converts a file offset (pgoff of a map plus the distance in it) to an address in the ELF file. Returns false if no
 * segment contains it. */
bool object_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva);

/* Converts likewise for data, also in .bss beyond the file's bytes. */
bool object_data_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva);

/* Returns the symbol at an address, of a variable or, in code, of a function; -1: none. *ret_name is valid as long as
 * the object. */
int64_t object_symbol(const struct object *object, uint64_t rva, const char **ret_name);

/* Finds the image's workloads (symbols image_workloads and image_workloads_end of linker.ld). Returns false for other
 * files. */
bool object_workloads(const struct object *object, uint64_t *ret_start, uint64_t *ret_end);

/* Returns a new map of the functions that contain one of the addresses (ascending), and of our image's workloads. Never
 * NULL; it has no functions if the object has no path. The object owns it until objects_free(). It omits addresses
 * above 2^32, and functions of more than OBJECT_FUNCTION_MAX bytes. Bytes that are no instruction are "(bad)", one
 * each. */
enum { OBJECT_FUNCTION_MAX = 1 << 22 };
const struct codemap *object_codemap(struct object *object, const uint64_t *rvas, size_t count);

/* Selects functions of a map: those whose byte in 'taken' is not 0. Strings stay the map's. Freed by
 * codemap_part_free(). */
struct codemap *codemap_select(const struct codemap *map, const uint8_t *taken);
void codemap_part_free(struct codemap *part);

/* Returns FNV-1a of a function's bytes, to compare code; 0: bytes are missing. */
uint64_t object_code_hash(const struct object *object, uint64_t start, uint64_t size);

#endif
