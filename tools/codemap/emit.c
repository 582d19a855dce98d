/* SPDX-License-Identifier: BSD-2-Clause */
/* Output of the generator; the contract is in emit.h. */
#include "tools/codemap/emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ibs/codemap.h"
#include "tools/codemap/decode.h"

/* All strings of the map in sequence with their NULs; equal strings are stored once. */
struct strings {
    char *bytes;
    size_t size;
};

static uint32_t intern(const struct image *image, struct strings *strings, const char *text)
{
    size_t length = strlen(text) + 1;
    for (size_t i = 0; i < strings->size; i += strlen(strings->bytes + i) + 1)
        if (strcmp(strings->bytes + i, text) == 0)
            return (uint32_t)i;
    strings->bytes = realloc(strings->bytes, strings->size + length);
    if (strings->bytes == NULL)
        image_fail(image, "out of memory");
    memcpy(strings->bytes + strings->size, text, length);
    strings->size += length;
    return (uint32_t)(strings->size - length);
}

/* Source files in order of appearance. */
struct files {
    uint32_t strings[256];
    uint16_t count;
};

static uint16_t file_index(const struct image *image, struct files *files, uint32_t string)
{
    for (uint16_t i = 0; i < files->count; i++)
        if (files->strings[i] == string)
            return i;
    if (files->count == sizeof(files->strings) / sizeof(files->strings[0]))
        image_fail(image, "the code comes from more than 256 source files");
    files->strings[files->count] = string;
    return files->count++;
}

static void decode_or_fail(const struct image *image, uint64_t rva, uint64_t end, struct decoded *decoded)
{
    if (!decode(image->code + (rva - image->code_rva), end - rva, rva, decoded))
        image_fail(image, "no instruction at %" PRIx64, rva);
    if (decoded->problem != NULL)
        image_fail(image, "%" PRIx64 ": %s: %s", rva, decoded->text, decoded->problem);
}

/* Code outside functions would be measured but not shown, so only padding may be there. */
static void require_padding(const struct image *image, uint64_t rva, uint64_t end)
{
    struct decoded decoded;
    for (; rva < end; rva += decoded.insn.length)
        if (!decode(image->code + (rva - image->code_rva), end - rva, rva, &decoded) || !decoded.padding)
            image_fail(image, "code at %" PRIx64 " is outside every function", rva);
}

static void emit_mem(const struct codemap_mem *mem)
{
    printf("{%" PRId32 ",%u,%u,%u,%u,%u,{0}}", mem->disp, mem->base, mem->index, mem->scale, mem->size, mem->flags);
}

static void emit_insn(const struct codemap_insn *insn)
{
    printf("    {0x%" PRIx64 ",0x%" PRIx64 ",0x%" PRIx32 ",%" PRIu32 ",0x%" PRIx32
           ",%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,{",
           insn->reads, insn->writes, insn->rva, insn->text, insn->target, insn->func, insn->file, insn->line,
           insn->length, insn->op_size, insn->ops, insn->path, insn->unit, insn->branch, insn->flags, insn->mems);
    emit_mem(&insn->mem[0]);
    putchar(',');
    emit_mem(&insn->mem[1]);
    puts("}},");
}

static void emit_strings(const struct strings *strings)
{
    puts("static const char strings[] IN_MAP =");
    for (size_t i = 0; i < strings->size; i += strlen(strings->bytes + i) + 1) {
        printf("    \"");
        for (const char *c = strings->bytes + i; *c != '\0'; c++) {
            if (*c == '"' || *c == '\\')
                putchar('\\');
            putchar(*c);
        }
        puts("\\0\"");
    }
    puts("    ;");
}

static uint64_t hash_of(const struct image *image)
{
    return codemap_hash(image->code, (uint32_t)image->code_size);
}

static size_t emit_insns(const struct image *image, struct strings *strings, struct files *files)
{
    size_t count = 0;
    uint64_t at = image->code_rva;
    puts("static const struct codemap_insn insns[] IN_MAP = {");
    for (size_t i = 0; i < image->func_count; i++) {
        const struct image_func *func = &image->funcs[i];
        require_padding(image, at, func->rva);
        for (at = func->rva; at < func->rva + func->size; count++) {
            struct decoded decoded;
            decode_or_fail(image, at, func->rva + func->size, &decoded);
            const struct image_line *line = image_line_of(image, at);
            decoded.insn.text = intern(image, strings, decoded.text);
            decoded.insn.func = (uint16_t)i;
            decoded.insn.file = line == NULL ? 0xffff : file_index(image, files, intern(image, strings, line->file));
            decoded.insn.line = line == NULL || line->line > 0xffff ? 0 : (uint16_t)line->line;
            emit_insn(&decoded.insn);
            at += decoded.insn.length;
        }
    }
    require_padding(image, at, image->code_rva + image->code_size);
    puts("};");
    return count;
}

