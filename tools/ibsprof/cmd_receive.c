/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof receive: runs that a machine sends over its serial port (the setting output=serial), as folders. */
#include <stdlib.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/receive/folder.h"
#include "tools/ibsprof/receive/port.h"
#include "tools/ibsprof/receive/received.h"

struct receive_settings {
    const char *to;
    int rate;
    double wait;
};

#define PLACE(member_) offsetof(struct receive_settings, member_)
static const struct option_row option_rows[] = {
    {"to", 0, "DIR", OPTION_TEXT, PLACE(to), .help = "make the runs' folders there (default: here)"},
    {"rate", 0, "BAUD", OPTION_WORD, PLACE(rate), .words = port_rates, .help = "of a serial port (default: 115200)"},
    {"wait", 0, "SECONDS", OPTION_NUMBER, PLACE(wait), .least = 0.1, .most = 1e6,
     .help =
         "receive transmission after transmission, until nothing\nhas come for so long (default: one transmission)"},
    {0},
};

static const struct option_table options = {
    .command = "receive",
    .usage =
        "usage: ibsprof receive [--to DIR] [--rate BAUD] [--wait SECONDS] DEVICE|FILE...\n"
        "\n"
        "Makes the folders of runs that a machine sends over its serial port (output=serial): from the port, from\n"
        "a log of its console, or from standard input (-). Only files that arrived whole are written. The rest is\n"
        "kept in the run's folder, what is missing is listed, and 'send' at the machine's prompt fills it in:\n"
        "receive again, with the same DIR.\n",
    .rows = option_rows,
};

static bool write_run(const struct received_run *run, const char *to, bool say)
{
    char *folder;
    bool good = received_write(run, to, &folder);

    if (good && say)
        received_print(stdout, run, folder);
    free(folder);
    return good;
}

/* True when a transmission has just come to its end. */
static bool ended(const struct collection *collection, uint32_t *runs_ended)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < collection->runs; i++)
        count += collection->run[i]->ended;
    bool more = count > *runs_ended;

    *runs_ended = count;
    return more;
}

static bool read_port(struct collection *collection, const struct receive_settings *settings, const char *path)
{
    static char bytes[1 << 16];
    struct port port;
    uint32_t runs_ended = 0;
    long size;

    if (!port_open(&port, path, settings->rate))
        return false;
    while ((size = port_read(&port, bytes, sizeof(bytes), settings->wait)) > 0) {
        collect_text(collection, bytes, (size_t)size);
        if (!port.terminal || !ended(collection, &runs_ended))
            continue;
        /* So that a receiver that is stopped, or a host that is, has lost nothing. */
        for (uint32_t i = 0; i < collection->runs; i++)
            if (collection->run[i]->files && collection->run[i]->ended)
                (void)write_run(collection->run[i], settings->to, false); /* tried again, and told, at the end */
        if (!settings->wait)
            break;
    }
    collect_end(collection);
    port_close(&port);
    return size >= 0;
}

static enum exit_code write_runs(const struct collection *collection, const char *to)
{
    enum exit_code code = collection->runs ? EXIT_DONE : EXIT_INPUT;

    for (uint32_t i = 0; i < collection->runs; i++) {
        const struct received_run *run = collection->run[i];

        if (!run->files) {
            complain("run %08X: no head of any file arrived: nothing of it is kept. Send all of it again.",
                     run->number);
            code = EXIT_INPUT;
        } else if (!write_run(run, to, true)) {
            return EXIT_OUTPUT;
        } else if (!received_run_complete(run)) {
            code = EXIT_INPUT;
        }
    }
    return code;
}

static int run(int argc, char **argv)
{
    struct receive_settings settings = {.to = "."};
    struct collection collection = {0};
    enum exit_code code, written;
    bool good = true;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc == 0)
        return options_misused(&options, "no DEVICE or FILE");
    received_resume(&collection, settings.to);
    collection.blocks = collection.damaged = 0; /* of this transmission */
    for (int i = 0; i < argc; i++)
        good &= read_port(&collection, &settings, argv[i]);
    if (collection.damaged)
        complain("lines that arrived damaged: %lu", (unsigned long)collection.damaged);
    if (!collection.blocks)
        complain("nothing of a run arrived: is output=serial set, and is the rate that of serial_rate?");
    written = write_runs(&collection, settings.to);
    code = !output_close(stdout, NULL) ? EXIT_OUTPUT
           : written                   ? written
           : good && collection.blocks ? EXIT_DONE
                                       : EXIT_INPUT;
    collect_free(&collection);
    return code;
}

const struct command command_receive = {"receive", "runs from a machine's serial port, as folders", run};
