/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/plugin/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A PC's memory: from 0 to below the PCI hole, and from 4 GB on. The first megabyte has holes, and addresses that no
 * process may map. */
#define MB (1ull << 20)
#define GB (1ull << 30)
static const uint64_t begins[] = {MB, 4 * GB};
enum { PIECES = sizeof begins / sizeof begins[0] };
_Static_assert(PIECES == sizeof((struct memory *)0)->pieces / sizeof(struct piece), "a begin for each piece");

static const char *failed(struct memory *memory, const char *what, uint64_t address)
{
    snprintf(memory->problem, sizeof memory->problem, "memory at %llxh: %s: %s", (unsigned long long)address, what,
             strerror(errno));
    return memory->problem;
}

/* Reserves addresses, which must be free: an existing mapping would be lost. */
static bool reserve(uint64_t begin, uint64_t bytes)
{
    void *at = (void *)begin;
    return mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) == at;
}

static const char *map_piece(struct memory *memory, const struct qemu_calls *qemu, struct piece *piece, uint64_t begin)
{
    uint64_t length = 1ull << 40;
    void *host = qemu->map(begin, &length, true), *at = (void *)begin;
    if (!host)
        return NULL; /* no such memory */
    qemu->unmap(host, length, false, 0);
    if (length < MB)
        return NULL; /* a device: QEMU returned a bounce buffer */
    if (!reserve(begin, length))
        return failed(memory, "the addresses are taken", begin);
    /* For shared memory, an old size of 0 maps the same pages a second time (mremap(2)). */
    if (mremap(host, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, at) != at)
        return failed(memory, "cannot be mapped again (is it share=on?)", begin);
    if (mprotect(at, length, PROT_READ | PROT_WRITE | PROT_EXEC))
        return failed(memory, "cannot be made executable", begin);
    (void)madvise(at, length, MADV_HUGEPAGE);
    *piece = (struct piece){begin, begin + length};
    return NULL;
}

const char *memory_map(struct memory *memory, const struct qemu_calls *qemu)
{
    for (unsigned i = 0; i < PIECES; i++) {
        const char *wrong = map_piece(memory, qemu, &memory->pieces[i], begins[i]);
        if (wrong)
            return wrong;
    }
    return memory->pieces[0].end ? NULL : "no memory above 1 MB";
}

bool memory_has(const struct memory *memory, uint64_t address, uint64_t bytes)
{
    for (unsigned i = 0; i < PIECES; i++)
        if (address >= memory->pieces[i].begin && address < memory->pieces[i].end &&
            bytes <= memory->pieces[i].end - address)
            return true;
    return false;
}

uint64_t memory_end(const struct memory *memory)
{
    return memory->pieces[0].end;
}
