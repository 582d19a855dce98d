/* SPDX-License-Identifier: BSD-2-Clause */
/* The reason why a run is refused: kept as far as there is room, and printed as a whole. */
#include "app/prompt/refusal.h"

#include <string.h>

#include "app/base/sinks.h"
#include "tests/unit/app/fixture.h"

static struct {
    struct refusal refusal;
    char behind[REFUSAL_TEXT];
} kept;

/* Writes all of 'text' in pieces of this size. */
static void write_in_pieces(const char *text, size_t piece)
{
    struct out *out = &kept.refusal.out;

    for (size_t at = 0, all = strlen(text); at < all; at += piece)
        out->write(out, text + at, all - at < piece ? all - at : piece);
}

APP_TEST(what_is_longer_is_cut)
{
    static char text[REFUSAL_TEXT + 100], first[REFUSAL_TEXT + 1];
    static const size_t lengths[] = {0, 1, REFUSAL_TEXT - 1, REFUSAL_TEXT, REFUSAL_TEXT + 1, sizeof(text) - 1};
    static const size_t pieces[] = {1, 7, 1000, REFUSAL_TEXT, sizeof(text)};
    struct console console;

    for (unsigned l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++)
        for (unsigned p = 0; p < sizeof(pieces) / sizeof(pieces[0]); p++) {
            size_t length = lengths[l] < REFUSAL_TEXT ? lengths[l] : REFUSAL_TEXT;

            memset(text, 0, sizeof(text));
            for (size_t i = 0; i < lengths[l]; i++)
                text[i] = (char)('a' + i % 23);
            memset(first, 0, sizeof(first));
            memcpy(first, text, length);
            memset(&kept, '#', sizeof(kept));
            fake_firmware_clear(&fake_fw);
            console_init(&console, &fake_fw.firmware);
            refusal_begin(&kept.refusal, p % 2 ? &console.out : NULL);
            write_in_pieces(text, pieces[p]);
            assert_int_equal(kept.refusal.length, length);
            assert_string_equal(kept.refusal.text, first);
            assert_string_equal(fake_fw.screen, p % 2 ? text : "");
            for (size_t i = 0; i < sizeof(kept.behind); i++)
                assert_int_equal(kept.behind[i], '#');
        }
}

RUN_TESTS(fixture_load, NULL)
