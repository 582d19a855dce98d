/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that QEMU exports for its modules. */
#include "vpmu/plugin/qemu.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Two names: before and after the big lock was renamed (QEMU 9.0). */
static const struct {
    size_t offset;
    const char *names[2];
} rows[] = {
    {offsetof(struct qemu_calls, get_cpu), {"qemu_get_cpu"}},
    {offsetof(struct qemu_calls, interrupt), {"cpu_interrupt"}},
    {offsetof(struct qemu_calls, exit), {"cpu_exit"}},
    {offsetof(struct qemu_calls, loop_exit), {"cpu_loop_exit"}},
    {offsetof(struct qemu_calls, loop_exit_restore), {"cpu_loop_exit_restore"}},
    {offsetof(struct qemu_calls, vmexit), {"cpu_vmexit"}},
    {offsetof(struct qemu_calls, curr_cflags), {"curr_cflags"}},
    {offsetof(struct qemu_calls, map), {"cpu_physical_memory_map"}},
    {offsetof(struct qemu_calls, unmap), {"cpu_physical_memory_unmap"}},
    {offsetof(struct qemu_calls, memory), {"cpu_memory_rw_debug"}},
    {offsetof(struct qemu_calls, lock), {"bql_lock_impl", "qemu_mutex_lock_iothread_impl"}},
    {offsetof(struct qemu_calls, unlock), {"bql_unlock", "qemu_mutex_unlock_iothread"}},
};

const char *qemu_find_calls(struct qemu_calls *calls)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        void *found = dlsym(RTLD_DEFAULT, rows[i].names[0]);
        if (!found && rows[i].names[1])
            found = dlsym(RTLD_DEFAULT, rows[i].names[1]);
        if (!found)
            return rows[i].names[0];
        *(void **)((char *)calls + rows[i].offset) = found;
    }
    return NULL;
}

/* curr_cflags() reads the field from a CPUState: here from one in which bits 31:16 of each 32-bit word are the word's
 * index. */
size_t qemu_find_cflags(const struct qemu_calls *calls)
{
    enum { WORDS = 32768, NUMBER = 16 };
    uint32_t *state = malloc(WORDS * sizeof *state);
    if (!state)
        return 0;
    for (uint32_t i = 0; i < WORDS; i++)
        state[i] = i << NUMBER;
    uint32_t word = calls->curr_cflags(state) >> NUMBER;
    memset(state, 0, WORDS * sizeof *state);
    uint32_t plain = calls->curr_cflags(state);
    state[word] = 1u << 31;
    uint32_t marked = calls->curr_cflags(state);
    free(state);
    return marked == (plain | 1u << 31) ? word * sizeof *state : 0;
}
