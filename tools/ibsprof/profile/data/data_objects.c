/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/data/data_objects.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/table.h"
#include "tools/ibsprof/profile/data/allocations.h"
#include "tools/ibsprof/profile/profile_objects.h"
#include "tools/ibsprof/read/run_ini.h"

/* A row of run.ini. */
struct recorded {
    uint64_t start, size;
    const char *name;
};

/* A function that allocated memory. */
struct site {
    uint64_t key;
    char *name;
};

struct data_objects {
    const struct input_facts *facts;
    struct spaces *now, *ever; /* both get the same items, so they number files alike */
    struct profile_objects objects;
    struct recorded *recorded;
    uint32_t recorded_count;
    struct allocations *allocations; /* NULL: not recorded */
    struct site *sites;
    uint32_t site_count;
    struct table by_key; /* of 'sites' */
};

#define KEY_SITE (1ull << 63)
enum { KEY_SYMBOL = 32 }; /* of the key: a file, or none, above a symbol's number */

static void read_recorded(struct data_objects *data)
{
    const char *text;

    while ((text = run_fact(data->facts, FACT_OBJECT, data->recorded_count))) {
        struct recorded *row = must_add(data->recorded, data->recorded_count);
        char *end;

        *row = (struct recorded){.start = strtoull(text, &end, 0)};
        if (end[0] != ',')
            continue;
        row->size = strtoull(end + 1, &end, 0);
        row->name = end + strspn(end, ", ");
    }
}

struct data_objects *data_objects_make(struct input *input, const struct run_profile *profile,
                                       const struct object_search *search)
{
    struct data_objects *data = must_new(data);
    struct perfdata_item item;

    data->facts = profile->facts;
    data->now = spaces_make(NULL);
    data->ever = spaces_make(NULL);
    input_rewind(input);
    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
        spaces_item(data->ever, &item);
    profile_objects_init(&data->objects, profile, search, data->ever);
    if (!data->facts->is_linux)
        read_recorded(data);
    data->allocations = allocations_make(data->facts);
    return data;
}

void data_objects_free(struct data_objects *data)
{
    if (!data)
        return;
    free(data->objects.objects);
    free(data->objects.object_of);
    free(data->recorded);
    allocations_free(data->allocations);
    for (uint32_t i = 0; i < data->site_count; i++)
        free(data->sites[i].name);
    free(data->sites);
    table_free(&data->by_key);
    spaces_free(data->now);
    spaces_free(data->ever);
    free(data);
}

void data_objects_item(struct data_objects *data, const struct perfdata_item *item)
{
    spaces_item(data->now, item);
    if (data->allocations && item->kind == PERFDATA_ITEM_SAMPLE && item->event < data->facts->event_count)
        allocations_sample(data->allocations, item);
}

bool data_objects_see_samples(const struct data_objects *data)
{
    return data->allocations != NULL;
}

static struct object *object_of(struct data_objects *data, uint32_t file)
{
    uint32_t object = profile_objects_of(&data->objects, file);

    return data->objects.objects[object];
}

/* Finds the variable at an address of a file. Returns false if there is none. */
static bool find_variable(struct data_objects *data, uint32_t file, uint64_t rva, struct data_object *ret)
{
    const struct object *object = object_of(data, file);
    int64_t symbol = object_symbol(object, rva, &ret->name);

    if (symbol < 0)
        return false;
    ret->key = (uint64_t)(file + 1) << KEY_SYMBOL | (uint64_t)(symbol + 1);
    ret->module = object->name;
    return true;
}

/* Only the executed part of the program is mapped; the rest of its file has the addresses of the file. */
static struct data_object find_in_run(struct data_objects *data, uint32_t pid, uint64_t address)
{
    struct data_object found = {.name = "unknown"};

    for (uint32_t i = 0; i < data->recorded_count; i++)
        if (address - data->recorded[i].start < data->recorded[i].size)
            return (struct data_object){.key = i + 1, .name = data->recorded[i].name};
    for (uint32_t i = 0; i < spaces_range_count(data->now, pid); i++) {
        struct spaces_range range = spaces_range_at(data->now, pid, i);
        uint64_t rva;

        if (object_address(object_of(data, range.file), range.page_offset, &rva) &&
            find_variable(data, range.file, address - range.start + rva, &found))
            break;
    }
    return found;
}

/* Finds the object at a place of a file. Returns false if the file does not reach so far, or was not found. */
static bool find_in_file(struct data_objects *data, const struct spaces_place *place, struct data_object *ret)
{
    uint64_t rva;

    if (spaces_file(data->ever, place->file)->kernel ||
        !object_data_address(object_of(data, place->file), place->offset, &rva))
        return false;
    if (!find_variable(data, place->file, rva, ret))
        *ret = (struct data_object){.key = (uint64_t)(place->file + 1) << KEY_SYMBOL,
                                    .name = spaces_file(data->ever, place->file)->name};
    return true;
}

static bool is_site(const void *context, uint32_t number, const void *key)
{
    return ((const struct data_objects *)context)->sites[number - 1].key == *(const uint64_t *)key;
}

/* Finds the function that allocated the block of an address. Returns false if it is not known. */
static bool find_site(struct data_objects *data, uint32_t pid, uint64_t address, struct data_object *ret)
{
    struct spaces_window window = {0};
    struct spaces_place place;
    uint64_t caller, rva;
    uint32_t *number;

    if (!data->allocations || !allocations_find(data->allocations, pid, address, &caller))
        return false;
    place = spaces_locate_window(data->now, pid, MODE_USER, caller - 1, &window);
    if (place.file & SPACES_UNKNOWN || !object_address(object_of(data, place.file), place.offset, &rva) ||
        !find_variable(data, place.file, rva, ret))
        return false;
    ret->key |= KEY_SITE;
    number = table_find(&data->by_key, table_hash(ret->key), is_site, data, &ret->key);
    if (*number == 0) {
        *must_add(data->sites, data->site_count) = (struct site){ret->key, must_text("allocated by %s", ret->name)};
        *number = data->site_count;
    }
    ret->name = data->sites[*number - 1].name;
    return true;
}

struct data_object data_objects_find(struct data_objects *data, const struct perfdata_plain *sample, uint64_t address)
{
    static const char anonymous[] = "//anon"; /* perf's word */
    bool host = sample->mode == MODE_KERNEL || sample->mode == MODE_USER;
    uint8_t mode = !host ? sample->mode : address >> 63 ? MODE_KERNEL : MODE_USER;
    struct data_object found = {.name = "unknown"};
    struct spaces_window window = {0};
    struct spaces_place place, behind;

    if (!data->facts->is_linux)
        return find_in_run(data, sample->pid, address);
    if (host && mode == MODE_USER && find_site(data, sample->pid, address, &found))
        return found;
    place = spaces_locate_window(data->now, sample->pid, mode, address, &window);
    if (place.file & SPACES_UNKNOWN) {
        place = spaces_locate_window(data->ever, sample->pid, mode, address, &window);
        if (place.file & SPACES_UNKNOWN && !spaces_locate_late(data->ever, &place))
            return found;
    }
    if (find_in_file(data, &place, &found))
        return found;
    found.name = spaces_file(data->ever, place.file)->name;
    found.key = (uint64_t)(place.file + 1) << KEY_SYMBOL;
    if (strcmp(found.name, anonymous) != 0)
        return found;
    found.name = "anon";
    if (spaces_locate_behind(data->now, sample->pid, address, &behind)) /* .bss has no mapping of its file */
        (void)find_in_file(data, &behind, &found);
    return found;
}
