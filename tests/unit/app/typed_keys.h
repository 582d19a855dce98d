/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys for fake_fw.keys: arrows of the firmware, commands to the fake firmware, and sequences of a terminal. */
#ifndef TESTS_UNIT_APP_TYPED_KEYS_H
#define TESTS_UNIT_APP_TYPED_KEYS_H

#define UP        "\4"
#define DOWN      "\5"
#define RIGHT     "\6"
#define LEFT      "\7"
#define PHOTO     "\1" /* the fake firmware takes a picture of the screen */
#define PAUSE     "\2" /* no key is typed for a time */
#define PAGE_UP   "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define HOME      "\x1b[H"
#define END       "\x1b[F"

#endif
