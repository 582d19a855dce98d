/* SPDX-License-Identifier: BSD-2-Clause */
/* The noise certificate of a run of ours, from the facts of run.ini; the judgement is core/noise/certificate.h's. */
#ifndef TOOLS_IBSPROF_CERTIFICATE_H
#define TOOLS_IBSPROF_CERTIFICATE_H

#include "core/noise/certificate.h"
#include "tools/ibsprof/read/input.h"

enum { CERTIFICATE_RUN = UINT32_MAX };

struct certificate_line {
    uint32_t core;              /* CERTIFICATE_RUN: of the whole run, or of one on a single core */
    struct certificate_row row; /* its value in one line */
};

struct certificate {
    struct certificate_line *lines;
    uint32_t line_count;
    struct certificate_core *cores; /* of those that tell of gaps */
    uint32_t core_count;
};

/* NULL: the run has none. */
struct certificate *certificate_read(const struct input_facts *facts);
void certificate_free(struct certificate *certificate);

/* The worst verdict of all rows. */
enum certificate_verdict certificate_worst(const struct certificate *certificate);

#endif
