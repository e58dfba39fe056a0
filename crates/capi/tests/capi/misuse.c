/* Wrong calls, each of which is refused with its code, and bad rows, each with its own code. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"

static bilinear_error *error;

/* Checks that a call ends with this code and with an error that has the same code. */
#define REFUSED(code, call)                                                                                      \
    do {                                                                                                         \
        error = NULL;                                                                                            \
        EXPECT((call) == (code));                                                                                \
        EXPECT(error && bilinear_error_code(error) == (code) && strlen(bilinear_error_message(error)) > 5);      \
        bilinear_error_free(error);                                                                              \
    } while (0)

static void contexts(void) {
    bilinear_context *made = NULL;
    bilinear_options options = BILINEAR_OPTIONS_INIT;
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_context_new(NULL, NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_context_new("a-512", NULL, NULL, &error));
    REFUSED(BILINEAR_ERROR_NAME, bilinear_context_new("a-513", NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_context_new("\xff\xfe", NULL, &made, &error));
    options.size = 3;
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_context_new("a-512", &options, &made, &error));
    options = (bilinear_options)BILINEAR_OPTIONS_INIT;
    options.engine = "abacus";
    REFUSED(BILINEAR_ERROR_NAME, bilinear_context_new("a-512", &options, &made, &error));
    options.engine = "Auto", options.pairing = "miller";
    REFUSED(BILINEAR_ERROR_NAME, bilinear_context_new("a-512", &options, &made, &error));
    options.pairing = "optate";
    REFUSED(BILINEAR_ERROR_ENGINE, bilinear_context_new("a-512", &options, &made, &error));
    options.pairing = NULL, options.power = "slow";
    REFUSED(BILINEAR_ERROR_NAME, bilinear_context_new("a-512", &options, &made, &error));
    options.power = "exact", options.threads = 1025;
    REFUSED(BILINEAR_ERROR_THREADS, bilinear_context_new("a-512", &options, &made, &error));
    options = (bilinear_options)BILINEAR_OPTIONS_INIT;
    REFUSED(BILINEAR_ERROR_ENGINE, bilinear_context_new("ss2-271", &options, &made, &error));
    options.research = 1;
    must(bilinear_context_new("ss2-271", &options, &made, &error), &error);
    bilinear_context_free(made);
    made = NULL;
    REFUSED(BILINEAR_ERROR_PARAMETERS, bilinear_context_from_text("type a\nq 15\n", 12, NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_PARAMETERS, bilinear_context_from_text("", 0, NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_context_from_text(NULL, 1, NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_context_from_text("type a", SIZE_MAX, NULL, &made, &error));
    REFUSED(BILINEAR_ERROR_PARAMETERS, bilinear_context_from_file("no such file", NULL, &made, &error));
    EXPECT(made == NULL);
    /* the pointer to the error may be NULL; functions that free ignore NULL */
    EXPECT(bilinear_context_new("a-513", NULL, &made, NULL) == BILINEAR_ERROR_NAME);
    bilinear_context_free(NULL);
    bilinear_prepared_free(NULL);
    bilinear_error_free(NULL);
    EXPECT(bilinear_curve(NULL) == NULL && bilinear_batch_engine(NULL) == NULL && bilinear_threads(NULL) == 0);
    EXPECT(bilinear_is_symmetric(NULL) == 0 && bilinear_error_code(NULL) == BILINEAR_OK);
    EXPECT(!strcmp(bilinear_error_message(NULL), "") && bilinear_error_row(NULL) == SIZE_MAX);
    EXPECT(!strcmp(bilinear_code_name(4), "curve") && !strcmp(bilinear_code_name(-1), "internal"));
    EXPECT(strlen(bilinear_version()) >= 5);
}

int main(void) {
    contexts();
    bilinear_context *context;
    must(bilinear_context_new("alt-bn128", NULL, &context, &error), &error);
    EXPECT(!bilinear_is_symmetric(context));
    size_t zr = size_of(context, BILINEAR_ZR, NULL), g1 = size_of(context, BILINEAR_G1, NULL), size;
    size_t g2 = size_of(context, BILINEAR_G2, NULL), gt = size_of(context, BILINEAR_GT, NULL);
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_size(context, 4, NULL, &size, &error));
    REFUSED(BILINEAR_ERROR_NAME, bilinear_size(context, BILINEAR_G1, "morse", &size, &error));
    REFUSED(BILINEAR_ERROR_ENCODING, bilinear_size(context, BILINEAR_G1, "zcash", &size, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_size(NULL, BILINEAR_G1, NULL, &size, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_size(context, BILINEAR_G1, NULL, NULL, &error));

    enum { N = 4 };
    uint8_t *p = room(N, g1), *q = room(N, g2), *values = room(N, gt), *x = room(N, zr), *bad = room(N, g1);
    uint8_t status[N], is_one[N];
    must(bilinear_random(context, BILINEAR_G1, N, p, N * g1, &error), &error);
    must(bilinear_random(context, BILINEAR_G2, N, q, N * g2, &error), &error);
    must(bilinear_random(context, BILINEAR_ZR, N, x, N * zr, &error), &error);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_random(context, BILINEAR_ZR, N, x, N * zr - 1, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_random(context, BILINEAR_ZR, SIZE_MAX, x, N * zr, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_generator(context, BILINEAR_ZR, x, zr, &error));

    /* arguments of a batch */
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_pair(NULL, p, N * g1, q, N * g2, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_pair(context, NULL, N * g1, q, N * g2, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_pair(context, p, N * g1, NULL, N * g2, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_pair(context, p, N * g1, q, N * g2, N, 0, NULL, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * g1 - 1, q, N * g2, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, 0, q, N * g2, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * g1, q, N * g2 + 1, N, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * g1, q, N * g2, N, 0, values, N * gt - 1, status, &error));
    /* rows of a length that no point has: nothing is written */
    memset(values, 7, N * gt);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * (g1 - 1), q, N * g2, N, 0, values, N * gt, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * g1, q, N * (g2 - 1), N, 0, values, N * gt, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, g1 - 1, q, g2, 1, 0, values, gt, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH,
            bilinear_convert_points(context, BILINEAR_G1, "gnark", p, N * g1 - N, N, 0, NULL, values, N * g1, NULL, &error));
    REFUSED(BILINEAR_ERROR_ENCODING, bilinear_convert_points(context, BILINEAR_G1, "zcash", p, N * g1, N, 0, NULL, NULL, 0, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_invert(context, values, N * (gt - 1), N, values, N * gt, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_convert_gt(context, "torus2", values, N * gt, N, NULL, values, N * gt, NULL, &error));
    for (size_t i = 0; i < N * gt; i++) EXPECT(values[i] == 7);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, N * g1, q, N * g2, SIZE_MAX, 0, values, N * gt, NULL, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_pair(context, p, g1, q, g2, 0, 0, values, 0, status, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_pair(context, p, N * g1, q, N * g2, N, 9, values, N * gt, status, &error));
    /* the optimal ate pairing is defined on G2 alone */
    REFUSED(BILINEAR_ERROR_ARGUMENT,
            bilinear_pair(context, p, N * g1, q, N * g2, N, BILINEAR_ALLOW_Q_OUTSIDE_G2, values, N * gt, status, &error));
    must(bilinear_pair(context, NULL, 0, NULL, 0, 0, 0, NULL, 0, NULL, &error), &error);
    size_t lengths[] = {3, 2};
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, p, N * g1, q, N * g2, N, lengths, 2, 0, is_one, status, &error));
    size_t overflowing[] = {3, SIZE_MAX}, few[] = {1, 2};
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, p, N * g1, q, N * g2, N, overflowing, 2, 0, is_one, status, &error));
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, p, N * g1, q, N * g2, N, few, 2, 0, is_one, status, &error));
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, p, N * g1, q, N * g2, N, NULL, 0, 0, is_one, status, &error));
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, NULL, 0, NULL, 0, 0, NULL, 1, 0, is_one, status, &error));
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_check(context, p, N * g1, q, N * g2, N, NULL, 3, 0, is_one, status, &error));
    /* the message names the things that are counted */
    EXPECT(bilinear_check(context, p, N * g1, q, N * g2, N, NULL, 3, 0, is_one, status, &error) == BILINEAR_ERROR_RANGE);
    EXPECT(!strcmp(bilinear_error_message(error), "the number of rows, 4, is not a positive multiple of the number of products, 3"));
    bilinear_error_free(error);
    EXPECT(bilinear_hash(context, BILINEAR_G1, p, 4, lengths, 2, x, 1, bad, 2 * g1, &error) == BILINEAR_ERROR_RANGE);
    EXPECT(!strcmp(bilinear_error_message(error), "the lengths of the messages add up to more than the number of bytes, 4"));
    bilinear_error_free(error);
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_check(context, p, N * g1, q, N * g2, N, NULL, 2, 0, NULL, status, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_check(context, p, N * g1, q, N * g2, N,
                                              (const size_t *)(const void *)((const char *)lengths + 1), 1, 0, is_one, status, &error));

    /* output arrays of a wrong size, in all other functions that fill an array */
    size_t less = N * g1 - 1;
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_order(context, x, zr + 1, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_order(context, NULL, zr, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_generator(context, BILINEAR_G1, p, g1 + 1, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_product(context, p, N * g1, q, N * g2, N, NULL, 2, 0, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_convert_points(context, BILINEAR_G1, NULL, p, N * g1, N, 0, NULL, bad, less, status, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_convert_points(context, BILINEAR_G1, NULL, p, N * g1, N, 0, NULL, NULL, less, status, &error));
    REFUSED(BILINEAR_ERROR_NAME, bilinear_convert_points(context, BILINEAR_G1, NULL, p, N * g1, N, 0, "morse", NULL, 0, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_mul_secret(context, BILINEAR_G1, p, N * g1, x, N * zr, N, 0, bad, less, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_sum(context, BILINEAR_G1, p, N * g1, N, NULL, 2, 0, bad, N * g1, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_negate(context, BILINEAR_G1, p, N * g1, N, 0, bad, less, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_hash(context, BILINEAR_G1, x, N * zr, NULL, N, x, 1, bad, less, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_convert_gt(context, NULL, values, N * gt, N, NULL, values, gt, status, &error));
    REFUSED(BILINEAR_ERROR_NAME, bilinear_convert_gt(context, NULL, values, N * gt, N, "morse", NULL, 0, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_product(context, values, N * gt, N, NULL, 2, values, gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_pow_secret(context, values, N * gt, x, N * zr, N, values, gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_invert(context, values, N * gt, N, values, 0, status, &error));
    bilinear_element *element;
    must(bilinear_element_new(context, BILINEAR_ZR, &element, &error), &error);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_element_to_bytes(element, 0, x, zr - 1, &error));
    bilinear_element *unread = NULL;
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_element_from_bytes(context, BILINEAR_ZR, x, zr, 77, &unread, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_element_from_bytes(context, BILINEAR_GT, values, gt, 77, &unread, &error));
    /* one pair of elements: the address of each is the array */
    bilinear_element *other_element = element, *product = NULL;
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_element_pair(&element, &other_element, 1, &product, &error));
    bilinear_element_free(element);

    /* bad rows: a wrong y, a coordinate that is not below the modulus, and a point outside the subgroup */
    memcpy(bad, p, N * g1);
    bad[2 * g1 - 1] ^= 1;
    memset(bad + 3 * g1, 0xff, g1 / 2);
    error = NULL;
    EXPECT(bilinear_pair(context, bad, N * g1, q, N * g2, N, 0, values, N * gt, status, &error) == BILINEAR_ERROR_ROWS);
    EXPECT(!status[0] && status[1] == BILINEAR_ERROR_CURVE && !status[2] && status[3] == BILINEAR_ERROR_CANONICAL);
    EXPECT(bilinear_error_row(error) == 1 && strstr(bilinear_error_message(error), "2 of 4"));
    bilinear_error_free(error);
    uint8_t *good = room(N, gt);
    must(bilinear_pair(context, p, N * g1, q, N * g2, N, 0, good, N * gt, NULL, &error), &error);
    EXPECT(!memcmp(values, good, gt) && !memcmp(values + 2 * gt, good + 2 * gt, gt));
    for (size_t i = 0; i < gt; i++) EXPECT(values[gt + i] == 0xff && values[3 * gt + i] == 0xff);
    /* good rows between bad rows have the right multiples */
    uint8_t *multiples = room(N, g1), *beside = room(N, g1);
    must(bilinear_mul_secret(context, BILINEAR_G1, p, N * g1, x, N * zr, N, 0, multiples, N * g1, NULL, &error), &error);
    EXPECT(bilinear_mul_secret(context, BILINEAR_G1, bad, N * g1, x, N * zr, N, 0, beside, N * g1, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(!memcmp(multiples, beside, g1) && !memcmp(multiples + 2 * g1, beside + 2 * g1, g1));
    EXPECT(!status[0] && status[1] == BILINEAR_ERROR_CURVE && beside[g1] == 0xff);
    free(multiples), free(beside);
    /* two products of two rows are both bad, and so are both sums */
    EXPECT(bilinear_check(context, bad, N * g1, q, N * g2, N, NULL, 2, 0, is_one, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(!is_one[0] && !is_one[1] && status[0] == BILINEAR_ERROR_CURVE && status[1] == BILINEAR_ERROR_CANONICAL);
    EXPECT(bilinear_sum(context, BILINEAR_G1, bad, N * g1, N, NULL, 2, 0, bad, 2 * g1, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(status[0] == BILINEAR_ERROR_CURVE && status[1] == BILINEAR_ERROR_CANONICAL && bad[0] == 0xff && bad[2 * g1 - 1] == 0xff);
    /* the point at infinity has no compressed form */
    memset(p, 0, g1);
    size_t short_len = size_of(context, BILINEAR_G1, "compressed");
    EXPECT(bilinear_convert_points(context, BILINEAR_G1, NULL, p, N * g1, N, 0, "compressed", values, N * short_len, status, NULL) ==
           BILINEAR_ERROR_ROWS);
    EXPECT(status[0] == BILINEAR_ERROR_INFINITY && !status[1] && !status[2] && !status[3]);
    values[2 * short_len - 1] = 2;
    EXPECT(bilinear_convert_points(context, BILINEAR_G1, NULL, values + short_len, 3 * short_len, 3, 0, NULL, NULL, 0, status, NULL) ==
           BILINEAR_ERROR_ROWS);
    EXPECT(status[0] == BILINEAR_ERROR_SIGN && !status[1] && !status[2]);
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_convert_points(context, BILINEAR_GT, NULL, p, g1, 1, 0, NULL, p, g1, status, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_convert_points(context, BILINEAR_G1, NULL, p, g1, 1, 2, NULL, p, g1, status, &error));

    /* invalid values, and scalars of length 0 */
    good[gt - 1] ^= 1;
    memset(good + 2 * gt, 0xff, gt);
    EXPECT(bilinear_gt_pow_secret(context, good, N * gt, x, N * zr, N, values, N * gt, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(status[0] == BILINEAR_ERROR_GROUP && !status[1] && status[2] == BILINEAR_ERROR_CANONICAL && !status[3]);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_pow_secret(context, good, N * gt, x, 0, N, values, N * gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_mul_secret(context, BILINEAR_G1, p, N * g1, x, 3, N, 0, p, N * g1, status, &error));
    /* scalars that are longer than programs allow */
    enum { LONG = 1025 };
    uint8_t long_scalar[LONG] = {0};
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_gt_pow_secret(context, good + gt, gt, long_scalar, LONG, 1, values, gt, status, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_mul_secret(context, BILINEAR_G1, p + g1, g1, long_scalar, LONG, 1, 0, p, g1, status, &error));
    must(bilinear_msm(context, BILINEAR_G1, p + g1, g1, long_scalar, LONG, 1, NULL, 1, 0, bad, g1, NULL, &error), &error);
    REFUSED(BILINEAR_ERROR_DST, bilinear_hash(context, BILINEAR_G1, p, 4, NULL, 1, NULL, 0, p, g1, &error));
    REFUSED(BILINEAR_ERROR_RANGE, bilinear_hash(context, BILINEAR_G1, p, 4, lengths, 2, x, 1, p, 2 * g1, &error));

    /* prepared arguments on the wrong side, of another context, of a bad point, and too few of them */
    bilinear_prepared *fixed = NULL;
    REFUSED(BILINEAR_ERROR_PREPARE, bilinear_prepare(context, BILINEAR_G1, p + g1, g1, &fixed, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_prepare(context, BILINEAR_G2, q, g2 - 1, &fixed, &error));
    EXPECT(fixed == NULL);
    must(bilinear_prepare(context, BILINEAR_G2, q, g2, &fixed, &error), &error);
    bilinear_prepared *arguments[] = {fixed, NULL};
    REFUSED(BILINEAR_ERROR_POINTER,
            bilinear_product_prepared(context, arguments, 2, p, 2 * g1, 2, NULL, 1, 0, values, gt, status, &error));
    /* groups with as many rows as prepared arguments, and with other numbers of rows */
    bilinear_prepared *twice[] = {fixed, fixed};
    size_t unequal[] = {1, 0, 2, 1};
    EXPECT(bilinear_check_prepared(context, twice, 2, p, 4 * g1, 4, unequal, 4, 0, is_one, status, &error) == BILINEAR_ERROR_ROWS);
    EXPECT(bilinear_error_row(error) == 0 && strstr(bilinear_error_message(error), "the group has fewer rows (1) than there are fixed points (2)"));
    EXPECT(status[0] == BILINEAR_ERROR_FIXED_COUNT && !status[1] && is_one[1] == 1 && !status[2] && status[3] == BILINEAR_ERROR_FIXED_COUNT);
    bilinear_error_free(error);
    EXPECT(bilinear_product_prepared(context, &fixed, 1, p, 2 * g1, 2, NULL, 1, 0, values, gt, status, &error) == BILINEAR_ERROR_ROWS);
    EXPECT(bilinear_error_row(error) == 1 && strstr(bilinear_error_message(error), "the group has more rows than there are fixed points (1)"));
    EXPECT(status[0] == BILINEAR_ERROR_FIXED_COUNT && values[0] == 0xff);
    bilinear_error_free(error);
    bilinear_context *other;
    must(bilinear_context_new("alt-bn128", NULL, &other, &error), &error);
    REFUSED(BILINEAR_ERROR_CONTEXT,
            bilinear_product_prepared(other, arguments, 1, p, g1, 1, NULL, 1, 0, values, gt, status, &error));

    /* bases for scalars of length 0 or too long, of a bad point, and in another context; sums of wrong lengths; no factors */
    bilinear_fixed_base *base = NULL;
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_fixed_base_new(context, BILINEAR_G2, q, g2, 0, &base, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_fixed_base_new(context, BILINEAR_G2, q, g2, 1025, &base, &error));
    REFUSED(BILINEAR_ERROR_ARGUMENT, bilinear_fixed_base_new(context, BILINEAR_GT, q, g2, 1, &base, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_fixed_base_new(context, BILINEAR_G2, q, g2 - 1, 1, &base, &error));
    EXPECT(base == NULL);
    must(bilinear_fixed_base_new(context, BILINEAR_G2, q, g2, 1, &base, &error), &error);
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_fixed_base_mul_secret(context, base, x, 2, 1, q, g2, &error));
    REFUSED(BILINEAR_ERROR_LENGTH, bilinear_fixed_base_mul_secret(context, base, x, 1, 1, q, g2 - 1, &error));
    REFUSED(BILINEAR_ERROR_POINTER, bilinear_fixed_base_mul_secret(context, NULL, x, 1, 1, q, g2, &error));
    REFUSED(BILINEAR_ERROR_CONTEXT, bilinear_fixed_base_mul_secret(other, base, x, 1, 1, q, g2, &error));
    bilinear_fixed_base_free(base), bilinear_fixed_base_free(NULL);
    REFUSED(BILINEAR_ERROR_LENGTH,
            bilinear_msm(context, BILINEAR_G2, q, g2, x, 0, 1, NULL, 1, 0, q, g2, NULL, &error));
    REFUSED(BILINEAR_ERROR_RANGE,
            bilinear_msm(context, BILINEAR_G2, q, g2, x, 1, 1, NULL, 2, 0, bad, 2 * g2, NULL, &error));
    REFUSED(BILINEAR_ERROR_FACTORS, bilinear_project(context, p + g1, g1, 1, 0, 0, p, g1, NULL, &error));
    bilinear_context_free(other);

    bilinear_prepared_free(fixed);
    free(p), free(q), free(values), free(x), free(bad), free(good);
    bilinear_context_free(context);
    puts("ok");
    return 0;
}
