/* SPDX-License-Identifier: BSD-2-Clause */
/* Everything that can fail, one call at a time: each call of each function of the firmware, and each session, in runs
 * of every kind. Whatever fails, the application ends with the status that it prints, says once what went wrong, keeps
 * what was measured and written before, and frees everything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#define BATCH "\\batch.txt"
#define WORDS "the firmware reported an error"

/* ---------------------------------------------------------------- runs */

struct run_row {
    const char *name, *options;
    uint32_t cores; /* 0: the firmware cannot start cores */
    bool nodes;     /* the machine has two nodes */
    const char *keys;
};

static const struct run_row run_rows[] = {
    {"ibs", "menu=no " SMALL, 0, false, NULL},
    {"three cores of two nodes", "menu=no cores=0,1,3 workload=own-page rounds=2", 4, true, NULL},
    {"others on one node", "menu=no cores=1-2 memory=1 " SMALL, 4, true, NULL},
    {"all cores", "menu=no cores=all " SMALL, 3, false, NULL},
    {"counters", "menu=no " SMALL " config=events repeats=2 periods=measured events=076,0C0,0C2,0C3,040", 0, false,
     NULL},
    {"totals, then the timer", "menu=no " SMALL " config=count,tbp events= repeats=1", 0, false, NULL},
    {"exploration", "menu=no " SMALL " config=explore", 0, false, NULL},
    {"both", "menu=no " SMALL " config=skid periods=given", 0, false, NULL},
    {"roofline", "menu=no " SMALL " config=roofline", 0, false, NULL},
    {"noise", "menu=no config=noise noise_detours=10", 0, false, NULL},
    {"batch", "batch=" BATCH " " SMALL, 0, false, NULL},
    {"prompt", "workload=tight-loop iterations=9 config=tbp", 0, false, "xpager=no\nrun\nagain\nquit\n"},
};

static void set_up(const struct run_row *row)
{
    /* The counts agree with one another, for exploration. */
    static const struct fake_count counts[] = {
        {0x076, 100000, 0, 0}, {0x0C0, 120000, 0, 0}, {0x0C1, 150000, 0, 0}, {0x0C1, 80000, 0, 1}, {0x0C1, 50000, 0, 2},
        {0x0C1, 20000, 0, 3},  {0x0C2, 20000, 0, 0},  {0x0D0, 10000, 0, 0},  {0x0D1, 30000, 0, 0}, {0x0D5, 10000, 0, 0},
        {0x0D8, 25000, 0, 0},  {0x040, 60000, 0, 0},  {0x041, 2000, 0, 0},   {0x042, 2000, 0, 0},  {0x043, 1000, 0, 0},
    };
    static const char batch[] = "config=tbp\nrun\nconfig=count events=0C0\nrun\n";

    fixture_setup(NULL);
    fake_session.op_samples = 28;
    fake_session.fetch_samples = 14;
    fake_session.timer_samples = 14;
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 100;
    fake_session.aperf = fake_session.mperf = 1;
    fake_fw.cores = row->cores;
    if (row->nodes)
        set_two_nodes();
    fake_fw.keys = row->keys;
    fake_file_put(&fake_fw, BATCH, batch, sizeof(batch) - 1);
}

/* Screen, calls and files of an undisturbed run. */
static struct {
    char *screen;
    unsigned calls[FAKE_CALLS], sessions;
    int status;
    struct fake_file file[FAKE_FILES];
    unsigned files;
} clean;

static void forget_clean(void)
{
    for (unsigned i = 0; i < clean.files; i++)
        free(clean.file[i].data);
    free(clean.screen);
    memset(&clean, 0, sizeof(clean));
}

static void run_clean(const struct run_row *row)
{
    forget_clean();
    set_up(row);
    clean.status = start(row->options);
    clean.screen = strdup(fake_fw.screen);
    clean.sessions = fake_session.runs;
    memcpy(clean.calls, fake_fw.calls, sizeof(clean.calls));
    /* The fake's files are kept for comparison. */
    memcpy(clean.file, fake_fw.file, sizeof(clean.file));
    clean.files = fake_fw.files;
    fake_fw.files = 0;
    fixture_teardown(NULL);
    if (clean.status)
        fail_msg("%s: status %d:\n%s", row->name, clean.status, clean.screen);
}

/* ---------------------------------------------------------------- what always holds */

