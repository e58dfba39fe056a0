// Multiplies a digit by the five coefficients of b: C × (D + 1) bits each, in parts of 17 bits, which fit the multipliers of an FPGA.
module polynomial_rows #(
    parameter int C = 64,
    parameter int D = 22
) (
    input  logic signed [C-1:0] factor[5],
    input  logic signed [D:0]   multiplicand,
    output logic signed [C+D:0] whole[5]
);
    localparam int CHUNK  = 17;
    localparam int CHUNKS = (C + CHUNK - 1) / CHUNK;
    always_comb begin
        for (int i = 0; i < 5; i++) begin
            whole[i] = '0;
            for (int k = 0; k < CHUNKS; k++) begin
                automatic logic signed [CHUNK:0] part = k == CHUNKS - 1 ? (CHUNK + 1)'(factor[i] >>> (CHUNK * k))
                    : {1'b0, factor[i][CHUNK*(k == CHUNKS - 1 ? 0 : k)+:CHUNK]};
                automatic logic signed [CHUNK+D+1:0] narrow = part * multiplicand;
                whole[i] = whole[i] + ((C + D + 1)'(narrow) <<< (CHUNK * k));
            end
        end
    end
endmodule
