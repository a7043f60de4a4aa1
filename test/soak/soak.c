/* soak.c - random programs, one after the other, for a long time; what they do wrong is counted.
 *
 *	soak		for MINUTES (1) from DLS_SEED on
 *	soak SEED	one program, whose seed the above printed
 *
 * Each program is a process with an environment of its own (schedule, report, trace, progress), since the library reads
 * that once.  It draws what to run from its seed: regions, nests, tasks, chains without a barrier, teams that change size, all
 * schedules, machines, cancellations, forks, several threads that each have a team.  How the threads interleave is not drawn.
 *
 * Fails if: an iteration is lost or runs twice, a sum differs, a call returns an error, a program ends with anything but 0, does
 * not end, or leaves no report. */
#define _DEFAULT_SOURCE	/* MAP_ANONYMOUS */
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "kinds.h"

enum { ROUNDS = 40, HANGS = 18000, LOOK = 10000000 /* ns */ };

static void variable(const char *name, unsigned often, const char *value)
{
	if (draw(often) == 0)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

/* The report and the trace of this program, in `folder`. */
static char report[200];

static void environment(const char *folder)
{
	static const char *const endings[] = { "html", "json", "csv" };
	char text[200];

	variable("DLS_SCHEDULE", 3, once_schedules[draw(ONCE_SCHEDULES)]);
	snprintf(report, sizeof(report), "%s/report.%s", folder, endings[draw(3)]);
	variable("DLS_REPORT", 2, report);
	if (!getenv("DLS_REPORT"))
		report[0] = 0;
	snprintf(text, sizeof(text), "%s/trace.json", folder);
	variable("DLS_TRACE", 4, text);
	setenv("DLS_TRACE_LIMIT", "1000000", 1);
}

static _Noreturn void program(const char *folder)
{
	struct stat there;

	random_state = seed;
	setpgid(0, 0);
	environment(folder);
#ifdef _OPENMP
	omp_set_max_active_levels(2);
#endif
	for (int k = 0; k < ROUNDS; k++) {
		size_t kind = draw(sizeof(kinds) / sizeof(*kinds));

		r.what = kinds[kind].what;
		r.schedule = once_schedules[draw(ONCE_SCHEDULES)];
		r.p = 1 + (unsigned)draw(5);
		r.reps = 1 + (unsigned)draw(12);
		r.cost = (int)(draw(3) * draw(20));
		r.cancel_at = -1;
		for (int i = 0; i < 3; i++)
			r.n[i] = draw_size();
		kinds[kind].run();
		atomic_fetch_add(&counts->rounds, 1);
	}
	if (*report && (dls_report(report) != 0 || stat(report, &there) != 0 || there.st_size == 0))
		wrong("reports missing", 1, -1);
	exit(0);
}

/* False: it hangs, and is killed with its children.  It has a number of looks and not of seconds, since what stops or slows this
 * process does so to the program, too. */
static bool ends(pid_t pid, int *status)
{
	for (int looks = 0; looks < HANGS; looks++) {
		if (waitpid(pid, status, WNOHANG) != 0)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = LOOK }, NULL);
	}
	kill(-pid, SIGKILL);
	waitpid(pid, status, 0);
	return false;
}

/* Run a program and say so if it does not end as it should. */
static void run(const char *folder, const char *self)
{
	int status = -1;
	bool ended;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		program(folder);
	ended = ends(pid, &status);
	if (status == 0)
		return;
	atomic_fetch_add(&counts->violations, 1);
	printf("soak: program %llu %s; once more: %s %llu\n", (unsigned long long)seed,
	       ended ? "ended badly" : "hung", self, (unsigned long long)seed);
}

static void say(double minutes, uint64_t programs)
{
	printf("%5.1f min: %llu programs, %llu rounds, %llu loops; %llu violations\n", minutes,
	       (unsigned long long)programs, (unsigned long long)counts->rounds, (unsigned long long)counts->loops,
	       (unsigned long long)counts->violations);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const char *text = getenv("MINUTES");
	double minutes = text && *text ? strtod(text, NULL) : 1, begun = tap_now(), said = begun;
	char folder[] = "/tmp/dls-soak-XXXXXX", command[100];
	uint64_t programs = 0, first;

	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED || !mkdtemp(folder)) {
		perror("soak");
		return 2;
	}
	if (!(minutes > 0)) {
		fprintf(stderr, "soak: MINUTES \"%s\": a number above 0 is accepted\n", text);
		return 2;
	}
	first = argc > 1 ? strtoull(argv[1], NULL, 0) : tap_seed();
	do {
		seed = first + programs++;
		run(folder, argv[0]);
		if (tap_now() - said >= 60) {
			said = tap_now();
			say((said - begun) / 60, programs);
		}
	} while (argc == 1 && tap_now() - begun < 60 * minutes);
	say((tap_now() - begun) / 60, programs);
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return counts->violations > 0 || system(command) != 0;
}
