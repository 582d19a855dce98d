/*
 * vpmu-ask: a Linux program for a guest of the virtual PMU (vpmu/shim/os.h).
 *
 *   vpmu-ask             is there such a thing below?
 *   vpmu-ask report      exact counts and handler costs go to QEMU's debug port
 *   vpmu-ask reset       they begin anew
 *
 * Exit status: 0 done, 1 not (no virtual PMU, or something is enabled at a reset), 2 wrong usage.
 */
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

enum { LEAF = 0x40000012 };

int main(int count, char **words)
{
    static const char *const commands[] = {"", "report", "reset"};
    const char *wanted = count > 1 ? words[1] : "";

    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(wanted, commands[i]) == 0) {
            unsigned eax, ebx, ecx, edx;
            __cpuid_count(LEAF, i, eax, ebx, ecx, edx);
            return eax != 1;
        }
    }
    fprintf(stderr, "vpmu-ask: report, reset, or nothing\n");
    return 2;
}
