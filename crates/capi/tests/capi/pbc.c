/* Tests PBC's functions that the examples do not call, on the curve in the file that the argument names. Then prints e(P, Q) for every line
 * `P Q` of the input. */

#define _POSIX_C_SOURCE 200809L
#define BILINEAR_PBC_FAIL(name, text) failed(name, text)
static void failed(const char *name, const char *text);
#include <bilinear_pbc.h>
#include <setjmp.h>
#include "expect.h"

static jmp_buf after_failure;

static void failed(const char *name, const char *text) {
    if (strncmp(name, "element_", 8) || strlen(text) < 5) exit(3);
    longjmp(after_failure, 1);
}

/* Residues: (a + b)c = ac + bc, a/a = 1, a - a = 0, -1 + 1 = 0, (-3)a = -(a + a + a). */
static void residues(pairing_t pairing) {
    element_t a, b, c, x, y;
    element_init_Zr(a, pairing), element_init_Zr(b, pairing), element_init_Zr(c, pairing);
    element_init_Zr(x, pairing), element_init_same_as(y, x);
    EXPECT(element_is0(x));
    element_random(a), element_random(b), element_random(c);
    element_add(x, a, b);
    element_mul_zn(x, x, c);
    element_mul(y, a, c);
    element_mul(b, b, c);
    element_add(y, y, b);
    EXPECT(!element_cmp(x, y) && !element_is0(x) && element_cmp(x, a));
    element_div(x, a, a);
    element_set1(y);
    EXPECT(element_is1(x) && !element_cmp(x, y));
    element_sub(x, a, a);
    EXPECT(element_is0(x) && !element_is1(x));
    element_set_si(x, -1);
    element_add(x, x, y);
    EXPECT(element_is0(x));
    element_mul_si(x, a, -3);
    element_double(y, a);
    element_add(y, y, a);
    element_neg(y, y);
    EXPECT(!element_cmp(x, y));
    element_square(x, a);
    element_mul(y, a, a);
    EXPECT(!element_cmp(x, y));
    /* 2^10 = 1024 */
    element_set_si(x, 2), element_set_si(y, 10), element_set_si(a, 1024);
    element_pow_zn(x, x, y);
    EXPECT(!element_cmp(x, a));
    unsigned char bytes[64];
    EXPECT(element_length_in_bytes(x) == pairing_length_in_bytes_Zr(pairing) && element_length_in_bytes(x) <= 64);
    EXPECT(element_to_bytes(bytes, c) == element_length_in_bytes(c) && element_from_bytes(x, bytes) == element_length_in_bytes(c));
    EXPECT(!element_cmp(x, c));
    /* not below the order */
    memset(bytes, 0xff, sizeof bytes);
    EXPECT(element_from_bytes(x, bytes) == 0 && !element_cmp(x, c));
    /* 0x0102 = 258 */
    element_from_hash(x, "\1\2", 2);
    element_set_si(y, 258);
    EXPECT(!element_cmp(x, y));
    element_clear(a), element_clear(b), element_clear(c), element_clear(x), element_clear(y);
}

