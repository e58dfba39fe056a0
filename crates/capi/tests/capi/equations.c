/* Calls every function of the header on the curve and with the pairing that the arguments name, and checks that their results agree. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"

enum { N = 5 };

static bilinear_error *error;
static bilinear_context *context;
static size_t zr, g1, g2, gt;
/* The number of groups in which a point on the curve but outside the group was found. */
static int with_outside;

static int equal(const uint8_t *x, const uint8_t *y, size_t size) {
    return memcmp(x, y, size) == 0;
}

/* Multiples, sums and negatives in one group: aP + bP = (a + b)P, rP = O, P + (-P) = O. */
static void group(int32_t of, size_t size) {
    uint8_t *points = room(3, size), *out = room(3, size), *o = room(1, size), *order = room(1, zr), scalars[3] = {7, 9, 16};
    must(bilinear_random(context, of, 1, points, size, &error), &error);
    memcpy(points + size, points, size);
    memcpy(points + 2 * size, points, size);
    must(bilinear_mul_secret(context, of, points, 3 * size, scalars, 3, 3, 0, out, 3 * size, NULL, &error), &error);
    must(bilinear_sum(context, of, out, 2 * size, 2, NULL, 1, 0, out, size, NULL, &error), &error);
    EXPECT(equal(out, out + 2 * size, size));
    must(bilinear_order(context, order, zr, &error), &error);
    must(bilinear_mul_secret(context, of, points, size, order, zr, 1, 0, out, size, NULL, &error), &error);
    EXPECT(equal(out, o, size));
    must(bilinear_negate(context, of, points, size, 1, 0, points + size, size, NULL, &error), &error);
    /* a sum of two points, and an empty sum */
    size_t lengths[] = {2, 0};
    must(bilinear_sum(context, of, points, 2 * size, 2, lengths, 2, 0, out, 2 * size, NULL, &error), &error);
    EXPECT(equal(out, o, size) && equal(out + size, o, size));
    /* converts points to every encoding that the curve has, and back */
    const char *encodings[] = {"compressed", "eip", "gnark"};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        size_t len;
        if (bilinear_size(context, of, encodings[i], &len, NULL) != BILINEAR_OK) continue;
        uint8_t *encoded = room(1, len);
        must(bilinear_convert_points(context, of, NULL, points, size, 1, 0, encodings[i], encoded, len, NULL, &error), &error);
        must(bilinear_convert_points(context, of, encodings[i], encoded, len, 1, 0, NULL, out, size, NULL, &error), &error);
        EXPECT(equal(out, points, size));
        free(encoded);
    }
    must(bilinear_convert_points(context, of, NULL, points, 2 * size, 2, BILINEAR_ON_CURVE, NULL, NULL, 0, NULL, &error), &error);
    /* hashes depend on the message and the domain separation tag, and not on the other messages */
    const uint8_t dst[] = "TEST-V01";
    size_t messages[] = {0, 3};
    must(bilinear_hash(context, of, (const uint8_t *)"abc", 3, messages, 2, dst, 8, out, 2 * size, &error), &error);
    must(bilinear_hash(context, of, (const uint8_t *)"abc", 3, NULL, 1, dst, 8, points, size, &error), &error);
    EXPECT(equal(out + size, points, size) && !equal(out, out + size, size));
    must(bilinear_hash(context, of, NULL, 0, NULL, 1, dst, 8, points, size, &error), &error);
    EXPECT(equal(out, points, size));
    must(bilinear_hash(context, of, (const uint8_t *)"abc", 3, NULL, 1, dst, 7, points, size, &error), &error);
    EXPECT(!equal(out + size, points, size));
    free(points), free(out), free(o), free(order);
}

