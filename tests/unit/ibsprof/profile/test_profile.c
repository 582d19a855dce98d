/* SPDX-License-Identifier: BSD-2-Clause */
/* The profile of a file equals core's own profile, however it was counted; and which samples belong to which
 * program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "core/family/ibs_regs.h"
#include "core/profile/profile.h"
#include "core/base/rng.h"
#include "tests/unit/first_set.h"
#include "tests/unit/ibsprof/fake_input.h"
#include "tests/unit/ibsprof/program.h"
#include "tools/ibsprof/profile/profile.h"

static struct objects opened;

static const char *const image = "build/ibsboot.elf";
enum { BASE = 0x3e000000 };

static struct run_profile *read(struct fake_input *fake, const char *comm)
{
    struct profile_options options = {.comm = comm};
    char error[200];
    struct run_profile *profile = run_profile_read(&fake->input, &options, error, sizeof(error));

    assert_non_null(profile);
    assert_string_equal(error, fake->broken ? fake->broken : "");
    return profile;
}

static void done(struct fake_input *fake, struct run_profile *profile)
{
    run_profile_free(profile);
    objects_free(&opened);
    fake_input_free(fake);
}

static struct sample_record op_at(uint64_t rip)
{
    struct sample_record record = {.kind = SAMPLE_OP};

    record.reg[IBS_OP_RIP] = rip;
    return record;
}

static const struct profile_place *place_at(const struct run_profile *profile, uint64_t rva)
{
    for (uint32_t i = 0; i < profile->place_count; i++)
        if (profile->places[i].rva == rva)
            return &profile->places[i];
    return NULL;
}

static const struct codemap *workloads(struct codemap **ret_part, uint64_t *ret_start, uint64_t *ret_end)
{
    struct object *object = object_get(&opened, NULL, image, NULL, 0);

    assert_non_null(object->path);
    assert_true(object_workloads(object, ret_start, ret_end));
    *ret_part = program_part(object_codemap(object, NULL, 0), *ret_start, *ret_end);
    return *ret_part;
}

/* All 68 columns of each instruction, of the rest and of the totals are compared, with random registers at random
 * places: inside instructions, outside the workloads, outside everything. */
static void equals_core_profile(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct codemap *map;
    struct run_profile *profile;
    struct profile wanted;
    uint64_t start, end, outside[DERIVED_COUNT];
    uint32_t seen = 0;
    struct rng rng;
    void *memory;

    workloads(&map, &start, &end);
    memory = malloc(profile_memory_size(map));
    assert_true(profile_init(&wanted, map, BASE, first_set(), memory, profile_memory_size(map)));
    fake->input.facts.is_linux = false;
    fake_input_map(fake, 1, BASE + 0x1000, 0x60000, 0x1000, image);
    rng_seed(&rng, 3);
    for (int i = 0; i < 20000; i++) {
        struct sample_record record = {.kind = rng_below(&rng, 2), .cpu = rng_below(&rng, 4)};
        uint64_t place = BASE + start + rng_below(&rng, (uint32_t)(end - start));

        for (int r = 0; r < 8; r++)
            record.reg[r] = rng_next(&rng);
        if (rng_below(&rng, 8) == 0)
            place = rng_below(&rng, 2) ? BASE + rng_below(&rng, 0x80000) : rng_next(&rng);
        record.reg[record.kind == SAMPLE_OP ? IBS_OP_RIP : IBS_FETCH_LINAD] =
            rng_below(&rng, 2) ? place : place ^ 0xABCDull << 48; /* the upper bits may be wrong */
        fake_input_ibs(fake, 1, &record);
        profile_add(&wanted, &record);
    }
    profile = read(fake, NULL);
    memcpy(outside, wanted.outside, sizeof(outside));
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];
        int32_t insn = codemap_find(map, place->rva);

        assert_int_equal(place->workload, place->object != PROFILE_NO_OBJECT && insn >= 0);
        if (!place->workload) {
            for (int e = 0; e < DERIVED_COUNT; e++)
                outside[e] -= place->counts[e];
            continue;
        }
        assert_int_equal(place->rva, map->insns[insn].rva);
        assert_memory_equal(place->counts, profile_row(&wanted, (uint32_t)insn), sizeof(place->counts));
        seen++;
    }
    for (int e = 0; e < DERIVED_COUNT; e++)
        assert_int_equal(outside[e], 0);
    for (uint32_t i = 0; i < map->insn_count; i++)
        seen -= profile_row(&wanted, i)[DERIVED_F000_FETCH_ALL] + profile_row(&wanted, i)[DERIVED_F100_OP_ALL] > 0;
    assert_int_equal(seen, 0);
    assert_memory_equal(profile->totals, wanted.total, sizeof(wanted.total));
    for (int kind = 0; kind < 2; kind++) {
        assert_int_equal(profile->samples[kind], wanted.records[kind]);
        assert_int_equal(profile->outside[kind], wanted.outside_records[kind]);
        assert_true(profile->outside[kind] > 100);
    }
    free(memory);
    codemap_part_free(map);
    done(fake, profile);
}

