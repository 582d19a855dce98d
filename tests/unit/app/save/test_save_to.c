/* SPDX-License-Identifier: BSD-2-Clause */
/* The place where runs are saved: the firmware is told before the first folder is made, for each run, and never with
 * save=no. */
#include <string.h>

#include "core/run/area_refusal.h"
#include "tests/unit/app/fixture.h"

static char told[40]; /* t: to the tar, f: as files; each followed by the number of folders that had been made */

static void save_to(struct firmware *fw, bool area)
{
    size_t n = strlen(told);

    assert_ptr_equal(fw->context, &fake_fw);
    told[n] = area ? 't' : 'f';
    told[n + 1] = (char)('0' + fake_fw.calls[FAKE_MAKE_FOLDER]);
    told[n + 2] = '\0';
}

static int run(const char *options)
{
    told[0] = '\0';
    fake_files_clear(&fake_fw);
    memset(fake_fw.calls, 0, sizeof(fake_fw.calls));
    fake_fw.firmware.save_to = save_to;
    return start(options);
}

APP_TEST(one_run)
{
    assert_int_equal(run("menu=no " SMALL), 0);
    assert_string_equal(told, "f0");
    assert_int_equal(run("menu=no save=tar " SMALL), 0);
    assert_string_equal(told, "t0");
    assert_string_equal(saved_fact("0001-tight-loop-ibs", "config"), "ibs");
    assert_int_equal(run("menu=no save=no " SMALL), 0);
    assert_string_equal(told, "");
    assert_int_equal(run("menu=no save=zip " SMALL), 1);
    assert_shown("one of no, yes, tar");
    fake_fw.firmware.save_to = NULL; /* there is only one place */
    fake_files_clear(&fake_fw);
    assert_int_equal(start("menu=no save=tar " SMALL), 0);
    assert_shown("Saved to ");
}

APP_TEST(of_several)
{
    assert_int_equal(run("menu=no save=tar config=ibs,tbp " SMALL), 0);
    assert_string_equal(told, "t0t3"); /* each run makes three folders, or finds them */
}

/* The reason of a refused run is saved in the same place. */
APP_TEST(a_refusal)
{
    assert_int_equal(run("menu=no save=tar records=1000000000 workload=tight-loop"), 1);
    assert_string_equal(told, "t0");
}

APP_TEST(a_plan)
{
    static const char plan[] = "save = tar\nworkload = tight-loop\niterations = 100\n";

    told[0] = '\0';
    fake_fw.firmware.save_to = save_to;
    fake_file_put(&fake_fw, "\\p.ini", plan, sizeof(plan) - 1);
    assert_int_equal(start("menu=no plan=\\p.ini"), 0);
    assert_memory_equal(told, "t0", 2); /* before the plan asks for room */
    assert_int_equal(told[2], 't');
    assert_null(strchr(told, 'f'));
}

/* The report uses the area's words, before the run and after it. */
APP_TEST(it_cannot_be)
{
    fake_fw.fail.call = FAKE_MAKE_FOLDER;
    fake_fw.fail.at = 1;
    fake_fw.fail.and = 9;
    fake_fw.fail.error = FIRMWARE_AREA + AREA_HELD;
    assert_int_equal(run("menu=no save=tar " SMALL), 1);
    assert_says("WARNING: this run cannot be saved now: the firmware's FAT driver does not release the volume "
                "of IBSRUNS.TAR; use save=yes");
    assert_says("NOT SAVED: the firmware's FAT driver does not release the volume of IBSRUNS.TAR; use save=yes.");
}

RUN_TESTS(fixture_load, NULL)
