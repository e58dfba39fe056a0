/* Tests components of points, in a context of the curve in the first file that knows the factors in the second file, and refused files.
 * The third file has PBC's parameters of type a1 with their factors. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include <sys/stat.h>

int main(int count, char **arguments) {
    EXPECT(count == 4);
    bilinear_error *error;
    bilinear_context *plain, *context = NULL;
    bilinear_options options = BILINEAR_OPTIONS_INIT;
    options.threads = 3;
    must(bilinear_context_from_file(arguments[1], &options, &plain, &error), &error);

    /* files that other users may read, or that have the factors of another curve, are refused */
    EXPECT(chmod(arguments[2], 0644) == 0);
    EXPECT(bilinear_context_with_factors(plain, arguments[2], &context, &error) == BILINEAR_ERROR_PARAMETERS);
    EXPECT(strstr(bilinear_error_message(error), "0644"));
    bilinear_error_free(error);
    EXPECT(chmod(arguments[2], 0600) == 0);
    bilinear_context *other;
    must(bilinear_context_new("a-512", NULL, &other, &error), &error);
    EXPECT(bilinear_context_with_factors(other, arguments[2], &context, NULL) != BILINEAR_OK && context == NULL);
    EXPECT(bilinear_context_with_factors(plain, "no such file", &context, NULL) == BILINEAR_ERROR_PARAMETERS && context == NULL);
    must(bilinear_context_with_factors(plain, arguments[2], &context, &error), &error);
    EXPECT(!strcmp(bilinear_curve(context), bilinear_curve(plain)) && bilinear_threads(context) == 3);

    enum { N = 12 };
    size_t size = size_of(context, BILINEAR_G1, NULL), gt = size_of(context, BILINEAR_GT, NULL);
    uint8_t *points = room(N, size), *parts = room(2 * N, size), *sums = room(N, size), *values = room(N, gt), *one = room(1, gt);
    uint8_t *o = room(1, size), status[N];
    must(bilinear_random(plain, BILINEAR_G1, N, points, N * size, &error), &error);
    memset(points, 0, size); /* O */
    EXPECT(bilinear_project(plain, points, N * size, N, 0, 0, parts, N * size, status, NULL) == BILINEAR_ERROR_FACTORS);
    EXPECT(bilinear_project(context, points, N * size, N, 2, 0, parts, N * size, status, NULL) == BILINEAR_ERROR_FACTORS);
    for (size_t i = 0; i < 2; i++) {
        must(bilinear_project(context, points, N * size, N, i, 0, parts + i * N * size, N * size, status, &error), &error);
    }
    /* components in different subgroups pair to 1, and the component of a component is itself */
    must(bilinear_pair(context, o, size, o, size, 1, 0, one, gt, NULL, &error), &error);
    must(bilinear_pair(context, parts, N * size, parts + N * size, N * size, N, 0, values, N * gt, NULL, &error), &error);
    for (size_t i = 0; i < N; i++) EXPECT(!memcmp(values + i * gt, one, gt));
    must(bilinear_project(context, parts, N * size, N, 0, 0, sums, N * size, NULL, &error), &error);
    EXPECT(!memcmp(sums, parts, N * size) && !memcmp(parts, o, size) && memcmp(parts + size, o, size));
    must(bilinear_project(context, parts, N * size, N, 1, 0, sums, N * size, NULL, &error), &error);
    for (size_t i = 0; i < N; i++) EXPECT(!memcmp(sums + i * size, o, size));
    /* a point is the sum of its components */
    uint8_t *pairs = room(2 * N, size);
    for (size_t i = 0; i < 2 * N; i++) memcpy(pairs + i * size, parts + (i % 2 * N + i / 2) * size, size);
    must(bilinear_sum(context, BILINEAR_G1, pairs, 2 * N * size, 2 * N, NULL, N, 0, sums, N * size, NULL, &error), &error);
    EXPECT(!memcmp(sums, points, N * size));
    /* a bad row affects no other row */
    points[2 * size - 1] ^= 1;
    EXPECT(bilinear_project(context, points, N * size, N, 0, 0, sums, N * size, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(status[1] && !status[0] && !status[2] && !memcmp(sums + 2 * size, parts + 2 * size, (N - 2) * size));

    /* a point outside the group is a bad row too, unless the call says that points are only on the curve */
    EXPECT(outside(context, BILINEAR_G1, size, points + size));
    EXPECT(bilinear_project(context, points, N * size, N, 0, 0, sums, N * size, status, NULL) == BILINEAR_ERROR_ROWS);
    EXPECT(status[1] == BILINEAR_ERROR_SUBGROUP && !status[0] && !status[2]);
    must(bilinear_project(context, points, N * size, N, 0, BILINEAR_ON_CURVE, sums, N * size, status, &error), &error);
    EXPECT(!memcmp(sums + 2 * size, parts + 2 * size, (N - 2) * size));

    bilinear_context *known;
    must(bilinear_context_from_file(arguments[3], NULL, &known, &error), &error);
    size = size_of(known, BILINEAR_G1, NULL);
    uint8_t *point = room(1, size);
    must(bilinear_generator(known, BILINEAR_G1, point, size, &error), &error);
    must(bilinear_project(known, point, size, 1, 1, 0, point, size, NULL, &error), &error);
    free(point), bilinear_context_free(known);

    free(points), free(parts), free(sums), free(values), free(one), free(o), free(pairs);
    bilinear_context_free(other), bilinear_context_free(plain), bilinear_context_free(context);
    puts("ok");
    return 0;
}
