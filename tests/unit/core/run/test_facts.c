/* SPDX-License-Identifier: BSD-2-Clause */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/run/facts.h"

static char text[64 * 1024];

static const char *written(void (*write)(struct out *out))
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    write(&memory.out);
    assert_true(memory.needed < sizeof(text));
    return text;
}

static void some(struct out *out)
{
    fact_number(out, FACT_MACHINE_FAMILY, 16);
    fact_number(out, FACT_IMAGE_BASE, 0x7E000000);
    fact_number(out, FACT_CORE_ARENA_NODE, (uint64_t)-1, 3u);
    fact_number(out, FACT_CORE_RESTORED_COUNT, UINT64_MAX, 255u);
    fact_number(out, FACT_EXPECTED, 7, 0xC0u, 0u);
    fact_number(out, FACT_EXPECTED, 7, 0x41u, 0x1Fu);
    fact_text(out, FACT_WORK_UNIT, "hops");
    fact_number(out, FACT_PARAMETER, 20, "rows");
    fact_number(out, FACT_NOISE_DETOURS, 3, "alone", "nine");
    fact_number(out, FACT_NOISE_QUANTA_LATE, 4, "alone", 12u);
    fact_number(out, FACT_NOISE_CAUSE, 5, "alone", "P-state change");
    fact_number(out, FACT_CERTIFICATE_SMIS, 6, FACT_ONLY_CORE);
    fact_number(out, FACT_CERTIFICATE_CAUSE, 6, 0, "SMI");
    fact_not_available(out, FACT_CERTIFICATE_PSTATE, "no MSRC001_0063", 12);
    fact_begin(out, FACT_EVENT_GROUPS, 3u);
    out_printf(out, " 0 1\n");
}

TEST(keys_have_their_indices)
{
    assert_string_equal(written(some), "#: machine.family = 16\n"
                                       "#: image_base = 0x7e000000\n"
                                       "#: core.3.arena.node = -1\n"
                                       "#: core.255.restored = 18446744073709551615\n"
                                       "#: expected.0c0:00 = 7\n"
                                       "#: expected.041:1f = 7\n"
                                       "#: workload.unit = hops\n"
                                       "#: workload.rows = 20\n"
                                       "#: noise.alone.nine.detours = 3\n"
                                       "#: noise.alone.quanta.late.12 = 4\n"
                                       "#: noise.alone.detours: P-state change = 5\n"
                                       "#: certificate.smis = 6\n"
                                       "#: certificate.core.0.gaps: SMI = 6\n"
                                       "#: certificate.core.12.pstate = not available: no MSRC001_0063\n"
                                       "#: event.3.groups = 0 1\n");
}

TEST(keys_are_found)
{
    static const struct {
        const char *key;
        enum fact fact;
    } rows[] = {{"machine.family", FACT_MACHINE_FAMILY},
                {"machine.famil", FACT_COUNT},
                {"machine.family2", FACT_COUNT},
                {"", FACT_COUNT},
                {"workload.check", FACT_CHECK},
                {"workload.rows", FACT_PARAMETER},
                {"workload.", FACT_COUNT},
                {"event.12", FACT_EVENT},
                {"event.12.period", FACT_EVENT_PERIOD},
                {"event.x.period", FACT_COUNT},
                {"event..period", FACT_COUNT},
                {"expected.0c0:00", FACT_EXPECTED},
                {"expected.0C0:00", FACT_COUNT},
                {"restored.3", FACT_RESTORED},
                {"core.1.restored", FACT_CORE_RESTORED_COUNT},
                {"core.1.restored.3", FACT_CORE_RESTORED},
                {"noise.work", FACT_NOISE_WORK},
                {"noise.masked", FACT_NOISE_MASKED},
                {"noise.masked.reads", FACT_NOISE_READS},
                {"noise.alone.microsecond.detours", FACT_NOISE_DETOURS},
                {"noise.alone.detours: P-state change", FACT_NOISE_CAUSE},
                {"certificate.gaps", FACT_CERTIFICATE_GAPS},
                {"certificate.core.10.gaps", FACT_CERTIFICATE_GAPS},
                {"certificate.core.10.gaps: SMI", FACT_CERTIFICATE_CAUSE},
                {"certificate.core.gaps", FACT_COUNT},
                {"certificate.core.1gaps", FACT_COUNT},
                {"certificate.cor", FACT_COUNT}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(fact_find(rows[i].key), rows[i].fact);
}

/* The keys that whole runs on fake firmware wrote are all in the table. */
TEST(every_key_of_a_run_is_in_the_table)
{
    bool seen[FACT_COUNT] = {false};
    unsigned count = 0, kinds = 0;
    glob_t files;

    assert_int_equal(glob("tests/unit/app/golden/*.txt", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");

        assert_non_null(file);
        while (fgets(text, sizeof(text), file)) {
            char *equals = strstr(text, " =");
            enum fact fact;

            if (strncmp(text, "#: ", 3) != 0 || !equals)
                continue;
            *equals = '\0';
            fact = fact_find(text + 3);
            if (fact == FACT_COUNT)
                fail_msg("%s: '%s' is not in core/run/facts_rows.h", files.gl_pathv[i], text + 3);
            kinds += !seen[fact];
            seen[fact] = true;
            count++;
        }
        fclose(file);
    }
    globfree(&files);
    assert_true(count > 1000);
    assert_true(kinds > 100);
}

TEST(every_row_is_documented)
{
    written(fact_print_table);
    assert_non_null(strstr(text, "| key | value | meaning |\n|---|---|---|\n"));
    assert_non_null(strstr(text, "\n| `machine.ibs_caps` | hexadecimal number | CPUID Fn8000_001B EAX |\n"));
    assert_non_null(strstr(text, "\n| `machine.stepping` |  | by CPUID |\n"));
    assert_non_null(strstr(text, "\n| `machine.tsc_khz` | kHz | rate of the time-stamp counter |\n"));
    for (enum fact fact = 0; fact < FACT_COUNT; fact++) {
        const struct fact_row *row = &fact_rows[fact];

        assert_true(row->meaning[0] != '\0' && !strpbrk(row->meaning, "|\n"));
        assert_true(strlen(row->key) <= FACT_KEY_MAX / 2); /* so that indices have room */
        for (enum fact other = 0; other < fact; other++)
            assert_string_not_equal(fact_rows[other].key, row->key);
    }
}

/* A key belongs to the parts that its row names; a key without a row belongs to no part. */
TEST(parts_of_keys)
{
    for (unsigned i = 0; i < FACT_COUNT; i++)
        for (unsigned part = FACT_MEASURED; part <= FACT_SILICON; part <<= 1) {
            const char *key = fact_rows[i].key;

            if (fact_find(key) == i)
                assert_int_equal(fact_is(key, (enum fact_part)part), (fact_rows[i].part & part) != 0);
        }
    assert_false(fact_is("machine.famil", FACT_MEASURED));
    assert_false(fact_is("elapsed_us", FACT_MEASURED));
    assert_true(fact_is("machine.family", FACT_MEASURED));
}

RUN_TESTS(NULL, NULL)
