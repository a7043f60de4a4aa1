/* rank_message.c - a line on stderr, with the rank. */
#include <stdarg.h>
#include <stdio.h>

#include "lib/base/writing.h"
#include "lib/mpi/ranks.h"

void dls__mpi_message(const struct dls_mpi *mpi, const char *format, ...)
{
	char text[512];
	va_list args;
	int n = snprintf(text, sizeof(text), "libdls-mpi: rank %d: ", mpi->rank);

	va_start(args, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, args);
	va_end(args);
	dls__write_line("%s\n", text);
}
