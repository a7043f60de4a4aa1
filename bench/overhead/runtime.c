/* runtime.c - the compiler and the OpenMP runtime whose figures dls-overhead prints. */
#define _GNU_SOURCE	/* dl_iterate_phdr() */

#include <link.h>

#include "overhead.h"

/* Debian's libomp is built with debug traces, some 400 ns a dispatch: only such a build has this string. */
static bool has_traces(const char *file)
{
	FILE *f = fopen(file, "rb");
	static const char sign[] = "KMP_A_DEBUG";
	size_t at = 0;
	int c;

	if (!f)
		return false;
	while (sign[at] && (c = getc(f)) != EOF)
		at = c == sign[at] ? at + 1 : c == sign[0];
	fclose(f);
	return !sign[at];
}

static int runtime(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!strstr(info->dlpi_name, "omp.so") && !strstr(info->dlpi_name, "omp5.so"))
		return 0;
	char *file = realpath(info->dlpi_name, NULL);

	printf(", %s%s", file ? file : info->dlpi_name,
	       has_traces(info->dlpi_name) ? ", a build with debug traces: some 400 ns a dispatch" : "");
	free(file);
	return 1;
}

void overhead_print_runtime(void)
{
	printf("%s: compiled by %s%s, %soptimised; OpenMP %d", TOOL_OPENMP,
#ifdef __clang__
	       "",		/* the version names the compiler */
#else
	       "gcc ",
#endif
	       __VERSION__,
#ifdef __OPTIMIZE__
	       "",
#else
	       "not ",
#endif
	       _OPENMP);
	dl_iterate_phdr(runtime, NULL);
	putchar('\n');
}
