/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Own page tables: everything as the firmware mapped it, plus the arena, the workload's memory, in pages of our
 * choice, and without the page at address 0, so that use of a null pointer raises a page fault.
 */
#ifndef DRIVERS_PAGING_H
#define DRIVERS_PAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/cpu/session_error.h"

enum paging_kind { PAGING_4K, PAGING_2M, PAGING_1G };

/* Slots of 512 GB in the lower half of the addresses of four levels that the arena must leave alone. */
enum { PAGING_SLOTS = 256 };
struct paging_slots {
    bool known;                       /* false: a slot that the firmware has mapped may be in use */
    uint64_t used[PAGING_SLOTS / 64]; /* a bit each: something lies there */
};

/* Marks the slots of addresses first..last as used; addresses above the lower half are left out. */
void paging_slots_use(struct paging_slots *slots, uint64_t first, uint64_t last);

/* Own code, by 4 KB pages, PAGING_OWN bytes into the arena's slot: at the same addresses on all machines whose slot is
 * the same. */
#define PAGING_OWN (1ull << 38)
struct paging_own {
    uint32_t pages;      /* 0: there is none */
    const uint8_t *page; /* enum code_access (core/code/code.h) of each: executed, read, or written, never both */
    uint64_t physical;   /* of all pages, in a row */
    uint64_t data;       /* this core's own copy of the written pages; 0: the core runs no own code */
};

struct paging_plan {
    enum paging_kind kind;
    uint64_t physical; /* of the arena, 2 MB aligned */
    uint64_t size;     /* bytes, a multiple of 4096, up to 64 GB */
    bool shuffle;      /* permute the page frames (4k and 2m pages) */
    uint64_t seed;     /* of the permutation */
    /* Linear address of the program: the firmware's tables for its 512 GB and its GB are copied, so that walks to it
     * and to its memory read the same addresses on every machine. 0: they stay the firmware's. */
    uint64_t program;
    /* Linear address of code: where the firmware maps it by larger pages, 4 KB pages map it, with all else unchanged.
     * code_size 0: there is none. */
    uint64_t code, code_size;
    void *memory; /* for the tables, 4096-byte aligned, mapped one to one */
    size_t memory_size;
    struct paging_slots slots; /* where anything lies that is accessed while these tables are in force */
    unsigned slot;             /* slot of the arena, from paging_slot(); 0: any free one */
    struct paging_own own;
};

/* CR4.LA57: page tables have a fifth level, and linear addresses 57 bits (AMD APM vol. 2 section 5.3.1). It cannot be
 * changed in long mode, so all of these build and walk what is in force. */
#define CR4_LA57 (1ull << 12)

/* Returns the bytes of table memory for an arena of this size, a program, and address 0. */
size_t paging_memory_needed(uint64_t size, enum paging_kind kind);

/* Returns the bytes more for a code_size other than 0. */
size_t paging_code_memory_needed(uint64_t code_size);

/* Returns the bytes more for own code. */
size_t paging_own_memory_needed(uint32_t pages);

/* Returns the slot that paging_build() would choose on this core, for callers that need it before; 0: there is none.
 */
unsigned paging_slot(const struct paging_slots *slots);

/* Returns the linear address of own code in that slot. */
static inline uint64_t paging_own_address(unsigned slot)
{
    return ((uint64_t)slot << 39) + PAGING_OWN;
}

/* Checks a plan without touching anything. page_1g: CPUID Page1GB. */
enum session_error paging_check(const struct paging_plan *plan, bool page_1g);

/*
 * Builds the tables. The arena gets a slot of 512 GB in which the firmware maps nothing, or else one in which nothing
 * lies: firmware may map all that the processor can address (EDK II MdeModulePkg/Core/DxeIplPeim/X64/VirtualMemory.c,
 * CreateIdentityMappingPageTables, by the CPU's hand-off block: 48 bits on Ryzen). cr3 is the one in force; nx: set the
 * NX bit (EFER.NXE is on). *new_cr3 is to be loaded by the caller, *arena gets the arena's virtual address: contiguous,
 * equal to the physical one modulo 2 MB (modulo 1 GB for 1g pages), in the first 256 TB of five levels' 128 PB as well.
 * With 2m and 1g pages the whole enclosing pages are mapped, so neighbouring memory is visible too; with 1g pages
 * memory types come from the MTRRs, which should be of one type over the whole page (AMD APM vol. 2 section 7.7).
 */
enum session_error paging_build(const struct paging_plan *plan, uint64_t cr3, bool nx, uint64_t *new_cr3,
                                uint64_t *arena);

/* Returns whether these tables map a page of 4096 bytes to its own physical address, for reading, writing and
 * executing. nx: bit 63 of an entry forbids to execute. */
bool paging_identity(uint64_t cr3, uint64_t page, bool nx);

/* Loads CR3 so that no old translation is left, not even of global pages, which a load alone keeps: two translations
 * of one address by pages of different sizes are an uncorrectable machine check (AMD 41322, erratum 383). CR4 is as
 * before. */
void paging_load(uint64_t cr3);

#endif
