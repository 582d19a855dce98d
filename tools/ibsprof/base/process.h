/* SPDX-License-Identifier: BSD-2-Clause */
/* State of all of the process: messages, the terminal and the end of the process are of all of it. */
#ifndef TOOLS_IBSPROF_PROCESS_H
#define TOOLS_IBSPROF_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct process {
    struct process_pager { /* pager.c */
        pid_t process;
        int terminal; /* that was standard output */
    } pager;
    struct process_shown { /* shown.c */
        struct shown_place *place;
        uint32_t places;
        char **text; /* that shown() and shown_plain() gave out */
        uint32_t texts;
    } shown;
    struct process_progress { /* terminal.c */
        bool shown;
        time_t shown_s;
        struct timespec begun;
        uint64_t last; /* done */
    } progress;
    struct process_archives { /* read/run_archive.c */
        bool damaged;
        uint32_t number; /* of archives that were opened */
        char *folder;    /* of all that is taken out */
        int alive;       /* closed when this process ends, by whatever */
        pid_t cleaner;
    } archives;
};

extern struct process process;

#endif
