/* dls/error.h - error codes, and how public symbols are declared. */
#ifndef DLS_ERROR_H
#define DLS_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
#define DLS__C_BEGIN extern "C" {
#define DLS__C_END }
#else
#define DLS__C_BEGIN
#define DLS__C_END
#endif

#define DLS_API __attribute__((__visibility__("default")))
/* A variable with this attribute begins a cache line; so does the block that a region copies to its threads,
 * if it contains one. */
#define DLS__LINE_BEGIN __attribute__((__aligned__(64)))

DLS__C_BEGIN

/** What a failing function returns: a negative code; success is 0. */
enum dls_error {
	DLS_EINVAL = -1,	/* an argument is malformed or contradicts another */
	DLS_ERANGE = -2,	/* a number is outside the range its place accepts */
	DLS_ENOENT = -3,	/* no schedule, parameter or site has that name */
	DLS_EEXIST = -4,	/* the name is taken */
	DLS_EBUSY = -5,		/* the object is in use */
	DLS_ENOMEM = -6,	/* out of memory */
	DLS_EAGAIN = -7,	/* the system cannot start another thread */
	DLS_EIO = -8,		/* a file cannot be written; errno says why */
	DLS_EDEADLK = -9,	/* no processor of a machine can go on although tasks are left, or one is sent to and fro for ever */
	DLS_ENODATA = -10	/* no task is queued at the moment */
};

/** The text of a code, in English, without a newline; for 0 and unknown codes too.
 *
 * The string is constant and must not be freed.  Threads: any. */
DLS_API const char *dls_strerror(int code);

/** What is wrong with a text, and where. */
struct dls_parse_error {
	size_t at, length;	/* the offending bytes of the text */
	char what[480];		/* what is wrong and what is accepted; one line */
};

DLS__C_END

#endif
