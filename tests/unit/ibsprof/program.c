#include "tests/unit/ibsprof/program.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/ibsprof/files.h"

const uint8_t program_id[20] = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14};

const char *program_make(const char *name)
{
    const char *path = files_path(name);
    char command[2048];

    snprintf(command, sizeof(command),
             "as tests/unit/ibsprof/program.s -o %s.o && ld -Ttext=0x401000 "
             "--build-id=0x0102030405060708090a0b0c0d0e0f1011121314 -o %s %s.o && rm %s.o",
             path, path, path, path);
    if (system(command) != 0)
        abort();
    return path;
}
