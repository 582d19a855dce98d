/* What came of a run, as lines of run.ini. */
#ifndef APP_FACTS_H
#define APP_FACTS_H

#include "core/out.h"

/* "#: key = value": a comment to whoever reads run.ini as settings. */
void save_fact(struct out *out, const char *key, uint64_t value);

#endif
