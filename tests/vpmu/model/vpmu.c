/* The stepper's side of the model: set-up, one instruction boundary, NMIs. Contract: model.h. */
#include "tests/vpmu/model/state.h"

#include "core/mem.h"

/* ---------------------------------------------------------------- set-up */

static size_t aligned(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

static uint64_t info_memory(const struct codemap *map)
{
    return ((uint64_t)map->insn_count + 1) * sizeof(struct insn_info);
}

/* The largest L3 of all revisions: the size is asked for before the revision is known. */
static uint64_t largest_caches(void)
{
    uint64_t b = caches_memory(vpmu_params_of(VPMU_REV_B)), c = caches_memory(vpmu_params_of(VPMU_REV_C));

    return b > c ? b : c;
}

size_t vpmu_size(const struct codemap *map)
{
    return aligned(sizeof(struct vpmu)) + aligned(info_memory(map)) + aligned(truth_memory(map)) + largest_caches();
}

/* Which op makes an access: loads come first, a store is the last op's. An operand that is loaded and stored is one
 * op's. */
static void prepare_mem(struct insn_info *info, const struct codemap_insn *insn)
{
    uint8_t next = 0;

    for (uint32_t i = 0; i < info->mems; i++) {
        const struct codemap_mem *from = &insn->mem[i];
        struct insn_mem *mem = &info->mem[i];

        mem->disp = from->disp;
        mem->scale = from->scale;
        mem->base = from->base;
        mem->index = from->index;
        mem->size = from->size ? from->size : 1;
        mem->flags = from->flags;
        mem->op = (uint8_t)(info->ops - 1);
        if ((mem->flags & CODEMAP_LOAD) && next < info->ops)
            mem->op = next++;
        if (insn->flags & CODEMAP_INSN_LOCK)
            mem->bits |= VDATA3_LOCKED;
        if ((insn->flags & CODEMAP_INSN_NONTEMPORAL) && (mem->flags & CODEMAP_STORE))
            mem->bits |= VDATA3_WC;
    }
}

static void prepare_info(struct insn_info *info, const struct codemap_insn *insn)
{
    uint64_t addresses = 0;
    bool fp = insn->unit >= CODEMAP_UNIT_FADD && insn->unit <= CODEMAP_UNIT_FMOVE;

    info->rva = insn->rva;
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
    info->writes = insn->writes & ((1ull << DEPENDENCIES) - 1);
    info->special = info->branch != CODEMAP_BR_NONE || info->serial || info->vector || info->ops > 1;
    info->paired = insn->path == CODEMAP_PATH_DOUBLE;
    info->repeats = (insn->flags & CODEMAP_INSN_REP) != 0;
    prepare_mem(info, insn);
}

/* Makes the machine, or becomes a part of it. False: there is no such place. */
static bool take_place(struct vpmu *vpmu, const struct vpmu_config *config)
{
    struct vpmu_nodes *nodes = config->with ? config->with->nodes : &vpmu->own_nodes;

    if (!config->with) {
        nodes->count = config->nodes ? config->nodes : 1;
        for (uint32_t i = 0; i < VPMU_NODES; i++)
            nodes->memory_end[i] = config->memory_end[i];
        caches_place_memory(&vpmu->caches, nodes->memory_end);
    }
    if (nodes->count > VPMU_NODES || config->node >= nodes->count || (!config->with && config->node))
        return false;
    vpmu->nodes = nodes;
    vpmu->node = &nodes->node[config->node];
    nodes->cores++;
    return !config->with || caches_join(&vpmu->caches, &config->with->caches, config->node);
}

struct vpmu *vpmu_init(void *memory, size_t size, const struct vpmu_config *config)
{
    struct vpmu *vpmu = memory;
    uint8_t *rest = (uint8_t *)memory + aligned(sizeof(struct vpmu));

    if (size < vpmu_size(config->map))
        return NULL;
    memset(memory, 0, size);
    vpmu->config = *config;
    vpmu->params = vpmu_params_of(config->revision);
    vpmu->info = (struct insn_info *)rest;
    rest += aligned(info_memory(config->map));
    truth_init(&vpmu->truth, config->map, rest);
    rest += aligned(truth_memory(config->map));
    caches_init(&vpmu->caches, vpmu->params, rest);
    tlbs_init(&vpmu->tlbs, vpmu->params);
    if (!take_place(vpmu, config))
        return NULL;
    ibs_init(&vpmu->ibs, vpmu->params, config);

    pmc_init(vpmu);
    apic_init(vpmu);

    for (uint32_t i = 0; i < config->map->insn_count; i++) {
        prepare_info(&vpmu->info[i], &config->map->insns[i]);
        vpmu->info[i].fp = fp_classify(config->map, &config->map->insns[i]);
    }
    vpmu->outside = vpmu->last = &vpmu->info[config->map->insn_count];
    *vpmu->outside = (struct insn_info){.rva = UINT32_MAX, .length = 1, .ops = 1, .latency = 1, .special = 1};
    for (uint32_t i = 0; i < LVT_ENTRIES; i++)
        vpmu->lvt[i] = 0x10000; /* masked */
    vpmu->pipe.cycle = FRONT_DEPTH;
    vpmu->pipe.from = FRONT_DEPTH + 1;
    vpmu->pipe.closed = true;
    frontend_restart(vpmu, 0);
    return vpmu;
}

void vpmu_flush_tlb(struct vpmu *vpmu)
{
    tlbs_flush(&vpmu->tlbs);
}

/* ---------------------------------------------------------------- stepping */

static struct insn_info *search_insn(struct vpmu *vpmu, uint64_t rva)
{
    const struct codemap *map = vpmu->config.map;
    struct insn_info *outside = &vpmu->info[map->insn_count];
    int32_t found;

    if (map->insn_count == 0 || rva < map->insns[0].rva)
        return outside;
    found = codemap_find(map, rva);
    if (found < 0 || map->insns[found].rva != rva)
        return outside;
    vpmu->last->taken = (uint32_t)found;
    return &vpmu->info[found];
}

/* The instruction that starts at rip: the next one, or the one that followed last time, or by search. The one that
 * stands for the outside comes behind the last of the map and has an RVA that nothing has. */
static inline struct insn_info *find_insn(struct vpmu *vpmu, uint64_t rip)
{
    uint64_t rva = rip - vpmu->config.image_base;
    struct insn_info *last = vpmu->last, *next = last + 1;

    if (last == vpmu->outside)
        return search_insn(vpmu, rva);
    if (next->rva == rva && next != vpmu->outside)
        return next;
    next = &vpmu->info[last->taken];
    return next->rva == rva ? next : search_insn(vpmu, rva);
}

static inline uint64_t operand_address(const struct vpmu *vpmu, const struct insn_mem *mem, const uint64_t gpr[16])
{
    uint64_t address = (uint64_t)(int64_t)mem->disp;

    if (mem->base < 16)
        address += gpr[mem->base];
    else if (mem->base == CODEMAP_REG_RIP)
        address += vpmu->config.image_base;
    if (mem->index < 16)
        address += gpr[mem->index] * mem->scale;
    return address;
}

/* In two places: a call less for each step. */
static inline __attribute__((always_inline)) void remember(struct vpmu *vpmu, struct insn_info *info, uint64_t rip,
                                                           const uint64_t gpr[16])
{
    uint32_t index = (uint32_t)(info - vpmu->info);

    vpmu->pending.valid = true;
    vpmu->pending.index = index;
    vpmu->pending.info = info;
    vpmu->pending.row = &vpmu->truth.rows[index];
    vpmu->pending.rip = rip;
    if (info->mems) {
        vpmu->pending.linear[0] = operand_address(vpmu, &info->mem[0], gpr);
        if (info->mems > 1)
            vpmu->pending.linear[1] = operand_address(vpmu, &info->mem[1], gpr);
    }
    vpmu->last = info;
}

static inline __attribute__((always_inline)) void announce(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16])
{
    remember(vpmu, find_insn(vpmu, rip), rip, gpr);
}

