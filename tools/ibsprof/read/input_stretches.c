/* SPDX-License-Identifier: BSD-2-Clause */
/* Stretches of a file, for reading in several threads. */
#include <fcntl.h>

#include "tools/ibsprof/read/input_inside.h"
#include "tools/ibsprof/read/input_order.h"

/* Copies of stretches that are known and not yet delivered: input_order.h looks that far ahead in files of ibsboot, and
 * in the rounds of a usual recording. */
enum { AHEAD = 8 };

void input_want_stretches(struct input *input, unsigned held)
{
    windows_free(input->windows);
    input->windows = held > 0 ? windows_new(input->file.descriptor, held + AHEAD, ORDER_WINDOW) : NULL;
    if (held == 0 || input->file.descriptor < 0)
        return;
    /* The system reads ahead of copies by itself; a request by input_release() would look at each page once more. */
    (void)posix_fadvise(input->file.descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    input->file.asked = input->file.size;
}

bool input_next_stretch(struct input *input, struct input_stretch *ret_stretch)
{
    if (!input->next_stretch || !input->next_stretch(input, &ret_stretch->begin, &ret_stretch->end))
        return false;
    ret_stretch->copy = windows_hold(input->windows, ret_stretch->begin, ret_stretch->end);
    input_show_progress(input);
    return true;
}

void input_read_stretch(const struct input_stretch *stretch, struct perfdata_reader *reader)
{
    perfdata_read_copy(reader, stretch->copy, stretch->begin, stretch->end);
}

void input_let_stretch(struct input *input, const struct input_stretch *stretch)
{
    windows_let(input->windows, stretch->copy);
}

void input_hold(struct input *input, uint64_t offset)
{
    input->file.held = offset;
}
