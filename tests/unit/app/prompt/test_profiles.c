/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles, which are texts that run something: their list, and a profile that is run by its name. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/profiles.h"
#include "tests/unit/app/fixture.h"

static void put_profile(const char *name, const char *text)
{
    char path[120];

    snprintf(path, sizeof(path), "\\ibsboot\\%s", name);
    fake_file_put(&fake_fw, path, text, strlen(text));
}

/* The list is in the order of names, with each profile's purpose; files that run nothing, and other files, are not in
 * it. */
APP_TEST(profiles_are_listed)
{
    char longest[60] = "", path[90];

    fake_fw.keys = "xprofiles\nquit\n";
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("\nThere is no profile. A profile is a file \\ibsboot\\NAME.txt with settings, 'run', and\n'# what it "
                 "is for'.\n");
    fake_folder_put(&fake_fw, "\\ibsboot");
    put_profile("Misses.txt", "config=data_access\r\n  #  Who misses?  \r\n# more\r\nrun\r\n");
    put_profile("branches.txt", "run");
    put_profile("branches.ini", "# no profile\nrun\n");
    put_profile("read-me.txt", "# About this stick\nIt runs.\n");
    put_profile(".txt", "# nameless\nrun\n");
    put_profile("empty.txt", "");
    for (unsigned i = 0; i <= PROFILES_NAME_MAX; i++)
        strcat(longest, "n");
    snprintf(path, sizeof(path), "%s.txt", longest);
    put_profile(path, "# long\nrun\n");
    put_profile(path + 1, "# longest\nrun\n");
    fake_fw.keys = "xprofiles\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_shown("ibsboot> profiles\n"
                 "  branches       \n"
                 "  Misses         Who misses?\n"
                 "  nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn longest\n"
                 "1 more files, or with names of more than 40 characters, are not listed.\n"
                 "ibsboot> quit\n");
    fake_fw.no_volume = true;
    fake_fw.keys = "xprofiles\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_shown("\nprofiles: ");
}

/* If there are more files than the list has room for, the others are counted. */
APP_TEST(many_profiles)
{
    char name[20];

    fake_folder_put(&fake_fw, "\\ibsboot");
    for (unsigned i = 0; i < PROFILES_MAX + 2; i++) {
        snprintf(name, sizeof(name), "p%02u.txt", PROFILES_MAX + 1 - i);
        put_profile(name, "run");
    }
    fake_fw.keys = "xprofiles\nquit\n";
    assert_int_equal(start("save=no pager=no " SMALL), 0);
    assert_shown("2 more files,");
    assert_shown("  p33            \n");
    assert_not_shown("  p00");
}

APP_TEST(a_profile_is_run)
{
    fake_folder_put(&fake_fw, "\\ibsboot");
    put_profile("ticks.txt", "# Time\nconfig=tbp\nrun\n");
    put_profile("wrong.txt", "config=nonsense\nnonsense\nrun\n");
    fake_fw.keys =
        "xpager=no\nprofile ticks\nprofile  ticks.txt\nprofile wrong\nprofile gone\nprofile\nprofiled\nquit\n";
    assert_int_equal(start("save=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_shown("\nbatch: ended at this line: config=nonsense\n");
    assert_shown("\nprofile: \\ibsboot\\gone.txt: ");
    assert_shown("\nprofile: \\ibsboot\\.txt: ");
    assert_shown("ibsboot> profiled\nunknown command 'profiled'; 'help' lists the commands; did you mean 'profiles'?");
}

/* The longest listed name can be run, with its ending and without; a longer name is refused. */
APP_TEST(the_longest_name)
{
    char name[PROFILES_NAME_MAX + 2] = "", file[60], keys[4 * sizeof(name)];

    memset(name, 'n', PROFILES_NAME_MAX);
    snprintf(file, sizeof(file), "%s.txt", name);
    fake_folder_put(&fake_fw, "\\ibsboot");
    put_profile(file, "run\n");
    fake_fw.keys = keys;
    snprintf(keys, sizeof(keys), "xprofile %s\nquit\n", name);
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_int_equal(fake_session.runs, 1);
    name[PROFILES_NAME_MAX] = 'n';
    snprintf(file, sizeof(file), "%s.txt", name);
    put_profile(file, "run\n");
    snprintf(keys, sizeof(keys), "xprofile %s\nquit\n", name);
    fake_fw.keys = keys;
    assert_int_equal(start("pager=no save=no " SMALL), 0);
    assert_shown("\nprofile: a name of more than 40 characters\n");
    assert_int_equal(fake_session.runs, 1);
}

RUN_TESTS(fixture_load, NULL)
