/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/fp_class.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the text after 'prefix'; NULL when 'text' does not begin with it. */
static const char *after(const char *text, const char *prefix)
{
    while (*prefix)
        if (*text++ != *prefix++)
            return NULL;
    return text;
}

/* Event 1C0h. */
static const struct {
    const char *begins;
    uint8_t kind;
} x87_rows[] = {
    {"fadd", 0}, {"fiadd", 0}, {"fsub", 0}, {"fisub", 0}, {"fmul", 1}, {"fimul", 1}, {"fdiv", 2}, {"fidiv", 2},
};

/* Event 003h: the operation, and the type that must follow. */
static const struct {
    const char *begins;
    uint8_t kind;
} sse_rows[] = {
    {"addsub", 0}, {"add", 0}, {"hadd", 0}, {"hsub", 0}, {"sub", 0}, {"mul", 1}, {"div", 2}, {"sqrt", 2},
};

static const struct {
    const char *name;
    uint8_t kind; /* is added: doubles follow singles */
    uint8_t flops;
} sse_types[] = {{"ss", 0, 1}, {"ps", 0, 4}, {"sd", 3, 1}, {"pd", 3, 2}};

static bool ends(const char *text)
{
    return *text == ' ' || *text == '\0';
}

static void classify_sse(const char *text, struct fp_class *class)
{
    for (size_t i = 0; i < sizeof(sse_rows) / sizeof(sse_rows[0]); i++) {
        const char *type = after(text, sse_rows[i].begins);

        for (size_t n = 0; type && n < sizeof(sse_types) / sizeof(sse_types[0]); n++) {
            const char *end = after(type, sse_types[n].name);

            if (end && ends(end)) {
                class->kind = sse_rows[i].kind + sse_types[n].kind;
                class->flops = sse_types[n].flops;
                return;
            }
        }
    }
}

struct fp_class fp_classify(const struct codemap *map, const struct codemap_insn *insn)
{
    struct fp_class class = {FP_NONE, FP_KIND_NONE, 0};
    uint64_t touched = insn->reads | insn->writes;
    const char *text = map->strings ? map->strings + insn->text : "";

    if (*text == 'f') {
        class.set = FP_X87;
        for (size_t i = 0; i < sizeof(x87_rows) / sizeof(x87_rows[0]); i++)
            if (after(text, x87_rows[i].begins))
                class.kind = x87_rows[i].kind;
    } else if (touched >> CODEMAP_DEP_XMM0 & 0xFFFF) {
        class.set = *text ? FP_SSE : FP_NONE;
        classify_sse(text, &class);
    } else if (touched >> CODEMAP_DEP_X87 & 1) { /* MMX registers are aliases of the x87 registers */
        class.set = *text ? FP_MMX : FP_NONE;
    }
    return class;
}
