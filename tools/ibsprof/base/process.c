/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/process.h"

struct process process;
