/* The C library of Bilinear, for cryptographic pairings in bulk: contexts of curves, and batches over contiguous arrays.
 *
 * An array is given by a pointer and its length in bytes. It holds the given number of rows, all of one length. Points
 * are read as x and y (zeros for the point at infinity), or compressed; the length tells which. They are written as x
 * and y. Residues, scalars and exponents are big-endian. docs/formats.md describes the bytes. An output may be one of
 * the inputs, or NULL if its length is 0.
 *
 * Every function that can fail returns a bilinear_code. If the code is not BILINEAR_OK and `error` is not NULL, *error
 * becomes an object with details, which the caller frees; otherwise *error becomes NULL. The previous value of *error
 * is not read.
 *
 * In a batch, a bad row affects its own outcome alone. The call then returns BILINEAR_ERROR_ROWS, and its error names the
 * first bad row. The value of each bad outcome is written as bytes 0xff, which are no valid value. `status` has a code
 * for each outcome, 0 if it is good; `status` may be NULL. After any other code except BILINEAR_OK, nothing was written.
 *
 * Contexts, prepared arguments and elements do not change: many threads may use the same one at the same time. They
 * belong to the caller that made them, which frees each of them once. docs/c.md explains all this. Made by cbindgen. */

#ifndef BILINEAR_H
#define BILINEAR_H

#include <stddef.h>
#include <stdint.h>

/* Options with their defaults. */
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
 * Points are checked to be on the curve, and assumed to be in their group: their order is not checked.
 */
#define BILINEAR_ON_CURVE 1

/**
 * Second arguments may lie outside G2, as PBC writes them on types D, F and G. Only with the pairing `tate`. First
 * arguments are checked in full, unless BILINEAR_ON_CURVE is set too.
 */
#define BILINEAR_ALLOW_Q_OUTSIDE_G2 2

/**
 * The outcome of a call. Codes from 1 to 15 are also outcomes of rows.
 */
enum bilinear_code
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Success.
   */
  BILINEAR_OK = 0,
  /**
   * An array, or a value in it, has a wrong length.
   */
  BILINEAR_ERROR_LENGTH = 1,
  /**
   * A coordinate, a coefficient or a residue is not below its modulus.
   */
  BILINEAR_ERROR_CANONICAL = 2,
  /**
   * The last byte of a compressed point is neither 0 nor 1, or 1 where y is 0.
   */
  BILINEAR_ERROR_SIGN = 3,
  /**
   * Not on the curve.
   */
  BILINEAR_ERROR_CURVE = 4,
  /**
   * On the curve, but not in the group.
   */
  BILINEAR_ERROR_SUBGROUP = 5,
  /**
   * The curve has no such encoding.
   */
  BILINEAR_ERROR_ENCODING = 6,
  /**
   * Flags that the encoding does not have, or that contradict y.
   */
  BILINEAR_ERROR_FLAGS = 7,
  /**
   * Bytes above a coefficient are not 0.
   */
  BILINEAR_ERROR_PADDING = 8,
  /**
   * The mark of the point at infinity comes with other data, or the encoding cannot hold the point at infinity.
   */
  BILINEAR_ERROR_INFINITY = 9,
  /**
   * The lengths of the groups do not match the number of rows.
   */
  BILINEAR_ERROR_RANGE = 10,
  /**
   * Not in the target group.
   */
  BILINEAR_ERROR_GROUP = 11,
  /**
   * A group has more or fewer rows than there are prepared arguments.
   */
  BILINEAR_ERROR_FIXED_COUNT = 12,
  /**
   * A pointer is NULL that must not be.
   */
  BILINEAR_ERROR_POINTER = 16,
  /**
   * A number is not a group, not flags or not a size, or a text is not UTF-8.
   */
  BILINEAR_ERROR_ARGUMENT = 17,
  /**
   * No curve, engine, pairing, power or encoding has this name.
   */
  BILINEAR_ERROR_NAME = 18,
  /**
   * The parameters of a curve cannot be read, or are wrong.
   */
  BILINEAR_ERROR_PARAMETERS = 19,
  /**
   * The engine does not support the curve, or the curve has no such pairing.
   */
  BILINEAR_ERROR_ENGINE = 20,
  /**
   * Threads cannot be started.
   */
  BILINEAR_ERROR_THREADS = 21,
  /**
   * The domain separation tag of hashing is empty.
   */
  BILINEAR_ERROR_DST = 22,
  /**
   * The pairing cannot be prepared for this argument.
   */
  BILINEAR_ERROR_PREPARE = 23,
  /**
   * A prepared argument, a base or an element belongs to another context.
   */
  BILINEAR_ERROR_CONTEXT = 24,
  /**
   * The operating system has no randomness.
   */
  BILINEAR_ERROR_RANDOMNESS = 25,
  /**
   * Some rows have no value: their codes are in `status`.
   */
  BILINEAR_ERROR_ROWS = 26,
  /**
   * A fault of the library.
   */
  BILINEAR_ERROR_INTERNAL = 27,
  /**
   * The factors of the order are unknown or belong to another curve, the order is prime, or it has no factor of this number.
   */
  BILINEAR_ERROR_FACTORS = 28,
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
typedef struct bilinear_fixed_base bilinear_fixed_base;