/* Sums of multiples and multiples of a fixed point agree with bilinear_mul_secret and bilinear_sum. The scalars include edge values. */
static void multiples(int32_t of, size_t size) {
    enum { ROWS = 40 };
    uint8_t *points = room(ROWS, size), *scalars = room(ROWS, zr), *each = room(ROWS, size), *out = room(ROWS, size), status[3];
    must(bilinear_random(context, of, ROWS, points, ROWS * size, &error), &error);
    must(bilinear_random(context, BILINEAR_ZR, ROWS, scalars, ROWS * zr, &error), &error);
    memset(points, 0, size);                            /* O */
    memset(scalars + zr, 0, zr);                        /* 0 */
    memset(scalars + 2 * zr, 0, zr);
    scalars[3 * zr - 1] = 1;                            /* 1 */
    memset(scalars + 3 * zr, 0xff, zr);                 /* beyond the order */
    must(bilinear_order(context, scalars + 4 * zr, zr, &error), &error);
    memcpy(points + 6 * size, points + 5 * size, size); /* one point twice */
    must(bilinear_mul_secret(context, of, points, ROWS * size, scalars, ROWS * zr, ROWS, 0, each, ROWS * size, NULL, &error), &error);
    size_t lengths[] = {7, 0, ROWS - 7};
    must(bilinear_msm(context, of, points, ROWS * size, scalars, ROWS * zr, ROWS, lengths, 3, 0, out, 3 * size, status,
                               &error),
         &error);
    uint8_t *sums = room(3, size);
    must(bilinear_sum(context, of, each, ROWS * size, ROWS, lengths, 3, 0, sums, 3 * size, NULL, &error), &error);
    EXPECT(equal(out, sums, 3 * size) && !status[0] && !status[1] && !status[2]);
    /* a bad row makes only its own sum bad; bit 1 of y is flipped, since over F_2^m bit 0 alone would give -P */
    points[8 * size - 1] ^= 2;
    EXPECT(bilinear_msm(context, of, points, ROWS * size, scalars, ROWS * zr, ROWS, lengths, 3, 0, out, 3 * size, status,
                                 &error) == BILINEAR_ERROR_ROWS);
    EXPECT(bilinear_error_row(error) == 7 && !status[0] && !status[1] && status[2] && equal(out, sums, 2 * size));
    bilinear_error_free(error);

    /* the same point in every row */
    for (size_t i = 1; i < ROWS; i++) memcpy(points + i * size, points + size, size);
    memcpy(points, points + size, size);
    must(bilinear_mul_secret(context, of, points, ROWS * size, scalars, ROWS * zr, ROWS, 0, each, ROWS * size, NULL, &error), &error);
    bilinear_fixed_base *base;
    must(bilinear_fixed_base_new(context, of, points, size, zr, &base, &error), &error);
    must(bilinear_fixed_base_mul_secret(context, base, scalars, ROWS * zr, ROWS, out, ROWS * size, &error), &error);
    EXPECT(equal(out, each, ROWS * size));
    must(bilinear_fixed_base_mul_secret(context, base, scalars, 7, 7, out, 7 * size, &error), &error);
    must(bilinear_mul_secret(context, of, points, 7 * size, scalars, 7, 7, 0, each, 7 * size, NULL, &error), &error);
    EXPECT(equal(out, each, 7 * size));
    must(bilinear_fixed_base_mul_secret(context, base, NULL, 0, 0, NULL, 0, &error), &error);
    bilinear_fixed_base_free(base);
    /* the point at infinity has multiples too */
    memset(points, 0, size);
    must(bilinear_fixed_base_new(context, of, points, size, 1, &base, &error), &error);
    must(bilinear_fixed_base_mul_secret(context, base, scalars, 2, 2, out, 2 * size, &error), &error);
    EXPECT(equal(out, points, size) && equal(out + size, points, size));
    bilinear_fixed_base_free(base);
    /* a point outside the group is a bad row, unless the call says that points are only on the curve; a base refuses it always */
    if (outside(context, of, size, points)) {
        must(bilinear_random(context, of, 1, points + size, size, &error), &error);
        EXPECT(bilinear_msm(context, of, points, 2 * size, scalars + 5 * zr, 2 * zr, 2, NULL, 1, 0, out, size, status, NULL) ==
               BILINEAR_ERROR_ROWS);
        EXPECT(status[0] == BILINEAR_ERROR_SUBGROUP);
        must(bilinear_msm(context, of, points, 2 * size, scalars + 5 * zr, 2 * zr, 2, NULL, 1, BILINEAR_ON_CURVE, out, size,
                                   status, &error),
             &error);
        must(bilinear_mul_secret(context, of, points, 2 * size, scalars + 5 * zr, 2 * zr, 2, BILINEAR_ON_CURVE, each, 2 * size, NULL,
                               &error),
             &error);
        must(bilinear_sum(context, of, each, 2 * size, 2, NULL, 1, BILINEAR_ON_CURVE, sums, size, NULL, &error), &error);
        EXPECT(equal(out, sums, size));
        EXPECT(bilinear_fixed_base_new(context, of, points, size, zr, &base, NULL) == BILINEAR_ERROR_SUBGROUP);
        with_outside++;
    }
    free(points), free(scalars), free(each), free(out), free(sums);
}

/* Random residues are below the order, some below and some above its half. Half of all numbers with as many bits as the order of a-512 are
 * not below this order. */
