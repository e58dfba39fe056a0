// A processor: program memory, digits, sequencer, and the ALU for primes that are polynomials.
//
//   host ─► program memory ─► sequencer ─► ALU (registers, data memory)
//      └──► digits ────────────▲
//
// The host writes a word at a time while no program runs. What it writes, by `host_space`:
//
//   0  a word of the program           place = instruction
//   1  a digit of the shift register   place = its number, data bit 0; data bit 1 marks the last
//   2  a coefficient of a register     place = register: behind those of programs p, 1 and what the inversion starts from
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
    parameter int REGISTERS      = 56,
    parameter int PLACES         = 64,
    parameter int INSTRUCTIONS   = 1024,
    parameter int DIGITS         = 512,
    parameter int COUNT_BITS     = 11,
    localparam int W             = M + 1,
    localparam int LIMB_BITS     = 3,
    localparam int REGISTER_BITS = $clog2(REGISTERS + 8),
    localparam int ADDRESS_BITS  = $clog2(PLACES),
    localparam int TARGET_BITS   = $clog2(INSTRUCTIONS)
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
    input  logic [15:0]          host_place,
    input  logic [LIMB_BITS-1:0] host_limb,
    input  logic [63:0]          host_data,
    output logic [W-1:0]         host_read
);
    localparam int OPERANDS = 3 * REGISTER_BITS > REGISTER_BITS + ADDRESS_BITS ? 3 * REGISTER_BITS : REGISTER_BITS + ADDRESS_BITS;
    localparam int CONTROL  = TARGET_BITS > COUNT_BITS ? TARGET_BITS : COUNT_BITS;
    localparam int WORD     = OPCODE_BITS + (OPERANDS > CONTROL ? OPERANDS : CONTROL);

    logic [TARGET_BITS-1:0] fetch;
    logic [WORD-1:0] word;
    logic digit, no_digits, rotate, ready, issue;
    logic [OPCODE_BITS-1:0] opcode;
    logic [REGISTER_BITS-1:0] first, second, third;
    logic [ADDRESS_BITS-1:0] address;
    logic writes_digit;
    assign writes_digit = host_write && host_space == 1;

    ram #(.WIDTH(WORD), .DEPTH(INSTRUCTIONS)) program_memory (.clk, .write_enable(host_write && host_space == 0),
        .write_address(host_place[TARGET_BITS-1:0]), .write_data(host_data[WORD-1:0]), .read_address(fetch), .read_data(word));
    digits #(.DEPTH(DIGITS)) shift_register (.clk, .restart(reset || (start && !busy)), .rotate, .top(digit),
        .digit_write(writes_digit), .digit_address(host_place[$clog2(DIGITS)-1:0]), .digit_value(host_data[0]),
        .last_write(writes_digit && host_data[1]), .empty(no_digits));
    sequencer #(.REGISTER_BITS(REGISTER_BITS), .ADDRESS_BITS(ADDRESS_BITS), .TARGET_BITS(TARGET_BITS), .COUNT_BITS(COUNT_BITS),
        .WORD(WORD)) control (.clk, .reset, .start, .busy, .done, .trap, .fetch, .word, .digit, .no_digits, .rotate, .ready, .issue,
        .opcode, .first, .second, .third, .address, .accept);
    alu_polynomial #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4), .BITS(BITS), .D(D), .REGISTERS(REGISTERS),
        .PLACES(PLACES)) alu (.clk, .reset, .ready, .issue, .opcode, .first, .second, .third, .address,
        .host_register(host_write && host_space == 2), .host_memory(host_write && host_space == 4),
        .host_place(host_place[REGISTER_BITS+ADDRESS_BITS-1:0]), .host_limb, .host_data(host_data[W-1:0]), .host_read);
endmodule
