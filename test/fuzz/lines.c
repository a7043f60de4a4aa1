/* lines.c - libFuzzer target: in any ELF file, any .debug_line and any table of symbols a line and a function are found or not,
 * without harm and in little time.
 *
 * By its first byte the input is a whole file, a section, or what follows a sound header of a unit of some version. */
#include <elf.h>

#include "lib/omp/lines.h"
#include "test/fuzz/fuzz.h"

static const char names[] = "\0.debug_line\0.debug_line_str\0.debug_str\0.symtab\0.strtab";
enum { LINES = 2, SYMBOLS = 5, STRINGS };

struct image {
	Elf64_Ehdr header;
	Elf64_Shdr section[7];	/* none, names, .debug_line, .debug_line_str, .debug_str, .symtab, .strtab */
	Elf64_Sym symbol;
	char text[sizeof(names)];
	char files[16];
};

static Elf64_Shdr section(uint32_t name, size_t offset, size_t size)
{
	return (Elf64_Shdr){ .sh_name = name, .sh_type = SHT_PROGBITS, .sh_offset = offset, .sh_size = size };
}

/* A file with that section, which is the last of it, so that a byte too far is outside. */
static uint8_t *image(int which, const void *data, size_t size)
{
	const uint16_t one = 1;
	struct image i = {
		.header = { .e_shoff = offsetof(struct image, section), .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 7, .e_shstrndx = 1 },
		.section = {
			[1] = section(0, offsetof(struct image, text), sizeof(names)),
			[LINES] = section(1, 0, 0),
			[3] = section(13, offsetof(struct image, files), 11),
			[4] = section(29, offsetof(struct image, files), 11),
			[SYMBOLS] = section(40, offsetof(struct image, symbol), sizeof(Elf64_Sym)),
			[STRINGS] = section(48, offsetof(struct image, files), 11),
		},
		.symbol = { .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC), .st_shndx = 1, .st_value = 4096, .st_size = 200 },
		.files = "a.c\0d/b.c",
	};
	uint8_t *file = malloc(sizeof(i) + size);

	MUST(file);
	i.section[which].sh_offset = sizeof(i);
	i.section[which].sh_size = size;
	memcpy(i.header.e_ident, ELFMAG, SELFMAG);
	i.header.e_ident[EI_CLASS] = ELFCLASS64;
	i.header.e_ident[EI_DATA] = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;
	memcpy(i.text, names, sizeof(names));
	memcpy(file, &i, sizeof(i));
	if (size)
		memcpy(file + sizeof(i), data, size);
	return file;
}

/* A unit with tables, and the input as its program; or as its tables and its program, of which its first byte says the length. */
static size_t unit(uint8_t *to, unsigned version, bool wide, bool tables, const uint8_t *data, size_t size)
{
	static const uint8_t set[] = { 0, 9, 2, 0, 16, 0, 0, 0, 0, 0, 0 };	/* an address of 4096 */
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	static const uint8_t old[] = "\0a.c\0\0\0\0d/b.c\0\0\0\0";
	static const uint8_t new[] = { 1, 1, 8, 1, '.', 0, 2, 1, 0x1f, 2, 0x0b, 2, 0, 0, 0, 0, 1, 4, 0, 0, 0, 2 };
	uint8_t body[1024], *at = body, *length;
	size_t cut = tables && size ? (data[0] < size ? data[0] : size) : 0;
	uint64_t n;

	memcpy(at, &(uint16_t){ (uint16_t)version }, 2);
	at += 2;
	if (version >= 5) {
		*at++ = 8;
		*at++ = 0;
	}
	length = at;
	at += wide ? 8 : 4;
	*at++ = 1;
	if (version >= 4)
		*at++ = 1;
	memcpy(at, (uint8_t[]){ 1, (uint8_t)-5, 14, 13 }, 4);
	at += 4;
	memcpy(at, lengths, 12);
	at += 12;
	n = tables ? cut : version >= 5 ? sizeof(new) : sizeof(old);
	if (n)
		memcpy(at, tables ? data : version >= 5 ? new : old, n);
	at += n;
	n = (uint64_t)(at - length) - (wide ? 8 : 4);
	memcpy(length, &n, wide ? 8 : 4);	/* little-endian: the lower half */
	memcpy(at, set, sizeof(set));
	at += sizeof(set);
	if (size > cut)
		memcpy(at, data + cut, size - cut);
	at += size - cut;

	n = (uint64_t)(at - body);
	memset(to, 0xff, 4);
	memcpy(to + (wide ? 4 : 0), &n, wide ? 8 : 4);
	memcpy(to + (wide ? 12 : 4), body, n);
	return n + (wide ? 12 : 4);
}

/* Whether a name is "file:line", or its end. */
static void named(const char *name, size_t size)
{
	const char *end = memchr(name, 0, size), *colon = end ? strrchr(name, ':') : NULL;

	MUST(end && !strchr(name, '/') && colon && colon > name);
	MUST(colon[1] >= '1' && colon[1] <= '9' && strspn(colon + 1, "0123456789") == (size_t)(end - colon - 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t addresses[] = { 0, 4096, 4097, 4200, 70000, UINT64_MAX };
	uint8_t *file, lines[2048];
	size_t all;

	if (size == 0 || size > 700)
		return 0;

	unsigned kind = *data++;

	size--;
	if (kind % 16 == 0) {
		file = malloc(size ? size : 1);
		MUST(file);
		memcpy(file, data, all = size);
	} else if (kind % 16 == 1 || kind % 16 > 13) {
		file = image(kind % 16 == 1 ? LINES : kind % 16 == 14 ? SYMBOLS : STRINGS, data, size);
		all = sizeof(struct image) + size;
	} else {
		size_t n = unit(lines, 2 + kind % 4, kind & 16, kind & 32, data, size);

		file = image(LINES, lines, n);
		all = sizeof(struct image) + n;
	}
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		for (size_t room = 3; room <= 66; room += 21) {
			char *name = malloc(room);	/* no byte more */
			struct dls__bytes whole = { file, file + all };
			uint64_t address;

			MUST(name);
			if (dls__line_in(whole, addresses[i], name, room) == 0)
				named(name, room);
			if (dls__statement_in(whole, addresses[i], name, room) == 0)
				named(name, room);
			if (dls__elf_function(whole, addresses[i], name, room) == 0)
				MUST(memchr(name, 0, room) && *name && !strchr(name, '.'));
			free(name);
			MUST(dls__elf_build_id(whole).end <= whole.end);
			dls__elf_address(whole, addresses[i], &address);
		}
	free(file);
	return 0;
}
