/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of cores when one begins to be stepped while others run: vpmu/shim/group.c. */
#include <string.h>

#include "tests/unit/test.h"
#include "vpmu/model/state.h"
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/shim.h"

static struct vpmu models[3];

static int begin(void **state)
{
    memset(models, 0, sizeof(models));
    hypervisor.cores = 3;
    for (uint32_t i = 0; i < hypervisor.cores; i++) {
        hypervisor.shim[i] = (struct shim){.core = i, .model = &models[i]};
        group_enter(&hypervisor.shim[i]);
    }
    return 0;
}

static int end(void **state)
{
    for (uint32_t i = 0; i < hypervisor.cores; i++) {
        group_leave(&hypervisor.shim[i]);
        group_rest(&hypervisor.shim[i]);
    }
    return 0;
}

static uint64_t begun(uint32_t core)
{
    group_join(&hypervisor.shim[core]);
    return hypervisor.shim[core].turn.joined_with;
}

/* The others have their turn, in zero time, before the first core steps. */
TEST_WITH(test_all_begin_at_once, begin, end)
{
    uint64_t first = begun(0);
    assert_false(group_turn(&hypervisor.shim[0]));
    assert_int_equal(begun(1), first);
    assert_false(group_turn(&hypervisor.shim[0]));
    assert_int_equal(begun(2), first);
    assert_true(group_turn(&hypervisor.shim[0]));
}

/* A core that had checked before the first one began, and executes its PAUSE after that, checks once more at the same
 * time. With the place of a later check the core would wait here until the group gave up the first one, which is not
 * stepped. */
TEST_WITH(test_pause_of_an_old_check, begin, end)
{
    uint64_t first = begun(0);
    uint64_t given_up = hypervisor.group.not_waited;
    group_pass(&hypervisor.shim[1]);
    assert_int_equal(begun(1), first);
    assert_false(group_turn(&hypervisor.shim[0]));
    group_pass(&hypervisor.shim[2]);
    assert_int_equal(begun(2), first);
    assert_int_equal(hypervisor.group.not_waited, given_up);
}

/* The core's next PAUSE belongs to a check in the group's time: the core waits for the stepped core, which is given up
 * here, because it makes no steps. */
TEST_WITH(test_next_pause_waits, begin, end)
{
    begun(0);
    group_rest(&hypervisor.shim[2]);
    uint64_t given_up = hypervisor.group.not_waited;
    group_pass(&hypervisor.shim[1]);
    assert_int_equal(hypervisor.group.not_waited, given_up);
    group_pass(&hypervisor.shim[1]);
    assert_int_equal(hypervisor.group.not_waited, given_up + 1);
}

/* Ticks that pass while no core is stepped, after core 0 alone was, are time of each core: all begin at the same
 * TSC. */
TEST_WITH(test_clocks_after_one_was_stepped_alone, begin, end)
{
    static const struct vpmu_params params = {.mhz = 3000};

    for (uint32_t i = 0; i < hypervisor.cores; i++)
        models[i].params = &params;
    clock_init(vpmu_tsc_khz(&models[0]));
    group_join(&hypervisor.shim[0]);
    group_leave(&hypervisor.shim[0]);
    for (volatile unsigned turns = 0; turns < 100000; turns++)
        ;
    for (uint32_t i = 0; i < hypervisor.cores; i++)
        group_join(&hypervisor.shim[i]);
    assert_true(vpmu_tsc(&models[1]) > 10000);
    assert_int_equal(vpmu_tsc(&models[0]), vpmu_tsc(&models[1]));
    assert_int_equal(vpmu_tsc(&models[2]), vpmu_tsc(&models[1]));
}

RUN_TESTS(NULL, NULL)
