/* SPDX-License-Identifier: BSD-2-Clause */
/* What config=hardware asks of all cores: the passes on made-up cores, and what each question makes of made-up answers.
 */
#include <stdio.h>
#include <string.h>

#include "app/kinds/hardware.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"

#define HARDWARE_RUN "menu=no config=hardware "
#define SAVED        "\\ibsboot\\runs\\0001-hardware\\hardware.csv"
#define CANNOT       HARDWARE_NO_ANSWER
#define SAME         HARDWARE_EXPECTED
#define OTHER        HARDWARE_OTHERWISE

enum { CORES = 3, PASSES = 16 };

/* ---------------------------------------------------------------- the passes */

static void has(const char *id, const char *rest)
{
    char row[200];

    snprintf(row, sizeof(row), ",%s,%s", id, rest);
    if (!strstr(file_text(SAVED), row))
        fail_msg("no '%s' in\n%s", row, file_text(SAVED));
}

static unsigned of_core[FAKE_CORES];

static int run_hardware(const char *options, unsigned cores_there)
{
    fake_fw.cores = cores_there;
    fake_session.endless_ms = 1; /* of row 68 */
    fake_session.op_samples = 300;
    return start(options);
}

static void count_sessions(const struct session_plan *plan)
{
    of_core[plan->place.cpu] += plan->place.gang != NULL;
}

/* By themselves, without 'cores'; with it, those that were named. */
static void all_cores_are_asked(void **state)
{
    (void)state;
    memset(of_core, 0, sizeof(of_core));
    fake_session.on_run = count_sessions;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 0);
    assert_lines_fit();
    for (unsigned core = 0; core < CORES; core++)
        assert_int_equal(of_core[core], PASSES);
    has("cores_come_back", "as expected,16 passes on each of 3 cores: all came back,");
    has("start_this_ap", "as expected,\"0 of 2 other cores refused, with EFI_STATUS 0\",");
    has("svr_other_cores", "as expected,off on 0 of 2 other cores,");
    has("tsc_of_cores",
        "not answerable,core 1 had no answer from the boot core,"); /* the fake's run one after the other */
    has("node_of_core", "not answerable,there is one node,");
    has("own_start", "not answerable,the firmware started the cores; core_start=own asks this,");
    has("own_start_end", "by hand,needs runs with cores=all,");
    memset(of_core, 0, sizeof(of_core));
    assert_int_equal(run_hardware(HARDWARE_RUN "cores=0,2", CORES), 0);
    assert_int_equal(of_core[0], PASSES);
    assert_int_equal(of_core[1], 0);
    assert_int_equal(of_core[2], PASSES);
}

static void one_core_has_no_others(void **state)
{
    (void)state;
    assert_int_equal(run_hardware(HARDWARE_RUN, 0), 0);
    has("cores_come_back", "not answerable,\"there is one core, or one alone was chosen\",");
    has("svr_off_masks", "not answerable,\"there is one core, or one alone was chosen\",");
}

static void the_boot_core_is_left_out(void **state)
{
    (void)state;
    assert_int_equal(run_hardware(HARDWARE_RUN "cores=1", CORES), 0);
    has("cores_come_back", "not answerable,'cores' leaves the boot core out,");
}

/* It is named, no further pass is begun, and all other questions have their answers. */
static void a_core_that_stays_away(void **state)
{
    (void)state;
    fake_fw.dead = 1 << 2;
    memset(of_core, 0, sizeof(of_core));
    fake_session.on_run = count_sessions;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 1);
    assert_int_equal(of_core[1], 1);
    has("cores_come_back", "otherwise,\"pass 1, core 2: it never began\",");
    has("state_of_cores", "not answerable,\"pass 1, core 2: it never began\",");
    has("own_start", "not answerable,\"pass 1, core 2: it never began\",");
    has("late_nmi", "as expected,");
    assert_says("LOST: core 2");
    fake_memory_give_all();
}

static void an_error_of_a_core(void **state)
{
    (void)state;
    fake_session.core[1].error = SESSION_NO_FREE_LVT;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 1);
    has("cores_come_back", "otherwise,\"pass 1, core 1: ");
}

/* ---------------------------------------------------------------- the answers */

