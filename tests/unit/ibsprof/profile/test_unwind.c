/* SPDX-License-Identifier: BSD-2-Clause */
/* This program's own stack, unwound from a copy and its registers, and compared with libgcc's unwinder. */
#include "tests/unit/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unwind.h>

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/profile/stacks/call_stacks.h"
#include "tools/ibsprof/profile/stacks/unwind.h"

enum { COPY = 32768, FRAMES = 64, REGISTERS = 24, SP = 7, IP = 8, ABI_64 = 2 };

static uint64_t registers[REGISTERS];
static uint8_t copy[COPY];
static uint64_t copied;
static uint64_t returns[FRAMES];
static uint32_t return_count;

static unsigned levels;

/* Returns the end of this thread's stack. */
static uint64_t stack_end(uint64_t within)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[600];
    uint64_t start, end = 0;

    while (fgets(line, sizeof(line), maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 && within >= start && within < end)
            break;
    fclose(maps);
    return end;
}

static _Unwind_Reason_Code add_return(struct _Unwind_Context *context, void *argument)
{
    (void)argument;
    if (return_count < FRAMES && _Unwind_GetIP(context) != 0)
        returns[return_count++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

/* Captures the registers in Linux' order: AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8 to R15. Callers'
 * registers are those that a call keeps. */
__attribute__((noinline, no_sanitize("address"))) static void capture(void)
{
    return_count = 0;
    (void)_Unwind_Backtrace(add_return, NULL);
    __asm__ volatile("movq %%rbx, 8(%0)\n\tmovq %%rbp, 48(%0)\n\tmovq %%rsp, 56(%0)\n\tmovq %%r12, 160(%0)\n\t"
                     "movq %%r13, 168(%0)\n\tmovq %%r14, 176(%0)\n\tmovq %%r15, 184(%0)\n\t"
                     "leaq 0(%%rip), %%rax\n\tmovq %%rax, 64(%0)"
                     :
                     : "D"(registers)
                     : "rax", "memory");
    uint64_t size = stack_end(registers[SP]) - registers[SP];
    copied = size < COPY ? size : COPY;
    for (uint64_t i = 0; i < copied; i++)
        copy[i] = ((const volatile uint8_t *)registers[SP])[i];
}

__attribute__((noinline)) static void deeper(unsigned depth)
{
    volatile char room[300];

    room[depth] = 1;
    if (depth > 0)
        deeper(depth - 1);
    else
        capture();
    levels += (unsigned)room[depth]; /* so that the call does not become a jump */
}

static void add_maps(struct spaces *spaces, uint32_t pid)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[600], name[500];
    uint64_t start, end, offset;

    while (fgets(line, sizeof(line), maps))
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " r-xp %" SCNx64 " %*s %*s %499s", &start, &end, &offset, name) == 4 &&
            name[0] == '/')
            spaces_item(
                spaces,
                &(struct perfdata_item){
                    .kind = PERFDATA_ITEM_MAP,
                    .pid = pid,
                    .tid = pid,
                    .mode = MODE_USER,
                    .map = {
                        .start = start, .length = end - start, .page_offset = offset, .protection = 5, .name = name}});
    fclose(maps);
}

static struct input_facts facts = {.path = "/", .arch = "x86_64"};
static struct run_profile profile = {.facts = &facts, .opened = &profile.own};
static const struct object_search search;

static struct perfdata_item sample(void)
{
    return (struct perfdata_item){.kind = PERFDATA_ITEM_SAMPLE,
                                  .pid = 5,
                                  .tid = 6,
                                  .user_registers = (const uint8_t *)registers,
                                  .user_mask = (1u << REGISTERS) - 1,
                                  .user_abi = ABI_64,
                                  .user_stack = copy,
                                  .user_stack_size = copied};
}

/* Returns the number of equal frames; frames that differ are failures. */
static uint32_t same_frames(struct unwinder *unwinder, struct spaces *spaces, const struct perfdata_item *item,
                            uint32_t most)
{
    uint64_t addresses[FRAMES];
    uint32_t count = unwinder_addresses(unwinder, spaces, item, addresses, most);

    assert_true(count <= most);
    if (count > 0)
        assert_int_equal(addresses[0], registers[IP]);
    for (uint32_t i = 1; i < count; i++)
        assert_int_equal(addresses[i] + 1, returns[i]);
    return count;
}

TEST(test_own_stack)
{
    struct spaces *spaces = spaces_make(NULL);
    struct unwinder *unwinder = unwinder_make(&profile, &search);
    struct perfdata_item item;

    add_maps(spaces, 5);
    deeper(10);
    assert_true(return_count > 12);
    item = sample();
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), return_count);
    assert_int_equal(same_frames(unwinder, spaces, &item, 5), 5);
    /* With a shorter copy the stack ends earlier. */
    item.user_stack_size = 1500;
    uint32_t less = same_frames(unwinder, spaces, &item, FRAMES);
    assert_true(less > 2 && less < return_count);
    /* In another process nothing is mapped until its maps come. */
    item = sample();
    item.pid = 7;
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), 1);
    add_maps(spaces, 7);
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), return_count);
    /* There are more processes than can have their files open at a time, and the first one comes again. */
    for (item.pid = 100; item.pid < 150; item.pid++) {
        add_maps(spaces, item.pid);
        assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), return_count);
    }
    item.pid = 5;
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), return_count);
    unwinder_free(unwinder);
    spaces_free(spaces);
    objects_free(&profile.own);
}

TEST(test_nothing_to_unwind)
{
    struct spaces *spaces = spaces_make(NULL);
    struct unwinder *unwinder = unwinder_make(&profile, &search);
    struct perfdata_item item;

    add_maps(spaces, 5);
    deeper(1);
    item = sample();
    item.user_stack_size = 0;
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), 0);
    item = sample();
    item.user_abi = 1; /* 32 bits */
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), 0);
    item = sample();
    item.user_registers = NULL;
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), 0);
    item = sample();
    item.user_mask &= ~(1ull << SP);
    assert_int_equal(same_frames(unwinder, spaces, &item, FRAMES), 0);
    unwinder_free(unwinder);
    spaces_free(spaces);
    objects_free(&profile.own);
}

/* Copies of the stack are unwound only on x86-64; without copies no message is necessary. */
TEST(test_other_machines)
{
    static const struct {
        const char *arch;
        uint64_t types[2];
        bool recorded, not_unwound;
    } rows[] = {
        {"x86_64", {0, PERFDATA_SAMPLE_STACK_USER}, false, false},
        {"aarch64", {0, PERFDATA_SAMPLE_STACK_USER}, false, true},
        {"x86_6", {PERFDATA_SAMPLE_STACK_USER, 0}, false, true},
        {"z", {PERFDATA_SAMPLE_STACK_USER | PERFDATA_SAMPLE_CALLCHAIN, 0}, true, true},
        {"aarch64", {0, PERFDATA_SAMPLE_CALLCHAIN}, true, false},
        {"aarch64", {0, 0}, false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct input_event events[] = {{.sample_type = rows[i].types[0]}, {.sample_type = rows[i].types[1]}};
        const struct input_facts of = {.arch = rows[i].arch, .events = events, .event_count = 2};

        assert_int_equal(call_stacks_recorded(&of), rows[i].recorded);
        assert_int_equal(call_stacks_not_unwound(&of), rows[i].not_unwound);
    }
}

RUN_TESTS(NULL, NULL)
