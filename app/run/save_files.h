/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that do not belong to one kind, or parts of them. The sink keeps errors. */
#ifndef APP_SAVE_FILES_H
#define APP_SAVE_FILES_H

#include "app/run/run.h"
#include "app/base/sinks.h"

typedef void save_file(struct file_sink *sink, const struct run *run, const struct options *options);

save_file save_ini;      /* run.ini */
save_file save_perfdata; /* perf.data of all samples */

/* Write facts of run.ini; begun.ini has the machine's as well. */
void save_machine_facts(struct out *out, const struct run *run);
void save_certificate_facts(struct out *out, const struct run *run);

#endif
