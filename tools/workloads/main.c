/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/workloads/twin.h"

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
           "       ibsboot-workloads noise [options]\n"
           "       ibsboot-workloads --print-map\n\n"
           "Options of a workload:\n");
    twin_options_help();
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

static int run(int argc, char **argv)
{
    static struct twin_options options;
    const char *name = argc > 1 ? argv[1] : "";
    const struct workload *workload = params_find_workload(name);
    struct out problems = {.write = write_stderr};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            help();
            return TWIN_DONE;
        }
    }
    if ((strcmp(name, "list") == 0 || strcmp(name, "--list") == 0) && argc <= 3)
        return list(argc == 3 ? argv[2] : "");
    if (strcmp(name, "--print-map") == 0 && argc == 2)
        return print_map();
    if (strcmp(name, "noise") == 0)
        return noise_command(argc - 2, argv + 2);
    if (!workload) {
        if (argc < 2)
            complain("which workload? 'ibsboot-workloads list' names them all, --help says more");
        else
            params_no_workload(&problems, name, "");
        return TWIN_USAGE;
    }
    if (!twin_options_read(&options, argc - 2, argv + 2))
        return TWIN_USAGE;
    return options.print_map ? print_map() : measure(workload, &options);
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
