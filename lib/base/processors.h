/* processors.h - the processors that this process may use: quotas, affinity, threads that waited. */
#ifndef LIB_BASE_PROCESSORS_H
#define LIB_BASE_PROCESSORS_H

#include <stdatomic.h>
#include <stdint.h>

struct dls__processors {
	unsigned online, affinity;	/* of the machine; that a thread of this process may run on; 0: not known */
	double quota;			/* that its control groups allow on average; INFINITY: they set no limit */
	double ran, waited;		/* s that its threads ran, and were ready to run without a processor; NAN: not known */
	uint64_t switches;		/* times that they lost a processor while they were running */
};

/* Read it from the files of the system below `root`, which is "" but for tests.  Threads that have ended are not counted.
 * Takes some 50 us, and 10 us a thread. */
void dls__processors_read(struct dls__processors *p, const char *root);

/* Those of the machine: as many threads can run at one time.  Counted once, in some 10 us.  Threads: any. */
unsigned dls__processors_online(void);

/* What dls__processors_online() returns; 0: it has yet to count.  A test sets it. */
extern atomic_uint dls__processors_counted;

#endif
