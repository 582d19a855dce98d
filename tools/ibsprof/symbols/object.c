/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/object.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/symbols/kallsyms.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"
#include "tools/ibsprof/symbols/object_find.h"
#include "tools/ibsprof/symbols/object_map.h"
#include "tools/ibsprof/symbols/perf_map.h"

struct parts {
    struct object_files files;
    struct object_map *map;          /* the latest one, which keeps older ones in its list */
    const struct kallsyms *kallsyms; /* the kernel's, or 'made'; NULL: none */
    struct kallsyms *made;           /* from generated code */
    struct listing *listing;         /* for the image without a file: the latest one, with all rows */
    bool is_image;
    uint64_t workloads, workloads_end;
};

/* Older ones are kept, because profiles point into their maps. */
struct listing {
    struct csv_map csv;
    struct listing *older;
};

/* A kernel at its addresses in a recording, and its symbols, shared with its modules. */
struct object_kernel {
    uint8_t build_id[20];
    size_t build_id_size;
    uint64_t reference;
    struct kallsyms *kallsyms; /* NULL: none fits */
};

bool object_name_is_special(const char *name)
{
    return name[0] == '\0' || name[0] == '[' || strncmp(name, "//", 2) == 0 || strncmp(name, "/dev/", 5) == 0 ||
           strncmp(name, "/memfd:", 7) == 0 || strncmp(name, "/SYSV", 5) == 0 || strncmp(name, "anon_inode:", 11) == 0;
}

static bool is_same(const struct object *object, const char *name, const uint8_t *build_id, size_t size)
{
    return strcmp(object->name, name) == 0 && object->build_id_size == size &&
           memcmp(object->build_id, build_id, size) == 0;
}

struct object *object_get(struct objects *all, const struct object_search *search, const char *name,
                          const uint8_t *build_id, size_t build_id_size)
{
    static const struct object_search nowhere;
    static const uint8_t no_id[20];
    struct object *object;
    struct parts *parts;

    if (!build_id || build_id_size > sizeof(object->build_id))
        build_id_size = 0;
    if (build_id_size == 0)
        build_id = no_id;
    for (size_t i = 0; i < all->count; i++)
        if (is_same(all->object[i], name, build_id, build_id_size))
            return all->object[i];
    object = must_new(object);
    parts = must_new(parts);
    object->name = must_copy(name);
    memcpy(object->build_id, build_id, build_id_size);
    object->build_id_size = (uint8_t)build_id_size;
    object->private_data = parts;
    object_find(&parts->files, search ? search : &nowhere, name, build_id, build_id_size);
    object->path = parts->files.path;
    object->why_not = !parts->files.code ? parts->files.why_not : NULL;
    parts->is_image = parts->files.code &&
                      elf_file_symbol(parts->files.symbols, "image_workloads", &parts->workloads) &&
                      elf_file_symbol(parts->files.symbols, "image_workloads_end", &parts->workloads_end) &&
                      parts->workloads < parts->workloads_end;
    return *must_add(all->object, all->count) = object;
}

void object_use_kallsyms(struct objects *all, struct object *object, const struct object_search *search,
                         const uint8_t *build_id, size_t build_id_size, const char *reference_name, uint64_t reference)
{
    struct parts *parts = object->private_data;
    struct object_kernel *kernel;
    size_t i = 0;

    if (object->path || build_id_size > sizeof(kernel->build_id))
        return;
    while (i < all->kernels &&
           (all->kernel[i].reference != reference || all->kernel[i].build_id_size != build_id_size ||
            memcmp(all->kernel[i].build_id, build_id, build_id_size) != 0))
        i++;
    if (i == all->kernels) {
        *must_add(all->kernel, all->kernels) = (struct object_kernel){
            .build_id_size = build_id_size,
            .reference = reference,
            .kallsyms = kallsyms_find(search, build_id, build_id_size, reference_name, reference),
        };
        memcpy(all->kernel[i].build_id, build_id, build_id_size);
    }
    /* The kernel may be from another boot than before. */
    parts->kallsyms = all->kernel[i].kallsyms;
    object->base = KALLSYMS_BASE;
}

void object_use_perf_map(struct object *object, const char *path, uint64_t lowest)
{
    struct parts *parts = object->private_data;

    if (!parts->made)
        parts->kallsyms = parts->made = perf_map_read(path);
    object->base = lowest;
}

bool object_use_csv(struct object *object, FILE *csv)
{
    struct parts *parts = object->private_data;
    struct listing *listing = must_new(listing);

    if (!csv_map_read(&listing->csv, csv) || listing->csv.insn_count == 0) {
        csv_map_free(&listing->csv);
        free(listing);
        return false;
    }
    if (parts->listing)
        csv_map_copy(&listing->csv, &parts->listing->csv);
    csv_map_finish(&listing->csv);
    listing->older = parts->listing;
    parts->listing = listing;
    object->listed = true;
    return true;
}

