/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Questions for some processors only: on others the figure would measure something else, and "otherwise" would mean
 * nothing. Questions outside of the lists below are for every family.
 */
#include "app/hardware/hardware.h"

#include "core/events/meaning.h"
#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"

#define PIPELINE      "the expected answer is about the pipeline of Family 10h"
#define MEMORY        "the expected answer is about caches and TLBs of Family 10h"
#define BIT           "the bit has another meaning, or none, after Family 10h"
#define REVISIONS     "the question is about revisions of Family 10h"
#define NORTHBRIDGE   "the register belongs to the northbridge of Family 10h"
#define ERRATUM(text) "only Family 10h has erratum " text

static const char *const of_10h_alone[HARDWARE_ROWS] = {
    [HARDWARE_fetch_counter] = PIPELINE,
    [HARDWARE_line_ops_equal] = PIPELINE,
    [HARDWARE_loop_head] = PIPELINE,
    [HARDWARE_event_087] = PIPELINE,
    [HARDWARE_mispredict_cycles] = PIPELINE,
    [HARDWARE_divide_and_width] = PIPELINE,
    [HARDWARE_branch_history] = PIPELINE,
    [HARDWARE_return_stack] = PIPELINE,
    [HARDWARE_indirect_targets] = PIPELINE,
    [HARDWARE_dispatch_lines] = PIPELINE,
    [HARDWARE_forward_reasons] = PIPELINE,
    [HARDWARE_banks] = PIPELINE,
    [HARDWARE_explore_constants] = PIPELINE,
    [HARDWARE_code_walk] = MEMORY,
    [HARDWARE_itlb_reach] = MEMORY,
    [HARDWARE_l1d_index] = MEMORY,
    [HARDWARE_hop_cycles] = MEMORY,
    [HARDWARE_misslat_medians] = MEMORY,
    [HARDWARE_tlb_steps] = MEMORY,
    [HARDWARE_prefetch_stride] = MEMORY,
    [HARDWARE_l2_dtlb_replacement] = MEMORY,
    [HARDWARE_walk_through_l2] = MEMORY,
    [HARDWARE_rip_invalid] = BIT,
    [HARDWARE_mispredicted_return] = BIT,
    [HARDWARE_data3_bit19] = BIT,
    [HARDWARE_miss_in_flight] = BIT,
    [HARDWARE_source_l2] = BIT,
    [HARDWARE_fetch_upper_bits] = "only Family 10h is known for wrong upper bits",
    [HARDWARE_revision_b_counter] = REVISIONS,
    [HARDWARE_model_known] = REVISIONS,
    [HARDWARE_tlb_errata_bits] = REVISIONS,
    [HARDWARE_event_4ed] = REVISIONS,
    [HARDWARE_f3x1cc_mirrored] = NORTHBRIDGE,
    [HARDWARE_f3x1cc_sticks] = NORTHBRIDGE,
    [HARDWARE_ibs_control_of_node] = NORTHBRIDGE,
    [HARDWARE_core_select_437] = ERRATUM("437"),
    [HARDWARE_erratum_420_ends] = ERRATUM("420"),
    [HARDWARE_one_step_stop] = ERRATUM("420"),
    [HARDWARE_no_stale_translation] = ERRATUM("383"),
    [HARDWARE_erratum_721] = ERRATUM("721"),
    [HARDWARE_node_of_core] = "CPUID 8000_001E or ACPI gives the node: question 121",
    [HARDWARE_threshold_entries] = "firmware has assigned the entry, in MSR C001_103A",
    [HARDWARE_extended_lvt_free] = "firmware has assigned the entry, in MSR C001_103A",
    [HARDWARE_apic_timer_rate] = "the expected rate is the reference clock of Family 10h",
};

