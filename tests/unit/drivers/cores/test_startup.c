/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's own start of other cores: which commands are sent when, what a core is given, its loop, and how the
 * core ends. The other core runs in the boot core's pauses: it calls the function to which the trampoline would
 * lead. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>
#include <sys/mman.h>

#include "drivers/cpu/apic.h"
#include "drivers/cpu/paging.h"
#include "drivers/cores/startup.h"
#include "drivers/cores/trampoline.h"

enum { LOW = 0x90000, ID = 3, TSC_KHZ = 1000000 /* reading the fake TSC takes a microsecond */ };

static struct startup_facts facts;
static struct startup startup;
static _Alignas(4096) union {
    struct startup_core core;
    uint8_t bytes[STARTUP_CORE_BYTES];
} block;
static struct startup_core *const core = &block.core;
static _Alignas(4096) uint64_t pml4[512], directory[512];
static struct trampoline *const low = (struct trampoline *)LOW;

/* The other core: after so many STARTUPs it runs 'serve' until that function waits. */
static unsigned startups_needed, startups_seen;
static bool survives_init, running;
static jmp_buf waiting;

static unsigned count(const char *text)
{
    unsigned n = 0;
    for (const char *at = fake.log; (at = strstr(at, text)); at++)
        n++;
    return n;
}

/* Calls the function to which the code in the low page leads. */
static void play(void)
{
    running = true;
    if (!setjmp(waiting))
        ((void (*)(uint64_t))low->entry)(low->value);
    running = false;
}

static void on_pause(unsigned pauses)
{
    (void)pauses;
    if (running)
        longjmp(waiting, 1); /* the core waits: back to the boot core */
    if (startups_seen == count("apic w 300 4690"))
        return;
    startups_seen = count("apic w 300 4690");
    if (startups_needed && startups_seen >= startups_needed && !core->alive)
        play();
}

static void set_up_with(uint64_t entry)
{
    struct machine machine;

    fake_machine(&machine, 4);
    facts = (struct startup_facts){.apic_msr = machine.apic_msr, .tsc_khz = TSC_KHZ, .registers_known = true};
    fake_set_leaf(1, 0, 0, 0, 1 << 16); /* PAT alone of the memory types: test_memory_types.c tests the others */
    fake_add_msr(0x277, 0x0007040600070406, ~0ull);
    fake.cr3 = (uintptr_t)pml4 | 0x18;
    memset(pml4, 0, sizeof pml4);
    pml4[0] = (uintptr_t)directory | 3;
    directory[0] = entry;
    fake.apic[0x20 / 16] = 0x05000000;
    fake.apic[0xF0 / 16] = 0x10F;
    fake.on_pause = on_pause;
    memset(&block, 0, sizeof block);
    startups_needed = 1;
    startups_seen = 0;
    survives_init = false;
}

static int set_up(void **state)
{
    set_up_with(0x83);
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
    fake_clear_log();
    return 0;
}

TEST(refusals)
{
    set_up_with(0x83);
    facts.apic_msr &= ~0x800ull;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_NO_APIC);
    facts.apic_msr |= 0x800;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)0x9E000), STARTUP_OK);
    assert_int_equal(startup_prepare(&startup, &facts, (void *)0x9F000), STARTUP_TABLES);
    static _Alignas(4096) uint64_t pml5[512];
    pml5[0] = (uintptr_t)pml4 | 3;
    fake.cr3 = (uintptr_t)pml5;
    fake.cr4 |= 1 << 12; /* five levels of page tables */
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
    fake.cr4 &= ~(1ull << 12);
    set_up_with(0x8000000000000083);
    facts.nxe = true;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_TABLES);
    facts.nxe = false;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
}

/* SYSCFG and its memory types are Family 10h's; on other processors this program does not know these registers, and
 * leaves them alone. */
TEST(memory_types_by_family)
{
    set_up_with(0x83);
    fake_set_leaf(1, 0, 0, 0, 1 << 12);
    fake_add_msr(0xFE, 0x500, 0);
    fake_add_msr(0x277, 0x0007040600070406, ~0ull);
    fake_add_msr(0x2FF, 0xC00, ~0ull);
    fake_add_msr(0xC0010010, 0x760000, ~0ull);
    for (uint32_t msr = 0xC0010016; msr <= 0xC001001A; msr++)
        fake_add_msr(msr, msr, ~0ull);
    fake_add_msr(0xC001001D, 0x180000000, ~0ull);
    for (uint32_t msr = 0x250; msr <= 0x26F; msr++)
        fake_add_msr(msr, 0, ~0ull);
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
    assert_true(startup.types.extended);
    facts.registers_known = false;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
    assert_false(startup.types.extended);
    fake_set_leaf(1, 0, 0, 0, 0);
}

