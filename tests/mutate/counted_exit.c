/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes gcov's counts of a process that ends by _exit(), as it does of others: linked with --wrap=_exit. */
void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
