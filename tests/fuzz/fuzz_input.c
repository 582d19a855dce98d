/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's input on any bytes: facts, order of time, counters read with samples, call chains, columns. */
#include "tests/fuzz/input_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_of_bytes("", data, size);
    return 0;
}
