// The operations of the integer datapath in a pass (integer_datapath.sv).
package modes;
    typedef enum logic [1:0] {
        MINUS_P,      // d = s - p
        PLUS_P,       // d = s + p
        PLUS_EVEN,    // d = s + p if s is odd, s + 2p if it is even
        NEGATED       // d = -s
    } second_t;

    typedef enum logic [2:0] {
        SLOT_0,       // the value is s
        IF_REACHED,   // d, unless it is negative
        IF_NEGATIVE,  // d, if s is negative
        IF_FRACTION,  // d, if s is negative or odd
        IF_ZERO,      // d, if a is 0
        SLOT_1        // d
    } choice_t;

    typedef struct packed {
        logic    use_a;        // a limb of a is a summand
        logic    negate_a;
        logic    use_b;
        logic    negate_b;
        logic    only_if_odd;  // b is used only if a is odd
        second_t second;       // here p is the number in the table of constants
        logic    half;         // s/2 and d/2 are written
        choice_t choice;
    } mode_t;

    //                            a     -a    b     -b    odd   second     half  choice
    localparam mode_t ADDS    = '{1'b1, 1'b0, 1'b1, 1'b0, 1'b0, MINUS_P,   1'b0, IF_REACHED};
    localparam mode_t SUBS    = '{1'b1, 1'b0, 1'b1, 1'b1, 1'b0, PLUS_P,    1'b0, IF_NEGATIVE};
    localparam mode_t NEGS    = '{1'b1, 1'b1, 1'b0, 1'b0, 1'b0, PLUS_P,    1'b0, IF_NEGATIVE};
    localparam mode_t COPIES  = '{1'b1, 1'b0, 1'b0, 1'b0, 1'b0, PLUS_P,    1'b0, SLOT_0};
    localparam mode_t ZEROS   = '{1'b0, 1'b0, 1'b0, 1'b0, 1'b0, PLUS_P,    1'b0, SLOT_0};
    localparam mode_t HALVES  = '{1'b1, 1'b0, 1'b0, 1'b0, 1'b0, PLUS_EVEN, 1'b1, IF_FRACTION};
    localparam mode_t CLOSES  = '{1'b0, 1'b0, 1'b0, 1'b0, 1'b0, MINUS_P,   1'b0, IF_REACHED};   // s is the multiplier's
    // with WIDE, the limbs of the multiplier take the place of a: s is the product or, in TAKES, b minus the product
    localparam mode_t CLOSES_WIDE = '{1'b1, 1'b0, 1'b0, 1'b0, 1'b0, MINUS_P, 1'b0, IF_REACHED};
    localparam mode_t TAKES   = '{1'b1, 1'b1, 1'b1, 1'b0, 1'b0, PLUS_P,    1'b0, IF_NEGATIVE};
    localparam mode_t TESTS   = '{1'b0, 1'b0, 1'b0, 1'b0, 1'b0, PLUS_P,    1'b0, IF_ZERO};      // d is a constant, 1
    localparam mode_t FILLS   = '{1'b0, 1'b0, 1'b0, 1'b0, 1'b0, PLUS_P,    1'b0, SLOT_1};       // d is a constant
    // a step of the inversion: (u - v)/2 and (v - u)/2 if u is odd, otherwise u/2; and the same for its cofactors x and y mod p
    localparam mode_t STEPS_UV = '{1'b1, 1'b0, 1'b1, 1'b1, 1'b1, NEGATED,   1'b1, IF_NEGATIVE};
    localparam mode_t X_LESS_Y = '{1'b1, 1'b0, 1'b1, 1'b1, 1'b0, PLUS_EVEN, 1'b1, IF_FRACTION};
    localparam mode_t Y_LESS_X = '{1'b1, 1'b1, 1'b1, 1'b0, 1'b0, PLUS_EVEN, 1'b1, IF_FRACTION};

    // the tables of constants
    localparam logic [1:0] TABLE_P     = 2'd0;
    localparam logic [1:0] TABLE_ONE   = 2'd1;  // 1 in the form of the reduction
    localparam logic [1:0] TABLE_START = 2'd2;  // the start value of the inversion: R^2 mod p, or 1

    // the registers above those of programs
    localparam int RESERVED = 8;
    localparam int P = 0, FACTOR = 1, COMPLEMENT = 2, U = 3, V = 4, SPARE = 5, X = 6, Y = 7;
endpackage
