/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of files as lines of text: what was written is read, and nothing else, whatever happens to the text. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/crc32c.h"
#include "core/base/rng.h"
#include "core/run/transfer.h"

static char line[TRANSFER_LINE_MAX + 1];
static struct rng rng;

static struct transfer_block block_of(uint32_t number, size_t size)
{
    struct transfer_block block = {.run = 0xA0B1C2D3, .file = 0x4E, .number = number, .size = (uint8_t)size};

    for (size_t i = 0; i < size; i++)
        block.bytes[i] = (uint8_t)rng_next(&rng);
    return block;
}

static void assert_same(const struct transfer_block *a, const struct transfer_block *b)
{
    assert_int_equal(a->run, b->run);
    assert_int_equal(a->file, b->file);
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

/* The five letters are those of RFC 4648 section 10. */
TEST(as_written)
{
    struct transfer_block block = {.run = 1, .file = 2, .number = 3, .size = 5, .bytes = "fooba"}, read;
    char text[64];
    size_t at = 0, length = transfer_encode(&block, line);

    snprintf(text, sizeof(text), "ibs1:00000001:02:000003:Zm9vYmE=:%08X",
             crc32c(0, "ibs1:00000001:02:000003:Zm9vYmE=", 32));
    assert_string_equal(line, text);
    assert_int_equal(length, strlen(text));
    assert_int_equal(transfer_find(line, length, &at, &read), TRANSFER_BLOCK);
    assert_int_equal(at, length);
    assert_same(&block, &read);
}

/* Blocks have every length, with text before and after; a part of a line is not read, and the rest is awaited. */
TEST(all_lengths)
{
    rng_seed(&rng, 1);
    for (size_t size = 0; size <= TRANSFER_BYTES; size++) {
        struct transfer_block block = block_of((uint32_t)(rng_next(&rng) & 0xFFFFFF), size), read;
        char text[TRANSFER_LINE_MAX + 40] = "Saving report.txt, ibsibs1:";
        size_t begin = strlen("Saving report.txt, ibs"), at = 0, length = transfer_encode(&block, line);

        assert_true(length <= TRANSFER_LINE_MAX);
        strcpy(text + begin, line);
        strcat(text, ", ib");
        for (size_t end = 0; end < begin + length; end++) {
            char behind = text[end];

            at = 0;
            text[end] = '!'; /* this character is not read */
            assert_int_equal(transfer_find(text, end, &at, &read), TRANSFER_NONE);
            assert_true(at <= begin);
            text[end] = behind;
        }
        at = 0;
        assert_int_equal(transfer_find(text, strlen(text), &at, &read), TRANSFER_BLOCK);
        assert_int_equal(at, begin + length);
        assert_same(&block, &read);
        assert_int_equal(transfer_find(text, strlen(text), &at, &read), TRANSFER_NONE);
        assert_int_equal(at, strlen(text) - 2); /* "ib" may become a line */
    }
}

/* Flips each single bit, and each pair of neighbours: that line is lost, and the next one is read. */
TEST(flipped)
{
    struct transfer_block first = block_of(7, 100), second = block_of(8, 33), read;
    char both[2 * TRANSFER_LINE_MAX + 2];
    size_t length = transfer_encode(&first, both), end;

    end = length + transfer_encode(&second, both + length);
    for (size_t bit = 0; bit < 8 * length; bit++)
        for (unsigned wide = 1; wide <= 3; wide += 2) {
            char text[sizeof(both)];
            size_t at = 0;
            enum transfer_found found = TRANSFER_DAMAGED;

            memcpy(text, both, end);
            for (unsigned i = 0; i < 2; i++)
                if (wide >> i & 1 && bit + i < 8 * length)
                    text[(bit + i) / 8] = (char)(text[(bit + i) / 8] ^ 1 << (bit + i) % 8);
            while (found == TRANSFER_DAMAGED)
                found = transfer_find(text, end, &at, &read);
            assert_int_equal(found, TRANSFER_BLOCK);
            assert_same(&second, &read);
        }
}

/* Flips one bit in a hundred, by seed, in 2,000 lines of every length: nothing is read that was not written. */
TEST(one_in_a_hundred)
{
    unsigned whole = 0, damaged = 0;

    rng_seed(&rng, 3);
    for (unsigned i = 0; i < 2000; i++) {
        struct transfer_block block = block_of(i, rng_next(&rng) % (TRANSFER_BYTES + 1)), read;
        size_t at = 0, length = transfer_encode(&block, line);
        enum transfer_found found;

        for (size_t bit = 0; bit < 8 * length; bit++)
            if (rng_next(&rng) % 100 == 0)
                line[bit / 8] = (char)(line[bit / 8] ^ 1 << bit % 8);
        while ((found = transfer_find(line, length, &at, &read)) == TRANSFER_DAMAGED)
            damaged++;
        if (found == TRANSFER_BLOCK) {
            assert_same(&block, &read); /* no bit was flipped */
            whole++;
        }
    }
    assert_in_range(damaged, 500, 2000); /* in the other lines the mark is damaged, or the end is awaited */
    assert_in_range(whole, 0, 40);
}

/* The reader refuses what the writer never writes: small digits, other padding, bits behind the last byte, a line too
 * long. */
TEST(only_what_is_written)
{
    static const char *const wrong[] = {
        "ibs1:0000000a:02:000003:Zm9vYmE=:", "ibs1:00000001 02:000003:Zm9vYmE=:", "ibs1:00000001:02:000003:Zm9vYmF=:",
        "ibs1:00000001:02:000003:Zm9vYm==:", "ibs1:00000001:02:000003:Zg==Zm9v:", "ibs1:00000001:02:000003:Zm9vYmE:",
        "ibs1:00000001:02:000003:Z===:",     "ibs1:00000001:02:000003:Zm=v:",     "ibs1:00000001:02:00003:Zm9v:",
    };
    char text[2 * TRANSFER_LINE_MAX];
    struct transfer_block block = block_of(1, TRANSFER_BYTES), read;
    size_t at;

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        size_t length = strlen(wrong[i]);

        snprintf(text, sizeof(text), "%s%08X", wrong[i], crc32c(0, wrong[i], length - 1));
        at = 0;
        assert_int_equal(transfer_find(text, strlen(text), &at, &read), TRANSFER_DAMAGED);
        assert_int_equal(at, 1);
    }
    at = transfer_encode(&block, text) - 9; /* four letters more */
    strcpy(text + at, "AAAA:");
    snprintf(text + at + 5, 9, "%08X", crc32c(0, text, at + 4));
    at = 0;
    assert_int_equal(transfer_find(text, strlen(text), &at, &read), TRANSFER_DAMAGED);
}

