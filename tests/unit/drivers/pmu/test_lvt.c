/* SPDX-License-Identifier: BSD-2-Clause */
/* The way of the interrupt: extended LVT entry and F3x1CC, assigned and refused. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/pmu/lvt.h"
#include "drivers/machine/pci.h"

static struct machine machine;
static struct restore_log restore;
static uint64_t ours; /* address of the entry that was opened */
static uint32_t entry;
static uint64_t detail;

static enum session_error set_up(void)
{
    restore_init(&restore);
    entry = 0;
    detail = 0xDEAD;
    fake_clear_log();
    return lvt_set_up(&machine, &restore, &ours, &entry, &detail);
}

static void undo_and_compare(const struct fake *before)
{
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_memory_equal(fake.f3x1cc, before->f3x1cc, sizeof fake.f3x1cc);
    assert_memory_equal(fake.apic, before->apic, sizeof fake.apic);
    assert_int_equal(fake.cf8, before->cf8);
    assert_int_equal(fake_msr(0xC001001F)->value, 0x2000000008);
}

TEST(test_sequence)
{
    static struct fake before;
    fake_machine(&machine, 4);
    before = fake;
    assert_int_equal(set_up(), SESSION_OK);
    assert_string_equal(fake.log,
                        "apic r 400\napic r 510\n"
                        "rdmsr c001001f\nwrmsr c001001f 402000000008\n"
                        "in cf8\n"
                        "out cf8 8100c3cc\nin cfc\n" /* offset 1CCh: bits 11:8 in 27:24, device 18h, function 3 */
                        "out cf8 8100c3cc\nout cfc 101\n"
                        "out cf8 8100c3cc\nin cfc\n"
                        "rdmsr c001103a\n"
                        "apic r 510\napic w 510 400\napic r 510\n");
    assert_int_equal(entry, 1);
    assert_int_equal(detail, 0);
    assert_int_equal(fake.f3x1cc[0], 0x101);
    assert_int_equal(fake.apic[0x51], 0x400);
    fake_clear_log();
    undo_and_compare(&before);
    assert_string_equal(fake.log, "apic w 510 10000\napic r 510\n"
                                  "out cf8 8100c3cc\nout cfc 0\nout cf8 8100c3cc\nin cfc\n"
                                  "out cf8 80000cac\nin cf8\n"
                                  "wrmsr c001001f 2000000008\nrdmsr c001001f\n");
}

TEST(test_two_nodes)
{
    static struct fake before;
    fake_reset(8);
    fake.node_id[1] = 0x12031022;
    fake.f3x1cc[1] = 0x102; /* the firmware's value is restored */
    machine_probe(&machine);
    before = fake;
    assert_int_equal(set_up(), SESSION_OK);
    assert_int_equal(fake.f3x1cc[0], 0x101);
    assert_int_equal(fake.f3x1cc[1], 0x101);
    undo_and_compare(&before);
    assert_int_equal(fake.f3x1cc[1], 0x102);
}

/* The numbers of nodes may have gaps. */
TEST(test_a_node_in_between_is_missing)
{
    fake_reset(8);
    fake.node_id[1] = 0x12031022;
    machine_probe(&machine);
    machine.nodes.mask = 2;
    fake.f3x1cc[0] = 0x103;
    (void)set_up();
    assert_int_equal(fake.f3x1cc[0], 0x103);
    assert_int_equal(fake.f3x1cc[1], 0x101);
}

struct entry_row {
    uint32_t count, lvt[3];
    enum session_error error;
    uint32_t entry;
};

