/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the table of machines and questions of 'ibsprof hardware'. */
#ifndef TOOLS_IBSPROF_HARDWARE_REPORT_H
#define TOOLS_IBSPROF_HARDWARE_REPORT_H

#include "tools/ibsprof/hardware/hardware_file.h"
#include "tools/ibsprof/html/document.h"

struct hardware_report {
    struct hardware_file *file;
    uint32_t files;
    /* Each question once, in the order of the first file that has it; not to be freed. */
    const struct hardware_file_row **question;
    uint32_t questions;
};

/* Collects the questions of all files. */
void hardware_report_begin(struct hardware_report *report);
void hardware_report_free(struct hardware_report *report);

extern const struct document hardware_document; /* for a struct hardware_report */

#endif
