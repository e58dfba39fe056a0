/* Identity-based signatures (Hess, Efficient identity based signature schemes based on pairings, SAC 2002, scheme 1) with PBC's functions.
 * A centre with the secret s gives the owner of a name the key D = s·H(name). The signature of m is (U, v), where k and P1 are random,
 * v = h(m, e(P1, P)^k) and U = vD + kP1. It is valid if v = h(m, e(U, P)·e(H(name), -sP)^v). H(name) and U are in G1, P is in G2.
 *
 *     cc pbc_hess.c $(pkg-config --cflags --libs bilinear) -o pbc_hess
 *     ./pbc_hess < a.param */

#include <bilinear_pbc.h>

/* Computes h(m, r): hashes the bytes of both to a point of G1, and takes the bytes of this point modulo the order. This hash is for the
 * example only and has no collision resistance of its own; a real program hashes both with SHA-256. */
static void challenge(element_t v, const char *message, element_t r, pairing_t pairing) {
    size_t len = strlen(message), size = (size_t)element_length_in_bytes(r);
    unsigned char *both = malloc(len + size);
    element_t point;
    if (!both) exit(2);
    memcpy(both, message, len);
    element_to_bytes(both + len, r);
    element_init_G1(point, pairing);
    element_from_hash(point, both, (int)(len + size));
    both = realloc(both, (size_t)element_length_in_bytes(point));
    if (!both) exit(2);
    element_from_hash(v, both, element_to_bytes(both, point));
    element_clear(point);
    free(both);
}

static int verifies(element_t u, element_t v, const char *message, const char *name, element_t p, element_t centre, pairing_t pairing) {
    element_t q, r, t, w, minus;
    element_init_G1(q, pairing);
    element_init_G2(minus, pairing);
    element_init_GT(r, pairing);
    element_init_GT(t, pairing);
    element_init_Zr(w, pairing);
    element_from_hash(q, name, (int)strlen(name));
    element_neg(minus, centre);
    element_pairing(r, u, p);
    element_pairing(t, q, minus);
    element_pow_zn(t, t, v);
    element_mul(r, r, t);
    challenge(w, message, r, pairing);
    int is_equal = !element_cmp(w, v);
    element_clear(q);
    element_clear(minus);
    element_clear(r);
    element_clear(t);
    element_clear(w);
    return is_equal;
}

int main(int argc, char **argv) {
    pairing_t pairing;
    element_t p, centre, s, q, d, p1, k, r, v, u, t;
    pbc_demo_pairing_init(pairing, argc, argv);
    element_init_G2(p, pairing);
    element_init_G2(centre, pairing);
    element_init_Zr(s, pairing);
    element_init_G1(q, pairing);
    element_init_G1(d, pairing);
    element_init_G1(p1, pairing);
    element_init_Zr(k, pairing);
    element_init_GT(r, pairing);
    element_init_Zr(v, pairing);
    element_init_G1(u, pairing);
    element_init_G1(t, pairing);

    /* the centre, and the key of a name */
    element_random(p);
    element_random(s);
    element_mul_zn(centre, p, s);
    const char *name = "alice@example.org", *message = "Message";
    element_from_hash(q, name, (int)strlen(name));
    element_mul_zn(d, q, s);

    /* a signature */
    element_random(p1);
    element_random(k);
    element_pairing(r, p1, p);
    element_pow_zn(r, r, k);
    challenge(v, message, r, pairing);
    element_mul_zn(u, d, v);
    element_mul_zn(t, p1, k);
    element_add(u, u, t);

    puts(verifies(u, v, message, name, p, centre, pairing) ? "the signature is valid" : "the signature is NOT valid");
    puts(verifies(u, v, "another message", name, p, centre, pairing) ? "a forgery is taken" : "a forgery is refused");
    puts(verifies(u, v, message, "bob@example.org", p, centre, pairing) ? "another name is taken" : "another name is refused");

    element_clear(p);
    element_clear(centre);
    element_clear(s);
    element_clear(q);
    element_clear(d);
    element_clear(p1);
    element_clear(k);
    element_clear(r);
    element_clear(v);
    element_clear(u);
    element_clear(t);
    pairing_clear(pairing);
    return 0;
}
