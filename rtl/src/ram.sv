// A memory with one write port and one read port. Data arrive a cycle after their address.
//
//   write_enable, write_address, write_data ──►┌───────┐
//                              read_address ──►│ DEPTH │──► read_data
//                                              └───────┘
module ram #(
    parameter int WIDTH = 17,
    parameter int DEPTH = 1024
) (
    input  logic                     clk,
    input  logic                     write_enable,
    input  logic [$clog2(DEPTH)-1:0] write_address,
    input  logic [WIDTH-1:0]         write_data,
    input  logic [$clog2(DEPTH)-1:0] read_address,
    output logic [WIDTH-1:0]         read_data
);
    logic [WIDTH-1:0] memory[DEPTH] /*verilator public_flat_rd*/;

    initial for (int i = 0; i < DEPTH; i++) memory[i] = '0;

    // not always_ff, whose variables an initial block must not write
    always @(posedge clk) begin
        if (write_enable) memory[write_address] <= write_data;
        read_data <= memory[read_address];
    end
endmodule
