/* hooks.c - what gcc -fsanitize=thread calls before each plain access and in place of each atomic operation. */
#include "explore.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

static uint64_t do_set(uint64_t old, uint64_t v) { (void)old; return v; }
static uint64_t do_add(uint64_t old, uint64_t v) { return old + v; }
static uint64_t do_sub(uint64_t old, uint64_t v) { return old - v; }
static uint64_t do_or(uint64_t old, uint64_t v) { return old | v; }

#define CAS(bits, kind) \
	int __tsan_atomic##bits##_compare_exchange_##kind(uint##bits##_t *p, uint##bits##_t *e, uint##bits##_t v, int o, int f) \
	{ \
		uint64_t expected = *e, old = explore_modify((uintptr_t)p, bits / 8, do_set, v, &expected, o, f, HERE); \
		*e = (uint##bits##_t)old; \
		return old == expected; \
	}
#define MODIFY(bits, name, operation) \
	uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t *p, uint##bits##_t v, int o) \
	{ \
		return (uint##bits##_t)explore_modify((uintptr_t)p, bits / 8, operation, v, NULL, o, 0, HERE); \
	}
#define ATOMICS(bits) \
	uint##bits##_t __tsan_atomic##bits##_load(uint##bits##_t *p, int o) \
	{ \
		return (uint##bits##_t)explore_load((uintptr_t)p, bits / 8, o, HERE); \
	} \
	void __tsan_atomic##bits##_store(uint##bits##_t *p, uint##bits##_t v, int o) \
	{ \
		explore_store((uintptr_t)p, bits / 8, v, o, HERE); \
	} \
	MODIFY(bits, exchange, do_set) MODIFY(bits, fetch_add, do_add) MODIFY(bits, fetch_sub, do_sub) \
	MODIFY(bits, fetch_or, do_or) \
	CAS(bits, strong) CAS(bits, weak)
ATOMICS(8) ATOMICS(16) ATOMICS(32) ATOMICS(64)

#define PLAIN(n) \
	void __tsan_read##n(void *p) { explore_plain((uintptr_t)p, n, READ, HERE, false); } \
	void __tsan_write##n(void *p) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); } \
	void __tsan_unaligned_read##n(void *p) { explore_plain((uintptr_t)p, n, READ, HERE, false); } \
	void __tsan_unaligned_write##n(void *p) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void *p, size_t n) { explore_plain((uintptr_t)p, n, READ, HERE, false); }
void __tsan_write_range(void *p, size_t n) { explore_plain((uintptr_t)p, n, WRITE, HERE, false); }
void __tsan_init(void) { }
