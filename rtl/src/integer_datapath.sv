// Computes sums, differences, negatives, halves and the steps of the inversion, one limb per cycle, from the lowest limb up.
//
//   stage 1                       stage 2                            stage 3
//   a ─►(mask, ~)─┐                     ┌──────────► s ─┐
//                 ├─►(+ carry)─►[ s ]───┤               ├─►(>> 1 if half)─► slot_0
//   b ─►(mask, ~)─┘     product ─►┘     └►(~)─►(+)─► d ─┴─►(>> 1 if half)─► slot_1
//                                    ±p, 2p ───┘
//
// s = ±a ± b, or the limbs of a product; d = s - p, s + p, s + 2p or -s. Both are written. `choice` says which of them is the value; this
// is known with the last limb. Numbers have two spare bits (0 <= a, b < p < 2^(KW-2)), so that s and d fit K limbs as signed numbers.
// Halves are written one limb late.
//
// With WIDE, the limbs of a product take the place of a, and may be added to those of b. A sum can also continue with the carry of the
// previous sum: the upper half of a wide value follows its lower half.
module integer_datapath
    import modes::*;
#(
    parameter int W         = 17,
    parameter int LIMB_BITS = 5,
    parameter bit WIDE      = 1'b0
) (
    input  logic                 clk,
    input  logic                 reset,
    input  mode_t                mode,
    // stage 1
    input  logic                 valid_1,
    input  logic                 first_1,
    input  logic                 goes_on_1,    // the sum continues with the carry of the previous sum
    input  logic                 last_1,
    input  logic [LIMB_BITS-1:0] limb_1,
    input  logic [W-1:0]         a,
    input  logic [W-1:0]         b,
    input  logic                 from_product,
    input  logic [W-1:0]         product,
    // stage 2
    input  logic [W-1:0]         p,
    // results
    output logic                 write,
    output logic [LIMB_BITS-1:0] limb,
    output logic [W-1:0]         slot_0,
    output logic [W-1:0]         slot_1,
    output logic                 decide,       // with the last limb of s and d
    output logic                 slot,
    output logic                 odd,          // a is odd: valid from stage 2 on
    output logic                 negative      // s < 0: valid with decide
);
    // ---- stage 1: s
    logic odd_q, odd_now, carry_1, nonzero, use_b;
    logic [W-1:0] term_a, term_b;
    logic [W:0] sum;
    logic negates;

    logic [W-1:0] first_summand;
    assign first_summand = WIDE && from_product ? product : a;
    assign odd_now = first_1 ? a[0] : odd_q;
    assign use_b   = mode.use_b && (odd_now || !mode.only_if_odd);
    assign negates = (mode.use_a && mode.negate_a) || (use_b && mode.negate_b);
    assign term_a  = {W{mode.use_a}} & (first_summand ^ {W{mode.negate_a}});
    assign term_b  = {W{use_b}} & (b ^ {W{mode.negate_b}});
    assign sum     = {1'b0, term_a} + {1'b0, term_b} + (W + 1)'(first_1 && !goes_on_1 ? negates : carry_1);

    logic valid_2, first_2, last_2, valid_3, last_3;
    logic [LIMB_BITS-1:0] limb_2, limb_3;
    logic [W-1:0] s;
    logic negative_q;

    always_ff @(posedge clk) begin
        valid_2 <= valid_1;
        first_2 <= first_1;
        last_2  <= last_1;
        limb_2  <= limb_1;
        s       <= from_product && !WIDE ? product : sum[W-1:0];
        if (valid_1) begin
            odd_q      <= odd_now;
            carry_1    <= sum[W];
            nonzero    <= (a != '0) || (!first_1 && nonzero);
            negative_q <= negates && !sum[W];
        end
        if (reset) valid_2 <= 1'b0;
    end
    assign odd = odd_q;

    // ---- stage 2: d
    logic s_odd, s_odd_q, carry_2, p_top, doubles;
    logic [W-1:0] term_p, doubled, term_s;
    logic [W:0] difference;
    logic carry_in;

    assign s_odd    = first_2 ? s[0] : s_odd_q;
    assign doubles  = mode.second == PLUS_EVEN && !s_odd;
    assign doubled  = {p[W-2:0], p_top && !first_2};
    assign carry_in = first_2 ? mode.second == MINUS_P || mode.second == NEGATED : carry_2;
    assign term_s   = s ^ {W{mode.second == NEGATED}};
    always_comb begin
        unique case (mode.second)
            MINUS_P: term_p = ~p;
            NEGATED: term_p = '0;
            default: term_p = doubles ? doubled : p;
        endcase
    end
    assign difference = {1'b0, term_s} + {1'b0, term_p} + (W + 1)'(carry_in);

    logic [W-1:0] s_before, d_before;
    always_ff @(posedge clk) begin
        valid_3 <= valid_2 && mode.half;
        last_3  <= last_2;
        limb_3  <= limb_2;
        if (valid_2) begin
            s_odd_q  <= s_odd;
            carry_2  <= difference[W];
            p_top    <= p[W-1];
            s_before <= s;
            d_before <= difference[W-1:0];
        end
        if (reset) valid_3 <= 1'b0;
    end

    // ---- the results that are written
    logic flush;
    assign flush  = valid_3 && last_3;
    assign write  = (valid_2 && !(mode.half && first_2)) || flush;
    assign limb   = mode.half ? limb_3 : limb_2;
    assign slot_0 = mode.half ? {s[0] && !flush, s_before[W-1:1]} : s;
    assign slot_1 = mode.half ? {difference[0] && !flush, d_before[W-1:1]} : difference[W-1:0];

    assign negative = negative_q;
    assign decide   = valid_2 && last_2;
    always_comb begin
        unique case (mode.choice)
            IF_REACHED:  slot = difference[W];
            IF_NEGATIVE: slot = negative_q;
            IF_FRACTION: slot = negative_q || s_odd;
            IF_ZERO:     slot = !nonzero;
            SLOT_1:      slot = 1'b1;
            default:     slot = 1'b0;
        endcase
    end
endmodule
