/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the noise certificate of an ibsboot run from the facts of run.ini; core/noise/certificate.h judges it. */
#ifndef TOOLS_IBSPROF_CERTIFICATE_H
#define TOOLS_IBSPROF_CERTIFICATE_H

#include "core/noise/certificate.h"
#include "tools/ibsprof/read/input.h"

enum { CERTIFICATE_RUN = UINT32_MAX };

struct certificate_line {
    uint32_t core;              /* CERTIFICATE_RUN: of the whole run, or of its only core */
    struct certificate_row row; /* with its value in one line */
};

struct certificate {
    struct certificate_line *lines;
    uint32_t line_count;
    struct certificate_core *cores; /* cores with gaps */
    uint32_t core_count;
};

/* Returns NULL if the run has none. */
struct certificate *certificate_read(const struct input_facts *facts);
void certificate_free(struct certificate *certificate);

/* Returns the worst verdict of all rows. */
enum certificate_verdict certificate_worst(const struct certificate *certificate);

#endif
