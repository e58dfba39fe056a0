// Computes the product a·b/z^5 mod p(z) of polynomials, like polynomial_multiplier.sv with two digits for each coefficient. It has a second
// set of accumulators and a separate multiplier for a_4. A product can start every INTERVAL cycles, and ends 17 cycles after its issue.
//
//   cycle   0 .. 7        digits of a_0 to a_3, times b ─► rows
//   cycle   3 .. 9        c: rows 0 to 3, a split between them
//   cycle       10        c ─► e, split
//   cycle      11 .. 15   e: row 4, two splits, divided, split ─► product
module polynomial_pipeline #(
    parameter int M  = 63,
    parameter int S  = 857,
    parameter int P1 = 6,
    parameter int P2 = 24,
    parameter int P3 = 36,
    parameter int P4 = 36,
    localparam int C = M + 1
) (
    input  logic                clk,
    input  logic                reset,
    input  logic                start,       // a and b are valid in this cycle
    input  logic signed [C-1:0] a[5],
    input  logic signed [C-1:0] b[5],
    output logic                soon,        // a product ends in two cycles
    output logic                ready,       // a product may be issued, which starts in the next cycle
    output logic                ends,        // the product is valid in this cycle
    output logic signed [C-1:0] product[5]
);
    localparam int INTERVAL = 8;
    localparam int D    = (C + 1) / 2;
    localparam int WIDE = 2 * M + 3;
    localparam int A4   = $clog2(P4) + 2;    // the number of bits of a_4

    logic [15:0] at;                         // bit i: a product is in its cycle i
    assign ends  = at[15];
    assign soon  = at[13];
    assign ready = !start && at[INTERVAL-3:0] == '0;
    always_ff @(posedge clk) begin
        at <= {at[14:0], start};
        if (reset) at <= '0;
    end

    // ---- rows
    logic second_digit, second_digit_1;
    logic signed [8*D-1:0] digits;
    logic signed [A4-1:0] a_4;
    logic signed [C-1:0] factor[5];
    logic signed [C+D:0] whole[5], partial[5];
    logic signed [C+A4-1:0] fifth[5];
    logic signed [C+D+1:0] row[5], shifted[5];
    logic [D-1:0] lower[5];
    assign second_digit = at[1] || at[3] || at[5] || at[7];
    polynomial_rows #(.C(C), .D(D)) rows (.factor, .multiplicand({second_digit && digits[D-1], digits[D-1:0]}), .whole);
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            shifted[i] = row[i] >>> D;
            if (!second_digit_1) shifted[i] = '0;
        end
    end
    always_ff @(posedge clk) begin
        second_digit_1 <= second_digit;
        digits <= start ? {(2 * D)'(a[3]), (2 * D)'(a[2]), (2 * D)'(a[1]), (2 * D)'(a[0])} : digits >> D;
        if (start) a_4 <= A4'(a[4]);
        for (int i = 0; i < 5; i++) begin
            if (start) factor[i] <= b[i];
            if (at[6]) fifth[i] <= factor[i] * a_4;
            partial[i] <= whole[i];
            row[i]     <= shifted[i] + (C + D + 2)'(partial[i]);
            lower[i]   <= row[i][D-1:0];
        end
    end

    // ---- accumulators
    logic signed [WIDE-1:0] c[5], c_added[5], c_split[5], c_divided[5], e[5], e_added[5], e_split[5], e_divided[5];
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            c_added[i] = WIDE'({row[i], lower[i]});
            e_added[i] = at[11] ? WIDE'(fifth[i]) : '0;
        end
    end
    polynomial_reduction #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4)) reduction_c (.c, .added(c_added), .split(c_split),
        .divided(c_divided));
    polynomial_reduction #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4)) reduction_e (.c(e), .added(e_added), .split(e_split),
        .divided(e_divided));
    always_ff @(posedge clk) begin
        for (int i = 0; i < 5; i++) begin
            if (at[3]) c[i] <= c_added[i];
            else if (at[5] || at[7] || at[9]) c[i] <= c_divided[i];
            else if (at[4] || at[6] || at[8]) c[i] <= c_split[i];
            if (at[10]) e[i] <= c_split[i];
            else if (at[11] || at[14]) e[i] <= e_divided[i];
            else if (at[12] || at[13]) e[i] <= e_split[i];
        end
    end
    always_comb for (int i = 0; i < 5; i++) product[i] = C'(e_split[i]);
endmodule
