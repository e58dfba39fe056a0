/* PBC's functions over bilinear.h: a program for PBC includes this header instead of <pbc.h>, and is linked with libbilinear. The header
 * was written from PBC's manual; docs/c.md says which functions are available, and what is different.
 *
 * Parameters are those of PBC's types a, a1, d, e, f and g, or a description in TOML. In G1 and G2, element_add and element_mul both
 * compute the sum of points; in GT, both compute the product. An output may be one of the inputs. PBC's functions on elements report no
 * errors: an impossible operation, such as one on elements of different groups, 1/0, or a lack of memory, is an error of the program, and
 * BILINEAR_PBC_FAIL(name, text) ends it. A program may define this macro before it includes the header. The macro must not return; if it
 * does, the program is aborted. Bytes from outside are checked: element_from_bytes returns 0 if the bytes are no element of the group. */

#ifndef BILINEAR_PBC_H
#define BILINEAR_PBC_H

#include "bilinear.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BILINEAR_PBC_FAIL
#define BILINEAR_PBC_FAIL(name, text) (fprintf(stderr, "%s: %s\n", (name), (text)), abort())
#endif

struct pairing_s {
    bilinear_context *context;
};
typedef struct pairing_s pairing_t[1];
typedef struct pairing_s *pairing_ptr;

struct element_s {
    bilinear_context *context;
    /* BILINEAR_ZR, BILINEAR_G1, BILINEAR_G2 or BILINEAR_GT */
    int32_t group;
    bilinear_element *value;
};
typedef struct element_s element_t[1];
typedef struct element_s *element_ptr;

/* A fixed first argument: prepared if the pairing has lines for it, otherwise stored as it is. */
struct pairing_pp_s {
    bilinear_prepared *prepared;
    element_t first;
};
typedef struct pairing_pp_s pairing_pp_t[1];

/* ---- shared by the functions below -------------------------------------------------------------------------------------------- */

static inline void bilinear_pbc_fail(const char *name, const char *text) {
    BILINEAR_PBC_FAIL(name, text);
    abort();
}

static inline void bilinear_pbc_must(bilinear_code code, bilinear_error *error, const char *name) {
    if (code != BILINEAR_OK) {
        /* the error is freed first, since BILINEAR_PBC_FAIL does not return */
        char text[256];
        snprintf(text, sizeof text, "%s", bilinear_error_message(error));
        bilinear_error_free(error);
        bilinear_pbc_fail(name, text);
    }
}

/* Calls a function that makes an element, and replaces the value of e by it. */
#define BILINEAR_PBC_PUT(e, name, function, ...)                          \
    do {                                                                  \
        bilinear_error *error_ = NULL;                                    \
        bilinear_element *made_ = NULL;                                   \
        bilinear_code code_ = function(__VA_ARGS__, &made_, &error_);     \
        bilinear_pbc_must(code_, error_, name);                           \
        bilinear_element_free((e)->value);                                \
        (e)->value = made_;                                               \
    } while (0)

static inline int bilinear_pbc_is_of(const struct element_s *e, const struct element_s *of) {
    int points = e->group == BILINEAR_G1 || e->group == BILINEAR_G2, others = of->group == BILINEAR_G1 || of->group == BILINEAR_G2;
    return e->group == of->group || (points && others && bilinear_is_symmetric(e->context));
}

/* Ends the program unless an output is in the group of its future value. */
static inline void bilinear_pbc_same(const struct element_s *e, const struct element_s *of, const char *name) {
    if (!bilinear_pbc_is_of(e, of)) bilinear_pbc_fail(name, "the output is of another group");
}

static inline void bilinear_pbc_is_gt(const struct element_s *e, const char *name) {
    if (e->group != BILINEAR_GT) bilinear_pbc_fail(name, "the output is not of GT");
}

static inline size_t bilinear_pbc_size(const struct element_s *e, const char *encoding, const char *name) {
    bilinear_error *error = NULL;
    size_t size = 0;
    bilinear_code code = bilinear_size(e->context, e->group, encoding, &size, &error);
    bilinear_pbc_must(code, error, name);
    return size;
}

static inline void *bilinear_pbc_room(size_t count, size_t size, const char *name) {
    void *room = calloc(count ? count : 1, size ? size : 1);
    if (!room) bilinear_pbc_fail(name, "out of memory");
    return room;
}

