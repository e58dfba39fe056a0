/* What the programs of the tests share. */

#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include "common.h"

/* Ends the program where something is not as it should be. */
#define EXPECT(condition)                                                \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);      \
            exit(1);                                                     \
        }                                                                \
    } while (0)

/* Looks for a point of the curve outside the group, by small x from 2; whether one of 64 is there. On type a that of x = 1 has order 4, and twice it is
   (0, 0), which is written as O is. */
static inline int outside(const bilinear_context *context, int32_t group, size_t size, uint8_t *point) {
    size_t len = size_of(context, group, "compressed");
    uint8_t *x = room(1, len), status = 0;
    for (int i = 2; i <= 65 && status != BILINEAR_SUBGROUP; i++) {
        x[len - 2] = (uint8_t)i;
        if (bilinear_convert_points(context, group, NULL, x, len, 1, BILINEAR_ON_CURVE, NULL, point, size, NULL, NULL) != BILINEAR_OK) continue;
        bilinear_convert_points(context, group, NULL, point, size, 1, 0, NULL, NULL, 0, &status, NULL);
    }
    free(x);
    return status == BILINEAR_SUBGROUP;
}

#endif
