/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/pager.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/ibsprof/base/process.h"

static struct process_pager *const pager = &process.pager;

int pager_terminal(void)
{
    return pager->process > 0 ? pager->terminal : isatty(STDOUT_FILENO) ? STDOUT_FILENO : -1;
}

/* Waits for the pager, which ends after its input, or when the user quits. */
static void end(void)
{
    (void)fclose(stdout); /* output_close() has looked for errors */
    while (waitpid(pager->process, NULL, 0) < 0 && errno == EINTR)
        ;
}

static const char *wanted(void)
{
    const char *own = getenv("IBSPROF_PAGER"), *usual = getenv("PAGER"), *term = getenv("TERM");
    const char *program = own ? own : usual ? usual : "if command -v less >/dev/null; then exec less; fi; exec cat";

    return isatty(STDOUT_FILENO) && program[0] && strcmp(program, "cat") != 0 && (!term || strcmp(term, "dumb") != 0)
               ? program
               : NULL;
}

void pager_begin(void)
{
    const char *program = wanted();
    int ends[2];

    if (!program || pipe(ends) != 0)
        return;
    pager->process = fork();
    if (pager->process == 0) {
        (void)dup2(ends[0], STDIN_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)setenv("LESS", "FRX", 0);
        (void)execl("/bin/sh", "sh", "-c", program, (char *)NULL);
        _exit(127);
    }
    if (pager->process > 0) {
        pager->terminal = dup(STDOUT_FILENO);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)atexit(end);
    }
    (void)close(ends[0]);
    (void)close(ends[1]);
}
