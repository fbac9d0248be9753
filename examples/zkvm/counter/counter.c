/* Run a program for rv32im and report what it costs in a zkVM, as JSON.
 *
 *     cc -std=c11 -O2 -o counter counter.c machine.c modular.c program.c
 *     ./counter --input scalar=0x… --output point:64 guest.elf
 *
 * The guest calls by ECALL with a number in t0:
 *     0    halt with the status a0
 *     4    [a0] = [a2]·[a3] mod [a4], each of 8 words of 32 bits, least significant first
 *     100  mark: report the counts since the last mark as a row with the number a0
 */
#include "machine.h"
#include "program.h"

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "Usage: counter [OPTION]... PROGRAM\n"
    "Run a program for rv32im, an ELF file, and print its cycles in a zkVM as JSON.\n\n"
    "  --input SYMBOL[+OFFSET]=HEX     put bytes at a symbol before the run\n"
    "  --input SYMBOL[+OFFSET]=@FILE   put the bytes of a file there\n"
    "  --output SYMBOL[+OFFSET]:BYTES  report bytes at a symbol after the run\n"
    "  --limit N                       fail after N instructions (default: 1000000000)\n"
    "  --answers least|largest|random  what modular products are: the least congruent\n"
    "                                  number (default), the largest below 2^256, or any\n"
    "  --calls FIRST[-LAST]            let --answers apply to these calls alone, from 1 on\n"
    "  --seed N                        seed of random answers (default: 0)\n"
    "  --strict                        fail at a quotient of more than 256 bits\n"
    "  --linux                         take ECALL as Linux does (write, exit), print no\n"
    "                                  JSON, and exit with the program's status\n"
    "  --help                          print this text\n\n"
    "The exit status is 0 if the program halts, whatever its status, and 2 after an error.\n";

enum { MOST_PLACES = 64, MOST_PLACE = 256, MOST_MARKS = 4096 };

typedef struct {
    const char *path, *inputs[MOST_PLACES], *outputs[MOST_PLACES];
    int input_count, output_count;
    uint64_t limit;
    answers answers;
    int linux_calls;
} options;

typedef struct {
    uint32_t number;
    counts counts;
} row;

typedef struct {
    row marks[MOST_MARKS];
    size_t mark_count;
    uint32_t status;
} result;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("counter: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

/* Return the number at the head of a text, and the text after it. */
static uint64_t number(const char *option, const char *text, char **end)
{
    const uint64_t value = strtoull(text, end, 0);
    if (!isdigit((unsigned char)*text) || *end == text)
        fail("--%s: %s is not a number", option, text);
    return value;
}

static uint64_t whole_number(const char *option, const char *text)
{
    char *end;
    const uint64_t value = number(option, text, &end);
    if (*end)
        fail("--%s: %s is not a number", option, text);
    return value;
}

static answer_kind answer_called(const char *name)
{
    static const char *const names[] = {"least", "largest", "random"};
    for (int kind = ANSWER_LEAST; kind <= ANSWER_RANDOM; kind++)
        if (!strcmp(name, names[kind]))
            return (answer_kind)kind;
    fail("--answers: %s is neither least nor largest nor random", name);
}

static void read_calls(answers *how, const char *text)
{
    char *end;
    how->first = how->last = number("calls", text, &end);
    if (*end == '-')
        how->last = whole_number("calls", end + 1);
    else if (*end)
        fail("--calls: %s is not FIRST-LAST", text);
}

static void append(const char *places[], int *count, const char *place)
{
    if (*count == MOST_PLACES)
        fail("more than %d inputs or outputs", MOST_PLACES);
    places[(*count)++] = place;
}

static options read_options(int argc, char **argv)
{
    enum { INPUT, OUTPUT, LIMIT, ANSWERS, CALLS, SEED, STRICT, LINUX, HELP };
    static const struct option known[] = {
        {"input", 1, NULL, INPUT}, {"output", 1, NULL, OUTPUT}, {"limit", 1, NULL, LIMIT},
        {"answers", 1, NULL, ANSWERS}, {"calls", 1, NULL, CALLS}, {"seed", 1, NULL, SEED},
        {"strict", 0, NULL, STRICT}, {"linux", 0, NULL, LINUX}, {"help", 0, NULL, HELP},
        {NULL, 0, NULL, 0},
    };
    options o = {.limit = 1000000000, .answers = {.last = UINT64_MAX}};
    for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;)
        switch (option) {
        case INPUT: append(o.inputs, &o.input_count, optarg); break;
        case OUTPUT: append(o.outputs, &o.output_count, optarg); break;
        case LIMIT: o.limit = whole_number("limit", optarg); break;
        case ANSWERS: o.answers.kind = answer_called(optarg); break;
        case CALLS: read_calls(&o.answers, optarg); break;
        case SEED: o.answers.random = whole_number("seed", optarg); break;
        case STRICT: o.answers.strict = 1; break;
        case LINUX: o.linux_calls = 1; break;
        case HELP: fputs(USAGE, stdout); exit(0);
        default: exit(2); /* getopt_long has printed why */
        }
    if (argc - optind != 1)
        fail("give one program; --help lists the options");
    o.path = argv[optind];
    return o;
}

