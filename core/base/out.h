/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Text output: one sink interface for the console, report.txt, CSV and tests, and a small formatter.
 * No floating point: ratios are printed from integers.
 */
#ifndef CORE_OUT_H
#define CORE_OUT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct out {
    void (*write)(struct out *out, const char *text, size_t length); /* UTF-8, '\n' ends a line */
};

/* Conversions: %s %c %% %d %u %x %X with l/ll/z and uint64_t as %lu, which it is in this ABI; flags '-' and '0', width
 * (also *), precision for %s (also *). Unknown conversions are printed as they stand. Width counts bytes. */
void out_printf(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void out_vprintf(struct out *out, const char *format, va_list args);

/* A sink that fills memory; always NUL-terminated when size > 0. 'needed' counts what would have been written, so
 * needed >= size means that the text was cut. */
struct out_memory {
    struct out out;
    char *text;
    size_t size;
    size_t needed;
};
void out_memory_init(struct out_memory *memory, char *text, size_t size);

/* Prints numerator / denominator * scale with 'decimals' digits, rounded half up, right-aligned in 'width'; "-" when
 * denominator is 0. scale is 100 for percent. Exact for numerator * scale * 10^decimals < 2^64. */
void out_ratio(struct out *out, uint64_t numerator, uint64_t denominator, uint32_t scale, int decimals, int width);

#endif
