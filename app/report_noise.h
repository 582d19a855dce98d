/* A noise run in words: the settings, and for each regime its table, histogram and longest detours. */
#ifndef APP_REPORT_NOISE_H
#define APP_REPORT_NOISE_H

#include "app/run.h"

void report_noise_settings(struct out *out, const struct run *run);
void report_noise(struct out *out, const struct run *run);

#endif
