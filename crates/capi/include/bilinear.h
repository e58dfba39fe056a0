/* The C library of Bilinear, cryptographic pairings in bulk: a context of a curve, and batches over contiguous arrays.
 *
 * Arrays are given by a pointer and their length in bytes, and hold as many rows as said, all of one length. Points are read as x and y,
 * zeros for the point at infinity, or compressed, told apart by their length; they are written as x and y. Residues, scalars and exponents
 * are big-endian. docs/formats.md has the bytes. An output may be one of the inputs, or NULL where its length is 0.
 *
 * A call that is no getter returns a bilinear_code. If that is not BILINEAR_OK and `error` is not NULL, *error is an object that tells
 * more, which the caller frees; otherwise *error becomes NULL. What *error was before is not looked at.
 *
 * In a batch one bad row costs that row alone. The call then returns BILINEAR_ROWS, its error tells the first bad row, the value of
 * each bad one is written as bytes 0xff, which are no value, and `status` has a code for each outcome: 0 where it is good. `status` may
 * be NULL. After any other code but BILINEAR_OK nothing was written.
 *
 * Contexts, prepared arguments and elements do not change: many threads may use the same one at the same time. They belong to who made them, who frees them once.
 * docs/c.md explains all this. Made by cbindgen. */

#ifndef BILINEAR_H
#define BILINEAR_H

#include <stddef.h>
#include <stdint.h>

/* Options of which every one is the default. */
#define BILINEAR_OPTIONS_INIT { sizeof(bilinear_options), NULL, 0, NULL, NULL, 0 }

/**
 * The residues modulo the order of the groups.
 */
#define BILINEAR_ZR 0

/**
 * The group of first arguments.
 */
#define BILINEAR_G1 1

/**
 * The group of second arguments: the same as G1 on a symmetric curve.
 */
#define BILINEAR_G2 2

/**
 * The target group.
 */
#define BILINEAR_GT 3

/**
 * Points are taken to be in their group: that they are on the curve is checked, but not their order.
 */
#define BILINEAR_ON_CURVE 1

/**
 * Second arguments may lie outside G2, as PBC writes them on types D, F and G: with the pairing `tate` alone.
 */
#define BILINEAR_SECOND_ON_CURVE 2

/**
 * What a call ended with. Codes from 1 to 15 are also those of rows.
 */
enum bilinear_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * All is well.
   */
  BILINEAR_OK = 0,
  /**
   * An array, or a value in it, has another length than it should have.
   */
  BILINEAR_LENGTH = 1,
  /**
   * A coordinate, a coefficient or a residue is not below its modulus.
   */
  BILINEAR_CANONICAL = 2,
  /**
   * The last byte of a compressed point is neither 0 nor 1, or 1 where y is 0.
   */
  BILINEAR_SIGN = 3,
  /**
   * Not on the curve.
   */
  BILINEAR_CURVE = 4,
  /**
   * On the curve, but not in the group.
   */
  BILINEAR_SUBGROUP = 5,
  /**
   * The curve has no such encoding.
   */
  BILINEAR_ENCODING = 6,
  /**
   * Flags that the encoding does not have, or that contradict y.
   */
  BILINEAR_FLAGS = 7,
  /**
   * Bytes above a coefficient are not 0.
   */
  BILINEAR_PADDING = 8,
  /**
   * Marked as the point at infinity with something beside the mark; or that point in an encoding that cannot hold it.
   */
  BILINEAR_INFINITY = 9,
  /**
   * The lengths of groups are not those of the rows.
   */
  BILINEAR_RANGE = 10,
  /**
   * Not in the target group.
   */
  BILINEAR_GROUP = 11,
  /**
   * A group has more or fewer rows than there are prepared arguments.
   */
  BILINEAR_FIXED_COUNT = 12,
  /**
   * A pointer is NULL where there has to be something.
   */
  BILINEAR_NULL = 16,
  /**
   * A number that is no group, no flags or no size; a text that is no UTF-8.
   */
  BILINEAR_ARGUMENT = 17,
  /**
   * No curve, engine, pairing, power or encoding has this name.
   */
  BILINEAR_NAME = 18,
  /**
   * The parameters of a curve cannot be read, or are wrong.
   */
  BILINEAR_PARAMETERS = 19,
  /**
   * The engine does not compute with the curve, or the curve has no such pairing.
   */
  BILINEAR_ENGINE = 20,
  /**
   * Threads cannot be started.
   */
  BILINEAR_THREADS = 21,
  /**
   * The tag of hashing is empty.
   */
  BILINEAR_TAG = 22,
  /**
   * The pairing cannot be prepared for this argument.
   */
  BILINEAR_PREPARE = 23,
  /**
   * A prepared argument belongs to another context.
   */
  BILINEAR_CONTEXT = 24,
  /**
   * The operating system has no randomness.
   */
  BILINEAR_RANDOMNESS = 25,
  /**
   * Some rows have no value: their codes are in `status`.
   */
  BILINEAR_ROWS = 26,
  /**
   * A fault of the library.
   */
  BILINEAR_INTERNAL = 27,
  /**
   * The factors of the order are not known or those of another curve, the order is prime, or it has no such factor.
   */
  BILINEAR_FACTORS = 28,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum bilinear_code bilinear_code;
