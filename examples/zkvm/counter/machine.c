/* Memory, decoding and execution of rv32im; see machine.h for the costs. */
#include "machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ACCESSED = 1, WRITTEN = 2 };
enum { SP = 2, T0 = 5, A0 = 10, A1, A2, A3, A4, A7 = 17 };
enum { CALL_HALT = 0, CALL_MODULAR_PRODUCT = 4, CALL_MARK = 100 };
enum { LINUX_WRITE = 64, LINUX_EXIT = 93, LINUX_EXIT_GROUP = 94 };
enum {
    LOAD = 0x03,
    FENCE = 0x0f,
    OP_IMM = 0x13,
    AUIPC = 0x17,
    STORE = 0x23,
    OP = 0x33,
    LUI = 0x37,
    BRANCH = 0x63,
    JALR = 0x67,
    JAL = 0x6f,
    SYSTEM = 0x73
};
#define ECALL 0x73u

static _Noreturn void fault(const machine *m, const char *reason, uint32_t value)
{
    fail("%s 0x%08" PRIx32 " at pc 0x%08" PRIx32, reason, value, m->pc);
}

machine machine_new(void)
{
    machine m = {{0}, 0, NULL, NULL, {0}, 0, {0}, 0};
    m.memory = calloc(MEMORY_END, 1);
    m.pages = calloc(MEMORY_END / PAGE_BYTES, 1);
    if (!m.memory || !m.pages)
        fail("no memory for the machine's %u MiB", MEMORY_END >> 20);
    m.x[SP] = MEMORY_END - 16;
    return m;
}

void machine_free(machine *m)
{
    free(m->memory);
    free(m->pages);
}

uint64_t total_cycles(counts c)
{
    return c.cycles + c.calls * CALL_CYCLES + (c.page_ins + c.page_outs) * PAGE_CYCLES;
}

/* Count an aligned access, which meets a single page, and return its place. */
static uint8_t *at(machine *m, uint32_t address, uint32_t bytes, int write)
{
    if (address % bytes)
        fault(m, "misaligned address", address);
    if (address < MEMORY_START || address >= MEMORY_END)
        fault(m, "address out of range:", address);
    uint8_t *page = &m->pages[address / PAGE_BYTES];
    m->counts.page_ins += !(*page & ACCESSED);
    m->counts.page_outs += write && !(*page & WRITTEN);
    *page |= write ? ACCESSED | WRITTEN : ACCESSED;
    return m->memory + address;
}

static uint32_t load(machine *m, uint32_t address, uint32_t bytes)
{
    const uint8_t *place = at(m, address, bytes, 0);
    uint32_t value = 0;
    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint32_t)place[i] << 8 * i;
    return value;
}

static void store(machine *m, uint32_t address, uint32_t bytes, uint32_t value)
{
    uint8_t *place = at(m, address, bytes, 1);
    for (uint32_t i = 0; i < bytes; i++)
        place[i] = (uint8_t)(value >> 8 * i);
}

/* Return bits low to high - 1 of a word. */
static uint32_t bits(uint32_t word, unsigned low, unsigned high)
{
    return word << (32 - high) >> (32 - high + low);
}

/* Return the word of all sign bits, cut to the bits from low on. */
static uint32_t sign_from(uint32_t word, unsigned low)
{
    return word >> 31 ? ~0u << low : 0;
}

static uint32_t immediate_i(uint32_t word)
{
    return sign_from(word, 11) | bits(word, 20, 31);
}

static uint32_t immediate_s(uint32_t word)
{
    return sign_from(word, 11) | bits(word, 25, 31) << 5 | bits(word, 7, 12);
}

static uint32_t immediate_b(uint32_t word)
{
    return sign_from(word, 12) | bits(word, 7, 8) << 11 | bits(word, 25, 31) << 5 |
           bits(word, 8, 12) << 1;
}