/* Capabilities that questions need and only some processors have. */
static const struct {
    uint32_t caps;     /* bits of CPUID 8000_001Bh EAX */
    uint64_t op_data3; /* bits of IbsOpData3 */
    uint8_t counters;  /* version of the counters */
    bool branches;     /* branch records, */
    bool selection;    /* with a selection of branches: not on Zen 3 */
    uint8_t outer;     /* enum ibs_outer, or-ed: needs one of them */
    bool zen;          /* about samples of Family 17h and later */
} needed[HARDWARE_ROWS] = {
    [HARDWARE_filter_bits_hold] = {.caps = IBS_CAP_L3MISSONLY},
    [HARDWARE_counts_of_27_bits] = {.caps = IBS_CAP_OPCNTEXT},
    [HARDWARE_l3_miss_only_ops] = {.caps = IBS_CAP_L3MISSONLY},
    [HARDWARE_l3_miss_only_fetches] = {.caps = IBS_CAP_L3MISSONLY},
    [HARDWARE_load_latency_passes] = {.caps = IBS_CAP_LDLAT},
    [HARDWARE_rip_invalid_share] = {.caps = IBS_CAP_RIPINVALID},
    [HARDWARE_l2_miss_of_source] = {.op_data3 = IBS_DC_L2_MISS},
    [HARDWARE_refill_of_a_miss] = {.op_data3 = 0xFFFFull << 48},
    [HARDWARE_itlb_refill] = {.caps = IBS_CAP_FETCHCTLEXTD},
    [HARDWARE_branch_targets] = {.caps = IBS_CAP_BRNTRGT},
    [HARDWARE_width_of_loads] = {.op_data3 = IBS_DC_WIDTH},
    [HARDWARE_page_size_field] = {.caps = IBS_CAP_DTLB_PGSIZE},
    [HARDWARE_counters_by_cpuid] = {.counters = 2},
    [HARDWARE_global_status] = {.counters = 2},
    [HARDWARE_global_control] = {.counters = 2},
    [HARDWARE_global_bits_hold] = {.counters = 2},
    [HARDWARE_fetch_extd_as_told] = {.zen = true},
    [HARDWARE_branch_target_as_told] = {.zen = true},
    [HARDWARE_branch_records_off] = {.branches = true},
    [HARDWARE_counts_in_order] = {.zen = true},
    [HARDWARE_branch_bits_of_branches] = {.zen = true},
    [HARDWARE_returns_are_taken] = {.zen = true},
    [HARDWARE_linear_of_physical] = {.zen = true},
    [HARDWARE_accesses_have_addresses] = {.zen = true},
    [HARDWARE_addresses_of_accesses] = {.zen = true},
    [HARDWARE_offsets_of_data] = {.zen = true},
    [HARDWARE_offsets_of_code] = {.zen = true},
    [HARDWARE_fetches_have_addresses] = {.zen = true},
    [HARDWARE_walks_miss_first] = {.zen = true},
    [HARDWARE_latency_of_hits] = {.zen = true},
    [HARDWARE_source_of_l3] = {.zen = true},
    [HARDWARE_source_of_memory] = {.zen = true},
    [HARDWARE_latencies_rise] = {.zen = true},
    [HARDWARE_targets_of_taken] = {.caps = IBS_CAP_BRNTRGT, .zen = true},
    [HARDWARE_l2_misses_miss_first] = {.op_data3 = IBS_DC_L2_MISS, .zen = true},
    [HARDWARE_outer_told] = {.zen = true},
    [HARDWARE_l3_control_holds] = {.zen = true},
    [HARDWARE_l3_count_holds] = {.zen = true},
    [HARDWARE_merge_event_holds] = {.zen = true},
    [HARDWARE_energy_as_told] = {.zen = true},
    [HARDWARE_energy_unit] = {.zen = true},
    [HARDWARE_cppc_as_told] = {.zen = true},
    [HARDWARE_cppc_levels_in_order] = {.zen = true},
    [HARDWARE_cppc_request_holds] = {.zen = true},
    [HARDWARE_tsc_at_p0] = {.zen = true},
    [HARDWARE_clock_of_p0] = {.zen = true},
    [HARDWARE_extended_entries] = {.zen = true},
    [HARDWARE_latency_of_misses] = {.zen = true},
    [HARDWARE_address_of_misses] = {.zen = true},
    [HARDWARE_canonical_ops] = {.zen = true},
    [HARDWARE_canonical_data] = {.zen = true},
    [HARDWARE_canonical_fetches] = {.zen = true},
    [HARDWARE_physical_data] = {.zen = true},
    [HARDWARE_physical_fetches] = {.zen = true},
    [HARDWARE_open_requests_of_misses] = {.op_data3 = IBS_DC_OPEN, .zen = true},
    [HARDWARE_width_of_accesses] = {.op_data3 = IBS_DC_WIDTH, .zen = true},
    [HARDWARE_fabric_control_holds] = {.outer = IBS_OUTER_17H | IBS_OUTER_19H},
    [HARDWARE_fabric_count_holds] = {.outer = IBS_OUTER_17H | IBS_OUTER_19H},
    [HARDWARE_memory_counters_told] = {.outer = IBS_OUTER_UMC},
    [HARDWARE_memory_control_holds] = {.outer = IBS_OUTER_UMC},
    [HARDWARE_memory_count_holds] = {.outer = IBS_OUTER_UMC},
    [HARDWARE_branch_selection_holds] = {.branches = true, .selection = true},
};

