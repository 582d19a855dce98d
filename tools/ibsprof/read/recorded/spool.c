/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/recorded/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/temporary.h"

struct spool spool_open(void)
{
    return (struct spool){.file = temporary_open()};
}

void spool_put(struct spool *spool, const void *bytes, size_t size)
{
    if (spool->file && size > 0)
        (void)fwrite(bytes, 1, size, spool->file); /* ferror() knows */
    spool->size += size;
}

void spool_patch(struct spool *spool, uint64_t offset, const void *bytes, size_t size)
{
    if (spool->file && fseeko(spool->file, (off_t)offset, SEEK_SET) == 0) {
        (void)fwrite(bytes, 1, size, spool->file);
        (void)fseeko(spool->file, 0, SEEK_END);
    }
}

bool spool_fill(struct spool *spool, struct input *input, int descriptor)
{
    static const size_t room = 1 << 20;
    char *bytes = must_alloc(room, 1);
    ssize_t got;

    while ((got = read(descriptor, bytes, room)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            spool_put(spool, bytes, (size_t)got);
    free(bytes);
    return got == 0 || input_fail(input, UINT64_MAX, "%s", strerror(errno));
}

bool spool_map(struct spool *spool, struct input *input, struct input_file *file)
{
    void *bytes = MAP_FAILED;

    if (spool->file && fflush(spool->file) == 0 && !ferror(spool->file))
        bytes = mmap(NULL, (size_t)spool->size, PROT_READ, MAP_PRIVATE, fileno(spool->file), 0);
    if (bytes == MAP_FAILED) {
        input_fail(input, UINT64_MAX, "no room for %" PRIu64 " bytes in TMPDIR: %s", spool->size, strerror(errno));
        spool_close(spool);
        return false;
    }
    input_unmap(file);
    *file = (struct input_file){.bytes = bytes, .size = spool->size, .held = UINT64_MAX, .descriptor = -1};
    spool_close(spool);
    return true;
}

void spool_close(struct spool *spool)
{
    if (spool->file)
        fclose(spool->file);
    spool->file = NULL;
}
