#include "tools/ibsprof/profile/load.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool add_list(struct load_options *options, struct core_list *list, const char *option, const char *text)
{
    options->profile.only = &options->only;
    if (core_list_read(list, text))
        return true;
    complain("%s is a list of numbers below %d, as 0,2-3, not '%s'", option, CORES_MAX, text);
    return false;
}

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

/* What was asked for, as "core 0,2" or "node 1". */
static bool some_chosen(const struct run_profile *profile, const struct core_choice *only)
{
    if (only == NULL || profile->core_count > 0)
        return true;
    if (load_no_cores(profile))
        return false;
    complain("%s: no samples of %s%s%s%s%s", profile->facts->path, only->core_text ? "core " : "",
             only->core_text ? only->core_text : "", only->core_text && only->node_text ? " of " : "",
             only->node_text ? "node " : "", only->node_text ? only->node_text : "");
    return false;
}

bool load_folder(const char *option, const char *path)
{
    struct stat status;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    complain("%s: there is no folder '%s'", option, path);
    return false;
}

bool load_option(struct load_options *options, int option, const char *argument)
{
    switch (option) {
    case OPTION_DEBUG_DIR:
        if (!load_folder("--debug-dir", argument))
            return false;
        if (options->debug_dir_count < LOAD_DEBUG_DIRS)
            options->debug_dirs[options->debug_dir_count++] = argument;
        options->profile.search.debug_dirs = options->debug_dirs;
        return true;
    case OPTION_SYMFS:
        options->profile.search.symfs = argument;
        return true;
    case OPTION_COMM:
        options->profile.comm = argument;
        return true;
    case OPTION_CORE:
        options->only.core_text = argument;
        return add_list(options, &options->only.cores, "--core", argument);
    case OPTION_NODE:
        options->only.node_text = argument;
        return add_list(options, &options->only.nodes, "--node", argument);
    default:
        return false;
    }
}

const char *build_id_text(const uint8_t *id, size_t size, char *text)
{
    text[0] = '\0';
    for (size_t i = 0; i < size && i < 20; i++)
        sprintf(text + 2 * i, "%02x", id[i]);
    return text;
}

/* Files that samples fell into and that are not there. What never was a file is no surprise. */
static void tell_missing(const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->object_count; i++) {
        const struct object *object = profile->objects[i];
        const char *what;
        char id[41];

        if (object->path != NULL || object_name_is_special(object->name))
            continue;
        what = object->listed ? "names and instructions are those of the run's own CSV"
                              : "its samples are shown by address; --debug-dir=DIR looks for it in DIR";
        if (object->build_id_size > 0)
            complain("%s (build-id %s): %s; %s", object->name,
                     build_id_text(object->build_id, object->build_id_size, id), object->why_not, what);
        else
            complain("%s: %s; %s", object->name, object->why_not, what);
    }
}

bool load_run(struct loaded *loaded, const char *path, const struct load_options *options)
{
    struct profile_options profile = options->profile;
    char error[600];

    *loaded = (struct loaded){0};
    loaded->input = input_open(path, error, sizeof(error));
    if (loaded->input == NULL) {
        complain("%s", error);
        return false;
    }
    profile.progress = isatty(STDERR_FILENO);
    loaded->profile = run_profile_read(loaded->input, &profile, error, sizeof(error));
    loaded->partial = error[0] != '\0';
    if (loaded->partial)
        complain("%s", error);
    if (loaded->profile == NULL) {
        input_close(loaded->input);
        return false;
    }
    tell_missing(loaded->profile);
    if (!some_chosen(loaded->profile, profile.only)) {
        load_free(loaded);
        return false;
    }
    return true;
}

void load_free(struct loaded *loaded)
{
    run_profile_free(loaded->profile);
    input_close(loaded->input);
    objects_free();
}

enum exit_code load_status(const struct loaded *loaded)
{
    return loaded->partial ? EXIT_INPUT : EXIT_DONE;
}
