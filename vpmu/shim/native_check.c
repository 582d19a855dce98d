/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of what the plugin relies on in QEMU: vpmu/plugin/plugin.c lists them. */
#include "vpmu/shim/native.h"

#include "vpmu/shim/native_check.h"
#include "vpmu/shim/prepared.h"

bool native_stepping;

/* At a fixed address, because the plugin writes to it. */
struct plugin_link plugin_link = {.magic = PLUGIN_MAGIC, .version = PLUGIN_VERSION, .size = sizeof(struct plugin_link)};

#define RING(bell) [bell] = {PLUGIN_MAGIC, bell, 0, &plugin_link, 0}
const struct plugin_ring plugin_rings[BELLS] = {
    RING(BELL_CONNECT), RING(BELL_CHECK), RING(BELL_CHECKED), RING(BELL_ARM), RING(BELL_DISARM), RING(BELL_WORK),
};

/* Lists what the plugin is to announce: the instructions of native_check_run(), each with the registers set there. */
static const char *const expected[] = {native_check_first, native_check_second, native_check_stop, native_check_last};
enum { EXPECTED = sizeof expected / sizeof expected[0] };

static struct {
    unsigned announced;
    bool rip_wrong, registers_wrong;
    const char *problem;
} seen = {.problem = "no plugin answers"};

/* Called natively. */
static uint32_t announced(uint32_t core, uint64_t rip, uint64_t gpr[16])
{
    unsigned number = seen.announced++;
    if (number >= EXPECTED || rip != (uint64_t)expected[number])
        seen.rip_wrong = true;
    for (unsigned i = 0; i < 16; i++) {
        /* The second instruction adds 1 to RAX. */
        uint64_t value = NATIVE_CHECK_VALUE * (i + 1) + (i == GPR_RAX && number >= 2);
        if (i != GPR_RSP && gpr[i] != value)
            seen.registers_wrong = true;
    }
    if (rip == (uint64_t)native_check_stop)
        return PLUGIN_SKIP + (uint32_t)(native_check_last - native_check_stop);
    return PLUGIN_GO_ON;
}

static bool refuse(const char *why)
{
    seen.problem = why;
    return false;
}

static bool check(void)
{
    native_check_run();
    if (plugin_link.problem[0])
        return refuse(plugin_link.problem);
    if (seen.announced == 0)
        return refuse("step: an instruction was not announced");
    if (seen.rip_wrong)
        return refuse("rip: an instruction was announced with another's address");
    if (seen.registers_wrong)
        return refuse("registers: they are not those of the guest");
    if (native_check_executed)
        return refuse("stop: an instruction that was to be left out has executed");
    return seen.announced == EXPECTED || refuse("step: an instruction was not announced");
}

bool native_connect(uint64_t low, uint64_t high)
{
    plugin_link.low = low;
    plugin_link.high = high;
    plugin_link.check = announced;
    plugin_link.check_low = (uint64_t)native_check_first;
    plugin_link.check_high = (uint64_t)native_check_last + 1;
    plugin_link.boundary = native_boundary;
    plugin_link.work = prepared_work;
    plugin_link.question = x86_rdtsc();
    PLUGIN_RING(BELL_CONNECT);
    if (plugin_link.problem[0])
        return refuse(plugin_link.problem);
    if (plugin_link.answer != ~plugin_link.question)
        return refuse("no plugin answers");
    native_stepping = check();
    return native_stepping;
}

const char *native_problem(void)
{
    return seen.problem;
}
