/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/firmware/truths.h"

#include "vpmu/shim/firmware/files.h"
#include "vpmu/shim/firmware/serial.h"

static void fill(const void *what, struct out *out)
{
    vpmu_write_truth(((const struct shim *)what)->model, out);
}

void truths_write(EFI_HANDLE device, struct shim *shim)
{
    static const char *const names[] = {
        [VPMU_PART_MEASURED] = "", [VPMU_PART_REFERENCE] = "-reference", [VPMU_PART_OTHER] = "-other"};
    unsigned core = (unsigned)(shim - hypervisor.shim);
    char path[48], number[4] = {'-', (char)('0' + core), 0};

    for (unsigned part = 0; part < sizeof names / sizeof names[0]; part++) {
        struct out_memory text;
        out_memory_init(&text, path, sizeof path);
        out_printf(&text.out, "\\ibsboot\\truth%s%s.csv", core ? number : "", names[part]);
        if (!vpmu_armed(shim->model))
            (void)vpmu_truth_part(shim->model, part);
        if (part != VPMU_PART_MEASURED && !vpmu_truth_counted(shim->model))
            continue;
        EFI_STATUS written = files_write(device, path, fill, shim);
        if (EFI_ERROR(written))
            say("vpmu: cannot write %s: %llx\n", path, (unsigned long long)written);
    }
}
