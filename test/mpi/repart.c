/* repart.c - a repartitioning across ranks: each object is worked on by the rank that has its data, and all ranks know the owners.
 *
 *	repart SEED
 *
 * Fails if: an object's data stay behind, or are left in two places; a record is not told to all ranks, or a rank learns another
 * partition; a code of `work` or `unpack` is lost; descriptions that differ, or that one rank refuses, are accepted by others. */
#include <stdatomic.h>

#include "dls.h"
#include "dls/mpi.h"
#include "dls/repart.h"
#include "tap.h"
#include "ranks.h"

enum { N = 40, SWEEPS = 3, FAILS = 17, REFUSES = 3 };

static int packed;
static unsigned refuses;	/* objects from this one on are refused by unpack() */
static int64_t weight[N];
static unsigned owner[N];
static struct data {
	uint64_t object, sweeps, sum;
} *data[N];

static void add(void *arg, unsigned member, uint64_t begin, uint64_t end)
{
	_Atomic uint64_t *sum = arg;

	(void)member;
	for (uint64_t i = begin; i < end; i++)
		atomic_fetch_add_explicit(sum, i, memory_order_relaxed);	/* relaxed: read when the loop has ended */
}

static int work(struct dls_part *part, size_t object, void *arg)
{
	_Atomic uint64_t sum = 0;
	struct data *d = data[object];

	if (!CHECK(d && d->object == object))
		return 1;
	CHECK_EQ(d->sweeps, *(uint64_t *)arg);
	d->sweeps++;
	nanosleep(&(struct timespec){ .tv_nsec = 1000 * weight[object] }, NULL);
	CHECK_EQ(dls_part_for(part, 20, add, &sum), 0);
	d->sum += sum;
	return object % FAILS == 5 ? 100 + (int)object : 0;
}

static int move(struct dls_part *part, size_t object, unsigned from, unsigned to, void *context)
{
	unsigned group = dls_part_group(part);

	(void)context;
	CHECK(from != to && data[object]);
	CHECK(group == to / 2 || group == to);	/* groups of one or two */
	return 0;
}

static size_t pack(size_t object, void *buffer, size_t room, void *context)
{
	CHECK(context == &mpi && data[object]);
	if (room >= sizeof(struct data)) {
		memcpy(buffer, data[object], sizeof(struct data));
		free(data[object]);
		data[object] = NULL;
		packed++;
	}
	return sizeof(struct data);
}

static int unpack(size_t object, const void *bytes, size_t size, void *context)
{
	CHECK(context == &mpi && !data[object]);
	CHECK_EQ(size, sizeof(struct data));
	data[object] = malloc(size);
	if (!data[object])
		abort();
	memcpy(data[object], bytes, size);
	return object >= refuses ? REFUSES : 0;
}

/* Values on this rank, which must be those of all. */
static void all_on_all(const int64_t *value, int count)
{
	int64_t least[2 * N], most[2 * N];

	all_reduce(value, least, count, MPI_INT64_T, MPI_MIN);
	all_reduce(value, most, count, MPI_INT64_T, MPI_MAX);
	for (int i = 0; i < count; i++)
		CHECK_EQ(least[i], most[i]);
}

static struct dls_repart_desc description(const char *schedule, unsigned processors, unsigned limit, bool shared)
{
	return (struct dls_repart_desc){ .size = sizeof(struct dls_repart_desc), .objects = N, .weight = weight, .owner = owner,
					 .work = work, .move = move, .pack = pack, .unpack = unpack, .context = &mpi,
					 .schedule = schedule, .engine = "mpi", .processors = processors, .limit = limit,
					 .shared = shared };
}

