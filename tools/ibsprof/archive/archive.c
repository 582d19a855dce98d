/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/archive/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/schema.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/terminal.h"

const char *const store_word_names[STORE_WORDS] = {"{id}",    "{blob}", "{cluster}", "{cover}",
                                                   "{begin}", "{lock}", "{settle}",  "{tables}"};

enum { VALUES_MAX = 32 };

struct archive_id {
    enum archive_dictionary dictionary;
    char *key; /* values that identify it, with a 1 after each */
    int64_t id;
};

static const struct store_kind *const kinds[] = {&store_postgres, &store_sqlite};

static const struct store_kind *kind_of(const char *place)
{
    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (const char *const *scheme = kinds[i]->schemes; *scheme; scheme++)
            if (strncmp(place, *scheme, strlen(*scheme)) == 0)
                return kinds[i];
    return &store_sqlite;
}

struct store_value archive_text(const char *text)
{
    if (!text)
        return (struct store_value){.type = STORE_NULL};
    return (struct store_value){.type = STORE_TEXT, .bytes = text, .size = strlen(text)};
}

void archive_take_number(void *context, const struct store_value *values)
{
    *(int64_t *)context = values[0].number;
}

/* ---------------------------------------------------------------- statements */

/* Returns the statement with the database's words; to be freed. */
static char *in_words_of(const struct store_kind *kind, const char *sql)
{
    char *text = must_copy(sql);

    for (unsigned i = 0; i < STORE_WORDS; i++)
        for (char *at; (at = strstr(text, store_word_names[i])) != NULL;) {
            char *longer =
                must_text("%.*s%s%s", (int)(at - text), text, kind->words[i], at + strlen(store_word_names[i]));

            free(text);
            text = longer;
        }
    return text;
}

/* Returns a copy in which '?' replaces each byte that is no text; NULL: the text is clean already. */
static char *cleaned(const struct store_value *value)
{
    const unsigned char *text = value->bytes;
    bool clean = true;
    char *copy;

    for (size_t i = 0; i < value->size && clean; i++)
        clean = text[i] >= ' ' && text[i] < 0x7F;
    if (clean)
        return NULL;
    copy = must_text("%.*s", (int)value->size, (const char *)value->bytes);
    for (char *at = copy; *at;) {
        unsigned length = json_utf8_length((const unsigned char *)at);

        if (length == 0 || (length == 1 && ((unsigned char)*at < ' ' || *at == 0x7F)))
            *at++ = '?';
        else
            at += length;
    }
    return copy;
}

static bool failed(const struct archive *archive)
{
    complain("%s: %s", archive->place, archive->kind->problem(archive->db));
    return false;
}

bool archive_run(struct archive *archive, const char *sql, const struct store_value *values, unsigned count,
                 store_row_fn *row, void *context)
{
    char *worded = strchr(sql, '{') ? in_words_of(archive->kind, sql) : NULL, *copies[VALUES_MAX] = {NULL};
    struct store_value clean[VALUES_MAX] = {{.type = STORE_NULL}};
    bool good;

    for (unsigned i = 0; i < count; i++) {
        clean[i] = values[i];
        if (values[i].type == STORE_TEXT && (copies[i] = cleaned(&values[i])) != NULL)
            clean[i] = archive_text(copies[i]);
    }
    good = archive->kind->run(archive->db, worded ? worded : sql, clean, count, row, context) || failed(archive);
    for (unsigned i = 0; i < count; i++)
        free(copies[i]);
    free(worded);
    return good;
}

bool archive_begin(struct archive *archive)
{
    return archive_run(archive, "{begin}", NULL, 0, NULL, NULL);
}

void archive_queue(struct archive *archive)
{
    if (archive->kind->begin_queue)
        archive->kind->begin_queue(archive->db);
}

bool archive_end(struct archive *archive, bool good)
{
    if (archive->kind->end_queue && !archive->kind->end_queue(archive->db) && good)
        good = failed(archive);
    return archive_run(archive, good ? "COMMIT" : "ROLLBACK", NULL, 0, NULL, NULL) && good;
}

bool archive_settle(struct archive *archive)
{
    return archive_run(archive, "{settle}", NULL, 0, NULL, NULL) &&
           archive_run(archive, "UPDATE archive SET version = version", NULL, 0, NULL, NULL);
}

/* ---------------------------------------------------------------- versions */

static bool version_of(struct archive *archive, int64_t *ret_version)
{
    const struct store_value name = archive_text("archive");
    int64_t tables = 0;

    *ret_version = 0;
    return archive_run(archive, "{tables}", &name, 1, archive_take_number, &tables) &&
           (tables == 0 ||
            archive_run(archive, "SELECT version FROM archive", NULL, 0, archive_take_number, ret_version));
}