static uint32_t immediate_j(uint32_t word)
{
    return sign_from(word, 20) | bits(word, 12, 20) << 12 | bits(word, 20, 21) << 11 |
           bits(word, 21, 31) << 1;
}

static uint32_t arithmetic(unsigned funct3, int alternative, uint32_t a, uint32_t b)
{
    switch (funct3) {
    case 0: return alternative ? a - b : a + b;
    case 1: return a << b % 32;
    case 2: return (int32_t)a < (int32_t)b;
    case 3: return a < b;
    case 4: return a ^ b;
    case 5: return alternative ? (uint32_t)((int32_t)a >> b % 32) : a >> b % 32;
    case 6: return a | b;
    default: return a & b;
    }
}

/* The quotient by 0 is the word of all ones, the remainder a; the quotient of -2^31 by -1 is -2^31. */
static uint32_t multiply_or_divide(unsigned funct3, uint32_t a, uint32_t b)
{
    const int64_t sa = (int32_t)a, sb = (int32_t)b;
    switch (funct3) {
    case 0: return a * b;
    case 1: return (uint32_t)((uint64_t)(sa * sb) >> 32);
    case 2: return (uint32_t)((uint64_t)(sa * (int64_t)b) >> 32);
    case 3: return (uint32_t)((uint64_t)a * b >> 32);
    case 4: return b ? (uint32_t)(sa / sb) : ~0u;
    case 5: return b ? a / b : ~0u;
    case 6: return b ? (uint32_t)(sa % sb) : a;
    default: return b ? a % b : a;
    }
}

/* Return the result of an instruction on a and a second operand, which is a register or an immediate. */
static uint32_t operate(const machine *m, uint32_t word, uint32_t a, uint32_t b)
{
    const unsigned funct3 = bits(word, 12, 15), registers = bits(word, 0, 7) == OP;
    const uint32_t funct7 = registers || funct3 == 1 || funct3 == 5 ? word >> 25 : 0;
    if (registers && funct7 == 1)
        return multiply_or_divide(funct3, a, b);
    const int has_alternative = funct3 == 5 || (funct3 == 0 && registers);
    if (funct7 != 0 && !(funct7 == 0x20 && has_alternative))
        fault(m, "unknown instruction", word);
    return arithmetic(funct3, funct7 != 0, a, b);
}

static int branches(const machine *m, uint32_t word, uint32_t a, uint32_t b)
{
    const unsigned funct3 = bits(word, 12, 15), inverted = funct3 & 1;
    switch (funct3 >> 1) {
    case 0: return (a == b) ^ inverted;
    case 2: return ((int32_t)a < (int32_t)b) ^ inverted;
    case 3: return (a < b) ^ inverted;
    default: fault(m, "unknown instruction", word);
    }
}

static uint32_t execute_load(machine *m, uint32_t word, uint32_t a)
{
    const unsigned funct3 = bits(word, 12, 15), size = funct3 & 3;
    if (size == 3 || funct3 == 6)
        fault(m, "unknown instruction", word);
    const uint32_t value = load(m, a + immediate_i(word), 1u << size), sign = 1u << ((8u << size) - 1);
    return funct3 & 4 ? value : (value ^ sign) - sign;
}

static void execute_store(machine *m, uint32_t word, uint32_t a, uint32_t b)
{
    const unsigned funct3 = bits(word, 12, 15);
    if (funct3 > 2)
        fault(m, "unknown instruction", word);
    store(m, a + immediate_s(word), 1u << funct3, b);
}

