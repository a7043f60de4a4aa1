/* sized.c - descriptors and results whose first member is their size. */
#include <string.h>

#include "lib/base/reading.h"
#include "lib/base/sized.h"

/* Sizes that a caller may have set: room for `size` and one more member at least; a larger value than MOST
 * was never set. */
enum { LEAST = sizeof(size_t) + 1, MOST = 4096 };

size_t dls__sized_size(const void *sized)
{
	size_t size;

	memcpy(&size, sized, sizeof(size));
	return size < LEAST || size > MOST ? 0 : size;
}

/* Whether any of the bytes from `full` on is set. */
static bool sets_more(const void *sized, size_t size, size_t full)
{
	for (size_t i = full; i < size; i++)
		if (((const unsigned char *)sized)[i])
			return true;
	return false;
}

bool dls__sized_complete(const void *kept, size_t full)
{
	size_t size = dls__sized_size(kept);

	return size >= full && !sets_more(kept, size, full);
}

int dls__sized_read(void *to, size_t full, const void *from, const char *type, struct dls_parse_error *error)
{
	struct dls__input in = { { "", 0 }, error };
	size_t size = dls__sized_size(from);

	if (size == 0)
		return dls__refuse(&in, DLS_EINVAL, in.all, "size is not set: write .size = sizeof(struct %s)", type);
	if (sets_more(from, size, full))
		return dls__refuse(&in, DLS_EINVAL, in.all, "struct %s has %zu bytes, and sets some after the first %zu, "
				   "which are all that this version of the library knows", type, size, full);
	memset(to, 0, full);
	memcpy(to, from, size < full ? size : full);
	return 0;
}

int dls__sized_write(void *to, const void *from, size_t full)
{
	size_t size = to ? dls__sized_size(to) : 0, known = size < full ? size : full;

	if (size == 0)
		return DLS_EINVAL;
	memcpy((char *)to + sizeof(size), (const char *)from + sizeof(size), known - sizeof(size));
	memset((char *)to + known, 0, size - known);
	return 0;
}
