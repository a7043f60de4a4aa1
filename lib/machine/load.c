/* load.c - loads that programs and plug-ins register, by name. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dls/load.h"
#include "lib/base/fork.h"
#include "lib/base/name.h"
#include "lib/base/listed.h"
#include "lib/base/sized.h"

struct node {
	struct dls__listed listed;
	struct dls_load load;
};

static dls__list loads;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;
DLS__ACROSS_FORK(loads, .order = DLS__FORK_LOADS, .mutex = &registering);

const struct dls_load *dls_load_at(size_t i)
{
	const struct node *n = dls__list_at(&loads, i);

	return n ? &n->load : NULL;
}

const struct dls_load *dls_load_find(const char *name)
{
	const struct dls_load *load = NULL;

	for (size_t i = 0; name && (load = dls_load_at(i)); i++)
		if (dls__name_equal(name, strcspn(name, ","), load->name, strlen(load->name)))
			break;
	return load;
}

int dls_load_register(const struct dls_load *load)
{
	struct dls_load own;
	struct node *n;
	int code = 0;

	if (!load || dls__sized_read(&own, sizeof(own), load, "dls_load", NULL) || !own.name || !dls__name_good(own.name, strlen(own.name)) || !own.form || !own.fill)
		return DLS_EINVAL;
	n = calloc(1, sizeof(*n));
	if (!n)
		return DLS_ENOMEM;
	own.size = sizeof(own);
	n->load = own;
	pthread_mutex_lock(&registering);
	if (dls_load_find(own.name)) {
		code = DLS_EEXIST;
		free(n);
	} else {
		dls__list_append(&loads, n);
	}
	pthread_mutex_unlock(&registering);
	return code;
}
