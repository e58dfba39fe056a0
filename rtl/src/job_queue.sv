// The queue of jobs: a first-in, first-out memory for the words of an AXI4-Stream and their end marks. A full queue is not ready.
//
//   in_valid, in_data, in_last ──►┌───────┐──► out_valid, out_data, out_last
//                  in_ready ◄─────│ WORDS │◄──── out_ready
//                                 └───────┘
module job_queue #(
    parameter int WIDTH = 24,
    parameter int WORDS = 512   // a power of two
) (
    input  logic             clk,
    input  logic             reset,
    input  logic             in_valid,
    output logic             in_ready,
    input  logic [WIDTH-1:0] in_data,
    input  logic             in_last,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [WIDTH-1:0] out_data,
    output logic             out_last
);
    localparam int BITS = $clog2(WORDS);

    // the places of the next word to write and of the next word to read, which differ by at most WORDS
    logic [BITS:0] written, read, following;
    logic enters, fresh;

    assign in_ready  = written != (read ^ (BITS + 1)'(WORDS));
    assign enters    = in_valid && in_ready;
    assign following = read + (BITS + 1)'(out_valid && out_ready);

    ram #(.WIDTH(WIDTH + 1), .DEPTH(WORDS)) words (.clk, .write_enable(enters), .write_address(written[BITS-1:0]),
        .write_data({in_last, in_data}), .read_address(following[BITS-1:0]), .read_data({out_last, out_data}));

    // the output of the memory is valid if the word was there a cycle ago
    assign out_valid = fresh;
    always_ff @(posedge clk) begin
        written <= written + (BITS + 1)'(enters);
        read    <= following;
        fresh   <= following != written;
        if (reset) begin
            written <= '0;
            read    <= '0;
            fresh   <= 1'b0;
        end
    end
endmodule
