#include "tools/ibsprof/base/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

enum { BLOCK_VALUES = 1024 };

struct block {
    struct block *next;
    unsigned used;
    struct json_value value[BLOCK_VALUES];
};

struct json_tree {
    char *text; /* strings end where their closing quote was */
    struct block *blocks;
    struct json_value *root;
};

struct reader {
    struct json_tree *tree;
    char *at, *end;
    const char *problem;
    unsigned depth;
};

static struct json_value *value_new(struct json_tree *tree)
{
    if (tree->blocks == NULL || tree->blocks->used == BLOCK_VALUES) {
        struct block *block = must_alloc(1, sizeof(*block));

        block->next = tree->blocks;
        tree->blocks = block;
    }
    return &tree->blocks->value[tree->blocks->used++];
}

static void *fail(struct reader *reader, const char *problem)
{
    if (reader->problem == NULL)
        reader->problem = problem;
    return NULL;
}

static void blanks(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at)
        reader->at++;
}

static bool take(struct reader *reader, char c)
{
    blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool unescape(struct reader *reader, char **to)
{
    static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
    const char *found;
    unsigned code;
    char digits[5] = "";

    if (reader->at == reader->end)
        return false;
    if (*reader->at == 'u') {
        if (reader->end - reader->at < 5)
            return false;
        memcpy(digits, reader->at + 1, 4);
        if (strspn(digits, "0123456789abcdefABCDEF") != 4)
            return false;
        code = (unsigned)strtoul(digits, NULL, 16);
        *(*to)++ = code > 0 && code < 128 ? (char)code : '?';
        reader->at += 5;
        return true;
    }
    found = *reader->at ? strchr(from, *reader->at) : NULL;
    if (found == NULL)
        return false;
    *(*to)++ = into[found - from];
    reader->at++;
    return true;
}

/* Behind the opening quote. The text is put together in place: it never grows. */
static const char *string(struct reader *reader)
{
    char *start = reader->at, *to = start;

    while (reader->at < reader->end && *reader->at != '"') {
        if ((unsigned char)*reader->at < 0x20)
            return fail(reader, "a control character in a string");
        if (*reader->at != '\\') {
            *to++ = *reader->at++;
            continue;
        }
        reader->at++;
        if (!unescape(reader, &to))
            return fail(reader, "a wrong escape in a string");
    }
    if (reader->at == reader->end)
        return fail(reader, "a string without end");
    reader->at++;
    *to = '\0';
    return start;
}

static bool digits(struct reader *reader)
{
    char *start = reader->at;

    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > start;
}

/* The text is copied, for what stands behind a number must stay readable. */
static const char *number(struct reader *reader)
{
    char *start = reader->at;

    if (*reader->at == '-')
        reader->at++;
    if (!digits(reader))
        return fail(reader, "no value");
    if (reader->at < reader->end && *reader->at == '.') {
        reader->at++;
        if (!digits(reader))
            return fail(reader, "a number without digits behind the point");
    }
    if (reader->at < reader->end && (*reader->at == 'e' || *reader->at == 'E')) {
        reader->at++;
        if (reader->at < reader->end && (*reader->at == '+' || *reader->at == '-'))
            reader->at++;
        if (!digits(reader))
            return fail(reader, "a number without digits in its exponent");
    }
    return start; /* strto... end at the first other character: there is always one (the text ends in 0) */
}

static struct json_value *value(struct reader *reader, const char *key);

static void *members(struct reader *reader, struct json_value *in)
{
    const struct json_value **to = &in->first;
    char close = in->type == JSON_OBJECT ? '}' : ']';

    if (++reader->depth > JSON_READ_DEPTH)
        return fail(reader, "nested too deeply");
    if (take(reader, close)) {
        reader->depth--;
        return in;
    }
    for (;;) {
        struct json_value *member;
        const char *key = NULL;

        if (in->type == JSON_OBJECT) {
            if (!take(reader, '"') || (key = string(reader)) == NULL || !take(reader, ':'))
                return fail(reader, "no key and colon");
        }
        member = value(reader, key);
        if (member == NULL)
            return NULL;
        *to = member;
        to = &member->next;
        if (take(reader, close))
            break;
        if (!take(reader, ','))
            return fail(reader, "neither comma nor end");
    }
    reader->depth--;
    return in;
}

static struct json_value *value(struct reader *reader, const char *key)
{
    static const struct {
        const char *text;
        enum json_type type;
    } words[] = {{"null", JSON_NULL}, {"false", JSON_FALSE}, {"true", JSON_TRUE}};
    struct json_value *made = value_new(reader->tree);

    made->key = key;
    blanks(reader);
    for (unsigned i = 0; i < 3; i++) {
        size_t length = strlen(words[i].text);

        if ((size_t)(reader->end - reader->at) >= length && memcmp(reader->at, words[i].text, length) == 0) {
            reader->at += length;
            made->type = words[i].type;
            return made;
        }
    }
    if (take(reader, '"')) {
        made->type = JSON_STRING;
        made->text = string(reader);
        return made->text ? made : NULL;
    }
    if (take(reader, '{')) {
        made->type = JSON_OBJECT;
        return members(reader, made);
    }
    if (take(reader, '[')) {
        made->type = JSON_ARRAY;
        return members(reader, made);
    }
    if (reader->at == reader->end)
        return fail(reader, "it ends early");
    made->type = JSON_NUMBER;
    made->text = number(reader);
    return made->text ? made : NULL;
}

struct json_tree *json_read(const char *text, size_t size, char *error, size_t error_size)
{
    struct json_tree *tree = must_alloc(1, sizeof(*tree));
    struct reader reader = {.tree = tree};

    tree->text = must_alloc(size + 1, 1);
    memcpy(tree->text, text, size);
    reader.at = tree->text;
    reader.end = tree->text + size;
    tree->root = value(&reader, NULL);
    blanks(&reader);
    if (tree->root != NULL && reader.at < reader.end)
        (void)fail(&reader, "something behind the end");
    if (reader.problem == NULL)
        return tree;
    snprintf(error, error_size, "offset %zu: no JSON: %s", (size_t)(reader.at - tree->text), reader.problem);
    json_tree_free(tree);
    return NULL;
}

const struct json_value *json_root(const struct json_tree *tree)
{
    return tree->root;
}

void json_tree_free(struct json_tree *tree)
{
    if (tree == NULL)
        return;
    for (struct block *block = tree->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(tree->text);
    free(tree);
}

const struct json_value *json_member(const struct json_value *object, const char *key)
{
    if (object == NULL || object->type != JSON_OBJECT)
        return NULL;
    for (const struct json_value *member = object->first; member; member = member->next)
        if (strcmp(member->key, key) == 0)
            return member;
    return NULL;
}

uint64_t json_to_uint(const struct json_value *value)
{
    return value && value->type == JSON_NUMBER && value->text[0] != '-' ? strtoull(value->text, NULL, 10) : 0;
}

double json_to_real(const struct json_value *value)
{
    return value && value->type == JSON_NUMBER ? strtod(value->text, NULL) : 0;
}