static void bring_data(const struct dls_repart *repart, bool in)
{
	unsigned processor, at;

	for (size_t i = 0; i < N; i++) {
		CHECK_EQ(dls_repart_owner(repart, i, &processor), 0);
		CHECK_EQ(dls_repart_rank(repart, processor, &at), 0);
		CHECK(at < (unsigned)ranks);
		if (in && at == (unsigned)rank) {
			data[i] = malloc(sizeof(*data[i]));
			if (!data[i])
				abort();
			*data[i] = (struct data){ .object = i };
		} else if (!in) {
			free(data[i]);
			data[i] = NULL;
		}
	}
}

/* After sweep k. */
static void look(const struct dls_repart *repart, uint64_t k)
{
	unsigned processor = 0, at = 0;
	int64_t all[2 * N];
	int code = 0;

	for (size_t i = 0; i < N; i++) {
		CHECK_EQ(dls_repart_owner(repart, i, &processor), 0);
		CHECK_EQ(dls_repart_rank(repart, processor, &at), 0);
		CHECK_EQ(dls_repart_code(repart, i, &code), 0);
		all[2 * i] = processor;
		all[2 * i + 1] = code;
		CHECK_EQ(code, i % FAILS == 5 ? 100 + (int)i : 0);
		if (CHECK_EQ(data[i] != NULL, at == (unsigned)rank) == (at == (unsigned)rank) && data[i]) {
			CHECK_EQ(data[i]->sweeps, k + 1);
			CHECK_EQ(data[i]->sum, (k + 1) * 190);
		}
	}
	all_on_all(all, 2 * N);
}

static void sweeps(const char *schedule, unsigned processors, unsigned limit, bool shared, bool spike)
{
	struct dls_repart_desc desc = description(schedule, processors, limit, shared);
	struct dls_parse_error error = { .what = "" };
	struct dls_sweep_result sweep = { .size = sizeof(sweep) };
	struct dls_repart_stats stats = { .size = sizeof(stats) };
	struct dls_repart *repart;
	int64_t all[4], had[2 * N];
	size_t objects = 0;

	for (size_t i = 0; i < N; i++)
		owner[i] = spike ? 0 : (unsigned)i % (processors - !shared);
	if (CHECK_EQ(on_all(dls_repart_open(&repart, &desc, &error)), 0)) {
		tap_note("%s: %s", schedule, error.what);
		return;
	}
	bring_data(repart, true);
	packed = 0;
	for (uint64_t k = 0; k < SWEEPS; k++) {
		CHECK_EQ(dls_repart_sweep(repart, &k, &sweep), 0);
		CHECK_EQ(sweep.failed, (N + FAILS - 6) / FAILS);
		memcpy(all, (int64_t[]){ (int64_t)sweep.moved, sweep.moved_weight, (int64_t)(1e9 * sweep.work),
					 (int64_t)(1e9 * sweep.time) }, sizeof(all));
		all_on_all(all, 4);
		CHECK(sweep.time > 0 && sweep.work > 0);
		look(repart, k);
	}
	for (unsigned i = 0; i < processors - !shared; i++) {
		CHECK_EQ(dls_repart_processor_stats(repart, i, &stats), 0);
		objects += stats.objects;
		had[2 * i] = (int64_t)stats.objects;
		had[2 * i + 1] = (int64_t)(1e9 * stats.work);
	}
	all_on_all(had, 2 * (int)(processors - !shared));
	CHECK_EQ(objects, N);
	/* The first answers deal chunks to all workers. */
	if (spike && rank == 0 && ranks > 1 && strcmp(schedule, "none") != 0)
		CHECK(packed > 0);
	bring_data(repart, false);
	dls_repart_close(repart);
}

static void all_sweeps(uint64_t seed)
{
	static const char *const schedule[] = { "repart", "repart,calc=fac2,queue=central", "repart,mode=reactive",
						"rid", "none" };
	uint64_t state = seed;

	for (size_t i = 0; i < N; i++)
		weight[i] = 1 + (int64_t)(tap_random(&state) % 100);
	for (size_t i = 0; i < sizeof(schedule) / sizeof(*schedule) && !tap_failures; i++) {
		bool spike = i < 2 || tap_random(&state) % 2;

		if (rank == 0)
			printf("# %s\n", schedule[i]);
		fflush(stdout);
		sweeps(schedule[i], 4, 1, true, spike);
		sweeps(schedule[i], 5 + (unsigned)(tap_random(&state) % 4), 1, false, spike);
		sweeps(schedule[i], 8, 2, true, spike);
	}
}

