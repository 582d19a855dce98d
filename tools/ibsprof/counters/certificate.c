#include "tools/ibsprof/counters/certificate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

typedef unsigned long long ull;

const char *const certificate_causes[CERTIFICATE_CAUSES] = {"unknown", "SMI", "NMI", "interrupt", "P-state change"};

const char *certificate_verdict_name(enum certificate_verdict verdict)
{
    static const char *const names[] = {"", "PASS", "NOTE", "FAIL"};

    return names[verdict];
}

struct reading {
    const struct input_facts *facts;
    struct certificate *to;
    uint32_t core; /* CERTIFICATE_RUN: the run has one core, its keys have no number */
};

static const char *find(const struct input_facts *facts, const char *key)
{
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (facts->settings[i].fact && strcmp(facts->settings[i].key, key) == 0)
            return facts->settings[i].value;
    return NULL;
}

static const char *fact_of(const struct reading *reading, const char *prefix, const char *name)
{
    char key[96];

    if (reading->core == CERTIFICATE_RUN)
        snprintf(key, sizeof(key), "%s%s", prefix, name);
    else
        snprintf(key, sizeof(key), "%score.%u.%s", prefix, reading->core, name);
    return find(reading->facts, key);
}

static const char *value_of(const struct reading *reading, const char *name)
{
    return fact_of(reading, "certificate.", name);
}

static bool available(const char *value)
{
    return value != NULL && strncmp(value, "not available", 13) != 0;
}

static uint64_t number(const char *value)
{
    return value ? strtoull(value, NULL, 0) : 0;
}

static void add(struct reading *reading, enum certificate_verdict verdict, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add(struct reading *reading, enum certificate_verdict verdict, const char *what, const char *format, ...)
{
    struct certificate *to = reading->to;
    struct certificate_row *row;
    va_list list;

    to->rows = must_grow(to->rows, to->row_count + 1, sizeof(*to->rows));
    row = &to->rows[to->row_count++];
    *row = (struct certificate_row){.core = reading->core, .verdict = verdict, .what = what};
    va_start(list, format);
    vsnprintf(row->value, sizeof(row->value), format, list);
    va_end(list);
}

/* What should not be there at all. */
static void add_none(struct reading *reading, const char *key, const char *what)
{
    const char *value = value_of(reading, key);

    if (value == NULL)
        return;
    if (!available(value))
        add(reading, CERTIFICATE_NONE, what, "%s", value);
    else
        add(reading, number(value) ? CERTIFICATE_NOTE : CERTIFICATE_PASS, what, "%llu", (ull)number(value));
}

/* "2, 2": at the start and at the end. */
static void add_same(struct reading *reading, const char *key, const char *what)
{
    const char *value = value_of(reading, key), *comma = value ? strchr(value, ',') : NULL;

    if (value == NULL)
        return;
    if (!available(value) || comma == NULL)
        add(reading, CERTIFICATE_NONE, what, "%s", value);
    else
        add(reading, number(value) == number(comma + 1) ? CERTIFICATE_PASS : CERTIFICATE_NOTE, what,
            "%llu at the start, %llu at the end", (ull)number(value), (ull)number(comma + 1));
}

static void add_clock(struct reading *reading)
{
    const char *aperf = value_of(reading, "aperf"), *mperf = value_of(reading, "mperf");

    if (aperf == NULL || mperf == NULL)
        return;
    if (!available(aperf) || !available(mperf) || number(mperf) == 0)
        add(reading, CERTIFICATE_NONE, "clock (APERF/MPERF)", "%s", aperf);
    else
        add(reading, CERTIFICATE_NONE, "clock (APERF/MPERF)", "%.4f of the nominal one",
            (double)number(aperf) / (double)number(mperf));
}

/* A single kind of samples, without the alarm of a time limit, brings something with every NMI. */
static bool empty_means_something(const struct input_facts *facts)
{
    unsigned kinds = 0;

    for (uint32_t i = 0; i < facts->event_count; i++)
        kinds += facts->events[i].kind == SAMPLE_OP || facts->events[i].kind == SAMPLE_FETCH ? 1 : 2;
    for (uint32_t i = 0; i < facts->setting_count; i++)
        if (!facts->settings[i].fact && strcmp(facts->settings[i].key, "limit_ms") == 0 &&
            number(facts->settings[i].value))
            return false;
    return kinds == 1;
}

static void add_interrupts(struct reading *reading)
{
    const char *taken = value_of(reading, "interrupts"), *nmis = value_of(reading, "nmis");
    const char *empty = fact_of(reading, "", "nmi.empty"), *late = fact_of(reading, "", "nmi.late");
    uint64_t foreign = number(find(reading->facts, "nmi.foreign"));

    add_none(reading, "strays", "stray interrupts");
    if (taken != NULL && available(taken))
        add(reading, number(taken) > number(nmis) ? CERTIFICATE_NOTE : CERTIFICATE_PASS, "interrupts",
            "%llu taken, %llu NMIs handled", (ull)number(taken), (ull)number(nmis));
    else if (taken != NULL)
        add(reading, CERTIFICATE_NONE, "interrupts", "%s", taken);
    if (empty != NULL)
        add(reading,
            foreign || (number(empty) && empty_means_something(reading->facts)) ? CERTIFICATE_NOTE : CERTIFICATE_NONE,
            "NMIs that brought nothing", "%llu, and %llu late; of the chipset: %llu", (ull)number(empty),
            (ull)number(late), (ull)foreign);
}

/* "228 ns, TSC 815531574, before pass 0, NMI" */
static void take_gap(struct certificate_core *core, const char *text)
{
    struct certificate_gap *gap = &core->gap[core->gap_count];
    char where[8];

    if (sscanf(text, "%lu ns, TSC %lu, %7s pass %u, %23[^\n]", &gap->ns, &gap->tsc, where, &gap->pass, gap->cause) != 5)
        return;
    gap->behind = strcmp(where, "behind") == 0;
    core->gap_count++;
}

static void add_gaps(struct reading *reading)
{
    const char *gaps = value_of(reading, "gaps"), *value;
    struct certificate *to = reading->to;
    struct certificate_core core = {.core = reading->core == CERTIFICATE_RUN ? 0 : reading->core};
    char text[120] = "";

    if (gaps == NULL)
        return;
    core.looked = available(gaps);
    core.tsc_start = number(fact_of(reading, "", "tsc.start"));
    core.tsc_stop = number(fact_of(reading, "", "tsc.stop"));
    core.gaps = core.looked ? number(gaps) : 0;
    core.looked_us = number(value_of(reading, "looked_us"));
    core.reads = number(value_of(reading, "reads"));
    core.gap_ns = number(value_of(reading, "gap_ns"));
    for (unsigned i = 0; i < CERTIFICATE_CAUSES; i++) {
        char key[40];

        snprintf(key, sizeof(key), "gaps: %s", certificate_causes[i]);
        core.by_cause[i] = number(value_of(reading, key));
        if (core.by_cause[i])
            snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%llu %s", text[0] ? ", " : ": ",
                     (ull)core.by_cause[i], certificate_causes[i]);
    }
    for (unsigned i = 0; i < CERTIFICATE_GAPS_MAX; i++) {
        char key[16];

        snprintf(key, sizeof(key), "gap.%u", i);
        if ((value = value_of(reading, key)) != NULL)
            take_gap(&core, value);
    }
    /* The rule of three: none in T, so fewer than 3 / T (Hanley and Lippman-Hand, JAMA 249, 1983). */
    if (core.looked && core.gaps == 0 && core.looked_us)
        core.bound_milli = 3000000000ull / core.looked_us;
    if (!core.looked)
        add(reading, CERTIFICATE_NONE, "gaps around the measured part", "%s", gaps);
    else if (core.gaps)
        add(reading, CERTIFICATE_NOTE, "gaps around the measured part", "%llu%s; looked for in %llu us", (ull)core.gaps,
            text, (ull)core.looked_us);
    else
        add(reading, CERTIFICATE_PASS, "gaps around the measured part",
            "0 in %llu us: fewer than %llu a second (95 %%)", (ull)core.looked_us, (ull)(core.bound_milli / 1000));
    to->cores = must_grow(to->cores, to->core_count + 1, sizeof(*to->cores));
    to->cores[to->core_count++] = core;
}