void objects_free(struct objects *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct parts *parts = all->object[i]->private_data;

        object_maps_free(parts->map);
        kallsyms_free(parts->made);
        while (parts->listing) {
            struct listing *older = parts->listing->older;

            csv_map_free(&parts->listing->csv);
            free(parts->listing);
            parts->listing = older;
        }
        if (parts->files.symbols != parts->files.code)
            elf_file_close(parts->files.symbols);
        elf_file_close(parts->files.code);
        free(parts->files.path);
        free(parts);
        free((char *)all->object[i]->name);
        free(all->object[i]);
    }
    free(all->object);
    for (size_t i = 0; i < all->kernels; i++)
        kallsyms_free(all->kernel[i].kallsyms);
    free(all->kernel);
    *all = (struct objects){0};
}

bool object_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva)
{
    const struct parts *parts = object->private_data;

    return parts->files.code && elf_file_address(parts->files.code, file_offset, ret_rva);
}

bool object_data_address(const struct object *object, uint64_t file_offset, uint64_t *ret_rva)
{
    const struct parts *parts = object->private_data;

    return parts->files.code && elf_file_memory_address(parts->files.code, file_offset, ret_rva);
}

/* Returns the index of the function at the address, among ascending ones; -1: none. */
static int64_t holder(const struct elf_function *functions, size_t count, uint64_t address)
{
    size_t after = search_first(count, i, functions[i].start > address);

    return after > 0 && address - functions[after - 1].start < functions[after - 1].size ? (int64_t)after - 1 : -1;
}

int64_t object_symbol(const struct object *object, uint64_t rva, const char **ret_name)
{
    const struct parts *parts = object->private_data;
    const struct elf_function *variables, *functions;
    size_t variable_count, function_count;
    int64_t at;

    if (!parts->files.code)
        return -1;
    variables = elf_file_variables(parts->files.symbols, &variable_count);
    functions = elf_file_functions(parts->files.symbols, &function_count);
    at = holder(variables, variable_count, rva);
    if (at >= 0) {
        *ret_name = variables[at].name;
        return at;
    }
    at = holder(functions, function_count, rva);
    if (at >= 0)
        *ret_name = functions[at].name;
    return at < 0 ? -1 : at + (int64_t)variable_count;
}

/* Returns the functions, ascending; none without a file or kallsyms. */
static const struct elf_function *functions_of(struct parts *parts, size_t *ret_count)
{
    *ret_count = 0;
    if (parts->files.code)
        return elf_file_functions(parts->files.symbols, ret_count);
    if (!parts->kallsyms)
        return NULL;
    *ret_count = parts->kallsyms->count;
    return parts->kallsyms->functions;
}

bool object_workloads(const struct object *object, uint64_t *ret_start, uint64_t *ret_end)
{
    const struct parts *parts = object->private_data;

    *ret_start = parts->workloads;
    *ret_end = parts->workloads_end;
    return parts->is_image;
}

static bool may_be_mapped(const struct elf_function *function, uint64_t base)
{
    return function->size <= OBJECT_FUNCTION_MAX && function->start - base + function->size <= UINT32_MAX;
}

const struct codemap *object_codemap(struct object *object, const uint64_t *rvas, size_t count)
{
    struct parts *parts = object->private_data;
    struct elf_function *hit;
    size_t function_count, hits = 0, at = 0;
    const struct elf_function *functions = functions_of(parts, &function_count);

    if (parts->listing)
        return &parts->listing->csv.map;
    hit = must_alloc(function_count, sizeof(*hit));
    for (size_t i = 0; i < function_count && hits < UINT16_MAX; i++) {
        const struct elf_function *function = &functions[i];
        bool of_workloads =
            parts->is_image && function->start >= parts->workloads && function->start < parts->workloads_end;

        while (at < count && rvas[at] < function->start)
            at++;
        if ((of_workloads || (at < count && rvas[at] - function->start < function->size)) &&
            may_be_mapped(function, object->base)) {
            hit[hits] = *function;
            hit[hits++].start -= object->base;
        }
    }
    parts->map = object_map_make(parts->map, parts->files.code, parts->files.symbols, hit, hits);
    free(hit);
    return object_map_codemap(parts->map);
}

uint64_t object_code_hash(const struct object *object, uint64_t start, uint64_t size)
{
    const struct parts *parts = object->private_data;
    const uint8_t *code =
        parts->files.code && size <= UINT32_MAX ? elf_file_code(parts->files.code, start, size) : NULL;

    return code ? codemap_hash(code, (uint32_t)size) : 0;
}
