/* output_name.c - output files: expanding their names and finding their places without opening them. */
#define _GNU_SOURCE		/* asprintf(); F_OFD_SETLK, where there is one */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/observe/output.h"

enum { LINKS = 40, NUMBERS = 100000 };	/* links in a row; processes that share a name with %n in it */

/* The host's name as part of a file's. */
static void put_host(FILE *f)
{
	char host[256] = "";

	if (gethostname(host, sizeof(host) - 1) != 0 || !*host)
		strcpy(host, "localhost");
	for (const char *c = host; *c; c++)
		putc(*c == '/' ? '-' : *c, f);
}

const char *dls__output_unknown(const char *pattern)
{
	for (const char *c = pattern; (c = strchr(c, '%')); c += 2)
		if (!c[1] || !strchr("phn%", c[1]))
			return c;
	return NULL;
}

/* Whether a pattern has %n in it. */
static bool numbered(const char *pattern)
{
	for (const char *c = pattern; (c = strchr(c, '%')); c += 2)
		if (c[1] == 'n')
			return true;
	return false;
}

char *dls__output_expand(const char *pattern, unsigned n)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char *c = pattern; *c; c++)
		if (*c != '%')
			putc(*c, f);
		else if (*++c == 'h')
			put_host(f);
		else if (*c == '%')
			putc('%', f);
		else
			fprintf(f, "%lld", *c == 'p' ? (long long)getpid() : (long long)n);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

/* The absolute form of a name, so that chdir() does not matter; NULL: errno says why not. */
static char *from_root(const char *name)
{
	char here[PATH_MAX], *path;

	if (*name == '/')
		return strdup(name);
	return getcwd(here, sizeof(here)) && asprintf(&path, "%s/%s", here, name) >= 0 ? path : NULL;
}

/* The path of `file` in the folder of `name`; `file` itself if it is absolute.  NULL: there is no memory. */
static char *beside(const char *name, const char *file)
{
	int folder = *file == '/' ? 0 : (int)(strrchr(name, '/') - name) + 1;
	char *path;

	return asprintf(&path, "%.*s%s", folder, name, file) < 0 ? NULL : path;
}

/* The descriptor that a name stands for; -1: none. */
static int descriptor_of(const char *name)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	char *end;

	if (strcmp(name, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(name, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		size_t n = strlen(folders[i]);
		long fd;

		if (strncmp(name, folders[i], n) || name[n] < '0' || name[n] > '9')
			continue;
		fd = strtol(name + n, &end, 10);
		if (!*end && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

/* Follow the links of out->place, whether or not there is a file at their end.  Returns 0 or an errno. */
static int follow(struct dls__output *out)
{
	char link[PATH_MAX];

	for (int i = 0; i < LINKS; i++) {
		int fd = descriptor_of(out->place);
		ssize_t n;
		char *next;

		if (fd >= 0)	/* copied, since a file opened again would be overwritten from its beginning */
			return (out->descriptor = fcntl(fd, F_DUPFD_CLOEXEC, 3)) < 0 ? errno : 0;
		n = readlink(out->place, link, sizeof(link) - 1);
		if (n < 0)
			return 0;
		link[n] = 0;
		next = beside(out->place, link);
		if (!next)
			return ENOMEM;
		free(out->place);
		out->place = next;
	}
	return ELOOP;
}

static bool may(const char *name, int mode)
{
	return faccessat(AT_FDCWD, name, mode, AT_EACCESS) == 0;
}

/* Whether a missing file can be created in its folder. */
static int look_at_folder(const char *place)
{
	char *folder = beside(place, ".");
	int code = !folder ? ENOMEM : may(folder, W_OK | X_OK) ? 0 : errno;

	free(folder);
	return code;
}

/* Whether the file could be written, without opening it. */
static int look(struct dls__output *out)
{
	struct stat info;

	if (out->descriptor >= 0)
		return 0;
	if (stat(out->place, &info) != 0) {
		out->aside = true;
		return errno == ENOENT ? look_at_folder(out->place) : errno;
	}
	if (S_ISDIR(info.st_mode))
		return EISDIR;
	out->aside = S_ISREG(info.st_mode);
	return may(out->place, W_OK) ? 0 : errno;
}

int dls__output_find(struct dls__output *out, const char *name)
{
	int code;

	*out = (struct dls__output){ .descriptor = -1 };
	errno = ENOMEM;
	out->name = from_root(name);
	out->place = out->name ? strdup(out->name) : NULL;
	code = out->place ? follow(out) : errno;
	if (!code)
		code = look(out);
	if (code)
		dls__output_free(out);
	return code;
}

/* Take the first free name of a pattern with %n, by creating an empty file. */
static int find_number(struct dls__output *out, const char *pattern)
{
	for (unsigned n = 0; n < NUMBERS; n++) {
		char *name = dls__output_expand(pattern, n);
		int fd = name ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666) : -1;
		int code = !name ? ENOMEM : fd < 0 ? errno : dls__output_find(out, name);

		if (fd >= 0)
			close(fd);
		if (fd >= 0 && code)
			unlink(name);
		free(name);
		if (code != EEXIST)
			return code;
	}
	return EEXIST;
}

/* Reserve a file for this copy of the library; false: another copy in this process has reserved it.  The
 * copies cannot see each other, so the mark is a lock on one byte of a file that every process has: a lock
 * file beside the output would stay there if the process were killed.  If the system has no such file or
 * locks, nothing is reserved, and the copy that writes last wins. */
static bool reserve_in_process(const char *place)
{
#ifdef F_OFD_SETLK
	uint64_t hash = 0xcbf29ce484222325;	/* Fowler, Noll, Vo 1a */
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	int fd = open("/proc/self/comm", O_RDWR | O_CLOEXEC);
	bool taken;

	if (fd < 0)
		return true;
	for (const char *c = place; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 0x100000001b3;
	lock.l_start = (off_t)(hash & INT_MAX);
	if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
		return true;	/* the descriptor stays open, and keeps the lock */
	taken = errno == EAGAIN || errno == EACCES;
	close(fd);
	return !taken;
#else
	(void)place;
	return true;
#endif
}

/* Why the letters of a pattern cannot be replaced; NULL: they can. */
static const char *misspelled(const char *pattern)
{
	static char reason[80];
	const char *letter = dls__output_unknown(pattern);

	if (!letter)
		return NULL;
	snprintf(reason, sizeof(reason), "after %% stands p, h, n or %%, not %s",
		 !letter[1] ? "nothing" : letter[1] > ' ' && letter[1] <= '~' ? (char[]){ letter[1], 0 } : "that");
	return reason;
}

const char *dls__output_reserve(struct dls__output *out, const char *pattern)
{
	const char *reason = misspelled(pattern);
	char *name;
	int code;

	if (reason)
		return reason;
	if (numbered(pattern)) {
		code = find_number(out, pattern);
	} else {
		name = dls__output_expand(pattern, 0);
		code = name ? dls__output_find(out, name) : ENOMEM;
		free(name);
	}
	if (code)
		return strerror(code);
	if (!out->aside || reserve_in_process(out->place))
		return NULL;
	dls__output_free(out);
	return "this process writes that file already, by another variable or another copy of libdls";
}

void dls__output_free(struct dls__output *out)
{
	if (out->descriptor >= 0)
		close(out->descriptor);
	free(out->name);
	free(out->place);
	*out = (struct dls__output){ .descriptor = -1 };
}