static bool ends_with_status(int status)
{
    char line[64];
    size_t length;

    snprintf(line, sizeof(line), "\nibsboot: end: status %d\n", status);
    length = strlen(line);
    return fake_fw.screen_length >= length && !strcmp(fake_fw.screen + fake_fw.screen_length - length, line) &&
           times_said("ibsboot: end:") == 1;
}

/* Returns whether both are the same file; the number of a run after one that was not saved may differ. */
static bool same_path(const char *a, const char *b)
{
    static const char runs[] = "\\ibsboot\\runs\\";
    size_t length = sizeof(runs) - 1;
    bool run = !strncmp(a, runs, length) && !strncmp(b, runs, length);

    return run ? !strcmp(strchr(a + length, '-'), strchr(b + length, '-')) : !strcmp(a, b);
}

static const struct fake_file *clean_file(const char *path)
{
    for (unsigned i = 0; i < clean.files; i++)
        if (same_path(clean.file[i].path, path))
            return &clean.file[i];
    return NULL;
}

/* Checks that each file is as it would have been without the failure, or is missing. */
static void check_files(const char *what, bool same)
{
    for (unsigned i = 0; i < fake_fw.files; i++) {
        const struct fake_file *file = &fake_fw.file[i], *want = clean_file(file->path);

        if (strstr(file->path, "\\begun.ini")) /* begun.ini stays if run.ini is missing, or if it cannot be removed */
            continue;
        if (!want && strstr(file->path, "-refused")) /* the reason of a refusal */
            continue;
        if (!want)
            fail_msg("%s: %s was written", what, file->path);
        if (same && (file->size != want->size || (file->size && memcmp(file->data, want->data, file->size))))
            fail_msg("%s: %s is not what it should be:\n%s", what, file->path, file->data);
    }
}

static void check_given_back(const char *what)
{
    if (fake_memory_blocks() || fake_fw.open)
        fail_msg("%s: %u blocks and %u files are left", what, fake_memory_blocks(), fake_fw.open);
    for (unsigned n = 0; n < PMC_LEGACY; n++)
        assert_int_equal(fake_msr(MSR_PERF_CTL(n))->value, 0);
    assert_true(fake.flags & CPU_FLAG_INTERRUPT);
}

/* ---------------------------------------------------------------- calls of the firmware */

/* The lines of which one must give the reason; NULL: nothing went wrong. */
struct expected {
    const char *says[6];
    bool harmless; /* status 0 */
    bool tables;   /* everything that the undisturbed run shows must be shown */
};

static const struct expected expected[FAKE_CALLS] = {
    [FAKE_READ_KEY] = {.harmless = true},
    [FAKE_ALLOCATE] = {.says = {"no memory for ", "not enough memory",
                                "The machine could not be probed: ", "batch = " BATCH ": " WORDS}},
    [FAKE_ALLOCATE_IN] = {.harmless = true}, /* the exception is below */
    [FAKE_MEMORY_MAP] = {.harmless = true},  /* a slot that the firmware has mapped is then not used */
    [FAKE_READ_FILE] = {.says = {"batch = " BATCH ": " WORDS}},
    [FAKE_LIST] = {.harmless = true}, /* begun.ini is then missing; the folder is tried again when the run is saved */
    [FAKE_MAKE_FOLDER] = {.harmless = true},
    [FAKE_ROOM] = {.harmless = true},
    [FAKE_FILE_CREATE] = {.says = {": " WORDS}, .tables = true},
    [FAKE_FILE_WRITE] = {.says = {": " WORDS}, .tables = true},
    [FAKE_FILE_CLOSE] = {.says = {": " WORDS}, .tables = true},
    [FAKE_FILE_APPEND] = {.harmless = true},
    [FAKE_FILE_REMOVE] = {.harmless = true},
    [FAKE_COUNT_CORES] = {.says = {"cores = "}},
    [FAKE_START_CORE] = {.harmless = true}, /* the program then starts the core itself */
    [FAKE_CORE_APIC_ID] = {.harmless = true},
    [FAKE_NOW] = {.harmless = true},
};

static bool only_begun(void)
{
    return times_said("begun.ini: " WORDS "; after a reset there would be no record of this run ") == 1;
}

/* Returns whether the failure is reported and has no other effect: for the settings file, whose defaults are used, for
 * begun.ini, for a report that is only printed, and for "all" on the boot core alone. */
