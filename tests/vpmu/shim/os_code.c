/*
 * Many programs have code at the same linear addresses. An instruction is the map's when it lies where the settings
 * say, is executed by a program (CPL 3), and its page has the bytes of the image's code.
 */
#include "tests/vpmu/shim/os.h"

enum { PAGES_MAX = 256 };

static struct {
    const struct codemap *map;
    const uint8_t *copy;
    uint64_t physical[PAGES_MAX]; /* of the page that has been compared; 1: its bytes are others */
} code;

void os_code_init(const struct codemap *map, const void *text, void *copy)
{
    uint8_t *to = copy;
    for (uint32_t i = 0; i < map->text_size; i++) {
        to[i] = ((const uint8_t *)text)[i];
    }
    code.map = map;
    code.copy = copy;
}

void os_code_forget(void)
{
    for (unsigned i = 0; i < PAGES_MAX; i++) {
        code.physical[i] = 0;
    }
}

static bool same_bytes(uint64_t page, uint64_t physical)
{
    uint64_t begin = page * PAGE_SIZE, end = begin + PAGE_SIZE;
    end = end < code.map->text_size ? end : code.map->text_size;
    for (uint64_t i = begin; i < end; i++) {
        if (code.copy[i] != ((const uint8_t *)physical)[i - begin]) {
            return false;
        }
    }
    return true;
}

unsigned os_code_place(const struct shim *shim, uint64_t rip, uint64_t physical)
{
    uint64_t base = shim->settings.code, offset = rip - base, page = offset / PAGE_SIZE;
    if (!base || !code.map || offset >= code.map->text_size || page >= PAGES_MAX || !physical) {
        return VPMU_USER | VPMU_FOREIGN;
    }
    physical &= ~(PAGE_SIZE - 1);
    if ((code.physical[page] & ~1ull) != physical) {
        code.physical[page] = physical | !same_bytes(page, physical);
    }
    return code.physical[page] & 1 ? VPMU_USER | VPMU_FOREIGN : VPMU_USER;
}
