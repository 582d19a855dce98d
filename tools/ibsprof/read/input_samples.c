/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/input_samples.h"

bool input_samples_next(struct input *input, struct input_samples *samples)
{
    if (samples->next == samples->count && !samples->slow) {
        samples->count = input_next_plain(input, samples->plain, INPUT_SAMPLES_AT_ONCE);
        samples->next = 0;
    }
    if (samples->next < samples->count) {
        samples->sample = &samples->plain[samples->next++];
        return true;
    }
    samples->sample = NULL;
    if (!input_next(input, &samples->item) || samples->item.kind == PERFDATA_ITEM_END)
        return false;
    if (samples->item.kind == PERFDATA_ITEM_SAMPLE) {
        samples->plain[0] = perfdata_plain_of(&samples->item);
        samples->sample = samples->plain;
    }
    return true;
}
