/* SPDX-License-Identifier: BSD-2-Clause */
/* The stepper's side of the model: set-up, one instruction boundary, NMIs. Contract: model.h. */
#include "vpmu/model/state.h"

#include "core/base/mem.h"
#include "vpmu/model/pipeline/commit.h"
#include "vpmu/model/hostile.h"
#include "vpmu/model/pmu/branch_sampling.h"

/* ---------------------------------------------------------------- set-up */

static size_t aligned(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

static uint64_t info_memory(const struct codemap *map)
{
    return ((uint64_t)map->insn_count + 1) * sizeof(struct insn_info);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t arrays_memory(const struct vpmu_params *params)
{
    return caches_memory(params) + tlbs_memory(params);
}

/* Returns the largest caches and TLBs of all revisions. */
static uint64_t largest_arrays(void)
{
    uint64_t largest = 0;

    for (int i = 0; i <= VPMU_REV_LAST; i++)
        largest = larger(largest, arrays_memory(vpmu_params_of((enum vpmu_revision)i)));
    return largest;
}

/* Sizes by the map, in this order after the instance itself. */
struct regions {
    uint64_t info, truth, parts;
};

static struct regions regions_of(const struct codemap *map)
{
    return (struct regions){aligned(info_memory(map)), aligned(truth_memory(map)), truth_parts_memory(map)};
}

/* Leaves room for the largest map of own code. */
static struct regions regions_with_own(const struct codemap *map)
{
    const uint64_t blocks = (VPMU_OWN_BYTES >> FETCH_SHIFT) + 4;
    struct regions of = regions_of(map);

    of.info = larger(of.info, aligned((VPMU_OWN_INSNS + 1) * sizeof(struct insn_info)));
    of.truth = larger(of.truth, aligned(truth_memory_for(VPMU_OWN_INSNS, blocks)));
    of.parts = larger(of.parts, truth_parts_memory_for(VPMU_OWN_INSNS, blocks));
    return of;
}

static size_t size_of(const struct regions *of, uint64_t arrays)
{
    return aligned(sizeof(struct vpmu)) + of->info + of->truth + of->parts + arrays;
}

size_t vpmu_size(const struct codemap *map)
{
    const struct regions of = regions_of(map);

    return size_of(&of, largest_arrays());
}

size_t vpmu_size_with_own(const struct codemap *map, enum vpmu_revision revision)
{
    const struct regions of = regions_with_own(map);

    return size_of(&of, arrays_memory(vpmu_params_of(revision)));
}

/* Prepares a stream without an announced instruction or a known jump target. */
static void prepare_stream(struct vpmu *vpmu)
{
    const struct codemap *map = vpmu->config.map;

    insns_prepare(vpmu->info, map, vpmu->config.image_base, vpmu->truth.rows, vpmu->config.window_shift,
                  vpmu->config.lookups_in_order || vpmu->config.walks != WALKS_OVERLAP ||
                      vpmu->config.issue != ISSUE_ANY || vpmu->config.free,
                  vpmu->config.free & FREE_EXECUTION);
    vpmu->outside = &vpmu->info[map->insn_count];
    vpmu->nothing = (struct insn_info){.rip = NO_RIP, .usual = vpmu->outside, .kind = KIND_NOTHING};
    vpmu->pending = &vpmu->announced[0];
    vpmu->pending->info = &vpmu->nothing;
    vpmu->announced[0].other = &vpmu->announced[1];
    vpmu->announced[1].other = &vpmu->announced[0];
    for (uint32_t i = 0; i < LANDINGS; i++)
        vpmu->landing[i] = vpmu->outside;
    if (map->insn_count) {
        const struct codemap_insn *last = &map->insns[map->insn_count - 1];

        vpmu->map_begin = vpmu->info[0].rip;
        vpmu->map_bytes = (uint64_t)last->rva + last->length - map->insns[0].rva;
    }
}

/* Creates the machine, or joins an existing one. Returns false if its place does not exist. */
static bool take_place(struct vpmu *vpmu, const struct vpmu_config *config)
{
    struct vpmu_nodes *nodes = config->with ? config->with->nodes : &vpmu->own_nodes;

    if (!config->with) {
        nodes->count = config->nodes ? config->nodes : 1;
        for (uint32_t i = 0; i < VPMU_NODES; i++)
            nodes->memory_end[i] = config->memory_end[i];
        caches_place_memory(&vpmu->caches, nodes->memory_end);
        for (uint32_t i = 0; params_later(vpmu->params) && i < VPMU_NODES; i++)
            nodes->node[i].ibs_control = /* entry 0, valid */
                hostile_has(config->hostile, HOSTILE_LVT_NONE) ? 0 : 0x100;
        for (uint32_t i = 0; nodes->count > 1 && i < VPMU_NODES; i++)
            nodes->node[i].nb_cfg = 1ull << 54; /* InitApicIdCpuIdLo: an APIC id has the core in its low bits */
    }
    if (nodes->count > VPMU_NODES || config->node >= nodes->count || (!config->with && config->node))
        return false;
    vpmu->nodes = nodes;
    vpmu->node = &nodes->node[config->node];
    nodes->cores++;
    return !config->with || caches_join(&vpmu->caches, &config->with->caches, config->node);
}

/* Empties the pipeline, as at the start. What waits in a line without ops counts for code outside the map. */
static void empty_pipeline(struct vpmu *vpmu)
{
    struct truth_row *outside = vpmu->outside->row;

    vpmu->pipe =
        (struct pipeline){.cycle = FRONT_DEPTH, .window = NO_WINDOW, .members[0] = outside, .committing[0] = outside};
    frontend_restart(vpmu, 0);
}

/* Clears what is kept for each instruction of the map. */
static void clear_map_memory(struct vpmu *vpmu)
{
    memset(vpmu->info, 0, info_memory(vpmu->config.map));
    memset(vpmu->truth.rows, 0, truth_memory(vpmu->config.map));
    memset(vpmu->truth.parts, 0, truth_parts_memory(vpmu->config.map));
}

struct vpmu *vpmu_init(void *memory, size_t size, const struct vpmu_config *config)
{
    struct vpmu *vpmu = memory;
    uint8_t *rest = (uint8_t *)memory + aligned(sizeof(struct vpmu));
    bool own = size >= vpmu_size_with_own(config->map, config->revision);
    struct regions of = own ? regions_with_own(config->map) : regions_of(config->map);

    if (!own && size < vpmu_size(config->map))
        return NULL;
    memset(vpmu, 0, sizeof(*vpmu));
    vpmu->takes_own = own;
    vpmu->config = *config;
    vpmu->own_params = *vpmu_params_of(config->revision);
    if (hostile_has(config->hostile, HOSTILE_NO_L3))
        vpmu->own_params.l3_ways = vpmu->own_params.l3_half_mb = 0;
    vpmu->params = &vpmu->own_params;
    if (vpmu->config.window_shift == 0)
        vpmu->config.window_shift = vpmu->params->window_shift;
    vpmu->info = (struct insn_info *)rest;
    rest += of.info;
    truth_init(&vpmu->truth, config->map, rest);
    rest += of.truth;
    vpmu->truth.parts = rest;
    rest += of.parts;
    /* Not all of the memory: the 15 MB for own code take eight cores a tenth of a short boot. */
    clear_map_memory(vpmu);
    memset(rest, 0, caches_memory(vpmu->params));
    caches_init(&vpmu->caches, vpmu->params, rest);
    vpmu->caches.clock = &vpmu->tsc_offset;
    vpmu->caches.free = config->free;
    tlbs_init(&vpmu->tlbs, vpmu->params, rest + caches_memory(vpmu->params));
    if (!take_place(vpmu, config))
        return NULL;
    ibs_init(&vpmu->ibs, vpmu->params, config);
    apic_init(vpmu);
    /* All counters are enabled by it after a reset (choice), as for software that does not know of it. */
    vpmu->pmc.global = (1u << vpmu->params->pmc_count) - 1;
    if (vpmu->params->pmc_version >= 2 && hostile_has(config->hostile, HOSTILE_GLOBAL_OFF))
        vpmu->pmc.global = 0;
    silicon_init(vpmu);
    power_init(vpmu);
    if (vpmu->params->branch_sampling)
        branch_sampling_init(vpmu, hostile_has(config->hostile, HOSTILE_BRANCHES));
    else
        branch_stack_init(&vpmu->branches, vpmu->params->branches && hostile_has(config->hostile, HOSTILE_BRANCHES));

    prepare_stream(vpmu);
    for (uint32_t i = 0; i < LVT_ENTRIES; i++) {
        bool taken = i && hostile_has(config->hostile, HOSTILE_LVT_TAKEN);

        /* Masked where the APIC is off: it could not be open (AMD APM vol. 2 section 16.4.6). */
        vpmu->lvt[i] = (taken ? 0xF0 + i : 0) | (!taken || hostile_has(config->hostile, HOSTILE_SVR_OFF) ? 0x10000 : 0);
    }
    empty_pipeline(vpmu);
    vpmu_look_after(vpmu);
    return vpmu;
}

/* Restarts with nothing under way; exact counts begin anew, time goes on. */
static void restart(struct vpmu *vpmu)
{
    uint64_t tsc = vpmu_tsc(vpmu);

    vpmu->front = (struct frontend){0};
    prepare_stream(vpmu);
    empty_pipeline(vpmu);
    vpmu->tsc_offset = tsc - vpmu->pipe.retire_cycle;
    vpmu_reset_truth(vpmu);
    vpmu->truth.begin = 0;
}

void vpmu_forget(struct vpmu *vpmu)
{
    touched_forget(vpmu);
    caches_empty(&vpmu->caches);
    tlbs_init(&vpmu->tlbs, vpmu->params, vpmu->tlbs.entries);
    vpmu->predictor = (struct predictor){0};
    rng_seed(&vpmu->ibs.rng, vpmu->config.seed);
    restart(vpmu);
}

bool vpmu_use_map(struct vpmu *vpmu, const struct codemap *map, uint64_t image_base)
{
    const struct codemap_insn *last = map->insn_count ? &map->insns[map->insn_count - 1] : NULL;

    if (!vpmu->takes_own || vpmu_armed(vpmu) || !last || map->insn_count > VPMU_OWN_INSNS ||
        last->rva + last->length - map->insns[0].rva > VPMU_OWN_BYTES)
        return false;
    commit_settle(vpmu);
    vpmu->config.map = map;
    vpmu->config.image_base = image_base;
    truth_init(&vpmu->truth, map, vpmu->truth.rows);
    clear_map_memory(vpmu);
    restart(vpmu);
    return true;
}

void vpmu_flush_tlb(struct vpmu *vpmu)
{
    tlbs_flush(&vpmu->tlbs);
}

/* ---------------------------------------------------------------- interrupts */

uint32_t vpmu_ibs_control(const struct vpmu *vpmu)
{
    bool other = vpmu->config.with && params_later(vpmu->params) && vpmu->node->ibs_control;

    return vpmu->node->ibs_control ^ (other && hostile_has(vpmu->config.hostile, HOSTILE_ENTRIES_DIFFER));
}

bool vpmu_lvt_open(const struct vpmu *vpmu)
{
    uint32_t control = vpmu_ibs_control(vpmu), offset = control & 0xF;

    /* Bit 8 of F3x1CC and C001_103A: offset valid. LVT entry: bit 16 masked, bits 10:8 message type, 4 = NMI. */
    return (control & 0x100) && offset < LVT_ENTRIES && (vpmu->lvt[offset] & 0x10700) == 0x400;
}

void vpmu_look_after(struct vpmu *vpmu)
{
    vpmu->busy = vpmu->pmc.enabled || apic_armed(&vpmu->apic);
    pipeline_choose_steps(vpmu);
}

enum { SLOW_NMI_TICKS = 6000 }; /* of HOSTILE_SLOW_NMI */

/* Counts an interrupt as an instruction and as a branch that is not predicted (CodeXL event descriptions 0C0h to
 * 0C4h); the number of macro-ops of its microcode is not known: one is counted. */
static void count_interrupt(struct vpmu *vpmu)
{
    struct signals *signals = &vpmu->signals;

    pmc_truth_place(vpmu, &vpmu->pmc_truth, false);
    signals->interrupts += !hostile_has(vpmu->config.hostile, HOSTILE_NOT_INTERRUPTS) || !params_later(vpmu->params);
    if (hostile_has(vpmu->config.hostile, HOSTILE_SLOW_NMI) && params_later(vpmu->params))
        vpmu_elapse_uncounted(vpmu, SLOW_NMI_TICKS);
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

/* Takes all interrupts that are due at the same boundary as one NMI. */
bool vpmu_take_requests(struct vpmu *vpmu)
{
    bool ibs = take_ibs_request(vpmu), apic = apic_take(vpmu);

    if (!ibs && !apic)
        return false;
    pipeline_drain(vpmu, &vpmu->signals.far);
    count_interrupt(vpmu);
    vpmu_look_after(vpmu);
    return true;
}

bool vpmu_counts(const struct vpmu *vpmu)
{
    return ibs_counting(&vpmu->ibs) || vpmu->busy;
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
    bool open = vpmu_lvt_open(vpmu);
    if (!open && !ibs->stays) {
        ibs->storm = 0;
        ibs->endless = false;
    }
    if (ibs->storm && open) {
        ibs->storm -= !ibs->endless;
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

bool vpmu_asks_again(const struct vpmu *vpmu)
{
    bool valid = (vpmu->ibs.op_ctl & VOP_VAL) || (vpmu->ibs.fetch_ctl & VFETCH_VAL);

    return hostile_has(vpmu->ibs.hostile, HOSTILE_VAL_LEVEL) && valid && vpmu_lvt_open(vpmu);
}

bool vpmu_take_standing_nmi(struct vpmu *vpmu)
{
    return vpmu->ibs.stays && vpmu_take_pending_nmi(vpmu);
}