TEST(test_choice_of_entry)
{
    static const struct entry_row rows[] = {
        {4, {0x10000, 0x10000, 0x10000}, SESSION_OK, 1},
        {4, {0x000F1, 0x10000, 0x10000}, SESSION_OK, 2}, /* a fixed interrupt, not masked: in use */
        {4, {0x10200, 0x10000, 0x10000}, SESSION_OK, 1}, /* masked, of whatever type: left so by an earlier system */
        {4, {0x000F1, 0x10400, 0x10000}, SESSION_OK, 2},
        {4, {0x11700, 0x10000, 0x10000}, SESSION_OK, 1}, /* with a delivery pending, too */
        {4, {0x00400, 0x10000, 0x10000}, SESSION_OK, 1}, /* already what the session needs */
        {4, {0x01400, 0x10000, 0x10000}, SESSION_OK, 1}, /* the same, with a delivery pending */
        {4, {0x100F1, 0x10000, 0x10000}, SESSION_OK, 1}, /* masked, so its vector does not matter */
        {4, {0x000F1, 0x000F2, 0x000F3}, SESSION_NO_FREE_LVT, 0},
        {2, {0x000F1, 0x10000, 0x10000}, SESSION_NO_FREE_LVT, 0}, /* entries 2 and 3 do not exist */
        {1, {0x10000, 0x10000, 0x10000}, SESSION_NO_EXTENDED_LVT, 0},
        {0, {0x10000, 0x10000, 0x10000}, SESSION_NO_EXTENDED_LVT, 0},
        {0x20, {0x10000, 0x10000, 0x10000}, SESSION_OK, 1},
        {0xFF, {0x000F1, 0x000F2, 0x000F3}, SESSION_NO_FREE_LVT, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, 4);
        fake.apic[0x40] = rows[i].count << 16 | 7;
        memcpy(&fake.apic[0x51], rows[i].lvt, sizeof rows[i].lvt);
        enum session_error error = set_up();
        if (error != rows[i].error || entry != rows[i].entry)
            fail_msg("row %zu: error %d entry %u", i, error, entry);
        if (error) {
            if (error == SESSION_NO_EXTENDED_LVT)
                assert_int_equal(detail, rows[i].count);
            assert_int_equal(fake.f3x1cc[0], 0);
            assert_null(strstr(fake.log, "wrmsr"));
        } else {
            assert_int_equal(fake.f3x1cc[0], 0x100 | entry);
            assert_int_equal(fake.apic[0x50 + entry], 0x400);
        }
    }
}

/* The entry of the memory error threshold is used last. */
TEST(test_threshold)
{
    static const struct {
        uint64_t misc;
        uint32_t lvt[3], entry;
    } rows[] = {
        {0x8010000000000000, {0x10000, 0x10000, 0x10000}, 2}, {0x8020000000000000, {0x10000, 0x10000, 0x10000}, 1},
        {0x0010000000000000, {0x10000, 0x10000, 0x10000}, 1}, /* not valid */
        {0x8010000000000000, {0x10000, 0x000F2, 0x10000}, 3}, {0x8010000000000000, {0x10000, 0x000F2, 0x000F3}, 1},
        {0x8000000000000000, {0x10000, 0x10000, 0x10000}, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, 4);
        machine.silicon.value[SILICON_MC4_MISC] = rows[i].misc;
        memcpy(&fake.apic[0x51], rows[i].lvt, sizeof rows[i].lvt);
        assert_int_equal(set_up(), SESSION_OK);
        assert_int_equal(entry, rows[i].entry);
    }
}

TEST(test_refused)
{
    fake_machine(&machine, 4);
    fake.f3x1cc_writable = 0;
    assert_int_equal(set_up(), SESSION_F3X1CC);
    assert_int_equal(detail, 0);

    fake_reset(8); /* only the second node refuses */
    fake.node_id[1] = 0x12031022;
    machine_probe(&machine);
    fake.f3x1cc_writable = 0x10E;
    fake.f3x1cc[0] = 1;
    fake.f3x1cc[1] = 0xC;
    assert_int_equal(set_up(), SESSION_F3X1CC);
    assert_int_equal(detail, 1);
    assert_int_equal(fake.f3x1cc[0], 1); /* the written value is restored at once */
    assert_int_equal(fake.f3x1cc[1], 0xC);

    fake_machine(&machine, 4);
    fake.mirrors = false;
    assert_int_equal(set_up(), SESSION_IBS_CONTROL);
    assert_int_equal(detail, 0);
    fake_msr(MSR_IBS_CONTROL)->value = 0x102; /* another entry */
    assert_int_equal(set_up(), SESSION_IBS_CONTROL);
    assert_int_equal(detail, 0x102);
    fake_remove_msr(MSR_IBS_CONTROL);
    assert_int_equal(set_up(), SESSION_MSR_FAULT);
    assert_int_equal(detail, MSR_IBS_CONTROL);

    fake_machine(&machine, 4);
    fake.apic_read_only = 0x510;
    assert_int_equal(set_up(), SESSION_LVT_WRITE);
    assert_int_equal(detail, 0x10000);

    fake_machine(&machine, 4);
    fake_remove_msr(0xC001001F);
    assert_int_equal(set_up(), SESSION_MSR_FAULT);
    assert_int_equal(detail, 0xC001001F);
    assert_int_equal(fake.f3x1cc[0], 0);
}

