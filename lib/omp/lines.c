/* lines.c - the line of an address by .debug_line, DWARF versions 2 to 5, as gcc and clang write it.
 *
 * DWARF Debugging Information Format, version 5, 2017, section 6.2; names are the standard's.  Every read is checked against
 * the end of its unit or table; a read beyond it gives 0 and ends the unit.  Each operation and each entry of a table takes at
 * least one byte, so that damaged sections cost no more time than sound ones.
 * Departures: several operations in an instruction (VLIW) are not read; a row of line 0 has no line. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/omp/lines.h"

struct in {
	const uint8_t *at, *end;
	bool bad;		/* a read went beyond the end */
};

/* One unit of .debug_line. */
struct unit {
	unsigned version, offset_size, minimum_instruction_length, line_range, opcode_base;
	bool default_is_stmt;
	int line_base;
	const uint8_t *lengths;	/* of the standard operations' operands */
	struct in tables, program;
};

struct row {
	uint64_t address, file, line;
	bool is_stmt;
};

enum {	/* operations: standard, extended */
	LNS_COPY = 1, LNS_ADVANCE_PC, LNS_ADVANCE_LINE, LNS_SET_FILE, LNS_NEGATE_STMT = 6, LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC,
	LNE_END_SEQUENCE = 1, LNE_SET_ADDRESS,
};

enum { LNCT_PATH = 1 };

enum {
	FORM_BLOCK2 = 0x03, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_BLOCK1, FORM_DATA1,
	FORM_SDATA = 0x0d, FORM_STRP, FORM_UDATA, FORM_DATA16 = 0x1e, FORM_LINE_STRP,
};

static size_t left(const struct in *in)
{
	return (size_t)(in->end - in->at);
}

static void skip(struct in *in, uint64_t n)
{
	in->bad |= n > left(in);
	in->at = in->bad ? in->end : in->at + n;
}

/* The next n bytes; none if fewer are left. */
static struct in cut(struct in *in, uint64_t n)
{
	struct in part = { .at = in->at };

	skip(in, n);
	part.at = in->bad ? in->end : part.at;
	part.end = in->at;
	return part;
}

static uint64_t number(struct in *in, unsigned bytes)
{
	const uint8_t *at = in->at;
	uint16_t two = 0;
	uint32_t four = 0;
	uint64_t eight = 0;

	skip(in, bytes);
	if (in->bad)
		return 0;
	switch (bytes) {
	case 1:
		return *at;
	case 2:
		memcpy(&two, at, 2);
		return two;
	case 4:
		memcpy(&four, at, 4);
		return four;
	case 8:
		memcpy(&eight, at, 8);
		return eight;
	default:
		in->bad = true;
		return 0;
	}
}

/* A number of any length; bits beyond the 64th are lost. */
static uint64_t leb(struct in *in, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = number(in, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += shift < 64 ? 7 : 0;
	} while (byte & 0x80);
	return is_signed && byte & 0x40 && shift < 64 ? value | UINT64_MAX << shift : value;
}

/* A text that ends with a 0; NULL if none does. */
static const char *text(struct in *in)
{
	const char *start = (const char *)in->at;
	const uint8_t *end = left(in) ? memchr(in->at, 0, left(in)) : NULL;

	skip(in, end ? (uint64_t)(end - in->at) + 1 : UINT64_MAX);
	return end ? start : NULL;
}

/* The next unit; its version is 0 if it cannot be read.  False: there are no more. */
static bool next_unit(struct in *section, struct unit *u)
{
	uint64_t length = number(section, 4);
	bool wide = length == UINT32_MAX;

	*u = (struct unit){ .offset_size = wide ? 8 : 4 };
	if (wide)
		length = number(section, 8);

	struct in in = cut(section, length);

	if (section->bad)
		return false;

	unsigned version = (unsigned)number(&in, 2);

	if (version >= 5)
		skip(&in, 2);	/* sizes of addresses and of segment selectors */
	u->tables = cut(&in, number(&in, u->offset_size));
	u->program = in;
	u->minimum_instruction_length = (unsigned)number(&u->tables, 1);

	unsigned maximum_operations = version >= 4 ? (unsigned)number(&u->tables, 1) : 1;

	u->default_is_stmt = number(&u->tables, 1);
	u->line_base = (int8_t)number(&u->tables, 1);
	u->line_range = (unsigned)number(&u->tables, 1);
	u->opcode_base = (unsigned)number(&u->tables, 1);
	u->lengths = u->tables.at;
	skip(&u->tables, u->opcode_base ? u->opcode_base - 1 : 0);
	if (!u->tables.bad && version >= 2 && version <= 5 && maximum_operations == 1 && u->line_range && u->opcode_base)
		u->version = version;
	return true;
}

