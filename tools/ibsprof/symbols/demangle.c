/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/symbols/demangle.h"

#include <stddef.h>

#include <libiberty/demangle.h>

char *demangle(const char *name)
{
    return name[0] == '_' && name[1] == 'Z' ? cplus_demangle_v3(name, DMGL_NO_OPTS) : NULL;
}