/* Interrupts are off while registers are changed that interrupts also use. */
TEST_WITH(own_id, set_up, NULL)
{
    assert_int_equal(startup_own_id(&startup), 5);
    assert_true(startup_reaches(&startup, 0xFE));
    assert_false(startup_reaches(&startup, 0xFF));
    set_up_with(0x83);
    (void)startup_prepare(&startup, &facts, (void *)LOW);
    assert_int_equal(strncmp(fake.log, "cli\n", 4), 0);
    assert_string_equal(fake.log + fake.log_length - 4, "sti\n");
    assert_true(fake.flags & CPU_FLAG_INTERRUPT);
    fake.flags = 2;
    (void)startup_prepare(&startup, &facts, (void *)LOW);
    assert_false(fake.flags & CPU_FLAG_INTERRUPT);
}

/* The sequence is INIT, 10 ms, STARTUP with the page's number; the second STARTUP is sent only if the first had no
 * answer. */
TEST_WITH(sequence, set_up, NULL)
{
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_int_equal(count("apic w 310 3000000"), 2);
    assert_int_equal(count("apic w 300 4500"), 1);
    assert_int_equal(count("apic w 300 4690"), 1);
    assert_true(strstr(fake.log, "4500") < strstr(fake.log, "4690"));
    assert_int_equal(count("cli\n"), 2);
    assert_int_equal(count("sti\n"), 2);
    (void)set_up(NULL);
    startups_needed = 2;
    fake.flags = 2; /* interrupts that were off stay off */
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_int_equal(count("apic w 300 4690"), 2);
    assert_int_equal(count("cli\n"), 3);
    assert_int_equal(count("sti\n"), 0);
}

TEST_WITH(times, set_up, NULL)
{
    uint64_t start;

    start = fake.tsc;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_in_range(fake.tsc - start, 10000 * 1000, 10010 * 1000);
    (void)set_up(NULL);
    startups_needed = 2;
    start = fake.tsc;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_in_range(fake.tsc - start, 10200 * 1000, 10220 * 1000);
}

/* A core that does not answer is also told not to come later. */
TEST_WITH(silent, set_up, NULL)
{
    uint64_t start = fake.tsc;

    startups_needed = 0;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_SILENT);
    assert_in_range(fake.tsc - start, 510200 * 1000, 510300 * 1000);
    assert_int_equal(count("apic w 300 4500"), 2);
    assert_int_equal(count("apic w 300 4690"), 2);
    assert_string_equal(strstr(strstr(fake.log, "apic w 300 4500") + 1, "apic w 300 4500"),
                        "apic w 300 4500\napic r 300\nsti\n");
}

/* The code in the low page finds the boot core's registers, tables and selectors. */
TEST_WITH(trampoline, set_up, NULL)
{
    pml4[7] = 0x7777000;
    fake.cr4 = 0x6A8;
    fake_msr(0xC0000080)->value = 0xFFFFF; /* including bits that must not be written */
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_memory_equal((uint8_t *)LOW + TRAMPOLINE_CODE, trampoline_code + TRAMPOLINE_CODE,
                        trampoline_places[2] - TRAMPOLINE_CODE);
    assert_memory_equal((void *)(LOW + 4096), pml4, 4096);
    assert_int_equal(low->base, LOW);
    assert_int_equal(low->cr3, LOW + 4096);
    assert_int_equal(low->root, (uintptr_t)pml4 | 0x18);
    assert_int_equal(low->efer, 0x4901);
    assert_int_equal(low->cr0, 0x80010033);
    assert_int_equal(low->cr4, 0x6A8);
    assert_int_equal(low->stack, (uintptr_t)block.bytes + sizeof block);
    assert_int_equal(low->value, (uintptr_t)core);
    assert_int_equal(low->gdt.base, (uintptr_t)fake.firmware_gdt);
    assert_int_equal(low->gdt.limit, 0x47);
    assert_int_equal(low->idt.base, 0xF1DE0000);
    assert_int_equal(low->cs, 0x38);
    assert_int_equal(low->ss, 0x30);
    assert_int_equal(low->own_limit, 31);
    /* The table has a null descriptor, flat 32-bit code and data, and flat 64-bit code (AMD APM vol. 2 sections 4.7 and
     * 4.8). */
    assert_memory_equal(low->own, ((uint64_t[]){0, 0x00CF9B000000FFFF, 0x00CF93000000FFFF, 0x00AF9B000000FFFF}), 32);
    assert_int_equal(low->own_base, LOW + TRAMPOLINE_OWN);
    assert_int_equal(low->to_32, LOW + trampoline_places[0]);
    assert_int_equal(low->to_32_cs, 8);
    assert_int_equal(low->to_64, LOW + trampoline_places[1]);
    assert_int_equal(low->to_64_cs, 24);
    assert_int_equal(core->efer, 0x4901);
}

