/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's input on bytes in memory, for fuzzers: reads everything twice, with the same result. */
#ifndef TESTS_FUZZ_INPUT_BYTES_H
#define TESTS_FUZZ_INPUT_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/ibsprof/read/ibs_columns.h"
#include "tools/ibsprof/read/input.h"

struct input_sums {
    uint64_t items, samples, hash;
};

static inline void input_look(struct input_sums *sums, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sums->hash = (sums->hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

static inline void input_look_at_sample(struct input *input, const struct ibs_columns columns[2],
                                        const struct perfdata_item *sample, struct input_sums *sums)
{
    char value[IBS_VALUE_MAX + 1];

    if (sample->event >= input_facts(input)->event_count || sample->period == 0 || sample->register_count > 10)
        abort();
    input_look(sums, sample->callchain, 8 * (size_t)sample->callchain_count);
    for (unsigned i = 0; sample->record.kind <= SAMPLE_OP && i < columns[sample->record.kind].count; i++) {
        size_t size = (size_t)(ibs_column_value(&columns[sample->record.kind], i, sample, value) - value);

        if (size == 0 || size > IBS_VALUE_MAX)
            abort();
        input_look(sums, value, size);
    }
    sums->samples++;
}

/* Counts samples, read one by one or by the fast path. */
static inline uint64_t input_read_counted(struct input *input, bool fast)
{
    struct input_sums sums = {0};
    struct perfdata_plain plain[5];
    struct perfdata_item item;

    for (;;) {
        uint32_t count = fast ? input_next_plain(input, plain, 5) : 0;

        if (count == 0 && (!input_next(input, &item) || item.kind == PERFDATA_ITEM_END))
            return sums.hash;
        if (count == 0 && item.kind == PERFDATA_ITEM_SAMPLE) {
            plain[0] = perfdata_plain_of(&item);
            count = 1;
        }
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t words[] = {plain[i].time, plain[i].period, plain[i].ip,   plain[i].event,
                                      plain[i].pid,  plain[i].cpu,    plain[i].mode, plain[i].exact};

            input_look(&sums, words, sizeof(words));
        }
    }
}

static inline struct input_sums input_read_all(struct input *input, uint64_t size)
{
    struct ibs_layout layout = ibs_layout_of_input(input);
    struct ibs_columns columns[2] = {ibs_columns_of(SAMPLE_FETCH, &layout, false),
                                     ibs_columns_of(SAMPLE_OP, &layout, false)};
    struct input_sums sums = {0};
    struct perfdata_item item;

    while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END) {
        /* A counter read with a sample is a separate item, and has at least 8 bytes, like a record. */
        if (++sums.items > size / 8)
            abort();
        if (item.kind == PERFDATA_ITEM_SAMPLE)
            input_look_at_sample(input, columns, &item, &sums);
        else if (item.kind == PERFDATA_ITEM_MAP)
            input_look(&sums, item.map.name, strlen(item.map.name));
        else if (item.kind == PERFDATA_ITEM_COMM)
            input_look(&sums, item.text, strlen(item.text));
    }
    input_look(&sums, input_error(input), strlen(input_error(input)));
    return sums;
}

static inline void input_of_bytes(const char *head, const uint8_t *data, size_t size)
{
    char path[64], error[512];
    int file = memfd_create("fuzz", 0);
    size_t head_size = strlen(head);

    if (file < 0 || write(file, head, head_size) != (ssize_t)head_size || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    struct input *input = input_open(path, error, sizeof(error));
    if (input != NULL) {
        struct input_sums first = input_read_all(input, head_size + size), second;

        input_rewind(input);
        second = input_read_all(input, head_size + size);
        if (first.items != second.items || first.samples != second.samples || first.hash != second.hash)
            abort();
        input_rewind(input);
        uint64_t slow = input_read_counted(input, false);
        input_rewind(input);
        if (input_read_counted(input, true) != slow)
            abort();
        input_close(input);
    } else if (strchr(error, '\n') != NULL || strlen(error) == 0) {
        abort(); /* one line */
    }
    close(file);
}

#endif
