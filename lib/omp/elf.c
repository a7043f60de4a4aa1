/* elf.c - finds sections, segments, symbols and the build id of an ELF file in memory. */
#include <link.h>
#include <string.h>

#include "lib/omp/elf.h"

/* The `size` bytes at `offset`; false: they do not lie within the file. */
static bool part(struct dls__bytes file, uint64_t offset, uint64_t size, struct dls__bytes *found)
{
	uint64_t all = (uint64_t)(file.end - file.at);

	if (offset > all || size > all - offset)
		return false;
	*found = (struct dls__bytes){ file.at + offset, file.at + offset + size };
	return true;
}

static bool copy(struct dls__bytes file, uint64_t offset, void *to, size_t size)
{
	struct dls__bytes from;

	if (!part(file, offset, size, &from))
		return false;
	memcpy(to, from.at, size);
	return true;
}

static bool read_header(struct dls__bytes file, ElfW(Ehdr) *h)
{
	const uint16_t one = 1;
	unsigned char order = *(const unsigned char *)&one ? ELFDATA2LSB : ELFDATA2MSB;

	return copy(file, 0, h, sizeof(*h)) && memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 &&
	       h->e_ident[EI_CLASS] == (sizeof(ElfW(Addr)) == 8 ? ELFCLASS64 : ELFCLASS32) && h->e_ident[EI_DATA] == order;
}

/* The i-th entry of a table of the file. */
static bool entry(struct dls__bytes file, uint64_t table, unsigned step, uint64_t i, void *to, size_t size)
{
	return step >= size && table <= (uint64_t)(file.end - file.at) && copy(file, table + i * step, to, size);
}

/* Whether a section's name, which is at `offset` in the table of names, is `name`. */
static bool is_named(struct dls__bytes names, uint64_t offset, const char *name)
{
	struct dls__bytes here;

	return part(names, offset, strlen(name) + 1, &here) && strcmp((const char *)here.at, name) == 0;
}

struct dls__bytes dls__elf_section(struct dls__bytes file, const char *name)
{
	struct dls__bytes none = { file.end, file.end }, names, found;
	ElfW(Ehdr) h;
	ElfW(Shdr) s;

	if (!read_header(file, &h) || !entry(file, h.e_shoff, h.e_shentsize, 0, &s, sizeof(s)))
		return none;

	/* Numbers that do not fit the header are in the first entry of the section table. */
	uint64_t n = h.e_shnum ? h.e_shnum : s.sh_size, names_at = h.e_shstrndx == SHN_XINDEX ? s.sh_link : h.e_shstrndx;

	if (n > UINT32_MAX || !entry(file, h.e_shoff, h.e_shentsize, names_at, &s, sizeof(s)) ||
	    !part(file, s.sh_offset, s.sh_size, &names))
		return none;
	for (uint64_t i = 1; i < n && entry(file, h.e_shoff, h.e_shentsize, i, &s, sizeof(s)); i++)
		if (is_named(names, s.sh_name, name))
			return s.sh_type != SHT_NOBITS && !(s.sh_flags & SHF_COMPRESSED) &&
			       part(file, s.sh_offset, s.sh_size, &found) ? found : none;
	return none;
}

bool dls__elf_address(struct dls__bytes file, uint64_t offset, uint64_t *address)
{
	ElfW(Ehdr) h;
	ElfW(Phdr) p;

	if (!read_header(file, &h))
		return false;
	for (uint64_t i = 0; i < h.e_phnum && entry(file, h.e_phoff, h.e_phentsize, i, &p, sizeof(p)); i++)
		if (p.p_type == PT_LOAD && p.p_flags & PF_X && offset >= p.p_offset && offset - p.p_offset < p.p_filesz) {
			*address = p.p_vaddr + (offset - p.p_offset);
			return true;
		}
	return false;
}

static bool covers(const ElfW(Sym) *s, uint64_t address)
{
	/* ELF32 and ELF64 have the type in the same four bits. */
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && address >= s->st_value &&
	       address - s->st_value < s->st_size;
}

/* Looks an address up in one symbol table; `names` has the symbols' names. */
static int function_in(struct dls__bytes table, struct dls__bytes names, uint64_t address, char *name, size_t size)
{
	ElfW(Sym) s;

	for (uint64_t at = 0; copy(table, at, &s, sizeof(s)); at += sizeof(s)) {
		uint64_t all = (uint64_t)(names.end - names.at), n = 0;
		const char *text;

		if (!covers(&s, address) || s.st_name >= all)
			continue;
		text = (const char *)names.at + s.st_name;
		while (n < all - s.st_name && text[n] && text[n] != '.')
			n++;
		if (n == 0 || n == all - s.st_name || n >= size)
			continue;
		memcpy(name, text, n);
		name[n] = 0;
		return 0;
	}
	return -1;
}

int dls__elf_function(struct dls__bytes file, uint64_t address, char *name, size_t size)
{
	int code = function_in(dls__elf_section(file, ".symtab"), dls__elf_section(file, ".strtab"), address, name, size);

	return code ? function_in(dls__elf_section(file, ".dynsym"), dls__elf_section(file, ".dynstr"), address, name, size) : 0;
}

bool dls__elf_begin(struct dls__bytes file, uint64_t address, uint64_t *begin)
{
	struct dls__bytes table = dls__elf_section(file, ".symtab");
	ElfW(Sym) s;

	for (uint64_t at = 0; copy(table, at, &s, sizeof(s)); at += sizeof(s))
		if (covers(&s, address)) {
			*begin = s.st_value;
			return true;
		}
	return false;
}

struct dls__bytes dls__elf_build_id(struct dls__bytes file)
{
	struct dls__bytes none = { file.end, file.end }, note = dls__elf_section(file, ".note.gnu.build-id"), id;
	ElfW(Nhdr) h;

	if (!copy(note, 0, &h, sizeof(h)) || h.n_type != NT_GNU_BUILD_ID || h.n_namesz != 4)
		return none;
	return part(note, sizeof(h) + 4, h.n_descsz, &id) ? id : none;
}
