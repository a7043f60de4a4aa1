/* system.c - output files where the system refuses a call: opening, renaming, rights, locks, descriptors.
 *
 * Fails if: a file is lost or half written because a call was refused, one that could be written in another way is not, an error
 * is another than the system's, something is left beside the file; its owner or rights change; a pipe without a reader ends the
 * program, or takes a SIGPIPE that the program was to have; a host without a name, or one with a slash, makes a file in another folder.
 *
 * runs: check */
#define _GNU_SOURCE		/* F_OFD_SETLK */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/observe/output.h"
#include "refuse.h"
#include "scratch.h"

enum call { OPEN, FSTAT, FCHOWN, FCHMOD, FTRUNCATE, FDOPEN, RENAME, FCNTL, HOSTNAME, CALLS };

/* What a call fails with, 0: nothing; once, or each time. */
static struct {
	int code;
	bool on;
} fails[CALLS];
static const char *host;	/* the host's name; NULL: its own */
static unsigned others;		/* added to the owner of what is asked for by a descriptor */

struct way {
	enum call call;
	int code;
};

static bool refused(enum call call)
{
	int code = fails[call].code;

	if (!code)
		return false;
	if (!fails[call].on)
		fails[call].code = 0;
	errno = code;
	return true;
}

/* A call that fails so if it is refused. */
#define WRAP(call, type, name, failed, parameters, arguments) \
	type __real_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return refused(call) ? failed : __real_##name arguments; \
	}
WRAP(FCHOWN, int, fchown, -1, (int fd, uid_t owner, gid_t group), (fd, owner, group))
WRAP(FCHMOD, int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
WRAP(FTRUNCATE, int, ftruncate, -1, (int fd, off_t length), (fd, length))
WRAP(FDOPEN, FILE *, fdopen, NULL, (int fd, const char *mode), (fd, mode))
WRAP(RENAME, int, rename, -1, (const char *from, const char *to), (from, to))

int __real_open(const char *name, int flags, ...);
int __real_fcntl(int fd, int command, ...);
int __real_gethostname(char *name, size_t size);

int __wrap_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list more;

	va_start(more, flags);
	if (flags & O_CREAT)
		mode = va_arg(more, mode_t);
	va_end(more);
	return refused(OPEN) ? -1 : __real_open(name, flags, mode);
}

#define WRAP_STAT(name, parameters, arguments) \
	int __real_##name parameters; \
	int __wrap_##name parameters \
	{ \
		int code = refused(FSTAT) ? -1 : __real_##name arguments; \
\
		if (code == 0) \
			info->st_uid += others; \
		return code; \
	}
WRAP_STAT(fstat, (int fd, struct stat *info), (fd, info))
#ifdef _STAT_VER	/* glibc before 2.33, whose fstat() is this inline */
WRAP_STAT(__fxstat, (int version, int fd, struct stat *info), (version, fd, info))
#endif

/* Each command that the library uses has an argument as wide as a pointer, or an int that the register holds. */
int __wrap_fcntl(int fd, int command, ...)
{
	va_list more;
	int code;

	va_start(more, command);
	if (refused(FCNTL))
		code = -1;
	else if (command == F_DUPFD_CLOEXEC)
		code = __real_fcntl(fd, command, va_arg(more, int));
	else
		code = __real_fcntl(fd, command, va_arg(more, struct flock *));
	va_end(more);
	return code;
}

int __wrap_gethostname(char *name, size_t size)
{
	if (refused(HOSTNAME))
		return -1;
	if (!host)
		return __real_gethostname(name, size);
	snprintf(name, size, "%s", host);
	return 0;
}

static char place[64];		/* of a file, which is alone in its folder */

static void put_old(void)
{
	FILE *f = fopen(place, "w");

	if (!CHECK(f))
		exit(1);
	fputs("old", f);
	fclose(f);
	CHECK_EQ(chmod(place, 0640), 0);
}

static void write_new(FILE *f, const void *arg)
{
	(void)arg;
	fputs("new", f);
}

/* Whether the folder has one file, of this text and the old one's rights. */
static bool holds(const char *wanted)
{
	char text[8] = "";
	struct stat info;
	unsigned files = 0;
	FILE *f = fopen(place, "r");
	DIR *all = opendir(scratch_folder);

	while (all && readdir(all))
		files++;
	if (all)
		closedir(all);
	if (f) {
		if (!fgets(text, sizeof(text), f))
			*text = 0;
		fclose(f);
	}
	if (files == 3 && stat(place, &info) == 0 && (info.st_mode & 0777) == 0640 && strcmp(text, wanted) == 0)
		return true;
	tap_note("%u files, \"%s\" in place of \"%s\"", files - 2, text, wanted);
	return false;
}

