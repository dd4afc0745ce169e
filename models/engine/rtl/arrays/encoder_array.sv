// The encoder array: symbols of blocks in, blocks as they travel out. LANES lanes code a block into one half of their
// buffers while the packer empties the other.
//
// A block is announced with its header and division; then come its symbols, a beat a slot (lane_distributor). Without stalls
// of packers it takes STREAMS * (block_slots + 1) cycles: a symbol of each sub-stream a round, and a round to end the
// streams. Beats of a raw block (mode 0 of its header) go past the lanes, so do those of a bare one (mode 3), which
// travels without a header. A block of mode 2 brings the table of class 0.
//
// Tables and width stay as they are while a block is in the array.
module encoder_array #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // of the rows of tables; 0: magnitude, 1: ranges
    parameter int ROWS = 16,  // rows of 64 bytes of each stream of a buffer: a power of two
    parameter int DEPTH = 4,  // of the queue before a lane
    parameter int WIRE_STAGES = 0,  // registers between the lanes and the packer: the first beat comes as much later
    localparam int SUB_STREAMS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUB_STREAMS + 1),
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,  // of symbols
    input logic [5:0] table_width,  // of the widest symbol that the tables can code
    input logic table_write_valid,  // see table_registers
    input logic [CLASS_BITS-1:0] table_write_class,
    input logic [4:0] table_write_entry,
    input logic [10:0] table_write_count,
    input logic [31:0] table_write_first,  // layout ranges
    input logic [5:0] table_write_offset_bits,
    input logic block_valid,
    output logic block_ready,
    input logic [95:0] block_header,  // all but its bytes: mode, epoch, check, timestep, chunk, values; byte k at bit 8k
    input logic [SUB_BITS-1:0] block_sub_streams,  // Framing::sub_streams_for(values)
    input logic [14:0] block_slots,  // ceil(values / sub-streams)
    input logic in_valid,
    output logic in_ready,
    input logic [32*LANES-1:0] in_symbols,
    input logic [CLASS_BITS*LANES-1:0] in_classes,
    output logic [SUB_BITS-1:0] in_count,  // symbols in the beat that is taken, from place 0 on
    output logic refused,  // for a cycle: the next block in order leaves no byte, see block_packer
    output logic [511:0] tdata,
    output logic [63:0] tkeep,
    output logic tvalid,
    input logic tready,
    output logic tlast
);
    localparam int ROWS_OF_TABLE = 16;
    logic [CLASSES*(ROWS_OF_TABLE+1)*11-1:0] cumulative;
    logic [CLASSES*ROWS_OF_TABLE*32-1:0] first_pattern;
    logic [CLASSES*ROWS_OF_TABLE*6-1:0] offset_bits;
    table_bank #(
        .CLASSES(CLASSES),
        .LAYOUT(LAYOUT)
    ) tables (
        .clk,
        .table_width,
        .write_valid(table_write_valid),
        .write_class(table_write_class),
        .write_entry(table_write_entry),
        .write_count(table_write_count),
        .write_first(table_write_first),
        .write_offset_bits(table_write_offset_bits),
        .cumulative,
        .first_pattern,
        .offset_bits
    );
    localparam int TABLE_BITS = LAYOUT == 0 ? 160 : 672;
    logic [TABLE_BITS-1:0] table_data;
    logic [6:0] table_bytes;
    inline_table_fields #(
        .LAYOUT(LAYOUT)
    ) own_table (
        .width,
        .cumulative(cumulative[0+:(ROWS_OF_TABLE+1)*11]),
        .first_pattern(first_pattern[0+:ROWS_OF_TABLE*32]),
        .data(table_data),
        .bytes(table_bytes)
    );

    // A block enters distributor and queue at once.
    logic slots_ready, queue_ready, is_raw;
    assign is_raw = block_header[7:0] == 8'd0 || block_header[7:0] == 8'd3;
    assign block_ready = slots_ready && queue_ready;
    logic [LANES-1:0] lane_valid, lane_ready, lane_first, lane_finish;
    logic [STREAM_BITS*LANES-1:0] lane_stream;
    logic [CLASS_BITS*LANES-1:0] lane_class;
    logic [32*LANES-1:0] lane_symbol;
    logic raw_beat_valid, raw_beat_ready, raw_beat_last;
    lane_distributor #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .CLASSES(CLASSES),
        .DEPTH(DEPTH)
    ) distributor (
        .clk,
        .rst,
        .block_valid(block_valid && queue_ready),
        .block_ready(slots_ready),
        .block_raw(is_raw),
        .block_values(block_header[95:64]),
        .block_sub_streams,
        .in_valid,
        .in_ready,
        .in_symbols,
        .in_classes,
        .lane_valid,
        .lane_ready,
        .lane_stream,
        .lane_first,
        .lane_finish,
        .lane_class,
        .lane_symbol,
        .raw_valid(raw_beat_valid),
        .raw_ready(raw_beat_ready),
        .count(in_count),
        .raw_last(raw_beat_last)
    );

    // Two blocks: as many as a lane's buffer holds.
    logic next_valid, next_ready;
    logic [95:0] next_header;
    logic [SUB_BITS-1:0] next_sub_streams;
    logic [14:0] next_slots;
    register_fifo #(
        .BITS(96 + SUB_BITS + 15),
        .DEPTH(2)
    ) queue (
        .clk,
        .rst,
        .in_valid(block_valid && slots_ready),
        .in_ready(queue_ready),
        .in_data({block_header, block_sub_streams, block_slots}),
        .out_valid(next_valid),
        .out_ready(next_ready),
        .out_data({next_header, next_sub_streams, next_slots})
    );

    logic [2*LANES-1:0] full, full_later;
    logic [1:0] empty;
    logic buffer, read_enable;
    logic [STREAM_BITS-1:0] read_stream;
    logic [ROW_BITS-1:0] read_symbol_row, read_offset_row;
    logic [19*SUB_STREAMS-1:0] symbol_lengths, offset_lengths;
    logic [SUB_STREAMS-1:0] overflow;
    logic [512*LANES-1:0] read_symbols, read_offsets;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        // Slots of a stream are STREAMS apart, whatever comes between: a slot waits for its turn.
        logic [STREAM_BITS-1:0] turn;
        logic ready, goes;
        if (STREAMS > 1) begin : g_turn
            always_ff @(posedge clk)
                if (rst) turn <= '0;
                else if (ready) turn <= turn + 1'b1;
        end else begin : g_one
            assign turn = '0;
        end
        assign goes = lane_stream[STREAM_BITS*l+:STREAM_BITS] == turn;
        assign lane_ready[l] = ready && goes;
        logic [1:0] symbol_words;
        logic [63:0] symbol_data;
        logic [STREAM_BITS-1:0] symbol_stream, offset_stream;
        logic symbol_finish, offset_word, offset_finish;
        logic [17:0] symbol_bits;
        logic [31:0] offset_data;
        logic [18:0] offset_stream_bits;
        asc_encoder_lane #(
            .STREAMS(STREAMS),
            .CLASSES(CLASSES),
            .LAYOUT(LAYOUT)
        ) lane (
            .clk,
            .rst,
            .width(table_width),
            .cumulative,
            .first_pattern,
            .offset_bits,
            .in_valid(lane_valid[l] && goes),
            .in_ready(ready),
            .in_stream(lane_stream[STREAM_BITS*l+:STREAM_BITS]),
            .in_first(lane_first[l]),
            .in_finish(lane_finish[l]),
            .in_class(lane_class[CLASS_BITS*l+:CLASS_BITS]),
            .in_symbol(lane_symbol[32*l+:32]),
            .symbol_words,
            .symbol_data,
            .symbol_stream,
            .symbol_finish,
            .symbol_bits,
            .offset_word,
            .offset_data,
            .offset_stream,
            .offset_finish,
            .offset_stream_bits
        );
        logic [19*STREAMS-1:0] lane_symbol_lengths, lane_offset_lengths;
        logic [STREAMS-1:0] lane_overflow;
        lane_buffer #(
            .STREAMS(STREAMS),
            .ROWS(ROWS)
        ) store (
            .clk,
            .rst,
            .symbol_words,
            .symbol_data,
            .symbol_stream,
            .symbol_finish,
            .symbol_bits,
            .offset_word,
            .offset_data,
            .offset_stream,
            .offset_finish,
            .offset_stream_bits,
            .full(full[2*l+:2]),
            .empty,
            .buffer,
            .symbol_lengths(lane_symbol_lengths),
            .offset_lengths(lane_offset_lengths),
            .overflow(lane_overflow),
            .read_enable,
            .read_stream,
            .read_symbol_row,
            .read_offset_row,
            .read_symbols(read_symbols[512*l+:512]),
            .read_offsets(read_offsets[512*l+:512])
        );
        for (genvar t = 0; t < STREAMS; t = t + 1) begin : g_stream
            assign symbol_lengths[19*(t*LANES+l)+:19] = lane_symbol_lengths[19*t+:19];
            assign offset_lengths[19*(t*LANES+l)+:19] = lane_offset_lengths[19*t+:19];
            assign overflow[t*LANES+l] = lane_overflow[t];
        end
    end
    if (WIRE_STAGES > 0) begin : g_wire
        logic [WIRE_STAGES*2*LANES-1:0] wires;
        always_ff @(posedge clk)
            if (rst) wires <= '0;
            // What the packer has emptied must not look full because of what is still on the wires.
            else wires <= (WIRE_STAGES * 2 * LANES)'({wires, full}) & ~{(WIRE_STAGES * LANES) {empty}};
        assign full_later = wires[(WIRE_STAGES-1)*2*LANES+:2*LANES];
    end else begin : g_no_wire
        assign full_later = full;
    end

    logic raw_valid, raw_ready, raw_last;
    logic [511:0] raw_data;
    logic [6:0] raw_bytes;
    raw_packer #(
        .LANES(LANES),
        .STREAMS(STREAMS)
    ) raw (
        .clk,
        .rst,
        .width,
        .in_valid(raw_beat_valid),
        .in_ready(raw_beat_ready),
        .in_count,
        .in_last(raw_beat_last),
        .in_symbols,
        .out_valid(raw_valid),
        .out_ready(raw_ready),
        .out_data(raw_data),
        .out_bytes(raw_bytes),
        .out_last(raw_last)
    );
    block_packer #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .TABLE_BITS(TABLE_BITS),
        .ROWS(ROWS)
    ) packer (
        .clk,
        .rst,
        .width,
        .block_valid(next_valid),
        .block_ready(next_ready),
        .block_header(next_header),
        .block_sub_streams(next_sub_streams),
        .block_slots(next_slots),
        .table_data,
        .table_bytes,
        .full(full_later),
        .empty,
        .buffer,
        .symbol_lengths,
        .offset_lengths,
        .overflow,
        .read_enable,
        .read_stream,
        .read_symbol_row,
        .read_offset_row,
        .read_symbols,
        .read_offsets,
        .raw_valid,
        .raw_ready,
        .raw_data,
        .raw_bytes,
        .raw_last,
        .refused,
        .tdata,
        .tkeep,
        .tvalid,
        .tready,
        .tlast
    );
endmodule
