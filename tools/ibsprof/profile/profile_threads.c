/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/profile_threads.h"

#include <sched.h>
#include <stdlib.h>

#include "tools/ibsprof/read/input_order.h"
#include "tools/ibsprof/base/must.h"

/* Stretches in progress: the counted one and the next ones. With fewer, threads wait while the caller counts. */
enum { JOBS_A_THREAD = 4, JOBS_MAX = JOBS_A_THREAD * THREADS_MAX, SAMPLES_AT_ONCE = 128 };
/* Accesses in a stretch, and one: an op sample has more than 64 bytes. */
enum { ACCESSES_MOST = (ORDER_STRETCH_MOST + ORDER_RECORD_MOST) / 64 };

struct job {
    struct input_stretch stretch;
    uint32_t *accesses; /* their records, less begin */
    uint32_t access_count;
    bool done;
};

struct worker {
    struct threads *threads;
    struct perfdata_reader reader;
    struct count count;
    pthread_t thread;
};

struct threads {
    struct input *input;
    threads_counted_fn *handed; /* called for counted stretches */
    void *context;
    struct worker *workers; /* [0] is the caller */
    unsigned worker_count;
    pthread_mutex_t lock; /* protects the following members */
    pthread_cond_t given, counted;
    struct job jobs[JOBS_MAX]; /* ring: job n is at n % job_count */
    unsigned job_count;
    uint64_t first, next, last; /* jobs: first not yet delivered; first not yet begun; end */
    bool end;
};

unsigned threads_usable(void)
{
    cpu_set_t cpus;
    int count = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;

    return count > THREADS_MAX ? THREADS_MAX : (unsigned)count;
}

static void count_job(struct worker *worker, struct job *job)
{
    struct perfdata_plain samples[SAMPLES_AT_ONCE];
    bool is_access[SAMPLES_AT_ONCE];
    const struct input_stretch *stretch = &job->stretch;
    uint64_t at = stretch->begin;
    uint32_t read, accesses = 0;

    count_maps_changed(&worker->count);
    input_read_stretch(stretch, &worker->reader);
    while ((read = perfdata_read_plain(&worker->reader, at, stretch->end, UINT64_MAX, samples, SAMPLES_AT_ONCE)) > 0) {
        count_samples(&worker->count, samples, read, is_access);
        for (uint32_t i = 0; i < read; i++) {
            job->accesses[accesses] = (uint32_t)(at - stretch->begin);
            accesses += is_access[i];
            at += samples[i].size;
        }
    }
    job->access_count = accesses;
}

/* Counts the next stretch that no thread has begun; needs the lock. Returns false if there is none. */
static bool work(struct worker *worker)
{
    struct threads *threads = worker->threads;
    struct job *job = &threads->jobs[threads->next % threads->job_count];

    if (threads->next == threads->last)
        return false;
    threads->next++;
    pthread_mutex_unlock(&threads->lock);
    count_job(worker, job);
    pthread_mutex_lock(&threads->lock);
    job->done = true;
    pthread_cond_signal(&threads->counted);
    return true;
}

static void *run(void *argument)
{
    struct worker *worker = argument;
    struct threads *threads = worker->threads;

    pthread_mutex_lock(&threads->lock);
    while (!threads->end)
        if (!work(worker))
            pthread_cond_wait(&threads->given, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

/* Delivers the first stretch's accesses, and helps until it is counted; needs the lock, and at least one stretch. */
static void finish_first(struct threads *threads)
{
    struct job *job = &threads->jobs[threads->first % threads->job_count];

    while (!job->done)
        if (!work(&threads->workers[0]))
            pthread_cond_wait(&threads->counted, &threads->lock);
    pthread_mutex_unlock(&threads->lock);
    threads->handed(threads->context, &job->stretch, job->accesses, job->access_count);
    input_let_stretch(threads->input, &job->stretch);
    pthread_mutex_lock(&threads->lock);
    threads->first++;
    input_hold(threads->input, threads->first < threads->last
                                   ? threads->jobs[threads->first % threads->job_count].stretch.begin
                                   : UINT64_MAX);
}

void threads_give(struct threads *threads, const struct input_stretch *stretch)
{
    struct job *job;

    pthread_mutex_lock(&threads->lock);
    while (threads->first < threads->last && (threads->last - threads->first == threads->job_count ||
                                              threads->jobs[threads->first % threads->job_count].done))
        finish_first(threads);
    job = &threads->jobs[threads->last % threads->job_count];
    job->stretch = *stretch;
    job->done = false;
    if (threads->first == threads->last++)
        input_hold(threads->input, stretch->begin);
    pthread_cond_signal(&threads->given);
    pthread_mutex_unlock(&threads->lock);
}

void threads_wait(struct threads *threads)
{
    pthread_mutex_lock(&threads->lock);
    while (threads->first < threads->last)
        finish_first(threads);
    pthread_mutex_unlock(&threads->lock);
}

struct threads *threads_start(unsigned count, struct input *input, const struct count_place *place,
                              threads_counted_fn *counted, void *context)
{
    struct threads *threads = must_new(threads);

    if (count > THREADS_MAX)
        count = THREADS_MAX;

    input_want_stretches(input, JOBS_A_THREAD * count);
    *threads = (struct threads){.input = input, .handed = counted, .context = context};
    threads->workers = must_alloc(count, sizeof(*threads->workers));
    pthread_mutex_init(&threads->lock, NULL);
    pthread_cond_init(&threads->given, NULL);
    pthread_cond_init(&threads->counted, NULL);
    /* Everything must be set before the first thread starts. */
    threads->job_count = JOBS_A_THREAD * count;
    for (unsigned i = 0; i < threads->job_count; i++)
        threads->jobs[i].accesses = must_alloc(ACCESSES_MOST, sizeof(*threads->jobs[i].accesses));
    while (threads->worker_count < count) {
        struct worker *worker = &threads->workers[threads->worker_count];

        *worker = (struct worker){.threads = threads, .reader = *input_reader(input)};
        count_init(&worker->count, place);
        if (threads->worker_count > 0 && pthread_create(&worker->thread, NULL, run, worker) != 0) {
            count_free(&worker->count);
            break;
        }
        threads->worker_count++;
    }
    return threads;
}

void threads_end(struct threads *threads, struct count *count)
{
    threads_wait(threads);
    pthread_mutex_lock(&threads->lock);
    threads->end = true;
    pthread_cond_broadcast(&threads->given);
    pthread_mutex_unlock(&threads->lock);
    input_want_stretches(threads->input, 0);
    for (unsigned i = 0; i < threads->worker_count; i++) {
        if (i > 0)
            pthread_join(threads->workers[i].thread, NULL);
        count_merge(count, &threads->workers[i].count);
        count_free(&threads->workers[i].count);
    }
    for (unsigned i = 0; i < threads->job_count; i++)
        free(threads->jobs[i].accesses);
    pthread_cond_destroy(&threads->given);
    pthread_cond_destroy(&threads->counted);
    pthread_mutex_destroy(&threads->lock);
    free(threads->workers);
    free(threads);
}