/* Skip the operands of an operation that does not change the row. */
static void skip_operands(const struct unit *u, struct in *in, unsigned operation)
{
	for (unsigned k = u->lengths[operation - 1]; k > 0; k--)
		leb(in, false);
}

/* Executes one operation.  Returns whether it makes a row; *ended: the row ends a sequence. */
static bool step(const struct unit *u, struct in *in, struct row *row, bool *ended)
{
	unsigned operation = (unsigned)number(in, 1), special;

	if (operation >= u->opcode_base) {
		special = operation - u->opcode_base;
		row->address += (uint64_t)(special / u->line_range) * u->minimum_instruction_length;
		row->line += (uint64_t)((int64_t)u->line_base + special % u->line_range);
		return !in->bad;
	}
	switch (operation) {
	case 0: {
		struct in extended = cut(in, leb(in, false));
		uint64_t which = number(&extended, 1);

		if (which == LNE_SET_ADDRESS)
			row->address = number(&extended, (unsigned)left(&extended));
		return *ended = which == LNE_END_SEQUENCE;
	}
	case LNS_COPY:
		return true;
	case LNS_ADVANCE_PC:
		row->address += leb(in, false) * u->minimum_instruction_length;
		return false;
	case LNS_ADVANCE_LINE:
		row->line += leb(in, true);
		return false;
	case LNS_SET_FILE:
		row->file = leb(in, false);
		return false;
	case LNS_NEGATE_STMT:
		row->is_stmt = !row->is_stmt;
		return false;
	case LNS_CONST_ADD_PC:
		row->address += (uint64_t)((255 - u->opcode_base) / u->line_range) * u->minimum_instruction_length;
		return false;
	case LNS_FIXED_ADVANCE_PC:
		row->address += number(in, 2);
		return false;
	default:
		skip_operands(u, in, operation);
		return false;
	}
}

/* The last row at or before `address` in a sequence that extends beyond it.  Of several rows at `address`,
 * the first: it is the function's, the others are its first statements.  statement: the last of the rows that
 * begin a statement. */
static bool find_row(const struct unit *u, uint64_t address, bool statement, struct row *found)
{
	const struct row begin = { 0, 1, 1, u->default_is_stmt };
	struct in in = u->program;
	struct row row = begin;
	bool within = false, linked = false;	/* in a sequence; at an address: dropped code is at 0 */

	*found = begin;
	while (left(&in) > 0) {
		bool ended = false;

		if (!step(u, &in, &row, &ended))
			continue;
		if (within && linked && found->address <= address && address < row.address)
			return true;
		if (!within || (statement ? row.is_stmt :
				row.address != found->address || row.address != address))
			*found = row;
		linked = within ? linked : row.address != 0;
		within = !ended;
		row = ended ? begin : row;
	}
	return false;
}

/* The last row at or before `address` that is of the file of the function that begins at `begin`, and not above
 * its first line.  False: it is not known, or that file is `file`. */
static bool find_own(const struct unit *u, uint64_t begin, uint64_t address, uint64_t file, struct row *found)
{
	const struct row first = { 0, 1, 1, u->default_is_stmt };
	struct in in = u->program;
	struct row row = first, head = { 0 };
	bool new = true, linked = false;	/* a sequence begins; as in find_row() */

	found->line = 0;
	while (left(&in) > 0) {
		bool ended = false;

		if (!step(u, &in, &row, &ended))
			continue;
		if (head.line && (ended || row.address > address))
			break;
		linked = new ? row.address != 0 : linked;
		if (linked && !ended && !head.line && row.address == begin)
			*found = head = row;
		else if (head.line && row.file == head.file && row.line > head.line)
			*found = row;
		new = ended;
		row = ended ? first : row;
	}
	return found->line > 0 && head.file != file;
}

/* The name of a file before version 5: directories, then files from number 1 on. */
static const char *old_file(struct in in, uint64_t wanted)
{
	const char *name = text(&in);

	while (name && *name)
		name = text(&in);
	while ((name = text(&in)) && *name && --wanted > 0)
		for (int k = 0; k < 3; k++)	/* directory, time, size */
			leb(&in, false);
	return name && wanted == 0 ? name : NULL;
}

