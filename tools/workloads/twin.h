/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibsboot-workloads, the Linux twin of the boot image: the same workloads from the same object files, so that profiles
 * by Linux and by ibsboot can be compared instruction by instruction.
 *
 * Equal to the image's: names, parameters and their ranges (app/settings/params.h), arena and stack (also their linear
 * addresses, if they are free), preparation before each run, a check after it. Linux's decisions are reported: page
 * sizes, processor, switches.
 */
#ifndef TOOLS_WORKLOADS_TWIN_H
#define TOOLS_WORKLOADS_TWIN_H

#include "app/settings/params.h"

enum twin_exit {
    TWIN_DONE = 0,
    TWIN_WRONG = 1,   /* a result was wrong */
    TWIN_USAGE = 2,   /* the command line is not understood */
    TWIN_MACHINE = 3, /* the machine lacks memory, processor, or perf's control files */
    TWIN_OUTPUT = 4,  /* writing standard output, or a file, failed */
};

enum twin_pages { TWIN_4K, TWIN_2M, TWIN_1G };
enum twin_format { TWIN_TEXT, TWIN_CSV, TWIN_JSON, TWIN_INI };

enum { TWIN_CONTROL_MAX = 400 };

struct twin_options {
    uint64_t cpu; /* UINT64_MAX: not pinned */
    uint64_t repeat, warm_up;
    uint32_t pages;  /* enum twin_pages */
    uint32_t format; /* enum twin_format */
    bool print_map, pause;
    char control[TWIN_CONTROL_MAX + 1]; /* "COMMANDS[,ACKNOWLEDGEMENTS]"; "": none */
    struct params params;

    struct settings_row row[SETTINGS_ROWS_MAX];
    struct settings settings;
};

/* Reads words "key=value", "--key=value" and "--key" (yes/no options). Returns false after a message for each wrong
 * word. */
bool twin_words_read(const struct settings *settings, int count, char **words);
bool twin_options_read(struct twin_options *options, int count, char **words);

/* Returns whether an option has this name, so that no parameter can. */
bool twin_has_option(const char *name);

/* Prints the options without the workloads' parameters, for --help. */
void twin_help(void);

/* Return CLOCK_MONOTONIC_RAW in seconds, and the TSC after completion of all earlier instructions. */
double seconds_now(void);
uint64_t ticks_now(void);

/* Prints a line on standard error, after the program's name. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct twin_option {
    struct settings_row row; /* without its value */
    size_t offset;           /* of the value in a struct, bytes */
};

/* Makes rows from a table, whose values are in the struct at 'values'. */
void twin_rows_make(struct settings_row *rows, const struct twin_option *table, unsigned count, void *values);

/* Prints a table for --help. */
void twin_options_help(const struct twin_option *table, unsigned count);

/* Runs 'ibsboot-workloads noise': the loops of noise/loops.h under Linux. Returns an enum twin_exit. */
int noise_command(int count, char **words);
void noise_help(void);

/* Measures one workload and prints the results. Returns an enum twin_exit. */
int measure(const struct workload *workload, const struct twin_options *options);

/* Prints the measured code: address, size and name of each function, as in the image except for the base. */
int print_map(void);

/* Pins the process to a processor. Returns false after an error message. */
bool pin_to(uint64_t cpu);

/* ---------------------------------------------------------------- perf */

/* perf record --control=fifo:COMMANDS,ACKNOWLEDGEMENTS switches sampling on only for the measured part. */
struct perf_control {
    int commands, acknowledgements; /* -1: none */
};

/* Returns false after an error message. */
bool perf_control_open(struct perf_control *control, const char *paths);
bool perf_control_send(const struct perf_control *control, const char *command); /* "enable" or "disable" */
void perf_control_close(struct perf_control *control);

/* Prints the process id and waits for a line or the end of standard input, or SIGUSR1. */
void wait_for_go(void);

#endif