/* F3x1CC cannot be written, but the firmware has assigned an entry. */
TEST(test_firmware_assignment)
{
    static const struct {
        uint32_t assigned, lvt2;
        enum session_error error;
    } rows[] = {
        {0x102, 0x10000, SESSION_OK},     {0x002, 0x10000, SESSION_F3X1CC}, /* not valid */
        {0x100, 0x10000, SESSION_F3X1CC},                                   /* entry 0 is the machine check's */
        {0x104, 0x10000, SESSION_F3X1CC},                                   /* only four exist */
        {0x102, 0x000F1, SESSION_F3X1CC},                                   /* in use */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, 4);
        fake.f3x1cc_writable = 0;
        fake.f3x1cc[0] = rows[i].assigned;
        fake.apic[0x52] = rows[i].lvt2;
        static struct fake before;
        before = fake;
        if (set_up() != rows[i].error)
            fail_msg("row %zu", i);
        if (!rows[i].error) {
            assert_int_equal(entry, 2);
            assert_int_equal(fake.apic[0x52], 0x400);
        }
        undo_and_compare(&before);
    }

    /* The firmware's entry must exist: there are two entries, and the firmware says 3. */
    fake_machine(&machine, 4);
    fake.apic[0x40] = 2 << 16 | 7;
    fake.f3x1cc_writable = 0;
    fake.f3x1cc[0] = 0x103;
    assert_int_equal(set_up(), SESSION_F3X1CC);

    /* A value that holds only in part is restored before the firmware's is used. */
    fake_reset(8);
    fake.node_id[1] = 0x12031022;
    machine_probe(&machine);
    fake.f3x1cc_writable = 0x00D; /* 102h cannot become 101h: bit 1 sticks */
    fake.f3x1cc[0] = fake.f3x1cc[1] = 0x102;
    assert_int_equal(set_up(), SESSION_OK);
    assert_int_equal(entry, 2);
    assert_int_equal(fake.f3x1cc[0], 0x102);
    assert_int_equal(fake.f3x1cc[1], 0x102);
}

/* Bits 11:8 of a register's offset are bits 27:24 of port CF8h (NB_CFG[46]). */
TEST(test_selection_of_registers)
{
    static const struct {
        uint32_t device, function, offset, cf8;
    } rows[] = {
        {0x18, 3, 0x1CC, 0x8100C3CC},
        {0x1F, 4, 0xFFC, 0x8F00FCFC},
        {0x19, 0, 0x060, 0x8000C860},
        {0x18, 1, 0x943, 0x8900C140}, /* aligned to four bytes */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, 4);
        (void)pci_read(rows[i].device, rows[i].function, rows[i].offset);
        assert_int_equal(fake.cf8, rows[i].cf8);
        assert_non_null(strstr(fake.log, "\nin cfc\n"));
    }
}

TEST(test_apic_refused)
{
    fake_machine(&machine, 4);
    machine.apic_msr = FAKE_APIC | 0x100;
    assert_int_equal(set_up(), SESSION_APIC_DISABLED);
    assert_int_equal(detail, 0);
    machine.apic_msr = FAKE_APIC | 0x900;
    machine.nodes.mask = 0;
    assert_int_equal(set_up(), SESSION_NO_NODES);
    assert_int_equal(detail, 0);
    assert_string_equal(fake.log, "");
}

