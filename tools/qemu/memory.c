/* SPDX-License-Identifier: BSD-2-Clause */
/* memory FILE COMMAND [ARGUMENT]...: runs a command that has a private copy of FILE in memory, as file descriptor 9.
 *
 * QEMU takes descriptor 9 for the machine's memory (tools/qemu/snapshot). The copy is not a file in a folder, because
 * the plugin maps it a second time to execute from it, and some file systems do not allow that. Holes are not copied:
 * of 512 MB, 55 are in use when the boot file starts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY = 9 };

static int copy(int from, int to)
{
    struct stat file;
    off_t at = 0, end;

    if (fstat(from, &file) || ftruncate(to, file.st_size))
        return -1;
    while ((at = lseek(from, at, SEEK_DATA)) >= 0) {
        end = lseek(from, at, SEEK_HOLE);
        if (end < 0 || lseek(to, at, SEEK_SET) < 0)
            return -1;
        while (at < end) {
            ssize_t done = sendfile(to, from, &at, (size_t)(end - at));

            if (done == 0)
                errno = EIO; /* became shorter */
            if (done <= 0)
                return -1;
        }
    }
    return errno == ENXIO ? 0 : -1; /* no data after here */
}

int main(int argc, char **argv)
{
    int from, to;

    if (argc < 3) {
        fprintf(stderr, "usage: memory FILE COMMAND [ARGUMENT]...\n");
        return 2;
    }
    from = open(argv[1], O_RDONLY | O_CLOEXEC);
    to = memfd_create("memory", MFD_CLOEXEC);
    if (from < 0 || to < 0 || copy(from, to) || dup2(to, MEMORY) < 0) {
        fprintf(stderr, "memory: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    execvp(argv[2], argv + 2);
    fprintf(stderr, "memory: %s: %s\n", argv[2], strerror(errno));
    return 1;
}
