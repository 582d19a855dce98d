/* SPDX-License-Identifier: BSD-2-Clause */
/* The page around the data: no text of a file can become markup, nothing is loaded, and the page is complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/ibsprof/fake_input.h"
#include "tools/ibsprof/html/html.h"
#include "tools/ibsprof/report/json/report_json.h"

static const char hostile[] = "</script><script>alert(1)</script><!-- \"'&amp;";

static unsigned times(const char *text, const char *part)
{
    unsigned count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

static char *page(const char *workload, bool expected)
{
    struct fake_input *fake = fake_input_make(true);
    struct profile_options how = {0};
    char error[200], *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    struct run_profile *profile;

    fake->input.facts.workload = workload;
    fake_input_clock(fake, 1, 0x10000);
    profile = run_profile_read(&fake->input, &how, error, sizeof(error));
    assert_non_null(profile);
    assert_int_equal(report_html(to, profile, NULL, NULL, NULL, NULL), expected);
    fclose(to);
    run_profile_free(profile);
    fake_input_free(fake);
    return text;
}

static void test_title(void **state)
{
    char *text = page("a<b>&\"c'", true);

    assert_non_null(strstr(text, "<title>a&lt;b&gt;&amp;&quot;c&#39;</title>"));
    free(text);
}

static void test_page(void **state)
{
    /* The licence is a comment before the library; the page's own files are in the order of their dependencies. */
    static const char *const order[] = {"<style>\n",
                                        "</style>\n",
                                        "<script>\n/*\nd3 (https://d3js.org)",
                                        "\n*/\n// https://d3js.org",
                                        "\n</script>\n<script>\n\"use strict\";\n",
                                        "\n</script>\n</body>\n</html>\n"};
    char *text = page("matmul", true);
    const char *at = text;

    assert_ptr_equal(strstr(text, "<!DOCTYPE html>"), text);
    assert_non_null(strstr(text, "<html lang=\"en\">"));
    assert_non_null(strstr(text, "<title>matmul</title>"));
    assert_non_null(strstr(text, "default-src 'none'"));
    assert_non_null(strstr(text, "Redistribution and use in source and binary forms")); /* d3's licence */
    assert_non_null(strstr(text, "Copyright 2010-2017, 2022 Mike Bostock"));
    assert_non_null(strstr(text, "<script type=\"application/json\" id=\"profile\">\n{\"schema\":\"ibsprof report\""));
    assert_string_equal(text + strlen(text) - strlen("</body>\n</html>\n"), "</body>\n</html>\n");
    assert_int_equal(times(text, "<script"), times(text, "</script>"));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        const char *next = strstr(at, order[i]);

        if (next == NULL)
            fail_msg("no '%s' after the last", order[i]);
        at = next + strlen(order[i]);
    }
    assert_non_null(strstr(text, (const char *)html_file("report.css").bytes));
    assert_null(strstr(text, "src=\""));
    assert_null(strstr(text, "@import"));
    free(text);
}

/* A hostile name opens and closes no script element: the page has as many as with a harmless name. */
static void test_hostile_names(void **state)
{
    char *harmless = page("matmul", true), *text = page(hostile, true);

    assert_int_equal(times(text, "<script"), times(harmless, "<script"));
    assert_int_equal(times(text, "</script"), times(harmless, "</script"));
    assert_null(strstr(text, "alert(1)</script>"));
    assert_null(strstr(text, "<!--"));
    assert_non_null(strstr(text, "<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert_non_null(strstr(text, "\"workload\":\"\\u003c/script\\u003e"));
    free(harmless);
    free(text);
}

/* No file of the page may end the element that contains it. */
static void test_files(void **state)
{
    static const char *const names[] = {"d3.min.js", "d3-licence.txt",    "report.css",    "base.js",
                                        "charts.js", "listing.js",        "views.js",      "views_run.js",
                                        "report.js", "views_roofline.js", "views_lines.js"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct html_file file = html_file(names[i]);

        assert_true(file.size > 500);
        assert_int_equal(file.bytes[file.size], 0);
        assert_null(strstr((const char *)file.bytes, "</script"));
        assert_null(strstr((const char *)file.bytes, "<!--"));
        assert_null(strstr((const char *)file.bytes, "</style"));
    }
    assert_int_equal(html_file("no.js").size, 0);
}

static void one_value(struct json *json, const void *what)
{
    json_null(json);
}

static void two_values(struct json *json, const void *what)
{
    json_null(json);
    json_null(json);
}

static void test_errors(void **state)
{
    struct fake_input *fake = fake_input_make(false);
    struct profile_options how = {0};
    char error[200], *text;
    size_t size;
    FILE *to = open_memstream(&text, &size), *full = fopen("/dev/full", "w");
    struct run_profile *profile = run_profile_read(&fake->input, &how, error, sizeof(error));

    assert_true(html_page(to, "title", "report.js", "x", one_value, NULL));
    assert_false(html_page(to, "title", "no.js", "x", one_value, NULL));
    assert_false(html_page(to, "title", "report.js", "x", two_values, NULL));
    assert_false(report_html(full, profile, NULL, NULL, NULL, NULL));
    assert_true(report_html(to, profile, NULL, NULL, NULL, NULL)); /* a file without samples also makes a page */
    fclose(full);
    fclose(to);
    free(text);
    run_profile_free(profile);
    fake_input_free(fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title), cmocka_unit_test(test_page),   cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_files), cmocka_unit_test(test_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
