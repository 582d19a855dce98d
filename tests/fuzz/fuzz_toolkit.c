/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof's input on raw files of AMD_IBS_Toolkit; the first line, which identifies the file, is always there. */
#include "tests/fuzz/input_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0)
        input_of_bytes(data[0] & 1 ? "IBS Op Sample File\n" : "IBS Fetch Sample File\n", data + 1, size - 1);
    return 0;
}
