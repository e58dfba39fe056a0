// The orders that a schedule of passes gives in each cycle to the multiplier and to the memory of its sums.
package schedule;
    typedef enum logic [1:0] {
        FACTOR_A,        // the first factor of the product
        MODULUS,
        CONSTANT,        // Montgomery's -1/p mod 2^(GW); the reciprocal of p
        COMPLEMENT_P     // 2^(KW) - p
    } stream_t;

    typedef enum logic [1:0] {
        WHOLE,           // a product and its reduction
        FIRST_HALF,      // an unreduced product, and its sum with a wide value
        SECOND_HALF      // the reduction of a wide value
    } part_t;

    typedef struct packed {
        logic    active;     // a limb is requested
        logic    first;      // the limb is the first one of a pass
        stream_t stream;     // the number of which a limb is requested
        logic    x_zero;
        logic    y_zero;
        logic    store;      // v goes to the memory of sums
        logic    capture;    // v becomes a digit
        logic    result;     // v is a limb of the result
        logic    last;       // v is the last limb of the result
        logic    load;       // a digit is loaded
        logic    load_zero;
        logic    load_sum;   // the digit comes from the memory of sums, not from the second factor
        logic    lower;      // v is a limb of the lower half of a wide value
        logic    adds;       // a limb of the lower half of a wide value is added
    } order_t;
endpackage
