/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/cores/core_start.h"

#include "app/base/physical.h"
#include "app/settings/options.h"
#include "core/base/mem.h"
#include "core/platform/madt.h"

enum { ROOM_BYTES = 4096 }; /* list of cores started by this program; doubled when full */

static struct core_start *start_of(struct firmware *fw)
{
    return (struct core_start *)fw;
}

/* ---------------------------------------------------------------- needs of the program's own start */

static enum firmware_error prepare(struct core_start *start)
{
    const struct machine *machine = start->machine;
    const struct startup_facts facts = {machine->apic_msr, machine->tsc_khz, machine->nxe,
                                        machine_registers_known(machine)};

    if (start->ready)
        return start->error;
    start->ready = true;
    start->low = start->under->allocate_low(start->under, STARTUP_LOW_BYTES);
    start->error =
        !start->low || startup_prepare(&start->startup, &facts, start->low) ? FIRMWARE_NO_LOW_MEMORY : FIRMWARE_OK;
    return start->error;
}

/* Lists the cores; the boot core is 0, as with firmware. A table without the boot core is from another machine. */
static enum firmware_error list_cores(struct core_start *start)
{
    enum firmware_error error = prepare(start);
    struct madt madt = {0};
    uint32_t self;
    bool listed = false;

    if (error || start->count)
        return error;
    self = startup_own_id(&start->startup);
    if (madt_find(&physical_mapped, start->under->tables(start->under, FIRMWARE_ACPI), &madt))
        return FIRMWARE_NO_TABLE;
    for (uint32_t i = 0; i < madt.cores; i++)
        listed |= madt.apic_id[i] == self;
    if (!listed)
        return FIRMWARE_NO_TABLE;
    start->apic_id = start->under->allocate(start->under, madt.cores * sizeof(*start->apic_id), 4096);
    if (!start->apic_id)
        return FIRMWARE_NO_MEMORY;
    start->listed = madt.cores;
    start->apic_id[start->count++] = self;
    for (uint32_t i = 0; i < madt.cores; i++)
        if (madt.apic_id[i] != self && startup_reaches(&start->startup, madt.apic_id[i]))
            start->apic_id[start->count++] = madt.apic_id[i];
    start->firmware.unreached = madt.cores - start->count;
    start->more = start->firmware.unreached ? 0 : madt.more;
    return FIRMWARE_OK;
}

/* ---------------------------------------------------------------- which cores there are */

static enum firmware_error firmware_cores(struct core_start *start, uint32_t *ret_count)
{
    if (!start->counted)
        start->count_error = start->under->count_cores(start->under, &start->firmware_count);
    start->counted = true;
    *ret_count = start->firmware_count;
    return start->count_error;
}

/* Counts the cores of ACPI's list, not the firmware's. */
static bool counts_own(struct core_start *start, uint32_t *ret_count, enum firmware_error *ret_error)
{
    *ret_error = FIRMWARE_OK;
    if (*start->how != OPTIONS_CORES_OWN) {
        *ret_error = firmware_cores(start, ret_count);
        if (!*ret_error || *start->how == OPTIONS_CORES_FIRMWARE)
            return false;
    }
    *ret_error = list_cores(start);
    *ret_count = *ret_error ? 1 : start->count;
    return true;
}

static enum firmware_error count_cores(struct firmware *fw, uint32_t *ret_count)
{
    struct core_start *start = start_of(fw);
    enum firmware_error error;

    if (counts_own(start, ret_count, &error) && !error)
        *ret_count += start->more;
    return error;
}

static enum firmware_error core_apic_id(struct firmware *fw, uint32_t core, uint32_t *ret_id)
{
    struct core_start *start = start_of(fw);
    enum firmware_error error;
    uint32_t count;

    if (!counts_own(start, &count, &error))
        return start->under->core_apic_id(start->under, core, ret_id);
    if (error || core >= count)
        return error ? error : FIRMWARE_NOT_FOUND;
    *ret_id = start->apic_id[core];
    return FIRMWARE_OK;
}

/* Returns NULL if this program has not started the core. */
static struct core_start_own *own_of(struct core_start *start, uint32_t core)
{
    uint32_t id;

    if (!start->owned || core_apic_id(&start->firmware, core, &id))
        return NULL;
    for (uint32_t i = 0; i < start->owned; i++)
        if (start->own[i].apic_id == id)
            return &start->own[i];
    return NULL;
}