/* The same rip twice is the same boundary announced again, unless the instruction can follow itself. */
static bool announced_again(const struct vpmu *vpmu, uint64_t rip)
{
    const struct codemap *map = vpmu->config.map;
    const struct codemap_insn *insn;

    if (rip != vpmu->pending.rip)
        return false;
    if (vpmu->pending.index == map->insn_count)
        return true;
    insn = &map->insns[vpmu->pending.index];
    return insn->branch == CODEMAP_BR_NONE && !(insn->flags & CODEMAP_INSN_REP);
}

bool vpmu_lvt_open(const struct vpmu *vpmu)
{
    uint32_t offset = vpmu->node->ibs_control & 0xF;

    /* Bit 8 of F3x1CC: offset valid. LVT entry: bit 16 masked, bits 10:8 message type, 4 = NMI. */
    return (vpmu->node->ibs_control & 0x100) && offset < LVT_ENTRIES && (vpmu->lvt[offset] & 0x10700) == 0x400;
}

void vpmu_look_after(struct vpmu *vpmu)
{
    vpmu->busy = vpmu->pmc.enabled || apic_armed(&vpmu->apic);
}

/* An interrupt is an instruction and a branch that nobody predicts (CodeXL event descriptions 0C0h to 0C4h); how many
 * macro-ops its microcode has is not known, so one. */