/* ---- pairings ------------------------------------------------------------------------------------------------------------------ */

/* Rewrites parameters as lines of two words. PBC reads parameters as pairs of words; a # where a word could begin starts a comment to the
 * end of the line. A text that does not begin with the word type is TOML, and is copied unchanged. `lines` must have space for one byte
 * more than the text. Returns the number of bytes written. */
static inline size_t bilinear_pbc_lines(char *lines, const char *text, size_t len) {
    size_t at = 0, written = 0;
    for (size_t words = 0;; words++) {
        while (at < len && (text[at] == '#' || strchr(" \t\r\n", text[at]))) {
            if (text[at] == '#') {
                while (at < len && text[at] != '\n') at++;
            } else {
                at++;
            }
        }
        if (at == len) return written;
        size_t word = at;
        while (at < len && !strchr(" \t\r\n", text[at])) at++;
        int is_type = at - word == 4 && !memcmp(text + word, "type", 4);
        if ((words == 0 && !is_type) || (words == 1 && text[word] == '=')) {
            memcpy(lines, text, len);
            return len;
        }
        memcpy(lines + written, text + word, at - word);
        written += at - word;
        lines[written++] = words % 2 ? '\n' : ' ';
    }
}

/* Reads parameters, which end at a zero byte, or after len bytes if len is not 0. Returns 0 if they are valid, and 1 otherwise. */
static inline int pairing_init_set_buf(pairing_t pairing, const char *text, size_t len) {
    const char *end = len ? (const char *)memchr(text, 0, len) : text + strlen(text);
    if (end) len = (size_t)(end - text);
    char *lines = (char *)bilinear_pbc_room(len + 1, 1, "pairing_init_set_buf");
    len = bilinear_pbc_lines(lines, text, len);
    pairing->context = NULL;
    bilinear_code code = bilinear_context_from_text(lines, len, NULL, &pairing->context, NULL);
    free(lines);
    return code != BILINEAR_OK;
}

static inline int pairing_init_set_str(pairing_t pairing, const char *text) {
    return pairing_init_set_buf(pairing, text, 0);
}

/* Reads parameters from the file that the first argument names, or from standard input. Ends the program if they are invalid. */
static inline void pbc_demo_pairing_init(pairing_t pairing, int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    char *text = (char *)bilinear_pbc_room(1 << 16, 1, "pbc_demo_pairing_init");
    size_t len = file ? fread(text, 1, 1 << 16, file) : 0;
    if (!file || pairing_init_set_buf(pairing, text, len)) bilinear_pbc_fail("pbc_demo_pairing_init", "cannot read the parameters of a pairing");
    if (file && file != stdin) fclose(file);
    free(text);
}

static inline void pairing_clear(pairing_t pairing) {
    bilinear_context_free(pairing->context);
    pairing->context = NULL;
}

static inline int pairing_is_symmetric(pairing_t pairing) {
    return bilinear_is_symmetric(pairing->context);
}

static inline int bilinear_pbc_length(pairing_t pairing, int32_t group, const char *encoding, const char *name) {
    struct element_s e = {pairing->context, group, NULL};
    return (int)bilinear_pbc_size(&e, encoding, name);
}

static inline int pairing_length_in_bytes_G1(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_G1, NULL, "pairing_length_in_bytes_G1");
}

static inline int pairing_length_in_bytes_G2(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_G2, NULL, "pairing_length_in_bytes_G2");
}

static inline int pairing_length_in_bytes_GT(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_GT, NULL, "pairing_length_in_bytes_GT");
}

static inline int pairing_length_in_bytes_Zr(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_ZR, NULL, "pairing_length_in_bytes_Zr");
}

static inline int pairing_length_in_bytes_compressed_G1(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_G1, "compressed", "pairing_length_in_bytes_compressed_G1");
}

static inline int pairing_length_in_bytes_compressed_G2(pairing_t pairing) {
    return bilinear_pbc_length(pairing, BILINEAR_G2, "compressed", "pairing_length_in_bytes_compressed_G2");
}

static inline int pairing_length_in_bytes_x_only_G1(pairing_t pairing) {
    return pairing_length_in_bytes_G1(pairing) / 2;
}

