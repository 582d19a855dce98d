/* SPDX-License-Identifier: BSD-2-Clause */
/* Words before figures that are not silicon's, on the console and in files. */
#ifndef CORE_ORIGIN_H
#define CORE_ORIGIN_H

#define ORIGIN_MODEL "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon."

#endif
