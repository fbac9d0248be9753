"""C: routines as C99 that C++ includes."""
