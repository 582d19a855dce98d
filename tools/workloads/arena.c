/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/workloads/arena.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux include/uapi/asm-generic/mman-common.h, since 4.17 */
#endif

enum {
    STACK_BYTES = 65536, /* SESSION_STACK_BYTES of drivers/session/session.h */
    SLOT_FIRST = 128,    /* as drivers/cpu/paging.c */
    SLOT_LAST = 254,     /* the process's own stack is in the last one */
    SLOT_SHIFT = 39,
    HUGE_SHIFT = 26, /* MAP_HUGE_SHIFT: log2 of the page size, Linux include/uapi/linux/mman.h */
    GOOD_PAGE = 4096,
};

static const unsigned page_shift[] = {[TWIN_4K] = 12, [TWIN_2M] = 21, [TWIN_1G] = 30};

/* Maps the first free slot, or NULL with errno. Missing huge pages end the search. */
static void *map(size_t size, int flags)
{
    for (uint64_t slot = SLOT_FIRST; slot <= SLOT_LAST; slot++) {
        void *wanted = (void *)(uintptr_t)(slot << SLOT_SHIFT);
        void *got = mmap(wanted, size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | flags, -1, 0);

        if (got == wanted)
            return got;
        if (got != MAP_FAILED) { /* a kernel that does not know the flag takes the address as a hint */
            munmap(got, size);
            errno = EEXIST;
        }
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static size_t round_up(size_t size, unsigned shift)
{
    return (size + (1ull << shift) - 1) >> shift << shift;
}

bool arena_open(struct arena *arena, size_t bytes, enum twin_pages pages)
{
    unsigned shift = page_shift[pages];

    *arena = (struct arena){.asked = pages, .size = round_up(bytes, page_shift[TWIN_4K]) + STACK_BYTES};
    arena->mapped = round_up(arena->size, shift);
    if (pages != TWIN_4K)
        arena->base = map(arena->mapped, MAP_HUGETLB | (int)(shift << HUGE_SHIFT));
    arena->reserved = arena->base != NULL;
    if (!arena->reserved) {
        arena->mapped = round_up(arena->size, page_shift[pages == TWIN_4K ? TWIN_4K : TWIN_2M]);
        arena->base = map(arena->mapped, 0);
        if (!arena->base) {
            complain("no memory for the workload (%zu bytes): %s", arena->mapped, strerror(errno));
            return false;
        }
        /* Both may fail on kernels without transparent huge pages: arena_look() reports the result. */
        (void)madvise(arena->base, arena->mapped, pages == TWIN_4K ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
    }
    for (size_t at = 0; at < arena->mapped; at += GOOD_PAGE)
        ((volatile char *)arena->base)[at] = 0;
    arena->stack_top = (char *)arena->base + arena->size;
    return true;
}

void arena_look(struct arena *arena)
{
    uint64_t first = (uint64_t)(uintptr_t)arena->base, end = first + arena->mapped, from, to;
    uint64_t kb, huge = 0, all = arena->mapped >> 10, kernel_page = 0;
    bool inside = false;
    char line[400];
    FILE *smaps = fopen("/proc/self/smaps", "r");

    while (smaps && fgets(line, sizeof(line), smaps))
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from < end && to > first;
        else if (inside && sscanf(line, "AnonHugePages: %lu", &kb) == 1)
            huge += kb;
        else if (inside && sscanf(line, "KernelPageSize: %lu", &kb) == 1)
            kernel_page = kb;
    if (smaps)
        fclose(smaps);
    if (!kernel_page)
        snprintf(arena->got, sizeof(arena->got), "not known (no /proc/self/smaps)");
    else if (arena->reserved)
        snprintf(arena->got, sizeof(arena->got), "%s (MAP_HUGETLB)",
                 kernel_page == 1 << 20 ? "1g"
                 : kernel_page == 2048  ? "2m"
                                        : "other");
    else if (huge == 0)
        snprintf(arena->got, sizeof(arena->got), "4k%s",
                 arena->asked == TWIN_4K ? "" : " (no huge pages reserved, and madvise got none)");
    else if (huge == all)
        snprintf(arena->got, sizeof(arena->got), "2m (madvise%s)",
                 arena->asked == TWIN_1G ? "; no 1g pages reserved" : "");
    else
        snprintf(arena->got, sizeof(arena->got), "2m for %lu of %lu KB (madvise), 4k for the rest", huge, all);
}

void arena_close(struct arena *arena)
{
    if (arena->base)
        munmap(arena->base, arena->mapped);
    arena->base = NULL;
}

void arena_call(const struct arena *arena, void (*function)(void *, const uint32_t *), const uint32_t *params)
{
    void *base = arena->base, *top = arena->stack_top;

    /* 16 bytes below the top, as cpu_guarded_call() of drivers/pmu/entry.S does. */
    __asm__ volatile("mov %%rsp, %%r12\n\t"
                     "lea -16(%[top]), %%rsp\n\t"
                     "call *%[function]\n\t"
                     "mov %%r12, %%rsp"
                     : "+D"(base), "+S"(params), [top] "+d"(top), [function] "+a"(function)
                     :
                     : "rcx", "r8", "r9", "r10", "r11", "r12", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
}
