#include "app/facts.h"

void save_fact(struct out *out, const char *key, uint64_t value)
{
    out_printf(out, "#: %s = %llu\n", key, (unsigned long long)value);
}
