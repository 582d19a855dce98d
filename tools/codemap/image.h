/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The linked image: one range of code with its functions and source lines.
 */
#ifndef TOOLS_CODEMAP_IMAGE_H
#define TOOLS_CODEMAP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_func {
    uint64_t rva;
    uint64_t size;
    const char *name; /* lives as long as the image */
};

struct image_line {
    uint64_t rva;
    const char *file; /* relative to the project's root; NULL at the end of a sequence of lines */
    int line;
};

struct image {
    const char *path;
    const uint8_t *code; /* code_size bytes at code_rva */
    uint64_t code_rva;
    uint64_t code_size;
    struct image_func *funcs; /* functions in the range, ascending, without overlap, one name per address */
    size_t func_count;
    struct image_line *lines; /* ascending */
    size_t line_count;
    bool strict; /* functions must have a size and must not overlap, as in ibsboot's image */
    void *elf;
    int fd;
};

/* Opens the ELF file and selects the workloads: image_workloads .. image_workloads_end of linker.ld. */
void image_open_workloads(struct image *image, const char *path);

/* Opens any ELF file and selects start..end, with its functions and lines, if any. end 0: all of .text. */
void image_open_range(struct image *image, const char *path, uint64_t start, uint64_t end);

/* Returns the source line of an address; NULL: not known. */
const struct image_line *image_line_of(const struct image *image, uint64_t rva);

/* Finds the address of a symbol. Returns false if there is none of this name. */
bool image_symbol(const struct image *image, const char *name, uint64_t *ret_value);

/* Returns the file's bytes at an address; NULL: it has fewer than 'size' there. */
const uint8_t *image_bytes(const struct image *image, uint64_t rva, uint64_t size);

/* Returns whether a dynamic relocation changes a byte of the range, so that a hash of the file differs from one of the
 * loaded code. */
bool image_range_is_relocated(const struct image *image);

/* Prints "codemap: path: ..." and ends the program with status 1. */
void image_fail(const struct image *image, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

#endif
