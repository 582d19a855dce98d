/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/workloads/own.h"

void complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "ibsboot-workloads: ");
    vfprintf(stderr, format, args);
    fprintf(stderr, "\n");
    va_end(args);
}

static void help(void)
{
    printf("ibsboot-workloads: the workloads of ibsboot as a Linux program, the same code bytes\n\n"
           "usage: ibsboot-workloads list [NAME | GROUP | all]\n"
           "       ibsboot-workloads NAME [parameter=value ...] [options]\n"
           "       ibsboot-workloads --code=FILE.elf [NAME] [parameter=value ...] [options]\n"
           "       ibsboot-workloads noise [options]\n"
           "       ibsboot-workloads --print-map\n\n"
           "Options of a workload:\n");
    printf("  %-22s own code, as on the stick: its workload beside those that are built in\n", "--code=FILE.elf");
    twin_help();
    printf("\nOptions of noise, which runs no workload, but loops that detect other users of the processor's time:\n");
    noise_help();
    printf("\nExit status: 0 all results right; 1 a result was wrong; 2 the command line is not understood; 3 the "
           "machine could\n"
           "not do it (memory, processor, perf's control files); 4 standard output, or a file, cannot be written.\n"
           "docs/linux.md says how to record it and compare it with a run of ibsboot.\n");
}

static void write_stdout(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stdout);
}

static void write_stderr(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stderr);
}

static int list(const char *argument)
{
    struct out out = {.write = write_stdout}, problems = {.write = write_stderr};

    if (!params_list(&out, argument, &problems))
        return TWIN_USAGE;
    if (!*argument)
        printf("Noise is not a workload but a command: 'ibsboot-workloads noise', see --help.\n");
    return TWIN_DONE;
}

/* Removes the option of own code from the words: its workload is in lists, and its parameters are options. */
static bool take_code(struct own *own, int *argc, char **argv)
{
    int left = 1;

    for (int i = 1; i < *argc; i++) {
        const char *path = NULL;

        if (strncmp(argv[i], "--code=", 7) == 0)
            path = argv[i] + 7;
        else if (strcmp(argv[i], "--code") == 0 && i + 1 < *argc)
            path = argv[++i];
        else
            argv[left++] = argv[i];
        if (path && !own_take(own, path))
            return false;
    }
    *argc = left;
    return true;
}

/* Returns the workload's name, and the number of words before the options; without a name it is own code's. */
static const char *name_of(const struct own *own, int argc, char **argv, int *ret_words)
{
    bool named = argc > 1 && argv[1][0] != '-' && !strchr(argv[1], '=');

    *ret_words = named || !own_workload(own) ? 2 : 1;
    if (*ret_words == 1)
        return own_workload(own)->name;
    return argc > 1 ? argv[1] : "";
}

static int print_map_of(const struct own *own, const struct workload *workload)
{
    if (!own_workload(own) || workload != own_workload(own))
        return print_map();
    own_print_map(own);
    return TWIN_DONE;
}

static int run(int argc, char **argv)
{
    struct twin_options options = {0};
    const struct workload *workload;
    struct own own = {.descriptor = -1};
    const char *name;
    int words;
    struct out problems = {.write = write_stderr};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help();
            return TWIN_DONE;
        }
    }
    if (!take_code(&own, &argc, argv))
        return TWIN_USAGE;
    name = argc > 1 ? argv[1] : "";
    if ((strcmp(name, "list") == 0 || strcmp(name, "--list") == 0) && argc <= 3)
        return list(argc == 3 ? argv[2] : "");
    if (strcmp(name, "--print-map") == 0 && argc == 2 && !own_workload(&own))
        return print_map();
    if (strcmp(name, "noise") == 0)
        return noise_command(argc - 2, argv + 2);
    name = name_of(&own, argc, argv, &words);
    workload = params_find_workload(name);
    if (!workload) {
        if (argc < 2)
            complain("which workload? 'ibsboot-workloads list' names them all, --help says more");
        else
            params_no_workload(&problems, name, "");
        return TWIN_USAGE;
    }
    if (!twin_options_read(&options, argc - words, argv + words))
        return TWIN_USAGE;
    return options.print_map ? print_map_of(&own, workload) : measure(workload, &options);
}

int main(int argc, char **argv)
{
    int result = run(argc, argv);

    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output cannot be written");
        return TWIN_OUTPUT;
    }
    return result;
}
