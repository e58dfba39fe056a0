/* A program that leaks a context. */

#define _POSIX_C_SOURCE 200809L
#include "expect.h"

int main(void) {
    bilinear_context *context;
    bilinear_error *error;
    must(bilinear_context_new("a-512", NULL, &context, &error), &error);
    /* the last pointer to the context is lost */
    context = NULL;
    return context != NULL;
}
