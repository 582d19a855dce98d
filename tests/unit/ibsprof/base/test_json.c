/* SPDX-License-Identifier: BSD-2-Clause */
/* The JSON writer: every byte of its output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/base/json.h"

struct text {
    struct json json;
    FILE *to;
    char *text;
    size_t size;
};

static struct json *begin(struct text *text)
{
    text->to = open_memstream(&text->text, &text->size);
    json_init(&text->json, text->to);
    return &text->json;
}

static void end(struct text *text, bool good, const char *expected)
{
    assert_int_equal(json_finish(&text->json), good);
    fclose(text->to);
    if (expected)
        assert_string_equal(text->text, expected);
    free(text->text);
}

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

static void test_texts(void **state)
{
    static const struct {
        const char *text, *json;
    } rows[] = {
        {"", "\"\"\n"},
        {"plain", "\"plain\"\n"},
        {"a\"b\\c", "\"a\\\"b\\\\c\"\n"},
        {"</script><!--&", "\"\\u003c/script\\u003e\\u003c!--\\u0026\"\n"},
        {"tab\tline\nbell\a\x7F", "\"tab\\u0009line\\u000abell\\u0007\\u007f\"\n"},
        {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"\n"},
        {"\xE2\x80\xA8\xE2\x80\xA9", "\"\\u2028\\u2029\"\n"},
        {"\x80", "\"" BAD "\"\n"},                         /* continuation alone */
        {"\xC3", "\"" BAD "\"\n"},                         /* a sequence that is cut off */
        {"\xC0\xAF", "\"" BAD BAD "\"\n"},                 /* a sequence that is longer than necessary */
        {"\xE0\x80\x80x", "\"" BAD BAD BAD "x\"\n"},       /* also longer than necessary */
        {"\xED\xA0\x80", "\"" BAD BAD BAD "\"\n"},         /* a surrogate */
        {"\xF4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"\n"}, /* above U+10FFFF */
        /* First and last of each length, and their neighbours. */
        {"\xC2\x80\xDF\xBF", "\"\xC2\x80\xDF\xBF\"\n"},
        {"\xC1\xBF", "\"" BAD BAD "\"\n"},
        {"\xE0\xA0\x80\xEF\xBF\xBF", "\"\xE0\xA0\x80\xEF\xBF\xBF\"\n"},
        {"\xE0\x9F\xBF", "\"" BAD BAD BAD "\"\n"},
        {"\xED\x9F\xBF\xEE\x80\x80", "\"\xED\x9F\xBF\xEE\x80\x80\"\n"},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"\n"},
        {"\xF0\x8F\xBF\xBF", "\"" BAD BAD BAD BAD "\"\n"},
        {"\xF5\x80\x80\x80", "\"" BAD BAD BAD BAD "\"\n"},
        {"\xC3\xC0", "\"" BAD BAD "\"\n"},
        {"\xE2\x82\xC0", "\"" BAD BAD BAD "\"\n"},
        {"\xE2\x82\x7F", "\"" BAD BAD "\\u007f\"\n"},
        {"\xFF<", "\"" BAD "\\u003c\"\n"},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct text text;

        json_text(begin(&text), rows[i].text);
        end(&text, true, rows[i].json);
    }
}

static void test_numbers(void **state)
{
    struct text text;
    struct json *json = begin(&text);

    json_array(json);
    json_uint(json, UINT64_MAX);
    json_int(json, INT64_MIN);
    json_hex(json, 0xFFFFFFFF81000000ull);
    json_real(json, 0.1);
    json_real(json, 1.0 / 3);
    json_real(json, -2);
    json_real(json, 1e300);
    json_real(json, (double)NAN);
    json_real(json, -(double)INFINITY);
    json_null(json);
    json_text(json, NULL);
    json_end(json);
    end(&text, true,
        "[18446744073709551615,\n-9223372036854775808,\n\"0xffffffff81000000\",\n0.1,\n0.3333333333333333,\n-2,\n"
        "1e+300,\nnull,\nnull,\nnull,\nnull]\n");
}

static void test_nesting(void **state)
{
    struct text text;
    struct json *json = begin(&text);

    json_object(json);
    json_key(json, "empty");
    json_object(json);
    json_end(json);
    json_key(json, "rows");
    json_array(json);
    for (unsigned i = 0; i < 2; i++) {
        json_array(json);
        json_uint(json, i);
        json_object(json);
        json_key_uint(json, "a", 1);
        json_key_hex(json, "b", 255);
        json_end(json);
        json_end(json);
    }
    json_end(json);
    json_key_text(json, "t", "x");
    json_key_bool(json, "f", false);
    json_key_bool(json, "g", true);
    json_end(json);
    end(&text, true,
        "{\"empty\":{},\n\"rows\":[[0,{\"a\":1,\"b\":\"0xff\"}],\n[1,{\"a\":1,\"b\":\"0xff\"}]],\n\"t\":\"x\",\n\"f\":"
        "false,\n\"g\":true}\n");
}

static void nothing(struct json *json)
{
}
static void two_values(struct json *json)
{
    json_null(json);
    json_null(json);
}
static void not_closed(struct json *json)
{
    json_array(json);
}
static void closed_twice(struct json *json)
{
    json_array(json);
    json_end(json);
    json_end(json);
}
static void value_without_key(struct json *json)
{
    json_object(json);
    json_uint(json, 1);
    json_end(json);
}
static void key_without_value(struct json *json)
{
    json_object(json);
    json_key(json, "a");
    json_end(json);
}
static void key_in_array(struct json *json)
{
    json_array(json);
    json_key(json, "a");
    json_end(json);
}
static void too_deep(struct json *json)
{
    for (unsigned i = 0; i <= JSON_DEPTH_MAX; i++)
        json_array(json);
    for (unsigned i = 0; i < JSON_DEPTH_MAX; i++)
        json_end(json);
}

static void test_wrong_calls(void **state)
{
    void (*const rows[])(struct json * json) = {nothing,           two_values,        not_closed,   closed_twice,
                                                value_without_key, key_without_value, key_in_array, too_deep};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct text text;

        rows[i](begin(&text));
        end(&text, false, NULL);
    }
}

static void test_full_disk(void **state)
{
    struct json json;
    FILE *full = fopen("/dev/full", "w");

    assert_non_null(full);
    json_init(&json, full);
    json_uint(&json, 1);
    assert_false(json_finish(&json));
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),       cmocka_unit_test(test_numbers),   cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_full_disk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