#else
typedef int32_t bilinear_code;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A point with tables of its multiples. It belongs to the context that made it, which may be freed before it.
 */
typedef struct bilinear_base bilinear_base;

/**
 * A curve on an engine, with the threads of its batches. Many threads may use one at the same time.
 */
typedef struct bilinear_context bilinear_context;

/**
 * A residue modulo the order, a point, or an element of the target group. It belongs to its context, which may be freed before it.
 */
typedef struct bilinear_element bilinear_element;

/**
 * What is wrong with a call. Made by the call that failed, and freed by who asked for it.
 */
typedef struct bilinear_error bilinear_error;

/**
 * A fixed argument whose lines are computed. It belongs to the context that prepared it, which may be freed before it.
 */
typedef struct bilinear_prepared bilinear_prepared;

/**
 * What a context is made with. NULL and 0 are the defaults; BILINEAR_OPTIONS_INIT is a struct of nothing else.
 */
typedef struct bilinear_options {
  /**
   * sizeof(bilinear_options).
   */
  size_t size;
  /**
   * An engine of docs/formats.md; by default the best of this processor.
   */
  const char *engine;
  /**
   * Threads of a batch, 1024 at most; by default as many as there are processors. With 1 all is done by the calling thread.
   */
  size_t threads;
  /**
   * "optate", "ate", "rate", "tate", "betaweil", "alphaweil", "weil", "etat" or "opteta"; by default the first that the curve has.
   */
  const char *pairing;
  /**
   * "exact", the default, or "fast".
   */
  const char *power;
  /**
   * 1 to take a curve of small characteristic too ("ss2-1223", "hss2-367" and others), whose discrete logarithms are broken.
   */
  int32_t research;
} bilinear_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library, which never has to be freed.
 */
const char *bilinear_version(void);

/**
 * The word of a code, as in docs/formats.md and in the other languages; "internal" of a number that is no code. Never freed.
 */
const char *bilinear_code_word(int32_t code);

/**
 * The code of an error; BILINEAR_OK of NULL.
 */
bilinear_code bilinear_error_code(const struct bilinear_error *error);

/**
 * The text of an error, which lives as long as the error does; "" of NULL.
 */
const char *bilinear_error_message(const struct bilinear_error *error);

/**
 * The row of an error, counted from 0, or SIZE_MAX where it has none.
 */
size_t bilinear_error_row(const struct bilinear_error *error);

/**
 * Frees an error; NULL is none.
 */
void bilinear_error_free(struct bilinear_error *error);

/**
 * Makes a context of a shipped curve: `bilinear curves` lists the names. That takes milliseconds, on some curves tenths of a second.
 */
bilinear_code bilinear_context_new(const char *name,
                                   const struct bilinear_options *options,
                                   struct bilinear_context **context,
                                   struct bilinear_error **error);

/**
 * Makes a context of a description: TOML, or PBC's parameters of types a, a1, d, e, f, g and i. It is checked in full.
 */
bilinear_code bilinear_context_from_text(const char *text,
                                         size_t len,
                                         const struct bilinear_options *options,
                                         struct bilinear_context **context,
                                         struct bilinear_error **error);

/**
 * Makes a context of the description in a file.
 */
bilinear_code bilinear_context_from_file(const char *path,
                                         const struct bilinear_options *options,
                                         struct bilinear_context **context,
                                         struct bilinear_error **error);