/* ---------------------------------------------------------------- starting one */

/* Returns false if there is no memory for one more core. */
static bool make_room(struct core_start *start)
{
    struct firmware *under = start->under;
    size_t used = start->owned * sizeof(*start->own), more = start->own ? 2 * start->own_bytes : ROOM_BYTES;
    struct core_start_own *own;

    if (used + sizeof(*own) <= start->own_bytes)
        return true;
    own = under->allocate(under, more, 4096);
    if (!own)
        return false;
    if (start->own) {
        memcpy(own, start->own, used);
        under->release(under, start->own, start->own_bytes);
    }
    start->own = own;
    start->own_bytes = more;
    return true;
}

static enum firmware_error start_own(struct core_start *start, uint32_t core, void (*function)(void *argument),
                                     void *argument)
{
    struct firmware *under = start->under;
    struct core_start_own *own;
    enum firmware_error error = prepare(start);
    struct startup_core *memory;
    uint32_t id;

    if (!error)
        error = core_apic_id(&start->firmware, core, &id);
    if (error)
        return error;
    if (!make_room(start))
        return FIRMWARE_NO_MEMORY;
    /* below 4 GB, so that runs have the same memory whoever starts the cores */
    memory = under->allocate_in(under, STARTUP_CORE_BYTES, 4096, 1 << 20, 1ull << 32);
    if (!memory)
        memory = under->allocate(under, STARTUP_CORE_BYTES, 4096);
    if (!memory)
        return FIRMWARE_NO_LOW_MEMORY;
    own = &start->own[start->owned++];
    *own = (struct core_start_own){.core = memory, .apic_id = id};
    if (startup_begin(&start->startup, memory, id)) {
        own->core = NULL;
        return FIRMWARE_CORE_SILENT;
    }
    startup_run(memory, function, argument);
    return FIRMWARE_OK;
}

