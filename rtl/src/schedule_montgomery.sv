// The passes of a product with Montgomery's reduction (Math. Comp. 44, 1985), G limbs of the second factor at a time:
//
//   T = 0
//   for each G limbs B of b:   T = T + a·B                     K + G limbs
//                              m = T·(-1/p) mod 2^(GW)          G limbs, at least 4
//                              T = (T + m·p)/2^(GW)             K + G limbs
//
//   start ─► FILL (2) ─► SUM ─► DIGITS ─► REDUCE ─┬─► drain
//                         ▲                       │
//                         └───── next digits ─────┘
//
// T < 2p throughout: the result, less p if it reaches p, is a·b/R mod p with R = 2^(GW·STEPS).
module schedule_montgomery
    import schedule::*;
#(
    parameter int K          = 31,
    parameter int G          = 4,
    parameter int LIMB_BITS  = 5,
    parameter int SUM_BITS   = 6,
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
    localparam int STEPS = (K + G - 1) / G;
    localparam int DIGITS_LENGTH = G > 4 ? G : 4;  // m_0 is ready after four cycles
    localparam int STEP_BITS = $clog2(STEPS + 1);

    typedef enum logic [2:0] {IDLE, FILL, SUM, DIGITS, REDUCE} state_t;
    state_t state;
    logic [SUM_BITS-1:0] j, place;
    logic [STEP_BITS-1:0] step;
    logic [G_BITS-1:0] left;  // digits to load
    logic last_step, ends;

    assign last_step = step == STEP_BITS'(STEPS - 1);
    always_comb begin
        unique case (state)
            FILL:    ends = j == 1;
            DIGITS:  ends = j == SUM_BITS'(DIGITS_LENGTH - 1);
            default: ends = j == SUM_BITS'(K + G - 1);
        endcase
    end

    always_ff @(posedge clk) begin
        j <= ends || state == IDLE ? '0 : j + 1'b1;
        if (left != 0) begin
            left  <= left - 1'b1;
            place <= place + 1'b1;
        end
        unique case (state)
            FILL:   if (ends) state <= SUM;
            SUM:    if (ends) state <= DIGITS;
            DIGITS: if (ends) state <= REDUCE;
            REDUCE: begin
                if (j == 0 && !last_step) left <= G_BITS'(G);
                if (ends) begin
                    state <= last_step ? IDLE : SUM;
                    step  <= step + 1'b1;
                end
            end
            default: begin
                if (start) begin
                    state <= FILL;
                    step  <= '0;
                    left  <= G_BITS'(G);
                    place <= '0;
                end
            end
        endcase
        if (reset) begin
            state <= IDLE;
            left  <= '0;
        end
    end

    logic below_k, below_g;
    assign below_k = j < SUM_BITS'(K);
    assign below_g = j < SUM_BITS'(G);

    always_comb begin
        order           = '0;
        order.first     = j == 0 && (state inside {SUM, DIGITS, REDUCE});
        order.load      = left != 0;
        order.load_zero = place >= SUM_BITS'(K);
        unique case (state)
            SUM: begin
                order.active  = 1'b1;
                order.stream  = FACTOR_A;
                order.x_zero  = !below_k;
                order.y_zero  = !below_k || step == 0;
                order.store   = 1'b1;
                order.capture = below_g;
            end
            DIGITS: begin
                order.active  = 1'b1;
                order.stream  = CONSTANT;
                order.x_zero  = !below_g;
                order.y_zero  = 1'b1;
                order.capture = below_g;
            end
            REDUCE: begin
                order.active = 1'b1;
                order.stream = MODULUS;
                order.x_zero = !below_k;
                order.store  = !below_g;
                order.result = !below_g && last_step;
                order.last   = ends && last_step;
            end
            default: order.x_zero = 1'b1;
        endcase
    end
    assign x_limb       = j[LIMB_BITS-1:0];
    assign y_address    = j;
    assign v_address    = state == REDUCE ? j - SUM_BITS'(G) : j;
    assign result_limb  = LIMB_BITS'(j - SUM_BITS'(G));
    assign captured     = j[G_BITS-1:0];
    assign loaded       = G_BITS'(G) - left;
    assign load_address = place;
endmodule
