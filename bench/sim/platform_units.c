/* platform_units.c - quantities of platforms, in the units of SimGrid. */
#include "platform.h"

struct unit {
	const char *name;
	double factor;
};

/* "1.5us" in SI units, from `least` to `most`: a number of C without blanks, and a unit or none. */
static double quantity(const char *text, const struct unit *unit, double least, double most, const char *what)
{
	char *end = (char *)(uintptr_t)text;
	double value = strspn(text, "0123456789+-.") ? strtod(text, &end) : NAN;

	if (end == text || memchr(text, 'x', (size_t)(end - text)) || memchr(text, 'X', (size_t)(end - text)))
		platform_refuse(text, "not a %s", what);
	for (; *end && unit->name; unit++)
		if (strcmp(end, unit->name) == 0) {
			value *= unit->factor;
			end = "";
			break;
		}
	if (*end || !(value >= least && value <= most))
		platform_refuse(text, "not a %s", what);
	return value;
}

double platform_seconds(const char *text)
{
	static const struct unit unit[] = { { "ps", 1e-12 }, { "ns", 1e-9 }, { "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { "m", 60 }, { "h", 3600 },
					    { "d", 86400 }, { "w", 604800 }, { NULL, 0 } };

	return quantity(text, unit, 0, 1e9, "time, such as 50us or 0.1ms, of at most 1e9 s; a number alone is of seconds");
}

double platform_bandwidth(const char *text)
{
	static const struct unit unit[] = {
		{ "Bps", 1 }, { "kBps", 1e3 }, { "MBps", 1e6 }, { "GBps", 1e9 }, { "TBps", 1e12 }, { "KiBps", 0x1p10 }, { "MiBps", 0x1p20 },
		{ "GiBps", 0x1p30 }, { "TiBps", 0x1p40 }, { "bps", .125 }, { "kbps", 125 }, { "Mbps", 1.25e5 }, { "Gbps", 1.25e8 },
		{ "Tbps", 1.25e11 }, { "Kibps", 0x1p7 }, { "Mibps", 0x1p17 }, { "Gibps", 0x1p27 }, { "Tibps", 0x1p37 }, { NULL, 0 }
	};

	return quantity(text, unit, 1e-9, 1e30, "bandwidth, such as 125MBps or 1Gbps; a number alone is of bytes per second");
}

double platform_speed(const char *text, uint64_t state)
{
	static const struct unit unit[] = { { "f", 1 }, { "kf", 1e3 }, { "Mf", 1e6 }, { "Gf", 1e9 }, { "Tf", 1e12 }, { "Pf", 1e15 }, { "Ef", 1e18 },
					    { NULL, 0 } };
	const char *next = text;
	double speed = 0;
	uint64_t n = 0;

	do {
		size_t length = strcspn(next, ",");
		char *one = tool_string("%.*s", (int)length, next);
		double value = quantity(one, unit, 1e-9, 1e30, "speed, such as 1Gf or 98.095Mf; a number alone is of flop per second");

		if (n++ == state)
			speed = value;
		next = next[length] ? next + length + 1 : NULL;
		free(one);
	} while (next);
	if (state >= n)
		platform_refuse(text, "has no speed for pstate %llu", (unsigned long long)state);
	return speed;
}

uint64_t platform_whole(const char *text, uint64_t least, uint64_t most, const char *what)
{
	uint64_t value;

	if (!tool_is_whole(text, strlen(text), &value) || value < least || value > most)
		platform_refuse(text, "not a %s from %llu to %llu", what, (unsigned long long)least, (unsigned long long)most);
	return value;
}
