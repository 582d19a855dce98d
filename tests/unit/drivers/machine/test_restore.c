/* SPDX-License-Identifier: BSD-2-Clause */
/* The log of registers: each kind is read and written at its own place, and nowhere else. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "core/family/pmc_regs.h"
#include "drivers/machine/restore.h"

enum { MODEL_C = 4, BASE = 0x1000 };

static uint32_t device;
static unsigned writes;

static bool memory(uint64_t address, bool write, uint32_t *value)
{
    if (address != BASE)
        return false;
    writes += write;
    if (write)
        device = *value;
    else
        *value = device;
    return true;
}

static bool config(uint32_t of, uint32_t offset, bool write, uint32_t *value)
{
    if (of != (3 << 3 | 1) || offset != 0x44)
        return false;
    return memory(BASE, write, value);
}

static int set_up(void **state)
{
    (void)state;
    fake_reset(MODEL_C);
    fake_msr(0xC001001F)->value |= 1ull << 46; /* EnableCf8ExtCfg */
    fake.memory = memory;
    fake.config = config;
    device = 0x1234;
    writes = 0;
    return 0;
}

struct state {
    uint64_t cr0, cr3, cr4, dr6, msr;
    uint32_t f3x1cc, cf8, entry, device;
};

static struct state now(void)
{
    return (struct state){fake.cr0,
                          fake.cr3,
                          fake.cr4,
                          fake.dr6,
                          fake_msr(MSR_PERF_CTL(0))->value,
                          fake.f3x1cc[0],
                          fake.cf8,
                          fake.apic[0x510 / 16],
                          device};
}

static void change(enum restore_kind kind)
{
    switch (kind) {
    case RESTORE_MSR:
        fake_msr(MSR_PERF_CTL(0))->value ^= 0x41;
        break;
    case RESTORE_MMIO:
        fake.apic[0x510 / 16] ^= 0x20000;
        break;
    case RESTORE_PCI:
        fake.f3x1cc[0] ^= 0x101;
        break;
    case RESTORE_PORT:
        fake.cf8 ^= 0x100;
        break;
    case RESTORE_CONFIG:
    case RESTORE_MEMORY:
        device ^= 0x5678;
        break;
    case RESTORE_CR0:
        fake.cr0 ^= 8;
        break;
    case RESTORE_CR3:
        fake.cr3 ^= 0x8;
        break;
    case RESTORE_CR4:
        fake.cr4 ^= 0x10000;
        break;
    case RESTORE_DR6:
        fake.dr6 ^= 0x4000;
        break;
    case RESTORE_NOTE:
        break;
    }
}

/* Restores the logged register alone: registers of all other kinds stay as they are. */
TEST_WITH(each_kind_alone, set_up, NULL)
{
    static const struct {
        enum restore_kind kind;
        uint64_t address;
        uint32_t unit;
        const char *log; /* accesses of the restoring */
    } rows[] = {{RESTORE_MSR, MSR_PERF_CTL(0), 0, "wrmsr c0010000 0\nrdmsr c0010000\n"},
                {RESTORE_MMIO, FAKE_APIC + 0x510, 0, "apic w 510 10000\napic r 510\n"},
                {RESTORE_PCI, 0x1CC, 0, NULL},
                {RESTORE_PORT, 0xCF8, 0, "out cf8 80000cac\nin cf8\n"},
                {RESTORE_CONFIG, 0x44, 3 << 3 | 1, NULL},
                {RESTORE_MEMORY, BASE, 0, ""},
                {RESTORE_CR0, 0, 0, "cr0 80010033\n"},
                {RESTORE_CR3, 0, 0, "cr3 firmware\n"},
                {RESTORE_CR4, 0, 0, "cr4 668\n"},
                {RESTORE_DR6, 0, 0, "dr6 ffff0ff0\n"}};
    static struct restore_log log;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct state before, after;
        uint64_t value = 77;

        set_up(NULL);
        before = now();
        restore_init(&log);
        assert_int_equal(restore_save(&log, rows[i].kind, rows[i].address, rows[i].unit, ~0ull, "it", &value), 0);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.row[0].before, value);
        change(rows[i].kind);
        fake_clear_log();
        restore_undo(&log);
        if (rows[i].log && strcmp(fake.log, rows[i].log))
            fail_msg("row %zu: %s", i, fake.log);
        assert_int_equal(writes, rows[i].kind == RESTORE_MEMORY || rows[i].kind == RESTORE_CONFIG);
        assert_true(log.row[0].ok);
        assert_int_equal(log.row[0].after, value);
        assert_int_equal(restore_failures(&log), 0);
        after = now();
        if (rows[i].kind == RESTORE_PCI || rows[i].kind == RESTORE_CONFIG)
            after.cf8 = before.cf8; /* port CF8h leads to the registers */
        assert_memory_equal(&after, &before, sizeof after);
    }
}

/* A row for each register and note of all sessions has the value before the first and after the last session; a
 * register that once was not restored stays so. */
