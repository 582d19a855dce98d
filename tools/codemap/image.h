/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The linked image as the generator sees it: one range of code with its functions and source lines.
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
    const char *file; /* relative to the project's root; NULL where a sequence of lines ends */
    int line;
};

struct image {
    const char *path;
    const uint8_t *code; /* the bytes at code_rva .. code_rva + code_size */
    uint64_t code_rva;
    uint64_t code_size;
    struct image_func *funcs; /* those in the range, ascending, none overlapping, one name an address */
    size_t func_count;
    struct image_line *lines; /* ascending */
    size_t line_count;
    bool strict; /* functions must have a size and must not overlap: for ibsboot's image */
    void *elf;
    int fd;
};

/* Opens the ELF file and takes the range of the workloads: image_workloads .. image_workloads_end of linker.ld. */
void image_open_workloads(struct image *image, const char *path);

/* Opens any ELF file and takes the range start..end with its functions and lines, if any. end 0: all of .text. */
void image_open_range(struct image *image, const char *path, uint64_t start, uint64_t end);

/* The source line of an address, NULL when it is not known. */
const struct image_line *image_line_of(const struct image *image, uint64_t rva);

/* Address of a symbol. False when no symbol has this name. */
bool image_symbol(const struct image *image, const char *name, uint64_t *ret_value);

/* The bytes of the file at an address, NULL when the file has fewer than size bytes there. */
const uint8_t *image_bytes(const struct image *image, uint64_t rva, uint64_t size);

/* True when a dynamic relocation changes a byte of the range: then a hash of the file's bytes is not that of the loaded
 * code. */
bool image_range_is_relocated(const struct image *image);

/* Prints "codemap: path: ..." and ends the program with status 1. */
void image_fail(const struct image *image, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));

#endif
