// The passes of a product whose reduction divides by multiplication (Barrett, CRYPTO 86), in five stages:
//
//   1  T = a·b                                  STEPS passes of K + G limbs
//   2  Q = ⌊T/2^(WE)⌋ · ⌊2^(WS)/p⌋              STEPS_Q passes of K_FACTOR + G limbs
//   3  q = ⌊Q/2^(W(S-E))⌋                       no time: limbs are read from this position on
//   4  r = T + q·(2^(KW) - p) mod 2^(KW)        STEPS passes, each G limbs shorter than the one before it
//   5  r, or r - p if r >= p                    K limbs
//
//   start ─► GAP ─► PRODUCT 1 ─► GAP ─► PRODUCT 2 ─► GAP ─► PRODUCT 3 ─► CLOSE ─► drain
//
// With E = ⌊(N-3)/W⌋ and S = ⌈(2N+2)/W⌉, the quotient is at most one too small: each of the two roundings before the last one reduces it by
// less than 1/4. So 0 <= r < 2p.
module schedule_five_stage
    import schedule::*;
#(
    parameter int N          = 512,
    parameter int W          = 17,
    parameter int K          = 31,
    parameter int G          = 4,
    parameter int LIMB_BITS  = 5,
    parameter int SUM_BITS   = 8,
    localparam int G_BITS    = $clog2(G + 1)
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic                 start,
    output order_t               order,
    output logic [LIMB_BITS-1:0] x_limb,
    output logic [SUM_BITS-1:0]  y_address,
    output logic [SUM_BITS-1:0]  v_address,
    output logic [LIMB_BITS-1:0] result_limb,
    output logic [G_BITS-1:0]    captured,
    output logic [G_BITS-1:0]    loaded,
    output logic [SUM_BITS-1:0]  load_address
);
    localparam int E        = (N - 3) / W;
    localparam int S        = (2 * N + 2 + W - 1) / W;
    localparam int K_FACTOR = (S * W - N + 1 + W - 1) / W;
    localparam int K_TOP    = (2 * N - E * W + W - 1) / W;       // the number of limbs of T/2^(WE)
    localparam int STEPS    = (K + G - 1) / G;
    localparam int STEPS_Q  = (K_TOP + G - 1) / G;
    localparam int SHORTEST = G + 4;                             // a pass reads what the previous one has written
    localparam int GAP_END  = 6;                                 // by then the last sums are in the memory
    localparam int UPPER    = 1 << (SUM_BITS - 1);               // the address of Q
    localparam int STEP_BITS = $clog2(STEPS_Q + STEPS + 1);

    typedef enum logic [1:0] {IDLE, GAP, PASS, CLOSE} state_t;
    state_t state;
    logic [1:0] number;                                          // the number of the product: 0, 1, 2
    logic [SUM_BITS-1:0] j, base, length, place, limit;
    logic [STEP_BITS-1:0] step, steps;
    logic [G_BITS-1:0] left;
    logic last_step, ends, load_sum;

    assign steps     = number == 1 ? STEP_BITS'(STEPS_Q) : STEP_BITS'(STEPS);
    assign last_step = step == steps - 1'b1;
    always_comb begin
        unique case (state)
            GAP:     ends = j == SUM_BITS'(GAP_END);
            CLOSE:   ends = j == SUM_BITS'(K - 1);
            default: ends = j == length - 1'b1;
        endcase
    end

    always_ff @(posedge clk) begin
        j <= ends || state == IDLE ? '0 : j + 1'b1;
        if (left != 0) begin
            left  <= left - 1'b1;
            place <= place + 1'b1;
        end
        unique case (state)
            GAP: begin
                if (j == SUM_BITS'(GAP_END - 2)) begin
                    left     <= G_BITS'(G);
                    load_sum <= number != 0;
                    place    <= number == 0 ? '0 : number == 1 ? SUM_BITS'(E) : SUM_BITS'(UPPER + S - E);
                    limit    <= number == 0 ? SUM_BITS'(K) : number == 1 ? SUM_BITS'(E + K_TOP) : SUM_BITS'(UPPER + S - E + K);
                end
                if (ends) begin
                    state  <= PASS;
                    step   <= '0;
                    base   <= number == 1 ? SUM_BITS'(UPPER) : '0;
                    length <= number == 0 ? SUM_BITS'(K + G) : number == 1 ? SUM_BITS'(K_FACTOR + G) : SUM_BITS'(K > SHORTEST ? K : SHORTEST);
                end
            end
            PASS: begin
                // before this cycle, digits of this pass may still be arriving
                if (j == SUM_BITS'(G - 1) && !last_step) left <= G_BITS'(G);
                if (ends) begin
                    step <= step + 1'b1;
                    base <= base + SUM_BITS'(G);
                    if (number == 2) length <= length < SUM_BITS'(SHORTEST + G) ? SUM_BITS'(SHORTEST) : length - SUM_BITS'(G);
                    if (last_step) begin
                        state  <= number == 2 ? CLOSE : GAP;
                        number <= number + 1'b1;
                    end
                end
            end
            CLOSE: if (ends) state <= IDLE;
            default: begin
                number <= '0;
                if (start) begin
                    state <= GAP;
                    j     <= SUM_BITS'(GAP_END - 2);             // there are no sums to wait for
                end
            end
        endcase
        if (reset) begin
            state <= IDLE;
            left  <= '0;
        end
    end

    logic [SUM_BITS-1:0] x_length;
    assign x_length = number == 1 ? SUM_BITS'(K_FACTOR) : SUM_BITS'(K);
    always_comb begin
        order           = '0;
        order.load      = left != 0;
        order.load_zero = place >= limit;
        order.load_sum  = load_sum;
        order.x_zero    = 1'b1;
        unique case (state)
            PASS: begin
                order.active = 1'b1;
                order.first  = j == 0;
                order.stream = number == 0 ? FACTOR_A : number == 1 ? CONSTANT : COMPLEMENT_P;
                order.x_zero = j >= x_length;
                order.y_zero = number != 2 && (j >= x_length || step == 0);
                order.store  = number != 2 || base + j < SUM_BITS'(K);
            end
            CLOSE: begin
                order.active = 1'b1;
                order.first  = j == 0;
                order.result = 1'b1;
                order.last   = ends;
            end
            default: ;
        endcase
    end
    assign x_limb       = j[LIMB_BITS-1:0];
    assign y_address    = state == CLOSE ? j : base + j;
    assign v_address    = base + j;
    assign result_limb  = j[LIMB_BITS-1:0];
    assign captured     = '0;
    assign loaded       = G_BITS'(G) - left;
    assign load_address = place;
endmodule
