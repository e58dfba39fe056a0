// What a schedule of passes tells the multiplier and the memory of its sums, each cycle.
package schedule;
    typedef enum logic [1:0] {
        FACTOR_A,        // the first factor of the product
        MODULUS,
        CONSTANT,        // Montgomery's -1/p mod 2^(GW); the reciprocal of p
        COMPLEMENT_P     // 2^(KW) - p
    } stream_t;

    typedef enum logic [1:0] {
        WHOLE,           // a product and its reduction
        FIRST_HALF,      // a product, unreduced, and a sum with it
        SECOND_HALF      // the reduction of a wide value
    } part_t;

    typedef struct packed {
        logic    active;     // a limb is asked for
        logic    first;      // it is the first of a pass
        stream_t stream;     // whose limb
        logic    x_zero;
        logic    y_zero;
        logic    store;      // v goes to the memory of sums
        logic    capture;    // v becomes a digit
        logic    result;     // v is a limb of the result
        logic    last;       // the last one
        logic    load;       // a digit is loaded
        logic    load_zero;
        logic    load_sum;   // it is in the memory of sums, not in the second factor
        logic    lower;      // v is a limb of the lower half of a wide value
        logic    adds;       // such a limb is a summand
    } order_t;
endpackage
