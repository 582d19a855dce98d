/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's reader of /proc/kallsyms on any text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/symbols/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    struct kallsyms *kallsyms;

    memcpy(text, data, size);
    text[size] = '\0';
    kallsyms = kallsyms_parse(text, "_text", 0xffffffff81000000);
    for (size_t i = 0; kallsyms != NULL && i < kallsyms->count; i++) {
        const struct elf_function *function = &kallsyms->functions[i];

        /* Required by object.c: ascending, not overlapping, all with a name. */
        if (function->start < KALLSYMS_BASE || function->start + function->size < function->start ||
            (i > 0 && function[-1].start + function[-1].size > function->start) || strlen(function->name) > size)
            abort();
    }
    kallsyms_free(kallsyms);
    return 0;
}
