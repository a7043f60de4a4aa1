/* tables.c - ELF files made here, with line tables, symbols and notes that compilers seldom write: for lines.sh.  Prints what is
 * wrong; exit status 1 if anything is. */
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "lib/omp/lines.h"

enum { LINES = 2, STRINGS, SYMBOLS, NAMES, NOTE, SECTIONS };
enum { AT = 4096 };	/* address of the first row */
static const char names[] = "\0.names\0.debug_line\0.debug_str\0.symtab\0.strtab\0.note.gnu.build-id";
static const uint16_t name_at[SECTIONS] = { 0, 1, 8, 20, 31, 39, 47 };

static struct image {
	ElfW(Ehdr) header;
	ElfW(Shdr) section[SECTIONS];
	ElfW(Phdr) segment;
	char names[sizeof(names)];
	uint8_t bytes[2048];	/* of the other sections */
} image;
static size_t used;
static int wrong;

static struct dls__bytes whole(void)
{
	const uint8_t *at = (const uint8_t *)&image;

	return (struct dls__bytes){ at, at + sizeof(image) };
}

static void reset(void)
{
	const uint16_t one = 1;

	memset(&image, 0, sizeof(image));
	used = 0;
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = sizeof(ElfW(Addr)) == 8 ? ELFCLASS64 : ELFCLASS32;
	image.header.e_ident[EI_DATA] = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	image.header.e_shoff = offsetof(struct image, section);
	image.header.e_shentsize = sizeof(ElfW(Shdr));
	image.header.e_shnum = SECTIONS;
	image.header.e_shstrndx = 1;
	image.header.e_phoff = offsetof(struct image, segment);
	image.header.e_phentsize = sizeof(ElfW(Phdr));
	image.header.e_phnum = 1;
	memcpy(image.names, names, sizeof(names));
	for (unsigned i = 1; i < SECTIONS; i++)
		image.section[i] = (ElfW(Shdr)){ .sh_name = name_at[i], .sh_type = SHT_PROGBITS };
	image.section[1].sh_offset = offsetof(struct image, names);
	image.section[1].sh_size = sizeof(names);
}

static void put(const void *data, size_t size)
{
	memcpy(image.bytes + used, data, size);
	used += size;
}

static void begins(unsigned section)
{
	image.section[section].sh_offset = offsetof(struct image, bytes) + used;
}

static void ends(unsigned section)
{
	image.section[section].sh_size = offsetof(struct image, bytes) + used - image.section[section].sh_offset;
}

/* A length that counts from behind itself, at `at`. */
static void set_length(size_t at, bool wide)
{
	uint64_t n = used - at - (wide ? 8 : 4);
	uint32_t narrow = (uint32_t)n;

	memcpy(image.bytes + at, wide ? (void *)&n : (void *)&narrow, wide ? 8 : 4);
}

struct unit {
	unsigned version, range, base, operations;	/* 0: 5, 14, 13, 1 */
	bool wide;
	const char *files, *program;	/* NULL: a table of "a.c" and "b.c"; nothing */
	size_t files_size, program_size;
};
#define BYTES(text) text, sizeof(text) - 1

/* A file with one unit of lines: an address of AT, then the program. */
static void lines_of(struct unit u)
{
	static const char lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	static const char old[] = "dir\0\0a.c\0\1\0\0b.c\0\1\0\0";		/* ended by its own 0 */
	static const char new[] = "\1\1\x08\1dir\0\1\1\x08\2a.c\0b.c";		/* likewise */
	uint16_t version = (uint16_t)(u.version ? u.version : 5);
	uint32_t wide = UINT32_MAX;
	uint64_t address = AT;
	size_t begin, tables;

	begins(LINES);
	if (u.wide)
		put(&wide, 4);
	begin = used;
	used += u.wide ? 8 : 4;
	put(&version, 2);
	if (version >= 5)
		put("\x08\0", 2);
	tables = used;
	used += u.wide ? 8 : 4;
	put("\1", 1);
	if (version >= 4)
		put(&(char){ (char)(u.operations ? u.operations : 1) }, 1);
	put((char[]){ 1, -5, (char)(u.range == 255 ? 0 : u.range ? u.range : 14), (char)(u.base == 255 ? 0 : u.base ? u.base : 13) }, 4);
	put(lengths, sizeof(lengths));
	if (u.files)
		put(u.files, u.files_size);
	else if (version >= 5)
		put(new, sizeof(new));
	else
		put(old, sizeof(old));
	set_length(tables, u.wide);
	put("\0\x09\2", 3);
	put(&address, 8);
	if (u.program)
		put(u.program, u.program_size);
	set_length(begin, u.wide);
	ends(LINES);
}

