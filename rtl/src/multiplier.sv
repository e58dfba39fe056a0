// Multiplies a number by G limbs: in each cycle the address of a limb x_j goes out, and a limb of x·c + y leaves four
// cycles later.
//
//   x_j ─►[ ]─┬──►[ ]──┬──►[ ]──┬─ ...       G generators of partial products, each delayed by one limb
//             ▼        ▼        ▼
//           × c_0    × c_1    × c_2
//             │        │        │
//            [ ]      [ ]      [ ]
//             └───►(tree of adders)◄── y_j
//                      │
//                     [ ]──►(+ carry)──► v_j, and the carry
//
// The digits c of the next pass wait in `next`. Each is taken over when the first limb of the pass reaches its generator, so that passes
// follow each other without a gap. Digits come from a load (limbs of a factor) or are captured from v (the lowest limbs of a sum, or
// Montgomery's m). `carry` is at most G·2^W. With WIDE, a further limb z is added.
module multiplier #(
    parameter int W       = 17,
    parameter int G       = 4,
    parameter bit WIDE    = 1'b0,
    localparam int G_BITS = $clog2(G + 1)
) (
    input  logic              clk,
    // cycle 0: the address of a limb goes out
    input  logic              first,
    input  logic              x_zero,
    input  logic              y_zero,
    input  logic              capture,       // v of this limb becomes digit `captured`
    input  logic [G_BITS-1:0] captured,
    input  logic              load,          // `digit`, a cycle later, becomes digit `loaded`
    input  logic              load_zero,
    input  logic [G_BITS-1:0] loaded,
    // cycle 1
    input  logic [W-1:0]      x,
    input  logic [W-1:0]      digit,
    // cycle 3
    input  logic [W-1:0]      y,
    input  logic [W-1:0]      z,             // 0 without WIDE
    // cycle 4
    output logic [W-1:0]      v
);
    localparam int SUM = 2 * W + $clog2(G) + 1;

    logic [4:0] first_at, x_zero_at, y_zero_at, capture_at;
    logic [G_BITS-1:0] captured_at[5], loaded_1;
    logic load_1, load_zero_1;

    always_comb begin
        first_at[0]    = first;
        x_zero_at[0]   = x_zero;
        y_zero_at[0]   = y_zero;
        capture_at[0]  = capture;
        captured_at[0] = captured;
    end
    always_ff @(posedge clk) begin
        first_at[4:1]    <= first_at[3:0];
        x_zero_at[4:1]   <= x_zero_at[3:0];
        y_zero_at[4:1]   <= y_zero_at[3:0];
        capture_at[4:1]  <= capture_at[3:0];
        captured_at[1:4] <= captured_at[0:3];
        load_1           <= load;
        load_zero_1      <= load_zero;
        loaded_1         <= loaded;
    end

    // ---- digits
    logic [W-1:0] next[G], c[G];
    logic [G-1:0] take;
    generate
        if (G > 1) begin : g_take
            logic [G-1:1] passed;
            always_ff @(posedge clk) passed <= take[G-2:0];
            assign take = {passed, first_at[1]};
        end else begin : g_take_one
            assign take = first_at[1];
        end
    endgenerate
    always_ff @(posedge clk) begin
        for (int i = 0; i < G; i++) begin
            if (load_1 && loaded_1 == G_BITS'(i)) next[i] <= load_zero_1 ? '0 : digit;
            if (capture_at[4] && captured_at[4] == G_BITS'(i)) next[i] <= v;
            if (take[i]) c[i] <= next[i];
        end
    end

    // ---- generators
    logic [W-1:0] limb[G];
    logic [2*W-1:0] partial[G];
    always_ff @(posedge clk) begin
        limb[0] <= x_zero_at[1] ? '0 : x;
        for (int i = 0; i < G; i++) partial[i] <= limb[i] * c[i];
    end
    generate
        for (genvar i = 1; i < G; i++) begin : g_delay
            // a pass must not see limbs of the previous pass
            always_ff @(posedge clk) limb[i] <= first_at[1] ? '0 : limb[i-1];
        end
    endgenerate

    // ---- adder tree
    logic [SUM-1:0] tree, sum, total, carry;
    always_comb begin
        tree = y_zero_at[3] ? '0 : SUM'(y);
        if (WIDE) tree = tree + SUM'(z);
        for (int i = 0; i < G; i++) tree = tree + SUM'(partial[i]);
    end
    assign total = sum + (first_at[4] ? '0 : carry);
    assign v     = total[W-1:0];
    always_ff @(posedge clk) begin
        sum   <= tree;
        carry <= total >> W;
    end
endmodule
