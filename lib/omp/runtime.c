/* runtime.c - the OpenMP runtimes of the process: found as the loader would have found them.
 *
 * A module's calls reach the first runtime of the global scope, else the runtime among the module's own dependencies (Python's wheels
 * contain libgomp under other names, and plug-ins are loaded with RTLD_LOCAL). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/fork.h"
#include "lib/base/message.h"
#include "lib/base/room.h"
#include "lib/omp/runtime.h"

struct dls__settings dls__settings;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;	/* of both lists */
DLS__ACROSS_FORK(runtimes, .order = DLS__FORK_RUNTIMES, .mutex = &mutex);
static struct dls__module *_Atomic modules;
static struct dls__runtime *runtimes, none, reserve;
/* Stands for code in no module, and for modules for which there was no memory: their loops are left to the
 * runtime. */
static struct dls__module unknown = { .end = UINTPTR_MAX, .own = true };

_Atomic(const struct dls__runtime *) dls__only[DLS__KINDS_OF_NAMES];
static const struct dls__runtime *first[DLS__KINDS_OF_NAMES];

/* Functions that every runtime with such names has. */
static const char *const probes[] = { [DLS__OF_GOMP] = "GOMP_parallel", [DLS__OF_KMPC] = "__kmpc_fork_call",
				       [DLS__OF_OMP] = "omp_get_thread_num" };

static void missing(void)
{
	dls__tell_user("the OpenMP runtime has not a function that the program calls");
	_exit(127);
}

struct search {
	uintptr_t address;
	struct dls__module *found;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;
	uintptr_t begin = UINTPTR_MAX, end = 0;
	bool locals = false;

	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		locals |= info->dlpi_phdr[i].p_type == PT_TLS;
		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		begin = at < begin ? at : begin;
		end = at + info->dlpi_phdr[i].p_memsz > end ? at + info->dlpi_phdr[i].p_memsz : end;
	}
	if (s->address < begin || s->address >= end)
		return 0;
	s->found = calloc(1, sizeof(*s->found));
	if (s->found) {
		s->found->base = info->dlpi_addr;
		s->found->begin = begin;
		s->found->end = end;
		s->found->locals = locals;
		s->found->own = (uintptr_t)look_at >= begin && (uintptr_t)look_at < end;
		if (info->dlpi_name && strlen(info->dlpi_name) < sizeof(s->found->name))
			strcpy(s->found->name, info->dlpi_name);
	}
	return 1;
}

static struct dls__module *known(uintptr_t address)
{
	/* acquire: pairs with the release in dls__module_of(). */
	struct dls__module *m = atomic_load_explicit(&modules, memory_order_acquire);

	while (m && (address < m->begin || address >= m->end))
		m = m->next;
	return m;
}

static void search(void *arg)
{
	struct search *s = arg;

	dl_iterate_phdr(look_at, s);
	/* Keep it loaded, so that its addresses never become another module's. */
	if (s->found && *s->found->name && !s->found->own)
		dlopen(s->found->name, RTLD_LAZY | RTLD_NOLOAD);
}

struct dls__module *dls__module_of(const void *address)
{
	struct search s = { .address = (uintptr_t)address };
	struct dls__module *m = known(s.address);

	if (m)
		return m;
	dls__with_room(search, &s);
	if (!s.found)
		return &unknown;
	pthread_mutex_lock(&mutex);
	m = known(s.address);
	if (m) {
		free(s.found);
	} else {
		m = s.found;
		m->next = atomic_load_explicit(&modules, memory_order_relaxed);	/* relaxed: written under the mutex alone */
		/* release: publishes the module. */
		atomic_store_explicit(&modules, m, memory_order_release);
	}
	pthread_mutex_unlock(&mutex);
	return m;
}

/* Where the module that a function is in begins, and its path. */
static const void *begin_of(const void *function, const char **path)
{
	Dl_info info;

	if (!function || !dladdr(function, &info))
		return NULL;
	*path = info.dli_fname;
	return info.dli_fbase;
}

static bool own(const void *function)
{
	const char *path;

	return begin_of(function, &path) == begin_of(&modules, &path);
}

/* ISO C has no conversion from a pointer to a function pointer. */
static void set(void *to, void *handle, const char *name)
{
	void *symbol = dlsym(handle, name);
	void (*stand_in)(void) = missing;

	memcpy(to, symbol ? (void *)&symbol : (void *)&stand_in, sizeof(symbol));
}

/* The runtime that contains a function; if there is no memory for it, any other.  The mutex is held. */
static struct dls__runtime *runtime_with(const void *function)
{
	const char *path = NULL;
	const void *begin = begin_of(function, &path);
	struct dls__runtime *r = runtimes;
	void *handle;

	while (r && r->module != begin)
		r = r->next;
	if (r)
		return r;
	r = calloc(1, sizeof(*r));
	if (!r && runtimes)
		return runtimes;
	r = r ? r : &reserve;
	handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	handle = handle ? handle : RTLD_NEXT;
	r->module = begin;
#define X(result, name, arguments) set(&r->name, handle, #name);
	DLS__GOMP(X) DLS__KMPC(X) DLS__ASKED(X)
#undef X
	r->next = runtimes;
	return runtimes = r;
}

/* Address of the probe function that a module, opened by dlopen(), would reach; NULL: none. */
static void *in_scope(void *handle, enum dls__names names)
{
	void *function = dlsym(handle, probes[names]);

	return function && !own(function) ? function : NULL;
}

/* The runtime that the calls of a module with such names reach; NULL: none. */
struct reaching {
	struct dls__module *module;
	enum dls__names names;
	struct dls__runtime *runtime;
};

/* The mutex is held. */
static void find(void *arg)
{
	struct reaching *reach = arg;
	enum dls__names names = reach->names;
	struct dls__module *m = reach->module;
	void *function = in_scope(RTLD_NEXT, names), *handle = *m->name ? dlopen(m->name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	void *nearest = handle ? in_scope(handle, names) : NULL;

	m->is_runtime[names] = (uintptr_t)nearest >= m->begin && (uintptr_t)nearest < m->end;
	if (!function)
		function = nearest;
	reach->runtime = function ? runtime_with(function) : NULL;
}

const struct dls__runtime *dls__runtime_of(struct dls__module *m, enum dls__names names)
{
	/* acquire: pairs with the release below. */
	struct dls__runtime *r = atomic_load_explicit(&m->runtime[names], memory_order_acquire);

	if (!r) {
		struct reaching reach = { m, names, NULL };

		pthread_mutex_lock(&mutex);
		dls__with_room(find, &reach);
		r = reach.runtime;
		/* release: publishes the runtime; pairs with the acquire in the functions that take a short way.  relaxed: whoever
		 * calls from this module sees it, having come here first. */
		if (r && !first[names] && !dls__settings.active)
			atomic_store_explicit(&dls__only[names], first[names] = r, memory_order_release);
		else if (r != first[names])
			atomic_store_explicit(&dls__only[names], NULL, memory_order_relaxed);
		atomic_store_explicit(&m->runtime[names], r ? r : &none, memory_order_release);
		pthread_mutex_unlock(&mutex);
	}
	return r == &none ? NULL : r;
}
