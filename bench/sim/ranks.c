/* ranks.c - dls-sim --engine mpi, under mpirun: the libdls-mpi of that MPI, if it is installed, brings the engine and MPI. */
#include <dlfcn.h>

#include "sim.h"

/* As dls/mpi.h, which needs mpi.h, has it: these tasks have no data. */
struct type {
	const struct dls_task_type *type;
	void *pack, *unpack;
};

static void *library;

static void *function(const char *name)
{
	void *f = library ? dlsym(library, name) : NULL;

	if (!f)
		tool_die(TOOL_MISSING, "--engine mpi: %s (make install MPI= puts libdls-mpi where it is found; LD_LIBRARY_PATH may have its folder)", dlerror());
	return f;
}

/* Load libdls-mpi: that of the MPI whose mpirun has set a variable, or else the one built with mpicc. */
static void load(void)
{
	library = dlopen(getenv("OMPI_COMM_WORLD_RANK") ? "libdls-mpi-openmpi.so." SIM_ABI : "libdls-mpi-mpich.so." SIM_ABI,
			 RTLD_NOW | RTLD_GLOBAL);
	if (!library)
		library = dlopen("libdls-mpi.so." SIM_ABI, RTLD_NOW | RTLD_GLOBAL);
}

void ranks_begin(void)
{
	const struct dls_task_type *const *type;
	unsigned types = load_types(&type);
	static struct type list[4];
	int (*begin)(const struct type *, unsigned);
	int rank;

	for (unsigned i = 0; i < types; i++)
		list[i].type = type[i];
	load();
	*(void **)(void *)&begin = function("dls__mpi_tool_begin");
	rank = begin(list, types);
	if (rank < 0)
		tool_die(TOOL_CHECK_FAILED, "--engine mpi: %s", dls_strerror(rank));
	if (rank > 0 && !freopen("/dev/null", "w", stdout))
		tool_die(TOOL_CHECK_FAILED, "--engine mpi: /dev/null cannot be written");
}

void ranks_end(void)
{
	int (*end)(void);
	int code;

	*(void **)(void *)&end = function("dls__mpi_tool_end");
	fflush(stdout);
	code = end();
	if (code)
		tool_die(TOOL_CHECK_FAILED, "--engine mpi: %s", dls_strerror(code));
}
