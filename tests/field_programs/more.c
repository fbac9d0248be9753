/* Answers requests for what a test program has no table of: bytes, powers and inverses of many elements. */
static int more(const char *name) {
    fe a[32], r[32];
    uint8_t bytes[1 << 10];
    char text[2 * BYTES + 1];
    const char *word = strtok(NULL, " \r\n");
    int number = 1;
    if (strcmp(name, "inv_batch") == 0) {
        for (number = 0; word != NULL && read_element(&a[number], word); number++) {
            word = strtok(NULL, " \r\n");
        }
        FE_inv_batch(r, a, (size_t)number);
    } else if (strcmp(name, "set_zero") == 0) {
        FE_set_zero(r);
    } else if (strcmp(name, "set_one") == 0) {
        FE_set_one(r);
    } else if (strncmp(name, "from_bytes", 10) == 0) {
        int big = strcmp(name, "from_bytes_be") == 0;
        if (!read_bytes(bytes, BYTES, word)) {
            return 0;
        }
        printf("%d ", big ? FE_from_bytes_be(r, bytes) : FE_from_bytes_le(r, bytes));
    } else if (word == NULL || !read_element(a, word)) {
        return 0;
    } else if (strcmp(name, "to_bytes_le") == 0) {
        FE_to_bytes_le(bytes, a);
        for (int i = 0; i < BYTES; i++) {
            printf("%02x", (unsigned)bytes[i]);
        }
        number = 0;
    } else if (strcmp(name, "mul_small_by") == 0) {
        FE_mul_small(r, a, (fp_word)strtoul(strtok(NULL, " \r\n"), NULL, 10));
    } else if (strcmp(name, "sqr_n") == 0) {
        FE_sqr_n(a, a, atoi(strtok(NULL, " \r\n")));
        *r = *a;
    } else {
        int size = (word = strtok(NULL, " \r\n")) == NULL ? 0 : (int)strlen(word) / 2;
        if (!read_bytes(bytes, size, word == NULL ? "" : word)) {
            return 0;
        }
        (strcmp(name, "pow") == 0 ? FE_pow : FE_pow_public)(a, a, bytes, size);
        *r = *a;
    }
    for (int i = 0; i < number; i++) {
        write_element(text, &r[i]);
        printf("%s%s", i == 0 ? "" : " ", text);
    }
    putchar('\n');
    return 1;
}

/* Applies an operation; its output is a new object in one call, and an operand in others. */
static int apply_anywhere(const operation *f, fe *r, fe in[4]) {
    static int calls;
    int alias = calls++ % (f->operands + 1) - 1, flag;
    fe *target = alias < 0 ? r : &in[alias];
    flag = apply(f, target, in);
    *r = *target;
    return flag;
}

