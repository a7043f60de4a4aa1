/* program.c - a loop and its result. */
#include <dls.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	long sum = 0;

	DLS_REDUCE(+, long, sum, i, 0, 1000)
		sum += i;
	puts(sum == 499500 && strcmp(dls_version(), DLS_VERSION) == 0 ? "right" : "wrong");
	return 0;
}
