/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/load.h"

#include <stddef.h>
#include <stdio.h>

#include "tools/ibsprof/profile/event_names.h"

static const char *add_debug_dir(void *place, char *argument)
{
    struct load_options *options = place;

    if (options->debug_dir_count < LOAD_DEBUG_DIRS)
        options->debug_dirs[options->debug_dir_count++] = argument;
    options->profile.search.debug_dirs = options->debug_dirs;
    return NULL;
}

static const char *read_list(struct load_options *options, struct core_list *list, const char *text)
{
    _Static_assert(CORES_MAX == 1024, "the message says so");
    options->profile.only = &options->only;
    return core_list_read(list, text) ? NULL : "is a list of numbers below 1024, such as 0,2-3";
}

static const char *choose_cores(void *place, char *argument)
{
    struct load_options *options = place;

    options->only.core_text = argument;
    return read_list(options, &options->only.cores, argument);
}

static const char *choose_nodes(void *place, char *argument)
{
    struct load_options *options = place;

    options->only.node_text = argument;
    return read_list(options, &options->only.nodes, argument);
}

const struct option_row load_option_rows[] = {
    {"debug-dir", 0, "DIR", OPTION_FOLDER, 0, .call = add_debug_dir,
     .help = "look for ELF files by build-id in DIR, as files or in perf's layout"},
    {"symfs", 0, "DIR", OPTION_TEXT, offsetof(struct load_options, profile.search.symfs),
     .help = "look for ELF files by name below DIR"},
    {"comm", 0, "NAME", OPTION_TEXT, offsetof(struct load_options, profile.comm),
     .help = "only this process is the workload (Linux; default: all of user mode)"},
    {"core", 0, "LIST", OPTION_CALL, 0, .call = choose_cores, .help = "only samples of these cores: 0,2-3"},
    {"node", 0, "LIST", OPTION_CALL, 0, .call = choose_nodes,
     .help = "only samples of cores of these nodes; a file without nodes has only node 0"},
    {0},
};

bool load_no_cores(const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;
    bool none = profile->core_count == 0;

    for (uint32_t i = 0; i < facts->event_count && none; i++)
        none = facts->events[i].no_cpu;
    if (none)
        complain("%s: the file does not say which core took a sample; 'perf record --sample-cpu' does", facts->path);
    return none;
}

/* Writes the selection as "core 0,2" or "node 1". */
static bool some_chosen(const struct run_profile *profile, const struct core_choice *only)
{
    if (!only || profile->core_count > 0)
        return true;
    if (load_no_cores(profile))
        return false;
    complain("%s: no samples of %s%s%s%s%s", profile->facts->path, only->core_text ? "core " : "",
             only->core_text ? only->core_text : "", only->core_text && only->node_text ? " of " : "",
             only->node_text ? "node " : "", only->node_text ? only->node_text : "");
    return false;
}

/* Writes "d3b07384...", for people; text[41]. */
static const char *build_id_text(const uint8_t *id, size_t size, char *text)
{
    text[0] = '\0';
    for (size_t i = 0; i < size && i < 20; i++)
        sprintf(text + 2 * i, "%02x", id[i]);
    return text;
}

/* Reports missing files that have samples, except for names that never were files. */
static void tell_missing(const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->object_count; i++) {
        const struct object *object = profile->objects[i];
        const char *what;
        char id[41];

        if (object->path || object_name_is_special(object->name))
            continue;
        what = object->listed ? "names and instructions come from the run's own CSV"
                              : "its samples are shown by address; --debug-dir=DIR looks for the file in DIR";
        if (object->build_id_size > 0)
            complain("%s (build-id %s): %s; %s", object->name,
                     build_id_text(object->build_id, object->build_id_size, id), object->why_not, what);
        else
            complain("%s: %s; %s", object->name, object->why_not, what);
    }
}

bool load_run(struct loaded *loaded, const char *path, const struct load_options *options)
{
    char error[600];

    *loaded = (struct loaded){0};
    loaded->input = input_open(path, error, sizeof(error));
    if (!loaded->input) {
        complain("%s", error);
        return false;
    }
    loaded->profile = run_profile_read(loaded->input, &options->profile, error, sizeof(error));
    loaded->partial = error[0] != '\0';
    if (loaded->partial)
        complain("%s", error);
    if (!loaded->profile) {
        input_close(loaded->input);
        return false;
    }
    tell_missing(loaded->profile);
    if (!some_chosen(loaded->profile, options->profile.only)) {
        load_free(loaded);
        return false;
    }
    return true;
}

void load_free(struct loaded *loaded)
{
    run_profile_free(loaded->profile);
    input_close(loaded->input);
}

bool load_measure(const struct run_profile *profile, const char *event, struct measure *ret_measure)
{
    uint32_t found[EVENT_NAMES_MAX];
    unsigned count;

    *ret_measure = measure_default(profile);
    if (!event)
        return true;
    count = event_names_find(profile->facts, event, found);
    if (count == 1 && found[0] < profile->facts->event_count && profile->facts->events[found[0]].not_measured) {
        complain("%s: '%s' was not measured: it never had a turn; a longer run has more turns", profile->facts->path,
                 event);
        return false;
    }
    if (count == 1) {
        *ret_measure = measure_at(profile, found[0]);
        return true;
    }
    if (count == 0) {
        complain("no event '%s' in %s, which has:", event, profile->facts->path);
        event_names_list_all(profile->facts);
    } else {
        complain("'%s' means several events of %s:", event, profile->facts->path);
        event_names_list(profile->facts, found, count);
    }
    return false;
}

enum exit_code load_status(const struct loaded *loaded)
{
    return loaded->partial ? EXIT_INPUT : EXIT_DONE;
}
