/* ibsprof: reads runs of ibsboot and perf.data files, draws them, and compares OS-free with OS profiles. */
#include "tools/ibsprof/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/version.h"

static const struct command *const commands[] = {
    NULL,
};

void complain(const char *format, ...)
{
    va_list args;

    progress_end();
    fputs("ibsprof: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

bool colour_allowed(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fd) && (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

static bool progress_shown;

void progress(const char *what, unsigned long long done, unsigned long long all)
{
    static time_t begun_s, shown_s;
    static long begun_ns;
    static unsigned long long last;
    struct timespec now;

    if (!isatty(STDERR_FILENO) || all == 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (done < last || begun_s == 0) {
        begun_s = now.tv_sec;
        begun_ns = now.tv_nsec;
    }
    last = done;
    if ((now.tv_sec - begun_s) * 1000000000L + now.tv_nsec - begun_ns < 500000000L || shown_s == now.tv_sec)
        return;
    shown_s = now.tv_sec;
    fprintf(stderr, "\ribsprof: %s: %llu %%\033[K", what, done * 100 / all);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

static void usage(FILE *to)
{
    fputs("usage: ibsprof COMMAND [OPTION...] FILE...\n"
          "\n"
          "Reads runs of ibsboot (folders or perf.data) and perf.data files of Linux' perf.\n"
          "\n",
          to);
    for (unsigned i = 0; commands[i] != NULL; i++)
        fprintf(to, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n'ibsprof COMMAND --help' explains a command; 'ibsprof --version' says which ibsprof this is.\n", to);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("ibsprof " IBSBOOT_VERSION);
        return EXIT_DONE;
    }
    for (unsigned i = 0; commands[i] != NULL; i++)
        if (strcmp(argv[1], commands[i]->name) == 0)
            return commands[i]->run(argc - 1, argv + 1);
    complain("no command '%s'; 'ibsprof --help' lists them", argv[1]);
    return EXIT_USAGE;
}