TEST(heads)
{
    struct transfer_head head = {
        .size = 123456, .crc = 0xFEDCBA98, .files = 6, .folder = "0001-matmul-classic-ibs", .name = "report.txt"};
    struct transfer_head read;
    struct transfer_block block;

    assert_true(transfer_head_write(&head, 9, 5, &block));
    assert_int_equal(block.number, TRANSFER_HEAD);
    assert_true(transfer_head_read(&block, &read));
    assert_int_equal(read.size, 123456);
    assert_int_equal(read.crc, 0xFEDCBA98);
    assert_int_equal(read.files, 6);
    assert_string_equal(read.folder, head.folder);
    assert_string_equal(read.name, head.name);
    block.number = 1;
    assert_false(transfer_head_read(&block, &read));
    assert_false(transfer_head_write(&(struct transfer_head){.folder = "..", .name = "x"}, 9, 5, &block));
    assert_false(transfer_head_write(&(struct transfer_head){.folder = "a", .name = ""}, 9, 5, &block));
    memset(head.name, 'n', TRANSFER_NAME_MAX);
    memset(head.folder, 'f', TRANSFER_NAME_MAX);
    assert_true(transfer_head_write(&head, 9, 5, &block));
    /* With the largest numbers the head does not fit. */
    head.size = UINT64_MAX;
    head.crc = head.files = UINT32_MAX;
    block.run = 77;
    assert_false(transfer_head_write(&head, 9, 5, &block));
    assert_int_equal(block.run, 77);
}

/* Heads are refused for names that lead elsewhere, for text that is no number, and for files that the run does not
 * have. */
TEST(heads_that_are_none)
{
    static const char *const wrong[] = {
        "",
        "1",
        "1 0x0 6 folder",
        "1 0x0 6 folder name more",
        "1 0x0 6 folder name ",
        "1  6 folder name",
        "x 0x0 6 folder name",
        "1 0x100000000 6 folder name",
        "1 0x0 256 folder name",
        "1 0x0 5 folder name",
        "3221225281 0x0 6 folder name", /* a byte more than 2^24 - 1 blocks */
        "1 0x0 6 ../folder name",
        "1 0x0 6 folder /etc/passwd",
        "1 0x0 6 folder .name",
        "1 0x0 6 folder na\x01me",
        "1 0x0 6 01234567890123456789012345678901234567890123456789012345678901234567890123456789 name",
    };
    struct transfer_block block = {.file = 5, .number = TRANSFER_HEAD};
    struct transfer_head head;

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        block.size = (uint8_t)strlen(wrong[i]);
        memcpy(block.bytes, wrong[i], block.size);
        assert_false(transfer_head_read(&block, &head));
    }
    block.size = (uint8_t)strlen("3221225280 0x0 6 folder name");
    memcpy(block.bytes, "3221225280 0x0 6 folder name", block.size);
    assert_true(transfer_head_read(&block, &head));
    block.file = TRANSFER_END;
    assert_true(transfer_head_read(&block, &head));
    memcpy(block.bytes, "1 0x0 255 folder name", block.size = (uint8_t)strlen("1 0x0 255 folder name"));
    assert_true(transfer_head_read(&block, &head));
    assert_int_equal(head.files, 255);
    assert_int_equal(transfer_blocks(0), 0);
    assert_int_equal(transfer_blocks(192), 1);
    assert_int_equal(transfer_blocks(193), 2);
}

/* Bytes behind a block's end are not sent. */
TEST(nothing_behind_the_end)
{
    for (size_t size = 0; size < 4; size++) {
        struct transfer_block block = {.run = 1, .file = 2, .number = 3, .size = (uint8_t)size, .bytes = "abc"};
        char clean[TRANSFER_LINE_MAX + 1];

        memset(block.bytes + size, 0, 4);
        transfer_encode(&block, clean);
        memset(block.bytes + size, 0xff, 4);
        transfer_encode(&block, line);
        assert_string_equal(line, clean);
    }
}

/* Letters, digits, '.', '_' and '-', in each place; '.' not first. */
TEST(names)
{
    for (unsigned c = 0; c < 256; c++)
        for (unsigned place = 0; place < 3; place++) {
            char name[] = "abc", one = (char)c;
            bool good = (c && strchr("_-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", (int)c)) ||
                        (c == '.' && place > 0);

            name[place] = one;
            if (transfer_is_name(name, 3) != good)
                fail_msg("byte %u in place %u", c, place);
        }
    assert_false(transfer_is_name("a", 0));
    assert_true(transfer_is_name("a", 1));
}

RUN_TESTS(NULL, NULL)
