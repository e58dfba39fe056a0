// The ALU that works limb by limb: registers, data memory, integer datapath, multiplier, and the passes of an inversion.
//
//   data memory ─┐
//                ▼
//   registers ─► a ─┬──────────────────► integer datapath ─► slots ─► registers, data memory
//       └──────► b ─┼─┐                    ▲   ▲
//                   │ │   constants: p, 1 ─┘   │ limbs of the product
//                   ▼ ▼                        │
//                 multiplier ◄─ schedule ──────┘
//                   ▲   ▼
//                memory of sums
//
// A pass of the integer datapath takes K + 3 cycles: K limbs, and 3 cycles until the value is decided and the next pass may read it.
//
// With BESIDE, other instructions run during a product. The product reads its operands in its first K + 3 cycles, in which
// product_operands.sv copies them, and writes its result in its last K cycles. Between these (`open`), a pass may begin if it ends in time
// and does not touch the register of the result.
//
// With WIDE, there are wide registers of two halves: a value l + R·h with l < R = 2^(GW·STEPS) and h < p. Products
// and reductions are computed in halves (schedule_montgomery.sv). A sum of wide values is a pass over the STEPS·G
// limbs of the lower halves, which goes on with its carry over the limbs of the upper halves, minus or plus p. What a
// product leaves for the upper half is likewise added to the upper half of the register, or subtracted from it. For
// w - a·b, the complement of l is used, ~l + a·b = R - 1 - l + a·b, and the complement of the result.
//
// Inversion (binary Euclid; Knuth, vol. 2, 4.5.2) always takes 2N steps of two passes, so that its time reveals nothing. From u = a, v = p,
// x = START, y = 0, keeping v odd:
//
//   u even:            u = u/2,                x = x/2
//   u odd and u >= v:  u = (u - v)/2,          x = (x - y)/2
//   u odd and u < v:   u = (v - u)/2, v = u,   x = (y - x)/2, y = x         all of x and y mod p
//
// u·v is at least halved in each step: at the end u = 0 and y = START/a, or 0 for a = 0.
module alu_limbs
    import isa::*;
    import modes::*;
    import schedule::*;