static inline int pairing_length_in_bytes_x_only_G2(pairing_t pairing) {
    return pairing_length_in_bytes_G2(pairing) / 2;
}

/* ---- elements: made, set, compared --------------------------------------------------------------------------------------------- */

static inline void bilinear_pbc_init(element_t e, bilinear_context *context, int32_t group, const char *name) {
    e->context = context;
    e->group = group;
    e->value = NULL;
    BILINEAR_PBC_PUT(e, name, bilinear_element_new, context, group);
}

static inline void element_init_G1(element_t e, pairing_t pairing) {
    bilinear_pbc_init(e, pairing->context, BILINEAR_G1, "element_init_G1");
}

static inline void element_init_G2(element_t e, pairing_t pairing) {
    bilinear_pbc_init(e, pairing->context, BILINEAR_G2, "element_init_G2");
}

static inline void element_init_GT(element_t e, pairing_t pairing) {
    bilinear_pbc_init(e, pairing->context, BILINEAR_GT, "element_init_GT");
}

static inline void element_init_Zr(element_t e, pairing_t pairing) {
    bilinear_pbc_init(e, pairing->context, BILINEAR_ZR, "element_init_Zr");
}

static inline void element_init_same_as(element_t e, element_t other) {
    bilinear_pbc_init(e, other->context, other->group, "element_init_same_as");
}

static inline void element_clear(element_t e) {
    bilinear_element_free(e->value);
    e->value = NULL;
}

static inline void element_set(element_t e, element_t a) {
    bilinear_pbc_same(e, a, "element_set");
    BILINEAR_PBC_PUT(e, "element_set", bilinear_element_copy, a->value);
}

/* Sets e to 0 in Zr, the point at infinity in G1 and G2, 1 in GT. */
static inline void element_set0(element_t e) {
    BILINEAR_PBC_PUT(e, "element_set0", bilinear_element_new, e->context, e->group);
}

/* Sets an element of Zr to an integer. */
static inline void element_set_si(element_t e, signed long int value) {
    if (e->group != BILINEAR_ZR) bilinear_pbc_fail("element_set_si", "the element is not of Zr");
    BILINEAR_PBC_PUT(e, "element_set_si", bilinear_element_from_integer, e->context, value);
}

/* Sets e to 1 in Zr and GT, the point at infinity in G1 and G2. */
static inline void element_set1(element_t e) {
    if (e->group == BILINEAR_ZR) {
        element_set_si(e, 1);
    } else {
        element_set0(e);
    }
}

static inline void element_random(element_t e) {
    BILINEAR_PBC_PUT(e, "element_random", bilinear_element_random, e->context, e->group);
}

static inline void bilinear_pbc_hash(struct element_s *e, const void *data, int len, const char *dst) {
    const uint8_t *bytes = (const uint8_t *)data, *word = (const uint8_t *)dst;
    BILINEAR_PBC_PUT(e, "element_from_hash", bilinear_element_from_hash, e->context, e->group, bytes, (size_t)(len < 0 ? 0 : len),
                     word, strlen(dst));
}

/* Sets e to e(P, Q), where P is the message hashed to G1 under a tag of its own, and Q is the generator of G2. */
static inline void bilinear_pbc_hash_to_gt(struct element_s *e, const void *data, int len) {
    const char *name = "element_from_hash";
    struct element_s p = {e->context, BILINEAR_G1, NULL}, q = {e->context, BILINEAR_G2, NULL};
    bilinear_error *error = NULL;
    size_t size = bilinear_pbc_size(&q, NULL, name);
    uint8_t *bytes = (uint8_t *)bilinear_pbc_room(size, 1, name);
    bilinear_code code = bilinear_generator(e->context, BILINEAR_G2, bytes, size, &error);
    bilinear_pbc_must(code, error, name);
    bilinear_pbc_hash(&p, data, len, "BILINEAR-PBC-GT-V01");
    BILINEAR_PBC_PUT(&q, name, bilinear_element_from_bytes, e->context, BILINEAR_G2, bytes, size, 0);
    BILINEAR_PBC_PUT(e, name, bilinear_element_pair, &p.value, &q.value, 1);
    bilinear_element_free(p.value);
    bilinear_element_free(q.value);
    free(bytes);
}