/* The pictures' data add up to the table. */
static void pictures_add_up(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct run_profile *profile;
    uint64_t sources = 0, places = 0, ops = 0, cpus = 0, of_cores = 0;
    struct rng rng;

    rng_seed(&rng, 4);
    for (int i = 0; i < 100000; i++) {
        struct sample_record record = {.kind = SAMPLE_OP};
        struct perfdata_item *sample;

        for (int r = 0; r < 8; r++)
            record.reg[r] = rng_next(&rng);
        record.reg[IBS_OP_RIP] = 0x1000 + rng_below(&rng, 50);
        record.reg[IBS_OP_DCLINAD] = record.reg[IBS_OP_RIP] * 2;
        sample = fake_input_ibs(fake, 1, &record);
        sample->time = 1000 + (uint64_t)i;
        sample->cpu = (uint32_t)i % 3;
        sample->period = 7;
    }
    profile = read(fake, NULL);
    for (int bin = 0; bin < LATENCY_BINS; bin++) {
        ops += profile->tag_to_ret[bin];
        for (int source = 0; source < SOURCES; source++)
            sources += profile->latency[source][bin];
        for (uint32_t i = 0; i < profile->place_count; i++)
            places += profile->places[i].latency ? profile->places[i].latency[bin] : 0;
    }
    assert_int_equal(ops, 100000);
    assert_int_equal(sources, profile->totals[DERIVED_X200_LOAD_DC_MISS]);
    assert_int_equal(places, profile->totals[DERIVED_X200_LOAD_DC_MISS]);
    for (int source = 0; source < SOURCES; source++) {
        uint64_t of_source = 0;

        for (int bin = 0; bin < LATENCY_BINS; bin++)
            of_source += profile->latency[source][bin];
        if (source == SOURCE_DRAM)
            assert_int_equal(of_source, profile->totals[DERIVED_F245_NB_LOCAL_DRAM]);
        if (source == SOURCE_L3)
            assert_int_equal(of_source, profile->totals[DERIVED_F242_NB_LOCAL_L3]);
    }
    assert_int_equal(profile->points_seen, profile->totals[DERIVED_X201_LIN_ADDR_VALID]);
    assert_int_equal(profile->point_count, POINTS_MAX);
    for (uint32_t i = 0; i < profile->point_count; i++)
        assert_int_equal(profile->points[i].addr, 2 * profile->places[profile->points[i].place].rva);
    assert_int_equal(profile->core_count, 3);
    for (uint32_t cpu = 0; cpu < profile->core_count; cpu++) {
        assert_int_equal(profile->cores[cpu].cpu, cpu);
        cpus += profile->cores[cpu].samples[SAMPLE_OP];
        for (int bin = 0; bin < LATENCY_BINS; bin++)
            of_cores += profile->cores[cpu].latency[bin];
    }
    assert_int_equal(of_cores, sources);
    for (int event = 0; event < DERIVED_COUNT; event++)
        assert_int_equal(profile->cores[0].counts[event] + profile->cores[1].counts[event] +
                             profile->cores[2].counts[event],
                         profile->totals[event]);
    assert_int_equal(cpus, 100000);
    assert_int_equal(profile->first_time, 1000);
    assert_int_equal(profile->last_time, 100999);
    assert_int_equal(profile->event_samples[1], 100000);
    assert_int_equal(profile->event_weights[1], 700000);
    done(fake, profile);
}