/* Writes points and reads them back, in full and compressed. */
static void points(element_t p, int compressed) {
    element_t read, minus;
    unsigned char *bytes = room((size_t)element_length_in_bytes(p), 1);
    element_init_same_as(read, p), element_init_same_as(minus, p);
    element_random(p);
    EXPECT(element_to_bytes(bytes, p) == element_length_in_bytes(p) && element_from_bytes(read, bytes) == element_length_in_bytes(p));
    EXPECT(!element_cmp(read, p) && element_length_in_bytes_compressed(p) == compressed);
    bytes[1] ^= 1;
    EXPECT(element_from_bytes(read, bytes) == 0 && !element_cmp(read, p));
    element_set0(read);
    EXPECT(element_is0(read) && element_is1(read) && element_cmp(read, p));
    EXPECT(element_to_bytes_compressed(bytes, p) == compressed && element_from_bytes_compressed(read, bytes) == compressed);
    EXPECT(!element_cmp(read, p));
    EXPECT(element_to_bytes_x_only(bytes, p) == element_from_bytes_x_only(read, bytes));
    element_neg(minus, p);
    EXPECT(!element_cmp(read, p) || !element_cmp(read, minus));
    /* O in each form, read from bytes; a sign that no point has; and x = 0 alone, if no point of the group has this x */
    memset(bytes, 0, (size_t)element_length_in_bytes(p));
    EXPECT(element_from_bytes(minus, bytes) && element_is0(minus) && !element_is0(read));
    EXPECT(element_to_bytes_compressed(bytes, minus) == compressed && element_from_bytes_compressed(read, bytes) == compressed);
    EXPECT(element_is0(read));
    bytes[compressed - 1] ^= 2;
    EXPECT(element_from_bytes_compressed(p, bytes) == 0 && !element_is0(p));
    EXPECT(element_to_bytes_x_only(bytes, minus) && element_from_bytes_x_only(read, bytes) && element_is0(read));
    element_neg(minus, p);
    element_mul(read, p, minus);
    EXPECT(element_is0(read));
    element_invert(read, minus);
    EXPECT(!element_cmp(read, p));
    element_clear(read), element_clear(minus);
    free(bytes);
}

/* A curve of 1718447011921 points, one of which is (0, 501979594587): the compressed forms of this point and of O differ, and both can be read. */
static void infinity_beside_x_0(void) {
    static const char small[] = "type d\nq 1718448322817\nn 1718447011921\nh 1\nr 1718447011921\na 1545892671329\nb 412269369170\nk 6\n"
                                "nk 25752468189659544661809285716075228646982492507302011829578533228453637120\n"
                                "hk 8720604062137537097698255508833483172086587960320\ncoeff0 17\ncoeff1 1\ncoeff2 0\nnqr 3\n";
    pairing_t pairing;
    EXPECT(pairing_init_set_str(pairing, small) == 0);
    element_t p, infinity;
    element_init_G1(p, pairing), element_init_G1(infinity, pairing);
    unsigned char bytes[7] = {0}, again[7];
    EXPECT(element_length_in_bytes_compressed(p) == sizeof bytes);
    EXPECT(element_from_bytes_compressed(p, bytes) && !element_is0(p) && element_to_bytes_compressed(again, p) && !memcmp(again, bytes, sizeof bytes));
    EXPECT(element_to_bytes_compressed(bytes, infinity) && element_from_bytes_compressed(p, bytes) && element_is0(p));
    element_clear(p), element_clear(infinity);
    pairing_clear(pairing);
}

/* Returns 1 if these parameters are accepted, and are those of the pairing. */
static int are_read(pairing_t pairing, const char *text, size_t len) {
    pairing_t again;
    if (pairing_init_set_buf(again, text, len)) return 0;
    element_t p, q;
    element_init_G1(p, pairing), element_init_G1(q, again);
    unsigned char *bytes = room((size_t)element_length_in_bytes(p), 1);
    element_random(p);
    element_to_bytes(bytes, p);
    int is_same = element_length_in_bytes(p) == element_length_in_bytes(q) && element_from_bytes(q, bytes);
    element_clear(p), element_clear(q);
    pairing_clear(again);
    free(bytes);
    return is_same;
}

/* Parameters with a length end at a zero byte, and are words between the characters that PBC takes for space. */
static void forms_of_parameters(pairing_t pairing, const char *text, size_t len) {
    enum { SIZE = 1 << 14 };
    char *form = (char *)room(SIZE, 1);
    memcpy(form, text, len);
    EXPECT(are_read(pairing, form, len) && are_read(pairing, form, len + 1) && are_read(pairing, form, SIZE) && are_read(pairing, form, 0));
    EXPECT(!are_read(pairing, form, len / 2) && !are_read(pairing, "", 0) && !are_read(pairing, "type", 0) && !are_read(pairing, "# type a", 8));
    /* parameters at the end of their buffer: AddressSanitizer would report a read beyond it */
    char *exact = (char *)room(len, 1);
    memcpy(exact, text, len);
    EXPECT(are_read(pairing, exact, len));
    free(exact);
    static const char *const spaces[] = {" ", "\t", "\r\n", "\n\n \t", " # a b c\n"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        size_t at = 0;
        form[at++] = '\n';
        for (size_t j = 0; j < len; j++) {
            const char *put = strchr(" \n", text[j]) ? spaces[i] : NULL;
            if (put) memcpy(form + at, put, strlen(put));
            else form[at] = text[j];
            at += put ? strlen(put) : 1;
        }
        form[at] = 0;
        EXPECT(at < SIZE && are_read(pairing, form, 0));
    }
    free(form);
}

