/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/profile_objects.h"

#include <stdio.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_folder.h"

void profile_objects_init(struct profile_objects *objects, const struct run_profile *profile,
                          const struct object_search *search, const struct spaces *spaces)
{
    *objects = (struct profile_objects){
        .facts = profile->facts, .opened = profile->opened, .search = *search, .spaces = spaces};
    if (!objects->search.beside)
        objects->search.beside = profile->facts->path;
    objects->object_of = must_alloc(spaces_file_count(spaces), sizeof(*objects->object_of));
}

/* The kernel's map says where a symbol of it was: "[kernel.kallsyms]_text". Modules have the kernel's. */
static void use_kallsyms(const struct profile_objects *objects, struct object *object)
{
    static const char name[] = "[kernel.kallsyms]";

    for (uint32_t i = 0; i < spaces_file_count(objects->spaces); i++) {
        const struct spaces_file *kernel = spaces_file(objects->spaces, i);

        if (kernel->kernel && strncmp(kernel->name, name, sizeof(name) - 1) == 0)
            object_use_kallsyms(objects->opened, object, &objects->search, kernel->build_id, kernel->build_id_size,
                                kernel->name + sizeof(name) - 1, kernel->reference);
    }
}

/* A run that was copied without the ELF file has the listing of what was sampled beside it: of the program that was
 * mapped last, which is own code where there is any. */
static void use_listing(const char *run, struct object *object)
{
    static const char *const names[] = {"profile.csv", "pmc.csv"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        FILE *csv = run_folder_open(run, names[i]);

        if (!csv)
            continue;
        (void)object_use_csv(object, csv);
        fclose(csv);
    }
}

uint32_t profile_objects_of(struct profile_objects *objects, uint32_t file)
{
    const struct spaces_file *mapped = spaces_file(objects->spaces, file);
    struct object *object;

    if (objects->object_of[file])
        return objects->object_of[file] - 1;
    object = object_get(objects->opened, &objects->search, mapped->name, mapped->build_id, mapped->build_id_size);
    if (mapped->kernel)
        use_kallsyms(objects, object);
    else if (mapped->perf_map)
        object_use_perf_map(object, mapped->perf_map, mapped->reference);
    else if (!object->path && !objects->facts->is_linux && file + 1 == spaces_file_count(objects->spaces))
        use_listing(objects->facts->path, object);
    *must_add(objects->objects, objects->count) = object;
    objects->object_of[file] = objects->count;
    return objects->count - 1;
}

void profile_objects_locate(struct profile_objects *objects, struct spaces_place place, uint32_t *ret_object,
                            uint64_t *ret_rva)
{
    *ret_object = PROFILE_NO_OBJECT;
    *ret_rva = place.offset;
    if (!(place.file & SPACES_UNKNOWN) || spaces_locate_late(objects->spaces, &place)) {
        const struct object *object;

        *ret_object = profile_objects_of(objects, place.file);
        object = objects->objects[*ret_object];
        *ret_rva = place.offset;
        /* After the end of the file that was found: it is not the file that was mapped. */
        if (object->path && !object_address(object, place.offset, ret_rva))
            *ret_object = PROFILE_NO_OBJECT;
    }
}