static bool change(struct core_start_call *call, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&call->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static size_t calls_size(const struct core_start *start)
{
    return start->firmware_count * sizeof(*start->call);
}

/* Runs on the other core, called by the firmware. */
static void begin_call(void *argument)
{
    struct core_start_call *call = argument;

    if (change(call, CORE_START_CALLED, CORE_START_BEGUN))
        call->function(call->argument);
}

static enum firmware_error start_under(struct core_start *start, uint32_t core, void (*function)(void *argument),
                                       void *argument)
{
    struct core_start_call *call, before;
    enum firmware_error error;

    if (core >= start->firmware_count)
        return FIRMWARE_NOT_FOUND;
    if (!start->call)
        start->call = start->under->allocate(start->under, calls_size(start), 4096);
    if (!start->call)
        return FIRMWARE_NO_MEMORY;
    call = &start->call[core];
    before = *call;
    if (before.state != CORE_START_CALLED) /* otherwise the firmware may still begin the earlier call */
        *call = (struct core_start_call){function, argument, CORE_START_CALLED};
    error = start->under->start_core(start->under, core, begin_call, call);
    if (error && before.state != CORE_START_CALLED)
        *call = before;
    return error;
}

/* Returns whether the firmware does not start the core, and nothing of ours runs there or will. */
static bool may_take(struct core_start *start, uint32_t core, enum firmware_error error)
{
    return *start->how == OPTIONS_CORES_AUTO &&
           (error == FIRMWARE_CORE_REFUSED || error == FIRMWARE_FAILED ||
            (error == FIRMWARE_CORE_BUSY && (start->under->core_ended(start->under, core) ||
                                             change(&start->call[core], CORE_START_CALLED, CORE_START_TAKEN))));
}

static enum firmware_error start_core(struct firmware *fw, uint32_t core, void (*function)(void *argument),
                                      void *argument)
{
    struct core_start *start = start_of(fw);
    struct core_start_own *own = own_of(start, core);
    enum firmware_error error;
    uint32_t count;

    if (own && !own->core)
        return FIRMWARE_CORE_SILENT;
    if (own && !startup_ended(own->core))
        return FIRMWARE_CORE_BUSY;
    if (own && own->core->resting && startup_wake(&start->startup, own->core, own->apic_id)) {
        own->core = NULL;
        return FIRMWARE_CORE_SILENT;
    }
    if (own) {
        startup_run(own->core, function, argument);
        return FIRMWARE_OK;
    }
    if (counts_own(start, &count, &error)) {
        if (error || !core || core >= count)
            return error ? error : FIRMWARE_NOT_FOUND;
        return start_own(start, core, function, argument);
    }
    error = start_under(start, core, function, argument);
    if (error && may_take(start, core, error) && !prepare(start))
        error = start_own(start, core, function, argument);
    return error;
}

static bool core_ended(struct firmware *fw, uint32_t core)
{
    struct core_start *start = start_of(fw);
    const struct core_start_own *own = own_of(start, core);
    enum firmware_error error;
    uint32_t count;

    if (own)
        return !own->core || startup_ended(own->core);
    return counts_own(start, &count, &error) || start->under->core_ended(start->under, core);
}

static void rest_cores(struct firmware *fw)
{
    struct core_start *start = start_of(fw);

    for (uint32_t i = 0; i < start->owned; i++)
        if (start->own[i].core && startup_ended(start->own[i].core))
            startup_rest(start->own[i].core);
}

static void core_started(struct firmware *fw, uint32_t core, struct firmware_start *ret_start)
{
    struct core_start *start = start_of(fw);
    const struct core_start_own *own = own_of(start, core);
    enum firmware_error error;
    uint32_t count;

    *ret_start = (struct firmware_start){0};
    if (!counts_own(start, &count, &error))
        start->under->core_started(start->under, core, ret_start);
    ret_start->own = own != NULL;
    ret_start->kept = !own && *start->how == OPTIONS_CORES_AUTO && start->call && core < start->firmware_count &&
                      __atomic_load_n(&start->call[core].state, __ATOMIC_ACQUIRE) == CORE_START_CALLED;
    if (own && own->core) {
        ret_start->set = own->core->set;
        ret_start->wrong = own->core->wrong;
    }
}

void core_start_print(struct out *out, const struct firmware_start *start)
{
    out_printf(out, "%s", start->own ? "INIT and STARTUP" : "the firmware");
    if (start->status)
        out_printf(out, " (MP Services: EFI_STATUS %lx)", start->status);
}

/* ---------------------------------------------------------------- begin and end */

void core_start_init(struct core_start *start, struct firmware *under, const struct machine *machine,
                     const uint32_t *how)
{
    *start = (struct core_start){.firmware = *under, .under = under, .machine = machine, .how = how};
    start->firmware.count_cores = count_cores;
    start->firmware.start_core = start_core;
    start->firmware.core_ended = core_ended;
    start->firmware.rest_cores = rest_cores;
    start->firmware.core_apic_id = core_apic_id;
    start->firmware.core_started = core_started;
}

/* Frees the lists, except for calls that the firmware may still begin. */
static void release_lists(struct core_start *start)
{
    struct firmware *under = start->under;
    bool waits = false;

    for (uint32_t i = 0; start->call && i < start->firmware_count; i++) {
        uint32_t state = __atomic_load_n(&start->call[i].state, __ATOMIC_ACQUIRE);

        waits |= state == CORE_START_CALLED || state == CORE_START_TAKEN;
    }
    if (start->call && !waits)
        under->release(under, start->call, calls_size(start));
    if (start->apic_id)
        under->release(under, start->apic_id, start->listed * sizeof(*start->apic_id));
    if (start->own)
        under->release(under, start->own, start->own_bytes);
}

void core_start_end(struct core_start *start, struct out *out)
{
    struct firmware *under = start->under;
    bool all = true;
    uint32_t count;

    for (uint32_t i = 0; i < start->owned; i++) {
        struct startup_core *core = start->own[i].core;
        bool lost = !core || !startup_ended(core);
        bool stopped = core && startup_stop(&start->startup, core, start->own[i].apic_id);

        if (!lost && core->wrong)
            out_printf(out, "The core with APIC ID %u did not get back %u registers: reset the machine.\n",
                       start->own[i].apic_id, core->wrong);
        if (stopped) {
            under->release(under, core, STARTUP_CORE_BYTES);
            continue;
        }
        all = false; /* its memory stays allocated, so that nothing else is loaded there */
        if (!lost)
            out_printf(out, "The core with APIC ID %u does not stop at INIT: switch the machine off.\n",
                       start->own[i].apic_id);
    }
    if (all && start->low)
        under->release(under, start->low, STARTUP_LOW_BYTES);
    release_lists(start);
    if (start->owned && !firmware_cores(start, &count))
        out_printf(out, "Cores were started without the firmware, which does not know this: reset the\nmachine before "
                        "you start other software that needs them.\n");
}
