/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tests/unit/ibsprof/files.h"
#include "tests/unit/put.h"

enum { BEGIN = 104 + 16 + 2 * (112 + 16), DATA_SIZE_AT = 48 };
#define FIELDS (PERFDATA_SAMPLE_IDENTIFIER | PERFDATA_SAMPLE_IP | PERFDATA_SAMPLE_TID | PERFDATA_SAMPLE_TIME)

static uint8_t room[32 << 20];
static struct put_file file = {room, sizeof(room), 0};

void made_begin(void)
{
    memset(file.bytes, 0, BEGIN);
    file.size = 0;
    put64(PERFDATA_MAGIC);
    put64(104);
    put64(112 + 16);
    put64(104 + 16);
    put64(2 * (112 + 16));
    put64(BEGIN);
    file.size = 104;
    put64(MADE_A);
    put64(MADE_B);
    for (unsigned i = 0; i < 2; i++) {
        size_t at = file.size;

        put32(PERFDATA_TYPE_SOFTWARE);
        put32(112);
        put64(i);    /* cpu-clock, task-clock */
        put64(1000); /* period */
        put64(FIELDS);
        put64(0);
        put64(PERFDATA_ATTR_SAMPLE_ID_ALL);
        file.size = at + 112;
        put64(104 + 8 * i);
        put64(8);
    }
}

static void record(uint32_t type, uint32_t misc, size_t body)
{
    put32(type);
    put32(misc | (uint32_t)(8 + body) << 16);
}

/* Writes TID, TIME and IDENTIFIER. */
static void trailer(uint32_t pid, uint64_t time)
{
    put32(pid);
    put32(pid);
    put64(time);
    put64(MADE_A);
}

/* Returns the size of a text with its NUL, rounded up to 8 bytes. */
static size_t text_size(const char *text)
{
    return (strlen(text) + 8) & ~(size_t)7;
}

static void put_text(const char *text)
{
    memset(file.bytes + file.size, 0, text_size(text));
    put(text, strlen(text));
    file.size += text_size(text) - strlen(text);
}

void made_sample(uint64_t id, uint32_t pid, uint64_t ip, uint64_t time)
{
    record(PERFDATA_RECORD_SAMPLE, PERFDATA_MISC_USER, 32);
    put64(id);
    put64(ip);
    put32(pid);
    put32(pid);
    put64(time);
}

void made_map(uint32_t pid, uint64_t start, uint64_t length, const char *name, uint64_t time)
{
    record(PERFDATA_RECORD_MMAP, PERFDATA_MISC_USER, 32 + text_size(name) + 24);
    put32(pid);
    put32(pid);
    put64(start);
    put64(length);
    put64(0);
    put_text(name);
    trailer(pid, time);
}

void made_comm(uint32_t pid, const char *name, uint16_t misc, uint64_t time)
{
    record(PERFDATA_RECORD_COMM, PERFDATA_MISC_USER | misc, 8 + text_size(name) + 24);
    put32(pid);
    put32(pid);
    put_text(name);
    trailer(pid, time);
}

void made_fork(uint32_t pid, uint32_t parent, uint16_t misc, uint64_t time)
{
    record(PERFDATA_RECORD_FORK, misc, 24 + 24);
    put32(pid);
    put32(parent);
    put32(pid);
    put32(parent);
    put64(time);
    trailer(pid, time);
}

void made_round_ends(void)
{
    record(PERFDATA_RECORD_FINISHED_ROUND, 0, 0);
}

size_t made_size(void)
{
    return file.size;
}

const char *made_write(const char *name)
{
    uint64_t data = file.size - BEGIN;

    memcpy(file.bytes + DATA_SIZE_AT, &data, 8);
    return files_write(name, file.bytes, file.size);
}

struct input *made_open(void)
{
    char error[512];
    struct input *input = input_open(made_write("made.data"), error, sizeof(error));

    if (input == NULL) {
        fprintf(stderr, "%s\n", error);
        abort();
    }
    return input;
}