struct join_row {
    uint32_t count, entry, lvt; /* number of entries, the entry that the boot core chose, and its value on this core */
    uint64_t assigned;          /* what IbsControl shows */
    enum session_error error;
    uint64_t detail;
};

/* Other cores use the boot core's entry if it is free in their APIC, too. */
TEST(test_join)
{
    static const struct join_row rows[] = {
        {4, 1, 0x10000, 0x101, SESSION_OK, 0},
        {4, 3, 0x10000, 0x103, SESSION_OK, 0},
        {2, 1, 0x00400, 0x101, SESSION_OK, 0},
        {3, 3, 0x10000, 0x103, SESSION_NO_EXTENDED_LVT, 3}, /* only entries 0 to 2 exist */
        {0, 1, 0x10000, 0x101, SESSION_NO_EXTENDED_LVT, 0},
        {4, 2, 0x000F1, 0x102, SESSION_NO_FREE_LVT, 0},
        {4, 2, 0x10000, 0x101, SESSION_IBS_CONTROL, 0x101}, /* another entry */
        {4, 2, 0x10000, 0x002, SESSION_IBS_CONTROL, 0x002}, /* not valid */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine(&machine, 4);
        fake.apic[0x40] = rows[i].count << 16 | 7;
        fake.apic[0x50 + rows[i].entry] = rows[i].lvt;
        fake.f3x1cc[0] = (uint32_t)rows[i].assigned;
        restore_init(&restore);
        detail = 0xDEAD;
        enum session_error error = lvt_join(&machine, &restore, &ours, rows[i].entry, &detail);
        if (error != rows[i].error || (detail != rows[i].detail && error != SESSION_NO_FREE_LVT))
            fail_msg("row %zu: %s, %llx", i, session_error_text(error), (unsigned long long)detail);
        assert_int_equal(fake.apic[0x50 + rows[i].entry], error ? rows[i].lvt : 0x400);
        assert_int_equal(fake.f3x1cc[0], rows[i].assigned); /* the node's value, which the boot core has set */
        restore_undo(&restore);
        assert_int_equal(fake.apic[0x50 + rows[i].entry], rows[i].lvt);
    }
    /* If the firmware assigns the entry, each core uses its own, whatever the boot core's is. */
    static const struct ibs_family later = {.lvt = IBS_LVT_FIRMWARE};
    fake_machine(&machine, 4);
    machine.row = &later;
    fake.apic[0x52] = 0x10000;
    fake.f3x1cc[0] = 0x102;
    restore_init(&restore);
    assert_int_equal(lvt_join(&machine, &restore, &ours, 1, &detail), SESSION_OK);
    assert_int_equal(fake.apic[0x52], 0x400);
    assert_int_equal(ours, FAKE_APIC + 0x520);
    restore_undo(&restore);
    assert_int_equal(fake.apic[0x52], 0x10000);
    fake.f3x1cc[0] = 0;
    assert_int_equal(lvt_join(&machine, &restore, &ours, 1, &detail), SESSION_NO_FIRMWARE_LVT);
    fake_machine(&machine, 4);
    fake.apic[0x51] = 0x10000;
    fake.f3x1cc[0] = 0x101;
    fake.apic_read_only = 0x510;
    restore_init(&restore);
    assert_int_equal(lvt_join(&machine, &restore, &ours, 1, &detail), SESSION_LVT_WRITE);
    assert_int_equal(detail, 0x10000);
    machine.apic_msr = FAKE_APIC | 0x100;
    fake_clear_log();
    assert_int_equal(lvt_join(&machine, &restore, &ours, 1, &detail), SESSION_APIC_DISABLED);
    assert_int_equal(detail, 0);
    assert_string_equal(fake.log, "");
}

