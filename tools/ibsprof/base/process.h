/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the whole process: messages, the terminal, and cleaning up at its end. */
#ifndef TOOLS_IBSPROF_PROCESS_H
#define TOOLS_IBSPROF_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct process {
    struct process_pager { /* pager.c */
        pid_t process;
        int terminal; /* standard output's terminal */
    } pager;
    struct process_shown { /* shown.c */
        struct shown_place *place;
        uint32_t places;
        char **text; /* results of shown() and shown_plain() */
        uint32_t texts;
    } shown;
    struct process_progress { /* terminal.c */
        bool shown;
        time_t shown_s;
        struct timespec begun;
        uint64_t last; /* latest 'done' */
    } progress;
    struct process_archives { /* read/run_archive.c */
        bool damaged;
        uint32_t number; /* number of opened archives */
        char *folder;    /* folder of all unpacked files */
        int alive;       /* pipe that closes when this process ends for any reason */
        pid_t cleaner;
    } archives;
};

extern struct process process;

#endif