/* Write the file, some calls failing; returns the errno. */
static int write_it(void (*write)(FILE *, const void *))
{
	struct dls__output out;
	int code;

	CHECK_EQ(dls__output_find(&out, place), 0);
	code = dls__output_write(&out, write, NULL);
	memset(fails, 0, sizeof(fails));
	others = 0;
	dls__output_free(&out);
	return code;
}

static void fail(enum call call, int code, bool on)
{
	fails[call].code = code;
	fails[call].on = on;
}

static ino_t inode(void)
{
	struct stat info;

	return stat(place, &info) == 0 ? info.st_ino : 0;
}

/* What cannot be replaced by a new file is written in its place. */
static void in_place(void)
{
	static const struct way way[] = { { FSTAT, EIO }, { FCHMOD, EPERM }, { RENAME, EBUSY }, { RENAME, EPERM }, { RENAME, EACCES }, { OPEN, EACCES },
		    { OPEN, EPERM }, { OPEN, EROFS }, { OPEN, ENAMETOOLONG }, { FCHOWN, EPERM } };

	for (size_t i = 0; i < sizeof(way) / sizeof(*way); i++) {
		ino_t old;

		tap_note("call %d, %s", way[i].call, strerror(way[i].code));
		put_old();
		old = inode();
		others = way[i].call == FCHOWN;
		fail(way[i].call, way[i].code, false);
		CHECK_EQ(write_it(write_new), 0);
		CHECK(holds("new") && inode() == old);
	}
	put_old();
	others = 1;		/* given to the old file's owner: its own */
	CHECK_EQ(write_it(write_new), 0);
	CHECK(holds("new"));
}

static void write_nothing(FILE *f, const void *arg)
{
	(void)arg;
	fputs("new", f);
	close(fileno(f));
}

static void write_closed(FILE *f, const void *arg)
{
	(void)arg;
	fputs("new", f);
	fflush(f);
	close(fileno(f));
}

/* The old file stays as it is, and the error is the system's. */
static void unchanged(void)
{
	static const struct {
		enum call call;
		int code;
		bool on;
		enum call second;
		int second_code, says;
	} way[] = { { RENAME, EIO, false, OPEN, 0, EIO }, { FDOPEN, ENOMEM, false, OPEN, 0, ENOMEM }, { OPEN, EACCES, true, OPEN, EACCES, EACCES },
		    { OPEN, EEXIST, true, OPEN, EEXIST, EEXIST }, { OPEN, ENOSPC, false, OPEN, ENOSPC, ENOSPC },
		    { RENAME, EBUSY, false, FTRUNCATE, EINVAL, EBUSY }, { FCHMOD, EPERM, false, FTRUNCATE, EINVAL, EINVAL } };

	for (size_t i = 0; i < sizeof(way) / sizeof(*way); i++) {
		tap_note("calls %d, %s, and %d", way[i].call, strerror(way[i].code), way[i].second);
		put_old();
		fail(way[i].call, way[i].code, way[i].on);
		if (way[i].second != OPEN)
			fail(way[i].second, way[i].second_code, true);
		CHECK_EQ(write_it(write_new), way[i].says);
		CHECK(holds("old"));
	}
	put_old();
	CHECK_EQ(write_it(write_nothing), EBADF);	/* its descriptor is closed: what fflush() says */
	CHECK(holds("old"));
	CHECK_EQ(write_it(write_closed), EBADF);	/* ... and fclose() */
	CHECK(holds("old"));
	put_old();
	REFUSE_EACH(turn, REFUSE_MOST, 1, "a file is written") {
		struct dls__output out;
		int code = dls__output_find(&out, place);

		if (code == 0) {
			code = dls__output_write(&out, write_new, NULL);
			dls__output_free(&out);
		}
		CHECK(code == 0 || (refuse_end() && code == ENOMEM));
		refuse_end();
		CHECK(holds(code ? "old" : "new"));
		put_old();
	}
}

/* A new file needs a folder, and a link to it memory. */
static void links(void)
{
	char name[80];

	put_old();
	snprintf(name, sizeof(name), "%s-link", scratch_folder);
	CHECK_EQ(symlink(place, name), 0);
	for (int there = 1; there >= 0; there--) {
		REFUSE_EACH(turn, REFUSE_MOST, 1, "a link is followed") {
			struct dls__output out;
			int code = dls__output_find(&out, name);

			CHECK_EQ(code, refuse_end() ? ENOMEM : 0);
			if (code)
				continue;
			CHECK(!there || (strcmp(out.place, place) == 0 && out.aside));
			dls__output_free(&out);
		}
		unlink(name);
	}
}

