// The ALU for primes p(z) = P4·z^4 + P3·z^3 + P2·z^2 + P1·z + 1 with z = 2^M + S, such as BN primes (Fan, Vercauteren and
// Verbauwhede, CHES 2009). A register holds five signed coefficients, and all of them are processed at once.
//
//   data memory ─┐                      ┌──────────────────────────────┐
//                ▼                      │                              ▼
//   registers ─► a, b ─► a ± b ─►[ s ]──► carries, quotient, half ─► registers, data memory
//                  │                                                   ▲
//                  └───► polynomial_multiplier ────────────────────────┘
//
// A residue x is stored as x·z^5 mod p. Coefficients are closed if |a_i| <= 2^(M-1) + 2^20 for i < 4 and |a_4| < P4: then |a(z)| < p, and
// only the zero polynomial is 0. A sum takes two cycles: first s, then s - q·p(z) minus the carries m_i of its coefficients,
//
//   r_i = s_i - q·p_i - m_i·z + m_(i-1),   with q and m_i in {-1, 0, 1}.
//
// A half is r/2, with q = 1 or -1 if s is odd, and with m_i such that each r_i is even (z is odd).
//
// Inversion by division steps (Bernstein and Yang, CHES 2019) is a form of Euclid's algorithm without comparisons. It always takes STEPS
// steps of two cycles. From f = p, g = a, d = 0, e = START = z^10 mod p, delta = 1:
//
//   g odd, delta > 0:   f, g = g, (g - f)/2;  d, e = e, (e - d)/2 mod p;  delta = 1 - delta
//   else:               g = (g + f)/2 or g/2; e = (e + d)/2 or e/2 mod p; delta = 1 + delta
//
// At the end, f is 1 or -1, or ±p for a = 0, and the inverse is d with the sign of f. f mod 4 gives this sign.
module alu_polynomial
    import isa::*;