/* ---------------------------------------------------------------- the other core */

/* The core's APIC is switched on like the boot core's, and registers that could not be set are counted. */
TEST_WITH(state_of_the_core, set_up, NULL)
{
    (void)startup_begin(&startup, core, ID);
    assert_int_equal(core->set, 0);
    assert_int_equal(core->wrong, 0);
    assert_int_equal(core->spurious, 0x10F);
    fake.apic[0xF0 / 16] = 0xFF;
    fake_clear_log();
    play();
    assert_int_equal(count("apic w f0 10f\n"), 1);
    assert_int_equal(core->wrong, 0);
    fake_clear_log();
    play(); /* and is left alone if it has the right state */
    assert_int_equal(count("apic w "), 0);
    assert_int_equal(core->set, 0);
    core->set = 77; /* counted anew by each core */
    play();
    assert_int_equal(core->set, 0);
    fake.apic[0xF0 / 16] = 0xFF;
    fake.apic_read_only = 0xF0;
    fake.cr0 ^= 0x20;
    fake.cr4 ^= 0x200;
    fake_msr(0xC0000080)->value ^= 0x800;
    play();
    assert_int_equal(core->wrong, 4);
}

/* The program waits until a command is sent, but not for ever. */
TEST(delivery)
{
    static const unsigned pauses[] = {1, 5, 1000, ~0u};

    for (unsigned i = 0; i < 4; i++) {
        fake_reset(4);
        fake.no_log = true;
        fake.delivery = pauses[i];
        apic_send_init(FAKE_APIC, ID);
        assert_int_equal(fake.pauses, pauses[i] == ~0u ? 100000 : pauses[i]);
        assert_int_equal(fake.apic[0x310 / 16], ID << 24);
    }
}

/* Runs the other core's loop: it takes its state once, then calls the functions that it is given, until INIT is sent
 * again. */
static void on_pause_serves(unsigned pauses)
{
    on_pause(pauses);
    if (core->function && core->done != core->request) {
        core->function(core->argument);
        core->done++;
    }
}

/* In x2APIC mode a command is one register write, and a core that reset has left in xAPIC mode is switched to the boot
 * core's mode before it touches a register. */
TEST(by_x2apic)
{
    set_up_with(0x83);
    fake.x2apic = true;
    facts.apic_msr |= 0x400;
    fake.apic[0x20 / 16] = 0x105;
    assert_int_equal(startup_prepare(&startup, &facts, (void *)LOW), STARTUP_OK);
    assert_int_equal(startup_own_id(&startup), 0x105);
    assert_true(startup_reaches(&startup, 0x1FF));
    startups_needed = 0;
    fake_clear_log();
    assert_int_equal(startup_begin(&startup, core, 0x103), STARTUP_SILENT);
    assert_int_equal(count("x2apic w 300 10300004500\n"), 2);
    assert_int_equal(count("x2apic w 300 10300004690\n"), 2);
    fake_msr(0x1B)->value = FAKE_APIC | 0x800;
    fake_msr(0x1B)->writable = ~0ull;
    fake_clear_log();
    play();
    assert_int_equal(fake_msr(0x1B)->value, FAKE_APIC | 0xC00);
    assert_true(strstr(fake.log, "wrmsr 1b ") < strstr(fake.log, "x2apic r f0"));
    assert_int_equal(core->wrong, 0);
    assert_true(core->switched);
    /* At its end the core is switched back to xAPIC mode, which INIT would not do, also after a rest, in which the core
     * keeps the mode. */
    core->resting = true;
    fake.on_pause = on_pause_serves;
    assert_int_equal(startup_wake(&startup, core, 0x103), STARTUP_SILENT);
    assert_true(core->switched);
    core->alive = 1;
    fake_clear_log();
    (void)startup_stop(&startup, core, 0x103);
    assert_true(strstr(fake.log, "wrmsr 1b fee00800") < strstr(fake.log, "x2apic w 300 10300004500"));
    assert_int_equal(fake_msr(0x1B)->value, FAKE_APIC | 0x800);
    assert_int_equal(core->wrong, 0);
    fake_msr(0x1B)->value |= 0x400;
    fake_msr(0x1B)->writable = ~0x400ull;
    core->done = core->request;
    (void)startup_stop(&startup, core, 0x103);
    assert_int_equal(core->wrong, 1);
}

