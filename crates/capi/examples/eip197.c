/* The pairing check of EIP-197 on alt_bn128. A line of the input is the input of the precompiled contract 8: pairs of 64 bytes of G1 and
 * 128 bytes of G2. Prints for each line 1 if the product of its pairings is 1, 0 if it is not, and `invalid` if the contract fails.
 *
 *     cc eip197.c $(pkg-config --cflags --libs bilinear) -o eip197 */

#define _POSIX_C_SOURCE 200809L
#include "common.h"

enum { G1 = 64, G2 = 128, PAIR = G1 + G2 };

/* Converts points from the encoding of EIP-197 to the form that the functions compute with. A bad point becomes bytes that these functions
 * refuse. */
static void from_eip(const bilinear_context *context, int32_t group, uint8_t *points, size_t len, size_t rows) {
    bilinear_error *error;
    bilinear_code code =
        bilinear_convert_points(context, group, "eip", points, len, rows, 0, NULL, points, len, NULL, &error);
    if (code != BILINEAR_OK && code != BILINEAR_ERROR_ROWS) must(code, &error);
    bilinear_error_free(error);
}

int main(void) {
    bilinear_error *error;
    bilinear_context *context;
    must(bilinear_context_new("alt-bn128", NULL, &context, &error), &error);
    text calls = read_text(stdin);

    /* the pairs of all lines are concatenated; each line is the product of its pairs */
    size_t rows = 0;
    size_t *lengths = room(calls.count, sizeof *lengths);
    for (size_t i = 0; i < calls.count; i++) {
        lengths[i] = strlen(calls.lines[i]) / (2 * PAIR);
        rows += lengths[i];
    }
    uint8_t *p = room(rows, G1), *q = room(rows, G2), *input = room(rows, PAIR);
    for (size_t i = 0, row = 0; i < calls.count; row += lengths[i++]) {
        read_word(calls.lines[i], input + row * PAIR, lengths[i] * PAIR, i);
    }
    for (size_t row = 0; row < rows; row++) {
        memcpy(p + row * G1, input + row * PAIR, G1);
        memcpy(q + row * G2, input + row * PAIR + G1, G2);
    }
    from_eip(context, BILINEAR_G1, p, rows * G1, rows);
    from_eip(context, BILINEAR_G2, q, rows * G2, rows);

    uint8_t *is_one = room(calls.count, 1), *codes = room(calls.count, 1);
    bilinear_code code = bilinear_check(context, p, rows * G1, q, rows * G2, rows, lengths, calls.count, 0, is_one, codes, &error);
    if (code != BILINEAR_OK && code != BILINEAR_ERROR_ROWS) must(code, &error);
    bilinear_error_free(error);
    for (size_t i = 0; i < calls.count; i++) {
        if (codes[i]) {
            puts("invalid");
        } else {
            printf("%d\n", is_one[i]);
        }
    }

    free(lengths), free(p), free(q), free(input), free(is_one), free(codes);
    free_text(calls);
    bilinear_context_free(context);
    return 0;
}
