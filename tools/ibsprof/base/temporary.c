/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/temporary.h"

#include <stdlib.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"

FILE *temporary_open(void)
{
    const char *folder = getenv("TMPDIR");
    char *path = must_text("%s/ibsprof-XXXXXX", folder && *folder ? folder : "/tmp");
    int descriptor = mkstemp(path);

    if (descriptor >= 0)
        (void)unlink(path);
    free(path);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
}
