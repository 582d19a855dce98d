/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of registers that software has written, and which of them have another value than before. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

static struct machine machine;
static char text[8192];

static void start(const char *name, uint64_t hostile)
{
    enum vpmu_revision revision;

    assert_true(vpmu_revision_parse(name, &revision));
    machine_init_as(&machine, &paper_map, (struct vpmu_config){.revision = revision, .seed = 1, .hostile = hostile});
    vpmu_begin_touched(machine.vpmu);
}

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

static unsigned written(void)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    return vpmu_write_touched(machine.vpmu, 0, &memory.out);
}

static void write_msr(uint32_t msr, uint64_t value)
{
    assert_int_equal(vpmu_wrmsr(machine.vpmu, msr, value), VPMU_OK);
}

static void expect(unsigned other, const char *lines)
{
    assert_int_equal(written(), other);
    assert_string_equal(text, lines);
}

/* Counters outside the core belong to the node. */
TEST_WITH(names, NULL, stop)
{
    start("zen4", 0);
    expect(0, "vpmu: core 0: written: and no other\nvpmu: node 0: written: and no other\n");
    write_msr(0xC0010200, 0x76);
    write_msr(0xC0010230, 0x0300C0000000FF04);
    write_msr(0xC0010800, 0x10A);
    write_msr(0xC0010240, 0x3807);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x400), VPMU_OK);
    expect(4, "vpmu: core 0: written: MSR C001_0200, APIC 340h, and no other\n"
              "vpmu: NOT RESTORED core 0: MSR C001_0200 before 0 after 76\n"
              "vpmu: node 0: written: MSR C001_0230, MSR C001_0800, MSR C001_0240, and no other\n"
              "vpmu: NOT RESTORED node 0: MSR C001_0230 before 0 after 300c0000000ff04\n"
              "vpmu: NOT RESTORED node 0: MSR C001_0800 before 0 after 10a\n"
              "vpmu: NOT RESTORED node 0: MSR C001_0240 before 0 after 3807\n");
    for (uint32_t n = 0; n < 4; n++)
        write_msr((uint32_t[]){0xC0010200, 0xC0010230, 0xC0010800, 0xC0010240}[n], 0);
    expect(0, "vpmu: core 0: written: MSR C001_0200, APIC 340h, and no other\n"
              "vpmu: node 0: written: MSR C001_0230, MSR C001_0800, MSR C001_0240, and no other\n");
}

/* Samples, records, time and overflows are written by the processor: IbsOpData3, a record, the TSC,
 * PerfCntrGlobalStatusClr. */
TEST_WITH(results, NULL, stop)
{
    start("zen4", 0);
    write_msr(0xC0011037, 1);
    write_msr(0xC0010301, 1);
    write_msr(0x10, 1);
    write_msr(0xC0000302, 1);
    write_msr(0xC0000301, 1);
    write_msr(0xC0010015, 1 << 25);
    expect(2, "vpmu: core 0: written: MSR C000_0301, MSR C001_0015, and no other\n"
              "vpmu: NOT RESTORED core 0: MSR C000_0301 before 3f after 1\n"
              "vpmu: NOT RESTORED core 0: MSR C001_0015 before 1000000 after 3000000\n"
              "vpmu: node 0: written: and no other\n");
}

/* A self-test ends with vpmu_forget(): its writes are not listed any more, and are still restored. */
TEST_WITH(forgotten, NULL, stop)
{
    start("C", 0);
    write_msr(0xC0010000, 0x76);
    write_msr(0xC001001F, 1ull << 46);
    assert_int_equal(vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x102), VPMU_OK);
    vpmu_forget(machine.vpmu);
    write_msr(0xC0010000, 0x77);
    expect(3, "vpmu: core 0: written: MSR C001_0000, and no other\n"
              "vpmu: NOT RESTORED core 0: MSR C001_0000 before 0 after 77\n"
              "vpmu: node 0: written: and no other\n"
              "vpmu: NOT RESTORED node 0: MSR C001_001F before 0 after 400000000000\n"
              "vpmu: NOT RESTORED node 0: F3x1CC before 101 after 102\n");
}

/* Registers that were forgotten are listed again once they are written again, in the order of the first time. */
TEST_WITH(written_again, NULL, stop)
{
    start("C", 0);
    for (uint32_t n = 0; n < 3; n++)
        write_msr(0xC0010000 + n, 0);
    vpmu_forget(machine.vpmu);
    write_msr(0xC0010002, 0);
    write_msr(0xC0010001, 0);
    expect(0, "vpmu: core 0: written: MSR C001_0001, MSR C001_0002, and no other\n"
              "vpmu: node 0: written: and no other\n");
}

/* Each register is listed once, however often it is written. */
TEST_WITH(once_each, NULL, stop)
{
    start("C", 0);
    for (unsigned times = 0; times < 3; times++) {
        write_msr(0xC0010000, 0);
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x400), VPMU_OK);
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x500, 0x400), VPMU_OK);
        assert_int_equal(vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x101), VPMU_OK);
    }
    expect(0, "vpmu: core 0: written: MSR C001_0000, APIC 340h, APIC 500h, and no other\n"
              "vpmu: node 0: written: F3x1CC, and no other\n");
}

/* A write does not count as a read of the register, although with this switch the fourth read in a row differs. */
TEST_WITH(reads_unseen, NULL, stop)
{
    uint64_t value;

    start("zen2", 1ull << HOSTILE_ODD_READS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010003, &value), VPMU_OK);
    assert_int_equal(value, 0);
    write_msr(0xC0010003, 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010003, &value), VPMU_OK);
    assert_int_equal(value, 1ull << 41);
    assert_int_equal(written(), 0);
}

/* INIT resets the local APIC: its entries do not count as written, and later writes are listed as before. */
TEST_WITH(after_init, NULL, stop)
{
    uint32_t value;

    start("C", 0);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x400), VPMU_OK);
    vpmu_forget(machine.vpmu);
    for (unsigned offset = 0x500; offset <= 0x530; offset += 0x10)
        machine.vpmu->lvt[(offset - 0x500) >> 4] = 0x400;
    vpmu_apic_init(machine.vpmu);
    expect(0, "vpmu: core 0: written: and no other\nvpmu: node 0: written: and no other\n");
    for (unsigned offset = 0x500; offset <= 0x530; offset += 0x10) {
        assert_int_equal(vpmu_apic_read(machine.vpmu, offset, &value), VPMU_OK);
        assert_int_equal(value, 0x10000);
    }
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x340, &value), VPMU_OK);
    assert_int_equal(value, 0x10000);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x510, 0x400), VPMU_OK);
    expect(0, "vpmu: core 0: written: APIC 510h, and no other\nvpmu: node 0: written: and no other\n");
}

/* If there is no room for more, the end of the list says so, and nothing is written after that end. */
TEST_WITH(too_many, NULL, stop)
{
    start("zen4", 0);
    for (uint32_t i = 0; i < TOUCHED_MAX; i++)
        touched_pci(&machine.vpmu->touched, 0x200 + 4 * i, 0);
    assert_int_equal(machine.vpmu->touched.count, TOUCHED_MAX);
    assert_false(machine.vpmu->touched.over);
    write_msr(0xC0010200, 0);
    assert_int_equal(written(), 1);
    assert_non_null(strstr(text, "F3x31C, and more than there is room for\n"));
}

RUN_TESTS(NULL, NULL)