const char *hardware_not_of_family(const struct hardware *hardware, enum hardware_question question)
{
    const struct machine *machine = hardware->run->machine;
    bool by_software = machine->row && machine->row->lvt == IBS_LVT_OS;

    if ((machine->ibs_caps & needed[question].caps) != needed[question].caps)
        return "CPUID 8000_001Bh EAX says that this processor does not have it";
    if (needed[question].op_data3 && !(machine->row && machine->row->op_data3 & needed[question].op_data3))
        return "IbsOpData3 of this family does not have it";
    if (machine->pmc.version < needed[question].counters)
        return "this processor's counters have no global registers";
    if (needed[question].branches && !machine->branches)
        return "CPUID 8000_0022h says that this processor has no branch records";
    if (needed[question].selection && machine->branch_sampling)
        return "branch sampling (Zen 3) records all taken branches";
    if (needed[question].outer && !(machine->row && machine->row->outer & needed[question].outer))
        return "this family has no such counters outside of its cores";
    if (needed[question].zen && !machine_zen(machine))
        return "the question is about Zen";
    if (by_software && (question == HARDWARE_firmware_entry || question == HARDWARE_firmware_entries_agree))
        return "software assigns the entry: questions 10 and 67";
    if (machine->pmc.ctl == MSR_PERF_CTL(0) && question == HARDWARE_legacy_counters)
        return "each counter has only one number";
    return machine_registers_known(machine) ? NULL : of_10h_alone[question];
}

enum { RETIRED_OPS = 0x0C1, INTERRUPTS_TAKEN = 0x0CF };

/* Returns the row with the event's meaning on Family 10h; NULL: no row has it. */
static const struct event_meaning_row *meant(const struct hardware_event *event, enum event_set set)
{
    for (unsigned m = 0; m < EVENT_MEANINGS; m++) {
        const struct event_meaning_row *first = event_meaning_of(EVENT_SET_10H, (enum event_meaning)m);

        if (first->select == event->select && first->mask == event->mask)
            return event_meaning_of(set, (enum event_meaning)m);
    }
    return NULL;
}

/* Linux arch/x86/events/amd/core.c, tools/perf/pmu-events/arch/x86/amdzen1 to amdzen6, core.json: 0C1h counts retired
 * ops on all of them; the event of interrupts is the family's. */
struct hardware_event hardware_event_here(const struct hardware *hardware, const struct hardware_event *event)
{
    const struct machine *machine = hardware->run->machine;
    struct hardware_event here = *event;
    const struct event_meaning_row *own;

    if (machine_registers_known(machine) || event->select == RETIRED_OPS)
        return here;
    own = machine->row ? meant(event, (enum event_set)machine->row->events) : NULL;
    here.select = machine->row && event->select == INTERRUPTS_TAKEN ? machine->row->interrupts : 0;
    if (own && !own->remark) {
        here.select = own->select;
        here.mask = own->mask;
    }
    return here;
}
