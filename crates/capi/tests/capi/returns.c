/* A program whose failure handler returns, although it must not. The argument selects the failure. */

#include <stdio.h>
#define BILINEAR_PBC_FAIL(name, text) ((void)(name), fprintf(stderr, "%s\n", (text)))
#include <bilinear_pbc.h>

int main(int argc, char **argv) {
    char format[256] = {0};
    int is_long = argc == 2 && !strcmp(argv[1], "long");
    memset(format, '0', is_long ? sizeof format - 1 : 1);
    format[0] = '%';
    if (!is_long) format[1] = 'y';
    element_printf(format, 5);
    puts("it goes on");
    return 0;
}