/* Checks that element_fprintf prints the same as fprintf. */
#define PRINTED(...)                                                                                       \
    do {                                                                                                   \
        char ours[256] = {0}, theirs[256] = {0};                                                           \
        FILE *one = tmpfile(), *other = tmpfile();                                                         \
        EXPECT(one && other && element_fprintf(one, __VA_ARGS__) == fprintf(other, __VA_ARGS__));          \
        rewind(one), rewind(other);                                                                        \
        EXPECT(fread(ours, 1, 255, one) == fread(theirs, 1, 255, other) && !strcmp(ours, theirs));         \
        fclose(one), fclose(other);                                                                        \
    } while (0)

static void printing(void) {
    PRINTED("%E %G %a %A %F %e %g %f|", 1e-7, 2e20, 0.5, 0.75, 1.5, 2.5, 3.5, 4.5);
    PRINTED("%Lf %LE %.3Lg|", 1.25L, 2.5L, 3.5L);
    PRINTED("%hd %hhx %hhu %ho|", (short)-3, 255u, 7u, 8u);
    PRINTED("%jd %ju %td %zu %zd %ld %lu %lld %llx|", (intmax_t)-1, (uintmax_t)2, (ptrdiff_t)-3, (size_t)4, (ptrdiff_t)-5, -6l, 7ul, -8ll, 9ull);
    PRINTED("%*d %-*d| %*d %.*f %.*f %+*.*f %s|", 5, 1, 5, 2, -5, 3, 2, 1.125, -2, 1.125, 9, 3, 1.5, "end");
    PRINTED("%05d %+d % d %#x %-8s %.2s %p %%", 1, 2, 3, 4u, "five", "six", (void *)0);
}

