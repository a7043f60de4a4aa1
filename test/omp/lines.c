/* lines.c - a program that knows its own lines and asks for them; test/omp/lines.sh compiles it in many ways.
 *
 * lines		each call below has its line's name
 * lines none		none has a name
 * lines FILE SEED	copies of FILE with drawn damage are read without harm */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/omp/lines.h"

static int calls, wrong, none;
static int (*ask)(const void *address, char *name, size_t size) = dls__omp_line;

static void is_named(const void *address, const char *file, int line)
{
	const char *slash = strrchr(file, '/');
	char want[128], got[128] = "";
	int code = ask(address, got, sizeof(got));

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

static void in_loop(int n)
{
	for (int i = 0; i < n; i++)
		if (i % 2)
			HERE();
}

/* Of code that is inlined from another file, as std::vector::size() in a loop's bounds, a loop has its function's
 * line. */
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

	accessor("accessor.h", 4 + none_yet);
	ask = dls__omp_own_line;
	accessor(__FILE__, __LINE__ + none_yet);
	ask = dls__omp_line;
}

#line 8 "short.c"
__attribute__((noinline))
static void short_loop(void) { ask = dls__omp_own_line; accessor(__FILE__, 9); ask = dls__omp_line; }

#line 70000 "deep/er/other.c"
static void other_file(void)
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

/* Draws damage: in the headers, in the sections, cut short. */
static int damage(const char *path, unsigned seed)
{
	FILE *f = fopen(path, "rb");
	long size;
	char name[64];
	unsigned named = 0, functions = 0;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) <= 64)
		return 2;

	uint8_t *sound = malloc((size_t)size);
	uint64_t drawn = seed;

	rewind(f);
	if (!sound || fread(sound, 1, (size_t)size, f) != (size_t)size)
		return 2;
	fclose(f);

	struct dls__bytes line = dls__elf_section((struct dls__bytes){ sound, sound + size }, ".debug_line");
	struct dls__bytes text = dls__elf_section((struct dls__bytes){ sound, sound + size }, ".text");
	struct dls__bytes symbols = dls__elf_section((struct dls__bytes){ sound, sound + size }, ".symtab");
	uint64_t first = (uint64_t)(text.at - sound);

	for (int i = 0; i < 2000; i++) {
		size_t cut = i % 10 ? (size_t)size : (size_t)(drawn >> 33) % (size_t)size;
		uint8_t *copy = malloc(cut ? cut : 1);	/* a byte too far is seen by the address sanitizer */

		memcpy(copy, sound, cut);
		for (int k = 0; k < 1 + i % 4; k++) {
			drawn = drawn * 6364136223846793005u + 1442695040888963407u;
			struct dls__bytes in = i % 2 ? line : symbols;
			uint64_t h = drawn >> 33, range = (uint64_t)(in.end - in.at);
			size_t at = i % 3 == 0 ? h % 64 : i % 3 == 1 ? (size_t)size - 1 - h % 2500 % (size_t)size :
				    (size_t)(in.at - sound) + h % (range ? range : 1);

			if (at < cut)
				copy[at] = (uint8_t)(drawn >> 25);
		}
		named += dls__line_in((struct dls__bytes){ copy, copy + cut }, first + drawn % 4096, name, sizeof(name)) == 0;
		dls__statement_in((struct dls__bytes){ copy, copy + cut }, first + drawn % 4096, name, sizeof(name));
		functions += dls__elf_function((struct dls__bytes){ copy, copy + cut }, first + drawn % 4096, name, sizeof(name)) == 0;
		free(copy);
	}
	free(sound);
	printf("# %u of 2000 with a line, %u with a function\n", named, functions);
	return 0;
}

int main(int argc, char **argv)
{
	char name[128] = "", statement[32];

	if (argc > 2)
		return damage(argv[1], (unsigned)strtoul(argv[2], NULL, 10));
	none = argc > 1;
	if (chdir("/"))		/* names do not depend on it */
		return 2;
	HERE();
	inlined();
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
	if (calls != 8) {
		printf("# %d calls\n", calls);
		wrong++;
	}
	return wrong > 0;
}
