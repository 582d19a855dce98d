/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields of PERF_CTL and the counters' 48 bits. */
#include "tests/unit/core/check.h"

#include "core/family/pmc_regs.h"

TEST(control_registers)
{
    uint64_t ctl = pmc_ctl(0x4E1, 0xF7, 2, PMC_CTL_OS | PMC_CTL_EN | PMC_CTL_INT | PMC_CTL_INV);

    assert_int_equal(ctl, 0x40000000000 >> 8 | 0x02D2F7E1);
    assert_int_equal(MSR_PERF_CTL(3), 0xC0010003);
    assert_int_equal(MSR_PERF_CTR(3), 0xC0010007);
    /* No control flag is among the bits that are kept as read. */
    assert_int_equal(PMC_CTL_PRESERVE & (pmc_ctl(0xFFF, 0xFF, 0xFF, 0) | PMC_CTL_EN | PMC_CTL_INT | PMC_CTL_GUEST_ONLY),
                     0);
}

TEST(counters_wrap)
{
    assert_int_equal(pmc_preset(1), 0xFFFFFFFFFFFF);
    assert_int_equal(pmc_preset(25000), 0x1000000000000 - 25000);
    assert_int_equal(pmc_preset(PMC_PERIOD_MAX), PMC_COUNTER_WAITING);
    assert_false(pmc_overflowed(pmc_preset(PMC_PERIOD_MAX)));
    assert_false(pmc_overflowed(pmc_preset(1)));
    assert_true(pmc_overflowed((pmc_preset(1) + 1) & PMC_COUNTER_MASK));
    assert_true(pmc_overflowed(71));
}

RUN_TESTS(NULL, NULL)
