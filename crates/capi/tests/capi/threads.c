/* Many threads use one context and one prepared argument at the same time. Their values are those of a single thread. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include <pthread.h>

enum { THREADS = 4, ROWS = 9 };

static bilinear_context *context;
static bilinear_prepared *fixed;
static uint8_t *p, *q, *wanted, *wanted_fixed;
static size_t g1, g2, gt;

static void *work(void *argument) {
    bilinear_error *error;
    uint8_t *values = room(ROWS, gt);
    for (int turn = 0; turn < 3; turn++) {
        must(bilinear_pair(context, p, ROWS * g1, q, ROWS * g2, ROWS, 0, values, ROWS * gt, NULL, &error), &error);
        EXPECT(!memcmp(values, wanted, ROWS * gt));
        bilinear_prepared *arguments[] = {fixed};
        must(bilinear_product_prepared(context, arguments, 1, q, ROWS * g2, ROWS, NULL, ROWS, 0, values, ROWS * gt, NULL, &error),
             &error);
        EXPECT(!memcmp(values, wanted_fixed, ROWS * gt));
    }
    free(values);
    return argument;
}

int main(void) {
    bilinear_error *error;
    bilinear_options options = BILINEAR_OPTIONS_INIT;
    options.threads = 3;
    must(bilinear_context_new("a-512", &options, &context, &error), &error);
    EXPECT(bilinear_threads(context) == 3);
    g1 = size_of(context, BILINEAR_G1, NULL), g2 = size_of(context, BILINEAR_G2, NULL), gt = size_of(context, BILINEAR_GT, NULL);
    p = room(ROWS, g1), q = room(ROWS, g2), wanted = room(ROWS, gt), wanted_fixed = room(ROWS, gt);
    must(bilinear_random(context, BILINEAR_G1, ROWS, p, ROWS * g1, &error), &error);
    must(bilinear_random(context, BILINEAR_G2, ROWS, q, ROWS * g2, &error), &error);
    must(bilinear_prepare(context, BILINEAR_G1, p, g1, &fixed, &error), &error);

    /* one row at a time, on one thread */
    bilinear_context *alone;
    options.threads = 1;
    must(bilinear_context_new("a-512", &options, &alone, &error), &error);
    for (size_t i = 0; i < ROWS; i++) {
        must(bilinear_pair(alone, p + i * g1, g1, q + i * g2, g2, 1, 0, wanted + i * gt, gt, NULL, &error), &error);
        must(bilinear_pair(alone, p, g1, q + i * g2, g2, 1, 0, wanted_fixed + i * gt, gt, NULL, &error), &error);
    }
    bilinear_context_free(alone);

    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) EXPECT(!pthread_create(&threads[i], NULL, work, NULL));
    for (int i = 0; i < THREADS; i++) EXPECT(!pthread_join(threads[i], NULL));
    bilinear_context_free(context);
    /* a prepared argument may be freed after its context */
    bilinear_prepared_free(fixed);
    free(p), free(q), free(wanted), free(wanted_fixed);
    puts("ok");
    return 0;
}
