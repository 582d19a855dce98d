/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ELF file that samples fall into: its functions, source lines (libelf, libdw) and instructions (Zydis), in the form
 * of core/ibs/codemap.h, so that core's profile and views work on it as they do in the image.
 *
 * It is found by build-id (folders of --debug-dir and the files in them, ~/.debug as perf fills it,
 * /usr/lib/debug/.build-id), else by the path that the file names, below --symfs, beside the input (where a run of
 * ibsboot has it) and up to five folders above it (the house's build folder), and in the working directory and its
 * build folder; last, where DEBUGINFOD_URLS names servers, there. A file whose build-id differs from the one recorded
 * is not used.
 */
#ifndef TOOLS_IBSPROF_OBJECT_H
#define TOOLS_IBSPROF_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/ibs/codemap.h"

/* Files that were opened, and kernels. Begins as zeros. */
struct objects {
    struct object **object;
    size_t count;
    struct object_kernel *kernel;
    size_t kernels;
};

struct object_search {
    const char *symfs;             /* NULL: none */
    const char *const *debug_dirs; /* NULL-terminated, or NULL */
    const char *beside;            /* folder of the input, or the input itself */
    const char *const *others;     /* inputs that are read with this one, NULL-terminated, or NULL: files whose build-id
                                    * fits are looked for beside them, too, so that their order says nothing */
    struct objects *opened;        /* shared with other profiles; NULL: each profile has its own */
};

struct object {
    const char *name; /* as in the file's maps: "ibsboot.elf", "[kernel.kallsyms]" */
    const char *path; /* of the ELF file that is used; NULL when there is none, with the reason in 'why_not' */
    const char *why_not;
    bool listed;   /* without a file: its code map is the run's own listing (object_use_csv) */
    uint64_t base; /* of the addresses in its code map: 0, except for the kernel and for code made by a process */
    uint8_t build_id[20];
    uint8_t build_id_size; /* 0: not known */
    void *private_data;
};

/* Never NULL; objects are shared: the same name and build-id give the same one. Free with objects_free. */
struct object *object_get(struct objects *all, const struct object_search *search, const char *name,
                          const uint8_t *build_id, size_t build_id_size);
void objects_free(struct objects *all);

/* The name is not that of a file: "[vdso]", "//anon". */
bool object_name_is_special(const char *name);

/* Takes the functions of a part of the kernel from a copy of /proc/kallsyms (kallsyms.h), when there is one and the
 * object has no file; of the boot that reference tells. The build-id is the kernel's own, also for a module;
 * reference_name and reference as there. Each copy is read once. Holds for the code maps that are made from then on. */
void object_use_kallsyms(struct objects *all, struct object *object, const struct object_search *search,
                         const uint8_t *build_id, size_t build_id_size, const char *reference_name, uint64_t reference);

/* Takes the functions of code that a process made, from its perf-PID.map (perf_map.h): those of the 4 GB from its
 * lowest address on. Holds as above. */
void object_use_perf_map(struct object *object, const char *path, uint64_t lowest);

/* Describes our image without its ELF file: takes functions, lines and instructions from a run's profile.csv or
 * pmc.csv, beside those of other runs that it has already. False: the file has none. Holds for code maps that are made
 * from then on. */
bool object_use_csv(struct object *object, FILE *csv);

/* File offset (pgoff of a map plus the distance in it) to address in the ELF file; false when no segment has it. */
bool object_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva);

/* Likewise of data, which may be where .bss is, behind the file's bytes. */
bool object_data_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva);

/* Returns the symbol that holds an address, of a variable or, in code, of a function; -1: none does. *ret_name: lives
 * as long as the object. */
int64_t object_symbol(const struct object *object, uint64_t rva, const char **ret_name);

/* Where the image's workloads are (symbols image_workloads and image_workloads_end of linker.ld); false for all that is
 * not our image. */
bool object_workloads(const struct object *object, uint64_t *ret_start, uint64_t *ret_end);

/* The map of those functions that hold one of the addresses (ascending), and of all workloads of our image, rebuilt.
 * Never NULL; it has no function when the object has no path. Owned by the object, valid until objects_free. Addresses
 * above 2^32, and functions of more than OBJECT_FUNCTION_MAX bytes, are not mapped. Bytes that are no instruction are
 * "(bad)", one each. */
enum { OBJECT_FUNCTION_MAX = 1 << 22 };
const struct codemap *object_codemap(struct object *object, const uint64_t *rvas, size_t count);

/* Some functions of a map, in the same form: taken has a byte for each function that is not 0 when it is among them.
 * Strings stay the map's. Free with codemap_part_free. */
struct codemap *codemap_select(const struct codemap *map, const uint8_t *taken);
void codemap_part_free(struct codemap *part);

/* FNV-1a of the bytes of a function, for 'the code is the same'; 0 when they are not there. */
uint64_t object_code_hash(const struct object *object, uint64_t start, uint64_t size);

#endif
