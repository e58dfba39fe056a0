// The parts of a core around the ALU: program memory, shift register, and the sequencer that reads both.
//
//   host ─► program memory ─► sequencer ─► issue, opcode, operands ─► ALU
//      └──► digits ────────────▲
//
// The host writes words of the program (`host_space` 0) and digits of the shift register (1) while no program runs. Writing a word clears
// the digits of the previous program, so digits are written after the words. After the last word, the host writes a 0, which is a trap.
// Otherwise a program that runs past its end would continue with words of the previous program or, if it fills the memory, with its own
// first word.
module control
    import isa::*;
#(
    parameter int REGISTER_BITS = 5,
    parameter int ADDRESS_BITS  = 5,
    parameter int INSTRUCTIONS  = 1024,
    parameter int DIGITS        = 512,
    parameter int COUNT_BITS    = 11,
    parameter bit WIDE          = 1'b0,
    parameter bit BESIDE        = 1'b0
) (
    input  logic                     clk,
    input  logic                     reset,
    input  logic                     start,
    output logic                     busy,
    output logic                     done,
    output logic                     trap,
    output logic                     accept,
    input  logic                     host_write,
    input  logic [2:0]               host_space,
    input  logic [19:0]              host_place,
    input  logic [63:0]              host_data,
    // ALU
    input  logic                     ready,
    input  logic                     idle,
    output logic                     issue,
    output logic [OPCODE_BITS-1:0]   opcode,
    output logic [REGISTER_BITS-1:0] first,
    output logic [REGISTER_BITS-1:0] second,
    output logic [REGISTER_BITS-1:0] third,
    output logic [ADDRESS_BITS-1:0]  address
);
    localparam int TARGET_BITS = $clog2(INSTRUCTIONS);
    localparam int OPERANDS = 3 * REGISTER_BITS > REGISTER_BITS + ADDRESS_BITS ? 3 * REGISTER_BITS : REGISTER_BITS + ADDRESS_BITS;
    localparam int BRANCH   = TARGET_BITS > COUNT_BITS ? TARGET_BITS : COUNT_BITS;
    localparam int WORD     = OPCODE_BITS + (OPERANDS > BRANCH ? OPERANDS : BRANCH);

    logic [TARGET_BITS-1:0] fetch;
    logic [WORD-1:0] word;
    logic digit, no_digits, rotate, writes_word, writes_digit;
    assign writes_word  = host_write && host_space == 0;
    assign writes_digit = host_write && host_space == 1;

    generate
        if (INSTRUCTIONS > 1 << 20 || DIGITS > 1 << 20 || ADDRESS_BITS > 20) begin : g_refused
            $error("INSTRUCTIONS, DIGITS and PLACES are at most 2^20");
        end
    endgenerate

    ram #(.WIDTH(WORD), .DEPTH(INSTRUCTIONS)) program_memory (.clk, .write_enable(writes_word),
        .write_address(host_place[TARGET_BITS-1:0]), .write_data(host_data[WORD-1:0]), .read_address(fetch), .read_data(word));
    digits #(.DEPTH(DIGITS)) shift_register (.clk, .clear(writes_word), .restart(reset || (start && !busy)), .rotate, .top(digit),
        .digit_write(writes_digit), .digit_address(host_place[$clog2(DIGITS)-1:0]), .digit_value(host_data[0]),
        .last_write(writes_digit && host_data[1]), .empty(no_digits));
    sequencer #(.REGISTER_BITS(REGISTER_BITS), .ADDRESS_BITS(ADDRESS_BITS), .TARGET_BITS(TARGET_BITS), .COUNT_BITS(COUNT_BITS),
        .WORD(WORD), .WIDE(WIDE), .BESIDE(BESIDE)) instruction_sequencer (.clk, .reset, .start, .busy, .done, .trap, .fetch, .word, .digit, .no_digits, .rotate, .ready, .idle, .issue,
        .opcode, .first, .second, .third, .address, .accept);
endmodule
