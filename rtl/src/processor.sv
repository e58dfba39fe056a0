// Many cores behind one stream of jobs. All cores run the same program, so that all jobs take the same time. Cores are served in turn, and
// results leave in the order of their jobs.
//
//                              ┌─► core 0 ─┐
//   s_axis ─► queue ─► deal ───┼─► core 1 ─┼──► collect ─► m_axis
//                              └─► core 2 ─┘
//   host ─► program, constants, addresses of inputs and outputs
//
// A job is a packet: the words of each input in turn, the lowest word first, one per transfer (AXI4-Stream, Arm IHI 0051). Its result is
// the packet with the words of each output. TUSER of a result is 1 if its program ended in a trap, or if its packet had too few or too many
// words. Missing words are those of the previous job, and surplus words are dropped.
//
// The host writes the spaces of core_limbs.sv or core_polynomial.sv to all cores at once. In a cycle in which it writes, no word is dealt
// and none is requested: jobs and results wait. Anything that a program reads must be written while no core runs a program. Further spaces:
//
//   5  the address of an input         place = its number
//   6  the address of an output        place = its number
//   7  the number of ports minus 1     place = 0: inputs, 1: outputs
module processor #(
    parameter int CORES          = 2,
    parameter bit POLYNOMIAL     = 1'b0,
    parameter int N              = 512,  // the parameters of core_limbs
    parameter int W              = 17,
    parameter int G              = 4,
    parameter bit FIVE_STAGE     = 1'b0,
    parameter int WIDE           = 0,
    parameter int M              = 63,   // the parameters of core_polynomial
    parameter int S              = 857,
    parameter int P1             = 6,
    parameter int P2             = 24,
    parameter int P3             = 36,
    parameter int P4             = 36,
    parameter int BITS           = 258,
    parameter int D              = 22,
    parameter bit PIPELINED      = 1'b0,
    parameter bit BESIDE         = 1'b0, // a parameter of both
    parameter int REGISTERS      = 24,
    parameter int PLACES         = 32,
    parameter int INSTRUCTIONS   = 1024,
    parameter int DIGITS         = 512,
    parameter int COUNT_BITS     = 11,
    parameter int PORTS          = 8,    // the maximum number of inputs, and of outputs; a power of two
    parameter int QUEUE          = 512,  // the number of words in the queue; a power of two
    localparam int WORDS         = POLYNOMIAL ? 5 : (N + 2 + W - 1) / W,
    localparam int WIDTH         = POLYNOMIAL ? M + 1 : W,
    localparam int LIMB_BITS     = POLYNOMIAL ? 3 : $clog2(WIDE > 0 && WORDS % G != 0 ? (WORDS + G - 1) / G * G : WORDS + 1),
    localparam int DATA          = (WIDTH + 7) / 8 * 8
) (
    input  logic                 clk,
    input  logic                 reset,
    // host
    input  logic                 host_write,
    input  logic [2:0]           host_space,
    input  logic [19:0]          host_place,
    input  logic [LIMB_BITS-1:0] host_limb,
    input  logic [63:0]          host_data,
    // jobs
    input  logic                 s_axis_tvalid,
    output logic                 s_axis_tready,
    input  logic [DATA-1:0]      s_axis_tdata,
    input  logic                 s_axis_tlast,
    // results
    output logic                 m_axis_tvalid,
    input  logic                 m_axis_tready,
    output logic [DATA-1:0]      m_axis_tdata,
    output logic                 m_axis_tlast,
    output logic                 m_axis_tuser
);
    localparam int CORE_BITS = CORES > 1 ? $clog2(CORES) : 1;
    localparam int PORT_BITS = PORTS > 1 ? $clog2(PORTS) : 1;
    localparam int ADDRESS_BITS = $clog2(PLACES);

    generate
        if ((PORTS & (PORTS - 1)) != 0 || (QUEUE & (QUEUE - 1)) != 0) begin : g_refused
            $error("PORTS and QUEUE are powers of two");
        end
    endgenerate

    function automatic logic [CORE_BITS-1:0] after(input logic [CORE_BITS-1:0] core);
        return core == CORE_BITS'(CORES - 1) ? '0 : core + 1'b1;
    endfunction

    // ---- the addresses of inputs and outputs
    logic [ADDRESS_BITS-1:0] input_address[PORTS], output_address[PORTS];
    logic [PORT_BITS-1:0] last_input, last_output;
    always_ff @(posedge clk) begin
        if (host_write) begin
            if (host_space == 5) input_address[host_place[PORT_BITS-1:0]] <= host_data[ADDRESS_BITS-1:0];
            if (host_space == 6) output_address[host_place[PORT_BITS-1:0]] <= host_data[ADDRESS_BITS-1:0];
            if (host_space == 7 && host_place[0] == 0) last_input <= host_data[PORT_BITS-1:0];
            if (host_space == 7 && host_place[0] == 1) last_output <= host_data[PORT_BITS-1:0];
        end
    end

    // ---- queue
    logic queue_valid, queue_ready, queue_last;
    logic [WIDTH-1:0] queue_data;
    job_queue #(.WIDTH(WIDTH), .WORDS(QUEUE)) queue (.clk, .reset, .in_valid(s_axis_tvalid), .in_ready(s_axis_tready),
        .in_data(s_axis_tdata[WIDTH-1:0]), .in_last(s_axis_tlast), .out_valid(queue_valid), .out_ready(queue_ready),
        .out_data(queue_data), .out_last(queue_last));

    // ---- deal: words go to the data memory of a free core, which starts after the last word
    logic [CORES-1:0] taken, finished, fault, start, done, trap;   // a core is taken until its result has left
    logic [CORE_BITS-1:0] dealt, collected;
    logic [PORT_BITS-1:0] port;
    logic [LIMB_BITS-1:0] word;
    logic complete, takes, last_word;   // complete: all inputs are there, and further words are surplus

    assign queue_ready = !taken[dealt] && !host_write;
    assign takes       = queue_valid && queue_ready;
    assign last_word   = word == LIMB_BITS'(WORDS - 1) && port == last_input;
    always_ff @(posedge clk) begin
        start <= '0;
        for (int i = 0; i < CORES; i++) begin
            if (done[i]) begin
                finished[i] <= 1'b1;
                if (trap[i]) fault[i] <= 1'b1;
            end
        end
        if (takes) begin
            if (word == LIMB_BITS'(WORDS - 1)) begin
                word <= '0;
                port <= port + 1'b1;
            end else word <= word + 1'b1;
            if (last_word) complete <= 1'b1;
            if (queue_last) begin
                word         <= '0;
                port         <= '0;
                complete     <= 1'b0;
                taken[dealt] <= 1'b1;
                fault[dealt] <= complete || !last_word;
                start[dealt] <= 1'b1;
                dealt        <= after(dealt);
            end
        end
        if (m_axis_tvalid && m_axis_tready && m_axis_tlast) begin
            taken[collected]    <= 1'b0;
            finished[collected] <= 1'b0;
            collected           <= after(collected);
        end
        if (reset) begin
            start     <= '0;
            taken     <= '0;
            finished  <= '0;
            fault     <= '0;
            dealt     <= '0;
            collected <= '0;
            word      <= '0;
            port      <= '0;
            complete  <= 1'b0;
        end
    end

    // ---- collect: a word is requested, arrives a cycle later, and waits until the sink takes it
    logic [PORT_BITS-1:0] out_port;
    logic [LIMB_BITS-1:0] out_word;
    logic asked;
    logic [WIDTH-1:0] read[CORES];
    always_ff @(posedge clk) begin
        asked <= finished[collected] && !asked && !m_axis_tvalid && !host_write;
        if (asked) begin
            m_axis_tvalid <= 1'b1;
            m_axis_tdata  <= DATA'(read[collected]);
            m_axis_tuser  <= fault[collected];
            m_axis_tlast  <= out_word == LIMB_BITS'(WORDS - 1) && out_port == last_output;
            out_word      <= out_word + 1'b1;
            if (out_word == LIMB_BITS'(WORDS - 1)) begin
                out_word <= '0;
                out_port <= out_port == last_output ? '0 : out_port + 1'b1;
            end
        end
        if (m_axis_tvalid && m_axis_tready) m_axis_tvalid <= 1'b0;
        if (reset) begin
            m_axis_tvalid <= 1'b0;
            asked         <= 1'b0;
            out_word      <= '0;
            out_port      <= '0;
        end
    end

    // ---- cores
    generate
        for (genvar i = 0; i < CORES; i++) begin : g_core
            logic deals, writes, busy, accept;
            logic [2:0] space;
            logic [19:0] place;
            logic [LIMB_BITS-1:0] limb;
            assign deals  = takes && !complete && dealt == CORE_BITS'(i);
            assign writes = deals || (host_write && host_space < 5);
            assign space  = deals ? 3'd4 : host_space;
            assign place  = deals ? 20'(input_address[port]) : host_write ? host_place : 20'(output_address[out_port]);
            assign limb   = deals ? word : host_write ? host_limb : out_word;
            if (POLYNOMIAL) begin : g_polynomial
                core_polynomial #(.M(M), .S(S), .P1(P1), .P2(P2), .P3(P3), .P4(P4), .BITS(BITS), .D(D), .BESIDE(BESIDE),
                    .PIPELINED(PIPELINED), .REGISTERS(REGISTERS), .PLACES(PLACES), .INSTRUCTIONS(INSTRUCTIONS), .DIGITS(DIGITS),
                    .COUNT_BITS(COUNT_BITS)) core (.clk, .reset, .start(start[i]), .busy, .done(done[i]),
                    .trap(trap[i]), .accept, .host_write(writes), .host_space(space), .host_place(place), .host_limb(limb),
                    .host_data(deals ? 64'(queue_data) : host_data), .host_read(read[i]));
            end else begin : g_limbs
                core_limbs #(.N(N), .W(W), .G(G), .FIVE_STAGE(FIVE_STAGE), .BESIDE(BESIDE), .WIDE(WIDE), .REGISTERS(REGISTERS),
                    .PLACES(PLACES), .INSTRUCTIONS(INSTRUCTIONS), .DIGITS(DIGITS), .COUNT_BITS(COUNT_BITS)) core (.clk, .reset, .start(start[i]),
                    .busy, .done(done[i]), .trap(trap[i]), .accept, .host_write(writes), .host_space(space), .host_place(place),
                    .host_limb(limb), .host_data(deals ? 64'(queue_data) : host_data), .host_read(read[i]));
            end
        end
    endgenerate
endmodule