/**
 * A curve on an engine, with the threads of its batches. Many threads may use one at the same time.
 */
typedef struct bilinear_context bilinear_context;

/**
 * A residue modulo the order, a point, or an element of the target group. It belongs to its context, which may be freed before it.
 */
typedef struct bilinear_element bilinear_element;

/**
 * The error of a call. It is made by the call that failed, and freed by the caller.
 */
typedef struct bilinear_error bilinear_error;

/**
 * A fixed argument with its precomputed lines. It belongs to the context that prepared it, which may be freed before it.
 */
typedef struct bilinear_prepared bilinear_prepared;

/**
 * The options of a context. NULL and 0 mean the defaults; in BILINEAR_OPTIONS_INIT all options have their defaults.
 */
typedef struct bilinear_options {
  /**
   * sizeof(bilinear_options).
   */
  size_t size;
  /**
   * The name of an engine (docs/formats.md); by default the best engine of this processor.
   */
  const char *engine;
  /**
   * The number of threads of a batch, at most 1024; by default the number of processors. With 1, the calling thread does all
   * the work.
   */
  size_t threads;
  /**
   * "optate", "ate", "rate", "tate", "betaweil", "alphaweil", "weil", "etat" or "opteta"; by default the first one that the
   * curve has.
   */
  const char *pairing;
  /**
   * "exact", the default, or "fast".
   */
  const char *power;
  /**
   * 1 to accept curves of small characteristic too ("ss2-1223", "hss2-367" and others), whose discrete logarithms are
   * broken.
   */
  int32_t research;
} bilinear_options;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the library. The text must not be freed.
 */
const char *bilinear_version(void);

/**
 * Returns the name of a code, as in docs/formats.md and in the other languages, or "internal" for a number that is not a
 * code. The text must not be freed.
 */
const char *bilinear_code_name(int32_t code);

/**
 * Returns the code of an error, or BILINEAR_OK for NULL.
 */
bilinear_code bilinear_error_code(const struct bilinear_error *error);

/**
 * Returns the text of an error, which is valid until the error is freed, or "" for NULL.
 */
const char *bilinear_error_message(const struct bilinear_error *error);

/**
 * Returns the row of an error, counted from 0, or SIZE_MAX if it has none.
 */
size_t bilinear_error_row(const struct bilinear_error *error);

/**
 * Frees an error. NULL is ignored.
 */
void bilinear_error_free(struct bilinear_error *error);

/**
 * Makes the context of a shipped curve: `bilinear curves` lists the names. This takes milliseconds, for some curves tenths
 * of a second.
 */
bilinear_code bilinear_context_new(const char *name,
                                   const struct bilinear_options *options,
                                   struct bilinear_context **context,
                                   struct bilinear_error **error);

/**
 * Makes a context from a description: TOML, or PBC's parameters of types a, a1, d, e, f, g and i. The description is
 * checked in full. If it has the factors of the order (n0, n1, ... of type a1), the context knows them.
 */
bilinear_code bilinear_context_from_text(const char *text,
                                         size_t len,
                                         const struct bilinear_options *options,
                                         struct bilinear_context **context,
                                         struct bilinear_error **error);

/**
 * Makes a context from the description in a file, as bilinear_context_from_text does.
 */
bilinear_code bilinear_context_from_file(const char *path,
                                         const struct bilinear_options *options,
                                         struct bilinear_context **context,
                                         struct bilinear_error **error);

