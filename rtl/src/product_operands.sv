// Holds the operands of a product, copied while its first pass reads them from the registers, and the constants of its reduction. The
// registers are therefore free for other instructions after K + 3 cycles.
//
//   registers ─► a ─┬──────────────────► x     in the first pass
//                   └─► [ streams ] ───► x     after it, and for constants
//   registers ─► b ─┬──────────────────► digit of the first G limbs
//                   └─► [ second  ] ───► digit of the others
//
// The first pass reads the limbs of a when the schedule asks for them. It reads the limbs of b one per cycle from its first load on, which
// is ahead of the schedule.
module product_operands
    import schedule::*;
#(
    parameter int W         = 17,
    parameter int K         = 31,
    parameter int LIMB_BITS = 5
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic                 start,
    // schedule
    input  order_t               order,
    input  logic [LIMB_BITS-1:0] x_limb,
    input  logic [LIMB_BITS-1:0] load_limb,
    // registers
    output logic                 reads,        // the product reads its operands in this cycle
    output logic [LIMB_BITS-1:0] a_limb,
    output logic [LIMB_BITS-1:0] b_limb,
    input  logic [W-1:0]         a,            // a cycle later
    input  logic [W-1:0]         b,
    // multiplier, a cycle after the order of the schedule
    output logic [W-1:0]         x,
    output logic [W-1:0]         digit,
    // the host writes limbs of constants
    input  logic                 host_write,
    input  stream_t              host_stream,
    input  logic [LIMB_BITS-1:0] host_limb,
    input  logic [W-1:0]         host_data
);
    logic asks_a, copied_b, asks_a_1, asks_b_1, fresh, fresh_1;
    logic [LIMB_BITS-1:0] next_b, a_limb_1, b_limb_1;
    logic [W-1:0] streamed, second;

    assign asks_a = reads && order.active && order.stream == FACTOR_A;
    assign a_limb = x_limb;
    assign b_limb = next_b;
    assign fresh  = reads && load_limb == next_b;   // the limb that is loaded is being copied
    always_ff @(posedge clk) begin
        if (start) begin
            reads    <= 1'b1;
            next_b   <= '0;
            copied_b <= 1'b0;
        end else if (reads) begin
            if (!copied_b && (order.load || next_b != 0)) begin
                copied_b <= next_b == LIMB_BITS'(K - 1);
                next_b   <= next_b + 1'b1;
            end
            if (asks_a && x_limb == LIMB_BITS'(K - 1)) reads <= 1'b0;
        end
        asks_a_1 <= asks_a;
        asks_b_1 <= reads && !copied_b;
        fresh_1  <= fresh;
        a_limb_1 <= a_limb;
        b_limb_1 <= b_limb;
        if (reset) reads <= 1'b0;
    end

    ram #(.WIDTH(W), .DEPTH(4 << LIMB_BITS)) streams (.clk, .write_enable(host_write || asks_a_1),
        .write_address(host_write ? {host_stream, host_limb} : {FACTOR_A, a_limb_1}), .write_data(host_write ? host_data : a),
        .read_address({order.stream, x_limb}), .read_data(streamed));
    ram #(.WIDTH(W), .DEPTH(1 << LIMB_BITS)) second_factor (.clk, .write_enable(asks_b_1), .write_address(b_limb_1), .write_data(b),
        .read_address(load_limb), .read_data(second));
    assign x     = asks_a_1 ? a : streamed;
    assign digit = fresh_1 ? b : second;
endmodule
