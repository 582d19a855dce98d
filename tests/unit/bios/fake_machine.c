/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/test.h"
#include "tests/unit/bios/fake_machine.h"

#include <string.h>
#include <sys/mman.h>

#include "bios/bios.h"
#include "bios/console.h"
#include "drivers/cpu/cpu.h"
#include "tests/unit/bios/fake_disks.h"
#include "tests/unit/bios/fake_ports.h"
#include "tests/unit/bios/fake_pxe.h"

struct fake_machine fake_machine;

/* Returns how often a mailbox of the fake will still be asked in vain. */
static unsigned *left_of(const struct startup_core *core)
{
    return (unsigned *)((uint8_t *)core + STARTUP_CORE_BYTES - sizeof(unsigned));
}

void fake_machine_init(void)
{
    static const struct boot_range ranges[] = {{MACHINE_LOW, MACHINE_LOW_BYTES, 1}, {MACHINE_AT, MACHINE_BYTES, 1}};
    static bool mapped;

    for (unsigned i = 0; i < 2 && !mapped; i++)
        assert_ptr_equal(mmap((void *)ranges[i].base, ranges[i].length, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0),
                         (void *)ranges[i].base);
    mapped = true;
    /* Memory that is allocated first is not cleared. */
    memset((uint8_t *)MACHINE_AT + MACHINE_BYTES - 64 * MEMORY_PAGE, 0x5a, 64 * MEMORY_PAGE);
    memory_init(&bios.memory, ranges, 2);
    /* The processor is Family 10h model 4; by AMD's CPUID Specification (25481) this is family 0Fh + 01h, model 04h. */
    fake_machine = (struct fake_machine){.reach = 63, .vendor = 0x68747541, .version = 0x00100f42, .efer = 0xd00};
}

void fake_begin(void)
{
    ports_reset();
    console_end();
    console_serial();
    fake_disks_init();
    fake_pxe_init();
    fake_machine_init();
}

/* ---------------------------------------------------------------- the processor */

void cpu_cpuid(uint32_t leaf, uint32_t subleaf, struct cpu_cpuid *ret)
{
    *ret = leaf == 0 ? (struct cpu_cpuid){.eax = 6, .ebx = fake_machine.vendor, .ecx = 0x444d4163, .edx = 0x69746e65}
                     : (struct cpu_cpuid){.eax = fake_machine.version};
}

uint64_t cpu_rdmsr(uint32_t msr)
{
    return msr == 0xc0000080 ? fake_machine.efer : msr == 0x1b ? 0xfee00900 : 0;
}

/* ---------------------------------------------------------------- cores */

enum startup_error startup_prepare(struct startup *startup, const struct startup_facts *facts, void *low)
{
    fake_machine.told = *facts;
    fake_machine.low = low;
    return fake_machine.no_apic ? STARTUP_NO_APIC : STARTUP_OK;
}

uint32_t startup_own_id(const struct startup *startup)
{
    return fake_machine.own_id;
}

bool startup_reaches(const struct startup *startup, uint32_t apic_id)
{
    return apic_id <= fake_machine.reach;
}

enum startup_error startup_begin(const struct startup *startup, struct startup_core *core, uint32_t apic_id)
{
    memset(core, 0, STARTUP_CORE_BYTES);
    fake_machine.begun[apic_id]++;
    fake_machine.last_id = apic_id;
    return fake_machine.silent >> apic_id & 1 ? STARTUP_SILENT : STARTUP_OK;
}

void startup_run(struct startup_core *core, void (*function)(void *argument), void *argument)
{
    assert_true(core->request == core->done);
    core->function = function;
    core->argument = argument;
    core->request++;
    *left_of(core) = fake_machine.delay;
}

bool startup_ended(const struct startup_core *core)
{
    struct startup_core *mutable = (struct startup_core *)core;
    unsigned *left = left_of(core);

    if (core->request != core->done && (*left)-- == 0) {
        core->function(core->argument);
        mutable->done++;
    }
    return core->request == core->done;
}

void startup_rest(struct startup_core *core)
{
    assert_true(core->request == core->done);
    fake_machine.rests++;
}
