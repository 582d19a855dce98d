/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/snippet/snippet_code.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/codemap/decode.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

/* Bits of the registers in 'writes', by their numbers in instructions (core/ibs/codemap.h). */
enum { RSP = 4, R15 = 15 };

/* An address for the decoder, with room for jump targets below it. */
enum { BASE = 1 << 24, BYTES_MAX = 1 << 20 };

/* ---------------------------------------------------------------- what as made */

static const char *symbol_name(Elf *elf, const GElf_Shdr *relocations, const GElf_Rela *rela)
{
    Elf_Scn *section = elf_getscn(elf, relocations->sh_link);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Shdr header;
    GElf_Sym symbol;
    const char *name = NULL;

    if (data && gelf_getshdr(section, &header) && gelf_getsym(data, (int)GELF_R_SYM(rela->r_info), &symbol))
        name = elf_strptr(elf, header.sh_link, symbol.st_name);
    return name && *name ? name : "an address";
}

/* Takes the code of a section. Returns false if a snippet must not have that section. */
static bool take_section(Elf *elf, Elf_Scn *section, size_t names, const char *what, struct snippet_code *code)
{
    GElf_Shdr header;
    GElf_Rela rela;
    const char *name;
    Elf_Data *data = elf_getdata(section, NULL);

    if (!gelf_getshdr(section, &header) || header.sh_size == 0 || !data)
        return true;
    name = elf_strptr(elf, names, header.sh_name);
    if (header.sh_type == SHT_RELA && gelf_getrela(data, 0, &rela)) {
        complain("%s: it refers to %s, which is neither a register nor a label in it: all memory is in the arena, at "
                 "r14",
                 what, symbol_name(elf, &header, &rela));
        return false;
    }
    if (!(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOTE)
        return true;
    if (!name || strcmp(name, ".text") != 0) {
        complain("%s: it has its own data, in %s: all memory is in the arena, at r14", what, name ? name : "a section");
        return false;
    }
    code->size = header.sh_size;
    code->bytes = must_alloc(code->size, 1);
    if (data->d_size == code->size)
        memcpy(code->bytes, data->d_buf, code->size);
    return true;
}

static bool read_object(const char *path, const char *what, struct snippet_code *code)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t names = 0;
    Elf *elf;
    Elf_Scn *section = NULL;
    bool good;

    (void)elf_version(EV_CURRENT);
    elf = file >= 0 ? elf_begin(file, ELF_C_READ, NULL) : NULL;
    good = elf && elf_getshdrstrndx(elf, &names) == 0;
    if (!good)
        complain("%s: the output of as cannot be read", what);
    while (good && (section = elf_nextscn(elf, section)))
        good = take_section(elf, section, names, what, code);
    if (elf)
        (void)elf_end(elf);
    if (file >= 0)
        (void)close(file);
    return good;
}

/* ---------------------------------------------------------------- what it may do */

static bool begins(const char *text, const char *word)
{
    size_t length = strlen(word);

    return strncmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == ' ');
}

/* Returns whether this is an interrupt, a system call or a wait for an interrupt, none of which returns. */
static bool leaves(const struct decoded *decoded)
{
    static const char *const words[] = {"int",     "int1",   "int3", "into",     "iret",    "iretd", "iretq", "hlt",
                                        "syscall", "sysret", "ud0",  "sysenter", "sysexit", "ud1",   "ud2",   "rsm"};

    if (decoded->insn.branch == CODEMAP_BR_JUMP_INDIRECT || decoded->insn.branch == CODEMAP_BR_CALL ||
        decoded->insn.branch == CODEMAP_BR_CALL_INDIRECT || decoded->insn.branch == CODEMAP_BR_RETURN)
        return true;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (begins(decoded->text, words[i]))
            return true;
    return false;
}

/* Returns what the instruction does that is forbidden in a snippet, or NULL. */
static const char *fault(const struct decoded *decoded)
{
    if (leaves(decoded))
        return "leaves the snippet: jumps to labels in it are possible";
    if (decoded->insn.writes >> RSP & 1)
        return "writes rsp: memory of the snippet is in the arena, at r14";
    if (decoded->insn.writes >> R15 & 1)
        return "writes r15, the loop's counter: use another register";
    return NULL;
}

/* Checks a jump; begin: for each byte of the code, whether an instruction begins there. The end counts as one. */
static bool check_jump(const struct snippet_code *code, const bool *begin, const struct decoded *decoded,
                       const char *what)
{
    uint32_t target = decoded->insn.target - BASE; /* large for a target below BASE */

    if (decoded->insn.branch == CODEMAP_BR_NONE || (target <= code->size && begin[target]))
        return true;
    complain("%s: its jump at +0x%x does not lead to one of its instructions: jump to a label in it", what,
             decoded->insn.rva - BASE);
    return false;
}

static bool check_insn(const struct decoded *decoded, const char *what)
{
    const char *why = fault(decoded);

    if (why)
        complain("%s: '%s' %s", what, decoded->text, why);
    else if (decoded->problem)
        printf("NOTE: %s: %s: the virtual PMU times it as something else\n", decoded->text, decoded->problem);
    return !why;
}

/* Checks that these bytes are allowed as a snippet. */
static bool check(struct snippet_code *code, const char *what)
{
    bool *begin, good = code->size <= BYTES_MAX;
    struct decoded decoded;

    if (!good) {
        complain("%s: it has %zu bytes, but at most %d are allowed", what, code->size, BYTES_MAX);
        return false;
    }
    begin = must_alloc(code->size + 1, sizeof(*begin));
    begin[code->size] = true;
    for (size_t at = 0; good && at < code->size; at += decoded.insn.length) {
        good = decode(code->bytes + at, code->size - at, BASE + at, &decoded);
        if (!good) {
            complain("%s: its bytes at +0x%zx are not an instruction", what, at);
            break;
        }
        begin[at] = true;
        code->instructions++;
        code->ops += decoded.insn.ops;
        good = check_insn(&decoded, what);
    }
    for (size_t at = 0; good && at < code->size; at += decoded.insn.length)
        good =
            decode(code->bytes + at, code->size - at, BASE + at, &decoded) && check_jump(code, begin, &decoded, what);
    free(begin);
    return good;
}

bool snippet_code_make(const struct binutils *tools, const char *text, const char *what, struct snippet_code *ret_code)
{
    char *source = must_text(".intel_syntax noprefix; .text; %s\n", text);
    char *object = binutils_path(tools, "text.o");
    bool good;

    *ret_code = (struct snippet_code){0};
    good =
        binutils_assemble(tools, "text", source, what) && read_object(object, what, ret_code) && check(ret_code, what);
    free(source);
    free(object);
    return good;
}