static unsigned calls;
static void *last;

static void call(void *argument)
{
    assert_false(startup_ended(core));
    calls++;
    last = argument;
}

/* The core calls each function once, in order, and waits between calls. */
TEST_WITH(mailbox, set_up, NULL)
{
    calls = 0;
    low->entry = 0;
    (void)startup_begin(&startup, core, ID);
    assert_true(startup_ended(core));
    startup_run(core, call, &calls);
    assert_false(startup_ended(core));
    play();
    assert_int_equal(calls, 1);
    assert_ptr_equal(last, &calls);
    assert_true(startup_ended(core));
    assert_int_equal(core->alive, 1);
}

/* A core that is started again uses its mailbox and its stack until INIT has come: no byte of either changes before
 * INIT, nor within 10 ms after it. */
static uint64_t init_sent;
static unsigned checks;
static uint8_t before[STARTUP_CORE_BYTES];

static void on_pause_unchanged(unsigned pauses)
{
    if (count("apic w 300 4690"))
        return;
    assert_int_equal(count("apic w 300 4500"), 1);
    init_sent = init_sent ? init_sent : fake.tsc;
    if (pauses % 10 == 0 || fake.tsc - init_sent > 9980 * 1000)
        assert_memory_equal(block.bytes, before, sizeof before);
    checks++;
}

TEST_WITH(started_again, set_up, NULL)
{
    memset(before, 0xA5, sizeof before);
    memcpy(&block, before, sizeof before);
    fake.on_pause = on_pause_unchanged;
    init_sent = 0;
    checks = 0;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_SILENT);
    assert_true(checks > 9000);
    /* After that all state is new. */
    assert_int_equal(core->alive, 0);
    assert_int_equal(core->request, 0);
    assert_int_equal(core->done, 0);
    assert_null(core->function);
    assert_int_equal(core->wrong, 0);
    for (size_t i = sizeof *core; i < sizeof block; i++)
        assert_int_equal(block.bytes[i], 0);
}

/* Answers, like a core that survives INIT, that the core is still there. */
static void on_pause_answers(unsigned pauses)
{
    (void)pauses;
    if (survives_init)
        core->done = core->request;
}

TEST_WITH(stops, set_up, NULL)
{
    (void)startup_begin(&startup, core, ID);
    fake.on_pause = on_pause_answers;
    fake_clear_log();
    uint64_t start = fake.tsc;
    assert_true(startup_stop(&startup, core, ID));
    assert_in_range(fake.tsc - start, 2000 * 1000, 2010 * 1000); /* for INIT, and for an answer */
    assert_int_equal(count("apic w 310 3000000\napic w 300 4500\n"), 1);
    core->done = core->request;
    survives_init = true;
    assert_false(startup_stop(&startup, core, ID));
    /* A core whose function has not returned, and a core that never came, cannot be asked. */
    survives_init = false;
    core->done = core->request - 1;
    fake_clear_log();
    assert_false(startup_stop(&startup, core, ID));
    assert_int_equal(count("apic w 300 4500\n"), 1);
    core->done = core->request;
    core->alive = 0;
    assert_false(startup_stop(&startup, core, ID));
}

/* Sets the core's PAT, as reset does, before it is started. */
static void begin_with_pat(uint64_t value)
{
    fake_add_msr(0x2FF, 0, ~0ull);
    fake_msr(0x277)->value = value;
    fake.on_pause = on_pause_serves;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
}

enum { PAT_FOUND = 0x00070106 };

/* INIT leaves memory types unchanged, so they are restored before it. */
TEST_WITH(memory_types_given_back, set_up, NULL)
{
    begin_with_pat(PAT_FOUND);
    assert_int_equal(core->set, 1);
    assert_int_equal(fake_msr(0x277)->value, 0x0007040600070406);
    fake_clear_log();
    assert_true(startup_stop(&startup, core, ID));
    assert_int_equal(fake_msr(0x277)->value, PAT_FOUND);
    assert_int_equal(core->wrong, 0);
    assert_true(strstr(fake.log, "wrmsr 277 ") < strstr(fake.log, "apic w 300 4500"));
    /* A register that does not take the old value is counted. */
    (void)set_up(NULL);
    begin_with_pat(PAT_FOUND);
    fake_msr(0x277)->writable = 0;
    (void)startup_stop(&startup, core, ID);
    assert_int_equal(core->wrong, 1);
    /* If nothing was set, nothing is written; a core that does not come back to be restored is not known to have
     * stopped. */
    (void)set_up(NULL);
    begin_with_pat(0x0007040600070406);
    core->wrong = 3; /* from its start */
    fake_clear_log();
    assert_true(startup_stop(&startup, core, ID));
    assert_int_equal(count("wrmsr 277"), 0);
    assert_int_equal(core->wrong, 0);
    (void)set_up(NULL);
    begin_with_pat(PAT_FOUND);
    fake.on_pause = NULL;
    uint64_t start = fake.tsc;
    assert_false(startup_stop(&startup, core, ID));
    assert_in_range(fake.tsc - start, 500000 * 1000, 500010 * 1000);
    assert_int_equal(count("apic w 300 4500"), 2);
}

