/* SPDX-License-Identifier: BSD-2-Clause */
/* The files that samples are in, and the places in them. Rows of forks and execs have records in the order of their
 * times; each row ends with a sample and the file in which it should be found, as 'perf script' finds it unless the row
 * says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/ibsprof/made.h"
#include "tools/ibsprof/profile/spaces/spaces.h"

enum what { END, MAP, COMM, EXEC, FORK, FORK_TOLD, SAMPLE };
enum { RECORDS = 8 };

static struct spaces_place locate(struct spaces *spaces, uint32_t pid, uint8_t mode, uint64_t address)
{
    struct spaces_window window;

    return spaces_locate_window(spaces, pid, mode, address, &window);
}

static const struct {
    const char *name;
    struct {
        enum what what;
        uint32_t pid, parent;
        uint64_t start;
        const char *text; /* the file of a map or sample */
    } records[RECORDS];
} rows[] = {
    {"a child has its parent's maps",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/a"}}},
    {"a child's own map does not change its parent's",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {MAP, .pid = 2, .start = 0x1000, .text = "/b"},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/b"}}},
    {"a pid is used again, the EXIT was lost: the new process has its parent's maps",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {MAP, .pid = 2, .start = 0x1000, .text = "/b"},
      {FORK, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/a"}}},
    {"perf tells of a process that was there: it has nothing from its parent",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK_TOLD, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = NULL}}},
    {"and its own maps follow",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK_TOLD, .pid = 2, .parent = 1},
      {MAP, .pid = 2, .start = 0x5000, .text = "/b"},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = NULL},
      {SAMPLE, .pid = 2, .start = 0x5800, .text = "/b"}}},
    {"perf tells of it though another was seen: that one's maps are gone",
     {{MAP, .pid = 2, .start = 0x1000, .text = "/a"},
      {FORK_TOLD, .pid = 2, .parent = 1},
      {SAMPLE, .pid = 2, .start = 0x1800, .text = "/b"},
      {MAP, .pid = 2, .start = 0x1000, .text = "/b"}}},
    {"a thread changes nothing",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 1, .parent = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"}}},
    /* perf finds nothing, because it has not seen the map yet. ibsprof searches again at the end, and must not take the
     * old program for the new one. */
    {"after an exec the earlier maps are gone",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {EXEC, .pid = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/b"},
      {MAP, .pid = 1, .start = 0x1000, .text = "/b"}}},
    {"a new name alone leaves them",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {COMM, .pid = 1},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"},
      {MAP, .pid = 1, .start = 0x1000, .text = "/b"}}},
    {"an exec leaves those of the parent",
     {{MAP, .pid = 1, .start = 0x1000, .text = "/a"},
      {FORK, .pid = 2, .parent = 1},
      {EXEC, .pid = 2},
      {SAMPLE, .pid = 1, .start = 0x1800, .text = "/a"}}},
};

static void make_row(size_t row)
{
    made_begin();
    for (int i = 0; i < RECORDS && rows[row].records[i].what != END; i++) {
        uint32_t pid = rows[row].records[i].pid, parent = rows[row].records[i].parent;
        uint64_t start = rows[row].records[i].start, time = 10 * ((uint64_t)i + 1);

        switch (rows[row].records[i].what) {
        case MAP:
            made_map(pid, start, 0x1000, rows[row].records[i].text, time);
            break;
        case COMM:
        case EXEC:
            made_comm(pid, "new", rows[row].records[i].what == EXEC ? PERFDATA_MISC_COMM_EXEC : 0, time);
            break;
        case FORK:
        case FORK_TOLD:
            made_fork(pid, parent, rows[row].records[i].what == FORK_TOLD ? PERFDATA_MISC_FORK_EXEC : 0, time);
            break;
        default:
            made_sample(MADE_A, pid, start, time);
            break;
        }
    }
}

