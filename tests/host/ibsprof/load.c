/* SPDX-License-Identifier: BSD-2-Clause */
/* A program to be sampled: forks three children that touch fresh memory and compute, then computes itself, in functions
 * that call each other. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sum;

__attribute__((noinline)) static void add(int count)
{
    for (int i = 0; i < count; i++)
        sum += i * 0.5;
}

__attribute__((noinline)) static void touch(size_t size)
{
    char *memory = malloc(size);

    memset(memory, 1, size);
    add(1000000);
    free(memory);
}

int main(void)
{
    for (int child = 0; child < 3; child++)
        if (fork() == 0) {
            for (int i = 0; i < 8; i++)
                touch((size_t)2 << 20);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    add(20000000);
    return 0;
}
