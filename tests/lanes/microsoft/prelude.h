/* Microsoft's compiler, as far as gcc can be taken for it: included before everything else. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if __has_include(<openssl/evp.h>)
#include <openssl/evp.h>
#endif

#pragma GCC diagnostic ignored "-Wunused-function"
#undef __GNUC__
#undef __clang__
#define _MSC_VER 1930
#define _M_X64 100
#define __forceinline inline