#(
    parameter int N              = 512,
    parameter int W              = 17,
    parameter int G              = 4,
    parameter bit FIVE_STAGE     = 1'b0,
    parameter bit BESIDE         = 1'b0, // sums run beside products
    parameter int WIDE           = 0,    // the number of wide registers
    parameter int REGISTERS      = 24,   // the number of registers of programs
    parameter int PLACES         = 32,   // the number of elements in the data memory
    localparam int K             = (N + 2 + W - 1) / W,
    localparam int LIMB_BITS     = $clog2(WIDE > 0 && K % G != 0 ? (K + G - 1) / G * G : K + 1),
    localparam int ALL           = REGISTERS + 2 * WIDE + RESERVED,
    localparam int REGISTER_BITS = $clog2(ALL),
    localparam int ADDRESS_BITS  = $clog2(PLACES),
    localparam int PLACE_BITS    = REGISTER_BITS > ADDRESS_BITS ? REGISTER_BITS : ADDRESS_BITS
) (
    input  logic                              clk,
    input  logic                              reset,
    // instructions
    output logic                              ready,           // the instruction at opcode and operands can be issued
    output logic                              idle,            // all instructions have ended
    input  logic                              issue,
    input  logic [OPCODE_BITS-1:0]            opcode,
    input  logic [REGISTER_BITS-1:0]          first,
    input  logic [REGISTER_BITS-1:0]          second,
    input  logic [REGISTER_BITS-1:0]          third,
    input  logic [ADDRESS_BITS-1:0]           address,
    // the host, while no program runs
    input  logic                              host_register,   // writes a limb of a register
    input  logic                              host_constant,   // writes a limb of a table of constants
    input  logic                              host_memory,     // writes a limb of the data memory
    input  logic [PLACE_BITS-1:0]             host_place,
    input  logic [LIMB_BITS-1:0]              host_limb,
    input  logic [W-1:0]                      host_data,
    output logic [W-1:0]                      host_read        // the limb of the data memory, a cycle later
);
    generate
        if (WIDE > 0 && (FIVE_STAGE || BESIDE || K <= G || K < 4 || REGISTERS % 2 != 0)) begin : g_refused
            $error("WIDE takes neither FIVE_STAGE nor BESIDE, more limbs than generators, at least 4, and an even number of REGISTERS");
        end
        // with fewer limbs, a pass would read limbs that the pass before it has not written yet
        if (!FIVE_STAGE && (K < 2 || (K < 4 && K > G))) begin : g_montgomery_refused
            $error("Montgomery's reduction takes at least 4 limbs, or 2 or 3 and no fewer generators");
        end
        if (!FIVE_STAGE && G > 1 << LIMB_BITS) begin : g_generators_refused
            $error("a register has no places for the G limbs of -1/p");
        end
        if (FIVE_STAGE && K < 4 && K >= G) begin : g_five_stage_refused
            $error("five stages take at least 4 limbs, or more generators than limbs");
        end
    endgenerate

    localparam int STEPS     = (K + G - 1) / G;
    localparam int SUM_BITS  = $clog2(FIVE_STAGE ? 2 * (STEPS * G + K + 2 * G + 2) : K + G + 1) + 1;
    localparam int G_BITS    = $clog2(G + 1);
    localparam int ROUNDS    = 2 * N;
    localparam int ROUND_BITS = $clog2(ROUNDS + 1);

    // the number of cycles of a product
    function automatic int product_cycles();
        int quotients = (2 * N - (N - 3) / W * W + W - 1) / W;
        int factor    = ((2 * N + 2 + W - 1) / W * W - N + 1 + W - 1) / W;
        if (!FIVE_STAGE) return STEPS * (2 * (K + G) + (G > 4 ? G : 4)) + 7;
        product_cycles = 3 + STEPS * (K + G) + 7 + (quotients + G - 1) / G * (factor + G) + 7 + K + 5;
        for (int i = 0; i < STEPS; i++) product_cycles += K - i * G > G + 4 ? K - i * G : G + 4;
    endfunction
    localparam int OPENS     = K + 3;                            // the first cycle of a product in which a pass may begin
    localparam int LAST_OPEN = product_cycles() - K - (K + 3);   // the last such cycle
    localparam int AGE_BITS  = $clog2(product_cycles() + 1);

    function automatic logic [REGISTER_BITS-1:0] reserved(input int which);
        return REGISTER_BITS'(REGISTERS + 2 * WIDE + which);
    endfunction
    // the lower half of a wide register; the upper half is the next register
    function automatic logic [REGISTER_BITS-1:0] lower_half(input logic [REGISTER_BITS-1:0] wide);
        return REGISTER_BITS'(REGISTERS) + (wide << 1);
    endfunction

    // ---- the instructions in execution: a pass or an inversion, and a product
    typedef enum logic [2:0] {SINGLE, SET_U, SET_V, SET_X, SET_Y, REDUCE_U, REDUCE_X, GIVE} phase_t;
    logic passing, multiplying;
    phase_t phase;
    logic [OPCODE_BITS-1:0] op;
    logic [REGISTER_BITS-1:0] to, left, right, product_to, product_left, product_right;
    logic [ADDRESS_BITS-1:0] place;
    logic [LIMB_BITS:0] j;
    logic [ROUND_BITS-1:0] round;
    logic [1:0] at_u, at_v, spare;  // which of the three registers holds u, which holds v, and which is free
    logic swapped;               // y is in the register X
    logic subtracts, exchanges;  // what the step does to u and v
    logic last_cycle, pass_ends, product_ends, multiplies, starts;

    // instructions that write a wide register, and instructions that read one as their first source
    logic adds_wide, first_wide, second_wide;
    part_t part;
    assign adds_wide   = WIDE > 0 && (opcode == WADD || opcode == WSUB);
    assign first_wide  = WIDE > 0 && (opcode inside {WMUL, WMAC, WMSC, WADD, WSUB});
    assign second_wide = WIDE > 0 && (adds_wide || opcode == WRED);
    assign part        = opcode == WRED ? SECOND_HALF : first_wide ? FIRST_HALF : WHOLE;
    assign multiplies  = opcode == MUL || opcode == SQR || (WIDE > 0 && !adds_wide && (first_wide || second_wide));
    assign starts     = issue && multiplies;
    // a sum of wide values: the upper half follows the last limb of the lower half
    logic upper, wide_pass;
    assign wide_pass  = WIDE > 0 && (op == WADD || op == WSUB) && passing;
    assign last_cycle = j == (LIMB_BITS + 1)'(K + 2) && (!wide_pass || upper);
    assign pass_ends  = passing && last_cycle && (phase == SINGLE || phase == GIVE);
    assign idle       = (!passing || pass_ends) && (!multiplying || product_ends);
    generate
        if (BESIDE) begin : g_beside
            logic [AGE_BITS-1:0] age;   // the cycles since the issue of the product
            logic open, reads_second, reads_third, touches;
            always_ff @(posedge clk) begin
                if (starts) begin
                    product_to    <= first;
                    product_left  <= second;
                    product_right <= opcode == SQR ? second : third;
                end
                age  <= starts ? AGE_BITS'(1) : age + 1'b1;
                open <= !starts && age >= AGE_BITS'(OPENS - 1) && age < AGE_BITS'(LAST_OPEN);
            end
            assign reads_third  = opcode == ADD || opcode == SUB;
            assign reads_second = reads_third || opcode == NEG || opcode == COPY || opcode == HALVE || opcode == ISZERO;
            assign touches      = first == product_to || (reads_second && second == product_to) || (reads_third && third == product_to);
            assign ready        = idle || ((!passing || pass_ends) && open && !touches && !multiplies && opcode != INV);
        end else begin : g_serial
            assign product_to    = to;
            assign product_left  = left;
            assign product_right = right;
            assign ready         = idle;
        end
    endgenerate

    // ---- the pass: its operands, its result, and its mode
    logic [REGISTER_BITS-1:0] pass_a, pass_b, pass_d;
    logic from_memory, to_memory;
    mode_t pass_mode;
    logic [1:0] pass_table;
    logic [REGISTER_BITS-1:0] reg_x, reg_y;
    assign reg_x = reserved(swapped ? Y : X);
    assign reg_y = reserved(swapped ? X : Y);
    always_comb begin
        pass_a      = left;
        pass_b      = right;
        pass_d      = to;
        pass_mode   = COPIES;
        pass_table  = TABLE_P;
        from_memory = 1'b0;
        to_memory   = 1'b0;
        unique case (phase)
            SINGLE: begin
                unique case (op)
                    ADD, WADD: pass_mode = ADDS;
                    SUB, WSUB: pass_mode = SUBS;
                    NEG:    pass_mode = NEGS;
                    HALVE:  pass_mode = HALVES;
                    ISZERO: begin
                        pass_mode  = TESTS;
                        pass_table = TABLE_ONE;
                    end
                    LD:     from_memory = 1'b1;
                    ST:     begin
                        pass_a    = to;
                        to_memory = 1'b1;
                    end
                    default: ;
                endcase
            end
            SET_U: pass_d = reserved(U);
            SET_V: begin
                pass_d    = reserved(V);
                pass_mode = FILLS;
            end
            SET_X: begin
                pass_d     = reserved(X);
                pass_mode  = FILLS;
                pass_table = TABLE_START;
            end
            SET_Y: begin
                pass_d    = reserved(Y);
                pass_mode = ZEROS;
            end
            REDUCE_U: begin
                pass_a    = reserved(U + int'(at_u));
                pass_b    = reserved(U + int'(at_v));
                pass_d    = reserved(U + int'(spare));
                pass_mode = STEPS_UV;
            end
            REDUCE_X: begin
                pass_a    = reg_x;
                pass_b    = reg_y;
                pass_d    = exchanges ? reg_y : reg_x;
                pass_mode = !subtracts ? HALVES : exchanges ? Y_LESS_X : X_LESS_Y;
            end
            GIVE: pass_a = reg_y;
        endcase
    end

    // ---- the product: its schedule, with each order delayed to the cycle in which it takes effect
    order_t order;
    logic [LIMB_BITS-1:0] x_limb, result_limb, lower_limb;
    logic [SUM_BITS-1:0] y_address, v_address, load_address;
    logic [G_BITS-1:0] captured, loaded;
    generate
        if (FIVE_STAGE) begin : g_five_stage
            schedule_five_stage #(.N(N), .W(W), .K(K), .G(G), .LIMB_BITS(LIMB_BITS), .SUM_BITS(SUM_BITS)) passes (.clk, .reset,
                .start(starts), .order, .x_limb, .y_address, .v_address, .result_limb, .captured, .loaded, .load_address);
            assign lower_limb = '0;
        end else begin : g_montgomery
            schedule_montgomery #(.K(K), .G(G), .LIMB_BITS(LIMB_BITS), .SUM_BITS(SUM_BITS), .WIDE(WIDE > 0)) passes (.clk, .reset,
                .start(starts), .part, .lower_limb, .order, .x_limb, .y_address, .v_address, .result_limb, .captured, .loaded, .load_address);
        end
    endgenerate

    logic [5:1] store_at, result_at, last_at;
    logic [SUM_BITS-1:0] y_address_1, y_address_2, v_address_at[5:1];
    logic [LIMB_BITS-1:0] result_limb_at[4:1];
    logic load_sum_1;
    logic [W-1:0] a, b, y, z, v, sum_digit, sum_5, factor_limb, factor_digit;
    always_ff @(posedge clk) begin
        store_at       <= {store_at[4:1], order.active && order.store};
        result_at      <= {result_at[4:1], order.active && order.result};
        last_at        <= {last_at[4:1], order.active && order.last};
        y_address_1    <= y_address;
        y_address_2    <= y_address_1;
        v_address_at   <= '{v_address_at[4], v_address_at[3], v_address_at[2], v_address_at[1], v_address};
        result_limb_at <= '{result_limb_at[3], result_limb_at[2], result_limb_at[1], result_limb};
        load_sum_1     <= order.load_sum;
        sum_5          <= v;
        if (reset) begin
            store_at  <= '0;
            result_at <= '0;
            last_at   <= '0;
        end
    end
    multiplier #(.W(W), .G(G), .WIDE(WIDE > 0)) generators (.clk, .first(order.first), .x_zero(order.x_zero), .y_zero(order.y_zero),
        .capture(order.active && order.capture), .captured, .load(order.load), .load_zero(order.load_zero), .loaded,
        .x(factor_limb), .digit(load_sum_1 ? sum_digit : factor_digit), .y, .z, .v);
    ram #(.WIDTH(W), .DEPTH(1 << SUM_BITS)) sums (.clk, .write_enable(store_at[5]), .write_address(v_address_at[5]),
        .write_data(sum_5), .read_address(y_address_2), .read_data(y));
    generate
        if (FIVE_STAGE) begin : g_digits_of_sums
            ram #(.WIDTH(W), .DEPTH(1 << SUM_BITS)) sums_again (.clk, .write_enable(store_at[5]), .write_address(v_address_at[5]),
                .write_data(sum_5), .read_address(load_address), .read_data(sum_digit));
        end else begin : g_no_digits
            assign sum_digit = '0;
        end
    endgenerate

    // ---- the lower halves of wide values, read at port b for the third cycle of a limb and written in its fourth; and the upper halves
    logic accumulates, complements, reads_lower, reads_upper, writes_lower;
    logic [LIMB_BITS-1:0] lower_read, lower_written;
    logic [REGISTER_BITS-1:0] wide_read;
    generate
        if (WIDE > 0) begin : g_wide
            logic [4:1] lower_at;
            logic [3:1] adds_at;
            logic [LIMB_BITS-1:0] lower_limb_at[4:1];
            assign accumulates   = op == WMAC || op == WMSC || op == WRED;
            assign complements   = op == WMSC;
            assign reads_lower   = adds_at[2] && accumulates;
            assign reads_upper   = result_at[3] && accumulates;
            assign writes_lower  = lower_at[4];
            assign lower_read    = reads_upper ? result_limb_at[3] : lower_limb_at[2];
            assign lower_written = lower_limb_at[4];
            assign wide_read     = (op == WRED ? left : to) | REGISTER_BITS'(reads_upper);
            assign z             = adds_at[3] && accumulates ? b ^ {W{complements}} : '0;
            always_ff @(posedge clk) begin
                lower_at      <= {lower_at[3:1], order.active && order.lower};
                adds_at       <= {adds_at[2:1], order.active && order.adds};
                lower_limb_at <= '{lower_limb_at[3], lower_limb_at[2], lower_limb_at[1], lower_limb};
                if (reset) lower_at <= '0;
            end
        end else begin : g_not_wide
            assign {accumulates, complements, reads_lower, reads_upper, writes_lower} = '0;
            assign {lower_read, lower_written, wide_read, z} = '0;
        end
    endgenerate

    // ---- the sources of the operands of a product
    logic [REGISTER_BITS-1:0] factor_a, factor_b;
    logic [LIMB_BITS-1:0] factor_a_limb, factor_b_limb;
    logic product_reads;   // the registers are read for the product
    generate
        if (BESIDE) begin : g_operands
            // the host writes one of these registers above those of programs: p, the factor, the complement
            logic host_constant_register;
            logic [REGISTER_BITS-1:0] host_which;
            assign host_which             = host_place[REGISTER_BITS-1:0] - reserved(P);
            assign host_constant_register = host_place[REGISTER_BITS-1:0] >= reserved(P) && host_which <= REGISTER_BITS'(COMPLEMENT);
            assign factor_a = product_left;
            product_operands #(.W(W), .K(K), .LIMB_BITS(LIMB_BITS)) operands (.clk, .reset, .start(starts), .order, .x_limb,
                .load_limb(load_address[LIMB_BITS-1:0]), .reads(product_reads), .a_limb(factor_a_limb), .b_limb(factor_b_limb), .a, .b,
                .x(factor_limb), .digit(factor_digit), .host_write(host_register && host_constant_register),
                .host_stream(stream_t'(host_which[1:0] + 2'd1)), .host_limb, .host_data);
        end else begin : g_registers
            always_comb begin
                unique case (order.stream)
                    FACTOR_A: factor_a = product_left;
                    MODULUS:  factor_a = reserved(P);
                    CONSTANT: factor_a = reserved(FACTOR);
                    default:  factor_a = reserved(COMPLEMENT);
                endcase
            end
            assign product_reads = multiplying;
            assign factor_a_limb = x_limb;
            assign factor_b_limb = reads_lower || reads_upper ? lower_read : load_address[LIMB_BITS-1:0];
            assign factor_limb   = a;
            assign factor_digit  = b;
        end
    endgenerate
    assign factor_b = reads_lower || reads_upper ? wide_read : WIDE > 0 && op == WRED ? left : product_right;

    // ---- integer datapath
    logic valid_1, first_1, last_1, memory_1, lower_1, lower_2, upper_1, upper_2;   // lower, upper: in this half of a wide value
    logic [LIMB_BITS-1:0] limb_1;
    logic write, decide, slot, odd, negative;
    logic [LIMB_BITS-1:0] limb;
    logic [W-1:0] slot_0, slot_1, constant, memory_data;
    mode_t mode;
    logic [1:0] table_1;
    logic from_product, closes, product_writes;
    assign from_product   = result_at[4];
    // the constants are read for stage 1, and the mode is that of stage 2, in which a half may still write its last limb
    assign closes         = BESIDE ? from_product : multiplying;
    assign product_writes = BESIDE ? result_at[5] : multiplying;
    assign mode           = !product_writes ? pass_mode : WIDE == 0 ? CLOSES : !accumulates ? CLOSES_WIDE : complements ? TAKES : ADDS;
    assign table_1        = closes ? TABLE_P : pass_table;
    always_ff @(posedge clk) begin
        valid_1  <= passing && (j < (LIMB_BITS + 1)'(K) || (wide_pass && !upper));
        first_1  <= j == 0;
        last_1   <= j == (LIMB_BITS + 1)'(K - 1) && (!wide_pass || upper);
        limb_1   <= j[LIMB_BITS-1:0];
        lower_1  <= wide_pass && !upper;
        upper_1  <= upper;
        lower_2  <= lower_1;
        upper_2  <= upper_1;
        if (reset) valid_1 <= 1'b0;
    end
    assign memory_1 = from_memory;
    logic [LIMB_BITS-1:0] limb_s;
    assign limb_s = from_product ? result_limb_at[4] : limb_1;
    integer_datapath #(.W(W), .LIMB_BITS(LIMB_BITS), .WIDE(WIDE > 0)) datapath (.clk, .reset, .mode, .valid_1(valid_1 || from_product),
        .first_1(from_product ? result_limb_at[4] == 0 : first_1), .goes_on_1(upper_1 && !from_product), .last_1(from_product ? last_at[4] : last_1), .limb_1(limb_s),
        .a(memory_1 ? memory_data : a), .b, .from_product, .product(v), .p(constant), .write, .limb, .slot_0, .slot_1, .decide,
        .slot, .odd, .negative);
    ram #(.WIDTH(W), .DEPTH(4 << LIMB_BITS)) constants (.clk, .write_enable(host_constant),
        .write_address({host_place[1:0], host_limb}), .write_data(host_data), .read_address({table_1, limb_s}),
        .read_data(constant));
    // the last limb of a product is written in the cycle in which its value is decided
    assign product_ends = product_writes && decide;

    // ---- registers and data memory
    logic [REGISTER_BITS-1:0] read_a, read_b, write_d;
    logic [LIMB_BITS-1:0] read_a_limb, read_b_limb;
    logic stores, to_data, writes_wide;
    assign writes_wide = op inside {WMUL, WMAC, WMSC};
    assign read_a      = product_reads ? factor_a : pass_a | REGISTER_BITS'(upper);
    assign read_b      = product_reads ? factor_b : pass_b | REGISTER_BITS'(upper);
    assign read_a_limb = product_reads ? factor_a_limb : j[LIMB_BITS-1:0];
    assign read_b_limb = product_reads ? factor_b_limb : j[LIMB_BITS-1:0];
    // writes_lower: the lower half of a product is written; otherwise its upper half
    assign write_d     = writes_lower ? to : product_writes ? product_to | REGISTER_BITS'(WIDE > 0 && writes_wide) : pass_d | REGISTER_BITS'(upper_2);
    assign to_data     = to_memory && !product_writes;
    assign stores      = write && to_data;

    register_file #(.W(W), .REGISTERS(ALL), .LIMBS(1 << LIMB_BITS)) registers (.clk, .register_a(read_a), .limb_a(read_a_limb), .a,
        .register_b(read_b), .limb_b(read_b_limb), .b, .write(host_register || writes_lower || (write && !to_data)),
        .destination(host_register ? host_place[REGISTER_BITS-1:0] : write_d),
        .limb(host_register ? host_limb : writes_lower ? lower_written : limb),
        .slot_0(host_register ? host_data : writes_lower ? v ^ {W{complements}} : slot_0), .slot_1,
        .decide(host_register || writes_lower || lower_2 || (decide && !to_data)),
        .slot(!host_register && !writes_lower && !lower_2 && slot));
    ram #(.WIDTH(W), .DEPTH(PLACES << LIMB_BITS)) data_memory (.clk, .write_enable(host_memory || stores),
        .write_address(stores ? {place, limb} : {host_place[ADDRESS_BITS-1:0], host_limb}),
        .write_data(stores ? slot_0 : host_data),
        .read_address(passing ? {place, j[LIMB_BITS-1:0]} : {host_place[ADDRESS_BITS-1:0], host_limb}),
        .read_data(memory_data));
    assign host_read = memory_data;

    // ---- control
    always_ff @(posedge clk) begin
        j <= j + 1'b1;
        if (passing && decide && phase == REDUCE_U) begin
            subtracts <= odd;
            exchanges <= odd && negative;
        end
        if (wide_pass && !upper && j == (LIMB_BITS + 1)'(STEPS * G - 1)) begin
            j     <= '0;
            upper <= 1'b1;
        end
        if (passing && last_cycle) begin
            j <= '0;
            upper <= 1'b0;
            unique case (phase)
                SET_U:    phase <= SET_V;
                SET_V:    phase <= SET_X;
                SET_X:    phase <= SET_Y;
                SET_Y:    phase <= REDUCE_U;
                REDUCE_U: begin
                    phase <= REDUCE_X;
                    at_u  <= spare;
                    at_v  <= exchanges ? at_u : at_v;
                    spare <= exchanges ? at_v : at_u;
                end
                REDUCE_X: begin
                    phase   <= round == ROUND_BITS'(ROUNDS - 1) ? GIVE : REDUCE_U;
                    round   <= round + 1'b1;
                    swapped <= swapped ^ exchanges;
                end
                default: ;
            endcase
        end
        if (pass_ends) passing <= 1'b0;
        if (product_ends) multiplying <= 1'b0;
        if (starts) multiplying <= 1'b1;
        if (issue && !(BESIDE && multiplies)) begin
            op      <= opcode;
            to      <= first_wide ? lower_half(first) : first;
            left    <= second_wide ? lower_half(second) : second;
            right   <= opcode == SQR ? second : adds_wide ? lower_half(third) : third;
            place   <= address;
            j       <= '0;
            passing <= !multiplies;
            phase   <= opcode == INV ? SET_U : SINGLE;
            round   <= '0;
            at_u    <= 2'd0;
            at_v    <= 2'd1;
            spare   <= 2'd2;
            swapped <= 1'b0;
        end
        if (reset) begin
            passing     <= 1'b0;
            multiplying <= 1'b0;
            upper       <= 1'b0;
        end
    end
endmodule