/* splitmix64 */
static uint64_t random_word(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* a0: the result's address, a2 and a3: the factors', a4: the modulus'. */
static void call_modular_product(machine *m)
{
    uint32_t r[8], x[8], y[8], n[8], ceiling[8];
    answers *how = &m->answers;
    m->counts.calls++;
    const int applies = how->first <= m->counts.calls && m->counts.calls <= how->last;
    const int least = how->kind == ANSWER_LEAST || !applies;
    for (uint32_t i = 0; i < 8; i++) {
        x[i] = load(m, m->x[A2] + 4 * i, 4);
        y[i] = load(m, m->x[A3] + 4 * i, 4);
        n[i] = load(m, m->x[A4] + 4 * i, 4);
        ceiling[i] = how->kind == ANSWER_RANDOM ? (uint32_t)random_word(&how->random) : ~0u;
    }
    if (modular_product(r, x, y, n, least ? NULL : ceiling)) {
        m->wide_quotients++;
        if (how->strict)
            fault(m, "quotient of more than 256 bits for the result at", m->x[A0]);
    }
    for (uint32_t i = 0; i < 8; i++)
        store(m, m->x[A0] + 4 * i, 4, r[i]);
}

static machine_event linux_call(machine *m)
{
    if (m->x[A7] == LINUX_EXIT || m->x[A7] == LINUX_EXIT_GROUP)
        return MACHINE_HALTED;
    if (m->x[A7] != LINUX_WRITE || (m->x[A0] != 1 && m->x[A0] != 2))
        fault(m, "unknown call of Linux: a7 =", m->x[A7]);
    for (uint32_t i = 0; i < m->x[A2]; i++)
        fputc((int)load(m, m->x[A1] + i, 1), m->x[A0] == 1 ? stdout : stderr);
    m->x[A0] = m->x[A2];
    return MACHINE_RUNS;
}

/* A mark costs nothing; a modular product costs CALL_CYCLES, the instruction included. */
static machine_event environment_call(machine *m)
{
    const uint32_t call = m->x[T0];
    if (!m->linux_calls && call == CALL_MARK)
        return MACHINE_MARKED;
    m->counts.instructions++;
    if (!m->linux_calls && call == CALL_MODULAR_PRODUCT) {
        call_modular_product(m);
        return MACHINE_RUNS;
    }
    m->counts.cycles++;
    if (m->linux_calls)
        return linux_call(m);
    if (call != CALL_HALT)
        fault(m, "unknown call: t0 =", call);
    return MACHINE_HALTED;
}

machine_event machine_step(machine *m)
{
    const uint32_t word = load(m, m->pc, 4), opcode = bits(word, 0, 7), funct3 = bits(word, 12, 15);
    const uint32_t a = m->x[bits(word, 15, 20)], b = m->x[bits(word, 20, 25)];
    uint32_t result = 0, next = m->pc + 4, target = bits(word, 7, 12);
    machine_event event = MACHINE_RUNS;
    if (word == ECALL) {
        event = environment_call(m);
        m->pc = next;
        return event;
    }
    switch (opcode) {
    case LUI: result = word & ~0xfffu; break;
    case AUIPC: result = m->pc + (word & ~0xfffu); break;
    case OP_IMM: result = operate(m, word, a, immediate_i(word)); break;
    case OP: result = operate(m, word, a, b); break;
    case LOAD: result = execute_load(m, word, a); break;
    case JAL:
        result = next;
        next = m->pc + immediate_j(word);
        break;
    case JALR:
        if (funct3)
            fault(m, "unknown instruction", word);
        result = next;
        next = (a + immediate_i(word)) & ~1u;
        break;
    case BRANCH:
        target = 0;
        next = branches(m, word, a, b) ? m->pc + immediate_b(word) : next;
        break;
    case STORE:
        target = 0;
        execute_store(m, word, a, b);
        break;
    case FENCE: target = 0; break;
    default: fault(m, "unknown instruction", word);
    }
    if (target)
        m->x[target] = result;
    m->pc = next;
    m->counts.instructions++;
    /* Two cycles: XOR, right shifts, OR, AND, and of products and quotients those that divide. */
    m->counts.cycles += (opcode == OP || opcode == OP_IMM) && funct3 >= 4 ? 2 : 1;
    return event;
}