static int nibble(const char *input, char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = strchr(digits, tolower((unsigned char)digit));
    if (!digit || !found)
        fail("--input: %s has to end in pairs of hexadecimal digits", input);
    return (int)(found - digits);
}

/* Copy the text before a separator, and return the text after it. */
static const char *split(const char *text, const char *separator, char place[MOST_PLACE], const char *usage)
{
    const size_t length = strcspn(text, separator);
    if (!text[length] || length >= MOST_PLACE)
        fail("%s is not %s", text, usage);
    memcpy(place, text, length);
    place[length] = 0;
    return text + length + 1;
}

static void put_file(const program *p, const machine *m, const char *place, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        fail("--input: cannot read %s", path);
    const long bytes = ftell(file);
    rewind(file);
    const size_t size = bytes < 0 ? 0 : (size_t)bytes;
    if (bytes < 0 || fread(program_place(p, m, place, size), 1, size, file) != size)
        fail("--input: cannot read %s", path);
    fclose(file);
}

static void put_input(const program *p, const machine *m, const char *input)
{
    char place[MOST_PLACE];
    const char *value = split(input, "=", place, "--input SYMBOL=HEX");
    if (*value == '@') {
        put_file(p, m, place, value + 1);
        return;
    }
    const size_t bytes = strlen(value) / 2 + strlen(value) % 2;
    uint8_t *to = program_place(p, m, place, bytes);
    for (size_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(nibble(input, value[2 * i]) << 4 | nibble(input, value[2 * i + 1]));
}

/* Return the bytes at "SYMBOL:BYTES", their number, and the part before the colon. */
static const uint8_t *output_at(const program *p, const machine *m, const char *output,
                                char place[MOST_PLACE], size_t *bytes)
{
    *bytes = whole_number("output", split(output, ":", place, "--output SYMBOL:BYTES"));
    return program_place(p, m, place, *bytes);
}

static counts difference(counts a, counts b)
{
    return (counts){a.instructions - b.instructions, a.cycles - b.cycles, a.calls - b.calls,
                    a.page_ins - b.page_ins, a.page_outs - b.page_outs};
}

static void run(machine *m, program *p, uint64_t limit, result *r)
{
    counts last_mark = {0};
    for (machine_event event = MACHINE_RUNS; event != MACHINE_HALTED;) {
        const counts before = m->counts;
        function *f = program_function(p, m->pc);
        if (before.instructions >= limit)
            fail("no halt after %" PRIu64 " instructions, at pc 0x%08" PRIx32 " in %s; --limit allows more",
                 limit, m->pc, f->name);
        event = machine_step(m);
        f->counts.instructions += m->counts.instructions - before.instructions;
        f->counts.cycles += m->counts.cycles - before.cycles;
        f->counts.calls += m->counts.calls - before.calls;
        if (event == MACHINE_MARKED) {
            if (r->mark_count == MOST_MARKS)
                fail("more than %d marks", MOST_MARKS);
            r->marks[r->mark_count++] = (row){m->x[10], difference(m->counts, last_mark)};
            last_mark = m->counts;
        }
    }
    r->status = m->x[10];
}

/* Names of symbols may hold anything. */
static void print_string(const char *text)
{
    putchar('"');
    for (size_t i = 0; text[i]; i++)
        if (text[i] == '"' || text[i] == '\\' || !isprint((unsigned char)text[i]))
            printf("\\u%04x", (unsigned char)text[i]);
        else
            putchar(text[i]);
    putchar('"');
}

static void print_counts(counts c, int pages)
{
    printf("\"instructions\": %" PRIu64 ", \"cycles\": %" PRIu64, c.instructions, c.cycles);
    printf(", \"calls\": %" PRIu64, c.calls);
    if (pages)
        printf(", \"page_ins\": %" PRIu64 ", \"page_outs\": %" PRIu64, c.page_ins, c.page_outs);
    printf(", \"total\": %" PRIu64, total_cycles(c));
}

static void print_marks(const result *r)
{
    printf(",\n \"marks\": [");
    for (size_t i = 0; i < r->mark_count; i++) {
        printf("%s\n  {\"mark\": %" PRIu32 ", ", i ? "," : "", r->marks[i].number);
        print_counts(r->marks[i].counts, 1);
        putchar('}');
    }
    putchar(']');
}

static int most_cycles_first(const void *a, const void *b)
{
    const function *f = a, *g = b;
    const uint64_t c = total_cycles(f->counts), d = total_cycles(g->counts);
    return c != d ? (c < d) - (c > d) : strcmp(f->name, g->name);
}

static void print_functions(const program *p)
{
    const char *separator = "";
    qsort(p->functions, p->function_count, sizeof *p->functions, most_cycles_first);
    printf(",\n \"functions\": [");
    for (size_t i = 0; i < p->function_count && p->functions[i].counts.instructions; i++) {
        const function *f = &p->functions[i];
        printf("%s\n  {\"name\": ", separator);
        print_string(f->name);
        printf(", \"bytes\": %" PRIu32 ", ", f->bytes);
        print_counts(f->counts, 0);
        putchar('}');
        separator = ",";
    }
    putchar(']');
}

static void print_outputs(const program *p, const machine *m, const options *o)
{
    printf(",\n \"outputs\": {");
    for (int i = 0; i < o->output_count; i++) {
        char place[MOST_PLACE];
        size_t bytes;
        const uint8_t *from = output_at(p, m, o->outputs[i], place, &bytes);
        printf("%s\n  ", i ? "," : "");
        print_string(place);
        printf(": \"");
        for (size_t j = 0; j < bytes; j++)
            printf("%02x", from[j]);
        putchar('"');
    }
    putchar('}');
}

static void print_result(const options *o, const machine *m, const program *p, const result *r)
{
    printf("{\"status\": %" PRIu32 ", ", r->status);
    print_counts(m->counts, 1);
    printf(", \"wide_quotients\": %" PRIu64, m->wide_quotients);
    print_marks(r);
    print_functions(p);
    print_outputs(p, m, o);
    printf("}\n");
}

int main(int argc, char **argv)
{
    static result r;
    const options o = read_options(argc, argv);
    machine m = machine_new();
    program p = program_load(o.path, &m);
    char place[MOST_PLACE];
    size_t bytes;
    m.answers = o.answers;
    m.linux_calls = o.linux_calls;
    for (int i = 0; i < o.input_count; i++)
        put_input(&p, &m, o.inputs[i]);
    for (int i = 0; i < o.output_count; i++)
        output_at(&p, &m, o.outputs[i], place, &bytes); /* errors come before the run */
    run(&m, &p, o.limit, &r);
    if (!o.linux_calls)
        print_result(&o, &m, &p, &r);
    program_free(&p);
    machine_free(&m);
    if (fflush(stdout) || ferror(stdout))
        fail("cannot write to standard output");
    return o.linux_calls ? (int)(r.status & 255) : 0;
}
