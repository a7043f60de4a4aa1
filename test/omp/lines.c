/* lines.c - a program that knows its own lines and asks for them; test/omp/lines.sh compiles it in many ways.
 *
 * lines		each call below has its line's name
 * lines none		none has a name */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/omp/lines.h"

static int calls, wrong, none;

static void is_named(const void *address, const char *file, int line)
{
	const char *slash = strrchr(file, '/');
	char want[128], got[128] = "";
	int code = dls__omp_line(address, got, sizeof(got));

	snprintf(want, sizeof(want), "%s:%d", slash ? slash + 1 : file, line);
	if (none ? code != -1 || *got : code || strcmp(got, want)) {
		printf("# code %d, name \"%s\", not \"%s\"\n", code, got, none ? "" : want);
		wrong++;
	}
}

/* Checks the name of the line from which it was called. */
__attribute__((noinline)) static void here(const char *file, int line)
{
	is_named((const char *)__builtin_return_address(0) - 1, file, line);
}

#define HERE() do { here(__FILE__, __LINE__); calls++; } while (0)	/* not a tail call */

/* Its first statement may begin at its own address, which is then all that clang 19 writes. */
__attribute__((noinline)) static int simple(int x) {
	return x + 1;
}
enum { SIMPLE = __LINE__ - 3 };

static inline __attribute__((always_inline)) void inlined(void)
{
	HERE();
}

__attribute__((noinline)) static void in_loop(int n)
{
	inlined();
	for (int i = 0; i < n; i++)
		if (i % 2)
			HERE();
}

/* Code that is inlined from another file, as std::vector::size() in a loop's bounds, has its function's line. */
#line 2 "accessor.h"
static inline __attribute__((always_inline)) void accessor(const char *file, int line)
{
	here(file, line);
	calls++;
}

#line 7 "loop.c"
__attribute__((noinline)) static void loop(void)
{
	volatile int none_yet = 0;	/* read: an instruction of the line of the call */

	accessor(__FILE__, __LINE__ + none_yet);
}

#line 8 "short.c"
__attribute__((noinline))
static void short_loop(void) { accessor(__FILE__, 9); }

#line 70000 "deep/er/other.c"
__attribute__((noinline)) static void other_file(void)
{
	HERE();
}

#line 3 "long_name_that_is_cut_at_its_beginning_and_not_at_its_end_0123456789.c"
static void short_room(void)
{
	char name[16] = "";
	int code = dls__omp_line((const char *)&short_room, name, sizeof(name));

	if (none ? code != -1 : code || strncmp(name, "_0123456789.c:", 14) || strlen(name) != 15) {
		printf("# code %d, name \"%s\"\n", code, name);
		wrong++;
	}
	if (dls__omp_line((const char *)&short_room, name, 2) != -1 || dls__omp_line(name, name, 16) != -1 ||
	    dls__omp_line(NULL, name, 16) != -1 || dls__omp_line("text", name, 16) != -1) {
		printf("# a name for what has none\n");
		wrong++;
	}
}

int main(int argc, char **argv)
{
	char name[128] = "", statement[32];

	none = argc > 1;
	if (chdir("/"))		/* names do not depend on it */
		return 2;
	HERE();
	in_loop(4);
	other_file();
	loop();
	short_loop();
	short_room();
	dls__omp_line((const void *)(uintptr_t)&simple, name, sizeof(name));
	snprintf(statement, sizeof(statement), "lines.c:%d", SIMPLE + 1);
#ifdef __clang__
	if (strcmp(name, statement))
#endif
		is_named((const void *)(uintptr_t)&simple, "lines.c", SIMPLE);
	calls += simple(calls) != calls + 1;
	if (calls != 7) {
		printf("# %d calls\n", calls);
		wrong++;
	}
	return wrong > 0;
}
