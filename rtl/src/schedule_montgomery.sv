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
// T < 2p throughout. The result, minus p if it is at least p, is a·b/R mod p with R = 2^(GW·STEPS).
//
// With WIDE, the two halves are separate instructions, on values l + R·h with l < R and h < p. The first half,
//
//   T = 0
//   for each G limbs B of b:   T = T + a·B + (the next G limbs of l)     K + G limbs
//                              the next G limbs of l = T mod 2^(GW), T = T/2^(GW)
//
// leaves T + h for the upper half. The second half leaves T + h for the result:
//
//   T = l
//   STEPS times:               m = T·(-1/p) mod 2^(GW)                   G limbs, at least 4
//                              T = (T + m·p)/2^(GW)                      K + G limbs
//
// T <= p at the end of both halves, so that the sum, minus p if it is at least p, is below p. This needs K > G. If G > 4, FILL waits until
// G limbs of b are on their way, since limbs of l are then read at the same port.
module schedule_montgomery
    import schedule::*;
#(
    parameter int K          = 31,
    parameter int G          = 4,
    parameter int LIMB_BITS  = 5,
    parameter int SUM_BITS   = 6,
    parameter bit WIDE       = 1'b0,
    localparam int G_BITS    = $clog2(G + 1)
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic                 start,
    input  part_t                part,          // with start: the part to compute
    output order_t               order,
    output logic [LIMB_BITS-1:0] x_limb,
    output logic [SUM_BITS-1:0]  y_address,
    output logic [SUM_BITS-1:0]  v_address,
    output logic [LIMB_BITS-1:0] result_limb,
    output logic [G_BITS-1:0]    captured,
    output logic [G_BITS-1:0]    loaded,
    output logic [SUM_BITS-1:0]  load_address,
    output logic [LIMB_BITS-1:0] lower_limb     // the limb of the lower half
);
    localparam int STEPS = (K + G - 1) / G;
    localparam int DIGITS_LENGTH = G > 4 ? G : 4;  // m_0 is ready after four cycles
    localparam int STEP_BITS = $clog2(STEPS + 1);

    typedef enum logic [2:0] {IDLE, FILL, SUM, DIGITS, REDUCE} state_t;
    state_t state;
    logic [SUM_BITS-1:0] j, place;
    logic [STEP_BITS-1:0] step;
    logic [G_BITS-1:0] left;  // the number of digits to load
    logic last_step, ends;
    part_t now;
    logic first_half, second_half;
    logic [SUM_BITS-1:0] base;    // the number of limbs of the lower half that are done

    assign first_half  = WIDE && now == FIRST_HALF;
    assign second_half = WIDE && now == SECOND_HALF;
    assign last_step = step == STEP_BITS'(STEPS - 1);
    always_comb begin
        unique case (state)
            FILL:    ends = j == SUM_BITS'(first_half && G > 4 ? G - 3 : 1);
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
            FILL:   if (ends) state <= second_half ? DIGITS : SUM;
            SUM: begin
                if (first_half && j == SUM_BITS'(G + 2) && !last_step) left <= G_BITS'(G);
                if (ends) begin
                    state <= !first_half ? DIGITS : last_step ? IDLE : SUM;
                    if (first_half) begin
                        step <= step + 1'b1;
                        base <= base + SUM_BITS'(G);
                    end
                end
            end
            DIGITS: if (ends) state <= REDUCE;
            REDUCE: begin
                if (j == 0 && !last_step && !second_half) left <= G_BITS'(G);
                if (ends) begin
                    state <= last_step ? IDLE : second_half ? DIGITS : SUM;
                    step  <= step + 1'b1;
                end
            end
            default: begin
                if (start) begin
                    state <= FILL;
                    step  <= '0;
                    base  <= '0;
                    now   <= part;
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

    logic below_k, below_g, below_2g, below_l;
    assign below_2g = j < SUM_BITS'(2 * G);
    assign below_l  = j < SUM_BITS'(STEPS * G);
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
                order.store   = 1'b1;                       // limbs of the lower half go to places that are not read
                order.capture = !first_half && below_g;
                order.lower   = first_half && below_g;
                order.adds    = first_half && below_g;
                order.result  = first_half && !below_g && last_step;
                order.last    = first_half && ends && last_step;
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
                order.y_zero = second_half && (!below_k || step == 0);
                order.adds   = second_half && below_l && step == 0;
                order.capture = second_half && !below_g && below_2g;
                order.store  = !below_g;
                order.result = !below_g && last_step;
                order.last   = ends && last_step;
            end
            default: order.x_zero = 1'b1;
        endcase
    end
    assign x_limb       = j[LIMB_BITS-1:0];
    assign y_address    = j;
    assign v_address    = state == REDUCE || first_half ? j - SUM_BITS'(G) : j;
    assign result_limb  = LIMB_BITS'(j - SUM_BITS'(G));
    assign captured     = state == REDUCE ? G_BITS'(j - SUM_BITS'(G)) : j[G_BITS-1:0];
    assign lower_limb   = LIMB_BITS'(base + j);
    assign loaded       = G_BITS'(G) - left;
    assign load_address = place;
endmodule
