#include "app/params.h"

#include "core/str.h"
#include "core/wrap.h"

/* Of the list. */
enum {
    LINE = 79,
    INDENT = 4,
    DEEPER = 8, /* of lines that go on */
};

static int find(const struct params *params, const char *name)
{
    for (unsigned i = 0; i < params->count; i++)
        if (str_equal(params->row[i].key, name))
            return (int)i;
    return -1;
}

static bool add(struct params *params, const struct workload_param *param)
{
    int known = find(params, param->name);

    if (known < 0) {
        if (params->count == PARAMS_MAX)
            return false;
        known = (int)params->count++;
        params->row[known] = (struct settings_row){.key = param->name,
                                                   .type = SETTINGS_UINT,
                                                   .initial = "0",
                                                   .help = param->help,
                                                   .value = &params->value[known]};
    }
    if (param->max > params->row[known].max)
        params->row[known].max = param->max;
    return true;
}

bool params_init(struct params *params, struct settings_row *row)
{
    bool good = true;

    *params = (struct params){.row = row};
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++)
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && (*w)->params[i].name; i++)
            good &= add(params, &(*w)->params[i]);
    return good;
}

bool params_of(const struct params *params, const struct workload *workload, uint32_t *values, struct out *problems)
{
    bool good = true;

    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && workload->params[i].name; i++) {
        const struct workload_param *param = &workload->params[i];
        int at = find(params, param->name);
        uint64_t value = at < 0 ? 0 : params->value[at];

        values[i] = value ? (uint32_t)value : param->fallback;
        if (values[i] < param->min || values[i] > param->max) {
            out_printf(problems, "%s = %u: workload %s takes %u to %u\n", param->name, values[i], workload->name,
                       param->min, param->max);
            good = false;
        }
    }
    return good;
}

const struct workload *params_find_workload(const char *name)
{
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++)
        if (str_equal((*w)->name, name))
            return *w;
    return NULL;
}

static void list_param(struct out *out, const struct workload_param *param)
{
    char text[256];
    struct out_memory memory;
    size_t used;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s=%u  ", param->name, param->fallback);
    out_printf(out, "%*s%s", INDENT, "", text);
    used = INDENT + memory.needed;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s (%u to %u)", param->help, param->min, param->max);
    wrap_text(out, text, (int)used, DEEPER, LINE);
}

void params_list(struct out *out)
{
    for (const struct workload *const *w = __start_workload_rows; w < __stop_workload_rows; w++) {
        out_printf(out, "%s: %s\n%*sshows ", (*w)->name, (*w)->title, INDENT, "");
        wrap_text(out, (*w)->shows, INDENT + 6, DEEPER, LINE);
        for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && (*w)->params[i].name; i++)
            list_param(out, &(*w)->params[i]);
    }
}