/**
 * Makes another context of the same curve and options that knows the factors of the order, from the file that `bilinear params new a1
 * --factors-out` writes. It is refused unless its mode is 0600 or 0400 and it belongs to the user or to root.
 */
bilinear_code bilinear_context_with_factors(const struct bilinear_context *context,
                                            const char *path,
                                            struct bilinear_context **made,
                                            struct bilinear_error **error);

/**
 * Frees a context; NULL is none. No call may use it any more; what was prepared by it may be freed later.
 */
void bilinear_context_free(struct bilinear_context *context);

/**
 * The name of the curve, which lives as long as the context does; NULL of NULL.
 */
const char *bilinear_curve(const struct bilinear_context *context);

/**
 * The name of the engine that computes batches, which lives as long as the context does; NULL of NULL.
 */
const char *bilinear_engine(const struct bilinear_context *context);

/**
 * The threads of a batch; 0 of NULL.
 */
size_t bilinear_threads(const struct bilinear_context *context);

/**
 * 1 if G1 and G2 are one group, else 0; 0 of NULL.
 */
int32_t bilinear_is_symmetric(const struct bilinear_context *context);

/**
 * Bytes of an element of a group. `encoding` is NULL for the one that all functions read and write: residues big-endian, points as
 * x and y, values as all coefficients. Points also have "compressed" and the encodings of other systems (docs/formats.md: "zcash",
 * "eip", "gnark", ...), values "torus2" and "torus6".
 */
bilinear_code bilinear_size(const struct bilinear_context *context,
                            int32_t group,
                            const char *encoding,
                            size_t *size,
                            struct bilinear_error **error);

/**
 * The order of the groups, big-endian, in as many bytes as a residue has.
 */
bilinear_code bilinear_order(const struct bilinear_context *context,
                             uint8_t *order,
                             size_t order_len,
                             struct bilinear_error **error);

/**
 * The generator of a group: that of the parameters, or else one that is derived from them; e(g1, g2) in BILINEAR_GT.
 */
bilinear_code bilinear_generator(const struct bilinear_context *context,
                                 int32_t group,
                                 uint8_t *element,
                                 size_t element_len,
                                 struct bilinear_error **error);

/**
 * Uniform elements of a group by the operating system's randomness: residues, points other than that at infinity, or values.
 */
bilinear_code bilinear_random(const struct bilinear_context *context,
                              int32_t group,
                              size_t count,
                              uint8_t *elements,
                              size_t elements_len,
                              struct bilinear_error **error);

/**
 * e(P, Q) of every row: `rows` points of G1 in `p` and of G2 in `q`, `rows` values in `gt`.
 */
bilinear_code bilinear_pair(const struct bilinear_context *context,
                            const uint8_t *p,
                            size_t p_len,
                            const uint8_t *q,
                            size_t q_len,
                            size_t rows,
                            uint32_t flags,
                            uint8_t *gt,
                            size_t gt_len,
                            uint8_t *status,
                            struct bilinear_error **error);

/**
 * The product of e(P, Q) over each group of consecutive rows, in `products` values: `lengths` holds as many numbers of rows, or is NULL
 * where all groups have equally many. A bad row spoils its group, whose code is that of the first one.
 */
bilinear_code bilinear_product(const struct bilinear_context *context,
                               const uint8_t *p,
                               size_t p_len,
                               const uint8_t *q,
                               size_t q_len,
                               size_t rows,
                               const size_t *lengths,
                               size_t products,
                               uint32_t flags,
                               uint8_t *gt,
                               size_t gt_len,
                               uint8_t *status,
                               struct bilinear_error **error);

/**
 * Whether the product over each group is 1: `is_one` has a byte for each of `products` groups, 1 where it is, 0 where it is not and of
 * groups with a bad row. The groups are those of bilinear_product.
 */
bilinear_code bilinear_check(const struct bilinear_context *context,
                             const uint8_t *p,
                             size_t p_len,
                             const uint8_t *q,
                             size_t q_len,
                             size_t rows,
                             const size_t *lengths,
                             size_t products,
                             uint32_t flags,
                             uint8_t *is_one,
                             uint8_t *status,
                             struct bilinear_error **error);

