/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/refused.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static struct {
    unsigned passed;
    int error; /* 0: no call is refused */
} refused[REFUSED_CALLS];

void refuse(enum refused_call call, unsigned passed, int error)
{
    refused[call].passed = passed;
    refused[call].error = error;
}

static bool is_refused(enum refused_call call)
{
    if (refused[call].error == 0 || refused[call].passed-- > 0)
        return false;
    errno = refused[call].error;
    refused[call].error = 0;
    return true;
}

/* Replaces the C library's function. */
int fsync(int file)
{
    return is_refused(REFUSED_FSYNC) ? -1 : (int)syscall(SYS_fsync, file);
}

int mkdir(const char *path, mode_t mode)
{
    return is_refused(REFUSED_MKDIR) ? -1 : (int)syscall(SYS_mkdir, path, mode);
}

int pipe2(int ends[2], int flags)
{
    return is_refused(REFUSED_PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, flags);
}

int rename(const char *path, const char *wanted)
{
    return is_refused(REFUSED_RENAME) ? -1 : (int)syscall(SYS_rename, path, wanted);
}

int rmdir(const char *path)
{
    return is_refused(REFUSED_RMDIR) ? -1 : (int)syscall(SYS_rmdir, path);
}

int syncfs(int file)
{
    return is_refused(REFUSED_SYNCFS) ? -1 : (int)syscall(SYS_syncfs, file);
}

int unlink(const char *path)
{
    return is_refused(REFUSED_UNLINK) ? -1 : (int)syscall(SYS_unlink, path);
}

int tcsetattr(int terminal, int when, const struct termios *settings)
{
    int (*system_call)(int, int, const struct termios *);

    *(void **)&system_call = dlsym(RTLD_NEXT, "tcsetattr");
    return is_refused(REFUSED_TERMINAL) ? -1 : system_call(terminal, when, settings);
}
