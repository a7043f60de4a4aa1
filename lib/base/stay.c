/* stay.c - the module that has the library is never unloaded. */
#define _GNU_SOURCE	/* dladdr(), RTLD_NODELETE */
#include <dlfcn.h>

#include "lib/base/stay.h"

/* A statically linked program lacks both functions, and unloads nothing. */
#pragma weak dladdr
#pragma weak dlopen

void dls__stay_loaded(void)
{
	static const char here;
	Dl_info module;

	if (dladdr && dlopen && dladdr(&here, &module) && module.dli_fname)
		dlopen(module.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