/* A resting core keeps the boot core's memory types, and after the rest still has the values that were found before. */
TEST_WITH(memory_types_kept_by_rest, set_up, NULL)
{
    begin_with_pat(PAT_FOUND);
    core->resting = true;
    startups_seen = 0;
    fake_clear_log();
    assert_int_equal(startup_wake(&startup, core, ID), STARTUP_OK);
    assert_false(core->resting);
    assert_int_equal(fake_msr(0x277)->value, 0x0007040600070406);
    assert_int_equal(core->set, 1);
    core->resting = true;
    startups_seen = 0;
    fake_clear_log();
    assert_true(startup_stop(&startup, core, ID));
    assert_int_equal(count("apic w 300 4500"), 2);
    assert_int_equal(fake_msr(0x277)->value, PAT_FOUND);
}

/* A resting core halts, and INIT ends the halt: the core can be started again, or be stopped without an answer. */
TEST_WITH(rests, set_up, NULL)
{
    (void)startup_begin(&startup, core, ID);
    assert_false(core->resting);
    startup_rest(core);
    fake.may_halt = true;
    if (!setjmp(fake.halt))
        play();
    running = false;
    assert_true(fake.halted);
    assert_true(startup_ended(core));
    startup_rest(core); /* once */
    assert_int_equal(core->request, 1);
    fake_clear_log();
    startups_seen = 0;
    assert_int_equal(startup_begin(&startup, core, ID), STARTUP_OK);
    assert_false(core->resting);
    assert_int_equal(core->alive, 1);
    startup_run(core, call, &calls);
    assert_false(startup_ended(core));
    core->done = core->request;
    /* A core that halts cannot answer, so it is started once more before it is stopped for good. */
    startup_rest(core);
    fake_clear_log();
    startups_seen = 0;
    assert_true(startup_stop(&startup, core, ID));
    assert_int_equal(count("apic w 300 4500\n"), 2);
    assert_int_equal(count("apic w 300 4690\n"), 1);
    assert_false(core->resting);
    assert_int_equal(core->request, 1);
    /* If the core does not come then, it is not known to have stopped. */
    core->done = core->request;
    startup_rest(core);
    startups_needed = 0;
    assert_false(startup_stop(&startup, core, ID));
}

TEST_WITH(identity, set_up, NULL)
{
    static _Alignas(4096) uint64_t middle[512], last_table[512];

    pml4[1] = (uintptr_t)directory | 3;
    assert_true(paging_identity(fake.cr3, 0x12345000, true));
    assert_false(paging_identity(fake.cr3, 0x8012345000, true)); /* the same 1 GB, elsewhere */
    assert_false(paging_identity(fake.cr3, 0x40000000, true));   /* not present */
    directory[1] = 0x40000083;
    assert_true(paging_identity(fake.cr3, 0x7FFFF000, true));
    directory[1] = 0x40000081; /* not writable */
    assert_false(paging_identity(fake.cr3, 0x7FFFF000, true));
    directory[1] = (uintptr_t)middle | 3;
    middle[0] = 0x40000083;
    middle[1] = (uintptr_t)last_table | 3;
    last_table[0] = 0x40200003;
    last_table[1] = 0x8000000040201003;
    last_table[2] = 0x40203003;
    assert_true(paging_identity(fake.cr3, 0x401FF000, true));
    assert_true(paging_identity(fake.cr3, 0x40200000, true));
    assert_false(paging_identity(fake.cr3, 0x40201000, true));
    assert_true(paging_identity(fake.cr3, 0x40201000, false));
    assert_false(paging_identity(fake.cr3, 0x40202000, true));
}

static int map_low(void **state)
{
    void *page = mmap((void *)LOW, STARTUP_LOW_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return page == (void *)LOW ? 0 : -1;
}

RUN_TESTS(map_low, NULL)
