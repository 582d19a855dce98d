/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Many programs have code at the same linear addresses. An instruction is the map's when it is at the address that
 * the settings name, is executed by a program (CPL 3), and its page has the instructions of the image's code. They may
 * differ in the four displacement bytes of addresses outside the code: the distance differs from link to link.
 */
#include "vpmu/shim/hypervisor.h"

enum {
    PAGES_MAX = OS_CODE_PAGES,
    /* RIP-relative addressing: at least an opcode, ModRM and a displacement (AMD APM vol. 3, section 1.7). */
    DISPLACEMENT_BYTES = 4,
    RELATIVE_LENGTH_MIN = 6,
};

static struct os_code *const code = &hypervisor.os_code;

void os_code_init(const struct codemap *map, const void *text, void *copy)
{
    uint8_t *to = copy;
    for (uint32_t i = 0; i < map->text_size; i++)
        to[i] = ((const uint8_t *)text)[i];
    code->map = map;
    code->copy = copy;
    uint32_t i = 0;
    for (unsigned page = 0; page < PAGES_MAX; page++) {
        while (i < map->insn_count && map->insns[i].rva - map->text_rva + map->insns[i].length <= page * PAGE_SIZE)
            i++;
        code->first[page] = i;
    }
    os_code_forget();
}

void os_code_forget(void)
{
    for (unsigned i = 0; i < PAGES_MAX; i++)
        code->physical[i] = 0;
}

/* Compares an instruction with the page at 'physical'; from, to: its bytes, clipped to the page. */
static bool same_instruction(uint64_t from, uint64_t to, uint64_t physical, unsigned length)
{
    uint64_t first = to, last = from;
    for (uint64_t i = from; i < to; i++) {
        if (code->copy[i] != ((const uint8_t *)physical)[i % PAGE_SIZE]) {
            first = i < first ? i : first;
            last = i;
        }
    }
    return first == to || (length >= RELATIVE_LENGTH_MIN && last - first < DISPLACEMENT_BYTES);
}

static bool same_page(uint64_t page, uint64_t physical)
{
    uint64_t begin = page * PAGE_SIZE, end = begin + PAGE_SIZE;
    for (uint32_t i = code->first[page]; i < code->map->insn_count; i++) {
        const struct codemap_insn *insn = &code->map->insns[i];
        uint64_t from = insn->rva - code->map->text_rva, to = from + insn->length;
        if (from >= end)
            break;
        if (!same_instruction(from < begin ? begin : from, to > end ? end : to, physical, insn->length))
            return false;
    }
    return true;
}

unsigned os_code_place(const struct shim *shim, uint64_t rip, uint64_t physical)
{
    uint64_t base = shim->settings.code, offset = rip - base, page = offset / PAGE_SIZE;
    if (!base || !code->map || offset >= code->map->text_size || page >= PAGES_MAX || !physical)
        return VPMU_USER | VPMU_FOREIGN;
    physical &= ~(PAGE_SIZE - 1);
    if ((code->physical[page] & ~1ull) != physical)
        code->physical[page] = physical | !same_page(page, physical);
    return code->physical[page] & 1 ? VPMU_USER | VPMU_FOREIGN : VPMU_USER;
}
