// Two steps of a product (polynomial_multiplier.sv) on polynomials c(z) with five wide coefficients, z = 2^M + S:
//
//   split:    c_i - m_i·z + m_(i-1), m_i = c_i/2^M rounded: the coefficients become small, and the value does not change
//   divided:  (c(z) - c_0·p(z))/z + added: a multiple of p is subtracted, and the quotient has one coefficient less
module polynomial_reduction #(
    parameter int M  = 63,
    parameter int S  = 857,
    parameter int P1 = 6,
    parameter int P2 = 24,
    parameter int P3 = 36,
    parameter int P4 = 36,
    localparam int WIDE = 2 * M + 3
) (
    input  logic signed [WIDE-1:0] c[5],
    input  logic signed [WIDE-1:0] added[5],
    output logic signed [WIDE-1:0] split[5],
    output logic signed [WIDE-1:0] divided[5]
);
    localparam int P[5] = '{1, P1, P2, P3, P4};

    // x times a constant: a sum of shifts, with the fewest digits 1 and -1 (the non-adjacent form)
    function automatic logic signed [WIDE-1:0] times(input int constant, input logic signed [WIDE-1:0] x);
        int rest = constant;
        times = '0;
        for (int i = 0; i < 16; i++) begin
            if ((rest & 3) == 1) times = times + (x <<< i);
            if ((rest & 3) == 3) times = times - (x <<< i);
            rest = ((rest & 3) == 3 ? rest + 1 : rest) >>> 1;
        end
    endfunction

    logic signed [WIDE-M:0] m[4];
    always_comb begin
        for (int i = 0; i < 4; i++) m[i] = (WIDE - M + 1)'((c[i] + (WIDE'(1) <<< (M - 1))) >>> M);
        for (int i = 0; i < 5; i++) begin
            split[i] = c[i];
            if (i < 4) split[i] = split[i] - (WIDE'(m[i < 4 ? i : 0]) <<< M) - times(S, WIDE'(m[i < 4 ? i : 0]));
            if (i > 0) split[i] = split[i] + WIDE'(m[i > 0 ? i - 1 : 0]);
            divided[i] = (i < 4 ? c[i < 4 ? i + 1 : 0] - times(P[i < 4 ? i + 1 : 0], c[0]) : '0) + added[i];
        end
    end
endmodule
