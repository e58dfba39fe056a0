/* Verifies BLS signatures on BLS12-381 as Ethereum uses them: public keys in G1, signatures in G2 (draft-irtf-cfrg-bls-signature, the
 * scheme with proofs of possession). A line of the input is `PUBLIC-KEY MESSAGE SIGNATURE`, in hexadecimal, with compressed points. Prints
 * `valid` or `invalid` for each line. All lines are verified in one batch: e(PK, H(m)) e(-G, S) = 1.
 *
 *     cc bls.c $(pkg-config --cflags --libs bilinear) -o bls */

#define _POSIX_C_SOURCE 200809L
#include "common.h"

enum { KEY = 48, SIGNATURE = 96, G1 = 96, G2 = 192 };

static const char TAG[] = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";

/* Converts compressed points to the form that the functions compute with. A bad point becomes bytes that these functions refuse. */
static void decompress(const bilinear_context *context, int32_t group, const uint8_t *points, size_t len, size_t rows,
                       uint8_t *out, size_t out_len) {
    bilinear_error *error;
    bilinear_code code =
        bilinear_convert_points(context, group, "zcash", points, len, rows, 0, NULL, out, out_len, NULL, &error);
    if (code != BILINEAR_OK && code != BILINEAR_ERROR_ROWS) must(code, &error);
    bilinear_error_free(error);
}

static int is_infinity(const uint8_t *point, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (point[i]) return 0;
    }
    return 1;
}

int main(void) {
    bilinear_error *error;
    bilinear_context *context;
    must(bilinear_context_new("bls12-381", NULL, &context, &error), &error);
    text rows = read_text(stdin);
    size_t count = rows.count;

    uint8_t *keys = room(count, KEY), *signatures = room(count, SIGNATURE), *messages = NULL;
    size_t *lengths = room(count, sizeof *lengths), total = 0;
    for (size_t i = 0; i < count; i++) {
        read_word(strtok(rows.lines[i], " "), keys + i * KEY, KEY, i);
        const char *message = strtok(NULL, " ");
        if (!message) read_word(NULL, NULL, 0, i);
        lengths[i] = strlen(message) / 2;
        messages = realloc(messages, total + lengths[i] + 1);
        if (!messages) return 2;
        read_word(message, messages + total, lengths[i], i);
        total += lengths[i];
        read_word(strtok(NULL, " "), signatures + i * SIGNATURE, SIGNATURE, i);
    }

    /* two rows for each signature: (PK, H(m)) and (-G, S) */
    uint8_t *decoded_keys = room(count, G1), *decoded = room(count, G2), *hashes = room(count, G2), *codes = room(count, 1);
    decompress(context, BILINEAR_G1, keys, count * KEY, count, decoded_keys, count * G1);
    decompress(context, BILINEAR_G2, signatures, count * SIGNATURE, count, decoded, count * G2);
    must(bilinear_hash(context, BILINEAR_G2, messages, total, lengths, count, (const uint8_t *)TAG, sizeof TAG - 1,
                       hashes, count * G2, &error), &error);
    uint8_t minus[G1];
    must(bilinear_generator(context, BILINEAR_G1, minus, G1, &error), &error);
    must(bilinear_negate(context, BILINEAR_G1, minus, G1, 1, 0, minus, G1, NULL, &error), &error);
    uint8_t *p = room(2 * count, G1), *q = room(2 * count, G2), *is_one = room(count, 1);
    for (size_t i = 0; i < count; i++) {
        memcpy(p + 2 * i * G1, decoded_keys + i * G1, G1);
        memcpy(q + 2 * i * G2, hashes + i * G2, G2);
        memcpy(p + (2 * i + 1) * G1, minus, G1);
        memcpy(q + (2 * i + 1) * G2, decoded + i * G2, G2);
    }
    bilinear_code code =
        bilinear_check(context, p, 2 * count * G1, q, 2 * count * G2, 2 * count, NULL, count, 0, is_one, codes, &error);
    if (code != BILINEAR_OK && code != BILINEAR_ERROR_ROWS) must(code, &error);
    bilinear_error_free(error);
    for (size_t i = 0; i < count; i++) {
        puts(is_one[i] && !is_infinity(decoded_keys + i * G1, G1) ? "valid" : "invalid");
    }

    free(keys), free(signatures), free(messages), free(lengths), free(decoded_keys), free(decoded), free(hashes);
    free(codes), free(p), free(q), free(is_one);
    free_text(rows);
    bilinear_context_free(context);
    return 0;
}
