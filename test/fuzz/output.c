/* output.c - libFuzzer target: any name of an output file is refused with a message, or its letters are replaced, and where it
 * leads is found without a file being made. */
#include <unistd.h>

#include "lib/observe/output.h"
#include "test/fuzz/fuzz.h"

/* Take what is to be there from the beginning of a name. */
static void take(const char **name, const char *want)
{
	MUST(strncmp(*name, want, strlen(want)) == 0);
	*name += strlen(want);
}

static void replaced(const char *pattern, const char *name)
{
	char host[256] = "", number[24];

	MUST(gethostname(host, sizeof(host) - 1) == 0 && !strchr(host, '/'));
	sprintf(number, "%lld", (long long)getpid());
	for (const char *c = pattern; *c; c++)
		if (*c != '%')
			take(&name, (char[]){ *c, 0 });
		else
			take(&name, *++c == '%' ? "%" : *c == 'h' ? host : *c == 'p' ? number : "7");
	MUST(*name == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *pattern = fuzz_text("", data, size), *name;
	struct dls__output out;

	if (dls__output_unknown(pattern)) {
		const char *why = dls__output_reserve(&out, pattern);

		MUST(why);
		fuzz_line(why, 80);
	} else {
		name = dls__output_expand(pattern, 7);
		MUST(name);
		replaced(pattern, name);
		if (dls__output_find(&out, name) == 0) {
			MUST(*out.name == '/' && *out.place == '/');
			dls__output_free(&out);
		}
		free(name);
	}
	free(pattern);
	return 0;
}