/**
 * Prepares a fixed argument: a point of G1 as the first one, a point of G2 as the second one, by `group`. The point is checked in
 * full. On a curve with two groups one of them alone can be prepared with each pairing, and the error says which.
 */
bilinear_code bilinear_prepare(const struct bilinear_context *context,
                               int32_t group,
                               const uint8_t *point,
                               size_t point_len,
                               struct bilinear_prepared **prepared,
                               struct bilinear_error **error);

/**
 * Frees a prepared argument; NULL is none.
 */
void bilinear_prepared_free(struct bilinear_prepared *prepared);

/**
 * bilinear_product with prepared arguments, `fixed_count` of them: the rows of each group, which are the other arguments, meet them in
 * turn. A group of more rows or fewer has the code BILINEAR_FIXED_COUNT, but for one of none, whose product is 1. With one of them and as
 * many products as rows these are pairings.
 */
bilinear_code bilinear_product_prepared(const struct bilinear_context *context,
                                        struct bilinear_prepared *const *fixed,
                                        size_t fixed_count,
                                        const uint8_t *others,
                                        size_t others_len,
                                        size_t rows,
                                        const size_t *lengths,
                                        size_t products,
                                        uint32_t flags,
                                        uint8_t *gt,
                                        size_t gt_len,
                                        uint8_t *status,
                                        struct bilinear_error **error);

/**
 * bilinear_check with prepared arguments, which the rows of each group meet in turn.
 */
bilinear_code bilinear_check_prepared(const struct bilinear_context *context,
                                      struct bilinear_prepared *const *fixed,
                                      size_t fixed_count,
                                      const uint8_t *others,
                                      size_t others_len,
                                      size_t rows,
                                      const size_t *lengths,
                                      size_t products,
                                      uint32_t flags,
                                      uint8_t *is_one,
                                      uint8_t *status,
                                      struct bilinear_error **error);

/**
 * Checks points, and writes them in another encoding: `from` and `to` are those of bilinear_size, and compressed points need no name
 * in `from`. With `out` NULL and `out_len` 0 the points are checked and nothing more. The point at infinity cannot be compressed.
 */
bilinear_code bilinear_convert_points(const struct bilinear_context *context,
                                      int32_t group,
                                      const char *from,
                                      const uint8_t *points,
                                      size_t points_len,
                                      size_t rows,
                                      uint32_t flags,
                                      const char *to,
                                      uint8_t *out,
                                      size_t out_len,
                                      uint8_t *status,
                                      struct bilinear_error **error);

/**
 * xP of every row, in `rows` points. `scalars` holds `rows` big-endian integers of one length, at most 1024 bytes, which need not be
 * below the order. Constant time in the scalars but for their length.
 */
bilinear_code bilinear_multiply(const struct bilinear_context *context,
                                int32_t group,
                                const uint8_t *points,
                                size_t points_len,
                                const uint8_t *scalars,
                                size_t scalars_len,
                                size_t rows,
                                uint32_t flags,
                                uint8_t *out,
                                size_t out_len,
                                uint8_t *status,
                                struct bilinear_error **error);

/**
 * The sum of each group of consecutive rows, in `sums` points; the groups are those of bilinear_product, and a group of no rows has the
 * point at infinity.
 */
bilinear_code bilinear_sum(const struct bilinear_context *context,
                           int32_t group,
                           const uint8_t *points,
                           size_t points_len,
                           size_t rows,
                           const size_t *lengths,
                           size_t sums,
                           uint32_t flags,
                           uint8_t *out,
                           size_t out_len,
                           uint8_t *status,
                           struct bilinear_error **error);

/**
 * -P of every row, in `rows` points.
 */
bilinear_code bilinear_negate(const struct bilinear_context *context,
                              int32_t group,
                              const uint8_t *points,
                              size_t points_len,
                              size_t rows,
                              uint32_t flags,
                              uint8_t *out,
                              size_t out_len,
                              uint8_t *status,
                              struct bilinear_error **error);

/**
 * The points that messages are hashed to (RFC 9380), `count` of them. The messages lie behind each other in `messages`: `lengths`
 * holds the bytes of each, or is NULL where all have equally many. The tag, which must not be empty, separates one use from others.
 */
bilinear_code bilinear_hash(const struct bilinear_context *context,
                            int32_t group,
                            const uint8_t *messages,
                            size_t messages_len,
                            const size_t *lengths,
                            size_t count,
                            const uint8_t *tag,
                            size_t tag_len,
                            uint8_t *out,
                            size_t out_len,
                            struct bilinear_error **error);

