/* Files that lie beside a run's perf.data. */
#ifndef TOOLS_IBSPROF_RUN_FILE_H
#define TOOLS_IBSPROF_RUN_FILE_H

#include <stdio.h>

/* Opens 'name' of a run for reading. 'path' is what the run was read from: the run's folder, one that holds it (its
 * runs), or its perf.data. NULL: it has none, or there is more than one run. */
FILE *run_file_open(const char *path, const char *name);

#endif