static void read_core(struct reading *reading)
{
    const char *passes = value_of(reading, "passes");

    if (passes == NULL)
        return;
    if (number(passes) == 0) {
        add(reading, CERTIFICATE_NOTE, "passes that came to their end", "0: nothing is certified");
        return;
    }
    add_none(reading, "smis", "SMIs");
    add_interrupts(reading);
    add_clock(reading);
    add_same(reading, "pstate", "P-state");
    add_same(reading, "pstate_limit", "P-state limit");
    add_same(reading, "boost_off", "boost switched off");
    add_gaps(reading);
}

static void read_run(struct reading *reading)
{
    const char *elsewhere = find(reading->facts, "certificate.samples.elsewhere");
    const char *edges = find(reading->facts, "certificate.samples.edges");
    const char *surplus = find(reading->facts, "certificate.instructions_surplus");

    if (elsewhere != NULL)
        add(reading, number(elsewhere) ? CERTIFICATE_FAIL : CERTIFICATE_PASS,
            "samples on neither workload nor profiler", "%llu; on what starts and stops the measurement: %llu",
            (ull)number(elsewhere), (ull)number(edges));
    if (surplus != NULL && available(surplus))
        add(reading, strtoll(surplus, NULL, 10) ? CERTIFICATE_NOTE : CERTIFICATE_PASS,
            "retired instructions beyond the workload's", "%lld", strtoll(surplus, NULL, 10));
    else if (surplus != NULL)
        add(reading, CERTIFICATE_NONE, "retired instructions beyond the workload's", "%s", surplus);
}

struct certificate *certificate_read(const struct input_facts *facts)
{
    struct certificate *to = must_alloc(1, sizeof(*to));
    struct reading reading = {.facts = facts, .to = to, .core = CERTIFICATE_RUN};

    read_run(&reading);
    read_core(&reading);
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        int end = 0;

        if (facts->settings[i].fact &&
            sscanf(facts->settings[i].key, "certificate.core.%u.passes%n", &reading.core, &end) == 1 && end > 0 &&
            facts->settings[i].key[end] == '\0')
            read_core(&reading);
    }
    if (to->row_count > 0)
        return to;
    certificate_free(to);
    return NULL;
}

void certificate_free(struct certificate *certificate)
{
    if (certificate == NULL)
        return;
    free(certificate->rows);
    free(certificate->cores);
    free(certificate);
}

enum certificate_verdict certificate_worst(const struct certificate *certificate)
{
    enum certificate_verdict worst = CERTIFICATE_NONE;

    for (uint32_t i = 0; i < certificate->row_count; i++)
        if (certificate->rows[i].verdict > worst)
            worst = certificate->rows[i].verdict;
    return worst;
}
