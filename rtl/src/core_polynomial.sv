// A core: its control (control.sv), and the ALU for primes that are polynomials.
//
//   host ─► control ─► ALU (registers, data memory) ─► host
//
// The host writes a word at a time while no program runs. `host_space` says what is written:
//
//   0  a word of the program           place = instruction; this clears the digits of the shift register
//   1  a digit of the shift register   place = its number; data bit 0 is the digit, data bit 1 marks the last one
//   2  a coefficient of a register     place = register; above those of programs are p, 1 and the start value of the inversion
//   4  a coefficient of the data memory  place = address
module core_polynomial
    import isa::*;
#(
    parameter int M              = 63,
    parameter int S              = 857,
    parameter int P1             = 6,
    parameter int P2             = 24,
    parameter int P3             = 36,
    parameter int P4             = 36,
    parameter int BITS           = 258,
    parameter int D              = 22,
    parameter bit BESIDE         = 1'b0,
    parameter bit PIPELINED      = 1'b0,
    parameter int REGISTERS      = 56,
    parameter int PLACES         = 64,
    parameter int INSTRUCTIONS   = 1024,
    parameter int DIGITS         = 512,
    parameter int COUNT_BITS     = 11,
    localparam int W             = M + 1,
    localparam int LIMB_BITS     = 3,
    localparam int REGISTER_BITS = $clog2(REGISTERS + 8),
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
        .COUNT_BITS(COUNT_BITS), .BESIDE(BESIDE || PIPELINED)) controller (.clk, .reset, .start, .busy, .done, .trap, .accept, .host_write, .host_space, .host_place,
        .host_data, .ready, .idle, .issue, .opcode, .first, .second, .third, .address);
    alu_polynomial #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4), .BITS(BITS), .D(D), .BESIDE(BESIDE), .PIPELINED(PIPELINED),
        .REGISTERS(REGISTERS), .PLACES(PLACES)) alu (.clk, .reset, .ready, .idle, .issue, .opcode, .first, .second, .third, .address,
        .host_register(host_write && host_space == 2), .host_memory(host_write && host_space == 4),
        .host_place(host_place[PLACE_BITS-1:0]), .host_limb, .host_data(host_data[W-1:0]), .host_read);
endmodule
