/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * After ExitBootServices there is no firmware to write files with, so the shim's report goes out byte by byte through
 * the debug port (QEMU: -device isa-debugcon,iobase=0xe9,chardev=...), on a program's request.
 */
#include "vpmu/shim/os/os.h"

enum { DEBUG_PORT = 0xe9 };

static void put(struct out *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        x86_outb(DEBUG_PORT, (uint8_t)text[i]);
}

bool os_command(struct shim *shim, uint32_t command)
{
    struct out out = {.write = put};
    switch (command) {
    case OS_ASK:
        return true;
    case OS_REPORT:
        out_printf(&out, "# report,%llu\n", (unsigned long long)++shim->os.reports);
        vpmu_write_truth(shim->model, &out);
        out_printf(&out, "# end of truth\n");
        handler_write_csv(&shim->costs, &out);
        out_printf(&out, "shim,steps,,%llu,\nshim,exits,,%llu,\nshim,nmis,,%llu,\nshim,timer_interrupts,,%llu,\n",
                   (unsigned long long)shim->stepper.steps, (unsigned long long)shim->exits,
                   (unsigned long long)shim->nmi.delivered, (unsigned long long)shim->os.ticks);
        out_printf(&out, "# end of report\n");
        return true;
    case OS_RESET:
        if (vpmu_armed(shim->model))
            return false;
        vpmu_reset_truth(shim->model);
        shim->costs = (struct handler_costs){0};
        return true;
    default:
        return false;
    }
}
