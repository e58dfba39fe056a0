// Registers of K limbs with two read ports. Each register has two slots, which are written together: a sum and the sum minus p, for
// example. It is known with their last limb which slot is the value; one bit for each register stores it. So a sum needs no second pass.
//
//                 ┌──────────┐ slot 0 ┌───┐
//   register_a ──►│ limbs × 2│───────►│bit│──► a
//     limb_a      │          │───────►│   │
//                 └──────────┘ slot 1 └───┘       and the same for b
module register_file #(
    parameter int W              = 17,
    parameter int REGISTERS      = 32,
    parameter int LIMBS          = 32,   // a power of two, at least K
    localparam int REGISTER_BITS = $clog2(REGISTERS),
    localparam int LIMB_BITS     = $clog2(LIMBS)
) (
    input  logic                     clk,
    input  logic [REGISTER_BITS-1:0] register_a,
    input  logic [LIMB_BITS-1:0]     limb_a,
    output logic [W-1:0]             a,          // a cycle later
    input  logic [REGISTER_BITS-1:0] register_b,
    input  logic [LIMB_BITS-1:0]     limb_b,
    output logic [W-1:0]             b,          // a cycle later
    input  logic                     write,
    input  logic [REGISTER_BITS-1:0] destination,
    input  logic [LIMB_BITS-1:0]     limb,
    input  logic [W-1:0]             slot_0,
    input  logic [W-1:0]             slot_1,
    input  logic                     decide,     // from the next cycle on, the value of `destination` is in slot `slot`
    input  logic                     slot
);
    logic decided[REGISTERS] /*verilator public_flat_rd*/;
    logic slot_a, slot_b;
    logic [W-1:0] a_0, a_1, b_0, b_1;

    initial for (int i = 0; i < REGISTERS; i++) decided[i] = 1'b0;

    // not always_ff, whose variables an initial block must not write
    always @(posedge clk) begin
        slot_a <= decided[register_a];
        slot_b <= decided[register_b];
        if (decide) decided[destination] <= slot;
    end

    localparam int DEPTH = REGISTERS * LIMBS;
    ram #(.WIDTH(W), .DEPTH(DEPTH)) memory_a_0 (.clk, .write_enable(write), .write_address({destination, limb}),
        .write_data(slot_0), .read_address({register_a, limb_a}), .read_data(a_0));
    ram #(.WIDTH(W), .DEPTH(DEPTH)) memory_a_1 (.clk, .write_enable(write), .write_address({destination, limb}),
        .write_data(slot_1), .read_address({register_a, limb_a}), .read_data(a_1));
    ram #(.WIDTH(W), .DEPTH(DEPTH)) memory_b_0 (.clk, .write_enable(write), .write_address({destination, limb}),
        .write_data(slot_0), .read_address({register_b, limb_b}), .read_data(b_0));
    ram #(.WIDTH(W), .DEPTH(DEPTH)) memory_b_1 (.clk, .write_enable(write), .write_address({destination, limb}),
        .write_data(slot_1), .read_address({register_b, limb_b}), .read_data(b_1));

    assign a = slot_a ? a_1 : a_0;
    assign b = slot_b ? b_1 : b_0;
endmodule
