/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/save/send.h"

#include "app/save/begun.h"
#include "app/save/run_files.h"
#include "app/save/send_wanted.h"
#include "app/base/sentence.h"
#include "app/base/sinks.h"
#include "core/base/crc32c.h"
#include "core/base/mem.h"
#include "core/run/transfer.h"
#include "drivers/trace/uart.h"

enum {
    LINES_BETWEEN_KEYS = 16, /* 0.4 s at 115200 baud */
    BITS_OF_A_BYTE = 10,     /* with start and stop */
};

static const uint32_t bauds[UART_RATES] = {115200, 57600, 38400, 19200, 9600};

/* A file in transmission. It is made twice: once to learn the size and checksum for its head, and once to be sent. */
struct sending {
    struct run *run;
    struct console console; /* Esc there ends the transmission */
    enum uart_rate rate;
    const struct send_wanted *wanted;
    bool counting;
    struct transfer_head head;
    uint64_t size;
    uint32_t crc;
    struct transfer_block block;
    unsigned lines;
    const char *failed; /* reason of a failure; NULL: none */
};

static void send_block(struct sending *sending, const struct transfer_block *block)
{
    char line[TRANSFER_LINE_MAX + 3] = "\n"; /* ends what the console may have left on this line */
    size_t length;

    if (sending->failed)
        return;
    length = 1 + transfer_encode(block, line + 1);
    line[length++] = '\n';
    if (!uart_send_now(sending->rate, line, length))
        sending->failed = "the serial port (3F8h) accepts no bytes";
    else if (++sending->lines % LINES_BETWEEN_KEYS == 0 && console_key(&sending->console, 0) == KEY_ESCAPE)
        sending->failed = "Esc was pressed";
}

static void next_block(struct sending *sending)
{
    struct transfer_block *block = &sending->block;

    if (send_wants_block(sending->wanted, sending->head.name, block->number))
        send_block(sending, block);
    block->number++;
    block->size = 0;
}

static enum firmware_error take(void *argument, const void *data, size_t size)
{
    struct sending *sending = argument;
    struct transfer_block *block = &sending->block;
    const uint8_t *bytes = data;

    sending->size += size;
    sending->crc = crc32c(sending->crc, data, size);
    while (size && !sending->counting) {
        size_t room = TRANSFER_BYTES - block->size, part = size < room ? size : room;

        memcpy(block->bytes + block->size, bytes, part);
        block->size = (uint8_t)(block->size + part);
        bytes += part;
        size -= part;
        if (block->size == TRANSFER_BYTES)
            next_block(sending);
    }
    return sending->failed ? FIRMWARE_FAILED : FIRMWARE_OK;
}

static void make(struct sending *sending, const struct run_file *file, bool counting)
{
    struct file_sink sink;

    sending->counting = counting;
    sending->size = sending->crc = 0;
    sending->block.number = sending->block.size = 0;
    file_sink_to(&sink, take, sending, sending->run->file_buffer, RUN_FILE_BUFFER);
    run_file_write(file, &sink, sending->run, sending->run->options);
    (void)file_sink_close(&sink); /* kept in sending->failed */
    if (!counting && sending->block.size)
        next_block(sending);
}

/* Sends the head before and after the file, so that one of them arrives. */
static void send_head(struct sending *sending)
{
    struct transfer_block head;

    if (transfer_head_write(&sending->head, sending->block.run, sending->block.file, &head))
        send_block(sending, &head);
    else
        sending->failed = "its name is too long";
}

static void copy_name(char (*to)[TRANSFER_NAME_MAX + 1], const char *name)
{
    struct out_memory text;

    out_memory_init(&text, *to, sizeof(*to));
    out_printf(&text.out, "%s", name);
}

static void send_file(struct sending *sending, const struct run_file *file, struct out *out)
{
    uint64_t lines;

    copy_name(&sending->head.name, file->name);
    make(sending, file, true);
    sending->head.size = sending->size;
    sending->head.crc = sending->crc;
    lines = send_wanted_blocks(sending->wanted, file->name, transfer_blocks(sending->size)) + 2;
    out_printf(out, "Sending %s: %lu bytes, %lu lines, %lu s\n", file->name, sending->size, lines,
               lines * (TRANSFER_LINE_MAX + 4) * BITS_OF_A_BYTE / bauds[sending->rate] + 1);
    send_head(sending);
    make(sending, file, false);
    send_head(sending);
}

/* Computes a number that no two runs share, even on two machines that were switched on together. */
static uint32_t run_number(const struct run *run, const char *folder)
{
    uint32_t crc = crc32c(0, folder, strlen(folder));

    crc = crc32c(crc, &run->started, sizeof(run->started));
    crc = crc32c(crc, &run->passes.tsc_start, sizeof(run->passes.tsc_start));
    return crc32c(crc, run->image->build_id, 20);
}

/* Sets the folder's name, as it is or would be on the volume. */
static void name_folder(struct sending *sending, unsigned number)
{
    const struct run *run = sending->run;
    const char *name = run->begun.folder;
    char path[RUN_FOLDER_MAX];

    if (!name[0]) {
        begun_folder_path(run, number, &path);
        name = path;
    }
    for (const char *at = name; *at; at++)
        if (*at == '\\')
            name = at + 1;
    copy_name(&sending->head.folder, name);
}

bool send_run(struct console *console, struct run *run, const char *what, unsigned number)
{
    struct out *out = &console->out;
    struct run_file files[RUN_FILES_MAX];
    struct send_wanted wanted;
    struct sending sending = {.run = run, .rate = (enum uart_rate)run->options->serial_rate, .wanted = &wanted};

    console_init(&sending.console, run->fw);
    sending.head.files = run_files(run, &files);
    if (!send_wanted_read(&wanted, what, files, sending.head.files, out))
        return false;
    if (!uart_found()) {
        sentence(out, "NOT SENT: no serial port answers at 3F8h.");
        return false;
    }
    name_folder(&sending, number);
    sending.block.run = run_number(run, sending.head.folder);
    out_printf(out, "Sending %s over the serial port at %u baud; Esc ends it.\n", sending.head.folder,
               bauds[sending.rate]);
    /* Large files come last, so that an impatient user has the others. */
    for (unsigned large = 0; large < 2; large++)
        for (unsigned i = 0; i < sending.head.files && !sending.failed; i++) {
            sending.block.file = (uint8_t)i;
            if (files[i].is_large == large && send_wants_file(&wanted, files[i].name))
                send_file(&sending, &files[i], out);
        }
    copy_name(&sending.head.name, "end");
    sending.block.file = TRANSFER_END;
    sending.head.size = sending.head.crc = 0;
    if (!sending.failed)
        send_head(&sending);
    if (sending.failed)
        sentence(out, "NOT SENT, or only in part: %s. 'send' at the prompt sends the run again.", sending.failed);
    else
        sentence(out, "Sent %s: %u lines. 'ibsprof receive' says what to send again.", sending.head.folder,
                 sending.lines);
    return !sending.failed;
}
