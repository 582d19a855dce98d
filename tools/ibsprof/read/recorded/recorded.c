/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of perf as plain ones: header, attributes, records, and then the table of features with their contents. */
#include "tools/ibsprof/read/recorded/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/recorded/recorded_inside.h"
#include "tools/ibsprof/read/run_folder.h"

#include "core/perfdata/perfdata_format.h"

/* Offsets of fields in the header, and the size of a file section's entry. */
enum { SIZE_AT = 8, DATA_AT = 40, DATA_SIZE_AT = 48, FEATURES_AT = 72, SECTION = 16 };

static bool has_feature(const uint8_t *header, unsigned bit)
{
    return header[FEATURES_AT + bit / 8] >> bit % 8 & 1;
}

static bool is_perfdata(const struct input_file *file, uint64_t header_size)
{
    return file->size >= header_size && bytes_read64(file->bytes) == PERFDATA_MAGIC &&
           bytes_read64(file->bytes + SIZE_AT) == header_size;
}

/* Returns whether a file with a header contains its records; the reader reports other errors. */
static bool has_records(const struct input_file *file)
{
    return is_perfdata(file, PERFDATA_HEADER_SIZE) && bytes_read64(file->bytes + DATA_AT) >= PERFDATA_HEADER_SIZE &&
           bytes_read64(file->bytes + DATA_AT) <= file->size;
}

/* Returns the end of the present records; notes if it is too early. */
static uint64_t end_of_records(struct input *input)
{
    const struct input_file *file = &input->file;
    uint64_t begin = bytes_read64(file->bytes + DATA_AT), size = bytes_read64(file->bytes + DATA_SIZE_AT);
    uint64_t left = file->size - begin;

    /* perf fills in the size when it ends. */
    if (size == 0 && left >= RECORD_HEADER && bytes_read16(file->bytes + begin + 6) >= RECORD_HEADER)
        input_note_cut(input, "perf record did not end properly: its %" PRIu64 " bytes of records are read", left);
    else if (size > left)
        input_note_cut(input, "the file is cut off: of %" PRIu64 " bytes of records only the first %" PRIu64 " exist",
                       size, left);
    else
        return begin + size;
    return file->size;
}

/* Copies what follows the records, which have become longer. */
static void put_features(struct spool *spool, const struct input_file *file, uint64_t end, uint64_t longer)
{
    uint64_t at = end;

    for (unsigned bit = 0; bit < PERFDATA_FEATURES && file->size - at >= SECTION; bit++) {
        if (!has_feature(file->bytes, bit))
            continue;
        uint64_t offset = bytes_read64(file->bytes + at);
        offset += offset >= end ? longer : 0;
        spool_put(spool, &offset, sizeof(offset));
        spool_put(spool, file->bytes + at + sizeof(offset), SECTION - sizeof(offset));
        at += SECTION;
    }
    spool_put(spool, file->bytes + at, (size_t)(file->size - at));
}

/* Makes one file of the input's records, followed by those of other files. */
static bool put_together(struct input *input, const struct input_file *others, uint32_t count)
{
    const struct input_file *file = &input->file;
    uint64_t begin = bytes_read64(file->bytes + DATA_AT), end = end_of_records(input), size;
    struct spool spool = spool_open();
    bool good;

    spool_put(&spool, file->bytes, (size_t)begin);
    good = recorded_put_records(&spool, input, file, begin, end, input->whole_order);
    for (uint32_t i = 0; good && i < count; i++)
        good = recorded_put_records(&spool, input, &others[i], 0, others[i].size, true);
    if (!good) {
        spool_close(&spool);
        return false;
    }
    size = spool.size - begin;
    put_features(&spool, file, end, begin + size - end);
    spool_patch(&spool, DATA_SIZE_AT, &size, sizeof(size));
    return spool_map(&spool, input, &input->file);
}

bool recorded_make_plain(struct input *input)
{
    if (is_perfdata(&input->file, PIPE_HEADER) && !recorded_of_pipe(input))
        return false;
    if (!has_records(&input->file))
        return true;
    (void)end_of_records(input);
    return !has_feature(input->file.bytes, PERFDATA_FEATURE_COMPRESSED) || put_together(input, NULL, 0);
}

static void unmap(struct input_file *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        input_unmap(&files[i]);
    free(files);
}

static bool is_empty(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && status.st_size == 0;
}

/* Maps data.0, data.1 ... unless they are empty. */
static bool map_others(struct input *input, struct input_file **ret_files, uint32_t *ret_count)
{
    char name[32];
    bool good = true;

    for (unsigned i = 0; good; i++) {
        snprintf(name, sizeof(name), "data.%u", i);
        if (!run_folder_has(input->path, name))
            break;
        char *path = must_text("%s/%s", input->path, name);
        struct input_file file = {0};

        if (!is_empty(path)) {
            good = input_map(input, path, &file);
            input_close_descriptor(&file); /* there may be as many as processors */
            if (good)
                *must_add(*ret_files, *ret_count) = file;
        }
        free(path);
    }
    return good;
}

bool recorded_of_threads(struct input *input)
{
    struct input_file *others = NULL;
    uint32_t count = 0;
    bool good;

    input->file_path = must_text("%s/data", input->path);
    input->whole_order = true;
    good = input_map(input, input->file_path, &input->file) && map_others(input, &others, &count);
    if (good && has_records(&input->file))
        good = put_together(input, others, count);
    unmap(others, count);
    return good;
}