/* Hashes a message to a point; in GT, to the pairing of a point. In Zr, sets e to the bytes as a big-endian integer modulo r. */
static inline void element_from_hash(element_t e, const void *data, int len) {
    if (e->group == BILINEAR_GT) {
        bilinear_pbc_hash_to_gt(e, data, len);
    } else {
        bilinear_pbc_hash(e, data, len, "BILINEAR-PBC-V01");
    }
}

/* Returns 0 if both elements are equal, and 1 otherwise. */
static inline int element_cmp(element_t a, element_t b) {
    return !bilinear_element_equal(a->value, b->value);
}

static inline int element_is0(element_t e) {
    element_t other;
    element_init_same_as(other, e);
    int is = !element_cmp(e, other);
    element_clear(other);
    return is;
}

static inline int element_is1(element_t e) {
    element_t other;
    element_init_same_as(other, e);
    element_set1(other);
    int is = !element_cmp(e, other);
    element_clear(other);
    return is;
}

/* ---- elements: arithmetic ------------------------------------------------------------------------------------------------------ */

static inline void element_add(element_t n, element_t a, element_t b) {
    bilinear_pbc_same(n, a, "element_add");
    BILINEAR_PBC_PUT(n, "element_add", bilinear_element_add, a->value, b->value);
}

static inline void element_mul(element_t n, element_t a, element_t b) {
    bilinear_pbc_same(n, a, "element_mul");
    BILINEAR_PBC_PUT(n, "element_mul", bilinear_element_multiply, a->value, b->value);
}

static inline void element_neg(element_t n, element_t a) {
    bilinear_pbc_same(n, a, "element_neg");
    BILINEAR_PBC_PUT(n, "element_neg", bilinear_element_negate, a->value);
}

static inline void element_invert(element_t n, element_t a) {
    bilinear_pbc_same(n, a, "element_invert");
    BILINEAR_PBC_PUT(n, "element_invert", bilinear_element_invert, a->value);
}

static inline void element_sub(element_t n, element_t a, element_t b) {
    element_t minus;
    element_init_same_as(minus, b);
    element_neg(minus, b);
    element_add(n, a, minus);
    element_clear(minus);
}

static inline void element_div(element_t n, element_t a, element_t b) {
    element_t inverse;
    element_init_same_as(inverse, b);
    element_invert(inverse, b);
    element_mul(n, a, inverse);
    element_clear(inverse);
}

static inline void element_double(element_t n, element_t a) {
    element_add(n, a, a);
}

static inline void element_square(element_t n, element_t a) {
    element_mul(n, a, a);
}

/* Computes a^z for z in Zr; in G1 and G2, za. */
static inline void element_pow_zn(element_t n, element_t a, element_t z) {
    bilinear_pbc_same(n, a, "element_pow_zn");
    BILINEAR_PBC_PUT(n, "element_pow_zn", bilinear_element_power, a->value, z->value);
}

/* Computes za for z in Zr; in Zr, the product. */
static inline void element_mul_zn(element_t n, element_t a, element_t z) {
    if (a->group == BILINEAR_ZR) {
        element_mul(n, a, z);
    } else {
        element_pow_zn(n, a, z);
    }
}

static inline void element_mul_si(element_t n, element_t a, signed long int z) {
    element_t integer = {{a->context, BILINEAR_ZR, NULL}};
    element_set_si(integer, z);
    element_mul_zn(n, a, integer);
    element_clear(integer);
}

/* Computes a1^n1 a2^n2. */
static inline void element_pow2_zn(element_t x, element_t a1, element_t n1, element_t a2, element_t n2) {
    element_t other;
    element_init_same_as(other, a2);
    element_pow_zn(other, a2, n2);
    element_pow_zn(x, a1, n1);
    element_mul(x, x, other);
    element_clear(other);
}

/* ---- elements: bytes ----------------------------------------------------------------------------------------------------------- */

static inline int element_length_in_bytes(element_t e) {
    return (int)bilinear_pbc_size(e, NULL, "element_length_in_bytes");
}

static inline int element_length_in_bytes_compressed(element_t e) {
    return (int)bilinear_pbc_size(e, "compressed", "element_length_in_bytes_compressed");
}

static inline int element_length_in_bytes_x_only(element_t e) {
    return element_length_in_bytes(e) / 2;
}

