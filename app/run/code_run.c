/* SPDX-License-Identifier: BSD-2-Clause */
/* A run of own code: its memory, its functions, its map; the contract is in code.h. */
#include "app/run/code.h"

#include "app/run/run.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"

/* Loads the code for the arena's address slot. */
static uint8_t *load(struct run *run, const struct code_file *file, struct out *problems)
{
    struct run_code *of = &run->code;
    uint8_t *memory = pool_take(&run->pool, file->code.memory, POOL_PAGE, "own code", problems);
    char line[CODE_WHY_MAX];
    struct out_memory why;

    if (!memory)
        return NULL;
    of->slots = passes_slots(run->fw, run->machine);
    of->slot = paging_slot(&of->slots);
    if (!of->slot) {
        sentence(problems, "%s: %s", file->file_name, session_error_text(SESSION_NO_PML4_SLOT));
        return NULL;
    }
    of->address = paging_own_address(of->slot);
    out_memory_init(&why, line, sizeof(line));
    if (code_load(&file->code, memory, of->address, &why.out))
        return memory;
    out_printf(problems, "%s: %s", file->file_name, line);
    return NULL;
}

/* Chooses the file's map, or makes one of addresses. */
static bool find_map(struct run *run, const struct code_file *file, struct out *problems)
{
    void *memory;

    run->map = &file->map;
    run->map_base = run->code.address;
    if (!file->why_no_map[0])
        return true;
    memory = pool_take(&run->pool, code_plain_size(&file->code), POOL_PAGE, "addresses of own code", problems);
    if (!memory)
        return false;
    code_plain_make(&file->code, memory, &run->code.plain);
    run->map = &run->code.plain;
    return true;
}

bool code_prepare(struct run *run, struct out *problems)
{
    const struct code_file *file = code_of(run->workload);
    size_t data = file ? (size_t)file->code.data_pages * CODE_PAGE : 0;

    if (code_file_at(0))
        vpmu_own_code(run->machine, NULL); /* code before the passes, such as the self-test, is the image's */
    if (!file)
        return true;
    run->code.file = file;
    if (vpmu_is_model(run->machine) && file->why_no_map[0]) {
        sentence(problems, "%s: the virtual PMU needs the file's code map to step it: %s.", file->file_name,
                 file->why_no_map);
        return false;
    }
    run->code.memory = load(run, file, problems);
    if (!run->code.memory || !find_map(run, file, problems))
        return false;
    if (data) {
        run->code.data = pool_take(&run->pool, data * run->cores.count, POOL_PAGE, "own code's data", problems);
        if (!run->code.data)
            return false;
    }
    code_set_functions(file, run->code.address);
    run->code.told = (struct vpmu_own_code){(uint64_t)(uintptr_t)file->map_bytes, file->map_size, run->code.address};
    return true;
}

struct paging_own code_pages(const struct run *run, unsigned worker)
{
    const struct run_code *of = &run->code;

    if (!of->file)
        return (struct paging_own){0};
    return (struct paging_own){
        .pages = of->file->code.memory / CODE_PAGE,
        .page = of->file->code.page,
        .physical = (uint64_t)(uintptr_t)of->memory,
        .data = of->data ? (uint64_t)(uintptr_t)of->data + (uint64_t)worker * of->file->code.data_pages * CODE_PAGE : 0,
    };
}

void code_fill_data(const struct paging_own *own)
{
    uint8_t *to = (uint8_t *)(uintptr_t)own->data;

    for (uint32_t i = 0; to && i < own->pages; i++)
        if (own->page[i] == CODE_WRITE) {
            memcpy(to, (const uint8_t *)(uintptr_t)own->physical + (size_t)i * CODE_PAGE, CODE_PAGE);
            to += CODE_PAGE;
        }
}

bool code_write_address(struct out *out, const struct run *run, uint64_t address)
{
    const struct code_file *file = run->code.file;

    if (!file || address - run->code.address >= file->code.memory)
        return false;
    code_write_place(out, &file->code, (uint32_t)(address - run->code.address));
    return true;
}
