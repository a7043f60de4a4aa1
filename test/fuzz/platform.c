/* platform.c - libFuzzer target: any bytes as a platform, in XML or plain text, are refused in one line, or are a machine with links of
 * at least 0 s and more than 0 bytes per s, with a route of theirs between any two hosts, and speeds above 0 at all times. */
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>

#include "bench/sim/platform.c"
#include "bench/sim/platform_xml.c"
#include "test/fuzz/fuzz.h"

struct sim sim;
static jmp_buf refused;

/* What was under way is lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

_Noreturn void __wrap_tool_die(int code, const char *format, ...);
_Noreturn void __wrap_tool_die(int code, const char *format, ...)
{
	char text[2000];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	MUST(code == TOOL_USAGE && *text && !strpbrk(text, "\n\r") && strlen(text) < 1000);
	longjmp(refused, 1);
}

static int alike(const void *a, const void *b)
{
	return (void)a, (void)b, 0;
}

static void forget_names(struct platform_names *names)
{
	while (names->tree) {
		void *named = *(void **)names->tree;

		tdelete(named, &names->tree, alike);
		free(named);
	}
}

static void forget(void)
{
	forget_names(&p.node_names);
	forget_names(&p.link_names);
	for (size_t i = 0; i < p.nodes; i++)
		free(p.node[i].name);
	for (size_t i = 0; i < p.ways; i++)
		free(p.way[i].link);
	for (size_t i = 0; i < p.links; i++)
		free(p.link_name[i]);
	free(p.node);
	free(p.way);
	free(p.link);
	free(p.link_name);
	free(p.twin);
	free(p.host);
	free(p.speed);
	memset(&p, 0, sizeof(p));
	p.open = NONE;
#ifdef SIM_EXPAT
	if (x.parser)
		XML_ParserFree(x.parser);
	forget_names(&x.names);
	free(x.file);
	memset(&x, 0, sizeof(x));
#endif
}

static void check(void)
{
	for (size_t i = 0; i < p.links; i++)
		MUST(p.link[i].latency >= 0 && p.link[i].latency <= 1e9 && p.link[i].bandwidth > 0 && isfinite(p.link[i].bandwidth));
	for (unsigned i = 0; i < p.hosts && i < 20; i++) {
		uint64_t time = 0, until = 0;

		MUST(p.speed[i] > 0 && p.speed[i] <= 1);
		for (unsigned k = 0; k < p.hosts && k < 20; k++) {
			unsigned link[DLS_ROUTE_MAX], n = route(NULL, i, k, link);

			MUST(n <= DLS_ROUTE_MAX);
			while (n--)
				MUST(link[n] < p.links);
		}
		for (unsigned k = 0; k < 20 && until < UINT64_MAX; k++, time = until)
			MUST(factor_at(NULL, i, time, &until) > 0 && until > time);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");

	MUST(in);
	platform_place = (struct place){ .file = "x" };
	if (!setjmp(refused)) {
		read_from(in);
		check();
	}
	fclose(in);
	forget();
	return 0;
}
