/*
 * Reads JSON (RFC 8259) that other programs wrote, into a tree. Nothing in it is trusted: depth and size are limited,
 * and what is no JSON is refused with the place.
 */
#ifndef TOOLS_IBSPROF_JSON_READ_H
#define TOOLS_IBSPROF_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JSON_READ_DEPTH = 32 };

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json_value {
    enum json_type type;
    const char *key;  /* in an object */
    const char *text; /* of numbers as written, of strings without escapes (\u beyond ASCII becomes '?') */
    const struct json_value *first, *next; /* elements or members; the neighbour in what holds this one */
};

struct json_tree;

/* text[size] is copied. NULL with a line in error. */
struct json_tree *json_read(const char *text, size_t size, char *error, size_t error_size);
const struct json_value *json_root(const struct json_tree *tree);
void json_tree_free(struct json_tree *tree);

/* Member of an object; NULL: it is none, or has none of that name. */
const struct json_value *json_member(const struct json_value *object, const char *key);

/* Numbers: 0 when it is none, or out of range. */
uint64_t json_to_uint(const struct json_value *value);
double json_to_real(const struct json_value *value);

#endif