static void residues(void) {
    enum { DRAWS = 64 };
    uint8_t *drawn = room(DRAWS, zr), *order = room(1, zr), *half = room(1, zr);
    must(bilinear_random(context, BILINEAR_ZR, DRAWS, drawn, DRAWS * zr, &error), &error);
    must(bilinear_order(context, order, zr, &error), &error);
    for (size_t i = 0; i < zr; i++) half[i] = (uint8_t)(order[i] >> 1 | (i ? order[i - 1] << 7 : 0));
    int low = 0;
    for (int i = 0; i < DRAWS; i++) {
        EXPECT(memcmp(drawn + i * zr, order, zr) < 0);
        low += memcmp(drawn + i * zr, half, zr) < 0;
    }
    EXPECT(0 < low && low < DRAWS);
    free(drawn), free(order), free(half);
}

int main(int count, char **arguments) {
    EXPECT(count == 3);
    bilinear_options options = BILINEAR_OPTIONS_INIT;
    options.pairing = arguments[2];
    options.research = 1;
    options.threads = 2;
    must(bilinear_context_new(arguments[1], &options, &context, &error), &error);
    EXPECT(error == NULL && !strcmp(bilinear_curve(context), arguments[1]) && strlen(bilinear_batch_engine(context)) > 2);
    zr = size_of(context, BILINEAR_ZR, NULL), g1 = size_of(context, BILINEAR_G1, NULL);
    g2 = size_of(context, BILINEAR_G2, NULL), gt = size_of(context, BILINEAR_GT, NULL);
    residues();
    group(BILINEAR_G1, g1);
    group(BILINEAR_G2, g2);
    multiples(BILINEAR_G1, g1);
    multiples(BILINEAR_G2, g2);
    /* every curve of this test has such a point in at least one group */
    EXPECT(with_outside > 0);

    uint8_t *p = room(N, g1), *q = room(N, g2), *x = room(N, zr), *xp = room(N, g1), *xq = room(N, g2);
    uint8_t *values = room(N, gt), *others = room(N, gt), *products = room(N, gt), status[N], is_one[N];
    must(bilinear_random(context, BILINEAR_G1, N, p, N * g1, &error), &error);
    must(bilinear_random(context, BILINEAR_G2, N, q, N * g2, &error), &error);
    must(bilinear_random(context, BILINEAR_ZR, N, x, N * zr, &error), &error);
    memset(p, 0, g1); /* O */
    must(bilinear_mul_secret(context, BILINEAR_G1, p, N * g1, x, N * zr, N, 0, xp, N * g1, status, &error), &error);
    must(bilinear_mul_secret(context, BILINEAR_G2, q, N * g2, x, N * zr, N, 0, xq, N * g2, NULL, &error), &error);

    /* e(xP, Q) = e(P, xQ) = e(P, Q)^x, and 1 where P is O */
    must(bilinear_pair(context, p, N * g1, q, N * g2, N, 0, values, N * gt, status, &error), &error);
    must(bilinear_gt_pow_secret(context, values, N * gt, x, N * zr, N, products, N * gt, NULL, &error), &error);
    must(bilinear_pair(context, xp, N * g1, q, N * g2, N, BILINEAR_ON_CURVE, others, N * gt, NULL, &error), &error);
    EXPECT(equal(others, products, N * gt) && !equal(values + gt, products + gt, gt));
    must(bilinear_pair(context, p, N * g1, xq, N * g2, N, 0, others, N * gt, NULL, &error), &error);
    EXPECT(equal(others, products, N * gt) && equal(values, others, gt) && !equal(values, values + gt, gt));

    /* products of 3, 0 and 2 rows */
    size_t lengths[] = {3, 0, 2};
    must(bilinear_product(context, p, N * g1, q, N * g2, N, lengths, 3, 0, products, 3 * gt, status, &error), &error);
    must(bilinear_gt_product(context, values, N * gt, N, lengths, 3, others, 3 * gt, NULL, &error), &error);
    EXPECT(equal(products, others, 3 * gt) && equal(products + gt, values, gt));
    must(bilinear_gt_invert(context, others, 3 * gt, 3, others, 3 * gt, NULL, &error), &error);
    for (int i = 0; i < 3; i++) {
        uint8_t *both = room(2, gt);
        memcpy(both, products + i * gt, gt);
        memcpy(both + gt, others + i * gt, gt);
        must(bilinear_gt_product(context, both, 2 * gt, 2, NULL, 1, both, gt, NULL, &error), &error);
        EXPECT(equal(both, values, gt));
        free(both);
    }
    must(bilinear_check(context, p, N * g1, q, N * g2, N, lengths, 3, 0, is_one, status, &error), &error);
    EXPECT(!is_one[0] && is_one[1] && !is_one[2] && !status[0] && !status[1] && !status[2]);

    /* prepared arguments, on the side for which the pairing has lines */
    bilinear_prepared *first = NULL;
    int is_second = bilinear_prepare(context, BILINEAR_G1, p + g1, g1, &first, NULL) == BILINEAR_ERROR_PREPARE;
    bilinear_prepared_free(first);
    int32_t side = is_second ? BILINEAR_G2 : BILINEAR_G1;
    uint8_t *fixed_points = is_second ? q : p, *rows = is_second ? p : q;
    size_t fixed_size = is_second ? g2 : g1, row_size = is_second ? g1 : g2;
    bilinear_prepared *fixed[3];
    for (int i = 0; i < 3; i++) {
        must(bilinear_prepare(context, side, fixed_points + i * fixed_size, fixed_size, &fixed[i], &error), &error);
    }
    bilinear_prepared *arguments_of_each[] = {fixed[0], fixed[1], fixed[2]};
    must(bilinear_product_prepared(context, arguments_of_each, 3, rows, 3 * row_size, 3, NULL, 1, 0, products, gt, NULL, &error),
         &error);
    must(bilinear_gt_product(context, values, 3 * gt, 3, NULL, 1, others, gt, NULL, &error), &error);
    EXPECT(equal(products, others, gt));
    must(bilinear_check_prepared(context, arguments_of_each, 1, rows, 3 * row_size, 3, NULL, 3, 0, is_one, NULL, &error), &error);
    /* the first point of p is O; each product of one row uses the same fixed argument */
    EXPECT(is_second ? is_one[0] && !is_one[1] : is_one[0] && is_one[1] && is_one[2]);
    for (int i = 0; i < 3; i++) bilinear_prepared_free(fixed[i]);

    /* converts values to their short encoding, which values over F_p have, and back; e(g1, g2) is the generator */
    size_t half;
    int is_prime_field = !strcmp(arguments[2], "tate");
    EXPECT((bilinear_size(context, BILINEAR_GT, "torus2", &half, NULL) == BILINEAR_OK) == is_prime_field);
    if (is_prime_field) {
        must(bilinear_convert_gt(context, NULL, values, N * gt, N, "torus2", others, N * half, NULL, &error), &error);
        must(bilinear_convert_gt(context, "torus2", others, N * half, N, NULL, products, N * gt, NULL, &error), &error);
        EXPECT(equal(products, values, N * gt));
    }
    must(bilinear_convert_gt(context, NULL, values, N * gt, N, NULL, NULL, 0, status, &error), &error);
    must(bilinear_generator(context, BILINEAR_G1, p, g1, &error), &error);
    must(bilinear_generator(context, BILINEAR_G2, q, g2, &error), &error);
    must(bilinear_generator(context, BILINEAR_GT, others, gt, &error), &error);
    must(bilinear_pair(context, p, g1, q, g2, 1, 0, values, gt, NULL, &error), &error);
    EXPECT(equal(values, others, gt));
    /* only with both flags may both arguments lie outside their groups */
    if (is_prime_field && !bilinear_is_symmetric(context) && outside(context, BILINEAR_G2, g2, q)) {
        bilinear_code one = outside(context, BILINEAR_G1, g1, others) ? BILINEAR_ERROR_ROWS : BILINEAR_OK;
        if (one != BILINEAR_OK) memcpy(p, others, g1);
        EXPECT(bilinear_pair(context, p, g1, q, g2, 1, BILINEAR_ALLOW_Q_OUTSIDE_G2, values, gt, NULL, NULL) == one);
        must(bilinear_pair(context, p, g1, q, g2, 1, BILINEAR_ON_CURVE | BILINEAR_ALLOW_Q_OUTSIDE_G2, values, gt, NULL, &error), &error);
    }
    must(bilinear_random(context, BILINEAR_GT, 2, values, 2 * gt, &error), &error);
    must(bilinear_convert_gt(context, NULL, values, 2 * gt, 2, NULL, NULL, 0, NULL, &error), &error);
    EXPECT(!equal(values, values + gt, gt));

    free(p), free(q), free(x), free(xp), free(xq), free(values), free(others), free(products);
    bilinear_context_free(context);
    puts("ok");
    return 0;
}
