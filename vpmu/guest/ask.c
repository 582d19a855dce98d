/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu-ask: a Linux program for a guest of the virtual PMU (vpmu/shim/os/os.h).
 *
 *   vpmu-ask             exit status: does this machine run on a virtual PMU?
 *   vpmu-ask report      writes exact counts and handler costs to QEMU's debug port
 *   vpmu-ask reset       resets the counts
 *   vpmu-ask counts E M  exit status: does it model the counter event E with the mask M (hexadecimal)?
 *
 * Exit status: 0 done, 1 not done (no virtual PMU, or a reset while sampling is enabled), 2 wrong usage.
 */
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_EVENTS = 0x40000010, LEAF = 0x40000012, HEXADECIMAL = 16, MASK_SHIFT = 16 };

int main(int count, char **words)
{
    static const char *const commands[] = {"", "report", "reset"};
    const char *wanted = count > 1 ? words[1] : "";

    if (count == 4 && strcmp(wanted, "counts") == 0) {
        unsigned select = (unsigned)strtoul(words[2], NULL, HEXADECIMAL), eax, ebx, ecx, edx;
        unsigned mask = (unsigned)strtoul(words[3], NULL, HEXADECIMAL);
        __cpuid_count(LEAF_EVENTS, select | mask << MASK_SHIFT, eax, ebx, ecx, edx);
        return eax != 1;
    }
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(wanted, commands[i]) == 0) {
            unsigned eax, ebx, ecx, edx;
            __cpuid_count(LEAF, i, eax, ebx, ecx, edx);
            return eax != 1;
        }
    }
    fprintf(stderr, "vpmu-ask: report, reset, counts EVENT MASK, or nothing\n");
    return 2;
}
