/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof receive: makes folders of runs that a machine sends over its serial port (the setting output=serial), or
 * wrote to a boot server. */
#include <stdlib.h>
#include <sys/stat.h>

#include "tools/ibsprof/archive/add.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/receive/folder.h"
#include "tools/ibsprof/receive/port.h"
#include "tools/ibsprof/receive/received.h"
#include "tools/ibsprof/receive/uploads.h"

struct receive_settings {
    const char *to;
    int rate;
    double wait;
    bool all;
    const char *confirm, *archive;
};

#define PLACE(member_) offsetof(struct receive_settings, member_)
static const struct option_row option_rows[] = {
    {"to", 0, "DIR", OPTION_TEXT, PLACE(to), .help = "make the runs' folders in DIR (default: here)"},
    {"rate", 0, "BAUD", OPTION_WORD, PLACE(rate), .words = port_rates,
     .help = "rate of a serial port (default: 115200)"},
    {"wait", 0, "SECONDS", OPTION_NUMBER, PLACE(wait), .least = 0.1, .most = 1e6,
     .help = "receive all transmissions until nothing has arrived\nfor this long (default: one transmission)"},
    {"all", 0, NULL, OPTION_FLAG, PLACE(all), .help = "also move unfinished runs of a boot server"},
    {"confirm", 0, "DIR", OPTION_TEXT, PLACE(confirm),
     .help = "write answers for the machines into DIR of the boot server, where they look for them"},
    {"archive", 0, "ARCHIVE", OPTION_TEXT, PLACE(archive),
     .help = "add the runs of a boot server to this archive, before they are confirmed"},
    {0},
};

static const struct option_table options = {
    .command = "receive",
    .usage =
        "usage: ibsprof receive [--to DIR] [--rate BAUD] [--wait SECONDS] DEVICE|FILE...\n"
        "       ibsprof receive [--to DIR] [--all] FOLDER...\n"
        "\n"
        "Makes the folders of runs that a machine sends over its serial port (output=serial): from the port, from\n"
        "a log of its console, or from standard input (-). Only complete files are written. The rest is kept in\nthe "
        "run's folder, and a list says what is missing: 'send' at the machine's prompt sends it; then receive\nagain "
        "with the same DIR.\n\n"
        "From the FOLDER of a boot server, to which machines write by TFTP, it moves each finished run to\n"
        "DIR/MAC/DATE-TIME/RUN. Runs that say what was sent, in sums.txt, are checked.\n",
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

/* Returns whether a transmission has just ended. */
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
    char bytes[1 << 16];
    struct port port;
    uint32_t runs_ended = 0;
    long size;

    if (!port_open(&port, path, settings->rate))
        return false;
    while ((size = port_read(&port, bytes, sizeof(bytes), settings->wait)) > 0) {
        collect_text(collection, bytes, (size_t)size);
        if (!port.terminal || !ended(collection, &runs_ended))
            continue;
        /* Saves what has arrived, so that nothing is lost if the receiver or its host stops. */
        for (uint32_t i = 0; i < collection->runs; i++)
            if (collection->run[i]->files && collection->run[i]->ended)
                (void)write_run(collection->run[i], settings->to, false); /* the end tries again, and reports errors */
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
            complain("run %08X: no head of any file arrived: nothing is kept. Send the whole run again.", run->number);
            code = EXIT_INPUT;
        } else if (!write_run(run, to, true)) {
            return EXIT_OUTPUT;
        } else if (!received_run_complete(run)) {
            code = EXIT_INPUT;
        }
    }
    return code;
}

static enum exit_code read_ports(const struct receive_settings *settings, char *const *paths, int count)
{
    struct collection collection = {0};
    enum exit_code code;
    bool good = true;

    received_resume(&collection, settings->to);
    collection.blocks = collection.damaged = 0; /* of this transmission */
    for (int i = 0; i < count; i++)
        good &= read_port(&collection, settings, paths[i]);
    if (collection.damaged)
        complain("damaged lines: %lu", (unsigned long)collection.damaged);
    if (!collection.blocks)
        complain("no part of a run arrived: is output=serial set, and is the rate equal to serial_rate?");
    code = write_runs(&collection, settings->to);
    if (code == EXIT_DONE && !(good && collection.blocks))
        code = EXIT_INPUT;
    collect_free(&collection);
    return code;
}

static bool is_folder(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Adds a run to the archive. An unreadable one stays a folder, after a complaint. Returns false if the archive
 * failed. */
static bool add_to_archive(void *context, const char *folder)
{
    const struct load_options load = {0};
    struct add_sums sums = {0};
    struct archive archive;
    bool good = archive_open(&archive, context, true);

    if (good) {
        good = archive_add(&archive, folder, &load, &sums) && archive_settle(&archive);
        archive_close(&archive);
    }
    return good;
}

static enum exit_code read_folder(const struct receive_settings *settings, const char *path)
{
    const struct uploads_order order = {.from = path,
                                        .to = settings->to,
                                        .all = settings->all,
                                        .confirm = settings->confirm,
                                        .keep = settings->archive ? add_to_archive : NULL,
                                        .context = (void *)settings->archive};

    return uploads_take(&order);
}

static int run(int argc, char **argv)
{
    struct receive_settings settings = {.to = "."};
    enum exit_code code;
    int folders = 0;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    for (int i = 0; i < argc; i++)
        folders += is_folder(argv[i]);
    if (argc == 0)
        return options_misused(&options, "no DEVICE, FILE or FOLDER");
    if (folders != 0 && folders != argc)
        return options_misused(&options, "either folders of a boot server, or ports and files");
    if ((settings.all || settings.confirm || settings.archive) && !folders)
        return options_misused(&options, "--all, --confirm and --archive are for folders of a boot server");
    if (settings.all && settings.confirm)
        return options_misused(&options, "--all takes what --confirm refuses");
    if (!folders)
        code = read_ports(&settings, argv, argc);
    for (int i = 0; i < folders && code != EXIT_OUTPUT; i++) {
        enum exit_code one = read_folder(&settings, argv[i]);

        code = one == EXIT_DONE ? code : one;
    }
    return output_close(stdout, NULL) ? code : EXIT_OUTPUT;
}

const struct command command_receive = {"receive", "runs from a serial port or a boot server, as folders", run, false};