static void test_forks_and_execs(void **state)
{
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
        struct spaces_place places[RECORDS];
        struct spaces *spaces = spaces_make(NULL);
        struct perfdata_item item;
        struct input *input;
        int count = 0, at = 0;

        make_row(row);
        input = made_open();
        while (input_next(input, &item) && item.kind != PERFDATA_ITEM_END)
            if (item.kind == PERFDATA_ITEM_SAMPLE)
                places[count++] = locate(spaces, item.pid, item.mode, item.ip);
            else
                spaces_item(spaces, &item);
        for (int i = 0; i < RECORDS && rows[row].records[i].what != END; i++) {
            const char *wanted = rows[row].records[i].text, *got;

            if (rows[row].records[i].what != SAMPLE)
                continue;
            got = !(places[at].file & SPACES_UNKNOWN) || spaces_locate_late(spaces, &places[at])
                      ? spaces_file(spaces, places[at].file)->name
                      : NULL;
            if ((got == NULL) != (wanted == NULL) || (got != NULL && strcmp(got, wanted) != 0))
                fail_msg("%s: sample %d is in %s, not in %s", rows[row].name, at, got ? got : "nothing",
                         wanted ? wanted : "nothing");
            at++;
        }
        assert_int_equal(at, count);
        spaces_free(spaces);
        input_close(input);
    }
}

/* ---------------------------------------------------------------- places in files */

static void add_map(struct spaces *spaces, uint32_t pid, uint64_t start, uint64_t end, uint64_t page_offset,
                    const char *name)
{
    struct perfdata_item item = {
        .kind = PERFDATA_ITEM_MAP,
        .pid = pid,
        .tid = pid,
        .mode = MODE_USER,
        .map = {.start = start, .length = end - start, .page_offset = page_offset, .name = name}};

    spaces_item(spaces, &item);
}

static void add_comm(struct spaces *spaces, uint32_t pid, uint32_t tid, const char *name, bool exec)
{
    struct perfdata_item item = {
        .kind = PERFDATA_ITEM_COMM, .misc = exec ? PERFDATA_MISC_COMM_EXEC : 0, .pid = pid, .tid = tid, .text = name};

    spaces_item(spaces, &item);
}

static void add_fork(struct spaces *spaces, uint32_t pid, uint32_t parent, bool told)
{
    struct perfdata_item item = {.kind = PERFDATA_ITEM_FORK,
                                 .misc = told ? PERFDATA_MISC_FORK_EXEC : 0,
                                 .pid = pid,
                                 .tid = pid,
                                 .parent_pid = parent};

    spaces_item(spaces, &item);
}

/* Expects this place; name NULL: nothing is there, even at the end. */
static void expect_place(struct spaces *spaces, uint32_t pid, uint8_t mode, uint64_t address, const char *name,
                         uint64_t offset)
{
    struct spaces_window window = {0};
    struct spaces_place place = locate(spaces, pid, mode, address),
                        again = spaces_locate_window(spaces, pid, mode, address, &window);

    assert_int_equal(again.file, place.file);
    assert_int_equal(again.offset, place.offset);
    if ((place.file & SPACES_UNKNOWN) != 0) {
        assert_int_equal(place.offset, address);
        assert_int_equal(window.length, 0);
        if (!spaces_locate_late(spaces, &place)) {
            if (name != NULL)
                fail_msg("%llx is nowhere, not in %s", (unsigned long long)address, name);
            return;
        }
    } else {
        /* The window contains the address, and gives the same answer. */
        assert_true(spaces_is_in(&window, pid, mode, address));
        assert_false(spaces_is_in(&window, pid + 1, mode, address));
        assert_false(spaces_is_in(&window, pid, mode + 1, address));
        assert_false(spaces_is_in(&window, pid, mode, window.start - 1));
        assert_false(spaces_is_in(&window, pid, mode, window.start + window.length));
        again = spaces_place_in(&window, address);
        assert_int_equal(again.file, place.file);
        assert_int_equal(again.offset, place.offset);
    }
    if (name == NULL || strcmp(spaces_file(spaces, place.file)->name, name) != 0 || place.offset != offset)
        fail_msg("%llx is at %llx of %s, not at %llx of %s", (unsigned long long)address,
                 (unsigned long long)place.offset, spaces_file(spaces, place.file)->name, (unsigned long long)offset,
                 name ? name : "nothing");
}

static void user_place(struct spaces *spaces, uint32_t pid, uint64_t address, const char *name, uint64_t offset)
{
    expect_place(spaces, pid, MODE_USER, address, name, offset);
}

/* Expects the place at once, not only among the maps that were put aside. */
static void found_at_once(struct spaces *spaces, uint64_t address, const char *name, uint64_t offset)
{
    assert_false(locate(spaces, 1, MODE_USER, address).file & SPACES_UNKNOWN);
    user_place(spaces, 1, address, name, offset);
}

