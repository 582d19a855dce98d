/* Paths on a command line as runs: a folder that holds several runs (a boot's runs, a stick) stands for all of them. */
#ifndef TOOLS_IBSPROF_RUN_LIST_H
#define TOOLS_IBSPROF_RUN_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct run_list {
    char **path;
    uint32_t count;
};

/* Adds 'path', or what it stands for, in the order of names. */
void run_list_add(struct run_list *list, const char *path);
void run_list_free(struct run_list *list);

#endif
