/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several nodes: QEMU's cores and memory, which to QEMU are those of one processor, divided evenly. Each node is a
 * separate processor, so a node's number is the APIC ID without the bits that number the cores within the node.
 */
#include "vpmu/shim/firmware/efi.h"

#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/shim.h"

enum { NODE_MEMORY = 16 << 20 }; /* BKDG 31116, F1x[7C:40]: address bits 39:24 */

/* Returns the end of the guest's memory; 0: unknown. */
static uint64_t memory_end(void)
{
    EFI_BOOT_SERVICES *boot = system_table->BootServices;
    UINTN size = 0, key, each;
    UINT32 version;
    UINT8 *map;
    uint64_t end = 0;
    (void)boot->GetMemoryMap(&size, NULL, &key, &each, &version);
    size += 16 * each; /* allocating memory for the map may add rows to it */
    if (EFI_ERROR(boot->AllocatePool(EfiBootServicesData, size, (VOID **)&map)))
        return 0;
    bool good = !EFI_ERROR(boot->GetMemoryMap(&size, (EFI_MEMORY_DESCRIPTOR *)map, &key, &each, &version));
    for (UINTN at = 0; good && at + each <= size; at += each) {
        const EFI_MEMORY_DESCRIPTOR *row = (const EFI_MEMORY_DESCRIPTOR *)(map + at);
        uint64_t row_end = row->PhysicalStart + row->NumberOfPages * EFI_PAGE_SIZE;
        if (row->Type >= EfiLoaderCode && row->Type <= EfiConventionalMemory && row_end > end)
            end = row_end;
    }
    (void)boot->FreePool(map);
    return end;
}

bool nodes_divide_memory(struct vpmu_config *config)
{
    uint64_t end = memory_end();
    if (config->nodes > VPMU_NODES || !end) {
        say("vpmu: cannot make %u nodes\n", config->nodes);
        return false;
    }
    for (uint32_t node = 0; node < config->nodes; node++) {
        uint64_t part = end * (node + 1) / config->nodes;
        config->memory_end[node] = (part + NODE_MEMORY - 1) & ~(uint64_t)(NODE_MEMORY - 1);
        if (config->nodes > 1)
            say("vpmu: node %u has the memory up to %llx\n", node, (unsigned long long)config->memory_end[node]);
    }
    return true;
}

bool nodes_divide_cores(uint32_t nodes, uint32_t cores)
{
    uint32_t each = cores / nodes;
    if (nodes == 1 || (each && each * nodes == cores && !(each & (each - 1))))
        return true;
    say("vpmu: %u cores cannot be divided among %u nodes: each has the same power of two\n", cores, nodes);
    return false;
}
