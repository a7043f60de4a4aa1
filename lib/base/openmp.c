/* openmp.c - the OpenMP runtimes that the process has loaded. */
#define _GNU_SOURCE		/* dl_iterate_phdr() */
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/reading.h"
#include "lib/base/openmp.h"

/* gcc's, clang's, Intel's; PyPI's wheels have a copy with another end of the name. */
static const char *const beginnings[] = { "libgomp", "libomp", "libiomp" };

/* NULL: the program is linked with no runtime. */
__attribute__((weak)) int omp_get_max_threads(void);

static const char *base_name(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* A link's name has a part of the version alone. */
static int add(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *name = base_name(info->dlpi_name);
	struct dls__printer *to = arg;
	char path[PATH_MAX];

	(void)size;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) != 0)
			continue;
		if (realpath(info->dlpi_name, path))
			name = base_name(path);
		dls__put(to, "%s%s", to->length ? " " : "", name);
		break;
	}
	return 0;
}

char *dls__runtime_names(char text[DLS__RUNTIME])
{
	struct dls__printer to = { text, DLS__RUNTIME, 0 };

	*text = 0;
	dl_iterate_phdr(add, &to);
	return text;
}

unsigned dls__runtime_threads(void)
{
	return omp_get_max_threads ? (unsigned)omp_get_max_threads() : 0;
}