int main(int argc, char **argv) {
    if (argc < 2) pbc_die("%s %d", "no parameters", argc);
    pairing_t pairing, broken;
    EXPECT(argc == 2 && pairing_init_set_str(broken, "type a\nq 15\n") == 1);
    pairing_clear(broken);
    FILE *file = fopen(argv[1], "r");
    EXPECT(file);
    char parameters[8192];
    size_t len = fread(parameters, 1, sizeof parameters, file);
    EXPECT(pairing_init_set_buf(pairing, parameters, len) == 0);
    fclose(file);
    forms_of_parameters(pairing, parameters, len);
    printing();
    residues(pairing);
    infinity_beside_x_0();

    element_t p[2], q[2], value, other, a, b;
    for (int i = 0; i < 2; i++) element_init_G1(p[i], pairing), element_init_G2(q[i], pairing);
    element_init_GT(value, pairing), element_init_GT(other, pairing), element_init_Zr(a, pairing), element_init_Zr(b, pairing);
    for (int i = 0; i < 2; i++) points(p[i], pairing_length_in_bytes_compressed_G1(pairing));
    for (int i = 0; i < 2; i++) points(q[i], pairing_length_in_bytes_compressed_G2(pairing));
    EXPECT(element_length_in_bytes(p[0]) == pairing_length_in_bytes_G1(pairing));
    EXPECT(element_length_in_bytes(q[0]) == pairing_length_in_bytes_G2(pairing));
    EXPECT(element_length_in_bytes(value) == pairing_length_in_bytes_GT(pairing));
    EXPECT(element_length_in_bytes_x_only(p[0]) == pairing_length_in_bytes_x_only_G1(pairing));
    EXPECT(element_length_in_bytes_x_only(q[0]) == pairing_length_in_bytes_x_only_G2(pairing));
    double begun = pbc_get_time();
    unsigned char *bytes = (unsigned char *)pbc_malloc((size_t)(element_length_in_bytes(p[0]) + element_length_in_bytes(q[0])));
    EXPECT(pbc_get_time() >= begun);

    /* a product of two pairings, a fixed argument, and powers: e(P0, Q0)^a e(P1, Q1)^b = e(aP0, Q0) e(P1, bQ1) */
    element_random(a), element_random(b);
    pairing_apply(value, p[0], q[0], pairing);
    pairing_pp_t fixed;
    pairing_pp_init(fixed, p[0], pairing);
    pairing_pp_apply(other, q[0], fixed);
    EXPECT(!element_cmp(value, other) && !element_is1(value));
    pairing_pp_apply(other, q[1], fixed);
    EXPECT(element_cmp(value, other));
    pairing_pp_clear(fixed);
    element_pairing(other, p[1], q[1]);
    element_pow2_zn(value, value, a, other, b);
    element_mul_zn(p[0], p[0], a);
    element_mul_zn(q[1], q[1], b);
    element_prod_pairing(other, p, q, 2);
    EXPECT(!element_cmp(value, other));
    element_div(value, value, other);
    EXPECT(element_is1(value) && element_is0(value));
    element_random(value);
    element_set(other, value);
    EXPECT(!element_cmp(value, other));
    /* a hash to GT, whose order divides the order of the group */
    element_from_hash(value, "abc", 3), element_from_hash(other, "abc", 3);
    EXPECT(!element_cmp(value, other) && !element_is1(value));
    element_from_hash(other, "abd", 3);
    EXPECT(element_cmp(value, other));
    element_set_si(a, -1);
    element_pow_zn(other, value, a);
    element_mul(other, other, value);
    EXPECT(element_is1(other));
    element_set(other, value);

    /* impossible operations end in BILINEAR_PBC_FAIL, and leave the elements unchanged */
    static volatile int failures = 0;
    if (!setjmp(after_failure)) element_add(value, p[0], p[1]);
    else failures++;
    if (!setjmp(after_failure)) element_mul(value, value, a);
    else failures++;
    if (!setjmp(after_failure)) element_pairing(a, p[0], q[0]);
    else failures++;
    if (!setjmp(after_failure)) element_set_si(p[0], 1);
    else failures++;
    if (!setjmp(after_failure)) element_to_bytes_compressed(bytes, value);
    else failures++;
    EXPECT(failures == 5 && !element_cmp(value, other));

    /* printing */
    element_set_si(a, 11);
    EXPECT(element_printf("%s %d %5.1f%% %c %zu %lu ", "text", -7, 2.5, 'c', (size_t)9, 8ul) == (int)strlen("text -7   2.5% c 9 8 "));
    EXPECT(element_fprintf(stdout, "%B\n", a) == 2 * element_length_in_bytes(a) + 1);
    puts(pairing_is_symmetric(pairing) ? "symmetric" : "asymmetric");

    /* the pairings of the input */
    text rows = read_text(stdin);
    size_t g1 = (size_t)element_length_in_bytes(p[0]), g2 = (size_t)element_length_in_bytes(q[0]);
    for (size_t i = 0; i < rows.count; i++) {
        read_word(strtok(rows.lines[i], " "), bytes, g1, i);
        read_word(strtok(NULL, " "), bytes + g1, g2, i);
        EXPECT(element_from_bytes(p[0], bytes) && element_from_bytes(q[0], bytes + g1));
        pairing_apply(value, p[0], q[0], pairing);
        element_printf("%B\n", value);
    }

    for (int i = 0; i < 2; i++) element_clear(p[i]), element_clear(q[i]);
    element_clear(value), element_clear(other), element_clear(a), element_clear(b);
    pbc_free(bytes);
    free_text(rows);
    pairing_clear(pairing);
    return 0;
}