static void unbuffered(FILE *f, const void *arg)
{
	setvbuf(f, NULL, _IONBF, 0);
	fputs("new", f);
	if (arg)
		errno = 0;
}

static void devices(void)
{
	struct dls__output out;
	sigset_t pipe_signal, pending;
	char name[32];
	int end[2];

	CHECK_EQ(dls__output_find(&out, "/dev/stderr"), 0);
	CHECK(out.descriptor > 2);
	fail(FCNTL, EMFILE, false);
	CHECK_EQ(dls__output_write(&out, write_new, NULL), EMFILE);
	dls__output_free(&out);
	fail(FCNTL, EMFILE, false);
	CHECK_EQ(dls__output_find(&out, "/dev/stderr"), EMFILE);
	CHECK_EQ(dls__output_find(&out, "/dev/full"), 0);
	CHECK_EQ(dls__output_write(&out, unbuffered, NULL), ENOSPC);
	CHECK_EQ(dls__output_write(&out, unbuffered, ""), EIO);		/* an error without a number */
	fail(OPEN, EMFILE, false);
	CHECK_EQ(dls__output_write(&out, write_new, NULL), EMFILE);
	dls__output_free(&out);

	CHECK_EQ(pipe(end), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", end[1]);
	CHECK_EQ(dls__output_find(&out, name), 0);
	close(end[0]);
	CHECK_EQ(dls__output_write(&out, write_new, NULL), EPIPE);	/* and the program goes on */
	sigpending(&pending);
	CHECK(!sigismember(&pending, SIGPIPE));
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_signal, NULL);
	CHECK_EQ(dls__output_write(&out, write_new, NULL), EPIPE);
	sigpending(&pending);
	CHECK(!sigismember(&pending, SIGPIPE));		/* a program that waits for signals has none of ours */
	kill(getpid(), SIGPIPE);
	CHECK_EQ(dls__output_write(&out, write_new, NULL), EPIPE);
	sigpending(&pending);
	CHECK(sigismember(&pending, SIGPIPE));		/* ... but its own */
	while (sigtimedwait(&pipe_signal, NULL, &(struct timespec){ .tv_sec = 0 }) == SIGPIPE)
		;
	sigprocmask(SIG_UNBLOCK, &pipe_signal, NULL);
	dls__output_free(&out);
	close(end[1]);
}

static void is_name(const char *pattern, const char *wanted)
{
	char *name = dls__output_expand(pattern, 7);

	if (!CHECK(name && strcmp(name, wanted) == 0))
		tap_note("%s is %s, not %s", pattern, name ? name : "nothing", wanted);
	free(name);
}

static void names(void)
{
	struct dls__output out;
	const char *why;
	char pattern[80];

	host = "a/b/c";
	is_name("x.%h.%n", "x.a-b-c.7");
	host = "";
	is_name("%h", "localhost");
	host = NULL;
	fail(HOSTNAME, ENAMETOOLONG, false);
	is_name("%h%%", "localhost%");
	why = dls__output_reserve(&out, "a%\001");
	CHECK(why && strstr(why, "not that"));
	why = dls__output_reserve(&out, "a%\377");
	CHECK(why && strstr(why, "not that"));
	why = dls__output_reserve(&out, "a%");
	CHECK(why && strstr(why, "not nothing"));

	snprintf(pattern, sizeof(pattern), "%s/%%n", scratch_folder);
	fail(OPEN, EEXIST, true);		/* all numbers are taken */
	why = dls__output_reserve(&out, pattern);
	CHECK(why && strcmp(why, strerror(EEXIST)) == 0);
	fail(OPEN, 0, false);
	for (int k = 0; k < 2; k++) {
		refuse_from(k, false);
		why = dls__output_reserve(&out, pattern);
		CHECK(refuse_end() == 1 && why && strcmp(why, strerror(ENOMEM)) == 0);
	}
	put_old();
	fail(OPEN, EACCES, false);	/* no /proc */
	CHECK(!dls__output_reserve(&out, place));
	dls__output_free(&out);
	fail(FCNTL, ENOLCK, false);	/* no such locks */
	CHECK(!dls__output_reserve(&out, place));
	dls__output_free(&out);
	if (tap_skip_if(access("/proc/self/comm", W_OK) != 0, "/proc cannot be written"))
		return;
	fail(FCNTL, EACCES, false);
	why = dls__output_reserve(&out, place);
	CHECK(why && strstr(why, "writes that file already"));
}

static void begin(void)
{
	strcpy(place, scratch("file"));
}

static void end(void)
{
	unlink(place);
	CHECK_EQ(rmdir(scratch_folder), 0);
}

TEST_MAIN(T(begin) T(in_place) T(unchanged) T(links) T(devices) T(names) T(end))
