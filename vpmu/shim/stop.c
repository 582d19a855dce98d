/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/stop.h"

#include "vpmu/shim/x86.h"

/* The linker script defines it at 0. */
extern const char ImageBase[] __attribute__((visibility("hidden")));

void stop_qemu(enum stop_code code)
{
    x86_outb(0xf4, (uint8_t)code);
    for (;;)
        __asm__ volatile("cli; hlt");
}

unsigned long long stop_image_base(void)
{
    return (unsigned long long)ImageBase;
}
