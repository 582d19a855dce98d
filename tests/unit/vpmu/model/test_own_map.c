/* SPDX-License-Identifier: BSD-2-Clause */
/* A model that is given another map treats that code as if it had never had another map; time continues. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/digest.h"
#include "tests/unit/vpmu/stream.h"

static struct machine machine;

static const struct codemap_insn few[] = {{.rva = 0x10, .length = 4, .ops = 1}, {.rva = 0x14, .length = 1, .ops = 1}};
static const struct codemap small = {.insns = few, .insn_count = 2, .strings = "nop"};

static void begin(const struct codemap *map, size_t size)
{
    struct vpmu_config config = {.revision = VPMU_REV_C,
                                 .seed = 7,
                                 .map = map,
                                 .image_base = PAPER_BASE,
                                 .translate = space_translate,
                                 .context = &machine.space};

    machine_init(&machine, VPMU_REV_C, map, 7);
    free(machine.memory);
    machine.memory = malloc(size);
    memset(machine.memory, 0xA5, size);
    machine.vpmu = vpmu_init(machine.memory, size, &config);
    vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x101);
    vpmu_apic_write(machine.vpmu, 0x510, 0x400);
}

static uint64_t run(void)
{
    struct digest digest;
    struct histogram histogram = {.period = 640, .count_ops = true, .random_bits = 8};

    histogram_start(&machine, &histogram);
    machine_matmul(&machine, 0, 3);
    histogram_stop(&machine);
    vpmu_break(machine.vpmu);
    digest_init(&digest);
    digest_truth(&digest, machine.vpmu);
    return digest.value;
}

TEST(counts_as_if_there_were_no_other)
{
    uint64_t fresh, unknown, tsc;

    begin(&paper_map, vpmu_size_with_own(&paper_map, VPMU_REV_C));
    fresh = run();
    machine_free(&machine);
    begin(&small, vpmu_size_with_own(&small, VPMU_REV_C));
    assert_true(vpmu_use_map(machine.vpmu, &paper_map, PAPER_BASE));
    assert_int_equal(run(), fresh);
    tsc = vpmu_tsc(machine.vpmu);
    assert_true(vpmu_use_map(machine.vpmu, &small, PAPER_BASE));
    assert_int_equal(vpmu_tsc(machine.vpmu), tsc);
    unknown = run(); /* all code is outside the map */
    assert_int_equal(machine.vpmu->truth.rows[0].executions + machine.vpmu->truth.rows[1].executions, 0);
    assert_true(machine.vpmu->truth.rows[2].executions > 1000);
    assert_int_not_equal(unknown, fresh);
    assert_true(vpmu_use_map(machine.vpmu, &paper_map, 7)); /* at another address */
    (void)run();
    assert_true(machine.vpmu->truth.rows[PAPER_INSNS].executions > 1000);
    machine_free(&machine);
}

/* Parts of the exact counts are as large as the map. */
TEST(has_parts)
{
    begin(&small, vpmu_size_with_own(&small, VPMU_REV_C));
    assert_true(vpmu_use_map(machine.vpmu, &paper_map, PAPER_BASE));
    (void)run();
    assert_true(vpmu_truth_part(machine.vpmu, VPMU_PART_OTHER));
    assert_false(vpmu_truth_counted(machine.vpmu));
    assert_true(vpmu_truth_part(machine.vpmu, VPMU_PART_MEASURED));
    assert_true(vpmu_truth_counted(machine.vpmu));
    assert_true(vpmu_use_map(machine.vpmu, &paper_map, PAPER_BASE));
    for (uint64_t part = 0; part < VPMU_PARTS; part++) {
        assert_true(vpmu_truth_part(machine.vpmu, part));
        assert_false(vpmu_truth_counted(machine.vpmu));
    }
    machine_free(&machine);
}

/* The largest map for which there is room, and one more instruction; and a model without such room. */
TEST(has_limits)
{
    static struct codemap_insn insns[VPMU_OWN_INSNS + 1];
    struct codemap map = {.insns = insns, .insn_count = VPMU_OWN_INSNS, .strings = "nop"};
    size_t size = vpmu_size_with_own(&small, VPMU_REV_C);
    enum vpmu_revision zen3 = VPMU_REV_C;

    assert_true(vpmu_revision_parse("zen3", &zen3)); /* an L3 of 32 MB has the tags of 524,288 lines */
    assert_true(size + (4 << 20) < vpmu_size_with_own(&small, zen3));
    for (uint32_t i = 0; i <= VPMU_OWN_INSNS; i++)
        insns[i] = (struct codemap_insn){.rva = 0x1f + i * 16, .length = 2, .ops = 1};
    insns[VPMU_OWN_INSNS - 1].rva = 0x1f + VPMU_OWN_BYTES - 2;
    begin(&small, size);
    assert_true(vpmu_use_map(machine.vpmu, &map, PAPER_BASE));
    (void)run();
    for (uint64_t part = 0; part < VPMU_PARTS; part++)
        assert_true(vpmu_truth_part(machine.vpmu, part));
    insns[VPMU_OWN_INSNS - 1].rva++;
    assert_false(vpmu_use_map(machine.vpmu, &map, PAPER_BASE));
    insns[VPMU_OWN_INSNS - 1].rva--;
    map.insn_count++;
    assert_false(vpmu_use_map(machine.vpmu, &map, PAPER_BASE));
    map.insn_count = 0;
    assert_false(vpmu_use_map(machine.vpmu, &map, PAPER_BASE));
    machine_wrmsr(&machine, 0xC0010000, 0x4200C0);
    assert_false(vpmu_use_map(machine.vpmu, &small, PAPER_BASE)); /* armed */
    machine_wrmsr(&machine, 0xC0010000, 0);
    assert_true(vpmu_use_map(machine.vpmu, &small, PAPER_BASE));
    machine_free(&machine);
    begin(&small, size - 1);
    assert_false(vpmu_use_map(machine.vpmu, &small, PAPER_BASE));
    machine_free(&machine);
}

RUN_TESTS(NULL, NULL)
