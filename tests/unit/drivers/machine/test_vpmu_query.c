/* SPDX-License-Identifier: BSD-2-Clause */
/* The events that a counter counts: only our own virtual PMU is asked. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "drivers/machine/vpmu_query.h"

static void set_hypervisor(struct machine *m, const char *signature)
{
    fake_machine(m, 4);
    m->hypervisor = signature[0] != '\0';
    memset(m->hypervisor_signature, 0, sizeof m->hypervisor_signature);
    memcpy(m->hypervisor_signature, signature, strlen(signature));
}

TEST(test_silicon_and_strangers)
{
    static const char *const signatures[] = {"", "TCGTCGTCGTCG", "ibsbootvPM"};
    struct machine m;
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        set_hypervisor(&m, signatures[i]);
        assert_false(vpmu_is_model(&m));
        assert_true(vpmu_counts(&m, 0x41, 0));
        fake_set_leaf(0x40000000, 0x40000011, 0, 0, 0);
        fake_set_leaf(0x40000011, 3000000, 200000, 0, 0);
        assert_int_equal(vpmu_tsc_khz(&m), 0); /* another hypervisor's leaf may mean anything */
        assert_int_equal(vpmu_timer_khz(&m), 0);
    }
}

struct query_row {
    uint32_t max_leaf, answer;
    bool counts;
};

TEST(test_model)
{
    static const struct query_row rows[] = {
        {0x40000010, 1, true},
        {0x40000010, 0, false},
        {0x40000001, 1, false}, /* a model from before counters: the leaf does not exist */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        set_hypervisor(&m, "ibsbootvPMU");
        assert_true(vpmu_is_model(&m));
        fake_set_leaf(0x40000000, rows[i].max_leaf, 0, 0, 0);
        fake_set_leaf(0x40000010, rows[i].answer, 0, 0, 0);
        assert_int_equal(vpmu_counts(&m, 0x1CF, 0x07), rows[i].counts);
        if (rows[i].max_leaf == 0x40000010)
            assert_int_equal(fake.subleaf, 0x000701CF);
    }
}

TEST(test_clocks)
{
    struct machine m;
    set_hypervisor(&m, "ibsbootvPMU");
    fake_set_leaf(0x40000000, 0x40000011, 0, 0, 0);
    fake_set_leaf(0x40000011, 3000000, 200000, 0, 0);
    assert_int_equal(vpmu_tsc_khz(&m), 3000000);
    assert_int_equal(vpmu_timer_khz(&m), 200000);
    assert_int_equal(fake.subleaf, 0);
    fake_set_leaf(0x40000000, 0x40000010, 0, 0, 0); /* a model from before the timer */
    assert_int_equal(vpmu_tsc_khz(&m), 0);
    assert_int_equal(vpmu_timer_khz(&m), 0);
}

/* The model is told as many ranges as its table holds, then the rest; without ranges it is told nothing. */
TEST(test_filled)
{
    static struct vpmu_filled filled;
    char wanted[64];

    fake_add_msr(0x40000080, 0, ~0ull);
    fake_clear_log();
    snprintf(wanted, sizeof(wanted), "wrmsr 40000080 %llx\n", (unsigned long long)(uintptr_t)&filled);
    for (uint64_t i = 0; i < VPMU_RANGES; i++) {
        assert_int_equal(filled.count, i);
        assert_string_equal(fake.log, "");
        vpmu_filled_add(&filled, 0x40000080, 0x4000000000 + i, 100 + i);
    }
    assert_string_equal(fake.log, wanted);
    assert_int_equal(filled.count, 0);
    for (uint64_t i = 0; i < VPMU_RANGES; i++) {
        assert_int_equal(filled.range[i].linear, 0x4000000000 + i);
        assert_int_equal(filled.range[i].bytes, 100 + i);
    }
    fake_clear_log();
    vpmu_filled_tell(&filled, 0x40000080);
    assert_string_equal(fake.log, "");
    vpmu_filled_add(&filled, 0x40000080, 7, 8);
    assert_string_equal(fake.log, "");
    vpmu_filled_tell(&filled, 0x40000080);
    assert_string_equal(fake.log, wanted);
    assert_int_equal(filled.count, 0);
    assert_int_equal(filled.range[0].linear, 7);
    assert_int_equal(filled.range[0].bytes, 8);
}

