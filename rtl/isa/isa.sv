// The opcodes, generated from crates/processor/isa.toml; a test compares them.
package isa;
    localparam int OPCODE_BITS = 5;
    localparam logic [4:0] ADD = 5'd1;  // d := a + b mod p
    localparam logic [4:0] SUB = 5'd2;  // d := a - b mod p
    localparam logic [4:0] NEG = 5'd3;  // d := -a mod p
    localparam logic [4:0] COPY = 5'd4;  // d := a
    localparam logic [4:0] HALVE = 5'd5;  // d := a/2 mod p
    localparam logic [4:0] MUL = 5'd6;  // d := a*b mod p
    localparam logic [4:0] SQR = 5'd7;  // d := a*a mod p
    localparam logic [4:0] INV = 5'd8;  // d := 1/a mod p, and 0 for a = 0
    localparam logic [4:0] ISZERO = 5'd9;  // d := 1 if a = 0, else 0
    localparam logic [4:0] LD = 5'd10;  // d := the element at the address
    localparam logic [4:0] ST = 5'd11;  // the element at the address := a
    localparam logic [4:0] JUMP = 5'd12;  // goes on at the target
    localparam logic [4:0] LOAD = 5'd13;  // the counter := the count
    localparam logic [4:0] JDEC = 5'd14;  // takes 1 from the counter; goes on at the target unless it is 0 now
    localparam logic [4:0] JSR = 5'd15;  // rotates the shift register by one digit; goes on at the target if the digit that leaves the top, and enters at the bottom, is 1
    localparam logic [4:0] HALT = 5'd16;  // ends the program
    localparam logic [4:0] WMUL = 5'd17;  // w := a*b, unreduced
    localparam logic [4:0] WMAC = 5'd18;  // w := w + a*b, unreduced
    localparam logic [4:0] WMSC = 5'd19;  // w := w - a*b, unreduced
    localparam logic [4:0] WADD = 5'd20;  // w := u + v, unreduced
    localparam logic [4:0] WSUB = 5'd21;  // w := u - v, unreduced
    localparam logic [4:0] WRED = 5'd22;  // d := u mod p
endpackage
