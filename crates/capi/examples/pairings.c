/* One batch of pairings: prints e(P, Q) for every line `P Q` of the input, in hexadecimal. A bad line affects no other line.
 *
 *     cc pairings.c $(pkg-config --cflags --libs bilinear) -o pairings
 *     ./pairings a-512 < rows.txt
 *
 * The argument is the name of a shipped curve, or the path of a file with a curve. */

#define _POSIX_C_SOURCE 200809L
#include "common.h"

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("pairings CURVE < ROWS\n", stderr);
        return 2;
    }
    bilinear_error *error;
    bilinear_context *context;
    bilinear_options options = BILINEAR_OPTIONS_INIT;
    options.threads = 2;
    int is_file = strchr(arguments[1], '/') != NULL;
    must(is_file ? bilinear_context_from_file(arguments[1], &options, &context, &error)
                 : bilinear_context_new(arguments[1], &options, &context, &error),
         &error);

    size_t g1 = size_of(context, BILINEAR_G1, NULL), g2 = size_of(context, BILINEAR_G2, NULL);
    size_t gt = size_of(context, BILINEAR_GT, NULL);
    text rows = read_text(stdin);
    uint8_t *p = room(rows.count, g1), *q = room(rows.count, g2), *values = room(rows.count, gt);
    uint8_t *status = room(rows.count, 1);
    for (size_t i = 0; i < rows.count; i++) {
        read_word(strtok(rows.lines[i], " "), p + i * g1, g1, i);
        read_word(strtok(NULL, " "), q + i * g2, g2, i);
    }

    bilinear_code code = bilinear_pair(context, p, rows.count * g1, q, rows.count * g2, rows.count, 0,
                                       values, rows.count * gt, status, &error);
    if (code != BILINEAR_OK && code != BILINEAR_ERROR_ROWS) must(code, &error);
    for (size_t i = 0; i < rows.count; i++) {
        if (status[i]) {
            printf("error %s\n", bilinear_code_name(status[i]));
        } else {
            print_bytes(values + i * gt, gt);
        }
    }
    bilinear_error_free(error);

    free(p), free(q), free(values), free(status);
    free_text(rows);
    bilinear_context_free(context);
    return code == BILINEAR_OK ? 0 : 1;
}