TEST(test_prepared)
{
    struct machine m;
    set_hypervisor(&m, "ibsbootvPMU");
    fake_add_msr(0x40000080, 0, ~0ull);
    fake_add_msr(0x40000081, 0, ~0ull);
    fake_set_leaf(0x40000000, 0x40000013, 0, 0, 0);
    fake_set_leaf(0x40000013, 0x40000080, 0, 0, 0);
    fake_clear_log();
    assert_int_equal(vpmu_prepared_msr(&m), 0x40000080);
    fake_set_leaf(0x40000000, 0x40000011, 0, 0, 0); /* a model that has no MSR for this */
    assert_int_equal(vpmu_prepared_msr(&m), 0);
    m.hypervisor_signature[0] = 'I'; /* another hypervisor, silicon */
    fake_set_leaf(0x40000000, 0x40000013, 0, 0, 0);
    assert_int_equal(vpmu_prepared_msr(&m), 0);
    vpmu_forget(&m);
    assert_int_equal(fake_msr(0x40000081)->value, 0);
    m.hypervisor_signature[0] = 'i';
    vpmu_forget(&m); /* an older model, which has no MSR for this */
    assert_int_equal(fake_msr(0x40000081)->value, 0);
    fake_set_leaf(0x40000013, 0x40000080, 0x40000081, 0, 0);
    vpmu_forget(&m);
    assert_int_equal(fake_msr(0x40000081)->value, 1);
}

/* The part is written to the MSR that the model names; there is no write on silicon, or if the model names none. */
TEST(test_part)
{
    struct machine m;
    set_hypervisor(&m, "ibsbootvPMU");
    fake_add_msr(0x40000082, 7, ~0ull);
    fake_set_leaf(0x40000000, 0x40000013, 0, 0, 0);
    fake_set_leaf(0x40000013, 0x40000080, 0x40000081, 0, 0);
    vpmu_part(&m, VPMU_PART_OTHER);
    assert_int_equal(fake_msr(0x40000082)->value, 7);
    fake_set_leaf(0x40000013, 0x40000080, 0x40000081, 0x40000082, 0);
    vpmu_part(&m, VPMU_PART_OTHER);
    assert_int_equal(fake_msr(0x40000082)->value, 2);
    vpmu_part(&m, VPMU_PART_REFERENCE);
    assert_int_equal(fake_msr(0x40000082)->value, 1);
    m.hypervisor_signature[0] = 'I';
    vpmu_part(&m, VPMU_PART_MEASURED);
    assert_int_equal(fake_msr(0x40000082)->value, 1);
}

/* The address of own code's map is written to the MSR that the model names; 0 stands for the image's map. */
TEST(test_own_code)
{
    const struct vpmu_own_code code = {1, 2, 3};
    struct machine m;
    set_hypervisor(&m, "ibsbootvPMU");
    fake_add_msr(0x40000083, 7, ~0ull);
    fake_set_leaf(0x40000000, 0x40000013, 0, 0, 0);
    fake_set_leaf(0x40000013, 0x40000080, 0x40000081, 0x40000082, 0);
    vpmu_own_code(&m, &code);
    assert_int_equal(fake_msr(0x40000083)->value, 7);
    fake_set_leaf(0x40000013, 0x40000080, 0x40000081, 0x40000082, 0x40000083);
    vpmu_own_code(&m, &code);
    assert_int_equal(fake_msr(0x40000083)->value, (uintptr_t)&code);
    vpmu_own_code(&m, NULL);
    assert_int_equal(fake_msr(0x40000083)->value, 0);
    m.hypervisor_signature[0] = 'I';
    vpmu_own_code(&m, &code);
    assert_int_equal(fake_msr(0x40000083)->value, 0);
}

RUN_TESTS(NULL, NULL)
