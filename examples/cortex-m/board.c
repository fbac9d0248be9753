/* The start of a Cortex-M, and Arm's semihosting, which a debugger or qemu answers. */
#include "board.h"

#include <stdint.h>
#include <string.h>

int main(void);
void board_reset(void);

extern uint32_t stack_top, data_image, data_start, data_end, bss_start, bss_end;

static void stop(void) {
    board_exit(99);
}

/* The stack, the start, and the exceptions: faults end the program. */
__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    &stack_top, (void *)board_reset, (void *)stop, (void *)stop, (void *)stop, (void *)stop, (void *)stop,
};

static int semihosting(int operation, const void *argument) {
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void board_print(const char *text) {
    (void)semihosting(0x04, text);
}

void board_exit(int status) {
    const uint32_t reason[2] = {0x20026, (uint32_t)status};
    for (;;) {
        (void)semihosting(0x20, reason);
    }
}

void board_reset(void) {
    memcpy(&data_start, &data_image, (size_t)((uint8_t *)&data_end - (uint8_t *)&data_start));
    memset(&bss_start, 0, (size_t)((uint8_t *)&bss_end - (uint8_t *)&bss_start));
    board_exit(main());
}
