/* Opens an input and sums it up, for commands: their options on where symbols are, and what is said on standard error.
 */
#ifndef TOOLS_IBSPROF_LOAD_H
#define TOOLS_IBSPROF_LOAD_H

#include <getopt.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/profile.h"

enum { LOAD_DEBUG_DIRS = 16 };

struct load_options {
    const char *debug_dirs[LOAD_DEBUG_DIRS + 1];
    unsigned debug_dir_count;
    struct profile_options profile;
    struct core_choice only; /* profile.only points here when it was asked for */
};

/* For a command's table of long options, and its help. */
enum { OPTION_DEBUG_DIR = 0x1000, OPTION_SYMFS, OPTION_COMM, OPTION_CORE, OPTION_NODE };
/* clang-format off */
#define LOAD_LONG_OPTIONS                                                                                              \
    {"debug-dir", required_argument, NULL, OPTION_DEBUG_DIR}, {"symfs", required_argument, NULL, OPTION_SYMFS},        \
    {"comm", required_argument, NULL, OPTION_COMM}, {"core", required_argument, NULL, OPTION_CORE},                    \
    {"node", required_argument, NULL, OPTION_NODE}
#define LOAD_HELP                                                                                                      \
    "  --debug-dir=DIR    look for ELF files by build-id in DIR, as files or as perf keeps them\n"                              \
    "  --symfs=DIR        look for ELF files by name below DIR\n"                                                      \
    "  --comm=NAME        only this process is the workload (Linux; default: all of user mode)\n"                     \
    "  --core=LIST        only samples of these cores: 0,2-3\n"                                                       \
    "  --node=LIST        only samples of cores of these nodes; a file that does not say has one node, 0\n"
/* clang-format on */

/* There is such a folder; false after a complaint of the option. */
bool load_folder(const char *option, const char *path);

/* True when the option was one of these; false, after a complaint, when its value is wrong. */
bool load_option(struct load_options *options, int option, const char *argument);

struct loaded {
    struct input *input;
    struct run_profile *profile;
    bool partial; /* the input broke off: what came before is there */
};

/* False, after a complaint, when nothing can be read. Of ELF files that are missing it tells once. */
bool load_run(struct loaded *loaded, const char *path, const struct load_options *options);
void load_free(struct loaded *loaded);

/* True, after a complaint: nothing is known of cores. */
bool load_no_cores(const struct run_profile *profile);

/* Exit status of a command that read this and wrote all. */
enum exit_code load_status(const struct loaded *loaded);

/* "d3b07384...", for people; text[41]. */
const char *build_id_text(const uint8_t *id, size_t size, char *text);

#endif
