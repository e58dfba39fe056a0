// Computes the product a·b/z^5 mod p(z) of polynomials, digit by digit (Fan, Vercauteren and Verbauwhede, CHES 2009).
//
//   b_0 .. b_4 ─►┌───────────────────┐
//                │ 5 multipliers     │─► row a_i·b(z) ─┐
//   digit of a ─►│ C × D bits, summed│                 ▼
//                └───────────────────┘   ┌───────────────────────┐
//                                        │ accumulators c_0..c_4 │──► product
//                                        └───┬───────────────▲───┘
//                                            └─ split, divide┘
//
// A row takes DIGITS cycles, the lowest digit first. Between rows, the accumulators are
//
//   split:    the coefficients become small, and the value does not change
//   divided:  a multiple of p is subtracted, the value is divided by z, and the next row is added (polynomial_reduction.sv)
//
// a_4 is small and has one digit. After the fifth row, two splits make c_0 less than z, so that the quotient is less than p. A last split
// closes the coefficients. A product takes 9 + 4·DIGITS cycles from the issue of the instruction.
module polynomial_multiplier #(
    parameter int M  = 63,
    parameter int S  = 857,
    parameter int P1 = 6,
    parameter int P2 = 24,
    parameter int P3 = 36,
    parameter int P4 = 36,
    parameter int D  = 22,
    localparam int C = M + 1
) (
    input  logic                clk,
    input  logic                reset,
    input  logic                start,       // a and b are valid in this cycle
    input  logic signed [C-1:0] a[5],
    input  logic signed [C-1:0] b[5],
    output logic                ends,        // the product is valid in this cycle
    output logic signed [C-1:0] product[5]
);
    localparam int DIGITS = (C + D - 1) / D;
    localparam int ROW    = DIGITS * D;
    localparam int WIDE   = 2 * M + 3;
    localparam int CYCLE_BITS = $clog2(8 + 4 * DIGITS);
    typedef logic [CYCLE_BITS-1:0] cycle_t;
    localparam cycle_t LAST   = cycle_t'(7 + 4 * DIGITS);  // the last cycle after start
    localparam cycle_t FOURTH = cycle_t'(1 + 4 * DIGITS);  // the cycle in which the fourth row is added

    // ---- the position in the product
    cycle_t cycle;
    logic [$clog2(DIGITS)-1:0] digit, digit_1;
    logic busy;
    assign ends = busy && cycle == LAST;
    always_ff @(posedge clk) begin
        cycle   <= start ? '0 : cycle + 1'b1;
        digit   <= start || digit == $bits(digit)'(DIGITS - 1) ? '0 : digit + 1'b1;
        digit_1 <= digit;
        if (start) busy <= 1'b1;
        if (ends || reset) busy <= 1'b0;
    end

    // ---- a digit times b
    logic signed [4*ROW+D-1:0] digits;   // a_4, a_3, ..., a_0, the lowest digit first
    logic signed [C-1:0] factor[5];
    logic signed [D:0] multiplicand;
    logic signed [C+D:0] partial[5];
    logic last_digit;
    assign last_digit   = digit == $bits(digit)'(DIGITS - 1) || cycle == FOURTH - 1;   // the highest digit of a coefficient has its sign
    assign multiplicand = {last_digit && digits[D-1], digits[D-1:0]};
    logic signed [C+D:0] whole[5];
    polynomial_rows #(.C(C), .D(D)) rows (.factor, .multiplicand, .whole);
    always_ff @(posedge clk) begin
        digits <= start ? {D'(a[4]), ROW'(a[3]), ROW'(a[2]), ROW'(a[1]), ROW'(a[0])} : digits >> D;
        for (int i = 0; i < 5; i++) begin
            if (start) factor[i] <= b[i];
            partial[i] <= whole[i];
        end
    end

    // ---- a row: the sum of its partial products, each shifted by D
    logic signed [C+D+1:0] row[5], shifted[5];
    logic [ROW-D-1:0] lower[5];
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            shifted[i] = row[i] >>> D;
            if (digit_1 == 0) shifted[i] = '0;
        end
    end
    always_ff @(posedge clk) begin
        if (cycle <= FOURTH) begin
            for (int i = 0; i < 5; i++) begin
                row[i]   <= shifted[i] + (C + D + 2)'(partial[i]);
                lower[i] <= (ROW - D)'({row[i][D-1:0], lower[i]} >> D);
            end
        end
    end

    // ---- accumulators
    logic adds, splits, fifth;
    logic signed [WIDE-1:0] c[5], split[5], divided[5], added[5];
    always_comb begin
        fifth  = cycle == FOURTH + 2;
        adds   = digit == $bits(digit)'(1 % DIGITS) && cycle > 2 && cycle <= FOURTH;
        splits = cycle == FOURTH + 1 || cycle == FOURTH + 3 || cycle == FOURTH + 4 || cycle == FOURTH + 6
              || (digit == $bits(digit)'(2 % DIGITS) && cycle > 3 && cycle < FOURTH);
        for (int i = 0; i < 5; i++) added[i] = fifth ? WIDE'(row[i]) : adds ? WIDE'({row[i], lower[i]}) : '0;
    end
    polynomial_reduction #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4)) reduction (.c, .added, .split, .divided);
    always_ff @(posedge clk) begin
        for (int i = 0; i < 5; i++) begin
            if (start) c[i] <= '0;
            else if (adds || fifth || cycle == FOURTH + 5) c[i] <= divided[i];
            else if (splits) c[i] <= split[i];
        end
    end
    always_comb for (int i = 0; i < 5; i++) product[i] = C'(split[i]);
endmodule