static bool only_told(enum fake_call call)
{
    if (call >= FAKE_FILE_CREATE && call <= FAKE_FILE_CLOSE)
        return only_begun();
    return (call == FAKE_READ_FILE || call == FAKE_ALLOCATE
                ? times_said("ibsboot.ini: " WORDS "; defaults are used") == 1 ||
                      times_said("to keep this report for the screen") == 1 ||
                      times_said("code: " WORDS "; there is no own code") == 1
                : call == FAKE_COUNT_CORES && times_said("; this run is on the boot core alone") == 1);
}

/* Returns a copy without the lines about files and the status; the caller frees it. */
static char *without_files(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *to = copy;
    bool about = false;

    while (*text) {
        size_t length = strcspn(text, "\n") + 1;

        about = (about && !strncmp(text, "    ", 4)) || !strncmp(text, "NOT SAVED: ", 11) ||
                !strncmp(text, "begun.ini: ", 11) || !strncmp(text, "WARNING: this run cannot be saved", 33) ||
                !strncmp(text, "Saving ", 7) || !strncmp(text, "Saved to ", 9) ||
                !strncmp(text, "The other files ", 16) || !strncmp(text, "ibsboot: end: ", 14);
        if (!about) {
            memcpy(to, text, length);
            to += length;
        }
        text += length;
    }
    *to = '\0';
    return copy;
}

/* Returns whether the screen shows everything that the undisturbed run shows, except for lines about files. */
static bool has_tables(void)
{
    char *is = without_files(fake_fw.screen), *was = without_files(clean.screen);
    bool same = !strcmp(is, was);

    free(is);
    free(was);
    return same;
}

static void check_call(const struct run_row *row, enum fake_call call, unsigned number, int status)
{
    const struct expected *want = &expected[call];
    unsigned said = 0;
    char what[160];

    snprintf(what, sizeof(what), "%s: call %u of %s fails", row->name, number, fake_call_name(call));
    for (unsigned i = 0; i < 6 && want->says[i]; i++)
        said += times_said(want->says[i]);
    if (!ends_with_status(status))
        fail_msg("%s: status %d, but:\n%s", what, status, fake_fw.screen);
    if (!fake_fw.failed)
        fail_msg("%s: it did not", what);
    if (only_told(call) || (call == FAKE_COUNT_CORES && !row->cores))
        assert_int_equal(status, 0);
    else if (call == FAKE_ALLOCATE_IN && strstr(row->options, "memory=1"))
        assert_int_equal(status,
                         times_said("no memory for the workload on node 1: ")); /* other memory may be on any node */
    else if (status != !want->harmless || said != !want->harmless)
        fail_msg("%s: status %d, said %u times:\n%s", what, status, said, fake_fw.screen);
    if (want->tables && !has_tables())
        fail_msg("%s: tables are lost:\n%s", what, fake_fw.screen);
    if (times_said("NOT SAVED") != (want->tables && !only_begun()))
        fail_msg("%s:\n%s", what, fake_fw.screen);
    check_files(what, want->tables);
    check_given_back(what);
    assert_lines_fit();
}

TEST(each_call_of_the_firmware)
{
    unsigned calls = 0;

    for (unsigned r = 0; r < sizeof(run_rows) / sizeof(run_rows[0]); r++) {
        const struct run_row *row = &run_rows[r];

        run_clean(row);
        for (unsigned call = 0; call < FAKE_CALLS; call++) {
            for (unsigned number = 1; number <= clean.calls[call]; number++) {
                set_up(row);
                fake_fw.fail.call = (enum fake_call)call;
                fake_fw.fail.at = number;
                check_call(row, (enum fake_call)call, number, start(row->options));
                calls++;
                fixture_teardown(NULL);
            }
        }
    }
    print_message("%u calls of the firmware, each refused once\n", calls);
    forget_clean();
}

/* Checks that each missing file is named, with the reason. */
static void check_named(const char *why)
{
    char line[2 * FAKE_PATH];
    unsigned missing = 0;

    for (unsigned i = 0; i < clean.files; i++) {
        const char *path = clean.file[i].path;

        if (clean.file[i].folder || fake_file_find(&fake_fw, path))
            continue;
        missing++;
        snprintf(line, sizeof(line), "NOT SAVED: %s: %s ", path, why);
        assert_says(line);
    }
    assert_in_range(missing, 1, 10);
    assert_shown_times("NOT SAVED: ", missing);
    assert_not_shown("Saved to ");
}

/* A run's folder is not made if the folders above it were refused. */
TEST(folders_above_are_refused)
{
    fixture_setup(NULL);
    fake_fw.fail.call = FAKE_MAKE_FOLDER;
    fake_fw.fail.at = 1;
    fake_fw.fail.error = FIRMWARE_FULL;
    (void)start("menu=no " SMALL);
    assert_says("WARNING: this run cannot be saved now: the volume is full");
    fixture_teardown(NULL);
}