/* /a is mapped at 0x1000 to 0x5000, from 0x10000 of the file on; then comes /b, from 0x700000 of its file on. Each part
 * is probed at both ends: [from, to) and the file there. */
static void a_map_over_another(void **state)
{
    static const struct {
        uint64_t start, end;
        struct {
            uint64_t from, to, offset;
            const char *name;
        } parts[4];
    } maps[] = {
        {0x2000,
         0x3000,
         {{0x1000, 0x2000, 0x10000, "/a"}, {0x2000, 0x3000, 0x700000, "/b"}, {0x3000, 0x5000, 0x12000, "/a"}}},
        {0x800, 0x2000, {{0x800, 0x2000, 0x700000, "/b"}, {0x2000, 0x5000, 0x11000, "/a"}}},
        {0x1000, 0x2000, {{0x1000, 0x2000, 0x700000, "/b"}, {0x2000, 0x5000, 0x11000, "/a"}}},
        {0x4000, 0x6000, {{0x1000, 0x4000, 0x10000, "/a"}, {0x4000, 0x6000, 0x700000, "/b"}}},
        {0x4000, 0x5000, {{0x1000, 0x4000, 0x10000, "/a"}, {0x4000, 0x5000, 0x700000, "/b"}}},
        {0x1000, 0x5000, {{0x1000, 0x5000, 0x700000, "/b"}}},
        {0x800, 0x6000, {{0x800, 0x6000, 0x700000, "/b"}}},
        {0x5000, 0x6000, {{0x1000, 0x5000, 0x10000, "/a"}, {0x5000, 0x6000, 0x700000, "/b"}}},
        {0x800, 0x1000, {{0x800, 0x1000, 0x700000, "/b"}, {0x1000, 0x5000, 0x10000, "/a"}}},
    };

    for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        struct spaces *spaces = spaces_make(NULL);
        uint64_t last = 0;

        add_map(spaces, 1, 0x1000, 0x5000, 0x10000, "/a");
        found_at_once(spaces, 0x4fff, "/a", 0x13fff);
        add_map(spaces, 1, maps[i].start, maps[i].end, 0x700000, "/b");
        for (int part = 0; part < 4 && maps[i].parts[part].name != NULL; part++) {
            uint64_t from = maps[i].parts[part].from, to = maps[i].parts[part].to;

            found_at_once(spaces, from, maps[i].parts[part].name, maps[i].parts[part].offset);
            found_at_once(spaces, to - 1, maps[i].parts[part].name, maps[i].parts[part].offset + to - 1 - from);
            if (part == 0)
                user_place(spaces, 1, from - 1, NULL, 0);
            last = to;
        }
        user_place(spaces, 1, last, NULL, 0);
        spaces_free(spaces);
    }
}

/* A map covers several others, and the outer ones keep an end. */
static void a_map_over_several(void **state)
{
    struct spaces *spaces = spaces_make(NULL);

    add_map(spaces, 1, 0x1000, 0x2000, 0, "/a");
    add_map(spaces, 1, 0x5000, 0x6000, 0, "/c");
    add_map(spaces, 1, 0x3000, 0x4000, 0, "/b");
    add_map(spaces, 1, 0x1800, 0x5800, 0x100, "/d");
    found_at_once(spaces, 0x17ff, "/a", 0x7ff);
    found_at_once(spaces, 0x1800, "/d", 0x100);
    found_at_once(spaces, 0x3800, "/d", 0x2100);
    found_at_once(spaces, 0x57ff, "/d", 0x40ff);
    found_at_once(spaces, 0x5800, "/c", 0x800);
    user_place(spaces, 1, 0x6000, NULL, 0);
    spaces_free(spaces);
}

