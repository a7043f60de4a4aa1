/* misuse.c - what loops must not do is told and ends the program, where it would hang or go wrong: nesting in one region,
 * bodies left early, threads that disagree.
 *
 * Each is done by a child.  Fails if: it hangs (an alarm ends it), goes on, or does not say where. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dls.h"
#include "tap.h"

#ifdef _OPENMP

static char said[2000];

/* Whether a child that does `wrong` aborts; what it says is in `said`. */
static bool aborts(void (*wrong)(void))
{
	int pipes[2], status;
	size_t n = 0;
	ssize_t got;

	if (pipe(pipes) != 0)
		return false;
	fflush(stdout);

	pid_t pid = fork();

	if (pid == 0) {
		dup2(pipes[1], 2);
		close(pipes[0]);
		close(pipes[1]);
		signal(SIGABRT, SIG_DFL);
		alarm(20);
		wrong();
		_exit(0);
	}
	close(pipes[1]);
	while (n < sizeof(said) - 1 && (got = read(pipes[0], said + n, sizeof(said) - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = 0;
	close(pipes[0]);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) > 1;
}

static void nested(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 10)
			DLS_FOR(j, 0, 10)
				(void)(i + j);
}

static void nested_in_plain_region(void)
{
#pragma omp parallel num_threads(2)
	DLS_FOR(i, 0, 10)
		DLS_FOR(j, 0, 10)
			(void)(i + j);
}

static void left_by_return(void)
{
	DLS_PARALLEL(num_threads(2)) {
		for (int once = 0; once < 1; once++)
			DLS_FOR(i, 0, 10, .nowait = true, .schedule = "ss") {
				if (i >= 0)
					goto out;
			}
	out:
		DLS_FOR(i, 0, 10)
			(void)i;
	}
}

static void region_left(void)
{
	DLS_PARALLEL(num_threads(2))
		break;
}

static void bounds_differ(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR(i, 0, 10 + omp_get_thread_num())
			(void)i;
}

static void loops_differ(void)
{
	DLS_PARALLEL(num_threads(2)) {
		if (omp_get_thread_num() == 0)
			DLS_FOR(i, 0, 10)
				(void)i;
		else
			DLS_FOR(i, 0, 10)
				(void)i;
	}
}

static void too_large(void)
{
	DLS_PARALLEL_FOR_2D(i, j, 0, (int64_t)1 << 33, 0u, 1u << 31)
		(void)(i + j);
}

static void columns_differ(void)
{
	DLS_PARALLEL(num_threads(2))
		DLS_FOR_2D(i, j, 0, 10, 0, 10 + omp_get_thread_num(), .schedule = "ss,curve=hilbert")
			(void)(i + j);
}

static void shapes_differ(void)
{
	DLS_PARALLEL(num_threads(2)) {
		int me = omp_get_thread_num();

		DLS_FOR_2D(i, j, 0, 4 + 2 * me, 0, 6 - 2 * me)
			(void)(i + j);
	}
}

static void told(void)
{
	static const struct {
		void (*wrong)(void);
		const char *says;
	} cases[] = {
		{ nested, "a loop inside the body of the loop at test/api/misuse.c:" },
		{ nested_in_plain_region, "a loop inside the body of the loop at test/api/misuse.c:" },
		{ left_by_return, "or that body was left by break, goto or return" },
		{ region_left, "the body of a DLS_PARALLEL was left" },
		{ bounds_differ, "all threads of a region must come to the same loops" },
		{ columns_differ, "all threads of a region must come to the same loops" },
		{ shapes_differ, " rows while its team is in one of " },
		{ too_large, ": a loop of 8589934592 rows and 2147483648 columns; it may have up to 2^64 - 1 cells" },
		{ loops_differ, "all threads of a region must come to the same loops" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		CHECK(aborts(cases[i].wrong));
		if (!CHECK(strstr(said, cases[i].says) != NULL))
			tap_note("%s", said);
		CHECK(strncmp(said, "libdls: ", 8) == 0);
	}
}

#else

static void told(void)
{
	tap_skip("the compiler has no OpenMP");
}

#endif

TEST_MAIN(T(told))
