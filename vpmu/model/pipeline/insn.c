/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/insn.h"

#include "vpmu/model/pmu/ibs_unit.h"
#include "vpmu/model/pipeline/pipeline.h"

enum { DEPENDENCIES = 34 }; /* bits of codemap_insn.reads and .writes */

/* Assigns each access to an op: loads come first, the last op stores. One op loads and stores the same operand. */
static void prepare_mem(struct insn_info *info, const struct codemap_insn *insn, uint64_t image_base)
{
    uint8_t next = 0;

    for (uint32_t i = 0; i < info->mems; i++) {
        const struct codemap_mem *from = &insn->mem[i];
        struct insn_mem *mem = &info->mem[i];

        mem->disp = (uint64_t)(int64_t)from->disp + (from->base == CODEMAP_REG_RIP ? image_base : 0);
        mem->scale = from->scale;
        mem->base = from->base;
        mem->index = from->index;
        mem->size = from->size ? from->size : 1;
        mem->flags = from->flags;
        mem->unaligned = mem->size - 1;
        mem->op = (uint8_t)(info->ops - 1);
        if ((mem->flags & CODEMAP_LOAD) && next < info->ops)
            mem->op = next++;
        if (insn->flags & CODEMAP_INSN_LOCK)
            mem->bits |= VDATA3_LOCKED;
        if ((insn->flags & CODEMAP_INSN_NONTEMPORAL) && (mem->flags & CODEMAP_STORE))
            mem->bits |= VDATA3_WC;
    }
}

static uint8_t take_register(uint64_t *set, uint8_t filler)
{
    uint8_t reg = *set ? (uint8_t)__builtin_ctzll(*set) : filler;

    *set &= *set - 1;
    return reg;
}

static enum operand_form form_of(const struct insn_info *info)
{
    bool base = info->mem[0].base < 16, index = info->mem[0].index < 16;

    if (info->mems != 1)
        return info->mems == 0 ? FORM_NONE : FORM_OTHER;
    if (!base)
        return index ? FORM_OTHER : FORM_FIXED;
    return index ? FORM_INDEXED : FORM_BASE;
}

/* Returns whether the fast paths can handle an operand. */
static bool usual_operand(const struct insn_mem *mem)
{
    return !mem->bits && mem->size <= 8 && !(mem->size & (mem->size - 1));
}

static enum insn_kind kind_of(const struct insn_info *info, bool listed)
{
    const struct insn_mem *mem = &info->mem[0];
    bool branch = info->branch != CODEMAP_BR_NONE;

    if (info->serial || info->vector || info->ops > 1)
        return KIND_SPECIAL;
    if (info->simple && info->mems == 0 && (info->branch == CODEMAP_BR_COND || info->branch == CODEMAP_BR_JUMP))
        return KIND_BRANCH;
    if (branch)
        return KIND_SPECIAL;
    if (info->simple)
        return info->mems == 0 ? KIND_PLAIN : mem->flags == CODEMAP_LOAD ? KIND_LOAD : KIND_STORE;
    if (listed && info->mems == 1 && usual_operand(mem) && mem->flags == (CODEMAP_LOAD | CODEMAP_STORE))
        return KIND_UPDATE;
    return KIND_OTHER;
}

/* Works out what the fast paths need to know, and which of them the instruction takes. */
static void prepare_kind(struct insn_info *info)
{
    const struct insn_mem *mem = &info->mem[0];
    uint64_t reads = info->reads, writes = info->writes;
    bool listed;

    for (uint32_t i = 0; i < 2; i++) {
        info->read[i] = take_register(&reads, NEVER_WRITTEN);
        info->written[i] = take_register(&writes, NEVER_READ);
    }
    info->form = form_of(info);
    info->waits[0] = mem->base < 16 ? mem->base : NEVER_WRITTEN;
    info->waits[1] = mem->index < 16 ? mem->index : NEVER_WRITTEN;
    listed = !reads && !writes;
    info->simple = listed && info->mems <= 1;
    if (info->mems == 1)
        info->simple &= usual_operand(mem) && (mem->flags == CODEMAP_LOAD || mem->flags == CODEMAP_STORE);
    info->kind = kind_of(info, listed);
}

/* Returns what an op holds. Each reservation station splits a macro-op into an integer and an address micro-op (SOG-K8
 * section A.11): its entry is free when both have issued. A plain load or store has only the latter: a store's data
 * goes to the load-store unit when it is there (choice). Floating-point ops use the address units, too. */
static uint8_t holds_of(const struct codemap_insn *insn, bool fp)
{
    bool access = insn->mems > 0, flags = insn->writes >> CODEMAP_DEP_FLAGS & 1;

    if (fp)
        return HELD_FP;
    return access && insn->unit == CODEMAP_UNIT_ALU && !flags ? HELD_NOTHING : HELD_STATION;
}

/* Multiplies have one pipe of three, additions, multiplications with divisions, and stores of floating point one each.
 */
static enum exec_unit unit_of(const struct codemap_insn *insn)
{
    bool stores = insn->mems && (insn->mem[0].flags & CODEMAP_STORE);

    switch (insn->unit) {
    case CODEMAP_UNIT_IMUL:
        return EXEC_MULTIPLIER;
    case CODEMAP_UNIT_FADD:
        return EXEC_FADD;
    case CODEMAP_UNIT_FMUL:
    case CODEMAP_UNIT_FDIV:
    case CODEMAP_UNIT_FSQRT:
        return EXEC_FMUL;
    case CODEMAP_UNIT_FMOVE:
        return stores ? EXEC_FSTORE : EXEC_ANY;
    default:
        return EXEC_ANY;
    }
}

