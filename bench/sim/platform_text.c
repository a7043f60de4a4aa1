/* platform_text.c - platforms in plain text, a line each:
 *
 *	host NAME SPEED [trace=FILE]
 *	router NAME
 *	cluster NAME HOSTS SPEED LATENCY BANDWIDTH [backbone LATENCY BANDWIDTH]
 *	link NAME LATENCY BANDWIDTH [shared | fatpipe | splitduplex]
 *	route FROM TO LINK...
 *
 * Routes go both ways; LINK of one that is splitduplex is NAME:up or NAME:down. */
#include "platform.h"

enum { WORDS = 80 };

static void read_host(char **word, size_t n)
{
	if (n != 3 && n != 4)
		platform_refuse(word[0], "not host NAME SPEED [trace=FILE]");
	platform_host(word[1], word[2], 0);
	if (n == 3)
		return;
	if (strncmp(word[3], "trace=", 6) != 0)
		platform_refuse(word[3], "not trace=FILE");
	platform_set_trace(word[1], platform_trace_file(word[3] + 6));
}

static void read_cluster(char **word, size_t n)
{
	struct platform_cluster c = { .name = word[1], .prefix = word[1], .suffix = "" };
	uint64_t hosts;

	if ((n != 6 && n != 9) || (n == 9 && strcmp(word[6], "backbone") != 0))
		platform_refuse(word[0], "not cluster NAME HOSTS SPEED LATENCY BANDWIDTH [backbone LATENCY BANDWIDTH]");
	if (!tool_is_whole(word[2], strlen(word[2]), &hosts) || hosts == 0 || hosts > 1000000)
		platform_refuse(word[2], "not a number of hosts from 1 to 1000000");
	c.radical = tool_held_string("0-%llu", (unsigned long long)hosts - 1);
	c.speed = word[3];
	c.latency = word[4];
	c.bandwidth = word[5];
	if (n == 9) {
		c.backbone_latency = word[7];
		c.backbone_bandwidth = word[8];
	}
	platform_cluster(&c);
}

static void read_link(char **word, size_t n)
{
	static const char *const text[] = { "shared", "fatpipe", "splitduplex" }, *const sharing[] = { "SHARED", "FATPIPE", "SPLITDUPLEX" };
	size_t i = 0;

	if (n != 4 && n != 5)
		platform_refuse(word[0], "not link NAME LATENCY BANDWIDTH [shared | fatpipe | splitduplex]");
	while (n == 5 && i < 3 && strcmp(word[4], text[i]) != 0)
		i++;
	if (i == 3)
		platform_refuse(word[4], "not shared, fatpipe or splitduplex");
	platform_link(word[1], word[2], word[3], sharing[i]);
}

static void read_route(char **word, size_t n)
{
	if (n < 4)
		platform_refuse(word[0], "not route FROM TO LINK...");
	platform_route(word[1], word[2], NULL, NULL, true);
	for (size_t i = 3; i < n; i++) {
		char *colon = strchr(word[i], ':');
		bool up = colon && strcmp(colon, ":up") == 0, down = colon && strcmp(colon, ":down") == 0;

		if (up || down)
			*colon = 0;
		platform_route_link(word[i], up ? "UP" : down ? "DOWN" : NULL);
	}
	platform_route_end();
}

static void read_line(char *line)
{
	static const struct {
		const char *name;
		void (*read)(char **word, size_t n);
	} what[] = { { "host", read_host }, { "cluster", read_cluster }, { "link", read_link }, { "route", read_route } };
	char *word[WORDS], *rest = line;
	size_t n = 0;

	while ((word[n] = strtok_r(rest, " \t\r\n", &rest)))
		if (++n == WORDS - 1)
			platform_refuse(word[0], "more than %d words", WORDS - 2);
	if (n == 0 || *word[0] == '#')
		return;
	if (strcmp(word[0], "router") == 0 && n == 2) {
		platform_router(word[1]);
		return;
	}
	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++)
		if (strcmp(what[i].name, word[0]) == 0) {
			what[i].read(word, n);
			return;
		}
	platform_refuse(word[0], "not host, router NAME, cluster, link or route");
}

void platform_text(FILE *in)
{
	struct tool_lines lines = { .option = "--platform", .file = platform_place.file, .in = in };

	platform_zone("platform", "Full");
	while (tool_line(&lines)) {
		platform_place.line = lines.line;
		read_line(lines.text);
	}
	platform_zone_end();
}
