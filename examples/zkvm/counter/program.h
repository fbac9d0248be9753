/* A program for rv32im in an ELF file: its memory, its symbols, and what each of its functions costs. */
#ifndef ZKVM_PROGRAM_H
#define ZKVM_PROGRAM_H

#include "machine.h"

#include <stddef.h>

/* The last function, "(other)", has the instructions that no symbol covers. */
typedef struct {
    const char *name;
    uint32_t address, bytes;
    counts counts; /* without pages */
} function;

typedef struct {
    const char *path;
    unsigned char *file;
    size_t size;
    size_t symbols, names; /* offsets of the sections in the file */
    size_t symbol_count, names_size;
    function *functions; /* sorted by address */
    size_t function_count;
    function *current; /* the function of the last instruction */
} program;

/* Read a file, and put its segments and its entry into the machine. */
program program_load(const char *path, machine *m);

void program_free(program *p);

/* Return the function of an instruction. */
function *program_function(program *p, uint32_t pc);

/* Return the place of "SYMBOL" or "SYMBOL+OFFSET" in memory, where the symbol has that many bytes left. */
uint8_t *program_place(const program *p, const machine *m, const char *place, size_t bytes);

#endif