/* Places are searched again at the end: in the maps that exist then, otherwise in earlier ones, the newest first. */
static void looked_for_late(void **state)
{
    struct spaces *spaces = spaces_make(NULL);
    struct spaces_place place;

    add_map(spaces, 1, 0x1000, 0x2000, 0x100, "/first");
    add_comm(spaces, 1, 1, "x", true);
    add_map(spaces, 1, 0x1000, 0x2000, 0x200, "/second");
    add_comm(spaces, 1, 1, "x", true);
    add_comm(spaces, 1, 1, "x", true); /* no map existed, so none is put aside */
    place = locate(spaces, 1, MODE_USER, 0x1800);
    assert_true((place.file & SPACES_UNKNOWN) != 0);
    user_place(spaces, 1, 0x1800, "/second", 0xa00);
    add_map(spaces, 1, 0x1000, 0x1400, 0x300, "/third");
    assert_true(spaces_locate_late(spaces, &place)); /* 0x1800 is in no map of /third */
    assert_string_equal(spaces_file(spaces, place.file)->name, "/second");
    user_place(spaces, 1, 0x1000, "/third", 0x300);
    /* The process was forked before it mapped a file. */
    add_fork(spaces, 2, 1, false);
    user_place(spaces, 2, 0x1000, "/third", 0x300);
    user_place(spaces, 2, 0x1800, NULL, 0);
    spaces_free(spaces);
}

static void maps_are_copied_on_write(void **state)
{
    struct spaces *spaces = spaces_make(NULL);

    add_map(spaces, 1, 0x1000, 0x2000, 0, "/a");
    add_fork(spaces, 2, 1, false);
    add_map(spaces, 2, 0x5000, 0x6000, 0, "/child");
    user_place(spaces, 1, 0x5800, NULL, 0);
    user_place(spaces, 2, 0x5800, "/child", 0x800);
    add_fork(spaces, 3, 1, false);
    add_map(spaces, 1, 0x7000, 0x8000, 0, "/parent");
    user_place(spaces, 3, 0x7800, NULL, 0);
    user_place(spaces, 3, 0x1800, "/a", 0x800);
    user_place(spaces, 1, 0x7800, "/parent", 0x800);
    spaces_free(spaces);
}

static bool is_chosen(struct spaces *spaces, uint32_t pid)
{
    return locate(spaces, pid, MODE_USER, 0x1800).chosen;
}

/* --comm selects by the name of the process, not by those of its threads; children have the name until they get another
 * one. */
static void chosen_processes(void **state)
{
    struct spaces *spaces = spaces_make("work");

    add_map(spaces, 1, 0x1000, 0x2000, 0, "/a");
    assert_false(is_chosen(spaces, 1));
    add_comm(spaces, 1, 7, "work", false); /* the name of a thread */
    assert_false(is_chosen(spaces, 1));
    add_comm(spaces, 1, 1, "work", false);
    assert_true(is_chosen(spaces, 1));
    add_comm(spaces, 1, 7, "other", false);
    assert_true(is_chosen(spaces, 1));
    add_fork(spaces, 2, 1, false);
    assert_true(is_chosen(spaces, 2));
    add_fork(spaces, 3, 1,
             true); /* perf adds this record: the process does not have its parent's maps, but is its child */
    assert_true(is_chosen(spaces, 3));
    add_comm(spaces, 2, 2, "other", true);
    assert_false(is_chosen(spaces, 2));
    assert_true(is_chosen(spaces, 1));
    add_fork(spaces, 4, 2, false);
    assert_false(is_chosen(spaces, 4));
    add_comm(spaces, 1, 1, NULL, false);
    assert_false(is_chosen(spaces, 1));
    /* The mode does not matter: the kernel's work for a process belongs to the process. */
    add_comm(spaces, 4, 4, "work", false);
    assert_true(locate(spaces, 4, MODE_KERNEL, 0x1800).chosen);
    spaces_free(spaces);
    spaces = spaces_make(NULL);
    add_comm(spaces, 1, 1, "other", false);
    assert_true(is_chosen(spaces, 1));
    spaces_free(spaces);
}

