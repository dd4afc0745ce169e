// Distributes the symbols of a block among the lanes of the encoder array. A beat has the symbols of one slot
// (slot_sequencer), the symbol of lane l at place l; a slot without symbols has no beat. Each lane has a queue of DEPTH
// slots, so that a lane whose packer stalls does not hold up the others at once. The slots that end sub-streams are made
// here. Beats of a raw block go to `raw`.
module lane_distributor #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    parameter int CLASSES = 1,
    parameter int DEPTH = 4,
    localparam int SUB_BITS = $clog2(LANES * STREAMS + 1),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic block_valid,
    output logic block_ready,
    input logic block_raw,
    input logic [31:0] block_values,
    input logic [SUB_BITS-1:0] block_sub_streams,
    input logic in_valid,
    output logic in_ready,
    input logic [32*LANES-1:0] in_symbols,
    input logic [CLASS_BITS*LANES-1:0] in_classes,
    // To lane l, at place l.
    output logic [LANES-1:0] lane_valid,
    input logic [LANES-1:0] lane_ready,
    output logic [STREAM_BITS*LANES-1:0] lane_stream,
    output logic [LANES-1:0] lane_first,
    output logic [LANES-1:0] lane_finish,
    output logic [CLASS_BITS*LANES-1:0] lane_class,
    output logic [32*LANES-1:0] lane_symbol,
    output logic [SUB_BITS-1:0] count,  // symbols of the slot
    output logic raw_valid,
    input logic raw_ready,
    output logic raw_last
);
    logic busy, raw, advance, first, room, has_beat;
    logic [STREAM_BITS-1:0] stream;
    logic [SUB_BITS-1:0] active, previous;
    logic last_symbols, last;
    slot_sequencer #(
        .LANES(LANES),
        .STREAMS(STREAMS)
    ) slots (
        .clk,
        .rst,
        .start_valid(block_valid),
        .start_ready(block_ready),
        .start_values(block_values),
        .start_sub_streams(block_sub_streams),
        .start_finish(!block_raw),
        .busy,
        .advance,
        .stream,
        .first,
        .active,
        .previous,
        .count,
        .last_symbols,
        .last
    );
    always_ff @(posedge clk) if (block_valid && block_ready) raw <= block_raw;

    logic [LANES-1:0] queue_ready;
    assign has_beat = count != 0;
    assign room = raw ? raw_ready || !has_beat : &queue_ready;
    assign in_ready = busy && has_beat && room;
    assign advance = busy && room && (in_valid || !has_beat);
    assign raw_valid = busy && raw && has_beat && in_valid;
    assign raw_last = last_symbols;

    localparam int ENTRY_BITS = 32 + CLASS_BITS + STREAM_BITS + 2;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        logic [SUB_BITS-1:0] sub_stream;
        logic codes, finishes;
        assign sub_stream = SUB_BITS'(LANES * 32'(stream) + l);
        assign codes = sub_stream < active;
        assign finishes = !codes && sub_stream < previous;
        register_fifo #(
            .BITS(ENTRY_BITS),
            .DEPTH(DEPTH)
        ) queue (
            .clk,
            .rst,
            .in_valid(advance && !raw && (codes || finishes)),
            .in_ready(queue_ready[l]),
            .in_data({finishes, first, stream, in_classes[CLASS_BITS*l+:CLASS_BITS], in_symbols[32*l+:32]}),
            .out_valid(lane_valid[l]),
            .out_ready(lane_ready[l]),
            .out_data({
                lane_finish[l],
                lane_first[l],
                lane_stream[STREAM_BITS*l+:STREAM_BITS],
                lane_class[CLASS_BITS*l+:CLASS_BITS],
                lane_symbol[32*l+:32]
            })
        );
    end
    logic unused;
    assign unused = &{1'b0, last};
endmodule
