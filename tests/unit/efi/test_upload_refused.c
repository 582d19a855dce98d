/* SPDX-License-Identifier: BSD-2-Clause */
/* A run is sent to a boot server, and each call of the firmware is refused once: files reported as sent are there,
 * whole and once, no memory is kept, and the next run of the same boot arrives. The server confirms runs, or does
 * not. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/efi/fake_server.h"

enum { FILES = 6, ALL = (1 << FILES) - 1, DONE = 1 << FILES };

/* The files in the order in which they are sent; the first is emptied at the end. */
static const char *const files[FILES] = {"begun.ini", "report.txt", "profile.csv",
                                         "perf.data", "run.ini",    "ibsboot.elf"};

static const char *path_of(unsigned run, const char *name)
{
    static char path[100];

    sprintf(path, "\\ibsboot\\runs\\%04u-a%s%s", run, name[0] ? "\\" : "", name);
    return path;
}

static enum firmware_error send_file(const char *path)
{
    struct firmware *fw = &efi.firmware;
    struct firmware_file *file;
    enum firmware_error error = fw->file_create(fw, path, &file), end;

    if (error)
        return error;
    error = fw->file_write(file, "x", 1);
    end = fw->file_close(file, !error);
    return error ? error : end;
}

/* Sends a run as app/save does. Returns the files that were reported as sent, as bits, and DONE if the run is finished,
 * and confirmed where the server does so. */
static unsigned send_run(unsigned run)
{
    struct firmware *fw = &efi.firmware;
    enum firmware_error error = fw->make_folder(fw, path_of(run, ""));
    unsigned sent = 0;

    for (unsigned i = 0; i < FILES && !error; i++)
        sent |= (unsigned)!send_file(path_of(run, files[i])) << i;
    if ((sent | 1) == ALL && !fw->file_remove(fw, path_of(run, files[0])) && !fw->confirm(fw))
        sent |= DONE;
    return sent;
}

/* Checks that each file reported as sent arrived under its name. */
static void check(unsigned call, unsigned run, unsigned sent)
{
    if (net.memory || net.children)
        fail_msg("call %u: %u pieces of memory and %u children are left", call, net.memory, net.children);
    for (unsigned i = 0; i < FILES; i++) {
        char end[60];
        unsigned times = 0;

        sprintf(end, ",%04u-a,%s", run, files[i]);
        for (unsigned n = 0; n < net.file_count; n++)
            times +=
                strlen(net.files[n]) > strlen(end) && !strcmp(net.files[n] + strlen(net.files[n]) - strlen(end), end);
        if (sent & 1 << i && !times)
            fail_msg("call %u: %s of run %u did not arrive", call, files[i], run);
    }
}

static void begin(const char *wait)
{
    setup(NULL);
    net.wait = wait;
    net.answers = wait ? "kkkk" : NULL;
    efi_network_open(&efi);
    net.calls = 0;
}

TEST(each_call_refused)
{
    static const EFI_STATUS with[] = {EFI_DEVICE_ERROR, EFI_OUT_OF_RESOURCES, EFI_TIMEOUT};
    unsigned told = 0, all = 0;

    for (unsigned confirms = 0; confirms < 2; confirms++) {
        const char *wait = confirms ? "100\n" : NULL;
        unsigned calls;

        begin(wait);
        assert_int_equal(send_run(1), ALL | DONE);
        calls = net.calls;
        assert_in_range(calls, 50, 200);
        for (unsigned w = 0; w < sizeof(with) / sizeof(with[0]); w++, all += calls) {
            for (unsigned call = 1; call <= calls; call++) {
                unsigned first;

                begin(wait);
                net.refuse_call = call;
                net.refuse_with = with[w];
                first = send_run(1);
                told += first != (ALL | DONE);
                check(call, 1, first);
                if (send_run(2) != (ALL | DONE))
                    fail_msg("call %u: the next run is not sent", call);
                check(call, 1, first);
                check(call, 2, ALL);
            }
        }
    }
    print_message("%u calls refused: in %u runs a file was not sent\n", all, told);
    assert_in_range(told, 100, all);
}

RUN_TESTS(NULL, NULL)
