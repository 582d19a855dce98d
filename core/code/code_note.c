/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/code/code_note.h"

#include "core/base/mem.h"
#include "core/code/elf_format.h"

static const char owner[8] = "ibsboot"; /* with its NUL */

enum { STEP_POWERS = 1, ARENA_UNSAID = 1 << 20 };

/* Returns whether the text is printable ASCII, with an end. others: if not NULL, it has at least one character, all of
 * a-z, 0-9 and these. */
static bool is_text(const char *text, size_t size, const char *others)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];

        if (!c)
            return !others || i > 0;
        if (c < ' ' || c > '~')
            return false;
        if (others && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != others[0] && c != others[1])
            return false;
    }
    return false;
}

static bool check_parameter(const struct code_parameter *p, struct out *problems)
{
    if (!is_text(p->name, sizeof(p->name), "_") || !is_text(p->help, sizeof(p->help), NULL))
        out_printf(problems, "the note: the name of a parameter has other characters than a-z, 0-9 and '_', or is "
                             "too long\n");
    else if (!p->min || p->min > p->max || p->initial < p->min || p->initial > p->max)
        out_printf(problems, "the note: parameter %s: its range %u to %u is empty, begins with 0, or lacks %u\n",
                   p->name, p->min, p->max, p->initial);
    else if (p->step == STEP_POWERS ? p->initial & (p->initial - 1) : p->step && p->initial % p->step)
        out_printf(problems, "the note: parameter %s: %u is not a multiple of its step (1: not a power of two)\n",
                   p->name, p->initial);
    else
        return true;
    return false;
}

static bool check(const struct code_note *note, struct out *problems)
{
    if (!is_text(note->name, sizeof(note->name), "-_")) {
        out_printf(problems,
                   "the note: the name is empty or too long, or has other characters than a-z, 0-9, '-' and '_'\n");
        return false;
    }
    if (!is_text(note->title, sizeof(note->title), NULL) || !is_text(note->unit, sizeof(note->unit), NULL)) {
        out_printf(problems, "the note: its text has characters that are not ASCII, or is too long\n");
        return false;
    }
    for (unsigned i = 0; i < CODE_NOTE_PARAMETERS && note->parameter[i].name[0]; i++)
        if (!check_parameter(&note->parameter[i], problems))
            return false;
    return true;
}

static size_t padded(uint32_t size)
{
    return ((size_t)size + 3) & ~(size_t)3;
}

bool code_note_read(const uint8_t *section, size_t size, struct code_note *ret_note, struct out *problems)
{
    struct code_note note = {.arena = ARENA_UNSAID};
    struct elf_note head;

    for (size_t at = 0; size - at >= sizeof(head); at += padded(head.size)) {
        memcpy(&head, section + at, sizeof(head));
        at += sizeof(head);
        if (padded(head.name_size) > size - at || padded(head.size) > size - at - padded(head.name_size)) {
            out_printf(problems, "the note at %zx of its section is longer than the section\n", at - sizeof(head));
            return false;
        }
        at += padded(head.name_size);
        if (head.name_size != sizeof(owner) || memcmp(section + at - sizeof(owner), owner, sizeof(owner)) != 0)
            continue;
        if (head.type != CODE_NOTE_VERSION || head.size != sizeof(note)) {
            out_printf(problems,
                       "the note has version %u with %u bytes, but this program reads version %u with %zu: compile it "
                       "with the ibsboot.h of this version\n",
                       head.type, head.size, CODE_NOTE_VERSION, sizeof(note));
            return false;
        }
        memcpy(&note, section + at, sizeof(note));
        if (!check(&note, problems))
            return false;
        break;
    }
    *ret_note = note;
    return true;
}

uint64_t code_note_arena(const struct code_note *note, const uint32_t *values)
{
    uint64_t sum = note->arena, more;

    for (unsigned i = 0; i < CODE_NOTE_PARAMETERS && note->parameter[i].name[0]; i++) {
        more = (uint64_t)note->parameter[i].arena_each * values[i]; /* fits: both have 32 bits */
        if (sum + more < sum)
            return UINT64_MAX;
        sum += more;
    }
    return sum;
}

uint64_t code_note_work(const struct code_note *note, const uint32_t *values)
{
    uint64_t work = 1;

    for (unsigned i = 0; i < CODE_NOTE_PARAMETERS && note->parameter[i].name[0]; i++)
        if (note->parameter[i].multiplies)
            work *= values[i];
    return work;
}
