/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/ibs_layout.h"

#include "core/ibs_regs.h"
#include "tools/ibsprof/read/input_inside.h"

struct ibs_layout ibs_layout_of(uint32_t family, uint32_t model, uint32_t caps)
{
    bool first_15h = family == 0x15 && model < 0x10;
    bool old = family <= 0x12 || first_15h; /* Family 10h, Llano, the first Bulldozer */

    return (struct ibs_layout){
        .family = family,
        .model = model,
        .zen = family >= 0x17,
        .before_zen = family < 0x17,
        .mab_hit = family <= 0x12 || (family == 0x15 && model < 0x20),
        .brn_resync = old || family == 0x14,
        .misp_return = old || family == 0x14,
        .brn_target = caps & IBS_CAP_BRNTRGT,
        .op_cnt_ext = caps & IBS_CAP_OPCNTEXT,
        .rip_invalid = caps & IBS_CAP_RIPINVALID,
        .brn_fuse = caps & IBS_CAP_OPBRNFUSE,
        .microcode = (family == 0x15 && model >= 0x60) || family >= 0x17,
        .op_data4 = caps & IBS_CAP_OPDATA4,
        .node_and_state = family != 0x14 && family != 0x16,
        .wide_source = caps & IBS_CAP_L3MISSONLY,
        .ld_bnk_con = old,
        .st_bnk_con = family <= 0x12,
        .st_to_ld_fwd = old || family == 0x14 || family == 0x16,
        .st_to_ld_can = old,
        .l2_miss_and_width = family >= 0x16 || (family == 0x15 && model >= 0x30),
        .fetch_l2_miss = (family == 0x15 && model >= 0x60) || family >= 0x17,
        .fetch_ctl_extd = caps & IBS_CAP_FETCHCTLEXTD,
    };
}

struct ibs_layout ibs_layout_of_input(const struct input *input)
{
    return input->layout;
}