/* Objects whose data are refused are not worked on, and all ranks are told. */
static void refusal(void)
{
	struct dls_repart_desc desc = description("repart", 4, 1, true);
	struct dls_repart *repart;
	uint64_t zero = 0;
	int code = 0, came[N], sum[N], refused = 0;
	int64_t all[N];

	memset(owner, 0, sizeof(owner));
	CHECK_EQ(dls_repart_open(&repart, &desc, NULL), 0);
	bring_data(repart, true);
	refuses = 0;
	CHECK_EQ(on_all(dls_repart_sweep(repart, &zero, NULL)), 0);
	for (size_t i = 0; i < N; i++) {
		CHECK_EQ(dls_repart_code(repart, i, &code), 0);
		all[i] = code;
		came[i] = data[i] && rank > 0;
		refused += code == REFUSES;
	}
	all_on_all(all, N);
	all_reduce(came, sum, N, MPI_INT, MPI_SUM);
	for (size_t i = 0; i < N; i++)
		CHECK_EQ(all[i], sum[i] ? REFUSES : i % FAILS == 5 ? 100 + (int)i : 0);
	CHECK_EQ(refused > 0, ranks > 1);
	refuses = N;
	bring_data(repart, false);
	dls_repart_close(repart);
}

static int open_code(const struct dls_repart_desc *desc)
{
	struct dls_parse_error error = { .what = "" };
	struct dls_repart *repart = NULL;
	int code = dls_repart_open(&repart, desc, &error);

	CHECK(code == 0 || error.what[0]);
	dls_repart_close(repart);
	return on_all(code);
}

/* A description of which the statement makes another one. */
#define CHECK_OPEN(code, ...) \
	do { \
		struct dls_repart_desc desc = description("repart", 4, 1, true); \
\
		__VA_ARGS__; \
		CHECK_EQ(open_code(&desc), code); \
	} while (0)

static void bad(void)
{
	unsigned first = (unsigned)(rank == 0), last = (unsigned)(rank == ranks - 1);
	int differ = ranks > 1 ? DLS_EINVAL : 0;

	CHECK_OPEN(0, (void)desc);
	CHECK_OPEN(DLS_EINVAL, desc.unpack = NULL);
	CHECK_OPEN(DLS_EINVAL, desc.unpack = last ? NULL : unpack);
	CHECK_OPEN(DLS_EINVAL, desc.limit = last ? 0 : 1);
	CHECK_OPEN(differ, desc.objects = N - last);
	CHECK_OPEN(differ, desc.processors = 4 + first);
	CHECK_OPEN(differ, desc.schedule = first ? "repart,calc=gss" : "repart,calc=fac2");
	CHECK_OPEN(DLS_ENOENT, desc.schedule = last ? "nosuch" : "repart");
	CHECK_OPEN(DLS_EINVAL, desc.schedule = "repart,return=yes");
	CHECK_OPEN(DLS_EINVAL, desc.schedule = "repart,queue=replicated");
	weight[7] += first;
	CHECK_OPEN(differ, (void)desc);
	weight[7] -= first;
	owner[3] = last;
	CHECK_OPEN(differ, (void)desc);
	owner[3] = 0;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	ranks_open(&argc, &argv, MPI_THREAD_FUNNELED, NULL);
	CHECK_EQ(dls_mpi_machines(mpi, NULL, 0), 0);
	refuses = N;
	all_sweeps(strtoull(argv[1], NULL, 0));
	refusal();
	bad();
	return ranks_end();
}
