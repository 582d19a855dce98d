/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/shared/sampled.h"

#include "app/base/sentence.h"

void sampled_notes(struct out *out, unsigned finished, unsigned wanted, uint64_t samples, const char *remedy)
{
    if (finished < wanted)
        sentence(out, "WARNING: %u of %u repeats were completed.", finished, wanted);
    if (finished == wanted && samples < SAMPLED_FEW)
        sentence(out, "NOTE: few samples: %lu. More work (see 'list'), more repeats, or %s would give more.", samples,
                 remedy);
}