/* The code and the name that were got; `want`: NULL if there is none. */
static void name_is(const char *what, int code, const char *name, const char *want)
{
	if (want ? code || strcmp(name, want) : code != -1) {
		printf("%s: code %d, \"%s\", not \"%s\"\n", what, code, name, want ? want : "none");
		wrong++;
	}
}

static void line_is(const char *what, unsigned address, size_t size, const char *want)
{
	char name[64] = "";
	int code = dls__line_in(whole(), address, name, size);

	name_is(what, code, name, want);
}

/* One unit, its line at AT + 1. */
static void unit_is(const char *what, struct unit u, const char *want)
{
	reset();
	lines_of(u);
	line_is(what, AT + 1, 64, want);
}

/* A row at AT, the next one 200 further on, the end of the sequence. */
#define ROWS "\1\2\xc8\1\1\0\1\1"
#define SOUND .program = ROWS, .program_size = sizeof(ROWS) - 1
#define PROGRAM(text) .program = text, .program_size = sizeof(text) - 1
#define FILES(text) .files = text, .files_size = sizeof(text) - 1

static void units(void)
{
	for (unsigned version = 2; version <= 5; version++)
		for (int wide = 0; wide < 2; wide++)
			unit_is("version", (struct unit){ version, .wide = wide, SOUND }, version < 5 ? "a.c:1" : "b.c:1");
	unit_is("version 1", (struct unit){ 1, SOUND }, NULL);
	unit_is("version 6", (struct unit){ 6, SOUND }, NULL);
	unit_is("several operations", (struct unit){ .operations = 2, SOUND }, NULL);
	unit_is("a range of 0", (struct unit){ .range = 255, SOUND }, NULL);
	unit_is("operations from 0 on", (struct unit){ .base = 255, SOUND }, NULL);
	unit_is("no rows", (struct unit){ .version = 4 }, NULL);
	unit_is("no end", (struct unit){ PROGRAM("\1\2\xc8") }, NULL);
	unit_is("line 0", (struct unit){ PROGRAM("\3\x7f" ROWS) }, NULL);
	unit_is("a line beyond 2^31", (struct unit){ PROGRAM("\3\x80\x80\x80\x80\x08" ROWS) }, NULL);
	unit_is("lines back", (struct unit){ PROGRAM("\3\x10\3\x78" ROWS) }, "b.c:9");
	unit_is("a number of 11 bytes", (struct unit){ PROGRAM("\3\x84\x80\x80\x80\x80\x80\x80\x80\x80\x80\0" ROWS) }, "b.c:5");
	unit_is("file 0", (struct unit){ PROGRAM("\4\0" ROWS) }, "a.c:1");
	unit_is("file 2 of 2", (struct unit){ PROGRAM("\4\2" ROWS) }, NULL);
	unit_is("file 2, version 3", (struct unit){ 3, PROGRAM("\4\2" ROWS) }, "b.c:1");
	unit_is("file 0, version 3", (struct unit){ 3, PROGRAM("\4\0" ROWS) }, NULL);
	unit_is("file 3 of 2, version 3", (struct unit){ 3, PROGRAM("\4\3" ROWS) }, NULL);
	unit_is("operations without a row", (struct unit){ PROGRAM("\6\7\x0a\x0b\x0c\5\0\2\x80\1" ROWS) }, "b.c:1");
	reset();
	lines_of((struct unit){ PROGRAM("\x09\x05\0\1\x14\x08\x15\x01\2\x64\1\0\1\1") });
	line_is("before the first row", AT + 4, 64, NULL);
	line_is("a fixed advance", AT + 5, 64, "b.c:1");
	line_is("a special row", AT + 6, 64, "b.c:3");
	line_is("an advance by a constant", AT + 23, 64, "b.c:6");
}

/* Rows at AT, AT + 4, which begins no statement, and AT + 8. */
static void statements(void)
{
	static const char *const want[] = { "b.c:5", "b.c:5", "b.c:7" };

	reset();
	lines_of((struct unit){ PROGRAM("\3\4\1" "\6\2\4\3\x7e\1" "\6\2\4\3\4\1" "\2\x64\0\1\1") });
	for (unsigned i = 0; i < 3; i++) {
		char name[64] = "";
		int code = dls__statement_in(whole(), AT + 4 * i + 1, name, sizeof(name));

		name_is("a statement", code, name, want[i]);
	}
	line_is("no statement", AT + 5, 64, "b.c:3");
}

