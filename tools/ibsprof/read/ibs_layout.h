/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which fields the IBS registers of a machine have: by family and model where AMD's documents say so, by the caps word
 * where there is a bit for it; the header of a toolkit file says it itself.
 *
 * Source: AMD_IBS_Toolkit tools/ibs_monitor/ibs_monitor.c, which writes these into its header; caps bits as in
 * core/ibs_regs.h.
 */
#ifndef TOOLS_IBSPROF_IBS_LAYOUT_H
#define TOOLS_IBSPROF_IBS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct input;

struct ibs_layout {
    uint32_t family, model;
    bool zen, before_zen;
    bool mab_hit;                    /* IbsOpData3[16] is a MAB hit; else: a miss got none */
    bool brn_resync, misp_return;    /* IbsOpData[32], [33] */
    bool brn_target;                 /* the register IbsBrTarget */
    bool op_cnt_ext;                 /* 27-bit periods */
    bool rip_invalid, brn_fuse;      /* IbsOpData[38], [39] */
    bool microcode;                  /* IbsOpData[40] */
    bool op_data4;                   /* the register IbsOpData4 */
    bool node_and_state;             /* IbsOpData2[4], [5] */
    bool wide_source;                /* IbsOpData2[7:6] are the upper bits of the source: Zen 4 */
    bool ld_bnk_con, st_bnk_con;     /* IbsOpData3[9], [10] */
    bool st_to_ld_fwd, st_to_ld_can; /* IbsOpData3[11], [12] */
    bool l2_miss_and_width;          /* IbsOpData3[31:20] and [63:48] */
    bool fetch_l2_miss;              /* IbsFetchCtl[58] */
    bool fetch_ctl_extd;             /* the register IbsFetchCtlExtd */
};

struct ibs_layout ibs_layout_of(uint32_t family, uint32_t model, uint32_t caps);

/* That of the input's samples. */
struct ibs_layout ibs_layout_of_input(const struct input *input);

#endif