static struct hardware hardware;
static struct run run;
static struct machine machine;
static struct passes_core cores[CORES];
static struct hardware_core answers[CORES];

static void begin(void)
{
    memset(&hardware, 0, sizeof(hardware));
    memset(cores, 0, sizeof(cores));
    machine = (struct machine){.ibs = true, .nodes = {.count = 1}, .tsc_khz = 2000000};
    run = (struct run){.machine = &machine, .passes = {.cores = CORES, .core = cores}};
    cores[0].worker = true;
    hardware.run = &run;
    hardware.cores = (struct hardware_cores){
        .done = true, .good = true, .passes = PASSES, .nb_cfg = 1, .f3x1cc = 1, .between = 20000000, .core = answers};
    for (unsigned i = 0; i < CORES; i++) {
        cores[i].cpu = i;
        answers[i] = (struct hardware_core){.first = {.known = true, .width = 400},
                                            .last = {.known = true, .width = 600},
                                            .control = 0x101,
                                            .samples = 30 + i,
                                            .off_entry = 0x10400,
                                            .off_tried = true,
                                            .state = {0x80010033, 0x668, 0x1F80, 0x37F}};
    }
}

static void expect(enum hardware_question question, enum hardware_verdict verdict, const char *found,
                   void (*ask)(struct hardware *))
{
    hardware.asking = question;
    hardware.answer[question] = (struct hardware_answer){0};
    ask(&hardware);
    assert_string_equal(hardware.answer[question].found, found);
    assert_int_equal(hardware.answer[question].verdict, verdict);
}

#define EXPECT(id, verdict, found) expect(HARDWARE_##id, verdict, found, hardware_ask_##id)

/* 10 us, 20000 ticks, beyond what the exchange leaves open. */
static void clocks(void **state)
{
    (void)state;
    begin();
    EXPECT(tsc_of_cores, SAME, "0.0 us apart at most, measured to 0.2 us; after 10 ms 0.0 us more");
    answers[2].first.ahead = answers[2].last.ahead = -20200;
    EXPECT(tsc_of_cores, SAME, "10.1 us apart at most, measured to 0.2 us; after 10 ms 0.0 us more");
    answers[2].first.ahead = answers[2].last.ahead = -20201;
    EXPECT(tsc_of_cores, OTHER, "10.1 us apart at most, measured to 0.2 us; after 10 ms 0.0 us more");
    answers[2].first.ahead = 0;
    answers[2].last.ahead = 20500;
    EXPECT(tsc_of_cores, SAME, "0.0 us apart at most, measured to 0.2 us; after 10 ms 10.3 us more");
    answers[2].last.ahead = 20501;
    EXPECT(tsc_of_cores, OTHER, "0.0 us apart at most, measured to 0.2 us; after 10 ms 10.3 us more");
    answers[1].last.known = false;
    EXPECT(tsc_of_cores, CANNOT, "core 1 had no answer from the boot core");
    begin();
    hardware.model = true;
    answers[1].first.ahead = 4000;
    EXPECT(tsc_of_cores, CANNOT, "a model's cores have each their own time while they are not stepped; 2.0 us apart");
}

