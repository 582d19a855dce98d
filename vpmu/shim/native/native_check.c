/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of what the plugin relies on in QEMU: vpmu/plugin/plugin.c lists them. */
#include "vpmu/shim/hypervisor.h"

#include "vpmu/shim/native/native_check.h"
#include "vpmu/shim/native/prepared.h"

static struct native *const native = &hypervisor.native;

#define RING(bell) [bell] = {PLUGIN_MAGIC, bell, 0, &hypervisor.native.link, 0}
const struct plugin_ring plugin_rings[BELLS] = {
    RING(BELL_CONNECT), RING(BELL_CHECK), RING(BELL_CHECKED), RING(BELL_ARM), RING(BELL_DISARM), RING(BELL_WORK),
};

/* Lists what the plugin is to announce: the instructions of native_check_run(), each with the registers set there. */
static const char *const expected[] = {native_check_first, native_check_second, native_check_stop, native_check_last};
enum { EXPECTED = sizeof expected / sizeof expected[0] };

/* Called natively. */
static uint32_t announced(uint32_t core, uint64_t rip, uint64_t gpr[16])
{
    unsigned number = native->announced++;
    if (number >= EXPECTED || rip != (uint64_t)expected[number])
        native->rip_wrong = true;
    for (unsigned i = 0; i < 16; i++) {
        /* The second instruction adds 1 to RAX. */
        uint64_t value = NATIVE_CHECK_VALUE * (i + 1) + (i == GPR_RAX && number >= 2);
        if (i != GPR_RSP && gpr[i] != value)
            native->registers_wrong = true;
    }
    if (rip == (uint64_t)native_check_stop)
        return PLUGIN_SKIP + (uint32_t)(native_check_last - native_check_stop);
    return PLUGIN_GO_ON;
}

static bool refuse(const char *why)
{
    native->problem = why;
    return false;
}

static bool check(void)
{
    native_check_run();
    if (native->link.problem[0])
        return refuse(native->link.problem);
    if (native->announced == 0)
        return refuse("step: an instruction was not announced");
    if (native->rip_wrong)
        return refuse("rip: an instruction was announced with another's address");
    if (native->registers_wrong)
        return refuse("registers: they are not those of the guest");
    if (native_check_executed)
        return refuse("stop: an instruction that was to be left out has executed");
    return native->announced == EXPECTED || refuse("step: an instruction was not announced");
}

bool native_connect(uint64_t low, uint64_t high)
{
    native->link = (struct plugin_link){.magic = PLUGIN_MAGIC, .version = PLUGIN_VERSION, .size = sizeof native->link};
    native->link.low = low;
    native->link.high = high;
    native->link.check = announced;
    native->link.check_low = (uint64_t)native_check_first;
    native->link.check_high = (uint64_t)native_check_last + 1;
    native->link.boundary = native_boundary;
    native->link.work = prepared_work;
    native->link.question = x86_rdtsc();
    PLUGIN_RING(BELL_CONNECT);
    if (native->link.problem[0])
        return refuse(native->link.problem);
    if (native->link.answer != ~native->link.question)
        return refuse("no plugin answers");
    native->stepping = check();
    return native->stepping;
}

const char *native_problem(void)
{
    return native->problem;
}