static inline int bilinear_pbc_write(unsigned char *data, element_t e, int compressed, size_t size, const char *name) {
    bilinear_error *error = NULL;
    bilinear_code code = bilinear_element_to_bytes(e->value, compressed, data, size, &error);
    bilinear_pbc_must(code, error, name);
    return (int)size;
}

/* Writes as many bytes as element_length_in_bytes says, and returns their number. */
static inline int element_to_bytes(unsigned char *data, element_t e) {
    return bilinear_pbc_write(data, e, 0, bilinear_pbc_size(e, NULL, "element_to_bytes"), "element_to_bytes");
}

/* Writes the compressed form of O: zeros, as PBC writes a new point. If zeros are a point of the group with x = 0, the byte of the sign is
 * 2, which no point has. */
static inline void bilinear_pbc_compressed_infinity(unsigned char *data, const struct element_s *e, size_t size) {
    bilinear_element *point = NULL;
    memset(data, 0, size);
    if (bilinear_element_from_bytes(e->context, e->group, data, size, 0, &point, NULL) == BILINEAR_OK) data[size - 1] = 2;
    bilinear_element_free(point);
}

static inline int element_to_bytes_compressed(unsigned char *data, element_t e) {
    size_t size = bilinear_pbc_size(e, "compressed", "element_to_bytes_compressed");
    if (element_is0(e)) {
        bilinear_pbc_compressed_infinity(data, e, size);
        return (int)size;
    }
    return bilinear_pbc_write(data, e, 1, size, "element_to_bytes_compressed");
}

static inline int element_to_bytes_x_only(unsigned char *data, element_t e) {
    size_t size = (size_t)element_length_in_bytes(e);
    unsigned char *both = (unsigned char *)bilinear_pbc_room(size, 1, "element_to_bytes_x_only");
    bilinear_pbc_write(both, e, 0, size, "element_to_bytes_x_only");
    memcpy(data, both, size / 2);
    free(both);
    return (int)(size / 2);
}

/* Reads an element, and returns its size. If the bytes are no element, leaves e unchanged and returns 0. */
static inline int bilinear_pbc_read(element_t e, const unsigned char *data, size_t size) {
    bilinear_element *read = NULL;
    if (bilinear_element_from_bytes(e->context, e->group, data, size, 0, &read, NULL) != BILINEAR_OK) return 0;
    bilinear_element_free(e->value);
    e->value = read;
    return (int)size;
}

/* Reads as many bytes as element_length_in_bytes says, and returns their number, or 0 if they are no element of the group. */
static inline int element_from_bytes(element_t e, unsigned char *data) {
    return bilinear_pbc_read(e, data, bilinear_pbc_size(e, NULL, "element_from_bytes"));
}

static inline int element_from_bytes_compressed(element_t e, unsigned char *data) {
    const char *name = "element_from_bytes_compressed";
    size_t size = bilinear_pbc_size(e, "compressed", name);
    int len = bilinear_pbc_read(e, data, size);
    if (len) return len;
    unsigned char *infinity = (unsigned char *)bilinear_pbc_room(size, 1, name);
    bilinear_pbc_compressed_infinity(infinity, e, size);
    int is_infinity = !memcmp(data, infinity, size);
    free(infinity);
    if (!is_infinity) return 0;
    element_set0(e);
    return (int)size;
}

/* Reads one of the two points with this x. Zeros are O if no point of the group has x = 0. */
static inline int element_from_bytes_x_only(element_t e, unsigned char *data) {
    size_t x = (size_t)element_length_in_bytes_x_only(e), size = bilinear_pbc_size(e, "compressed", "element_from_bytes_x_only");
    unsigned char *point = (unsigned char *)bilinear_pbc_room(size, 1, "element_from_bytes_x_only");
    memcpy(point, data, x);
    int is_read = element_from_bytes_compressed(e, point);
    free(point);
    return is_read ? (int)x : 0;
}

/* ---- pairings of elements ------------------------------------------------------------------------------------------------------ */

/* Computes the product of e(in1[i], in2[i]) over n pairs, at least one. */
static inline void element_prod_pairing(element_t out, element_t in1[], element_t in2[], int n) {
    const char *name = "element_prod_pairing";
    size_t count = (size_t)(n < 0 ? 0 : n);
    bilinear_element **p = (bilinear_element **)bilinear_pbc_room(count, sizeof *p, name);
    bilinear_element **q = (bilinear_element **)bilinear_pbc_room(count, sizeof *q, name);
    for (size_t i = 0; i < count; i++) {
        p[i] = in1[i]->value;
        q[i] = in2[i]->value;
    }
    bilinear_pbc_is_gt(out, name);
    BILINEAR_PBC_PUT(out, name, bilinear_element_pair, p, q, count);
    free(p);
    free(q);
}