/**
 * Makes another context with the same curve and options that knows the factors of the order, from the file that `bilinear
 * params new a1 --factors-out` writes. The file is refused unless its mode is 0600 or 0400 and it belongs to the user or
 * to root.
 */
bilinear_code bilinear_context_with_factors(const struct bilinear_context *context,
                                            const char *path,
                                            struct bilinear_context **made,
                                            struct bilinear_error **error);

/**
 * Frees a context. NULL is ignored. No call may use the context any more; objects that it made may be freed later.
 */
void bilinear_context_free(struct bilinear_context *context);

/**
 * Returns the name of the curve, which is valid until the context is freed, or NULL for NULL.
 */
const char *bilinear_curve(const struct bilinear_context *context);

/**
 * Returns the name of the engine that computes batches, which is valid until the context is freed, or NULL for NULL.
 */
const char *bilinear_batch_engine(const struct bilinear_context *context);

/**
 * Returns the number of threads of a batch, or 0 for NULL.
 */
size_t bilinear_threads(const struct bilinear_context *context);

/**
 * Returns 1 if G1 and G2 are one group, and 0 otherwise or for NULL.
 */
int32_t bilinear_is_symmetric(const struct bilinear_context *context);

/**
 * Writes the number of bytes of an element of a group to *size. `encoding` is NULL for the encoding that all functions
 * read and write: residues big-endian, points as x and y, values as all coefficients. Points also have "compressed" and
 * the encodings of other systems (docs/formats.md: "zcash", "eip", "gnark", ...), values "torus2" and "torus6".
 */
bilinear_code bilinear_size(const struct bilinear_context *context,
                            int32_t group,
                            const char *encoding,
                            size_t *size,
                            struct bilinear_error **error);

/**
 * Writes the order of the groups, big-endian, in as many bytes as a residue has.
 */
bilinear_code bilinear_order(const struct bilinear_context *context,
                             uint8_t *order,
                             size_t order_len,
                             struct bilinear_error **error);

/**
 * Writes the generator of a group: the one in the parameters, or else one derived from them. For BILINEAR_GT, writes e(g1,
 * g2).
 */
bilinear_code bilinear_generator(const struct bilinear_context *context,
                                 int32_t group,
                                 uint8_t *element,
                                 size_t element_len,
                                 struct bilinear_error **error);

/**
 * Writes uniformly random elements of a group, drawn with the operating system's randomness: residues, points other than
 * the point at infinity, or values.
 */
bilinear_code bilinear_random(const struct bilinear_context *context,
                              int32_t group,
                              size_t count,
                              uint8_t *elements,
                              size_t elements_len,
                              struct bilinear_error **error);

/**
 * Computes e(P, Q) for every row: `rows` points of G1 in `p` and of G2 in `q`, `rows` values in `gt`.
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
 * Computes the product of e(P, Q) over each group of consecutive rows, in `products` values. `lengths` holds the number of
 * rows of each group, or is NULL if all groups have equally many. A bad row makes its group bad; the code of the group is
 * that of its first bad row.
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
 * Checks whether the product of e(P, Q) over each group of rows is 1. `is_one` has a byte for each of `products` groups: 1
 * if the product is 1, 0 if not or if the group has a bad row. Groups are given as for bilinear_product.
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
 * Prepares a fixed argument: a point of G1 as the first argument, or a point of G2 as the second one, as `group` says. The
 * point is checked in full. On a curve with two groups, each pairing can prepare points of only one of them, and the error
 * says which.
 */
bilinear_code bilinear_prepare(const struct bilinear_context *context,
                               int32_t group,
                               const uint8_t *point,
                               size_t point_len,
                               struct bilinear_prepared **prepared,
                               struct bilinear_error **error);

/**
 * Frees a prepared argument. NULL is ignored.
 */
void bilinear_prepared_free(struct bilinear_prepared *prepared);

/**
 * Computes products like bilinear_product, with `fixed_count` prepared arguments. `others` holds the other arguments: the
 * first row of each group is paired with the first prepared argument, and so on. A group with another number of rows has
 * the code BILINEAR_ERROR_FIXED_COUNT, except a group without rows, whose product is 1. With one prepared argument and as many
 * products as rows, the products are single pairings.
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
 * Checks products like bilinear_check, with prepared arguments, as in bilinear_product_prepared.
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
 * Checks points, and writes them in another encoding. `from` and `to` are encodings as in bilinear_size; compressed points
 * need no name in `from`. If `out` is NULL and `out_len` is 0, the points are only checked. The point at infinity cannot
 * be compressed.
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
 * Computes kP for every row, in `rows` points. `scalars` holds `rows` big-endian integers of one length, at most 1024
 * bytes, which need not be below the order. Constant time in the scalars, except for their length.
 */
