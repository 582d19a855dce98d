/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/out.h"

#include <stdbool.h>

#include "core/base/mem.h"

/* Collects small pieces, so that a sink is called a few times per line and not once per character. */
struct pieces {
    struct out *out;
    size_t used;
    char text[120];
};

static void flush(struct pieces *pieces)
{
    if (pieces->used)
        pieces->out->write(pieces->out, pieces->text, pieces->used);
    pieces->used = 0;
}

static void put(struct pieces *pieces, char c)
{
    if (pieces->used == sizeof(pieces->text))
        flush(pieces);
    pieces->text[pieces->used++] = c;
}

static void put_many(struct pieces *pieces, char c, int count)
{
    for (; count > 0; count--)
        put(pieces, c);
}

struct conversion {
    bool left, zero;
    int width;
    int precision; /* -1: none */
    bool wide;     /* "l", "ll" or "z": 64 bits */
};

static void put_text(struct pieces *pieces, const struct conversion *conversion, const char *text)
{
    size_t length = 0;

    if (!text)
        text = "(null)";
    while ((conversion->precision < 0 || length < (size_t)conversion->precision) && text[length])
        length++;
    if (!conversion->left)
        put_many(pieces, ' ', conversion->width - (int)length);
    for (size_t i = 0; i < length; i++)
        put(pieces, text[i]);
    if (conversion->left)
        put_many(pieces, ' ', conversion->width - (int)length);
}

static void put_number(struct pieces *pieces, const struct conversion *conversion, uint64_t value, bool negative,
                       unsigned base, const char *digits)
{
    char text[20]; /* 2^64 has 20 decimal digits */
    int length = 0, sign = negative;

    do {
        text[length++] = digits[value % base];
        value /= base;
    } while (value);
    if (!conversion->left && !conversion->zero)
        put_many(pieces, ' ', conversion->width - length - sign);
    if (negative)
        put(pieces, '-');
    if (!conversion->left && conversion->zero)
        put_many(pieces, '0', conversion->width - length - sign);
    for (int i = length; i > 0; i--)
        put(pieces, text[i - 1]);
    if (conversion->left)
        put_many(pieces, ' ', conversion->width - length - sign);
}

_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8 && sizeof(size_t) == 8, "one width for all of them");

static uint64_t next_unsigned(bool wide, va_list *args)
{
    return wide ? va_arg(*args, unsigned long) : va_arg(*args, unsigned);
}

static int64_t next_signed(bool wide, va_list *args)
{
    return wide ? va_arg(*args, long) : va_arg(*args, int);
}

/* Reads digits or '*' at *format. */
static int number_at(const char **format, va_list *args)
{
    int number = 0;

    if (**format == '*') {
        ++*format;
        return va_arg(*args, int);
    }
    while (**format >= '0' && **format <= '9' && number < 10000)
        number = number * 10 + (*(*format)++ - '0');
    return number;
}

/* Prints one conversion; format points after the '%'. Returns where the text goes on, NULL when it is not a
 * conversion. */
static const char *convert(struct pieces *pieces, const char *format, va_list *args)
{
    struct conversion conversion = {.precision = -1};

    for (; *format == '-' || *format == '0'; format++)
        if (*format == '-')
            conversion.left = true;
        else
            conversion.zero = true;
    conversion.width = number_at(&format, args);
    if (conversion.width < 0) {
        conversion.left = true;
        conversion.width = -conversion.width;
    }
    if (*format == '.') {
        format++;
        conversion.precision = number_at(&format, args);
    }
    for (; *format == 'l' || *format == 'z'; format++)
        conversion.wide = true;

    switch (*format) {
    case 's':
        put_text(pieces, &conversion, va_arg(*args, const char *));
        break;
    case 'c': {
        char one[2] = {(char)va_arg(*args, int), 0};

        conversion.precision = 1;
        put_text(pieces, &conversion, one);
        break;
    }
    case 'd': {
        int64_t value = next_signed(conversion.wide, args);

        put_number(pieces, &conversion, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, 10, "0123456789");
        break;
    }
    case 'u':
        put_number(pieces, &conversion, next_unsigned(conversion.wide, args), false, 10, "0123456789");
        break;
    case 'x':
        put_number(pieces, &conversion, next_unsigned(conversion.wide, args), false, 16, "0123456789abcdef");
        break;
    case 'X':
        put_number(pieces, &conversion, next_unsigned(conversion.wide, args), false, 16, "0123456789ABCDEF");
        break;
    case '%':
        put(pieces, '%');
        break;
    default:
        return NULL;
    }
    return format + 1;
}

void out_vprintf(struct out *out, const char *format, va_list args)
{
    struct pieces pieces = {.out = out};
    va_list rest;

    va_copy(rest, args);
    while (*format) {
        const char *next = NULL;

        if (*format == '%')
            next = convert(&pieces, format + 1, &rest);
        if (!next) {
            put(&pieces, *format);
            next = format + 1;
        }
        format = next;
    }
    va_end(rest);
    flush(&pieces);
}

void out_printf(struct out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    out_vprintf(out, format, args);
    va_end(args);
}

static void memory_write(struct out *out, const char *text, size_t length)
{
    struct out_memory *memory = (struct out_memory *)out; /* 'out' is its first member */
    size_t room = memory->needed < memory->size ? memory->size - memory->needed - 1 : 0;
    size_t taken = length < room ? length : room;

    if (memory->needed < memory->size) {
        memcpy(memory->text + memory->needed, text, taken);
        memory->text[memory->needed + taken] = 0;
    }
    memory->needed += length;
}

void out_memory_init(struct out_memory *memory, char *text, size_t size)
{
    memory->out.write = memory_write;
    memory->text = text;
    memory->size = size;
    memory->needed = 0;
    if (size)
        text[0] = 0;
}

void out_ratio(struct out *out, uint64_t numerator, uint64_t denominator, uint32_t scale, int decimals, int width)
{
    uint64_t factor = scale, unit = 1, whole, part;

    if (denominator == 0) {
        out_printf(out, "%*s", width, "-");
        return;
    }
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    factor *= unit;
    /* Beyond what the contract promises to be exact: lose low bits of both rather than wrap around. */
    while (factor && numerator > UINT64_MAX / factor) {
        numerator >>= 1;
        denominator = denominator > 1 ? denominator >> 1 : 1;
    }
    whole = numerator * factor / denominator;
    part = numerator * factor % denominator;
    if (part >= denominator - part) /* half up */
        whole++;
    if (decimals > 0) {
        int integer_width = width - decimals - 1;

        out_printf(out, "%*lu.%0*lu", integer_width > 0 ? integer_width : 0, whole / unit, decimals, whole % unit);
    } else {
        out_printf(out, "%*lu", width, whole);
    }
}