/* Without a file the address is the place; the kernel's maps belong to no process. */
static void special_places(void **state)
{
    static const uint64_t text = 0xffffffff81000000;
    struct spaces *spaces = spaces_make(NULL);
    struct perfdata_item kernel = {
        .kind = PERFDATA_ITEM_MAP,
        .pid = UINT32_MAX,
        .mode = MODE_KERNEL,
        .map = {.start = text, .length = 0x1000, .page_offset = text + 0x40, .name = "[kernel.kallsyms]_text"}};

    spaces_item(spaces, &kernel);
    kernel.pid = 0;
    kernel.map = (struct perfdata_map){.start = 0x100, .length = 0x100, .name = "/module.ko"};
    spaces_item(spaces, &kernel);
    add_map(spaces, 1, 0x7000, 0x8000, 0, "[vdso]");
    add_map(spaces, 1, 0x9000, 0xA000, 0x500, "[heap]");
    add_map(spaces, 1, text, text + 0x1000, 0, "/user");
    user_place(spaces, 1, 0x7800, "[vdso]", 0x800);
    user_place(spaces, 1, 0x9800, "[heap]", 0x9800);
    user_place(spaces, 1, text, "/user", 0);
    expect_place(spaces, 1, MODE_KERNEL, text + 8, "[kernel.kallsyms]_text", text + 8);
    expect_place(spaces, 1, MODE_KERNEL, 0x180, "/module.ko", 0x180);
    expect_place(spaces, 99, MODE_KERNEL, text + 8, "[kernel.kallsyms]_text", text + 8);
    assert_true(locate(spaces, 0, MODE_USER, 0x180).file & SPACES_UNKNOWN);
    assert_int_equal(spaces_file_count(spaces), 5);
    assert_true(spaces_file(spaces, 0)->kernel && spaces_file(spaces, 1)->kernel);
    assert_false(spaces_file(spaces, 2)->kernel);
    assert_int_equal(spaces_file(spaces, 0)->reference, text + 0x40);
    add_fork(spaces, UINT32_MAX, 1, false); /* not a process */
    expect_place(spaces, 1, MODE_KERNEL, text + 8, "[kernel.kallsyms]_text", text + 8);
    spaces_free(spaces);
}

/* Code of a virtual machine is in no file of the host, even if its process or the kernel has mapped that address; perf
 * kvm's maps of a guest's kernel are no maps of the host. */
static void guests(void **state)
{
    static const uint64_t text = 0xffffffff81000000;
    struct spaces *spaces = spaces_make(NULL);
    struct perfdata_item map = {.kind = PERFDATA_ITEM_MAP,
                                .pid = UINT32_MAX,
                                .mode = MODE_KERNEL,
                                .map = {.start = text, .length = 0x1000, .name = "[kernel.kallsyms]_text"}};

    spaces_item(spaces, &map);
    map.mode = MODE_GUEST_KERNEL;
    map.map.name = "[guest.kernel.kallsyms]";
    spaces_item(spaces, &map);
    map.pid = 0;
    spaces_item(spaces, &map);
    add_map(spaces, 1, 0x1000, 0x2000, 0, "/usr/bin/qemu");
    expect_place(spaces, 1, MODE_GUEST_USER, 0x1800, "[guest]", 0x1800);
    expect_place(spaces, 2, MODE_GUEST_USER, 0x5, "[guest]", 0x5);
    expect_place(spaces, 1, MODE_GUEST_KERNEL, text + 8, "[guest kernel]", text + 8);
    user_place(spaces, 1, 0x1800, "/usr/bin/qemu", 0x800);
    expect_place(spaces, 1, MODE_KERNEL, text + 8, "[kernel.kallsyms]_text", text + 8);
    assert_true(locate(spaces, 0, MODE_USER, text + 8).file & SPACES_UNKNOWN);
    assert_int_equal(spaces_file_count(spaces), 4);
    for (uint32_t i = 1; i < 4; i++)
        assert_false(spaces_file(spaces, i)->kernel);
    spaces_free(spaces);
}

static void files_by_name_and_build_id(void **state)
{
    struct spaces *spaces = spaces_make(NULL);
    struct perfdata_item item = {
        .kind = PERFDATA_ITEM_MAP, .pid = 1, .mode = MODE_USER, .map = {.name = "/a", .length = 0x1000}};
    uint8_t id[20];
    static const struct {
        uint8_t size, first;
        uint32_t count; /* number of files after the call */
    } cases[] = {{0, 0, 1}, {20, 7, 2}, {20, 8, 3}, {20, 7, 3}, {8, 7, 4}, {0, 7, 4}, {20, 8, 4}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        item.map.start += 0x1000;
        item.map.build_id = cases[i].size ? id : NULL;
        item.map.build_id_size = cases[i].size;
        memset(id, cases[i].first, sizeof(id));
        spaces_item(spaces, &item);
        assert_int_equal(spaces_file_count(spaces), cases[i].count);
    }
    assert_int_equal(spaces_file(spaces, 1)->build_id_size, 20);
    assert_int_equal(spaces_file(spaces, 1)->build_id[19], 7);
    assert_int_equal(spaces_file(spaces, 0)->build_id_size, 0);
    spaces_free(spaces);
}

