/*
 * Functions that are part of every step. The compiler would call some of them, because they are large or used in
 * several places; inline they get rid of what the place does not need.
 */
#ifndef VPMU_INLINE_H
#define VPMU_INLINE_H

#define INLINED static inline __attribute__((always_inline))

/* What is nearly always so; the other way is moved out of the way. */
#define USUALLY(condition) __builtin_expect(!!(condition), 1)
#define RARELY(condition)  __builtin_expect(!!(condition), 0)

#endif