static void files(void)
{
	unit_is("no tables", (struct unit){ FILES("") , SOUND }, NULL);
	unit_is("no fields", (struct unit){ FILES("\0\0\0\2"), SOUND }, NULL);
	unit_is("no end of directories", (struct unit){ 3, FILES("dir"), SOUND }, NULL);
	unit_is("no end of a file", (struct unit){ 3, FILES("\0a.c"), SOUND }, NULL);
	unit_is("a path", (struct unit){ 3, FILES("\0d/e/a.c\0\0\0\0\0"), SOUND }, "a.c:1");
	unit_is("a folder", (struct unit){ 3, FILES("\0d/e/\0\0\0\0\0"), SOUND }, NULL);
	unit_is("a control character", (struct unit){ 3, FILES("\0a\n.c\0\0\0\0\0"), SOUND }, NULL);
	/* A field of every form before the path; the second of two files. */
#define FIELD(form, first, second) (struct unit){ FILES("\0\0\2\x20" form "\1\x08\2" first "a.c\0" second "b.c\0"), SOUND }
	unit_is("data1", FIELD("\x0b", "x", "y"), "b.c:1");
	unit_is("data2", FIELD("\x05", "xx", "yy"), "b.c:1");
	unit_is("data4", FIELD("\x06", "xxxx", "yyyy"), "b.c:1");
	unit_is("data8", FIELD("\x07", "xxxxxxxx", "yyyyyyyy"), "b.c:1");
	unit_is("data16", FIELD("\x1e", "xxxxxxxxxxxxxxxx", "yyyyyyyyyyyyyyyy"), "b.c:1");
	unit_is("udata", FIELD("\x0f", "\x80\1", "\2"), "b.c:1");
	unit_is("sdata", FIELD("\x0d", "\x80\x7f", "\2"), "b.c:1");
	unit_is("string", FIELD("\x08", "xyz\0", "\0"), "b.c:1");
	unit_is("strp", FIELD("\x0e", "xxxx", "yyyy"), "b.c:1");
	unit_is("block", FIELD("\x09", "\3xyz", "\0"), "b.c:1");
	unit_is("block1", FIELD("\x0a", "\3xyz", "\1x"), "b.c:1");
	unit_is("block beyond the end", FIELD("\x0a", "\3xyz", "\xff"), NULL);
	unit_is("unknown form", FIELD("\x77", "x", "y"), NULL);
	if (*(const uint8_t *)&(uint16_t){ 1 }) {
		unit_is("block2", FIELD("\x03", "\3\0xyz", "\1\0x"), "b.c:1");
		unit_is("block4", FIELD("\x04", "\3\0\0\0xyz", "\0\0\0\0"), "b.c:1");
	}
	for (int good = 0; good < 2; good++) {	/* paths in .debug_str */
		reset();
		begins(STRINGS);
		put("xx\0x.c", 7);
		ends(STRINGS);
		lines_of((struct unit){ .files = good ? "\0\0\1\1\x0e\2\0\0\0\0\3\0\0\0" : "\0\0\1\1\x0e\2\0\0\0\0\3\3\3\3",
					.files_size = 14, SOUND });
		if (good == 0)
			line_is("a string beyond the section", AT + 1, 64, NULL);
		else if (*(const uint8_t *)&(uint16_t){ 1 })
			line_is("a string", AT + 1, 64, "x.c:1");
	}
	/* A name is cut at its beginning, not within a character. */
	reset();
	lines_of((struct unit){ 3, FILES("\0\xc3\xa4\xc3\xa4\xc3\xa4\0\0\0\0\0"), SOUND });
	line_is("room for all", AT + 1, 9, "\xc3\xa4\xc3\xa4\xc3\xa4:1");
	line_is("room for two and a half", AT + 1, 8, "\xc3\xa4\xc3\xa4:1");
	line_is("room for half a character", AT + 1, 4, NULL);
	line_is("room for the number", AT + 1, 3, NULL);
}

static void function_is(const char *what, unsigned address, size_t size, const char *want)
{
	char name[64] = "";
	int code = dls__elf_function(whole(), address, name, size);

	name_is(what, code, name, want);
}

static void symbol(uint32_t name, unsigned type, unsigned section, unsigned value, unsigned size)
{
	put(&(ElfW(Sym)){ .st_name = name, .st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type), .st_shndx = (uint16_t)section,
			  .st_value = value, .st_size = size }, sizeof(ElfW(Sym)));
}

static void symbols(void)
{
	reset();
	begins(NAMES);
	put("\0f\0go.part.0\0.x\0end", 19);
	ends(NAMES);
	begins(SYMBOLS);
	symbol(1, STT_OBJECT, 1, AT, 8);
	symbol(1, STT_FUNC, 0, AT, 8);
	symbol(1, STT_FUNC, 1, AT, 8);
	symbol(3, STT_FUNC, 1, AT + 8, 8);
	symbol(13, STT_FUNC, 1, AT + 16, 8);	/* begins with a point */
	symbol(16, STT_FUNC, 1, AT + 24, 8);	/* without an end */
	symbol(99, STT_FUNC, 1, AT + 32, 8);
	ends(SYMBOLS);
	function_is("a function", AT, 64, "f");
	function_is("its last byte", AT + 7, 64, "f");
	function_is("before the first", AT - 1, 64, NULL);
	function_is("up to a point", AT + 8, 64, "go");
	function_is("no room", AT + 8, 2, NULL);
	function_is("only a point", AT + 16, 64, NULL);
	function_is("no end of the name", AT + 24, 64, NULL);
	function_is("a name that is not there", AT + 32, 64, NULL);
}