static void ends_of_the_address_space(void **state)
{
    struct spaces *spaces = spaces_make(NULL);

    add_map(spaces, 1, 0x1000, 0x1000, 0, "/empty");
    user_place(spaces, 1, 0x1000, NULL, 0);
    assert_int_equal(spaces_file_count(spaces), 0);
    add_map(spaces, 1, UINT64_MAX - 0xfff, 0, 0x100, "/last");
    user_place(spaces, 1, UINT64_MAX - 0xfff, "/last", 0x100);
    user_place(spaces, 1, UINT64_MAX - 1, "/last", 0x10fe);
    spaces_free(spaces);
}

/* There are many processes, files and maps, in no order. */
static void many(void **state)
{
    enum { COUNT = 500 };
    struct spaces *spaces = spaces_make(NULL);
    char name[20];

    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t k = i * 7 % COUNT;

        snprintf(name, sizeof(name), "/file%u", k);
        add_map(spaces, 1, 0x1000 * (k + 1), 0x1000 * (k + 2), 0x10 * k, name);
        add_map(spaces, 1000 + 64 * k, 0x1000, 0x2000, k, name);
    }
    assert_int_equal(spaces_file_count(spaces), COUNT);
    for (uint32_t k = 0; k < COUNT; k++) {
        snprintf(name, sizeof(name), "/file%u", k);
        user_place(spaces, 1, 0x1000 * (k + 1) + 5, name, 0x10 * k + 5);
        user_place(spaces, 1000 + 64 * k, 0x1005, name, k + 5);
    }
    spaces_free(spaces);
}

/* The address is in the map behind a file's, but only if that map begins at the file's end. */
static void behind_a_file(void **state)
{
    static const struct {
        uint64_t address;
        int64_t offset; /* -1: in no file */
    } wanted[] = {{0x800, -1},  {0x1000, -1},     {0x1FFF, -1}, {0x2000, 0x1500}, {0x2ABC, 0x1FBC}, {0x3500, -1},
                  {0x4000, -1}, {0x5000, 0x1000}, {0x6000, -1}, {0x7000, -1},     {0x8000, -1}};
    struct spaces *spaces = spaces_make(NULL);

    add_map(spaces, 1, 0x1000, 0x2000, 0x500, "/data");
    add_map(spaces, 1, 0x2000, 0x3000, 0, "//anon"); /* the map belongs to a file, too */
    add_map(spaces, 1, 0x4000, 0x5000, 0, "/other");
    add_map(spaces, 1, 0x5000, 0x6000, 0, "//anon");
    add_map(spaces, 1, 0x7000, 0x8000, 0, "/last");
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        struct spaces_place place = {.file = 99, .offset = 98};
        bool found = spaces_locate_behind(spaces, 1, wanted[i].address, &place);

        if (found != (wanted[i].offset >= 0) || place.offset != (uint64_t)(found ? wanted[i].offset : 98) ||
            (place.file == 99) == found)
            fail_msg("0x%llx: %d 0x%llx", (unsigned long long)wanted[i].address, found,
                     (unsigned long long)place.offset);
        if (found)
            assert_string_equal(spaces_file(spaces, place.file)->name, i < 5 ? "/data" : "/other");
    }
    assert_false(spaces_locate_behind(spaces, 2, 0x2000, &(struct spaces_place){0}));
    spaces_free(spaces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forks_and_execs),
        cmocka_unit_test(behind_a_file),
        cmocka_unit_test(a_map_over_another),
        cmocka_unit_test(a_map_over_several),
        cmocka_unit_test(looked_for_late),
        cmocka_unit_test(maps_are_copied_on_write),
        cmocka_unit_test(chosen_processes),
        cmocka_unit_test(special_places),
        cmocka_unit_test(guests),
        cmocka_unit_test(files_by_name_and_build_id),
        cmocka_unit_test(ends_of_the_address_space),
        cmocka_unit_test(many),
    };

    return cmocka_run_group_tests(tests, NULL, files_end);
}