/* The text at an offset of a section; NULL if there is none. */
static const char *string(struct dls__bytes file, const char *section, uint64_t offset)
{
	struct dls__bytes all = dls__elf_section(file, section);
	struct in in = { .at = all.at, .end = all.end };

	skip(&in, offset);
	return text(&in);
}

/* Passes over a value; returns it if it is `wanted` and a text. */
static const char *value(struct dls__bytes file, const struct unit *u, struct in *in, uint64_t form, bool wanted)
{
	uint64_t offset;

	switch (form) {
	case FORM_STRING:
		return text(in);
	case FORM_STRP:
	case FORM_LINE_STRP:
		offset = number(in, u->offset_size);
		return wanted ? string(file, form == FORM_STRP ? ".debug_str" : ".debug_line_str", offset) : NULL;
	case FORM_DATA1:
	case FORM_DATA2:
	case FORM_DATA4:
	case FORM_DATA8:
		skip(in, form == FORM_DATA1 ? 1 : form == FORM_DATA2 ? 2 : form == FORM_DATA4 ? 4 : 8);
		break;
	case FORM_DATA16:
		skip(in, 16);
		break;
	case FORM_UDATA:
	case FORM_SDATA:
		leb(in, false);
		break;
	case FORM_BLOCK:
		skip(in, leb(in, false));
		break;
	case FORM_BLOCK1:
	case FORM_BLOCK2:
	case FORM_BLOCK4:
		skip(in, number(in, form == FORM_BLOCK1 ? 1 : form == FORM_BLOCK2 ? 2 : 4));
		break;
	default:
		in->bad = true;
	}
	return NULL;
}

/* Entry `wanted` of a table of version 5, its path; the table is passed over if there is no such entry. */
static const char *entry(struct dls__bytes file, const struct unit *u, struct in *in, uint64_t wanted)
{
	unsigned fields = (unsigned)number(in, 1);
	struct in format = *in;
	const char *path = NULL;

	for (unsigned k = 0; k < 2 * fields; k++)
		leb(in, false);

	uint64_t n = leb(in, false);

	for (uint64_t i = 0; fields > 0 && i < n && i <= wanted && !in->bad; i++) {
		struct in each = format;

		path = NULL;
		for (unsigned k = 0; k < fields; k++) {
			uint64_t content = leb(&each, false);
			uint64_t form = leb(&each, false);
			const char *is = value(file, u, in, form, content == LNCT_PATH && i == wanted);

			path = content == LNCT_PATH ? is : path;
		}
	}
	return wanted < n && !in->bad ? path : NULL;
}

static const char *new_file(struct dls__bytes file, const struct unit *u, uint64_t wanted)
{
	struct in in = u->tables;

	entry(file, u, &in, UINT64_MAX);	/* the directories */
	return entry(file, u, &in, wanted);
}

/* Writes "base:line", if need be without its beginning. */
static int print(const char *path, uint64_t line, char *name, size_t size)
{
	char number_text[24];
	const char *slash = strrchr(path, '/');
	size_t n = (size_t)snprintf(number_text, sizeof(number_text), ":%" PRIu64, line), length;

	path = slash ? slash + 1 : path;
	length = strlen(path);
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < ' ')	/* damaged */
			return -1;
	if (size < n + 2)
		return -1;
	if (length > size - n - 1)
		path += length - (size - n - 1);
	while ((*path & 0xc0) == 0x80)	/* cut no UTF-8 character */
		path++;
	if (!*path)
		return -1;
	snprintf(name, size, "%s%s", path, number_text);
	return 0;
}

static int name_in(struct dls__bytes file, uint64_t address, bool statement, char *name, size_t size)
{
	struct dls__bytes section = dls__elf_section(file, ".debug_line");
	struct in in = { .at = section.at, .end = section.end };
	struct unit u;
	struct row row, own;
	uint64_t begin;

	while (left(&in) > 0 && next_unit(&in, &u)) {
		if (u.version == 0 || !find_row(&u, address, statement, &row))
			continue;
		if (!statement && dls__elf_begin(file, address, &begin) && find_own(&u, begin, address, row.file, &own))
			row = own;

		const char *path = u.version >= 5 ? new_file(file, &u, row.file) : old_file(u.tables, row.file);

		return path && row.line > 0 && row.line <= INT32_MAX ? print(path, row.line, name, size) : -1;
	}
	return -1;
}

int dls__line_in(struct dls__bytes file, uint64_t address, char *name, size_t size)
{
	return name_in(file, address, false, name, size);
}

int dls__statement_in(struct dls__bytes file, uint64_t address, char *name, size_t size)
{
	return name_in(file, address, true, name, size);
}
