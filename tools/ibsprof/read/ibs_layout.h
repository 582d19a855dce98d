/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fields of a machine's IBS registers, by its family's row and its capabilities (core/ibs/ibs_field.h); for some of
 * them a toolkit file's header decides.
 */
#ifndef TOOLS_IBSPROF_IBS_LAYOUT_H
#define TOOLS_IBSPROF_IBS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ibs/ibs_field.h"

struct input;

struct ibs_layout {
    uint32_t family, model;
    struct ibs_machine machine;
    bool known;                      /* the family has a row; without one only raw registers are shown */
    bool later;                      /* has fields that the first family with IBS lacks */
    bool nb_status, no_nb_status;    /* IbsOpData2 is a northbridge's answer, and its columns are named so */
    bool mab_hit, no_mab_alloc;      /* IbsOpData3[16] is a MAB hit; a miss allocated none */
    bool brn_resync, misp_return;    /* IbsOpData[32], [33] */
    bool brn_target;                 /* the register IbsBrTarget, if reliable */
    bool op_cnt_ext;                 /* 27-bit periods */
    bool rip_invalid, brn_fuse;      /* IbsOpData[38], [39] */
    bool microcode;                  /* IbsOpData[40] */
    bool op_data4;                   /* the register IbsOpData4 */
    bool node, state;                /* IbsOpData2[4], [5] */
    bool remote;                     /* IbsOpData2[9:8] */
    bool wide_source;                /* IbsOpData2[7:6] are the upper bits of the source: Zen 4 */
    bool ld_bnk_con, st_bnk_con;     /* IbsOpData3[9], [10] */
    bool st_to_ld_fwd, st_to_ld_can; /* IbsOpData3[11], [12] */
    bool l2_miss_and_width;          /* IbsOpData3[31:20] and [63:48] */
    bool dc_page_size;               /* IbsOpData3[5:4] is a page size */
    bool dc_hit_2m, dc_hit_1g;       /* or separate flags: [4], [6] and [5], [19] */
    bool op_l3_miss_only, ld_lat;    /* IbsOpCtl[16], [63:59] */
    bool ic_miss;                    /* IbsFetchCtl[51], if reliable */
    bool fetch_l2_miss;              /* IbsFetchCtl[58] */
    bool fetch_l3_miss;              /* IbsFetchCtl[61:59] */
    bool fetch_ctl_extd;             /* the register IbsFetchCtlExtd */
};

struct ibs_layout ibs_layout_of(uint32_t family, uint32_t model, uint32_t caps);

/* Returns the layout of the input's samples. */
struct ibs_layout ibs_layout_of_input(const struct input *input);

#endif