static void nodes(void **state)
{
    (void)state;
    begin();
    EXPECT(node_of_core, CANNOT, "there is one node");
    machine.nodes.count = 2;
    answers[2].node = answers[2].node_expected = 1;
    EXPECT(node_of_core, SAME, "0 of 2 other cores not on the node of their APIC ID; the first is on 0, by it on 0");
    answers[2].node = 0;
    EXPECT(node_of_core, OTHER, "1 of 2 other cores not on the node of their APIC ID; the first is on 0, by it on 1");
    hardware.cores.f3x1cc = 2;
    EXPECT(ibs_control_of_node, SAME,
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 2, on 2 nodes; at least 30 samples a core");
    hardware.cores.f3x1cc = 1;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 1, on 2 nodes; at least 30 samples a core");
    begin();
    answers[2].control = 1;
    EXPECT(
        ibs_control_of_node, OTHER,
        "C001_103A 101, and otherwise on others; NB_CFG set 1 times, F3x1CC 1, on 1 node; at least 30 samples a core");
    begin();
    answers[1].samples = 0;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 1, on 1 node; at least 0 samples a core");
    begin();
    hardware.cores.nb_cfg = 2;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101 on all cores; NB_CFG set 2 times, F3x1CC 1, on 1 node; at least 30 samples a core");
    machine.ibs = false;
    EXPECT(ibs_control_of_node, CANNOT, "there is no IBS");
}

static void states(void **state)
{
    static const struct core_state others[] = {{0x80010033, 0x668, 0x1F80, 0x40},  {0x80010033, 0x668, 0x1FA0, 0x37F},
                                               {0x8001003B, 0x668, 0x1F80, 0x37F}, {0x80010037, 0x668, 0x1F80, 0x37F},
                                               {0x80010033, 0x468, 0x1F80, 0x37F}, {0x80010033, 0x268, 0x1F80, 0x37F}};

    (void)state;
    begin();
    EXPECT(state_of_cores, SAME,
           "0 of 2 other cores not as a program begins; FCW 37f, MXCSR 1f80, CR0 80010033, CR4 668");
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char found[160];

        answers[2].state = others[i];
        snprintf(found, sizeof(found),
                 "1 of 2 other cores not as a program begins; FCW %x, MXCSR %x, CR0 %llx, CR4 %llx", others[i].fcw,
                 others[i].mxcsr, (unsigned long long)others[i].cr0, (unsigned long long)others[i].cr4);
        EXPECT(state_of_cores, OTHER, found);
    }
    answers[0].svr_off = true; /* the boot core's is row 88 */
    EXPECT(svr_other_cores, SAME, "off on 0 of 2 other cores");
    answers[1].svr_off = true;
    EXPECT(svr_other_cores, OTHER, "off on 1 of 2 other cores");
    answers[0].off_tried = false;
    EXPECT(svr_off_masks, SAME, "510h stayed masked on 2 of 2 other cores; it read 10400");
    answers[1].off_entry = 0x400;
    EXPECT(svr_off_masks, OTHER, "510h stayed masked on 1 of 2 other cores; it read 400");
    answers[2].off_tried = false;
    EXPECT(svr_off_masks, CANNOT, "the APIC's registers cannot be reached");
}

static void starts(void **state)
{
    (void)state;
    begin();
    EXPECT(start_this_ap, SAME, "0 of 2 other cores refused, with EFI_STATUS 0");
    EXPECT(own_start, CANNOT, "the firmware started the cores; core_start=own asks this");
    EXPECT(own_start_types, CANNOT, "the firmware started the cores; core_start=own asks this");
    answers[2].start = (struct firmware_start){.own = true, .status = 0x8000000000000003};
    EXPECT(start_this_ap, OTHER, "1 of 2 other cores refused, with EFI_STATUS 8000000000000003");
    EXPECT(own_start, SAME, "1 of 2 other cores");
    EXPECT(own_start_types, SAME, "0 of 2 other cores; of the first 0 registers were set, 0 are still otherwise");
    answers[2].start.set = 5;
    EXPECT(own_start_types, OTHER, "1 of 2 other cores; of the first 5 registers were set, 0 are still otherwise");
    answers[2].start = (struct firmware_start){.own = true, .wrong = 1};
    EXPECT(own_start_types, OTHER, "1 of 2 other cores; of the first 0 registers were set, 1 are still otherwise");
    answers[1].start = (struct firmware_start){.own = true};
    EXPECT(start_this_ap, CANNOT, "the firmware was not asked: it has no MP Services, or core_start=own");
    hardware.cores.good = false;
    strcpy(hardware.cores.why, "pass 1, core 1: as it is");
    EXPECT(own_start, CANNOT, "pass 1, core 1: as it is");
    EXPECT(cores_come_back, OTHER, "pass 1, core 1: as it is");
    hardware.cores.silent = true;
    EXPECT(own_start, OTHER, "pass 1, core 1: as it is");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(all_cores_are_asked),
                                       TEST(one_core_has_no_others),
                                       TEST(the_boot_core_is_left_out),
                                       TEST(a_core_that_stays_away),

                                       TEST(an_error_of_a_core),
                                       TEST(clocks),
                                       TEST(nodes),
                                       TEST(states),
                                       TEST(starts)};

    return cmocka_run_group_tests(tests, fixture_load, NULL);
}
