// Hands the words of one stream to the lanes of a rANS decoder: in a cycle lane l takes the word behind those that the lanes
// before it take. Words come in beats and are held in registers, of which a cycle takes as many from the front as lanes ask
// for.
module rans_word_distributor #(
    parameter int LANES = 4,
    parameter int BEAT_WORDS = 32,
    localparam int HELD = LANES + 2 * BEAT_WORDS,
    localparam int COUNT_BITS = $clog2(HELD + 1),
    localparam int TAKE_BITS = $clog2(LANES + 1),
    localparam int BEAT_BITS = $clog2(BEAT_WORDS + 1)
) (
    input logic clk,
    input logic rst,  // also before another stream
    input logic in_valid,
    output logic in_ready,
    input logic [16*BEAT_WORDS-1:0] in_words,
    input logic [BEAT_BITS-1:0] in_count,  // words in the beat, from place 0 on
    input logic in_last,  // of the stream
    output logic ready,  // lanes may take: there are words for all of them, or all that are left
    input logic [LANES-1:0] take,
    output logic [16*LANES-1:0] words,  // for each lane
    output logic missing  // for a cycle: more was taken than there was
);
    logic [16*HELD-1:0] held, rest;
    logic [COUNT_BITS-1:0] count, left;
    logic ended;
    // Words that are taken by the lanes up to each lane, in a tree: before step k each group of 2^k lanes has its own sums.
    localparam int LEVELS = LANES > 1 ? $clog2(LANES) : 0;
    // A lane has no more bits than its place needs.
    // verilator lint_off UNUSEDSIGNAL
    logic [LANES*TAKE_BITS-1:0] sums;
    // verilator lint_on UNUSEDSIGNAL
    always_comb begin
        for (int l = 0; l < LANES; l = l + 1) sums[TAKE_BITS*l+:TAKE_BITS] = TAKE_BITS'(take[l]);
        for (int k = 0; k < LEVELS; k = k + 1)
            for (int l = 0; l < LANES; l = l + 1)
                if (((l >> k) & 1) != 0)
                    sums[TAKE_BITS*l+:TAKE_BITS] = sums[TAKE_BITS*l+:TAKE_BITS] + sums[TAKE_BITS*((l>>k<<k)-1)+:TAKE_BITS];
    end
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        if (l == 0) begin : g_first
            assign words[0+:16] = held[0+:16];
        end else begin : g_other
            localparam int PLACE_BITS = $clog2(l + 1);
            word_mux #(
                .WORDS(l + 1)
            ) mux (
                .words(held[0+:16*(l+1)]),
                .place(sums[TAKE_BITS*(l-1)+:PLACE_BITS]),
                .word(words[16*l+:16])
            );
        end
    end
    logic [TAKE_BITS-1:0] taken;
    assign taken = sums[TAKE_BITS*(LANES-1)+:TAKE_BITS];
    assign ready = ended || 32'(count) >= LANES;
    assign in_ready = !ended && 32'(count) + BEAT_WORDS <= HELD;
    assign rest = held >> {taken, 4'd0};
    assign left = 32'(taken) > 32'(count) ? '0 : count - COUNT_BITS'(taken);
    always_ff @(posedge clk)
        if (rst) begin
            held <= '0;
            count <= '0;
            ended <= 1'b0;
            missing <= 1'b0;
        end else begin
            missing <= 32'(taken) > 32'(count);
            if (in_valid && in_ready) begin
                held <= rest | ((16 * HELD)'(in_words) << {left, 4'd0});
                count <= left + COUNT_BITS'(in_count);
                ended <= in_last;
            end else begin
                held <= rest;
                count <= left;
            end
        end
endmodule
