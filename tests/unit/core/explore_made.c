/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/core/explore_made.h"

#include <string.h>

void set(struct explore_input *input, enum explore_event_index event, uint64_t total)
{
    input->count[event] = (struct explore_count){total, COUNTS_COUNTED, 1000000, 1000};
}

struct explore_input ordinary(void)
{
    static const struct made made[] = {
        {EXPLORE_C, 10 * MEGA}, {EXPLORE_C0, 12 * MEGA}, {EXPLORE_U, 15 * MEGA}, {EXPLORE_R1, 8 * MEGA},
        {EXPLORE_R2, 5 * MEGA}, {EXPLORE_R3, 2 * MEGA},  {EXPLORE_C2, 2 * MEGA}, {EXPLORE_C3, 10000},
        {EXPLORE_CC, 1 * MEGA}, {EXPLORE_CF, 0},         {EXPLORE_D0, 600000},   {EXPLORE_D1, 1 * MEGA},
        {EXPLORE_D2, 20000},    {EXPLORE_D3, 100000},    {EXPLORE_D4, 0},        {EXPLORE_D5, 600000},
        {EXPLORE_D6, 400000},   {EXPLORE_D7, 200000},    {EXPLORE_D8, 300000},   {EXPLORE_D9, 0},
        {EXPLORE_DA, 0},        {EXPLORE_40, 5 * MEGA},  {EXPLORE_41, 50000},    {EXPLORE_42, 60000},
        {EXPLORE_43, 6000},     {EXPLORE_45, 1000},      {EXPLORE_46, 100},      {EXPLORE_68, 30000},
        {EXPLORE_69, 900000},   {EXPLORE_82, 1000},      {EXPLORE_83, 10},       {EXPLORE_84, 100},
        {EXPLORE_85, 10},       {EXPLORE_4E0, 6000},     {EXPLORE_4E1, 1500},
    };
    /* One sample stands for 1000 ops. */
    struct explore_input input = {.method = &explore_10h,
                                  .ibs = {COUNTS_COUNTED,
                                          {.ops = 15000,
                                           .least = 1,
                                           .sums = {.ops = 5000,
                                                    .miss_cycles = {30, 10, 5, 20},
                                                    .tlb_hits = 10,
                                                    .walks = 1,
                                                    .forwarded = 4,
                                                    .cancelled_cycles = 2},
                                           .mispredicted = 15,
                                           .late_cycles = 30}}};

    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
        set(&input, made[i].event, made[i].total);
    input.expected_known = true;
    input.expected = 12 * MEGA;
    return input;
}

struct explore_result explored(const struct explore_input *input)
{
    struct explore_result result;

    memset(&result, 0xA5, sizeof(result)); /* nothing may be left unset */
    explore_compute(&result, input);
    return result;
}

const struct bound bounds[BOUNDS] = {
    {"ordinary", {{0}}, {0}, 0, {0}},
    {"front end: cache misses",
     {{EXPLORE_D0, 6 * MEGA}, {EXPLORE_U, 5 * MEGA}, {EXPLORE_82, 300000}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_IC}},
    {"front end: ITLB",
     {{EXPLORE_D0, 3 * MEGA}, {EXPLORE_U, 5 * MEGA}, {EXPLORE_84, 100000}, {EXPLORE_85, 50000}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_ITLB}},
    {"front end: decoder",
     {{EXPLORE_D0, 4 * MEGA}, {EXPLORE_U, 5 * MEGA}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_DECODE}},
    {"back end: DRAM",
     {{EXPLORE_D0, 10000},
      {EXPLORE_C3, 100},
      {EXPLORE_D1, 9 * MEGA},
      {EXPLORE_U, 2 * MEGA},
      {EXPLORE_D5, 8 * MEGA},
      {EXPLORE_43, 50000},
      {EXPLORE_4E0, 50000},
      {EXPLORE_4E1, 49000}},
     {.miss_cycles = {[HELD_DRAM] = 8500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_DRAM, EXPLORE_ROB}},
    {"back end: L2",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}, {EXPLORE_43, 0}},
     {.miss_cycles = {[HELD_L2] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_L2, EXPLORE_LS}},
    {"back end: L3",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.miss_cycles = {[HELD_L3] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_L3, EXPLORE_LS}},
    {"back end: other cores' caches",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.miss_cycles = {[HELD_CACHE] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_CACHE, EXPLORE_LS}},
    {"back end: DTLB",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}, {EXPLORE_43, 0}},
     {.tlb_hits = 100, .walks = 170},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_DTLB, EXPLORE_LS}},
    {"back end: forwarding",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.forwarded = 500, .cancelled_cycles = 2000},
     0,
     {EXPLORE_BACK, EXPLORE_FORWARD, EXPLORE_LS}},
    {"back end: stores",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BACK, EXPLORE_STORES, EXPLORE_LS}},
    {"back end: division",
     {{EXPLORE_D1, 7 * MEGA}, {EXPLORE_U, 3 * MEGA}, {EXPLORE_D7, 7 * MEGA}},
     {0},
     0,
     {EXPLORE_BACK, EXPLORE_CORE, EXPLORE_FPU}},
    {"bad speculation: refill",
     {{EXPLORE_D0, 5 * MEGA}, {EXPLORE_C3, 400000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BAD, EXPLORE_BAD_REFILL}},
    {"bad speculation: abort",
     {{EXPLORE_D1, 4 * MEGA}, {EXPLORE_D2, 3 * MEGA}, {EXPLORE_C3, 100000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BAD, EXPLORE_BAD_ABORT}},
    {"bad speculation: late branches",
     {{EXPLORE_D0, 960000}, {EXPLORE_C3, 80000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     30,
     {EXPLORE_BAD, EXPLORE_BAD_WAIT}},
    {"retiring",
     {{EXPLORE_D0, 10000}, {EXPLORE_D1, 700000}, {EXPLORE_C3, 100}, {EXPLORE_U, 27 * MEGA}},
     {0},
     0,
     {EXPLORE_RETIRING}},
};

struct explore_input bound_input(const struct bound *bound)
{
    struct explore_input input = ordinary();
    struct held_result *held = &input.ibs.held;
    uint64_t ops;

    for (int i = 0; i < 8 && bound->made[i].event; i++)
        set(&input, bound->made[i].event, bound->made[i].total);
    ops = input.count[EXPLORE_U].total;
    for (int i = EXPLORE_R1; i <= EXPLORE_R3; i++)
        set(&input, (enum explore_event_index)i, ops / 3);
    set(&input, EXPLORE_C0, ops / 5 * 4);
    input.expected = ops / 5 * 4;
    held->ops = ops / 1000;
    for (int i = 0; i < HELD_SOURCES; i++)
        held->sums.miss_cycles[i] += bound->held.miss_cycles[i];
    held->sums.tlb_hits += bound->held.tlb_hits;
    held->sums.walks += bound->held.walks;
    held->sums.forwarded += bound->held.forwarded;
    held->sums.cancelled_cycles += bound->held.cancelled_cycles;
    held->late_cycles += held->mispredicted * bound->late;
    return input;
}
