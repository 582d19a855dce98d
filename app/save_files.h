/* The files of a run: each function writes one of them, or its part of run.ini. Errors are kept in the sink. */
#ifndef APP_SAVE_FILES_H
#define APP_SAVE_FILES_H

#include "app/run.h"
#include "app/sinks.h"

typedef void save_file(struct file_sink *sink, const struct run *run, const struct options *options);

save_file save_report;      /* report.txt */
save_file save_ini;         /* run.ini */
save_file save_ibs_profile; /* profile.csv of IBS samples */
save_file save_perfdata;    /* perf.data of all samples */
save_file save_pmc_profile; /* pmc.csv: samples by counters or timer, a row per instruction */
save_file save_counts;      /* counts.csv: a row per event */
save_file save_noise;       /* noise.csv: a row per detour */

/* What came of a run as "#: key = value": a comment to whoever reads run.ini as settings. */
void save_fact(struct out *out, const char *key, uint64_t value);

/* The facts about IBS sampling; about events that were sampled; about those that were counted. */
void save_ibs_facts(struct out *out, const struct run *run);
void save_pmc_facts(struct out *out, const struct run *run);
void save_count_facts(struct out *out, const struct run *run);
void save_noise_facts(struct out *out, const struct run *run);
void save_certificate_facts(struct out *out, const struct run *run);

#endif