/**
 * The sum of xP over each group of consecutive rows, in `sums` points, far faster than multiples one by one where groups are long. The
 * scalars are those of bilinear_multiply, but of any length, the groups those of bilinear_sum. The scalars are public: time tells them.
 */
bilinear_code bilinear_multiply_sum(const struct bilinear_context *context,
                                    int32_t group,
                                    const uint8_t *points,
                                    size_t points_len,
                                    const uint8_t *scalars,
                                    size_t scalars_len,
                                    size_t rows,
                                    const size_t *lengths,
                                    size_t sums,
                                    uint32_t flags,
                                    uint8_t *out,
                                    size_t out_len,
                                    uint8_t *status,
                                    struct bilinear_error **error);

/**
 * Makes tables of the multiples of a point, which is checked in full, for scalars of up to `scalar_len` bytes, 1024 at most: some
 * 50·scalar_len points in memory.
 */
bilinear_code bilinear_base_new(const struct bilinear_context *context,
                                int32_t group,
                                const uint8_t *point,
                                size_t point_len,
                                size_t scalar_len,
                                struct bilinear_base **base,
                                struct bilinear_error **error);

/**
 * Frees a base; NULL is none.
 */
void bilinear_base_free(struct bilinear_base *base);

/**
 * xP of the base's point P for each of `rows` big-endian integers of one length, that of the base or shorter. Constant time in the scalars
 * but for their length, unless P is the point at infinity or of small order.
 */
bilinear_code bilinear_base_multiply(const struct bilinear_context *context,
                                     const struct bilinear_base *base,
                                     const uint8_t *scalars,
                                     size_t scalars_len,
                                     size_t rows,
                                     uint8_t *out,
                                     size_t out_len,
                                     struct bilinear_error **error);

/**
 * The component of every row in the prime-order subgroup of this number, from 0, on a curve of types a and a1 whose context knows the factors of the
 * order (bilinear_context_with_factors). A point is the sum of its components.
 */
bilinear_code bilinear_project(const struct bilinear_context *context,
                               const uint8_t *points,
                               size_t points_len,
                               size_t rows,
                               size_t subgroup,
                               uint32_t flags,
                               uint8_t *out,
                               size_t out_len,
                               uint8_t *status,
                               struct bilinear_error **error);

/**
 * Checks values, and writes them in another encoding of bilinear_size. With `out` NULL and `out_len` 0 the values are checked and
 * nothing more. A value has one encoding of each kind: two values are equal where their bytes are (memcmp).
 */
bilinear_code bilinear_convert_gt(const struct bilinear_context *context,
                                  const char *from,
                                  const uint8_t *values,
                                  size_t values_len,
                                  size_t rows,
                                  const char *to,
                                  uint8_t *out,
                                  size_t out_len,
                                  uint8_t *status,
                                  struct bilinear_error **error);

/**
 * The product of each group of consecutive values, in `products` values; the groups are those of bilinear_product, and a group of
 * no values has 1.
 */
bilinear_code bilinear_gt_product(const struct bilinear_context *context,
                                  const uint8_t *values,
                                  size_t values_len,
                                  size_t rows,
                                  const size_t *lengths,
                                  size_t products,
                                  uint8_t *out,
                                  size_t out_len,
                                  uint8_t *status,
                                  struct bilinear_error **error);

/**
 * x^e of every row. `exponents` holds `rows` big-endian integers of one length, at most 1024 bytes, which need not be below the order.
 * Constant time in the exponents but for their length.
 */
bilinear_code bilinear_gt_power(const struct bilinear_context *context,
                                const uint8_t *values,
                                size_t values_len,
                                const uint8_t *exponents,
                                size_t exponents_len,
                                size_t rows,
                                uint8_t *out,
                                size_t out_len,
                                uint8_t *status,
                                struct bilinear_error **error);

/**
 * 1/x of every row.
 */
bilinear_code bilinear_gt_inverse(const struct bilinear_context *context,
                                  const uint8_t *values,
                                  size_t values_len,
                                  size_t rows,
                                  uint8_t *out,
                                  size_t out_len,
                                  uint8_t *status,
                                  struct bilinear_error **error);

