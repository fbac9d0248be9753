/* Operations of a field, and elements for them. */
static ec_fe a, b, c;

static void fill_elements(void) {
    fill((uint8_t *)&a, sizeof a - 4, 3);
    fill((uint8_t *)&b, sizeof b - 4, 7);
}

OPERATION(product) {
    ec_fe_mul(&c, &a, &b);
    return 1;
}

OPERATION(square) {
    ec_fe_sqr(&c, &a);
    return 1;
}

OPERATION(sum) {
    ec_fe_add(&c, &a, &b);
    return 1;
}
