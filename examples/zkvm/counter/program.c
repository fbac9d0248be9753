/* Reading ELF files; see program.h. */
#include "program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Copy bytes of the file, which need not be aligned there. */
static void read_at(const program *p, uint64_t offset, void *to, size_t bytes)
{
    if (offset > p->size || bytes > p->size - offset)
        fail("%s is not a complete ELF file", p->path);
    memcpy(to, p->file + offset, bytes);
}

static void read_file(program *p)
{
    FILE *file = fopen(p->path, "rb");
    if (!file)
        fail("cannot read %s", p->path);
    for (size_t room = 0, count = 1; count; p->size += count) {
        if (p->size == room) {
            room = room ? 2 * room : 1 << 16;
            p->file = realloc(p->file, room);
            if (!p->file)
                fail("no memory for %s", p->path);
        }
        count = fread(p->file + p->size, 1, room - p->size, file);
    }
    const int incomplete = ferror(file);
    fclose(file);
    if (incomplete)
        fail("cannot read %s", p->path);
}

static Elf32_Ehdr read_header(const program *p)
{
    static const unsigned char expected[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB};
    Elf32_Ehdr header;
    if (p->size < sizeof header || memcmp(p->file, expected, sizeof expected))
        fail("%s is not an ELF file of 32 bits; compile with -march=rv32im -mabi=ilp32", p->path);
    read_at(p, 0, &header, sizeof header);
    if (header.e_machine != EM_RISCV || header.e_type != ET_EXEC)
        fail("%s is not a linked program for RISC-V", p->path);
    return header;
}

static void load_segments(const program *p, const Elf32_Ehdr *header, machine *m)
{
    for (uint32_t i = 0; i < header->e_phnum; i++) {
        Elf32_Phdr segment;
        read_at(p, header->e_phoff + (uint64_t)i * sizeof segment, &segment, sizeof segment);
        if (segment.p_type != PT_LOAD || segment.p_memsz == 0)
            continue;
        const uint64_t end = (uint64_t)segment.p_vaddr + segment.p_memsz;
        if (segment.p_vaddr < MEMORY_START || end > MEMORY_END || segment.p_filesz > segment.p_memsz)
            fail("%s has a segment that is not between 0x%x and 0x%x", p->path, MEMORY_START, MEMORY_END);
        read_at(p, segment.p_offset, m->memory + segment.p_vaddr, segment.p_filesz);
    }
}

static void find_symbols(program *p, const Elf32_Ehdr *header)
{
    for (uint32_t i = 0; i < header->e_shnum; i++) {
        Elf32_Shdr symbols, names;
        read_at(p, header->e_shoff + (uint64_t)i * sizeof symbols, &symbols, sizeof symbols);
        if (symbols.sh_type != SHT_SYMTAB)
            continue;
        read_at(p, header->e_shoff + (uint64_t)symbols.sh_link * sizeof names, &names, sizeof names);
        char last;
        read_at(p, (uint64_t)names.sh_offset + names.sh_size - 1, &last, 1);
        if (last || names.sh_size == 0)
            fail("%s has symbols without names", p->path);
        p->symbols = symbols.sh_offset;
        p->symbol_count = symbols.sh_size / sizeof(Elf32_Sym);
        p->names = names.sh_offset;
        p->names_size = names.sh_size;
    }
}

static Elf32_Sym symbol_at(const program *p, size_t number, const char **name)
{
    Elf32_Sym symbol;
    read_at(p, p->symbols + (uint64_t)number * sizeof symbol, &symbol, sizeof symbol);
    if (symbol.st_name >= p->names_size)
        fail("%s has symbols without names", p->path);
    *name = (const char *)p->file + p->names + symbol.st_name;
    return symbol;
}

static int by_address(const void *a, const void *b)
{
    const function *f = a, *g = b;
    return f->address < g->address ? -1 : f->address > g->address ? 1 : strcmp(f->name, g->name);
}

static void list_functions(program *p)
{
    p->functions = calloc(p->symbol_count + 1, sizeof *p->functions);
    if (!p->functions)
        fail("no memory for the symbols of %s", p->path);
    for (size_t i = 0; i < p->symbol_count; i++) {
        const char *name;
        const Elf32_Sym symbol = symbol_at(p, i, &name);
        if (ELF32_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size)
            p->functions[p->function_count++] = (function){name, symbol.st_value, symbol.st_size, {0}};
    }
    qsort(p->functions, p->function_count, sizeof *p->functions, by_address);
    p->current = &p->functions[p->function_count++];
    p->current->name = "(other)";
}

program program_load(const char *path, machine *m)
{
    program p = {.path = path};
    read_file(&p);
    const Elf32_Ehdr header = read_header(&p);
    load_segments(&p, &header, m);
    find_symbols(&p, &header);
    list_functions(&p);
    m->pc = header.e_entry;
    return p;
}

void program_free(program *p)
{
    free(p->functions);
    free(p->file);
}

static int around(const void *pc, const void *candidate)
{
    const uint32_t address = *(const uint32_t *)pc;
    const function *f = candidate;
    return address < f->address ? -1 : address - f->address >= f->bytes;
}

function *program_function(program *p, uint32_t pc)
{
    if (around(&pc, p->current)) {
        function *other = &p->functions[p->function_count - 1];
        function *found = bsearch(&pc, p->functions, p->function_count - 1, sizeof *found, around);
        p->current = found ? found : other;
    }
    return p->current;
}

uint8_t *program_place(const program *p, const machine *m, const char *place, size_t bytes)
{
    const size_t length = strcspn(place, "+");
    char *end = "";
    const unsigned long offset = place[length] ? strtoul(place + length + 1, &end, 0) : 0;
    if (*end)
        fail("%s: the offset after + has to be a number", place);
    for (size_t i = 0; i < p->symbol_count; i++) {
        const char *name;
        const Elf32_Sym symbol = symbol_at(p, i, &name);
        if (symbol.st_shndx == SHN_UNDEF || strncmp(name, place, length) || name[length])
            continue;
        if (offset > symbol.st_size || bytes > symbol.st_size - offset)
            fail("%s: %zu bytes do not fit into the %u of the symbol", place, bytes,
                 (unsigned)symbol.st_size);
        if (symbol.st_value < MEMORY_START || (uint64_t)symbol.st_value + symbol.st_size > MEMORY_END)
            fail("%s: the symbol's address is out of range", place);
        return m->memory + symbol.st_value + offset;
    }
    fail("%s has no symbol %.*s", p->path, (int)length, place);
}
