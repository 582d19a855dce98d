/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/out_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

static void write_coloured(struct out_file *self, const char *text, size_t length)
{
    while (length > 0) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;

        if (!self->inside && part > 0) {
            self->inside = true;
            self->hot = text[0] == '>';
            if (self->hot)
                fputs(BOLD, self->file);
        }
        fwrite(text, 1, part, self->file);
        if (newline) {
            if (self->inside && self->hot)
                fputs(PLAIN, self->file);
            self->inside = self->hot = false;
            fputc('\n', self->file);
            part++;
        }
        text += part;
        length -= part;
    }
}

static void write_file(struct out *out, const char *text, size_t length)
{
    struct out_file *self = (struct out_file *)out; /* 'out' is its first member */

    if (self->colour)
        write_coloured(self, text, length);
    else
        fwrite(text, 1, length, self->file);
}

void out_file_init(struct out_file *out, FILE *file, bool colour)
{
    *out = (struct out_file){.out.write = write_file, .file = file, .colour = colour};
}

void out_real(struct out *out, const char *format, double value)
{
    char text[40];

    snprintf(text, sizeof(text), format, value);
    out_printf(out, "%s", text);
}

void csv_real(FILE *to, int digits, double value)
{
    fputc(',', to);
    if (isfinite(value))
        fprintf(to, "%.*g", digits, value);
}

FILE *output_open(const char *path)
{
    FILE *file;

    if (!path || strcmp(path, "-") == 0)
        return stdout;
    file = fopen(path, "w");
    if (!file)
        complain("%s: cannot be written: %s", path, strerror(errno));
    return file;
}

bool output_replace(const char *path, const void *bytes, size_t size)
{
    char *part = must_text("%s.new", path);
    FILE *file;
    bool good;

    (void)unlink(part); /* usually it does not exist */
    file = fopen(part, "wbx");
    good = file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    good = file && fclose(file) == 0 && good && rename(part, path) == 0;
    if (!good)
        complain("%s: cannot be written: %s", path, strerror(errno));
    if (file && !good)
        (void)unlink(part);
    free(part);
    return good;
}

bool output_make_folders(const char *path)
{
    char *part = must_copy(path);
    bool good = true;

    for (char *end = part; good && *end; *end = path[end - part]) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        *end = '\0';
        good = mkdir(part, 0777) == 0 || errno == EEXIST;
    }
    if (!good)
        complain("%s: cannot be made: %s", part, strerror(errno));
    free(part);
    return good;
}

bool output_close(FILE *file, const char *path)
{
    bool good = !ferror(file);

    errno = 0;
    if (!good)
        (void)fputc('\n', file); /* errno of an earlier failure is lost: writing once more sets it again */
    if (file == stdout ? fflush(file) != 0 : fclose(file) != 0)
        good = false;
    if (!good)
        complain("%s: cannot be written%s%s", path && strcmp(path, "-") != 0 ? path : "standard output",
                 errno ? ": " : "", errno ? strerror(errno) : "");
    return good;
}