#(
    parameter int M              = 63,
    parameter int S              = 857,
    parameter int P1             = 6,
    parameter int P2             = 24,
    parameter int P3             = 36,
    parameter int P4             = 36,
    parameter int BITS           = 258,  // the number of bits of p
    parameter int D              = 22,   // the number of bits of a digit of the multiplier
    parameter bit BESIDE         = 1'b0, // sums run beside products
    parameter bit PIPELINED      = 1'b0, // like BESIDE; a sum in each cycle, a product in every eighth, with digits of half a coefficient
    parameter int REGISTERS      = 56,
    parameter int PLACES         = 64,
    localparam int RESERVED      = 8,
    localparam int C             = M + 1,
    localparam int ALL           = REGISTERS + RESERVED,
    localparam int REGISTER_BITS = $clog2(ALL),
    localparam int ADDRESS_BITS  = $clog2(PLACES),
    localparam int PLACE_BITS    = REGISTER_BITS > ADDRESS_BITS ? REGISTER_BITS : ADDRESS_BITS
) (
    input  logic                     clk,
    input  logic                     reset,
    // instructions
    output logic                     ready,          // the instruction at opcode and operands can be issued
    output logic                     idle,           // all instructions have ended
    input  logic                     issue,
    input  logic [OPCODE_BITS-1:0]   opcode,
    input  logic [REGISTER_BITS-1:0] first,
    input  logic [REGISTER_BITS-1:0] second,
    input  logic [REGISTER_BITS-1:0] third,
    input  logic [ADDRESS_BITS-1:0]  address,
    // the host, while no program runs
    input  logic                     host_register,  // writes a coefficient of a register
    input  logic                     host_memory,    // writes a coefficient of the data memory
    input  logic [PLACE_BITS-1:0]    host_place,
    input  logic [2:0]               host_limb,
    input  logic [C-1:0]             host_data,
    output logic [C-1:0]             host_read       // the coefficient of the data memory, a cycle later
);
    generate
        if (PIPELINED ? 2 * D != C : 2 * D > C) begin : g_refused
            $error("D is at most half a coefficient, and half of one with PIPELINED");
        end
        if (!PIPELINED && D < $clog2(P4) + 1) begin : g_digit_refused
            $error("D holds a_4, with its sign");
        end
        // closed coefficients fit C bits, and those of the host 64
        if (M < 22 || M > 63) begin : g_coefficient_refused
            $error("M is 22 to 63");
        end
        if (S % 2 == 0 || S < 0 || S >= 1 << 12) begin : g_seed_refused
            $error("S is odd and below 2^12");
        end
    endgenerate

    localparam int STEPS     = (49 * BITS + 57) / 17;
    localparam int STEP_BITS = $clog2(STEPS + 1);
    localparam int PRIME = 0, ONE = 1, START = 2, F = 3, G = 4, DD = 5, E = 6;
    localparam int P[5] = '{1, P1, P2, P3, P4};
    localparam logic signed [C+1:0] Z = (C + 2)'((C + 2)'(1) <<< M) + (C + 2)'(S);

    function automatic logic [REGISTER_BITS-1:0] reserved(input int which);
        return REGISTER_BITS'(REGISTERS + which);
    endfunction

    // ---- the instructions in execution
    typedef enum logic [1:0] {IDLE, SUM, INVERSE} state_t;
    state_t state;
    logic [OPCODE_BITS-1:0] op;
    logic [REGISTER_BITS-1:0] to, left, right, product_to, product_left, product_right;
    logic [ADDRESS_BITS-1:0] place;
    logic product_runs, product_reads;  // a product is in the multiplier (without PIPELINED); its operands are read
    logic multiplying;                  // a product runs that does not end in this cycle
    logic [2:0] phase;                 // of an inversion: 0 to 3 set f, g, d, e; 4 steps f and g; 5 steps d and e; 6 waits; 7 ends
    logic second_cycle, swapped_f, swapped_d, odd, swaps, adds_q, swaps_q;
    logic signed [STEP_BITS:0] delta;
    logic [STEP_BITS-1:0] step;
    logic product_ends, ends, multiplies, starts;

    assign multiplies = opcode == MUL || opcode == SQR;
    assign starts     = issue && multiplies;
    assign ends       = state == SUM ? second_cycle : state == INVERSE && phase == 7 && second_cycle;
    assign idle       = (state == IDLE || ends) && !multiplying;
    // the registers that the instruction at the inputs reads
    logic reads_second, reads_third;
    assign reads_third  = opcode == ADD || opcode == SUB || opcode == MUL;
    assign reads_second = reads_third || opcode == NEG || opcode == COPY || opcode == HALVE || opcode == ISZERO || opcode == SQR
                       || opcode == INV;
    function automatic logic touches(input logic [REGISTER_BITS-1:0] register);
        return first == register || (reads_second && second == register) || (reads_third && third == register);
    endfunction
    logic multiplier_ready, ends_soon;
    generate
        if (BESIDE || PIPELINED) begin : g_product
            always_ff @(posedge clk) begin
                if (starts) begin
                    product_left  <= second;
                    product_right <= opcode == SQR ? second : third;
                end
            end
        end else begin : g_serial
            assign product_to    = to;
            assign product_left  = left;
            assign product_right = right;
            assign multiplying   = product_runs && !product_ends;
            assign ready         = idle;
        end
        if (PIPELINED) begin : g_pipelined
            // at most three products run: their destinations, the slot of the next product to begin, and that of the next one to end
            logic [REGISTER_BITS-1:0] destination[3];
            logic [2:0] runs;
            logic [1:0] begins, done;
            logic waits;
            function automatic logic [1:0] after(input logic [1:0] slot);
                return slot == 2'd2 ? 2'd0 : slot + 2'd1;
            endfunction
            always_comb begin
                // waits for the sum that began in the last cycle: its result, or the element that it stores, is there a cycle later
                waits = state == SUM && !second_cycle && (op == ST ? opcode == LD && address == place : touches(to));
                for (int i = 0; i < 3; i++) if (runs[i] && !(product_ends && done == 2'(i)) && touches(destination[i])) waits = 1'b1;
            end
            assign multiplying = runs != '0 && !(product_ends && (runs & (runs - 1'b1)) == '0);
            assign product_to  = destination[done];
            assign ready       = idle || (state != INVERSE && !waits && opcode != INV && (multiplies ? multiplier_ready : !ends_soon));
            always_ff @(posedge clk) begin
                if (product_ends) begin
                    runs[done] <= 1'b0;
                    done       <= after(done);
                end
                if (starts) begin
                    destination[begins] <= first;
                    runs[begins]        <= 1'b1;
                    begins              <= after(begins);
                end
                if (reset) begin
                    runs   <= '0;
                    begins <= '0;
                    done   <= '0;
                end
            end
        end else if (BESIDE) begin : g_beside
            // a product writes in its last cycle, so a sum, which takes two cycles, must have ended before
            localparam int LAST     = 4 * ((C + D - 1) / D) + 9 - 1 - 2;
            localparam int AGE_BITS = $clog2(LAST + 4);
            logic [AGE_BITS-1:0] age;   // the cycles since the issue of the product
            logic open;
            always_ff @(posedge clk) begin
                if (starts) product_to <= first;
                age  <= starts ? AGE_BITS'(1) : age + 1'b1;
                open <= starts || (open && age < AGE_BITS'(LAST));
            end
            assign multiplying = product_runs && !product_ends;
            assign ready       = idle || ((state == IDLE || ends) && open && !touches(product_to) && !multiplies && opcode != INV);
        end
    endgenerate

    // ---- stage 1: a ± b
    typedef enum logic [2:0] {NO_B, PLUS_B, MINUS_B, STEP_F, STEP_D, IF_ZERO} use_t;
    use_t use_b;
    logic [REGISTER_BITS-1:0] read_a, read_b, write_d;
    logic use_a, minus, sign_of_f, half, from_memory, to_memory, valid;
    logic signed [C-1:0] a[5], b[5], memory[5], stored_a[5], stored_b[5];

    assign valid = (state == SUM && !second_cycle) || (state == INVERSE && phase != 6 && !second_cycle);
    assign swaps = odd && delta > 0;
    always_comb begin
        read_a      = left;
        read_b      = right;
        use_a       = 1'b1;
        use_b       = NO_B;
        minus       = 1'b0;
        sign_of_f   = 1'b0;
        half        = 1'b0;
        from_memory = 1'b0;
        to_memory   = 1'b0;
        if (state == INVERSE) begin
            unique case (phase)
                0: read_a = reserved(PRIME);
                1: ;
                2: use_a = 1'b0;
                3: read_a = reserved(START);
                4: begin
                    read_a = reserved(swapped_f ? F : G);
                    read_b = reserved(swapped_f ? G : F);
                    use_b  = STEP_F;
                    half   = 1'b1;
                end
                5: begin
                    read_a = reserved(swapped_d ? DD : E);
                    read_b = reserved(swapped_d ? E : DD);
                    use_b  = STEP_D;
                    half   = 1'b1;
                end
                default: begin
                    read_a    = reserved(swapped_d ? E : DD);
                    read_b    = reserved(swapped_f ? G : F);
                    sign_of_f = 1'b1;
                end
            endcase
        end else begin
            unique case (op)
                ADD:    use_b = PLUS_B;
                SUB:    use_b = MINUS_B;
                NEG:    minus = 1'b1;
                HALVE:  half = 1'b1;
                ISZERO: begin
                    read_b = reserved(ONE);
                    use_a  = 1'b0;
                    use_b  = IF_ZERO;
                end
                LD:     from_memory = 1'b1;
                ST: begin
                    read_a    = to;
                    to_memory = 1'b1;
                end
                default: ;
            endcase
        end
        if (product_reads) begin
            read_a = product_left;
            read_b = product_right;
        end
    end
    always_comb begin
        write_d = to;
        if (state == INVERSE) begin
            unique case (phase)
                0: write_d = reserved(F);
                1: write_d = reserved(G);
                2: write_d = reserved(DD);
                3: write_d = reserved(E);
                4: write_d = reserved(swapped_f ^ swaps ? F : G);
                5: write_d = reserved(swapped_d ^ swaps_q ? DD : E);
                default: ;
            endcase
        end
    end

    logic zero, add_b, minus_a, minus_b;
    logic [1:0] f_mod_4;
    logic [4:0] parities;
    always_comb begin
        f_mod_4 = '0;
        zero    = 1'b1;
        for (int i = 0; i < 5; i++) begin
            a[i]        = from_memory ? memory[i] : stored_a[i];
            b[i]        = stored_b[i];
            parities[i] = stored_a[i][0];
            f_mod_4     = f_mod_4 + (i % 2 == 1 && (S & 3) == 3 ? -stored_b[i][1:0] : stored_b[i][1:0]);
            if (stored_a[i] != '0) zero = 1'b0;
        end
    end
    assign odd     = ^parities;  // z is odd
    assign minus_a = minus || (sign_of_f && f_mod_4 == 3);
    assign minus_b = use_b == MINUS_B || (use_b == STEP_F && swaps) || (use_b == STEP_D && swaps_q);
    always_comb begin
        unique case (use_b)
            PLUS_B, MINUS_B: add_b = 1'b1;
            STEP_F:          add_b = odd;
            STEP_D:          add_b = adds_q;
            IF_ZERO:         add_b = zero;
            default:         add_b = 1'b0;
        endcase
    end
    logic signed [C+1:0] s[5];

    // ---- stage 2: the closed result
    logic valid_2, half_2;
    logic [REGISTER_BITS-1:0] write_2;
    always_ff @(posedge clk) begin
        valid_2 <= valid && !to_memory && !reset;
        half_2  <= half;
        write_2 <= write_d;
        for (int i = 0; i < 5; i++) begin
            s[i] <= (C + 2)'(use_a ? (minus_a ? -(C + 2)'(a[i]) : (C + 2)'(a[i])) : '0)
                  + (C + 2)'(add_b ? (minus_b ? -(C + 2)'(b[i]) : (C + 2)'(b[i])) : '0);
        end
    end

    logic signed [1:0] q, carry[5];
    logic h, odd_2;
    logic signed [C+1:0] r[5];
    logic signed [C-1:0] closed[5];
    always_comb begin
        odd_2 = 1'b0;
        for (int i = 0; i < 5; i++) odd_2 ^= s[i][0];
        q = 2'sd0;
        if (half_2 ? odd_2 : (s[4] > (C + 2)'(P4 / 2) || s[4] < -(C + 2)'(P4 / 2))) q = s[4] < 0 ? -2'sd1 : 2'sd1;
        h = 1'b0;
        for (int i = 0; i < 4; i++) begin
            h ^= s[i][0] ^ (P[i][0] && q[0]);
            if (half_2 ? h : (s[i] >= (Z >>> 1) || s[i] < -(Z >>> 1))) carry[i] = s[i] < 0 ? -2'sd1 : 2'sd1;
            else carry[i] = 2'sd0;
        end
        carry[4] = 2'sd0;
        for (int i = 0; i < 5; i++) begin
            r[i] = s[i] - (q == 0 ? '0 : q < 0 ? -(C + 2)'(P[i]) : (C + 2)'(P[i]))
                 - (carry[i] == 0 ? '0 : carry[i] < 0 ? -Z : Z) + (i == 0 ? '0 : (C + 2)'(carry[i == 0 ? 0 : i-1]));
            closed[i] = C'(half_2 ? r[i] >>> 1 : r[i]);
        end
    end

    // ---- product
    logic signed [C-1:0] product[5];
    generate
        if (PIPELINED) begin : g_pipeline
            polynomial_pipeline #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4)) multiplier (.clk, .reset, .start(product_reads),
                .a(stored_a), .b(stored_b), .soon(ends_soon), .ready(multiplier_ready), .ends(product_ends), .product);
        end else begin : g_multiplier
            polynomial_multiplier #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4), .D(D)) multiplier (.clk, .reset,
                .start(product_reads), .a(stored_a), .b(stored_b), .ends(product_ends), .product);
            assign multiplier_ready = !product_runs;
            assign ends_soon        = 1'b0;
        end
    endgenerate

    // ---- registers and data memory, a memory for each coefficient
    logic [C-1:0] memory_read[5];
    logic write_register, write_memory;
    assign write_register = valid_2 || product_ends;
    assign write_memory   = valid && to_memory;   // a cycle before the next instruction may read it
    generate
        for (genvar i = 0; i < 5; i++) begin : g_coefficient
            logic [C-1:0] registers[ALL] /*verilator public_flat_rd*/;
            logic host;
            assign host = host_limb == 3'(i);
            always_ff @(posedge clk) begin
                if (host_register && host) registers[host_place[REGISTER_BITS-1:0]] <= host_data;
                else if (write_register) registers[product_ends ? product_to : write_2] <= product_ends ? product[i] : closed[i];
            end
            assign stored_a[i] = registers[read_a];
            assign stored_b[i] = registers[read_b];
            ram #(.WIDTH(C), .DEPTH(PLACES)) data_memory (.clk, .write_enable(write_memory || (host_memory && host)),
                .write_address(write_memory ? place : host_place[ADDRESS_BITS-1:0]), .write_data(write_memory ? stored_a[i] : host_data),
                .read_address(issue ? address : host_place[ADDRESS_BITS-1:0]), .read_data(memory_read[i]));
            assign memory[i] = memory_read[i];
        end
    endgenerate
    logic [2:0] host_limb_1;
    always_ff @(posedge clk) host_limb_1 <= host_limb;
    assign host_read = memory_read[host_limb_1];

    // ---- control
    always_ff @(posedge clk) begin
        second_cycle <= 1'b1;
        if (state == INVERSE) begin
            second_cycle <= phase == 7;
            unique case (phase)
                4: begin
                    phase     <= 3'd5;
                    adds_q    <= odd;
                    swaps_q   <= swaps;
                    swapped_f <= swapped_f ^ swaps;
                    delta     <= swaps ? 1 - delta : 1 + delta;
                end
                5: begin
                    phase     <= step == STEP_BITS'(STEPS - 1) ? 3'd6 : 3'd4;
                    step      <= step + 1'b1;
                    swapped_d <= swapped_d ^ swaps_q;
                end
                7:       ;
                default: phase <= phase + 1'b1;
            endcase
        end
        if (ends) state <= IDLE;
        if (product_ends) product_runs <= 1'b0;
        product_reads <= starts;
        if (starts) product_runs <= 1'b1;
        if (issue && !((BESIDE || PIPELINED) && multiplies)) begin
            op           <= opcode;
            to           <= first;
            left         <= second;
            right        <= opcode == SQR ? second : third;
            place        <= address;
            state        <= multiplies ? IDLE : opcode == INV ? INVERSE : SUM;
            second_cycle <= 1'b0;
            phase        <= '0;
            step         <= '0;
            delta        <= 1;
            swapped_f    <= 1'b0;
            swapped_d    <= 1'b0;
        end
        if (reset) begin
            state         <= IDLE;
            product_runs  <= 1'b0;
            product_reads <= 1'b0;
        end
    end
endmodule