static void count_interrupt(struct vpmu *vpmu)
{
    struct signals *signals = &vpmu->signals;

    pmc_truth_place(vpmu, false);
    signals->interrupts++;
    signals->instructions++;
    signals->ops++;
    signals->branches++;
    signals->taken++;
    signals->mispredicted++;
}

static bool take_ibs_request(struct vpmu *vpmu)
{
    if (vpmu->ibs.requests == 0)
        return false;
    vpmu->ibs.requests--;
    if (!vpmu_lvt_open(vpmu)) {
        vpmu->truth.totals.nmi_blocked++;
        return false;
    }
    return true;
}

/* All interrupts that are due at the same boundary are one NMI. */
static __attribute__((noinline)) bool take_requests(struct vpmu *vpmu)
{
    bool ibs = take_ibs_request(vpmu), apic = apic_take(vpmu);

    if (!ibs && !apic)
        return false;
    pipeline_drain(vpmu, &vpmu->signals.far);
    count_interrupt(vpmu);
    vpmu_look_after(vpmu);
    return true;
}

static void run_busy(struct vpmu *vpmu, uint64_t next_rip)
{
    if (vpmu->pmc.enabled & ~vpmu->pmc.starting) {
        pmc_truth_place(vpmu, vpmu->pending.info != vpmu->outside);
        pipeline_run_counted(vpmu, next_rip);
        pmc_retired(vpmu, &vpmu->pmc, vpmu->pipe.retire_cycle);
    } else {
        pipeline_run(vpmu, next_rip);
    }
    pmc_start_waiting(vpmu);
}

/* A step with counters or the timer on. Apart, so that one without is as short as it was. */
static __attribute__((noinline)) bool step_busy(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16])
{
    bool next = vpmu->pending.valid && !announced_again(vpmu, rip);

    if (next)
        run_busy(vpmu, rip);
    announce(vpmu, rip, gpr);
    if (next)
        apic_retired(vpmu);
    return (vpmu->ibs.requests || vpmu->apic.due) && take_requests(vpmu);
}

bool vpmu_step(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16])
{
    if (vpmu->busy)
        return step_busy(vpmu, rip, gpr);
    if (vpmu->pending.valid && !announced_again(vpmu, rip))
        pipeline_run(vpmu, rip);
    announce(vpmu, rip, gpr);
    return vpmu->ibs.requests && take_requests(vpmu);
}

bool vpmu_step_at(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16], unsigned place)
{
    bool next = vpmu->pending.valid && !announced_again(vpmu, rip);

    if (next && vpmu->busy)
        run_busy(vpmu, rip);
    else if (next)
        pipeline_run(vpmu, rip);
    pmc_privilege(vpmu, &vpmu->pmc, place & VPMU_USER);
    vpmu->pending.foreign = place & VPMU_FOREIGN;
    remember(vpmu, vpmu->pending.foreign ? vpmu->outside : find_insn(vpmu, rip), rip, gpr);
    if (next && vpmu->busy)
        apic_retired(vpmu);
    return (vpmu->ibs.requests || vpmu->apic.due) && take_requests(vpmu);
}

bool vpmu_counts(const struct vpmu *vpmu)
{
    return ibs_counting(&vpmu->ibs) || vpmu->busy;
}

void vpmu_break(struct vpmu *vpmu)
{
    vpmu->truth.totals.broken += vpmu->pending.valid;
    vpmu->pending.valid = false;
    pipeline_drain(vpmu, &vpmu->signals.other);
    pmc_start_waiting(vpmu);
}

bool vpmu_armed(const struct vpmu *vpmu)
{
    return ibs_armed(&vpmu->ibs) || vpmu->busy;
}

bool vpmu_take_pending_nmi(struct vpmu *vpmu)
{
    struct ibs_unit *ibs = &vpmu->ibs;

    if (apic_take(vpmu)) {
        count_interrupt(vpmu);
        vpmu_look_after(vpmu);
        return true;
    }
    if (!vpmu_lvt_open(vpmu)) {
        ibs->late = ibs->storm = 0;
        return false;
    }
    if (ibs->storm) {
        ibs->storm--;
        vpmu->truth.totals.storm_nmis++;
        return true;
    }
    if (ibs->late) {
        ibs->late = 0;
        vpmu->truth.totals.late_nmis++;
        return true;
    }
    return false;
}
