// The slots of a block: STREAMS of them are a round, in which each sub-stream gets its next symbol. Slot t of a round is
// that of the sub-streams t * LANES and the LANES - 1 behind it, one for each lane; those below `active` have a symbol in
// this round. A block of v symbols on m sub-streams has ceil(v / m) rounds; with `start_finish` another follows, in which
// the last sub-streams end.
module slot_sequencer #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    localparam int SUB_STREAMS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUB_STREAMS + 1),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic start_valid,
    output logic start_ready,  // also in the cycle of the last slot of the block before
    input logic [31:0] start_values,  // at least 1
    input logic [SUB_BITS-1:0] start_sub_streams,  // at least 1
    input logic start_finish,
    output logic busy,
    input logic advance,  // to the next slot
    output logic [STREAM_BITS-1:0] stream,
    output logic first,  // round of the block
    output logic [SUB_BITS-1:0] active,
    output logic [SUB_BITS-1:0] previous,  // what `active` was in the round before; in the first, all
    output logic [SUB_BITS-1:0] count,  // of `active`, those of this slot
    output logic last_symbols,  // no later slot has symbols
    output logic last
);
    logic [31:0] left;  // symbols of this round and later ones
    logic [SUB_BITS-1:0] sub_streams, slot_begin, slot_end;
    logic finish, round_ends;
    assign active = left < 32'(sub_streams) ? left[SUB_BITS-1:0] : sub_streams;
    assign round_ends = 32'(stream) == STREAMS - 1;
    assign slot_begin = SUB_BITS'(LANES * 32'(stream));
    assign slot_end = SUB_BITS'(LANES * 32'(stream) + LANES);
    always_comb begin
        count = SUB_BITS'(LANES);
        if (active <= slot_begin) count = '0;
        else if (active < slot_end) count = active - slot_begin;
    end
    assign last_symbols = left <= 32'(sub_streams) && active <= slot_end;
    assign last = busy && round_ends && (finish ? left == 0 : left <= 32'(sub_streams));
    assign start_ready = !busy || (advance && last);
    always_ff @(posedge clk)
        if (rst) busy <= 1'b0;
        else begin
            if (busy && advance) begin
                stream <= round_ends ? '0 : stream + 1'b1;
                if (round_ends) begin
                    left <= left - 32'(active);
                    previous <= active;
                    first <= 1'b0;
                    if (last) busy <= 1'b0;
                end
            end
            if (start_valid && start_ready) begin
                busy <= 1'b1;
                stream <= '0;
                first <= 1'b1;
                left <= start_values;
                sub_streams <= start_sub_streams;
                previous <= SUB_BITS'(SUB_STREAMS);
                finish <= start_finish;
            end
        end
endmodule