/**
 * The neutral element of a group: 0 of BILINEAR_ZR, the point at infinity, 1 of BILINEAR_GT.
 */
bilinear_code bilinear_element_new(const struct bilinear_context *context,
                                   int32_t group,
                                   struct bilinear_element **element,
                                   struct bilinear_error **error);

/**
 * The residue of an integer.
 */
bilinear_code bilinear_element_integer(const struct bilinear_context *context,
                                       int64_t value,
                                       struct bilinear_element **element,
                                       struct bilinear_error **error);

/**
 * A uniform element by the operating system's randomness; of points not that at infinity.
 */
bilinear_code bilinear_element_random(const struct bilinear_context *context,
                                      int32_t group,
                                      struct bilinear_element **element,
                                      struct bilinear_error **error);

/**
 * The point that a message is hashed to, as by bilinear_hash; of BILINEAR_ZR the residue of the message as a big-endian integer, without
 * the tag.
 */
bilinear_code bilinear_element_hash(const struct bilinear_context *context,
                                    int32_t group,
                                    const uint8_t *message,
                                    size_t message_len,
                                    const uint8_t *tag,
                                    size_t tag_len,
                                    struct bilinear_element **element,
                                    struct bilinear_error **error);

/**
 * Checks and reads an element: a point as x and y, zeros for that at infinity, or compressed. The flags are those of points.
 */
bilinear_code bilinear_element_read(const struct bilinear_context *context,
                                    int32_t group,
                                    const uint8_t *bytes,
                                    size_t bytes_len,
                                    uint32_t flags,
                                    struct bilinear_element **element,
                                    struct bilinear_error **error);

/**
 * Writes an element in as many bytes as bilinear_size tells; with `compressed` other than 0 a point in its compressed form.
 */
bilinear_code bilinear_element_write(const struct bilinear_element *element,
                                     int32_t compressed,
                                     uint8_t *bytes,
                                     size_t bytes_len,
                                     struct bilinear_error **error);

/**
 * Another object with the same value.
 */
bilinear_code bilinear_element_copy(const struct bilinear_element *element,
                                    struct bilinear_element **copy,
                                    struct bilinear_error **error);

/**
 * Frees an element; NULL is none.
 */
void bilinear_element_free(struct bilinear_element *element);

/**
 * 1 if both are the same value of one context, else 0; 0 of NULL.
 */
int32_t bilinear_element_equal(const struct bilinear_element *a, const struct bilinear_element *b);

/**
 * a + b of one group; of BILINEAR_GT the product, which is its only operation.
 */
bilinear_code bilinear_element_add(const struct bilinear_element *a,
                                   const struct bilinear_element *b,
                                   struct bilinear_element **sum,
                                   struct bilinear_error **error);

/**
 * ab of one group; of points the sum, which is their only operation.
 */
bilinear_code bilinear_element_multiply(const struct bilinear_element *a,
                                        const struct bilinear_element *b,
                                        struct bilinear_element **product,
                                        struct bilinear_error **error);

/**
 * -a; of BILINEAR_GT 1/a.
 */
bilinear_code bilinear_element_negate(const struct bilinear_element *a,
                                      struct bilinear_element **negative,
                                      struct bilinear_error **error);

/**
 * 1/a; of points -a. A residue that shares a factor with the order has none: BILINEAR_ARGUMENT.
 */
bilinear_code bilinear_element_invert(const struct bilinear_element *a,
                                      struct bilinear_element **inverse,
                                      struct bilinear_error **error);

/**
 * a^x, of points xa, for a residue x.
 */
bilinear_code bilinear_element_power(const struct bilinear_element *a,
                                     const struct bilinear_element *x,
                                     struct bilinear_element **power,
                                     struct bilinear_error **error);

/**
 * The product of e(P, Q) over `count` pairs of elements, at least one.
 */
bilinear_code bilinear_element_pair(struct bilinear_element *const *p,
                                    struct bilinear_element *const *q,
                                    size_t count,
                                    struct bilinear_element **product,
                                    struct bilinear_error **error);

/**
 * The pairing of a prepared argument and the other one.
 */
bilinear_code bilinear_element_pair_prepared(const struct bilinear_prepared *fixed,
                                             const struct bilinear_element *other,
                                             struct bilinear_element **value,
                                             struct bilinear_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BILINEAR_H */