/* Nothing is written for which the log has no room. */
TEST(test_full_log)
{
    fake_machine(&machine, 4);
    fake.f3x1cc[0] = 0x101;
    restore_init(&restore);
    for (unsigned i = 0; i < RESTORE_ROWS; i++)
        restore_note(&restore, "", 0, 0, true);
    assert_int_equal(lvt_join(&machine, &restore, &ours, 1, &detail), SESSION_LVT_WRITE);
    assert_null(strstr(fake.log, "apic w"));
    assert_int_equal(lvt_set_up(&machine, &restore, &ours, &entry, &detail), SESSION_MSR_FAULT);
    assert_null(strstr(fake.log, "wrmsr"));
    assert_null(strstr(fake.log, "apic w"));
    assert_null(strstr(fake.log, "out cfc"));
    for (uint32_t room = 0; room <= 4; room++) { /* NB_CFG, port CF8, F3x1CC, the entry */
        fake_machine(&machine, 4);
        restore_init(&restore);
        for (uint32_t i = 0; i < RESTORE_ROWS - room; i++)
            restore_note(&restore, "", 0, 0, true);
        assert_int_equal(lvt_set_up(&machine, &restore, &ours, &entry, &detail), room < 1   ? SESSION_MSR_FAULT
                                                                                 : room < 3 ? SESSION_F3X1CC
                                                                                 : room < 4 ? SESSION_LVT_WRITE
                                                                                            : SESSION_OK);
        assert_int_equal(strstr(fake.log, "out cfc 101") != NULL, room >= 3);
        assert_int_equal(strstr(fake.log, "apic w") != NULL, room >= 4);
    }
}

/* Bits that do not belong to the session stay as they are. */
TEST(test_other_bits_stay)
{
    fake_machine(&machine, 4);
    fake.f3x1cc[0] = 0xABCD0A05;
    fake.f3x1cc_writable = ~0u;
    fake.mirrors = true;
    assert_int_equal(set_up(), SESSION_OK);
    assert_int_equal(fake.f3x1cc[0], 0xABCD0B01);
    restore_undo(&restore);
    assert_int_equal(fake.f3x1cc[0], 0xABCD0A05);
}

/* If the firmware assigns the entry nothing else is written: no northbridge, no CF8h; entry 0 is as good as any
 * other. */
TEST(test_firmware_assigns)
{
    static struct fake before;
    for (uint32_t n = 0; n < 4; n++) {
        char expected[200];
        fake_machine_later(&machine, (enum fake_later)(FAKE_15H_30 + n));
        fake_msr(MSR_IBS_CONTROL)->value = IBS_CTL_LVT_VALID | n;
        before = fake;
        assert_int_equal(set_up(), SESSION_OK);
        assert_int_equal(entry, n);
        assert_int_equal(detail, 0);
        snprintf(expected, sizeof expected,
                 "rdmsr c001103a\napic r 400\napic r %x\nrdmsr c001103a\napic r %x\napic w %x 400\napic r %x\n",
                 0x500 + 16 * n, 0x500 + 16 * n, 0x500 + 16 * n, 0x500 + 16 * n);
        assert_string_equal(fake.log, expected);
        undo_and_compare(&before);
    }
}

struct firmware_row {
    uint64_t control;
    uint32_t lvt;
};

TEST(test_firmware_assigns_nothing)
{
    static const struct firmware_row rows[] = {
        {0, 0x10000},                     /* not valid */
        {3, 0x10000},                     /* the same */
        {IBS_CTL_LVT_VALID | 4, 0x10000}, /* beyond the APIC's entries */
        {IBS_CTL_LVT_VALID, 0x000F9},     /* another user's interrupt, not masked */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fake_machine_later(&machine, FAKE_ZEN2);
        fake_msr(MSR_IBS_CONTROL)->value = rows[i].control;
        fake.apic[0x50] = rows[i].lvt;
        assert_int_equal(set_up(), SESSION_NO_FIRMWARE_LVT);
        assert_int_equal(detail, rows[i].control);
        assert_null(strstr(fake.log, "apic w"));
        assert_null(strstr(fake.log, "wrmsr"));
    }
}

RUN_TESTS(NULL, NULL)
