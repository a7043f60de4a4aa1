/* output.c - output files: how they are written, and replaced as a whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/writing.h"
#include "lib/observe/output.h"

/* Create a file beside a place; -1: errno says why not.  A process with the same id, killed or on another host, may have
 * left a file of the same name. */
static int open_new(const char *place, mode_t mode, char **name)
{
	enum { TRIES = 1000 };
	static atomic_uint calls;
	size_t room = strlen(place) + 64;
	int fd = -1;

	*name = malloc(room);
	errno = *name ? EEXIST : ENOMEM;
	for (unsigned i = 0; i < TRIES && fd < 0 && errno == EEXIST; i++) {
		/* relaxed: a number that must only be new. */
		snprintf(*name, room, "%s.dls-%lld-%u", place, (long long)getpid(),
			 atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed));
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
	}
	return fd;
}

/* Create a file beside the one to be replaced, with the same owner and rights. */
static int open_aside(const char *place, char **name)
{
	struct stat info, mine;
	bool old = stat(place, &info) == 0, alike;
	int fd = open_new(place, old ? 0600 : 0666, name);

	if (fd < 0 || !old)
		return fd;
	alike = fstat(fd, &mine) == 0 && ((mine.st_uid == info.st_uid && mine.st_gid == info.st_gid) ||
					  fchown(fd, info.st_uid, info.st_gid) == 0);
	if (alike && fchmod(fd, info.st_mode & 07777) == 0)
		return fd;
	close(fd);
	unlink(*name);
	errno = EPERM;
	return -1;
}

/* Open the file itself, to overwrite it.  Opening a FIFO waits for its reader. */
static int open_in_place(const struct dls__output *out)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(out->place, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0 || !out->aside)
		return fd;
	fcntl(fd, F_SETLKW, &lock);	/* until it is closed, so that no other process writes into it */
	if (ftruncate(fd, 0) == 0)
		return fd;
	close(fd);
	return -1;
}

int dls__output_write(struct dls__output *out, void (*write)(FILE *, const void *), const void *arg)
{
	char *aside = NULL;
	int fd = -1, code;

	if (out->descriptor >= 0) {
		dls__write_after_stdout();
		fd = fcntl(out->descriptor, F_DUPFD_CLOEXEC, 3);
		return fd < 0 ? errno : dls__write_stream(fd, write, arg);
	}
	if (out->aside && (fd = open_aside(out->place, &aside)) >= 0) {
		code = dls__write_stream(fd, write, arg);
		if (code == 0 && rename(aside, out->place) == 0) {
			free(aside);
			return 0;
		}
		code = code ? code : errno;
		unlink(aside);
		/* These codes: files of the folder must not be replaced, or the file is a mount point. */
		fd = code == EBUSY || code == EPERM || code == EACCES ? open_in_place(out) : -1;
	} else {
		/* A folder that accepts no new file may hold a writable one; after other failures writing in
		 * place would fail, too. */
		code = errno;
		if (!out->aside || code == EACCES || code == EPERM || code == EROFS || code == ENAMETOOLONG) {
			fd = open_in_place(out);
			code = errno;
		}
	}
	free(aside);
	return fd < 0 ? code : dls__write_stream(fd, write, arg);
}
