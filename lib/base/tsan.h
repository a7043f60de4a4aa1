/* tsan.h - what the library hands from one thread to another, told to the ThreadSanitizer of a program's own build, which sees none of
 * the library's atomic operations.
 *
 * If the library is instrumented itself, these functions do nothing: its memory orders are to be checked. */
#ifndef LIB_BASE_TSAN_H
#define LIB_BASE_TSAN_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DLS__TSAN_SEES
#endif
#endif

#if defined(__SANITIZE_THREAD__) || defined(DLS__TSAN_SEES)
static inline void dls__tsan_release(void *at) { (void)at; }
static inline void dls__tsan_acquire(void *at) { (void)at; }
enum { DLS__LOOKS = 64 };	/* each is a call here */
#else
enum { DLS__LOOKS = 4096 };	/* of a thread that waits, until it gives its processor away */
extern void __tsan_acquire(void *at) __attribute__((weak));
extern void __tsan_release(void *at) __attribute__((weak));

/* What this thread has written is seen by those that acquire the same address later. */
static inline void dls__tsan_release(void *at)
{
	if (__builtin_expect(__tsan_release != 0, 0))
		__tsan_release(at);
}

static inline void dls__tsan_acquire(void *at)
{
	if (__builtin_expect(__tsan_acquire != 0, 0))
		__tsan_acquire(at);
}
#endif

#endif
