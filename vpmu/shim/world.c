/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/world.h"

#include <stddef.h>

#include "vpmu/shim/firmware/serial.h"
#include "vpmu/shim/stop.h"

_Static_assert(offsetof(struct world, vmcb) == WORLD_VMCB, "doors.S");
_Static_assert(offsetof(struct world, gpr) == WORLD_GPR, "doors.S");
_Static_assert(offsetof(struct world, host_cr3) == WORLD_HOST_CR3, "doors.S");
_Static_assert(offsetof(struct world, host_stack) == WORLD_HOST_STACK, "doors.S");
_Static_assert(offsetof(struct world, gdtr) == WORLD_GDTR, "doors.S");
_Static_assert(offsetof(struct world, idtr) == WORLD_IDTR, "doors.S");
_Static_assert(offsetof(struct vmcb, rip) == 0x578, "doors.S");

extern const char host_vectors[] __attribute__((visibility("hidden")));
extern const char host_interrupts[] __attribute__((visibility("hidden")));

/* Code: long mode, ring 0. Data: writable. No TSS: the host changes neither ring nor stack. */
static const uint64_t host_gdt[] __attribute__((aligned(16))) = {0, 0x00af9b000000ffff, 0x00cf93000000ffff};

void world_init(struct world *world, struct gate gate[HOST_GATES], uint64_t host_cr3, uint64_t host_stack)
{
    for (unsigned i = 0; i < HOST_GATES; i++) {
        uint64_t entry = i < HOST_VECTORS ? (uint64_t)host_vectors + i * HOST_STUB
                                          : (uint64_t)host_interrupts + (i - HOST_VECTORS) * HOST_STUB;
        gate[i] = (struct gate){
            .offset_0 = (uint16_t)entry,
            .selector = HOST_CS,
            .type = 0x8e00,
            .offset_16 = (uint16_t)(entry >> 16),
            .offset_32 = (uint32_t)(entry >> 32),
        };
    }
    world->host_cr3 = host_cr3;
    world->host_stack = host_stack;
    world->gdtr = (struct table_register){sizeof host_gdt - 1, (uint64_t)host_gdt};
    world->idtr = (struct table_register){HOST_GATES * sizeof *gate - 1, (uint64_t)gate};
}

void world_host_exception(const uint64_t *frame)
{
    say("vpmu: exception %llu in the host, error %llx, rip %llx (image %llx), cr2 %llx\n", (unsigned long long)frame[0],
        (unsigned long long)frame[1], (unsigned long long)frame[2], (unsigned long long)frame[2] - stop_image_base(),
        (unsigned long long)x86_cr2());
    stop_qemu(STOP_BROKEN);
}
