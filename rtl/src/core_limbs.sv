// A core: its control (control.sv), and the ALU that works limb by limb.
//
//   host ─► control ─► ALU (registers, data memory) ─► host
//
// The host writes a word at a time while no program runs. `host_space` says what is written:
//
//   0  a word of the program           place = instruction; this clears the digits of the shift register
//   1  a digit of the shift register   place = its number; data bit 0 is the digit, data bit 1 marks the last one
//   2  a limb of a register            place = register; the constants are above the registers of programs (modes.sv)
//   3  a limb of a table of constants  place = table: p, 1, and the start value of the inversion
//   4  a limb of the data memory       place = address
module core_limbs
    import isa::*;
    import modes::*;
#(
    parameter int N              = 512,
    parameter int W              = 17,
    parameter int G              = 4,
    parameter bit FIVE_STAGE     = 1'b0,
    parameter bit BESIDE         = 1'b0,
    parameter int WIDE           = 0,      // the number of wide registers
    parameter int REGISTERS      = 24,
    parameter int PLACES         = 32,
    parameter int INSTRUCTIONS   = 1024,
    parameter int DIGITS         = 512,
    parameter int COUNT_BITS     = 11,
    localparam int K             = (N + 2 + W - 1) / W,
    localparam int LIMB_BITS     = $clog2(WIDE > 0 && K % G != 0 ? (K + G - 1) / G * G : K + 1),
    localparam int REGISTER_BITS = $clog2(REGISTERS + 2 * WIDE + RESERVED),
    localparam int ADDRESS_BITS  = $clog2(PLACES),
    localparam int PLACE_BITS    = REGISTER_BITS > ADDRESS_BITS ? REGISTER_BITS : ADDRESS_BITS
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic                 start,
    output logic                 busy,
    output logic                 done,
    output logic                 trap,
    output logic                 accept,
    input  logic                 host_write,
    input  logic [2:0]           host_space,
    input  logic [19:0]          host_place,
    input  logic [LIMB_BITS-1:0] host_limb,
    input  logic [63:0]          host_data,
    output logic [W-1:0]         host_read
);
    logic ready, idle, issue;
    logic [OPCODE_BITS-1:0] opcode;
    logic [REGISTER_BITS-1:0] first, second, third;
    logic [ADDRESS_BITS-1:0] address;

    control #(.REGISTER_BITS(REGISTER_BITS), .ADDRESS_BITS(ADDRESS_BITS), .INSTRUCTIONS(INSTRUCTIONS), .DIGITS(DIGITS),
        .COUNT_BITS(COUNT_BITS), .WIDE(WIDE > 0), .BESIDE(BESIDE)) controller (.clk, .reset, .start, .busy, .done, .trap, .accept, .host_write, .host_space, .host_place,
        .host_data, .ready, .idle, .issue, .opcode, .first, .second, .third, .address);
    alu_limbs #(.N(N), .W(W), .G(G), .FIVE_STAGE(FIVE_STAGE), .BESIDE(BESIDE), .WIDE(WIDE), .REGISTERS(REGISTERS),
        .PLACES(PLACES)) alu (.clk, .reset,
        .ready, .idle, .issue, .opcode, .first, .second, .third, .address, .host_register(host_write && host_space == 2),
        .host_constant(host_write && host_space == 3), .host_memory(host_write && host_space == 4),
        .host_place(host_place[PLACE_BITS-1:0]), .host_limb, .host_data(host_data[W-1:0]), .host_read);
endmodule
