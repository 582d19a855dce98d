/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Page tables of the shim: 1:1 maps (nested and host), and the walk of the guest's own tables.
 */
#ifndef VPMU_SHIM_PAGING_H
#define VPMU_SHIM_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_SIZE     4096ull
#define PAGE_PRESENT  1ull
#define PAGE_WRITE    2ull
#define PAGE_USER     4ull
#define PAGE_NO_CACHE 16ull
#define PAGE_LARGE    128ull
#define PAGE_NX       (1ull << 63)
#define PAGE_ADDRESS  0x000ffffffffff000ull
#define PAGE_ENTRIES  512
#define IDENTITY_LIMIT                                                                                                 \
    (1ull << 40) /* reach of an identity map: 1 TB, the physical addresses of QEMU's TCG processors */

/* A 1:1 map of the first terabyte: 2 MB pages up to 4 GB, 1 GB pages above; the 2 MB around one chosen page are mapped
 * with 4 KB pages, so that this one page can be taken away or redirected. Must be page-aligned. */
struct identity_map {
    uint64_t root[PAGE_ENTRIES];
    uint64_t root_no_fetch[PAGE_ENTRIES]; /* the same map without execute rights */
    uint64_t gigabytes[2][PAGE_ENTRIES];
    uint64_t megabytes[4][PAGE_ENTRIES];
    uint64_t pages[PAGE_ENTRIES];
    uint64_t special; /* the chosen page's address */
} __attribute__((aligned(4096)));

/* Builds the map with the special page mapped 1:1. special: below 4 GB, page-aligned. */
void identity_build(struct identity_map *map, uint64_t special);
/* Points the special page elsewhere, or nowhere (target = 0). */
void identity_redirect(struct identity_map *map, uint64_t target);

struct guest_page {
    uint64_t physical;   /* address that 'linear' maps to */
    uint64_t entries[4]; /* physical addresses of the table entries that were read, outermost first */
    unsigned depth;      /* number of entries */
    unsigned shift;      /* 12, 21 or 30; 0: not mapped */
    bool writable, executable;
};

/* Walks 4-level tables. Reads them at their physical addresses, so those must be mapped 1:1 where this runs: true in
 * host mode, and in the guest for UEFI and ibsboot. */
struct guest_page guest_walk(uint64_t cr3, uint64_t linear);

#endif
