/* load.c - libFuzzer target: any bytes in a file of tasks or of times are refused with a message, or all of their lines are
 * read, and read back as the same. */
#include "bench/tool/tool.h"
#include "test/fuzz/fuzz.h"

static size_t read_bytes(const void *data, size_t size, const struct tool_field *field, size_t fields, double **value,
			 struct tool_fault *fault)
{
	FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
	size_t lines;

	MUST(in);
	lines = tool_read(in, field, fields, value, fault);
	fclose(in);
	return lines;
}

static void accepted(const struct tool_field *field, size_t fields, const double *value, size_t lines)
{
	char *text = malloc(lines * fields * 32 + 1), *at = text;
	struct tool_fault fault;
	double *again;

	MUST(text);
	for (size_t i = 0; i < lines * fields; i++) {
		MUST(value[i] >= field[i % fields].min && value[i] <= field[i % fields].max);
		at += sprintf(at, field[i % fields].whole ? "%.0f%c" : "%.17g%c", value[i], (i + 1) % fields ? ' ' : '\n');
	}
	MUST(read_bytes(text, (size_t)(at - text), field, fields, &again, &fault) == lines);
	for (size_t i = 0; i < lines * fields; i++)
		MUST(again[i] == value[i]);
	free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct tool_field field[] = { { "processor", 0, 16777215, true }, { "time in seconds", 0, 1e9, false } };
	size_t ends = 0;

	for (size_t i = 0; i < size; i++)
		ends += data[i] == '\n';
	for (size_t fields = 1; fields <= 2; fields++) {
		struct tool_fault fault;
		double *value;
		size_t lines = read_bytes(data, size, field + 2 - fields, fields, &value, &fault);

		MUST(!lines == !value && !lines == (fault.code == TOOL_USAGE));
		if (lines) {
			MUST(fault.code == 0 && lines == ends + (data[size - 1] != '\n') && !memchr(data, 0, size));
			accepted(field + 2 - fields, fields, value, lines);
			free(value);
		} else {
			fuzz_line(fault.what, sizeof(fault.what));
		}
	}
	return 0;
}
