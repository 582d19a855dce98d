/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/stacks/unwind.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

/* PROCESSES: number of those with open files, some ten each. */
enum { ABI_64 = 2, DWARF_REGISTERS = 17, STACK_POINTER = 7, PROCESSES = 32 };

/* Linux' numbers (enum perf_event_x86_regs) of the registers by DWARF's: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to
 * r15, and the return address, which is rip (System V ABI, AMD64 supplement, figure 3.36). */
static const uint8_t linux_register[DWARF_REGISTERS] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8};

/* A process with its mapped files. */
struct unwound {
    uint32_t pid, changes;
    Dwfl *dwfl; /* NULL: unwinding is impossible */
};

struct unwinder {
    const struct run_profile *profile;
    struct object_search search;
    struct unwound processes[PROCESSES];
    uint32_t count; /* number so far; only the latest are kept */
    /* The sample */
    Dwarf_Word registers[DWARF_REGISTERS];
    const struct perfdata_item *item;
    uint64_t *addresses;
    uint32_t depth, most;
};

struct unwinder *unwinder_make(const struct run_profile *profile, const struct object_search *search)
{
    struct unwinder *unwinder = must_new(unwinder);

    unwinder->profile = profile;
    unwinder->search = *search;
    if (!unwinder->search.beside)
        unwinder->search.beside = profile->facts->path;
    return unwinder;
}

void unwinder_free(struct unwinder *unwinder)
{
    for (uint32_t i = 0; i < PROCESSES; i++)
        if (unwinder->processes[i].dwfl)
            dwfl_end(unwinder->processes[i].dwfl);
    free(unwinder);
}

/* ---------------------------------------------------------------- what libdwfl asks for */

/* The only thread is that of the sample. */
static pid_t next_thread(Dwfl *dwfl, void *argument, void **thread_argument)
{
    (void)dwfl;
    (void)argument;
    (void)thread_argument;
    return 0;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *argument, void **thread_argument)
{
    (void)dwfl;
    (void)tid;
    *thread_argument = argument;
    return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *ret_word, void *argument)
{
    const struct unwinder *unwinder = argument;
    uint64_t at = address - unwinder->registers[STACK_POINTER], size = unwinder->item->user_stack_size;

    (void)dwfl;
    if (at >= size || size - at < sizeof(*ret_word))
        return false;
    memcpy(ret_word, unwinder->item->user_stack + at, sizeof(*ret_word));
    return true;
}

static bool set_registers(Dwfl_Thread *thread, void *argument)
{
    return dwfl_thread_state_registers(thread, 0, DWARF_REGISTERS, ((struct unwinder *)argument)->registers);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {.next_thread = next_thread,
                                                       .get_thread = get_thread,
                                                       .memory_read = read_memory,
                                                       .set_initial_registers = set_registers};

/* debuginfod is used only if DEBUGINFOD_URLS is set, for files without frame information. */
static const Dwfl_Callbacks file_callbacks = {.find_elf = dwfl_build_id_find_elf,
                                              .find_debuginfo = dwfl_standard_find_debuginfo};

/* ---------------------------------------------------------------- processes */

static void report_file(struct unwinder *unwinder, Dwfl *dwfl, const struct spaces_file *file,
                        const struct spaces_range *range)
{
    const struct object *object =
        object_get(unwinder->profile->opened, &unwinder->search, file->name, file->build_id, file->build_id_size);
    uint64_t rva;

    if (object->path && object_address(object, range->page_offset, &rva))
        (void)dwfl_report_elf(dwfl, file->name, object->path, -1, range->start - rva, true);
}

static Dwfl *report_files(struct unwinder *unwinder, struct spaces *spaces, uint32_t pid)
{
    Dwfl *dwfl = dwfl_begin(&file_callbacks);
    uint32_t count = spaces_range_count(spaces, pid), before = UINT32_MAX;

    if (!dwfl)
        return NULL;
    dwfl_report_begin(dwfl);
    for (uint32_t i = 0; i < count; i++) {
        struct spaces_range range = spaces_range_at(spaces, pid, i);
        const struct spaces_file *file = spaces_file(spaces, range.file);

        /* Ranges of a file follow one another. */
        if (range.file != before && !file->perf_map)
            report_file(unwinder, dwfl, file, &range);
        before = range.file;
    }
    if (dwfl_report_end(dwfl, NULL, NULL) == 0 &&
        dwfl_attach_state(dwfl, NULL, (pid_t)pid, &thread_callbacks, unwinder))
        return dwfl;
    dwfl_end(dwfl);
    return NULL;
}

static Dwfl *process_of(struct unwinder *unwinder, struct spaces *spaces, uint32_t pid)
{
    uint32_t changes = spaces_changes(spaces, pid), place = 0;
    struct unwound *process;

    while (place < PROCESSES && place < unwinder->count && unwinder->processes[place].pid != pid)
        place++;
    if (place == PROCESSES || place == unwinder->count)
        place = unwinder->count++ % PROCESSES;
    process = &unwinder->processes[place];
    if (process->pid != pid || process->changes != changes) {
        if (process->dwfl)
            dwfl_end(process->dwfl);
        *process = (struct unwound){pid, changes, report_files(unwinder, spaces, pid)};
    }
    return process->dwfl;
}

/* ---------------------------------------------------------------- samples */

static int add_frame(Dwfl_Frame *frame, void *argument)
{
    struct unwinder *unwinder = argument;
    Dwarf_Addr address;
    bool interrupted;

    if (unwinder->depth == unwinder->most || !dwfl_frame_pc(frame, &address, &interrupted))
        return DWARF_CB_ABORT;
    unwinder->addresses[unwinder->depth++] = address - (interrupted || address == 0 ? 0 : 1);
    return DWARF_CB_OK;
}

uint32_t unwinder_addresses(struct unwinder *unwinder, struct spaces *spaces, const struct perfdata_item *item,
                            uint64_t *addresses, uint32_t most)
{
    Dwfl *dwfl;

    if (item->user_abi != ABI_64 || item->user_stack_size == 0)
        return 0;
    for (unsigned i = 0; i < DWARF_REGISTERS; i++)
        if (!perfdata_user_register(item, linux_register[i], &unwinder->registers[i]))
            return 0;
    dwfl = process_of(unwinder, spaces, item->pid);
    unwinder->item = item;
    unwinder->addresses = addresses;
    unwinder->most = most;
    unwinder->depth = 0;
    if (dwfl)
        (void)dwfl_getthread_frames(dwfl, (pid_t)item->tid, add_frame, unwinder);
    if (unwinder->depth == 0 && most > 0)
        addresses[unwinder->depth++] = unwinder->registers[DWARF_REGISTERS - 1];
    return unwinder->depth;
}
