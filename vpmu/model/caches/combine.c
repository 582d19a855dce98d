/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/combine.h"

#include "vpmu/model/caches/coherence.h"

void combine_init(struct combine *combine)
{
    for (uint32_t i = 0; i < COMBINE_BUFFERS; i++)
        combine->buffer[i] = (struct combine_buffer){.line = LINE_NONE};
}

static void send(struct caches *caches, struct combine_buffer *buffer, uint64_t cycle)
{
    uint64_t served = coherence_use_memory(caches, buffer->line, true, cycle);

    buffer->free = caches->free & (FREE_DRAM | FREE_STORES) ? cycle : served;
    buffer->line = LINE_NONE;
}

/* Finds the buffer open for the line, or else the best to open: the closed one that is free first, or the one that was
 * opened first. */
static struct combine_buffer *find(struct combine *combine, uint64_t line)
{
    struct combine_buffer *best = &combine->buffer[0];

    for (uint32_t i = 0; i < COMBINE_BUFFERS; i++) {
        struct combine_buffer *buffer = &combine->buffer[i];
        bool closed = buffer->line == LINE_NONE, best_closed = best->line == LINE_NONE;

        if (buffer->line == line)
            return buffer;
        if (closed != best_closed ? closed : closed ? buffer->free < best->free : buffer->opened < best->opened)
            best = buffer;
    }
    return best;
}

uint64_t combine_store(struct caches *caches, uint64_t physical, uint32_t size, uint64_t cycle)
{
    uint64_t line = physical >> LINE_SHIFT, bytes = size < 64 ? (1ull << size) - 1 : UINT64_MAX;
    struct combine_buffer *buffer = find(&caches->combine, line);

    if (buffer->line != line) {
        if (buffer->line != LINE_NONE)
            send(caches, buffer, cycle);
        cycle = later(cycle, buffer->free);
        *buffer = (struct combine_buffer){.line = line, .opened = cycle};
    }
    buffer->bytes |= bytes << (physical & ((1u << LINE_SHIFT) - 1));
    if (buffer->bytes == UINT64_MAX)
        send(caches, buffer, cycle);
    return cycle;
}

void combine_flush(struct caches *caches, uint64_t cycle)
{
    for (uint32_t i = 0; i < COMBINE_BUFFERS; i++)
        if (caches->combine.buffer[i].line != LINE_NONE)
            send(caches, &caches->combine.buffer[i], cycle);
}