static inline void element_pairing(element_t out, element_t in1, element_t in2) {
    bilinear_pbc_is_gt(out, "element_pairing");
    BILINEAR_PBC_PUT(out, "element_pairing", bilinear_element_pair, &in1->value, &in2->value, 1);
}

static inline void pairing_apply(element_t out, element_t in1, element_t in2, pairing_t pairing) {
    (void)pairing;
    element_pairing(out, in1, in2);
}

static inline void pairing_pp_init(pairing_pp_t p, element_t in1, pairing_t pairing) {
    const char *name = "pairing_pp_init";
    bilinear_error *error = NULL;
    size_t size = (size_t)element_length_in_bytes(in1);
    unsigned char *bytes = (unsigned char *)bilinear_pbc_room(size, 1, name);
    p->prepared = NULL;
    element_init_same_as(p->first, in1);
    element_set(p->first, in1);
    element_to_bytes(bytes, in1);
    bilinear_code code = bilinear_prepare(pairing->context, BILINEAR_G1, bytes, size, &p->prepared, &error);
    /* if the pairing has lines for second arguments alone, it is computed from the element */
    if (code == BILINEAR_ERROR_PREPARE) {
        bilinear_error_free(error);
    } else {
        bilinear_pbc_must(code, error, name);
    }
    free(bytes);
}

static inline void pairing_pp_apply(element_t out, element_t in2, pairing_pp_t p) {
    if (!p->prepared) {
        element_pairing(out, p->first, in2);
        return;
    }
    bilinear_pbc_is_gt(out, "pairing_pp_apply");
    BILINEAR_PBC_PUT(out, "pairing_pp_apply", bilinear_element_pair_prepared, p->prepared, in2->value);
}

static inline void pairing_pp_clear(pairing_pp_t p) {
    bilinear_prepared_free(p->prepared);
    element_clear(p->first);
}

/* ---- printing ------------------------------------------------------------------------------------------------------------------ */

/* Prints the bytes of an element in hexadecimal, and returns the number of characters. */
static inline int bilinear_pbc_print(FILE *stream, element_t e) {
    int size = element_length_in_bytes(e);
    unsigned char *bytes = (unsigned char *)bilinear_pbc_room((size_t)size, 1, "element_printf");
    element_to_bytes(bytes, e);
    for (int i = 0; i < size; i++) fprintf(stream, "%02x", bytes[i]);
    free(bytes);
    return 2 * size;
}

/* The length modifier of a printf conversion. With hh, h or no modifier, the argument is an int. */
enum bilinear_pbc_length { BILINEAR_PBC_INT, BILINEAR_PBC_L, BILINEAR_PBC_LL, BILINEAR_PBC_J, BILINEAR_PBC_Z, BILINEAR_PBC_T, BILINEAR_PBC_LONG_DOUBLE };