TEST(sessions_together)
{
    static const struct restore_log sessions[] = {
        {.count = 3,
         .row = {{.what = "MSR C001_0200 PERF_CTL0",
                  .kind = RESTORE_MSR,
                  .address = 0xC0010200,
                  .before = 1,
                  .after = 1,
                  .ok = true},
                 {.what = "GDTR base", .kind = RESTORE_NOTE, .before = 5, .after = 5, .ok = true},
                 {.what = "F3x1CC", .kind = RESTORE_PCI, .address = 0x1CC, .before = 6, .after = 7}}},
        {.count = 5,
         .row = {{.what = "PERF_CTL of the ticks", .kind = RESTORE_MSR, .address = 0xC0010200, .before = 2, .after = 3},
                 {.what = "MSR C001_0201 PERF_CTR0",
                  .kind = RESTORE_MSR,
                  .address = 0xC0010201,
                  .before = 4,
                  .after = 4,
                  .ok = true},
                 {.what = "GDTR limit", .kind = RESTORE_NOTE, .before = 8, .after = 8, .ok = true},
                 {.what = "F3x1CC", .kind = RESTORE_PCI, .address = 0x1CC, .before = 6, .after = 6, .ok = true},
                 {.what = "F3x1CC",
                  .kind = RESTORE_PCI,
                  .address = 0x1CC,
                  .unit = 1,
                  .before = 9,
                  .after = 9,
                  .ok = true}}},
    };
    static const struct {
        uint64_t before, after;
        bool ok;
    } wanted[] = {{1, 3, false}, {5, 5, true}, {6, 7, false}, {4, 4, true}, {8, 8, true}, {9, 9, true}};
    static struct restore_log all;

    restore_init(&all);
    restore_add(&all, &sessions[0]);
    restore_add(&all, &sessions[1]);
    assert_int_equal(all.count, sizeof wanted / sizeof wanted[0]);
    for (uint32_t i = 0; i < all.count; i++) {
        assert_int_equal(all.row[i].before, wanted[i].before);
        assert_int_equal(all.row[i].after, wanted[i].after);
        assert_int_equal(all.row[i].ok, wanted[i].ok);
    }
    assert_int_equal(all.dropped, 0);
    assert_ptr_equal(restore_find(&all, &sessions[0].row[0]), &all.row[0]);
    assert_ptr_equal(restore_find(&all, &sessions[1].row[4]), &all.row[5]);
    assert_null(restore_find(&all, &(struct restore_row){.kind = RESTORE_CR3}));
}

/* Counts registers of sessions for which there is no room, registers for which a session itself has no room, and notes.
 * The five of tables_remove() have room where other registers have none. */
TEST(dropped_rows_are_counted)
{
    static const struct restore_row row = {.what = "CR3", .kind = RESTORE_CR3, .before = 1, .after = 1, .ok = true};
    static struct restore_log all, session;

    restore_init(&all);
    for (uint32_t i = 0; i < RESTORE_ROWS + RESTORE_NOTES - 1; i++)
        all.row[all.count++] = (struct restore_row){.what = "it", .address = 0x1000 + i};
    restore_init(&session);
    session.row[session.count++] = row;
    session.row[session.count++] = (struct restore_row){.what = "CR0", .kind = RESTORE_CR0};
    session.row[session.count++] = (struct restore_row){.what = "it", .address = 0x1000};
    restore_add(&all, &session);
    assert_int_equal(all.count, RESTORE_ROWS + RESTORE_NOTES);
    assert_string_equal(all.row[all.count - 1].what, "CR3");
    assert_int_equal(all.dropped, 1);
    session.dropped = 3;
    restore_add(&all, &session);
    assert_int_equal(all.dropped, 1 + 3 + 1);
    session.count = RESTORE_ROWS;
    session.dropped = 0;
    assert_int_equal(restore_save(&session, RESTORE_CR4, 0, 0, ~0ull, "", NULL), RESTORE_FULL);
    for (uint32_t i = 0; i < RESTORE_NOTES + 2; i++)
        restore_note(&session, "GDTR", i, i, true);
    assert_int_equal(session.count, RESTORE_ROWS + RESTORE_NOTES);
    assert_int_equal(session.dropped, 2);
    restore_init(&session);
    assert_int_equal(session.dropped, 0);
}

TEST(names_have_numbers)
{
    static const struct {
        struct restore_row row;
        const char *name;
    } rows[] = {
        {{.kind = RESTORE_MSR, .address = 0xC0010230, .what = "a count"}, "MSR C001_0230 a count"},
        {{.kind = RESTORE_MSR, .address = 0xC0010230, .what = "MSR C001_0230 L3"}, "MSR C001_0230 L3"},
        {{.kind = RESTORE_MSR, .address = 0xC001000F, .what = "MSX"}, "MSR C001_000F MSX"},
        {{.kind = RESTORE_MMIO, .address = 0xFEE00510, .what = "APIC 510h"}, "APIC 510h"},
    };
    char text[RESTORE_NAME];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(restore_name(&rows[i].row, text), rows[i].name);
}

RUN_TESTS(NULL, NULL)
