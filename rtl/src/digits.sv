// The circular shift register with the digits of a loop: a memory of bits, and the place of the digit at the top. A rotation moves the
// place, so that a register of any length up to DEPTH takes one bit of memory for each digit.
//
//   host ──► [ digit 0 | digit 1 | ... | digit length-1 ] ──► top
//                          ▲ place, which returns to 0 after length-1
module digits #(
    parameter int DEPTH = 1024
) (
    input  logic                     clk,
    input  logic                     clear,         // removes all digits
    input  logic                     restart,       // the first digit is at the top from the next cycle on
    input  logic                     rotate,
    output logic                     top,
    input  logic                     digit_write,
    input  logic [$clog2(DEPTH)-1:0] digit_address,
    input  logic                     digit_value,
    input  logic                     last_write,    // digit_address is the number of the last digit
    output logic                     empty
);
    localparam int BITS = $clog2(DEPTH);

    logic memory[DEPTH];
    logic [BITS-1:0] place, last;

    initial begin
        for (int i = 0; i < DEPTH; i++) memory[i] = 1'b0;
        empty = 1'b1;
    end

    assign top = memory[place];

    // not always_ff, whose variables an initial block must not write
    always @(posedge clk) begin
        if (digit_write) memory[digit_address] <= digit_value;
        if (last_write) last <= digit_address;
        if (clear || last_write) empty <= clear;
        if (restart) place <= '0;
        else if (rotate) place <= place == last ? '0 : place + 1'b1;
    end
endmodule
