/* SPDX-License-Identifier: BSD-2-Clause */
/* * Thousands of transmissions, each damaged in another way: bits flipped, bytes lost, doubled or moved. Files that
 * count as complete are those that were sent, to the byte and under their names; and after one more, undamaged
 * transmission all files are complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/crc32c.h"
#include "core/base/rng.h"
#include "tools/ibsprof/receive/collect.h"

enum { SEEDS = 4000, FILES = 3, RUN = 0x00C0FFEE, TEXT = 1 << 14 };

static const char *const names[FILES] = {"report.txt", "run.ini", "perf.data"};
static const size_t sizes[FILES] = {700, 0, 2500};
static uint8_t bytes[FILES][2500];

struct text {
    char at[2 * TEXT];
    size_t size;
};

static void put(struct text *text, const struct transfer_block *block)
{
    text->at[text->size++] = '\n';
    text->size += transfer_encode(block, text->at + text->size);
    text->at[text->size++] = '\n';
}

static void put_head(struct text *text, unsigned file)
{
    struct transfer_head head = {.files = FILES, .folder = "0001-a", .name = "end"};
    struct transfer_block block;

    if (file != TRANSFER_END) {
        head.size = sizes[file];
        head.crc = crc32c(0, bytes[file], sizes[file]);
        strcpy(head.name, names[file]);
    }
    assert_true(transfer_head_write(&head, RUN, (uint8_t)file, &block));
    put(text, &block);
}

static void transmission(struct text *text)
{
    text->size = 0;
    for (unsigned f = 0; f < FILES; f++) {
        put_head(text, f);
        for (uint32_t i = 0; i < transfer_blocks(sizes[f]); i++) {
            size_t at = (size_t)i * TRANSFER_BYTES, left = sizes[f] - at;
            struct transfer_block block = {
                RUN, (uint8_t)f, i, (uint8_t)(left < TRANSFER_BYTES ? left : TRANSFER_BYTES), {0}};

            memcpy(block.bytes, bytes[f] + at, block.size);
            put(text, &block);
        }
        put_head(text, f);
    }
    put_head(text, TRANSFER_END);
    assert_true(text->size < TEXT);
}

/* ---------------------------------------------------------------- damage */

static void flip_bits(struct text *text, struct rng *rng, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text->at[rng_below(rng, (uint32_t)text->size)] ^= (char)(1 << rng_below(rng, 8));
}

/* Moves up to 300 bytes, more than a line, from a random place: they are then missing, doubled, or elsewhere. */
static void move_bytes(struct text *text, struct rng *rng, bool take, bool put_back)
{
    char part[300];
    size_t size = 1 + rng_below(rng, rng_below(rng, 2) ? 3 : 299);
    size_t from = rng_below(rng, (uint32_t)(text->size - size)), to;

    memcpy(part, text->at + from, size);
    if (take) {
        text->size -= size;
        memmove(text->at + from, text->at + from + size, text->size - from);
    }
    if (!put_back || text->size + size > sizeof(text->at))
        return;
    to = take ? rng_below(rng, (uint32_t)text->size) : from;
    memmove(text->at + to + size, text->at + to, text->size - to);
    memcpy(text->at + to, part, size);
    text->size += size;
}

enum damage { FLIPPED, FLIPPED_1_IN_100, LOST, DOUBLED, MOVED, ALL, DAMAGES };

static void harm(struct text *text, struct rng *rng, enum damage damage)
{
    unsigned times = 1 + rng_below(rng, 12);

    if (damage == FLIPPED || damage == ALL)
        flip_bits(text, rng, times);
    if (damage == FLIPPED_1_IN_100)
        flip_bits(text, rng, 8 * text->size / 100);
    for (unsigned i = 0; i < times; i++) {
        if (damage == LOST || damage == ALL)
            move_bytes(text, rng, true, false);
        if (damage == DOUBLED || damage == ALL)
            move_bytes(text, rng, false, true);
        if (damage == MOVED || damage == ALL)
            move_bytes(text, rng, true, true);
    }
}

/* ---------------------------------------------------------------- what arrives */

/* Collects the text in pieces, as a port delivers them. */
static void collect_pieces(struct collection *collection, const struct text *text, struct rng *rng)
{
    for (size_t at = 0, size; at < text->size; at += size) {
        size = 1 + rng_below(rng, 2000);
        size = size < text->size - at ? size : text->size - at;
        collect_text(collection, text->at + at, size);
    }
    collect_end(collection);
}

/* Returns the number of complete files, and checks that each is as it was sent. */
static unsigned complete(const struct collection *collection)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < collection->runs; i++) {
        const struct received_run *run = collection->run[i];

        for (unsigned f = 0; f < TRANSFER_END; f++) {
            const struct received_file *file = &run->file[f];

            if (!received_file_complete(file))
                continue;
            assert_int_equal(run->number, RUN);
            assert_true(f < FILES);
            assert_string_equal(file->head.name, names[f]);
            assert_string_equal(file->head.folder, "0001-a");
            assert_int_equal(file->head.size, sizes[f]);
            if (sizes[f])
                assert_memory_equal(file->bytes, bytes[f], sizes[f]);
            count++;
        }
        assert_true(!received_run_complete(run) || count == FILES);
    }
    return count;
}

static void nothing_wrong_is_right(void **state)
{
    static struct text sent, harmed;
    unsigned whole[DAMAGES] = {0}, files[DAMAGES] = {0};
    struct rng rng;

    (void)state;
    rng_seed(&rng, 17);
    for (unsigned f = 0; f < FILES; f++)
        for (size_t i = 0; i < sizes[f]; i++)
            bytes[f][i] = (uint8_t)rng_next(&rng);
    transmission(&sent);
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        struct collection collection = {0};
        enum damage damage = seed % DAMAGES;
        unsigned count;

        rng_seed(&rng, seed);
        harmed = sent;
        harm(&harmed, &rng, damage);
        collect_pieces(&collection, &harmed, &rng);
        count = complete(&collection);
        files[damage] += count;
        whole[damage] += count == FILES;
        collect_pieces(&collection, &sent, &rng);
        assert_int_equal(complete(&collection), FILES);
        collect_free(&collection);
    }
    for (unsigned i = 0; i < DAMAGES; i++)
        print_message("damage %u: %u of %u files, %u of %u runs whole\n", i, files[i], FILES * SEEDS / DAMAGES,
                      whole[i], SEEDS / DAMAGES);
    /* No line of 280 characters remains; an empty file has only its head, two shorter lines. */
    assert_in_range(files[FLIPPED_1_IN_100], 0, FILES * SEEDS / DAMAGES / 100);
    for (unsigned i = 0; i < DAMAGES; i++)
        if (i != FLIPPED_1_IN_100)
            assert_in_range(files[i], 1, FILES * SEEDS / DAMAGES - 1); /* some files were damaged, others not */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_wrong_is_right)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