bilinear_code bilinear_mul_secret(const struct bilinear_context *context,
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
 * Computes the sum of each group of consecutive rows, in `sums` points. Groups are given as for bilinear_product. The sum
 * of a group without rows is the point at infinity.
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
 * Computes -P for every row, in `rows` points.
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
 * Hashes `count` messages to points (RFC 9380). The messages are concatenated in `messages`. `lengths` holds the number of
 * bytes of each message, or is NULL if all have equally many. The domain separation tag `dst`, which must not be empty,
 * separates one use from others.
 */
bilinear_code bilinear_hash(const struct bilinear_context *context,
                            int32_t group,
                            const uint8_t *messages,
                            size_t messages_len,
                            const size_t *lengths,
                            size_t count,
                            const uint8_t *dst,
                            size_t dst_len,
                            uint8_t *out,
                            size_t out_len,
                            struct bilinear_error **error);

/**
 * Computes the sum of kP over each group of consecutive rows, in `sums` points, far faster than single multiples if groups
 * are long. Scalars are given as for bilinear_mul_secret, but may have any length; groups are given as for bilinear_sum. The
 * scalars must be public: the time depends on them.
 */
bilinear_code bilinear_msm(const struct bilinear_context *context,
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
 * Makes tables of multiples of a point, for scalars of up to `scalar_len` bytes, 1024 at most. The point is checked in
 * full. The tables hold some 26·scalar_len points in memory, of two coordinates each, and of three on types A and A1.
 */
bilinear_code bilinear_fixed_base_new(const struct bilinear_context *context,
                                      int32_t group,
                                      const uint8_t *point,
                                      size_t point_len,
                                      size_t scalar_len,
                                      struct bilinear_fixed_base **base,
                                      struct bilinear_error **error);

/**
 * Frees a base. NULL is ignored.
 */
void bilinear_fixed_base_free(struct bilinear_fixed_base *base);

/**
 * Computes kP of the base's point P for each of `rows` big-endian integers k of one length, at most that of the base.
 * Constant time in the scalars, except for their length, unless P is the point at infinity or has a small order.
 */
bilinear_code bilinear_fixed_base_mul_secret(const struct bilinear_context *context,
                                             const struct bilinear_fixed_base *base,
                                             const uint8_t *scalars,
                                             size_t scalars_len,
                                             size_t rows,
                                             uint8_t *out,
                                             size_t out_len,
                                             struct bilinear_error **error);

/**
 * Computes the component of every row in a subgroup of prime order. `subgroup` is the number of the prime factor, from 0.
 * The curve must be of type a or a1, and the context must know the factors of the order (bilinear_context_with_factors). A
 * point is the sum of its components.
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
 * Checks values, and writes them in another encoding of bilinear_size. If `out` is NULL and `out_len` is 0, the values are
 * only checked. A value has one encoding of each kind: two values are equal if their bytes are equal (memcmp).
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
 * Computes the product of each group of consecutive values, in `products` values. Groups are given as for
 * bilinear_product. The product of a group without values is 1.
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
 * Computes x^e for every row. `exponents` holds `rows` big-endian integers of one length, at most 1024 bytes, which need
 * not be below the order. Constant time in the exponents, except for their length.
 */
bilinear_code bilinear_gt_pow_secret(const struct bilinear_context *context,
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
 * Computes 1/x for every row.
 */
bilinear_code bilinear_gt_invert(const struct bilinear_context *context,
                                 const uint8_t *values,
                                 size_t values_len,
                                 size_t rows,
                                 uint8_t *out,
                                 size_t out_len,
                                 uint8_t *status,
                                 struct bilinear_error **error);

/**
 * Makes the neutral element of a group: 0 in BILINEAR_ZR, the point at infinity in BILINEAR_G1 and BILINEAR_G2, 1 in
 * BILINEAR_GT.
 */
bilinear_code bilinear_element_new(const struct bilinear_context *context,
                                   int32_t group,
                                   struct bilinear_element **element,
                                   struct bilinear_error **error);

/**
 * Makes the residue of an integer.
 */
bilinear_code bilinear_element_from_integer(const struct bilinear_context *context,
                                            int64_t value,
                                            struct bilinear_element **element,
                                            struct bilinear_error **error);

/**
 * Makes a uniformly random element, drawn with the operating system's randomness. Points are never the point at infinity.
 */
bilinear_code bilinear_element_random(const struct bilinear_context *context,
                                      int32_t group,
                                      struct bilinear_element **element,
                                      struct bilinear_error **error);

/**
 * Hashes a message to a point, as bilinear_hash does. For BILINEAR_ZR, makes the residue of the message as a big-endian
 * integer, and ignores `dst`.
 */
bilinear_code bilinear_element_from_hash(const struct bilinear_context *context,
                                         int32_t group,
                                         const uint8_t *message,
                                         size_t message_len,
                                         const uint8_t *dst,
                                         size_t dst_len,
                                         struct bilinear_element **element,
                                         struct bilinear_error **error);

/**
 * Reads and checks an element. A point is given as x and y (zeros for the point at infinity), or compressed. The flags
 * apply to points.
 */
bilinear_code bilinear_element_from_bytes(const struct bilinear_context *context,
                                          int32_t group,
                                          const uint8_t *bytes,
                                          size_t bytes_len,
                                          uint32_t flags,
                                          struct bilinear_element **element,
                                          struct bilinear_error **error);

/**
 * Writes an element in as many bytes as bilinear_size gives. If `compressed` is not 0, writes a point in its compressed
 * form.
 */
bilinear_code bilinear_element_to_bytes(const struct bilinear_element *element,
                                        int32_t compressed,
                                        uint8_t *bytes,
                                        size_t bytes_len,
                                        struct bilinear_error **error);

/**
 * Makes another element with the same value.
 */
bilinear_code bilinear_element_copy(const struct bilinear_element *element,
                                    struct bilinear_element **copy,
                                    struct bilinear_error **error);

/**
 * Frees an element. NULL is ignored.
 */
void bilinear_element_free(struct bilinear_element *element);

/**
 * Returns 1 if both elements belong to one context and have the same value, and 0 otherwise or for NULL.
 */
int32_t bilinear_element_equal(const struct bilinear_element *a, const struct bilinear_element *b);

/**
 * Computes a + b for elements of one group. In BILINEAR_GT, computes the product, which is the only operation of this
 * group.
 */
bilinear_code bilinear_element_add(const struct bilinear_element *a,
                                   const struct bilinear_element *b,
                                   struct bilinear_element **sum,
                                   struct bilinear_error **error);

/**
 * Computes ab for elements of one group. For points, computes the sum, which is their only operation.
 */
bilinear_code bilinear_element_multiply(const struct bilinear_element *a,
                                        const struct bilinear_element *b,
                                        struct bilinear_element **product,
                                        struct bilinear_error **error);

/**
 * Computes -a; in BILINEAR_GT, 1/a.
 */
bilinear_code bilinear_element_negate(const struct bilinear_element *a,
                                      struct bilinear_element **negative,
                                      struct bilinear_error **error);

/**
 * Computes 1/a; for points, -a. A residue that shares a factor with the order has no inverse: BILINEAR_ERROR_ARGUMENT.
 */
bilinear_code bilinear_element_invert(const struct bilinear_element *a,
                                      struct bilinear_element **inverse,
                                      struct bilinear_error **error);

/**
 * Computes a^e for a residue e; for points, the multiple ea.
 */
bilinear_code bilinear_element_power(const struct bilinear_element *a,
                                     const struct bilinear_element *e,
                                     struct bilinear_element **power,
                                     struct bilinear_error **error);

/**
 * Computes the product of e(P, Q) over `count` pairs of elements, at least one.
 */
bilinear_code bilinear_element_pair(struct bilinear_element *const *p,
                                    struct bilinear_element *const *q,
                                    size_t count,
                                    struct bilinear_element **product,
                                    struct bilinear_error **error);

/**
 * Computes the pairing of a prepared argument and the other argument.
 */
bilinear_code bilinear_element_pair_prepared(const struct bilinear_prepared *fixed,
                                             const struct bilinear_element *other,
                                             struct bilinear_element **value,
                                             struct bilinear_error **error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* BILINEAR_H */
