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

#endif
