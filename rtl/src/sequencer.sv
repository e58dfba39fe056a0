// Fetches, decodes and issues instructions, and executes control instructions itself. The next instruction is fetched while one executes,
// so that an ALU instruction costs only the ALU's cycles, and a control instruction costs 1 cycle, whether its branch is taken or not. With
// BESIDE, the ALU accepts an instruction while another one runs, and of the control instructions only the halt waits for the ALU.
//
//            ┌────────────────── target ◄──────────────┐
//            ▼                                         │
//   start ► pc ─► program memory ─► word ─► decode ────┼─► ready? ─► issue, opcode, operands ─► ALU
//            ▲                                         ├─► counter (load, jdec)
//            └── + 1                                   └─► digits (jsr)
//
// These set `trap` and end the program: an unknown opcode, an opcode of wide values without WIDE, a branch on a digit without digits, and a
// decrement of a counter that is 0.
module sequencer
    import isa::*;
#(
    parameter int REGISTER_BITS = 5,
    parameter int ADDRESS_BITS  = 5,
    parameter int TARGET_BITS   = 12,
    parameter int COUNT_BITS    = 11,
    parameter int WORD          = 32,
    parameter bit WIDE          = 1'b0,  // there are wide registers
    parameter bit BESIDE        = 1'b0   // control instructions do not wait for those of the ALU
) (
    input  logic                     clk,
    input  logic                     reset,
    input  logic                     start,    // begins at instruction 0; ignored while busy
    output logic                     busy,
    output logic                     done,     // for one cycle after the halt or trap
    output logic                     trap,     // the last program ended in a trap
    // program memory
    output logic [TARGET_BITS-1:0]   fetch,
    input  logic [WORD-1:0]          word,
    // shift register
    input  logic                     digit,
    input  logic                     no_digits,
    output logic                     rotate,
    // ALU
    input  logic                     ready,    // the instruction at opcode and operands can be issued
    input  logic                     idle,     // all instructions of the ALU have ended
    output logic                     issue,
    output logic [OPCODE_BITS-1:0]   opcode,
    output logic [REGISTER_BITS-1:0] first,    // the destination; the source of st
    output logic [REGISTER_BITS-1:0] second,
    output logic [REGISTER_BITS-1:0] third,
    output logic [ADDRESS_BITS-1:0]  address,
    // an instruction begins
    output logic                     accept
);
    logic [TARGET_BITS-1:0] pc, following, target;
    logic [COUNT_BITS-1:0] counter;
    logic valid;  // `word` is the instruction at pc

    assign opcode  = word[OPCODE_BITS-1:0];
    assign first   = word[OPCODE_BITS+:REGISTER_BITS];
    assign second  = word[OPCODE_BITS+REGISTER_BITS+:REGISTER_BITS];
    assign third   = word[OPCODE_BITS+2*REGISTER_BITS+:REGISTER_BITS];
    assign address = word[OPCODE_BITS+REGISTER_BITS+:ADDRESS_BITS];
    assign target  = word[OPCODE_BITS+:TARGET_BITS];

    logic taken, halts, fault, computes;
    always_comb begin
        taken    = 1'b0;
        halts    = 1'b0;
        fault    = 1'b0;
        computes = 1'b0;
        unique case (opcode)
            ADD, SUB, NEG, COPY, HALVE, MUL, SQR, INV, ISZERO, LD, ST: computes = 1'b1;
            WMUL, WMAC, WMSC, WADD, WSUB, WRED: begin
                computes = WIDE;
                fault    = !WIDE;
            end
            JUMP: taken = 1'b1;
            LOAD: ;
            JDEC: begin
                taken = counter != 1;
                fault = counter == 0;
            end
            JSR: begin
                taken = digit;
                fault = no_digits;
            end
            HALT: halts = 1'b1;
            default: fault = 1'b1;
        endcase
    end

    // a program ends only when all its instructions have ended
    assign accept    = valid && (computes ? ready : idle || (BESIDE && !halts && !fault));
    assign issue     = accept && computes;
    assign rotate    = accept && opcode == JSR;
    assign following = taken ? target : pc + 1'b1;
    assign fetch     = !busy ? '0 : accept ? following : pc;

    always_ff @(posedge clk) begin
        done  <= 1'b0;
        valid <= busy || start;
        if (!busy && start) begin
            busy <= 1'b1;
            trap <= 1'b0;
            pc   <= '0;
        end
        if (accept) begin
            pc <= following;
            if (opcode == LOAD) counter <= word[OPCODE_BITS+:COUNT_BITS];
            if (opcode == JDEC) counter <= counter - 1'b1;
            if (halts || fault) begin
                busy    <= 1'b0;
                valid   <= 1'b0;
                done    <= 1'b1;
                trap    <= fault;
                counter <= '0;
            end
        end
        if (reset) begin
            busy    <= 1'b0;
            valid   <= 1'b0;
            done    <= 1'b0;
            trap    <= 1'b0;
            counter <= '0;
        end
    end
endmodule
