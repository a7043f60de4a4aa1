/* ran.c - which schedule an execution ran under. */
#include <string.h>

#include "lib/observe/ran.h"

bool dls__ran_auto(const char *asked)
{
	if (strncmp(asked, "monotonic:", 10) == 0)
		asked += 10;
	else if (strncmp(asked, "nonmonotonic:", 13) == 0)
		asked += 13;
	return strncmp(asked, "auto", 4) == 0 && (asked[4] == 0 || asked[4] == ',');
}

bool dls__ran_native(const char *ran)
{
	return strcmp(ran, "native") == 0 || strcmp(ran, "parts") == 0;
}

const char *dls__ran_under(const char *asked, const char *ran, const char *why)
{
	return why || dls__ran_auto(asked) ? ran : asked;
}