void emit_map(const struct image *image)
{
    struct strings strings = {0};
    struct files files = {0};
    if (image->func_count == 0 || image->func_count > UINT16_MAX)
        image_fail(image, "%zu functions between image_workloads and image_workloads_end", image->func_count);
    if (image->code_rva + image->code_size > UINT32_MAX / 2)
        image_fail(image, "the code is above 2 GB: it was not linked by linker.ld");
    if (image_range_is_relocated(image))
        image_fail(image, "the loader would change bytes of the code (it contains a relocation)");
    puts("/* Written by tools/codemap from the first link of the image; see core/ibs/codemap.h. */\n"
         "#include \"core/ibs/codemap.h\"\n\n"
         "#define IN_MAP __attribute__((section(\".codemap\")))\n");
    size_t insn_count = emit_insns(image, &strings, &files);
    puts("static const struct codemap_func funcs[] IN_MAP = {");
    for (size_t i = 0; i < image->func_count; i++) {
        printf("    {0x%" PRIx64 ",%" PRIu64 ",%" PRIu32 "},\n", image->funcs[i].rva, image->funcs[i].size,
               intern(image, &strings, image->funcs[i].name));
    }
    puts("};\nstatic const uint32_t files[] IN_MAP = {");
    for (uint16_t i = 0; i < files.count; i++)
        printf("    %" PRIu32 ",\n", files.strings[i]);
    puts("    0,\n};"); /* never empty: ISO C has no empty arrays */
    emit_strings(&strings);
    printf("\nconst struct codemap image_codemap __attribute__((section(\".data.codemap\"))) = {\n"
           "    .insns = insns,\n    .funcs = funcs,\n    .files = files,\n    .strings = strings,\n"
           "    .insn_count = %zu,\n    .func_count = %zu,\n    .file_count = %u,\n"
           "    .text_rva = 0x%" PRIx64 ",\n    .text_size = %" PRIu64 ",\n    .text_hash = 0x%" PRIx64 ",\n};\n",
           insn_count, image->func_count, files.count, image->code_rva, image->code_size, hash_of(image));
    free(strings.bytes);
}

static void list_one(const struct image *image, uint64_t rva, const struct decoded *decoded)
{
    const struct image_line *line = image_line_of(image, rva);
    if (line == NULL)
        printf("%8" PRIx64 " %2u  %s\n", rva, decoded->insn.length, decoded->text);
    else
        printf("%8" PRIx64 " %2u  %-48s %s:%d\n", rva, decoded->insn.length, decoded->text, line->file, line->line);
}

void list_functions(const struct image *image)
{
    for (size_t i = 0; i < image->func_count; i++) {
        const struct image_func *func = &image->funcs[i];
        printf("%s%s:\n", i == 0 ? "" : "\n", func->name);
        for (uint64_t at = func->rva; at < func->rva + func->size;) {
            struct decoded decoded;
            decode_or_fail(image, at, func->rva + func->size, &decoded);
            list_one(image, at, &decoded);
            at += decoded.insn.length;
        }
    }
}

void list_sweep(const struct image *image)
{
    for (uint64_t offset = 0; offset < image->code_size;) {
        struct decoded decoded;
        if (!decode(image->code + offset, image->code_size - offset, image->code_rva + offset, &decoded))
            decoded = (struct decoded){.insn.length = 1, .text = "(bad)"};
        list_one(image, image->code_rva + offset, &decoded);
        offset += decoded.insn.length;
    }
}

void check_map(const struct image *image)
{
    uint64_t address;
    const uint8_t *bytes;
    struct codemap map; /* same layout here: both follow the x86-64 System V ABI */
    if (!image_symbol(image, "image_codemap", &address) || (bytes = image_bytes(image, address, sizeof(map))) == NULL)
        image_fail(image, "holds no code map (symbol image_codemap)");
    memcpy(&map, bytes, sizeof(map));
    if (map.insn_count == 0)
        image_fail(image, "the code map is empty");
    if (map.text_rva != image->code_rva || map.text_size != image->code_size) {
        image_fail(image, "the map covers %" PRIx32 "+%" PRIx32 ", the code is at %" PRIx64 "+%" PRIx64, map.text_rva,
                   map.text_size, image->code_rva, image->code_size);
    }
    if (map.text_hash != hash_of(image)) {
        image_fail(image, "the map was made for other code (hash %" PRIx64 ", the code has %" PRIx64 ")", map.text_hash,
                   hash_of(image));
    }
    printf("%" PRIu32 " instructions in %" PRIu32 " functions, hash %016" PRIx64 "\n", map.insn_count, map.func_count,
           map.text_hash);
}