static bool take_steps(struct archive *archive, int64_t from, int64_t to)
{
    const struct store_value value = store_number(to);
    bool good = from > 0 || archive_run(archive, "CREATE TABLE archive (version BIGINT NOT NULL)", NULL, 0, NULL, NULL);

    for (int64_t version = from; version < to && good; version++)
        for (const char *const *step = archive_steps[version]; *step && good; step++)
            good = archive_run(archive, *step, NULL, 0, NULL, NULL);
    return good &&
           archive_run(archive, from > 0 ? "UPDATE archive SET version = $1" : "INSERT INTO archive VALUES ($1)",
                       &value, 1, NULL, NULL);
}

/* Updates the tables to this version. */
static bool migrate(struct archive *archive)
{
    int64_t now;
    bool good;

    if (!version_of(archive, &now) || now >= ARCHIVE_VERSION)
        return now >= ARCHIVE_VERSION;
    /* Another writer may have done so while this one waited. */
    if (!archive_begin(archive))
        return false;
    good = archive_run(archive, "{lock}", NULL, 0, NULL, NULL) && version_of(archive, &now) &&
           (now >= ARCHIVE_VERSION || take_steps(archive, now, ARCHIVE_VERSION));
    return archive_end(archive, good);
}

bool archive_open(struct archive *archive, const char *place, bool create)
{
    char error[300] = "";
    int64_t version = 0;
    bool good;

    *archive = (struct archive){.place = place, .kind = kind_of(place)};
    archive->db = archive->kind->open(place, create, error, sizeof(error));
    if (!archive->db) {
        complain("%s: %s", place, error);
        return false;
    }
    good = version_of(archive, &version);
    if (good && version == 0 && !create) {
        complain("%s: it contains no archive: 'ibsprof archive add' makes one", place);
        good = false;
    } else if (version > ARCHIVE_VERSION) {
        complain("%s: its tables have version %lld, but this ibsprof knows version %u: take a newer ibsprof", place,
                 (long long)version, ARCHIVE_VERSION);
        good = false;
    }
    if (good && migrate(archive))
        return true;
    archive_close(archive);
    return false;
}

void archive_close(struct archive *archive)
{
    for (uint32_t i = 0; i < archive->known_count; i++)
        free(archive->known[i].key);
    free(archive->known);
    table_free(&archive->ids);
    archive->kind->close(archive->db);
}

/* ---------------------------------------------------------------- dictionaries */

/* Returns the values that identify a row as one text, and its hash; to be freed. */
static char *key_of(const struct store_value *values, unsigned keys, uint64_t *ret_hash)
{
    char *key = must_copy("");
    uint64_t hash = 0;

    for (unsigned i = 0; i < keys; i++) {
        char *longer = values[i].type == STORE_TEXT
                           ? must_text("%s%.*s\1", key, (int)values[i].size, (const char *)values[i].bytes)
                           : must_text("%s%lld\1", key, (long long)values[i].number);

        free(key);
        key = longer;
    }
    for (const char *at = key; *at; at++)
        hash = table_hash(hash + (unsigned char)*at) + hash * 31;
    *ret_hash = hash;
    return key;
}

static bool is_known(const void *context, uint32_t number, const void *key)
{
    const struct archive *archive = context;
    const struct archive_id *known = &archive->known[number - 1], *wanted = key;

    return known->dictionary == wanted->dictionary && strcmp(known->key, wanted->key) == 0;
}

bool archive_id(struct archive *archive, enum archive_dictionary dictionary, const struct store_value *values,
                int64_t *ret_id)
{
    const struct archive_dictionary_row *row = &archive_dictionaries[dictionary];
    struct archive_id one = {.dictionary = dictionary};
    uint64_t hash;
    uint32_t *number;

    one.key = key_of(values, row->keys, &hash);
    number = table_find(&archive->ids, hash + dictionary, is_known, archive, &one);
    if (*number) {
        *ret_id = archive->known[*number - 1].id;
        free(one.key);
        return true;
    }
    *must_add(archive->known, archive->known_count) = one;
    *number = archive->known_count;
    one.id = 0;
    if (!archive_run(archive, row->find, values, row->keys, archive_take_number, &one.id) ||
        (!one.id && (!archive_run(archive, row->add, values, row->columns, NULL, NULL) ||
                     !archive_run(archive, row->find, values, row->keys, archive_take_number, &one.id))))
        return false;
    archive->known[archive->known_count - 1].id = *ret_id = one.id;
    return true;
}
