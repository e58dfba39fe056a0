/* Shared by the test programs. */

#ifndef TESTS_EXPECT_H
#define TESTS_EXPECT_H

#include "common.h"

/* Ends the program, with the line and the condition, if a condition is false. */
#define EXPECT(condition)                                                \
    do {                                                                 \
        if (!(condition)) {                                              \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);      \
            exit(1);                                                     \
        }                                                                \
    } while (0)

/* Looks for a point on the curve outside the group, among 64 small x from 2. Returns 1 if there is one. On type a, the point with x = 1 is
   left out: it has order 4, and its double is (0, 0), which has the same encoding as O. */
static inline int outside(const bilinear_context *context, int32_t group, size_t size, uint8_t *point) {
    size_t len = size_of(context, group, "compressed");
    uint8_t *x = room(1, len), status = 0;
    for (int i = 2; i <= 65 && status != BILINEAR_ERROR_SUBGROUP; i++) {
        x[len - 2] = (uint8_t)i;
        if (bilinear_convert_points(context, group, NULL, x, len, 1, BILINEAR_ON_CURVE, NULL, point, size, NULL, NULL) != BILINEAR_OK) continue;
        bilinear_convert_points(context, group, NULL, point, size, 1, 0, NULL, NULL, 0, &status, NULL);
    }
    free(x);
    return status == BILINEAR_ERROR_SUBGROUP;
}

#endif
