#include <stdio.h>
#include <string.h>

#include "group.h"

static const choice *const libraries[] = {
    curve_choices, gcrypt_curve_choices, gmp_choices, openssl_choices, gcrypt_integer_choices,
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

const choice *find_group(const char *name) {
    for (int i = 0; i < LIBRARIES; i++) {
        for (const choice *found = libraries[i]; found->name; found++) {
            if (strcmp(found->name, name) == 0) {
                return found;
            }
        }
    }
    return NULL;
}

void print_groups(void) {
    for (int i = 0; i < LIBRARIES; i++) {
        for (const choice *found = libraries[i]; found->name; found++) {
            puts(found->name);
        }
    }
}