static void identifier(uint32_t name_size, uint32_t size, uint32_t type, size_t want)
{
	struct dls__bytes id;

	reset();
	begins(NOTE);
	put(&(ElfW(Nhdr)){ name_size, size, type }, sizeof(ElfW(Nhdr)));
	put("GNU\0\x12\x34\x56\x78", 8);
	ends(NOTE);
	id = dls__elf_build_id(whole());
	if ((size_t)(id.end - id.at) != want) {
		printf("build id of %u, %u, %u: %zu bytes\n", name_size, size, type, (size_t)(id.end - id.at));
		wrong++;
	}
}

/* Whether there is a section of lines in a sound file of which the statement makes another one. */
#define CHECK_LINES(want, what, ...) \
	do { \
		struct dls__bytes found; \
\
		reset(); \
		lines_of((struct unit){ SOUND }); \
		__VA_ARGS__; \
		found = dls__elf_section(whole(), ".debug_line"); \
		if ((found.at < found.end) != want) { \
			printf("%s: there %s a section\n", what, want ? "is not" : "is"); \
			wrong++; \
		} \
	} while (0)

/* Numbers in the first entry. */
static void count_in_section_0(size_t sections)
{
	image.header.e_shnum = 0;
	image.section[0].sh_size = sections;
	image.header.e_shstrndx = SHN_XINDEX;
	image.section[0].sh_link = 1;
}

static void headers(void)
{
	uint64_t address;

	CHECK_LINES(true, "sound", (void)0);
	CHECK_LINES(false, "another kind of file", image.header.e_ident[0] = 0);
	CHECK_LINES(false, "another class", image.header.e_ident[EI_CLASS] ^= 3);
	CHECK_LINES(false, "another byte order", image.header.e_ident[EI_DATA] ^= 3);
	CHECK_LINES(false, "small entries", image.header.e_shentsize = 8);
	CHECK_LINES(false, "entries beyond the end", image.header.e_shoff = sizeof(image) + 1);
	CHECK_LINES(false, "names in no section", image.header.e_shstrndx = 99);
	CHECK_LINES(false, "names beyond the end", image.section[1].sh_size = sizeof(image));
	CHECK_LINES(false, "a name beyond the names", image.section[1].sh_size = 12);
	CHECK_LINES(false, "beyond the end", image.section[LINES].sh_size = sizeof(image));
	CHECK_LINES(false, "without bytes", image.section[LINES].sh_type = SHT_NOBITS);
	CHECK_LINES(false, "compressed", image.section[LINES].sh_flags = SHF_COMPRESSED);
	CHECK_LINES(true, "numbers in the first entry", count_in_section_0(SECTIONS));
	if (sizeof(image.section[0].sh_size) > 4)
		CHECK_LINES(false, "too many sections", image.header.e_shnum = 0, image.section[0].sh_size = (size_t)UINT32_MAX + 1);
	CHECK_LINES(false, "more entries than there are bytes", image.header.e_shnum = 0xfff0, image.section[LINES].sh_name = 0);

	image.segment = (ElfW(Phdr)){ .p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 100, .p_filesz = 50, .p_vaddr = 1000 };
	wrong += dls__elf_address(whole(), 99, &address) || dls__elf_address(whole(), 150, &address);
	wrong += !dls__elf_address(whole(), 149, &address) || address != 1049;
	image.segment.p_flags = PF_R;
	wrong += dls__elf_address(whole(), 149, &address);
	image.segment.p_type = PT_NOTE;
	wrong += dls__elf_address(whole(), 149, &address);
	image.header.e_phoff = sizeof(image);
	wrong += dls__elf_address(whole(), 149, &address);
	image.header.e_ident[0] = 0;
	wrong += dls__elf_address(whole(), 149, &address);

	identifier(4, 4, NT_GNU_BUILD_ID, 4);
	identifier(4, 5, NT_GNU_BUILD_ID, 0);
	identifier(3, 4, NT_GNU_BUILD_ID, 0);
	identifier(4, 4, NT_GNU_BUILD_ID + 1, 0);
}

int main(void)
{
	units();
	statements();
	files();
	symbols();
	headers();
	if (wrong)
		printf("%d wrong\n", wrong);
	return wrong > 0;
}