/* Prints the next argument by one printf conversion, which is given from its % to its letter. */
static inline int bilinear_pbc_convert(FILE *stream, const char *conversion, char letter, enum bilinear_pbc_length length, va_list *arguments) {
    switch (letter) {
        case '%':
            return fprintf(stream, "%%");
        case 'd':
        case 'i':
            if (length == BILINEAR_PBC_LL) return fprintf(stream, conversion, va_arg(*arguments, long long));
            if (length == BILINEAR_PBC_L) return fprintf(stream, conversion, va_arg(*arguments, long));
            if (length == BILINEAR_PBC_J) return fprintf(stream, conversion, va_arg(*arguments, intmax_t));
            if (length == BILINEAR_PBC_Z || length == BILINEAR_PBC_T) return fprintf(stream, conversion, va_arg(*arguments, ptrdiff_t));
            return fprintf(stream, conversion, va_arg(*arguments, int));
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            if (length == BILINEAR_PBC_LL) return fprintf(stream, conversion, va_arg(*arguments, unsigned long long));
            if (length == BILINEAR_PBC_L) return fprintf(stream, conversion, va_arg(*arguments, unsigned long));
            if (length == BILINEAR_PBC_J) return fprintf(stream, conversion, va_arg(*arguments, uintmax_t));
            if (length == BILINEAR_PBC_Z || length == BILINEAR_PBC_T) return fprintf(stream, conversion, va_arg(*arguments, size_t));
            return fprintf(stream, conversion, va_arg(*arguments, unsigned));
        case 'c':
            return fprintf(stream, conversion, va_arg(*arguments, int));
        case 's':
            return fprintf(stream, conversion, va_arg(*arguments, const char *));
        case 'p':
            return fprintf(stream, conversion, va_arg(*arguments, void *));
        case 'a':
        case 'A':
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
            if (length == BILINEAR_PBC_LONG_DOUBLE) return fprintf(stream, conversion, va_arg(*arguments, long double));
            return fprintf(stream, conversion, va_arg(*arguments, double));
        case 'B':
            return bilinear_pbc_print(stream, va_arg(*arguments, element_ptr));
        default:
            bilinear_pbc_fail("element_printf", "unknown conversion");
            return 0;
    }
}

/* Prints by the conversion at a % of the format, with each * replaced by its number. Returns the rest of the format. */
static inline const char *bilinear_pbc_conversion(FILE *stream, const char *format, int *written, va_list *arguments) {
    char conversion[64] = "%", number[16];
    size_t len = 1;
    enum bilinear_pbc_length length = BILINEAR_PBC_INT;
    for (format++; *format && strchr("-+ #0123456789.*hljztL", *format); format++) {
        snprintf(number, sizeof number, "%c", *format);
        switch (*format) {
            case '*': {
                int argument = va_arg(*arguments, int);
                snprintf(number, sizeof number, "%d", argument);
                /* a negative precision means no precision */
                if (argument < 0 && conversion[len - 1] == '.') len--, number[0] = 0;
                break;
            }
            case 'l':
                length = length == BILINEAR_PBC_L ? BILINEAR_PBC_LL : BILINEAR_PBC_L;
                break;
            case 'j':
                length = BILINEAR_PBC_J;
                break;
            case 'z':
                length = BILINEAR_PBC_Z;
                break;
            case 't':
                length = BILINEAR_PBC_T;
                break;
            case 'L':
                length = BILINEAR_PBC_LONG_DOUBLE;
                break;
            default:
                break;
        }
        /* leaves space for the letter and the final zero byte */
        if (len + strlen(number) + 2 > sizeof conversion) bilinear_pbc_fail("element_printf", "the conversion is too long");
        memcpy(conversion + len, number, strlen(number));
        len += strlen(number);
    }
    conversion[len] = *format;
    conversion[len + 1] = 0;
    *written += bilinear_pbc_convert(stream, conversion, *format, length, arguments);
    return *format ? format + 1 : format;
}

static inline int bilinear_pbc_vfprintf(FILE *stream, const char *format, va_list *arguments) {
    int written = 0;
    while (*format) {
        if (*format == '%') {
            format = bilinear_pbc_conversion(stream, format, &written, arguments);
            continue;
        }
        fputc(*format++, stream);
        written++;
    }
    return written;
}

/* fprintf with an additional conversion %B for an element, which prints its bytes in hexadecimal. */
static inline int element_fprintf(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = bilinear_pbc_vfprintf(stream, format, &arguments);
    va_end(arguments);
    return written;
}

static inline int element_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = bilinear_pbc_vfprintf(stdout, format, &arguments);
    va_end(arguments);
    return written;
}

/* ---- other functions that PBC's own programs call ------------------------------------------------------------------------------ */

/* Prints a message to standard error, and ends the program with PBC's status. */
static inline void pbc_die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("fatal: ", stderr);
    bilinear_pbc_vfprintf(stderr, format, &arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(128);
}

/* Allocates memory. Ends the program if there is none. */
static inline void *pbc_malloc(size_t size) {
    return bilinear_pbc_room(size, 1, "pbc_malloc");
}

static inline void pbc_free(void *room) {
    free(room);
}

/* Returns the seconds of a monotonic clock, or of processor time if the compiler is told to hide POSIX (-std=c11). */
static inline double pbc_get_time(void) {
#ifdef CLOCK_MONOTONIC
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

#endif