/* One set of registers is read for several families. */
static void sources_by_family(void **state)
{
    enum { MISS = 1 << 7, LOAD = 1, L2_MISS = 1 << 20, SW_PF = 1 << 21, REMOTE = 1 << 4 };
    static const struct {
        uint32_t family, model, caps;
        uint64_t data2, data3;
        enum data_source source;
    } rows[] = {
        {0x10, 4, 0x1f, 1, LOAD | MISS, SOURCE_L3},
        {0x10, 4, 0x1f, 0, LOAD | MISS, SOURCE_L2},
        {0, 0, 0, 3, LOAD | MISS, SOURCE_DRAM},
        {0x15, 2, 0xff, 3, LOAD | MISS, SOURCE_DRAM},
        {0x16, 0, 0xff, 3, LOAD | MISS | L2_MISS, SOURCE_DRAM},
        {0x16, 0, 0xff, 3, LOAD, SOURCE_L1},
        {0x17, 0x31, 0x3ff, 3, LOAD, SOURCE_L1},
        {0x17, 0x31, 0x3ff, 3, LOAD | MISS, SOURCE_L2},
        {0x17, 0x31, 0x3ff, 1, LOAD | MISS | L2_MISS, SOURCE_UNKNOWN},
        {0x17, 0x31, 0x3ff, 2, LOAD | MISS | L2_MISS, SOURCE_NEAR},
        {0x17, 0x31, 0x3ff, 3, LOAD | MISS | L2_MISS, SOURCE_DRAM},
        {0x17, 0x31, 0x3ff, 3 | REMOTE, LOAD | MISS | L2_MISS, SOURCE_REMOTE_DRAM},
        {0x17, 0x31, 0x3ff, 4, LOAD | MISS | L2_MISS, SOURCE_REMOTE_CACHE},
        {0x17, 0x31, 0x3ff, 7, LOAD | MISS | L2_MISS, SOURCE_OTHER},
        {0x17, 0x31, 0x3ff, 0x42, LOAD | MISS | L2_MISS, SOURCE_NEAR}, /* three bits only */
        {0x19, 1, 0x3ff, 3, LOAD | MISS | SW_PF, SOURCE_UNKNOWN},      /* erratum 1293 */
        {0x19, 0x21, 0x3ff, 3, LOAD | MISS | SW_PF, SOURCE_L2},
        {0x19, 0x61, 0xbff, 1, LOAD | MISS | L2_MISS, SOURCE_L3},
        {0x19, 0x61, 0xbff, 2, LOAD | MISS | L2_MISS, SOURCE_CACHE},
        {0x19, 0x61, 0xbff, 3 | REMOTE, LOAD | MISS | L2_MISS, SOURCE_REMOTE_DRAM},
        {0x19, 0x61, 0xbff, 5, LOAD | MISS | L2_MISS, SOURCE_REMOTE_CACHE},
        {0x19, 0x61, 0xbff, 7, LOAD | MISS | L2_MISS, SOURCE_OTHER},
        {0x19, 0x61, 0xbff, 1 << 6, LOAD | MISS | L2_MISS, SOURCE_EXTENSION}, /* 8 */
        {0x1a, 0x44, 0x81bff, 0x43, LOAD | MISS | L2_MISS, SOURCE_UNKNOWN},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fake_input *fake = fake_input_make(false);
        struct sample_record record = op_at(0x1000);
        struct run_profile *profile;

        fake->input.facts.family = rows[i].family;
        fake->input.facts.model = rows[i].model;
        fake->input.facts.ibs_caps = rows[i].caps;
        record.reg[IBS_OP_DATA2] = rows[i].data2;
        record.reg[IBS_OP_DATA3] = rows[i].data3 | IBS_DC_LIN_ADDR_VALID | 100ull << 32;
        fake_input_ibs(fake, 1, &record);
        profile = read(fake, NULL);
        if (profile->points[0].source != rows[i].source)
            fail_msg("row %zu: %s, not %s", i, data_source_name(profile->points[0].source),
                     data_source_name(rows[i].source));
        if (rows[i].source != SOURCE_L1)
            assert_int_equal(profile->latency[rows[i].source][latency_bin(100)], 1);
        done(fake, profile);
    }
}

static void draws_evenly(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct run_profile *profile;
    unsigned early = 0;

    for (int i = 0; i < 100000; i++) {
        struct sample_record record = op_at(0x1000);

        record.reg[IBS_OP_DATA3] = IBS_LD_OP | IBS_DC_LIN_ADDR_VALID;
        fake_input_ibs(fake, 1, &record)->time = 1 + (uint64_t)i;
    }
    profile = read(fake, NULL);
    for (uint32_t i = 0; i < profile->point_count; i++)
        early += profile->points[i].time <= 50000;
    /* The number is binomial, of 20000 at one half: its standard deviation is 71. */
    assert_in_range(early, 10000 - 5 * 71, 10000 + 5 * 71);
    done(fake, profile);
}

static void comm(struct fake_input *fake, uint32_t pid, const char *text, bool exec)
{
    struct perfdata_item *item = fake_input_add(fake, PERFDATA_ITEM_COMM);

    item->pid = item->tid = pid;
    item->text = text;
    item->misc = exec ? PERFDATA_MISC_COMM_EXEC : 0;
}

static uint64_t samples_at(const struct run_profile *profile, const char *object, uint64_t rva, bool workload)
{
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->rva == rva && place->workload == workload && strcmp(profile_object(profile, place), object) == 0)
            return place->events[2];
    }
    return 0;
}