static void make_general(struct insn_info *info)
{
    info->kind = info->kind == KIND_BRANCH || info->kind == KIND_SPECIAL ? KIND_SPECIAL : KIND_OTHER;
    info->simple = false;
}

static void prepare_info(struct insn_info *info, const struct codemap_insn *insn, uint64_t image_base)
{
    uint64_t addresses = 0;
    bool fp = insn->unit >= CODEMAP_UNIT_FADD && insn->unit <= CODEMAP_UNIT_FMOVE;

    info->rip = image_base + insn->rva;
    info->length = insn->length ? insn->length : 1;
    info->branch = insn->branch;
    info->ops = insn->ops ? insn->ops : 1;
    info->mems = insn->mems <= 2 ? insn->mems : 2;
    info->latency = (uint8_t)params_latency(insn);
    info->load_extra = fp ? FP_LOAD_EXTRA : 0;
    info->vector = insn->path == CODEMAP_PATH_VECTOR;
    info->serial = (insn->flags & CODEMAP_INSN_SERIAL) != 0;
    for (uint32_t i = 0; i < info->mems; i++) {
        if (insn->mem[i].base < 16)
            addresses |= 1ull << insn->mem[i].base;
        if (insn->mem[i].index < 16)
            addresses |= 1ull << insn->mem[i].index;
    }
    info->reads = insn->reads & ~addresses & ((1ull << DEPENDENCIES) - 1);
    info->writes = insn->writes & ((1ull << DEPENDENCIES) - 1) & ~(1ull << CODEMAP_DEP_X87);
    info->writes_x87 = insn->writes >> CODEMAP_DEP_X87 & 1;
    info->paired = insn->path == CODEMAP_PATH_DOUBLE;
    info->repeats = (insn->flags & CODEMAP_INSN_REP) != 0;
    info->holds = holds_of(insn, fp);
    info->unit = unit_of(insn);
    info->twice = info->unit == EXEC_MULTIPLIER && insn->op_size >= LONG_MULTIPLY;
    prepare_mem(info, insn, image_base);
    prepare_kind(info);
    info->more = info->writes_x87 || info->read[1] != NEVER_WRITTEN || info->unit != EXEC_ANY;
}

/* Returns the op's accesses, one bit for each kind. */
static uint32_t op_accesses(const struct insn_info *info, uint32_t op)
{
    uint32_t need = 0;

    for (uint32_t i = 0; i < info->mems; i++)
        if (info->mem[i].op == op)
            need |= (info->mem[i].flags & CODEMAP_LOAD ? NEED_LOADS : 0) |
                    (info->mem[i].flags & CODEMAP_STORE ? NEED_STORES : 0);
    return need;
}

/* Returns the needs of a line that begins with this op of the instruction. Conditional branches count as not taken. */
static uint8_t line_need(const struct insn_info *first, uint32_t op)
{
    uint32_t place = 0, parts = 0, accesses = 0;

    for (const struct insn_info *info = first; place < DISPATCH_WIDTH; info++, op = 0) {
        if (info != first && (info->vector || info->window != first->window || info->kind == KIND_OUTSIDE))
            break;
        for (; op < info->ops && place < DISPATCH_WIDTH; op++, place++) {
            uint32_t access = op_accesses(info, op);

            parts |= access | (info->holds == HELD_FP ? NEED_FP : 0);
            parts |= access || info->holds != HELD_FP ? 1u << place : 0;
            accesses += access != 0;
        }
        if (op < info->ops || info->vector || info->serial ||
            (info->branch != CODEMAP_BR_NONE && info->branch != CODEMAP_BR_COND))
            break;
    }
    return (uint8_t)(parts | accesses << NEED_ACCESS_SHIFT);
}

void insns_prepare(struct insn_info *infos, const struct codemap *map, uint64_t image_base, struct truth_row *rows,
                   unsigned window_shift, bool general, bool at_once)
{
    struct insn_info *outside = &infos[map->insn_count];

    for (uint32_t i = 0; i < map->insn_count; i++) {
        prepare_info(&infos[i], &map->insns[i], image_base);
        if (general || infos[i].repeats) /* it may be less than an instruction, which the fast paths do not ask */
            make_general(&infos[i]);
        if (at_once) {
            infos[i].latency = 0;
            infos[i].unit = EXEC_ANY;
        }
        infos[i].row = &rows[i];
        infos[i].last = (infos[i].rip + infos[i].length - 1) >> FETCH_SHIFT;
        infos[i].fp = fp_classify(map, &map->insns[i]);
        infos[i].window = (uint8_t)((infos[i].rip + infos[i].length - 1) >> window_shift);
    }
    *outside = (struct insn_info){.rip = NO_RIP,
                                  .usual = outside,
                                  .row = &rows[map->insn_count],
                                  .length = 1,
                                  .kind = KIND_OUTSIDE,
                                  .latency = 1,
                                  .ops = 1,
                                  .holds = HELD_STATION,
                                  .need = {NEED_STATIONS, NEED_STATIONS},
                                  .read = {NEVER_WRITTEN, NEVER_WRITTEN},
                                  .written = {NEVER_READ, NEVER_READ}};
    for (uint32_t i = 0; i < map->insn_count; i++) {
        infos[i].usual = infos[i + 1].form == FORM_OTHER ? outside : &infos[i + 1];
        for (uint32_t op = 0; op < 2; op++)
            infos[i].need[op] = line_need(&infos[i], op);
    }
}
