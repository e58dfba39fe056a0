// The product a·b/z^5 mod p(z) of polynomials, digit by digit (Fan, Vercauteren and Verbauwhede, CHES 2009).
//
//   b_0 .. b_4 ─►┌───────────────────┐
//                │ 5 multipliers     │─► row a_i·b(z) ─┐
//   digit of a ─►│ C × D bits, summed│                 ▼
//                └───────────────────┘   ┌───────────────────────┐
//                                        │ accumulators c_0..c_4 │──► product
//                                        └───┬───────────────▲───┘
//                                            └─ split, divide┘
//
// Rows follow each other every DIGITS cycles, the lowest digit first. Between them the accumulators are
//
//   split:    c_i - m_i·z + m_(i-1), m_i = c_i/2^M rounded: the coefficients become small, the value stays
//   divided:  (c(z) - c_0·p(z))/z, which has one coefficient less and a multiple of p less, and the next row is added
//
// a_4 is small and has one digit. After the fifth row two splits make c_0 less than z, so that the quotient is less than p; a last
// split closes the coefficients. In 9 + 4·DIGITS cycles from the instruction's issue.
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
    input  logic                start,       // a and b are there, for this cycle
    input  logic signed [C-1:0] a[5],
    input  logic signed [C-1:0] b[5],
    output logic                ends,        // the product is there, for this cycle
    output logic signed [C-1:0] product[5]
);
    localparam int DIGITS = (C + D - 1) / D;
    localparam int ROW    = DIGITS * D;
    localparam int WIDE   = 2 * M + 3;
    localparam int P[5]   = '{1, P1, P2, P3, P4};
    localparam int CYCLE_BITS = $clog2(8 + 4 * DIGITS);
    typedef logic [CYCLE_BITS-1:0] cycle_t;
    localparam cycle_t LAST   = cycle_t'(7 + 4 * DIGITS);  // of the cycles after start
    localparam cycle_t FOURTH = cycle_t'(1 + 4 * DIGITS);  // the fourth row is added

    // x times a constant: a sum of shifts, with the fewest digits of 1 and -1 (the non-adjacent form)
    function automatic logic signed [WIDE-1:0] times(input int constant, input logic signed [WIDE-1:0] x);
        int rest = constant;
        times = '0;
        for (int i = 0; i < 16; i++) begin
            if ((rest & 3) == 1) times = times + (x <<< i);
            if ((rest & 3) == 3) times = times - (x <<< i);
            rest = ((rest & 3) == 3 ? rest + 1 : rest) >>> 1;
        end
    endfunction

    // ---- where the product is
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
    assign last_digit   = digit == $bits(digit)'(DIGITS - 1) || cycle == FOURTH - 1;   // the highest of a coefficient has its sign
    assign multiplicand = {last_digit && digits[D-1], digits[D-1:0]};
    // a multiplier of CHUNK bits by those of a digit for each part of a coefficient
    localparam int CHUNK  = 17;
    localparam int CHUNKS = (C + CHUNK - 1) / CHUNK;
    logic signed [C+D:0] whole[5];
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            whole[i] = '0;
            for (int k = 0; k < CHUNKS; k++) begin
                automatic logic signed [CHUNK:0] part = k == CHUNKS - 1 ? (CHUNK + 1)'(factor[i] >>> (CHUNK * k))
                    : {1'b0, factor[i][CHUNK*(k == CHUNKS - 1 ? 0 : k)+:CHUNK]};
                automatic logic signed [CHUNK+D+1:0] narrow = part * multiplicand;
                whole[i] = whole[i] + ((C + D + 1)'(narrow) <<< (CHUNK * k));
            end
        end
    end
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
    logic signed [WIDE-M:0] m[4];
    always_comb begin
        fifth  = cycle == FOURTH + 2;
        adds   = digit == $bits(digit)'(1 % DIGITS) && cycle > 2 && cycle <= FOURTH;
        splits = cycle == FOURTH + 1 || cycle == FOURTH + 3 || cycle == FOURTH + 4 || cycle == FOURTH + 6
              || (digit == $bits(digit)'(2 % DIGITS) && cycle > 3 && cycle < FOURTH);
        for (int i = 0; i < 4; i++) m[i] = (WIDE - M + 1)'((c[i] + (WIDE'(1) <<< (M - 1))) >>> M);
        for (int i = 0; i < 5; i++) begin
            split[i] = c[i];
            if (i < 4) split[i] = split[i] - (WIDE'(m[i < 4 ? i : 0]) <<< M) - times(S, WIDE'(m[i < 4 ? i : 0]));
            if (i > 0) split[i] = split[i] + WIDE'(m[i > 0 ? i - 1 : 0]);
            added[i]   = fifth ? WIDE'(row[i]) : adds ? WIDE'({row[i], lower[i]}) : '0;
            divided[i] = (i < 4 ? c[i < 4 ? i + 1 : 0] - times(P[i < 4 ? i + 1 : 0], c[0]) : '0) + added[i];
        end
    end
    always_ff @(posedge clk) begin
        for (int i = 0; i < 5; i++) begin
            if (start) c[i] <= '0;
            else if (adds || fifth || cycle == FOURTH + 5) c[i] <= divided[i];
            else if (splits) c[i] <= split[i];
        end
    end
    always_comb for (int i = 0; i < 5; i++) product[i] = C'(split[i]);
endmodule
