/* SPDX-License-Identifier: BSD-2-Clause */
/* Features of a perf.data file: tools/perf/Documentation/perf.data-file-format.txt. A feature that is damaged inside is
 * left out; one that is outside the file was cut off. */
#include "core/perfdata/perfdata_cursor.h"
#include "core/perfdata/perfdata_format.h"

static bool is(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strlen(text) == length && memcmp(text, word, length) == 0;
}

static void read_pmu_names(struct perfdata_reader *reader, struct cursor names)
{
    uint32_t count = take32(&names);
    for (uint32_t i = 0; i < count && !names.over; i++) {
        uint32_t type = take32(&names);
        const char *name = take_string(&names);
        for (uint32_t e = 0; name != NULL && e < reader->event_count; e++) {
            if (reader->events[e].type != type)
                continue;
            reader->events[e].pmu_name = name;
            if (is(name, "ibs_op"))
                reader->events[e].pmu = PERFDATA_PMU_IBS_OP;
            else if (is(name, "ibs_fetch"))
                reader->events[e].pmu = PERFDATA_PMU_IBS_FETCH;
        }
    }
}

/* Reads u32 events, u32 size of an attribute; each: attribute, u32 ids, name, ids. In the order of the attributes. */
static void read_event_names(struct perfdata_reader *reader, struct cursor events)
{
    uint32_t count = take32(&events), attr_size = take32(&events);
    for (uint32_t i = 0; i < count && !events.over; i++) {
        take(&events, attr_size);
        uint32_t ids = take32(&events);
        const char *name = take_string(&events);
        take(&events, 8ull * ids);
        if (i < reader->event_count && !events.over)
            reader->events[i].name = name;
    }
}

static void read_feature(struct perfdata_reader *reader, unsigned bit, struct cursor feature)
{
    struct perfdata_section place = {(uint64_t)(feature.at - reader->file), feature.left};
    switch (bit) {
    case PERFDATA_FEATURE_BUILD_ID:
        reader->build_ids = place;
        break;
    case PERFDATA_FEATURE_HOSTNAME:
        reader->hostname = take_string(&feature);
        break;
    case PERFDATA_FEATURE_OSRELEASE:
        reader->os_release = take_string(&feature);
        break;
    case PERFDATA_FEATURE_VERSION:
        reader->version = take_string(&feature);
        break;
    case PERFDATA_FEATURE_ARCH:
        reader->arch = take_string(&feature);
        break;
    case PERFDATA_FEATURE_NRCPUS:
        reader->cpus_available = take32(&feature);
        reader->cpus_online = take32(&feature);
        break;
    case PERFDATA_FEATURE_CPUDESC:
        reader->cpu_name = take_string(&feature);
        break;
    case PERFDATA_FEATURE_CPUID:
        reader->cpuid = take_string(&feature);
        break;
    case PERFDATA_FEATURE_CMDLINE:
        reader->command = place;
        break;
    case PERFDATA_FEATURE_NUMA_TOPOLOGY:
        reader->nodes = place;
        break;
    case PERFDATA_FEATURE_EVENT_DESC:
        read_event_names(reader, feature);
        break;
    case PERFDATA_FEATURE_PMU_MAPPINGS:
        read_pmu_names(reader, feature);
        break;
    case PERFDATA_FEATURE_SAMPLE_TIME:
        reader->first_time = take64(&feature);
        reader->last_time = take64(&feature);
        break;
    default:
        break;
    }
}

/* Reads the table of features, which begins where the records end: one entry for each bit that is set. */
void perfdata_read_features(struct perfdata_reader *reader)
{
    uint64_t at = reader->end;
    for (unsigned bit = 0; bit < PERFDATA_FEATURES; bit++) {
        if ((reader->features[bit / 64] >> bit % 64 & 1) == 0)
            continue;
        struct cursor entry = {0}, feature;
        bool listed = section(reader, at, 16, &entry);
        uint64_t offset = take64(&entry), size = take64(&entry);
        at += listed ? 16 : 0;
        if (listed && section(reader, offset, size, &feature))
            read_feature(reader, bit, feature);
        else
            reader->features_missing++;
    }
    reader->cut |= reader->features_missing > 0;
}

/* Reads u32 count; for each node u32 number, u64 memory, u64 free, its cores (Linux
 * tools/perf/Documentation/perf.data-file-format.txt, HEADER_NUMA_TOPOLOGY). */
bool perfdata_node_at(const struct perfdata_reader *reader, uint32_t index, uint32_t *ret_number,
                      const char **ret_cores)
{
    struct cursor nodes;

    if (!section(reader, reader->nodes.offset, reader->nodes.size, &nodes) || index >= take32(&nodes))
        return false;
    for (uint32_t i = 0; i <= index && !nodes.over; i++) {
        *ret_number = take32(&nodes);
        take(&nodes, 16);
        *ret_cores = take_string(&nodes);
    }
    return !nodes.over && *ret_cores != NULL;
}

const char *perfdata_command(const struct perfdata_reader *reader, uint32_t index)
{
    struct cursor command;
    if (!section(reader, reader->command.offset, reader->command.size, &command))
        return NULL;
    uint32_t count = take32(&command);
    const char *word = NULL;
    for (uint32_t i = 0; i <= index; i++) {
        word = i < count && !command.over ? take_string(&command) : NULL;
        if (word == NULL)
            break;
    }
    return word;
}

bool perfdata_build_id(const struct perfdata_reader *reader, uint64_t *at, struct perfdata_map *ret_map,
                       uint8_t *ret_mode)
{
    struct cursor list;
    if (!section(reader, reader->build_ids.offset, reader->build_ids.size, &list) || *at > list.left)
        return false;
    take(&list, *at);
    struct cursor start = list;
    take32(&list);
    uint16_t misc = take16(&list), size = take16(&list);
    if (list.over || size < 36 || size > start.left)
        return false;
    struct cursor entry = {start.at + 8, size - 8, false};
    take32(&entry); /* pid */
    memset(ret_map, 0, sizeof(*ret_map));
    ret_map->build_id = take(&entry, PERFDATA_BUILD_ID_SIZE);
    const uint8_t *length = take(&entry, 4);
    ret_map->build_id_size =
        misc & PERFDATA_MISC_BUILD_ID_SIZE && length[0] <= PERFDATA_BUILD_ID_SIZE ? length[0] : PERFDATA_BUILD_ID_SIZE;
    ret_map->name = text_of(&entry);
    *ret_mode = misc & PERFDATA_MISC_CPUMODE;
    *at += size;
    return ret_map->name != NULL;
}