/* The stick is pulled out, or full, from any call on. */
TEST(a_volume_that_is_gone)
{
    static const enum fake_call calls[] = {FAKE_LIST, FAKE_MAKE_FOLDER, FAKE_FILE_CREATE, FAKE_FILE_WRITE,
                                           FAKE_FILE_CLOSE};
    const struct run_row *row = &run_rows[0];

    run_clean(row);
    for (unsigned c = 0; c < 2 * sizeof(calls) / sizeof(calls[0]); c++) {
        enum fake_call call = calls[c / 2];
        bool full = c % 2;

        if (full && call < FAKE_FILE_CREATE)
            continue;
        for (unsigned number = 1; number <= clean.calls[call]; number++) {
            set_up(row);
            fake_fw.fail.call = call;
            fake_fw.fail.at = number;
            fake_fw.fail.and = 1000;
            fake_fw.fail.error = full ? FIRMWARE_FULL : FIRMWARE_NO_VOLUME;
            assert_int_equal(start(row->options), 1);
            if (full)
                check_named("the volume is full");
            else
                assert_int_equal(times_said("NOT SAVED: "), 1); /* the other files are not tried */
            /* If the folder cannot be made, this is known before the run is measured. */
            assert_int_equal(times_said("WARNING: this run cannot be saved now: no volume (network boot, or the "
                                        "stick was removed) "),
                             call <= FAKE_MAKE_FOLDER);
            assert_true(has_tables());
            check_files("gone", true);
            check_given_back("gone");
            fixture_teardown(NULL);
        }
    }
    forget_clean();
}

/* If one file fails, whichever it is, the others are saved, and the program says how many. */
TEST(the_next_file_is_tried)
{
    const struct run_row *row = &run_rows[0];

    run_clean(row);
    for (unsigned number = 2; number <= clean.calls[FAKE_FILE_CLOSE]; number++) { /* 1: begun.ini */
        unsigned kept = 0, begun;

        set_up(row);
        fake_fw.fail.call = FAKE_FILE_CLOSE;
        fake_fw.fail.at = number;
        fake_fw.fail.error = FIRMWARE_NOT_RENAMED;
        assert_int_equal(start(row->options), 1);
        for (unsigned i = 0; i < fake_fw.files; i++)
            kept += strstr(fake_fw.file[i].path, ".new") != NULL;
        assert_int_equal(kept, 1);
        begun = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0001-tight-loop-ibs\\begun.ini") != NULL;
        assert_int_equal(begun, strstr(fake_fw.screen, "run.ini: the firmware could not") != NULL);
        assert_int_equal(fake_fw.files, clean.files + begun);
        assert_shown_times("NOT SAVED: ", 1);
        assert_says(": the firmware could not finish or rename the file, whose name now ends with .new ");
        assert_shown("\nThe other files (4) are in \\ibsboot\\runs\\0001-tight-loop-ibs\n");
        fixture_teardown(NULL);
    }
    forget_clean();
}

/* ---------------------------------------------------------------- sessions */

/* A run ends when a session fails; its results so far are shown and saved, and the next run of a list follows. */
TEST(each_session)
{
    for (unsigned r = 0; r < sizeof(run_rows) / sizeof(run_rows[0]); r++) {
        const struct run_row *row = &run_rows[r];

        run_clean(row);
        for (unsigned number = 1; number <= clean.sessions; number++) {
            char what[160];
            int status;

            set_up(row);
            fake_session.fail_at = number;
            status = start(row->options);
            snprintf(what, sizeof(what), "%s: session %u fails", row->name, number);
            if (status != 1 || !ends_with_status(1))
                fail_msg("%s: status %d:\n%s", what, status, fake_fw.screen);
            if (times_said("The run failed: ") + times_said("The roofline was not measured to its end: ") !=
                (row->keys ? 2 : 1))
                fail_msg("%s:\n%s", what, fake_fw.screen);
            assert_says("a model-specific register raised an exception");
            if (times_said("Saved to ") != (strstr(row->options, ",tbp") || strstr(row->options, BATCH) ? 2 : 1))
                fail_msg("%s: not saved:\n%s", what, fake_fw.screen);
            check_files(what, false);
            check_given_back(what);
            assert_lines_fit();
            fixture_teardown(NULL);
        }
    }
    forget_clean();
}

RUN_TESTS(fixture_load, NULL)
