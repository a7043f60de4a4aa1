/* error.c - the texts of the error codes, and the version. */
#include "dls.h"

const char *dls_strerror(int code)
{
	static const char *const text[] = {
		"success",
		[-DLS_EINVAL] = "invalid argument",
		[-DLS_ERANGE] = "number out of range",
		[-DLS_ENOENT] = "no such name",
		[-DLS_EEXIST] = "name already taken",
		[-DLS_EBUSY] = "object in use",
		[-DLS_ENOMEM] = "out of memory",
		[-DLS_EAGAIN] = "the system refuses another thread",
		[-DLS_EIO] = "file cannot be written",
		[-DLS_EDEADLK] = "no processor can go on",
		[-DLS_ENODATA] = "there is none at the moment",
	};

	return code <= 0 && code > -(int)(sizeof(text) / sizeof(*text)) ? text[-code] : "unknown error";
}

const char *dls_version(void)
{
	return DLS_VERSION;
}
