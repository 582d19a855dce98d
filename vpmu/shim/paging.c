/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/paging.h"

/* Nested tables are walked as user accesses (APM vol. 2 section 15.25.5), hence PAGE_USER throughout. */
#define ALL_RIGHTS (PAGE_PRESENT | PAGE_WRITE | PAGE_USER)

void identity_build(struct identity_map *map, uint64_t special)
{
    for (unsigned i = 0; i < PAGE_ENTRIES; i++) {
        map->root[i] = i < 2 ? (uint64_t)map->gigabytes[i] | ALL_RIGHTS : 0;
        map->root_no_fetch[i] = i < 2 ? map->root[i] | PAGE_NX : 0;
        for (unsigned j = 0; j < 2; j++) {
            uint64_t gigabyte = (uint64_t)j * PAGE_ENTRIES + i;
            map->gigabytes[j][i] = gigabyte < 4 ? (uint64_t)map->megabytes[gigabyte] | ALL_RIGHTS
                                                : gigabyte << 30 | ALL_RIGHTS | PAGE_LARGE;
        }
        for (unsigned j = 0; j < 4; j++)
            map->megabytes[j][i] = (uint64_t)j << 30 | (uint64_t)i << 21 | ALL_RIGHTS | PAGE_LARGE;
        map->pages[i] = ((special & ~0x1fffffull) + i * PAGE_SIZE) | ALL_RIGHTS;
    }
    map->megabytes[special >> 30][special >> 21 & 511] = (uint64_t)map->pages | ALL_RIGHTS;
    map->special = special;
}

void identity_redirect(struct identity_map *map, uint64_t target)
{
    map->pages[map->special >> 12 & 511] =
        target ? target | ALL_RIGHTS | (target == map->special ? PAGE_NO_CACHE : 0) : 0;
}

struct guest_page guest_walk(uint64_t cr3, uint64_t linear)
{
    struct guest_page page = {.writable = true, .executable = true};
    uint64_t table = cr3 & PAGE_ADDRESS;
    for (unsigned shift = 39; shift >= 12; shift -= 9) {
        uint64_t address = table + (linear >> shift & 511) * 8;
        uint64_t entry = *(const volatile uint64_t *)address;
        page.entries[page.depth++] = address;
        if (!(entry & PAGE_PRESENT))
            break;
        page.writable = page.writable && (entry & PAGE_WRITE);
        page.executable = page.executable && !(entry & PAGE_NX);
        if (shift == 12 || (shift < 39 && (entry & PAGE_LARGE))) {
            uint64_t mask = (1ull << shift) - 1;
            page.physical = (entry & PAGE_ADDRESS & ~mask) | (linear & mask);
            page.shift = shift;
            break;
        }
        table = entry & PAGE_ADDRESS;
    }
    return page;
}
