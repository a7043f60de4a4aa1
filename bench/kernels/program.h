/* program.h - what a program's file includes to have its loops in each way: as shipped, static and guided by the compiler, by
 * libdls, and serial.
 *
 * The file includes it after its data, with PROGRAM its own name, and is then included once for each way: the part of it that
 * stands after #ifdef WAY has its loops, in functions called AS(name).  A loop says its site, the schedule(...) it is shipped
 * with, further clauses, index and end:
 *
 *   PARALLEL_LOOP(site, (dynamic, 64), (reduction(+ : sum)), i, n) body
 *   REGION { LOOP_NOWAIT(site, (static), i, n) body  }
 */
#include "kernel.h"

#define BARE(...) __VA_ARGS__
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define PRAGMA_OF(...) PRAGMA(__VA_ARGS__)
#define SERIAL(i, n) for (int i = 0; i < (n); i++)
#define COMPILED(what, kind, clauses, i, n) PRAGMA_OF(omp what schedule kind BARE clauses) SERIAL(i, n)
#define TOGETHER(name, way) name##_##way
#define TOGETHER_OF(name, way) TOGETHER(name, way)
#define AS(name) TOGETHER_OF(name, WAY)
#define WAYS(step) { step##_serial, step##_by_static, NULL, step##_by_guided, step##_by_libdls, step##_shipped }

#define WAY serial
#define REGION
#define LOOP_NOWAIT(site, shipped, i, n) SERIAL(i, n)
#define PARALLEL_LOOP(site, shipped, clauses, i, n) SERIAL(i, n)
#include PROGRAM
#undef WAY
#undef REGION
#undef LOOP_NOWAIT
#undef PARALLEL_LOOP

#define REGION PRAGMA(omp parallel)
#define LOOP_NOWAIT(site, shipped, i, n) COMPILED(for nowait, KIND(shipped), (), i, n)
#define PARALLEL_LOOP(site, shipped, clauses, i, n) COMPILED(parallel for, KIND(shipped), clauses, i, n)

#define WAY shipped
#define KIND(shipped) shipped
#include PROGRAM
#undef WAY
#undef KIND

#define WAY by_static
#define KIND(shipped) (static)
#include PROGRAM
#undef WAY
#undef KIND

#define WAY by_guided
#define KIND(shipped) (guided)
#include PROGRAM
#undef WAY
#undef KIND
#undef REGION
#undef LOOP_NOWAIT
#undef PARALLEL_LOOP

#define WAY by_libdls
#define REGION DLS_PARALLEL()
#define LOOP_NOWAIT(site, shipped, i, n) DLS_FOR(i, 0, n, .nowait = true, .name = site)
#define PARALLEL_LOOP(site, shipped, clauses, i, n) DLS_PARALLEL_FOR_WITH(clauses, i, 0, n, .name = site)
#include PROGRAM
#undef WAY
