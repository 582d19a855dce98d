/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_layout.h"

#include "core/family/ibs_regs.h"
#include "tools/ibsprof/read/input_inside.h"

static bool op_has(const struct ibs_machine *machine, unsigned reg, unsigned bit)
{
    return machine->bits[SAMPLE_OP][reg] >> bit & 1;
}

static bool fetch_has(const struct ibs_machine *machine, unsigned bit)
{
    return machine->bits[SAMPLE_FETCH][IBS_FETCH_CTL] >> bit & 1;
}

static bool has_later(const struct ibs_machine *machine)
{
    for (unsigned kind = 0; kind < IBS_RECORD_KINDS; kind++)
        for (unsigned reg = 0; reg < IBS_RECORD_REGS; reg++)
            if (machine->bits[kind][reg] & ~machine->first[kind][reg])
                return true;
    return false;
}

struct ibs_layout ibs_layout_of(uint32_t family, uint32_t model, uint32_t caps)
{
    struct ibs_machine machine = ibs_machine_of(family, model, caps);
    uint32_t traits = machine.row ? machine.row->traits : 0, errata = machine.row ? machine.row->errata : 0;

    caps = machine.caps;
    return (struct ibs_layout){
        .family = family,
        .model = model,
        .machine = machine,
        .known = machine.row,
        .later = has_later(&machine),
        .nb_status = traits & IBS_TRAIT_NB_STATUS,
        .no_nb_status = !(traits & IBS_TRAIT_NB_STATUS),
        .mab_hit = traits & IBS_TRAIT_MAB_HIT,
        .no_mab_alloc = traits & IBS_TRAIT_NO_MAB_ALLOC,
        .brn_resync = op_has(&machine, IBS_OP_DATA, 32),
        .misp_return = op_has(&machine, IBS_OP_DATA, 33),
        .brn_target = (caps & IBS_CAP_BRNTRGT) && !(errata & IBS_E_717),
        .op_cnt_ext = caps & IBS_CAP_OPCNTEXT,
        .rip_invalid = caps & IBS_CAP_RIPINVALID,
        .brn_fuse = caps & IBS_CAP_OPBRNFUSE,
        .microcode = op_has(&machine, IBS_OP_DATA, 40),
        .op_data4 = caps & IBS_CAP_OPDATA4,
        .node = op_has(&machine, IBS_OP_DATA2, 4),
        .state = op_has(&machine, IBS_OP_DATA2, 5),
        .remote = op_has(&machine, IBS_OP_DATA2, 9),
        .wide_source = op_has(&machine, IBS_OP_DATA2, 7),
        .ld_bnk_con = op_has(&machine, IBS_OP_DATA3, 9),
        .st_bnk_con = op_has(&machine, IBS_OP_DATA3, 10),
        .st_to_ld_fwd = op_has(&machine, IBS_OP_DATA3, 11),
        .st_to_ld_can = op_has(&machine, IBS_OP_DATA3, 12),
        .l2_miss_and_width = op_has(&machine, IBS_OP_DATA3, 20),
        .dc_page_size = caps & IBS_CAP_DTLB_PGSIZE,
        .dc_hit_2m = op_has(&machine, IBS_OP_DATA3, 6),
        .dc_hit_1g = op_has(&machine, IBS_OP_DATA3, 19),
        .op_l3_miss_only = op_has(&machine, IBS_OP_CTL, 16),
        .ld_lat = op_has(&machine, IBS_OP_CTL, 63),
        .ic_miss = !(errata & IBS_E_1238),
        .fetch_l2_miss = fetch_has(&machine, 58),
        .fetch_l3_miss = fetch_has(&machine, 61),
        .fetch_ctl_extd = caps & IBS_CAP_FETCHCTLEXTD,
    };
}

struct ibs_layout ibs_layout_of_input(const struct input *input)
{
    return input->layout;
}
