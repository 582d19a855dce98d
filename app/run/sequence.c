/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/sequence.h"

#include "app/run/kind.h"
#include "app/base/pool.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"

/* Calls one() for the configurations that the kind stands for, and restores other settings after each. */
static bool each_step(const struct sequence *sequence, sequence_step *step, struct out *problems)
{
    struct firmware *fw = sequence->fw;
    struct options *before = fw->allocate(fw, sizeof(*before), POOL_PAGE);
    bool good = before;

    if (!before) {
        sentence(problems, "config = %s: there is no memory for a copy of the settings", sequence->options->config);
        return false;
    }
    options_copy(before, sequence->options);
    for (unsigned n = 0; good && step(n, sequence->machine, sequence->options); n++) {
        good = sequence->one(sequence->context, problems);
        options_copy(sequence->options, before);
    }
    fw->release(fw, before, sizeof(*before));
    return good;
}

static bool one_name(const struct sequence *sequence, struct out *problems)
{
    const struct kind *kind = kind_find(sequence->options->config);

    return kind && kind->step ? each_step(sequence, kind->step, problems) : sequence->one(sequence->context, problems);
}

bool sequence_each(const struct sequence *sequence, struct out *problems)
{
    char all[OPTIONS_TEXT_MAX + 1];
    const char *at = all;
    bool good = true, named = false;

    memcpy(all, sequence->options->config, sizeof(all));
    while (good && options_next_config(&at, sequence->options->config)) {
        named = true;
        good = one_name(sequence, problems);
    }
    if (!named)
        good = sequence->one(sequence->context, problems); /* reports the unknown name */
    memcpy(sequence->options->config, all, sizeof(all));
    return good;
}

bool sequence_is_several(const char *config)
{
    char name[OPTIONS_TEXT_MAX + 1];
    const struct kind *kind;

    if (!options_next_config(&config, name))
        return false;
    kind = kind_find(name);
    return (kind && kind->step) || options_next_config(&config, name);
}
