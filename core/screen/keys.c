/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/screen/keys.h"

#include "core/base/mem.h"

enum state {
    PLAIN,
    ESCAPED,  /* after ESC */
    NUMBERED, /* after ESC [ */
    SHORT,    /* after ESC O */
    ONE_MORE, /* after ESC [ [, by which Linux' console begins F1 to F5 */
};

enum { ESC = 0x1b, NUMBER_MAX = 999 };

/* Ends the sequence. */
static int ended(struct keys *keys, int key)
{
    *keys = (struct keys){0};
    return key;
}

static int of_letter(int letter)
{
    switch (letter) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    case 'H':
        return KEY_HOME;
    case 'F':
        return KEY_END;
    default:
        return KEY_OTHER;
    }
}

/* Returns the key of a number; two are those of terminals before xterm, and of rxvt. */
static int of_number(unsigned number)
{
    switch (number) {
    case 1:
    case 7:
        return KEY_HOME;
    case 4:
    case 8:
        return KEY_END;
    case 3:
        return KEY_DELETE;
    case 5:
        return KEY_PAGE_UP;
    case 6:
        return KEY_PAGE_DOWN;
    default:
        return KEY_OTHER;
    }
}

/* Takes a character after ESC [: numbers with ';' between, then a letter. */
static int take_numbered(struct keys *keys, int given)
{
    if (given >= '0' && given <= '9' && !keys->numbers && keys->number <= NUMBER_MAX)
        keys->number = 10 * keys->number + (unsigned)(given - '0');
    else if (given == ';')
        keys->numbers++;
    else if (given == '[' && keys->length == 3)
        keys->state = ONE_MORE;
    else if (given == '~')
        return ended(keys, of_number(keys->number));
    else if (given >= '@')
        return ended(keys, of_letter(given));
    return KEY_NONE;
}

static int take_escaped(struct keys *keys, int given)
{
    if (given == '[')
        keys->state = NUMBERED;
    else if (given == 'O')
        keys->state = SHORT;
    if (keys->state != ESCAPED)
        return KEY_NONE;
    *keys = (struct keys){.held = given};
    return KEY_ESCAPE;
}

int keys_take(struct keys *keys, int given)
{
    if (!keys->state) {
        *keys = (struct keys){.state = given == ESC ? ESCAPED : PLAIN, .length = 1};
        return given == ESC ? KEY_NONE : given;
    }
    if (keys->state == ESCAPED) {
        keys->length++;
        return take_escaped(keys, given);
    }
    /* No sequence has a key or a control character. */
    if (given < ' ' || given > '~') {
        *keys = (struct keys){.held = given};
        return KEY_OTHER;
    }
    if (keys->length++ == KEYS_SEQUENCE_MAX || keys->state == ONE_MORE)
        return ended(keys, KEY_OTHER);
    if (keys->state == SHORT)
        return ended(keys, of_letter(given));
    return take_numbered(keys, given);
}

int keys_expire(struct keys *keys)
{
    return ended(keys, keys->state == ESCAPED ? KEY_ESCAPE : KEY_NONE);
}
