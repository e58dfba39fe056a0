/* BLS signatures (Boneh, Lynn, Shacham, 2001) with PBC's functions: keys in G2, signatures in G1, sent as x alone. With PBC itself, the
 * program would include <pbc/pbc.h> and <pbc/pbc_test.h>.
 *
 *     cc pbc_bls.c $(pkg-config --cflags --libs bilinear) -o pbc_bls
 *     ./pbc_bls < a.param */

#include <bilinear_pbc.h>

/* Returns 1 if e(S, g) is e(H(m), g^x) or its inverse, since x alone does not say which of S and -S was meant. */
static int verifies(element_t signature, element_t g, element_t public_key, const char *message, pairing_t pairing) {
    element_t h, left, right;
    element_init_G1(h, pairing);
    element_init_GT(left, pairing);
    element_init_GT(right, pairing);
    element_from_hash(h, message, (int)strlen(message));
    pairing_apply(left, signature, g, pairing);
    pairing_apply(right, h, public_key, pairing);
    int is_equal = !element_cmp(left, right);
    element_invert(left, left);
    is_equal = is_equal || !element_cmp(left, right);
    element_clear(h);
    element_clear(left);
    element_clear(right);
    return is_equal;
}

int main(int argc, char **argv) {
    pairing_t pairing;
    element_t g, public_key, secret_key, h, signature, received;
    pbc_demo_pairing_init(pairing, argc, argv);
    element_init_G2(g, pairing);
    element_init_G2(public_key, pairing);
    element_init_Zr(secret_key, pairing);
    element_init_G1(h, pairing);
    element_init_G1(signature, pairing);
    element_init_G1(received, pairing);

    /* keys */
    element_random(g);
    element_random(secret_key);
    element_pow_zn(public_key, g, secret_key);

    /* the signature x·H(m), and the bytes that are sent */
    const char *message = "I owe you 10 euros";
    element_from_hash(h, message, (int)strlen(message));
    element_pow_zn(signature, h, secret_key);
    int size = element_length_in_bytes_x_only(signature);
    unsigned char *bytes = malloc((size_t)size);
    if (!bytes) return 2;
    element_to_bytes_x_only(bytes, signature);
    fprintf(stderr, "%d bytes are sent\n", size);

    if (!element_from_bytes_x_only(received, bytes)) return 2;
    puts(verifies(received, g, public_key, message, pairing) ? "the signature is valid" : "the signature is NOT valid");
    puts(verifies(received, g, public_key, "I owe you 10000 euros", pairing) ? "a forgery is taken" : "a forgery is refused");
    element_random(received);
    puts(verifies(received, g, public_key, message, pairing) ? "any point is taken" : "any point is refused");

    free(bytes);
    element_clear(g);
    element_clear(public_key);
    element_clear(secret_key);
    element_clear(h);
    element_clear(signature);
    element_clear(received);
    pairing_clear(pairing);
    return 0;
}
