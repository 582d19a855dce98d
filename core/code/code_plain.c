/* SPDX-License-Identifier: BSD-2-Clause */
/* A map of code without a listing; the contract is in code_map.h. */
#include "core/code/code_map.h"

#include "core/base/mem.h"

enum {
    FUNCTIONS_MAX = 1024, /* further ones are shown as part of those before them */
    NAME_MAX = 63,
    OFFSET_BYTES = sizeof("+0x7fffff"), /* below CODE_MEMORY_MAX */
};

/* Memory in which the map is made. */
struct plain {
    struct codemap_func *funcs;
    struct codemap_insn *insns;
    char *strings;
    uint32_t func_count, insn_count, string_bytes;
    uint32_t begin, end; /* of all code */
    uint32_t group;      /* bytes */
};

/* Returns the most instructions: each group of bytes is one, and each function may have an end that is no whole group.
 */
static uint32_t insns_most(const struct plain *plain)
{
    return (plain->end - plain->begin) / plain->group + FUNCTIONS_MAX;
}

static void find_code(const struct code *code, struct plain *plain)
{
    plain->begin = CODE_NONE;
    for (unsigned i = 0; i < code->pieces; i++) {
        const struct code_piece *piece = &code->piece[i];

        if (piece->access != CODE_EXECUTE)
            continue;
        if (piece->rva < plain->begin)
            plain->begin = piece->rva;
        if (piece->rva + piece->size > plain->end)
            plain->end = piece->rva + piece->size;
    }
    plain->group = 1;
    while (insns_most(plain) > CODE_MAP_INSNS_MAX)
        plain->group *= 2;
}

size_t code_plain_size(const struct code *code)
{
    struct plain plain = {0};

    find_code(code, &plain);
    return insns_most(&plain) * (sizeof(struct codemap_insn) + OFFSET_BYTES) +
           FUNCTIONS_MAX * (sizeof(struct codemap_func) + NAME_MAX + 1);
}

static uint32_t keep(struct plain *plain, const char *text, size_t most)
{
    uint32_t at = plain->string_bytes;
    size_t length = strlen(text);

    length = length < most ? length : most;
    for (size_t i = 0; i < length; i++)
        plain->strings[at + i] = code_is_text(text[i]) ? text[i] : '?';
    plain->strings[at + length] = '\0';
    plain->string_bytes += (uint32_t)length + 1;
    return at;
}

/* Adds a function, in ascending order, one per address. */
static void add_function(struct plain *plain, const struct code_function *function)
{
    uint32_t at = plain->func_count;

    while (at && plain->funcs[at - 1].rva > function->rva)
        at--;
    if (plain->func_count == FUNCTIONS_MAX || (at && plain->funcs[at - 1].rva == function->rva))
        return;
    memmove(&plain->funcs[at + 1], &plain->funcs[at], (plain->func_count - at) * sizeof(*plain->funcs));
    plain->funcs[at] = (struct codemap_func){.rva = function->rva, .name = keep(plain, function->name, NAME_MAX)};
    plain->func_count++;
}

static void add_insns(struct plain *plain, uint16_t func)
{
    const struct codemap_func *here = &plain->funcs[func];

    for (uint32_t at = 0; at < here->size; at += plain->group) {
        uint32_t left = here->size - at;
        char text[OFFSET_BYTES];
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        out_printf(&memory.out, "+0x%x", at);
        plain->insns[plain->insn_count++] =
            (struct codemap_insn){.rva = here->rva + at,
                                  .text = keep(plain, text, sizeof(text)),
                                  .func = func,
                                  .file = 0xffff,
                                  .length = (uint8_t)(left < plain->group ? left : plain->group),
                                  .ops = 1};
    }
}

void code_plain_make(const struct code *code, void *memory, struct codemap *ret_map)
{
    struct plain plain = {0};
    struct code_function function;

    find_code(code, &plain);
    plain.insns = memory;
    plain.funcs = (struct codemap_func *)(plain.insns + insns_most(&plain));
    plain.strings = (char *)(plain.funcs + FUNCTIONS_MAX);
    for (uint64_t i = 0; code_function_at(code, i, &function); i++)
        if (function.name)
            add_function(&plain, &function);
    for (uint32_t i = 0; i < plain.func_count; i++) {
        plain.funcs[i].size = (i + 1 < plain.func_count ? plain.funcs[i + 1].rva : plain.end) - plain.funcs[i].rva;
        add_insns(&plain, (uint16_t)i);
    }
    *ret_map = (struct codemap){.insns = plain.insns,
                                .funcs = plain.funcs,
                                .strings = plain.strings,
                                .insn_count = plain.insn_count,
                                .func_count = plain.func_count,
                                .text_rva = plain.func_count ? plain.funcs[0].rva : 0,
                                .text_size = plain.func_count ? plain.end - plain.funcs[0].rva : 0};
}
