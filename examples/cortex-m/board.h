/* The program's board: it prints, and ends the program. */

#ifndef BOARD_H
#define BOARD_H

/* Prints a text. */
void board_print(const char *text);

/* Ends the program with a status. */
void board_exit(int status);

#endif
