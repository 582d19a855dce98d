/* SPDX-License-Identifier: BSD-2-Clause */
/* Instructions that own code must not have, by a map's texts; the contract is in code_map.h. */
#include "core/code/code_map.h"

#include "core/base/mem.h"
#include "core/base/str.h"

/* Reasons: at the highest privilege level no exception stops such instructions. The words are Zydis's. */
static const char state[] = "it changes the processor's state", ports[] = "it reaches devices",
                  calls[] = "there is no system to call here", registers[] = "it accesses system registers",
                  segments[] = "it changes a segment register";

static const struct forbidden {
    const char *word;
    const char *why;
} forbidden[] = {
    /* AMD APM vol. 3 chapter 4, system instructions: those that write, stop the core, or empty caches. RDMSR may be
     * missing or have effects. */
    {"cli", state},          {"sti", state},          {"clgi", state},
    {"stgi", state},         {"hlt", state},          {"mwait", state},
    {"lgdt", state},         {"lidt", state},         {"lldt", state},
    {"ltr", state},          {"lmsw", state},         {"clts", state},
    {"rdmsr", registers},    {"wrmsr", registers},    {"xsetbv", registers},
    {"wrfsbase", registers}, {"wrgsbase", registers}, {"swapgs", registers},
    {"invd", state},         {"wbinvd", state},       {"wbnoinvd", state},
    {"invlpg", state},       {"invlpga", state},      {"invlpgb", state},
    {"invpcid", state},      {"skinit", state},       {"vmrun", state},
    {"vmload", state},       {"vmsave", state},       {"vmmcall", calls},
    {"vmcall", calls},       {"rsm", state},          {"iret", state},
    {"iretd", state},        {"iretq", state},        {"sysret", state},
    {"sysexit", state},      {"syscall", calls},      {"sysenter", calls},
    {"int", calls}, /* INT n; INT3 is an exception, which has its line */
    {"int1", calls},         {"in", ports},           {"out", ports},
    {"insb", ports},         {"insw", ports},         {"insd", ports},
    {"outsb", ports},        {"outsw", ports},        {"outsd", ports},
    {"lss", segments},       {"lfs", segments},       {"lgs", segments},
};

/* First operands that are written. */
static const struct {
    const char *words;
    const char *why;
} written[] = {
    {"mov cr", registers}, {"mov dr", registers},   {"mov ss,", segments},    {"mov ds,", segments},
    {"mov es,", segments}, {"mov fs,", segments},   {"mov gs,", segments},    {"pop fs", segments},
    {"pop gs", segments},  {"jmp fword", segments}, {"call fword", segments},
};

static bool begins(const char *text, const char *with)
{
    return strlen(text) >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

const char *code_forbidden(const char *text)
{
    size_t word = 0;

    for (const char *space = text; begins(text, "rep"); text = space + 1) {
        while (*space && *space != ' ')
            space++;
        if (!*space)
            return NULL;
    }
    while (text[word] && text[word] != ' ')
        word++;
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
        if (str_is(text, word, forbidden[i].word))
            return forbidden[i].why;
    for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++)
        if (begins(text, written[i].words))
            return written[i].why;
    return NULL;
}

bool code_find_forbidden(const struct code *code, const struct codemap *map, struct out *problems)
{
    for (uint32_t i = 0; i < map->insn_count; i++) {
        const char *text = map->strings + map->insns[i].text, *why = code_forbidden(text);

        if (!why)
            continue;
        code_write_place(problems, code, map->insns[i].rva);
        out_printf(problems, ", %s: %s: leave it out\n", text, why);
        return true;
    }
    return false;
}