static void processes_have_their_own_maps(void **state)
{
    struct fake_input *fake = fake_input_make(true);
    struct perfdata_item *item;
    struct run_profile *profile;

    fake_input_map(fake, 1, 0x400000, 0x1000, 0, "/no/a");
    fake_input_map(fake, 2, 0x400000, 0x1000, 0x3000, "/no/b");
    fake_input_clock(fake, 1, 0x400010);
    fake_input_clock(fake, 2, 0x400010);
    item = fake_input_add(fake, PERFDATA_ITEM_FORK); /* 3 is a child of 1 */
    item->pid = item->tid = 3;
    item->parent_pid = 1;
    fake_input_clock(fake, 3, 0x400010);
    fake_input_map(fake, 3, 0x400000, 0x800, 0,
                   "/no/c"); /* and maps another file over a part: the parent does not see it */
    fake_input_clock(fake, 3, 0x400010);
    fake_input_clock(fake, 3, 0x400900); /* the rest of the earlier map */
    fake_input_clock(fake, 1, 0x400010);
    comm(fake, 1, "other", true); /* exec: no earlier map is left */
    fake_input_map(fake, 1, 0x600000, 0x1000, 0, "/no/d");
    fake_input_clock(fake, 1, 0x600004);
    fake_input_clock(fake, 4, 0x700000); /* unknown, because the map comes too late in the file */
    fake_input_map(fake, 4, 0x700000, 0x1000, 0, "/no/e");
    fake_input_clock(fake, 4, 0x900000); /* unknown even at the end */
    profile = read(fake, NULL);
    assert_int_equal(samples_at(profile, "/no/a", 0x10, true), 3);
    assert_int_equal(samples_at(profile, "/no/b", 0x3010, true), 1);
    assert_int_equal(samples_at(profile, "/no/c", 0x10, true), 1);
    assert_int_equal(samples_at(profile, "/no/a", 0x900, true), 1);
    assert_int_equal(samples_at(profile, "/no/d", 4, true), 1);
    assert_int_equal(samples_at(profile, "/no/e", 0, true), 1);
    assert_int_equal(samples_at(profile, "[unknown]", 0x900000, true), 1);
    assert_int_equal(profile->event_samples[2], 9);
    done(fake, profile);
}

static void kernel_is_not_the_workload(void **state)
{
    struct fake_input *fake = fake_input_make(true);
    struct run_profile *profile;

    fake_input_map(fake, UINT32_MAX, 0xffffffff81000000u, 0x1000000, 0xffffffff81000000u, "[kernel.kallsyms]_text")
        ->mode = MODE_KERNEL;
    fake_input_map(fake, 1, 0x400000, 0x1000, 0, "/no/a");
    fake_input_clock(fake, 1, 0xffffffff81000010u)->mode = MODE_KERNEL;
    fake_input_clock(fake, 1, 0x400010);
    profile = read(fake, NULL);
    assert_int_equal(samples_at(profile, "[kernel.kallsyms]_text", 0xffffffff81000010u, false), 1);
    assert_int_equal(samples_at(profile, "/no/a", 0x10, true), 1);
    assert_string_equal(profile->objects[place_at(profile, 0x10)->object]->why_not, "no ELF file found");
    done(fake, profile);
}

static void one_process_is_chosen(void **state)
{
    struct fake_input *fake = fake_input_make(true);
    struct run_profile *profile;

    comm(fake, 1, "mine", true);
    comm(fake, 2, "yours", true);
    fake_input_map(fake, 1, 0x400000, 0x1000, 0, "/no/a");
    fake_input_map(fake, 2, 0x400000, 0x1000, 0, "/no/a");
    fake_input_clock(fake, 1, 0x400010);
    fake_input_clock(fake, 2, 0x400010);
    fake_input_clock(fake, 2, 0x400010);
    profile = read(fake, "mine");
    assert_int_equal(samples_at(profile, "/no/a", 0x10, true), 1);
    assert_int_equal(samples_at(profile, "/no/a", 0x10, false), 2);
    done(fake, profile);
}

static void keeps_what_came_before_an_error(void **state)
{
    struct fake_input *fake = fake_input_make(true);
    struct run_profile *profile;

    fake_input_clock(fake, 1, 0x400010);
    fake->broken = "fake: offset 1: broken";
    profile = read(fake, NULL);
    assert_int_equal(profile->event_samples[2], 1);
    done(fake, profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_core_profile),
        cmocka_unit_test(pictures_add_up),
        cmocka_unit_test(sources_by_family),
        cmocka_unit_test(draws_evenly),
        cmocka_unit_test(processes_have_their_own_maps),
        cmocka_unit_test(kernel_is_not_the_workload),
        cmocka_unit_test(one_process_is_chosen),
        cmocka_unit_test(keeps_what_came_before_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
