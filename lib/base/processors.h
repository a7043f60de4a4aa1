/* processors.h - the processors that this process may use: quotas, affinity, threads that waited. */
#ifndef LIB_BASE_PROCESSORS_H
#define LIB_BASE_PROCESSORS_H

#include <stdatomic.h>
#include <stdint.h>

struct dls__processors {
	unsigned online, affinity;	/* processors: the machine's; those allowed to us; 0: not known */
	double quota;			/* processors allowed by control groups, a mean; INFINITY: no limit */
	double ran, waited;		/* s that threads ran; s ready without a processor; NAN: not known */
	uint64_t switches;		/* involuntary context switches of the threads */
};

/* Read all members from the files of the system below `root`, which is "" but for tests.  Threads that have
 * ended are not counted.  Takes some 50 us, and 10 us a thread. */
void dls__processors_read(struct dls__processors *p, const char *root);

/* Processors of the machine that are online.  Counted once, in some 10 us.  Threads: any. */
unsigned dls__processors_online(void);

/* What dls__processors_online() returns; 0: it has yet to count.  A test sets it. */
extern atomic_uint dls__processors_counted;

#endif
