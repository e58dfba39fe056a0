/* Forgets to free a context. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"

int main(void) {
    bilinear_context *context;
    bilinear_error *error;
    must(bilinear_context_new("a-512", NULL, &context, &error), &error);
    /* nothing leads there any more */
    context = NULL;
    return context != NULL;
}
