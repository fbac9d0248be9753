/* What the program asks of its board: to print, and to end. */

#ifndef BOARD_H
#define BOARD_H

/* Prints a text. */
void board_print(const char *text);

/* Ends the program with a status. */
void board_exit(int status);

#endif
