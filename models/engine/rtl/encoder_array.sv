// The encoder array: beats of symbols in, blocks as beats of 64 bytes out.
//
// A beat holds the next symbols of a block, one for each lane: sub-stream s of a block belongs to lane s mod LANES, and a
// beat is of the sub-streams r * LANES .. of one r, which goes round (Framing, models/codec/interface/codec.hpp). Behind
// the last beat the array gives each sub-stream a slot for its finish; so the next block may begin as many cycles later.
// Streams go into one half of the lanes' stores while block_packer takes the block before out of the other.
module encoder_array #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,  // of a lane: 1, 2 or 4
    parameter int CLASSES = 1,  // tables: of all classes, and of both messages where two are in the array
    parameter int LAYOUT = 0,
    parameter int STREAM_WORDS = 512,  // of 32 bits, that the longest stream has; a power of two, 16 or more
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int SUBS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUBS + 1),
    localparam int LANE_BITS = LANES > 1 ? $clog2(LANES) : 1,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [CLASSES*6-1:0] width,
    input logic [CLASSES*(ROWS+1)*COUNT_BITS-1:0] cumulative,
    input logic [CLASSES*ROWS*32-1:0] first_pattern,
    input logic [CLASSES*ROWS*6-1:0] offset_bits,
    input logic in_valid,
    output logic in_ready,
    input logic in_first,  // of a block, which has:
    input logic [SUB_BITS-1:0] in_sub_streams,
    input logic [95:0] in_header,  // see block_packer
    input logic [383:0] in_prefix,
    input logic [5:0] in_prefix_bytes,
    input logic [4:0] in_length_bits,
    input logic in_last,
    input logic [LANES-1:0] in_lanes,  // that a symbol is for, from lane 0 on
    input logic [LANES*32-1:0] in_symbols,
    input logic [LANES*CLASS_BITS-1:0] in_classes,
    output logic out_begins,  // a block is coded: its beats follow, one in each cycle in which its packer has 64 bytes
    output logic out_valid,
    input logic out_ready,
    output logic out_last,  // of a block
    output logic [511:0] out_data,
    output logic [6:0] out_bytes
);
    localparam int WORD_BITS = $clog2(STREAM_WORDS);
    localparam int STORE_BITS = WORD_BITS + 1 + STREAM_BITS;  // address: half, stream, word

    // The block that comes in.
    logic half;  // of the stores
    logic [1:0] occupied;  // halves
    logic [SUB_BITS-1:0] sub_streams, sub_streams_now;
    logic [STREAM_BITS-1:0] round;  // whose sub-streams come next
    logic first_round, finishing;
    assign sub_streams_now = in_valid && in_first && !finishing ? in_sub_streams : sub_streams;
    logic [LANES-1:0] lane_ready, slot_lanes;
    logic [SUB_BITS-1:0] round_first;  // sub-stream of the round
    logic slot_valid, last_of_round, free;
    assign round_first = SUB_BITS'(32'(round) * LANES);
    assign last_of_round = 32'(round_first) + LANES >= 32'(sub_streams_now);
    assign free = !(in_first && occupied[half]);
    assign in_ready = !finishing && (&lane_ready) && free;
    assign slot_valid = (&lane_ready) && (finishing || (in_valid && free));
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_slot
        assign slot_lanes[l] = finishing ? 32'(round_first) + l < 32'(sub_streams) : in_lanes[l];
    end
    logic first_slots;
    assign first_slots = !finishing && (in_first || first_round);
    logic packed_half, packing_done;
    always_ff @(posedge clk)
        if (rst) begin
            half <= 1'b0;
            occupied <= 2'b00;
            round <= '0;
            first_round <= 1'b0;
            finishing <= 1'b0;
        end else begin
            if (packing_done) occupied[packed_half] <= 1'b0;
            if (slot_valid) begin
                round <= last_of_round ? '0 : round + 1'b1;
                if (finishing) begin
                    if (last_of_round) begin
                        finishing <= 1'b0;
                        half <= !half;
                    end
                end else begin
                    if (in_first) begin
                        occupied[half] <= 1'b1;
                        sub_streams <= in_sub_streams;
                    end
                    first_round <= (in_first || first_round) && !last_of_round;
                    if (in_last) begin
                        finishing <= 1'b1;
                        round <= '0;
                    end
                end
            end
        end

    // What the packer needs of each half.
    logic [2*96-1:0] headers;
    logic [2*384-1:0] prefixes;
    logic [2*6-1:0] prefix_sizes;
    logic [2*SUB_BITS-1:0] counts;
    logic [2*5-1:0] length_sizes;
    logic [2*SUBS*18-1:0] symbol_lengths;
    logic [2*SUBS*19-1:0] offset_lengths;
    logic [2*SUBS-1:0] symbols_done, offsets_done;
    always_ff @(posedge clk)
        if (slot_valid && !finishing && in_first) begin
            headers[96*half+:96] <= in_header;
            prefixes[384*half+:384] <= in_prefix;
            prefix_sizes[6*half+:6] <= in_prefix_bytes;
            counts[SUB_BITS*half+:SUB_BITS] <= in_sub_streams;
            length_sizes[5*half+:5] <= in_length_bits;
        end

    // Lanes with their queues and stores.
    logic [LANES-1:0] word_finish, offset_finish, finish_tag, offset_tag;
    logic [LANES*STREAM_BITS-1:0] finish_stream, offset_stream;
    logic [LANES*18-1:0] finish_bits;
    logic [LANES*19-1:0] offset_length;
    logic read_enable;
    logic [LANE_BITS-1:0] read_lane, data_lane;
    logic [STREAM_BITS-1:0] read_stream;
    logic [WORD_BITS-5:0] read_symbol_row, read_offset_row;
    logic [LANES*512-1:0] symbol_rows, offset_rows;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        localparam int REST = 3 + CLASS_BITS + 32;
        logic slot, slot_ready, first, finish, tag;
        logic [STREAM_BITS-1:0] stream;
        logic [CLASS_BITS-1:0] class_index;
        logic [31:0] symbol;
        lane_queue #(
            .STREAMS(STREAMS),
            .BITS(REST)
        ) queue (
            .clk,
            .rst,
            .in_valid(slot_valid && slot_lanes[l]),
            .in_ready(lane_ready[l]),
            .in_stream(round),
            .in_begins(!finishing && in_first),
            .in_rest({
                first_slots, finishing, half, in_classes[CLASS_BITS*l+:CLASS_BITS], in_symbols[32*l+:32]
            }),
            .out_valid(slot),
            .out_ready(slot_ready),
            .out_stream(stream),
            .out_rest({first, finish, tag, class_index, symbol})
        );
        logic [1:0] symbol_words;
        logic [63:0] symbol_data;
        logic [STREAM_BITS-1:0] symbol_stream;
        logic symbol_tag, offset_word;
        logic [31:0] offset_data;
        asc_encoder_lane #(
            .STREAMS(STREAMS),
            .CLASSES(CLASSES),
            .LAYOUT(LAYOUT)
        ) lane (
            .clk,
            .rst,
            .width,
            .cumulative,
            .first_pattern,
            .offset_bits,
            .in_valid(slot),
            .in_ready(slot_ready),
            .in_stream(stream),
            .in_first(first),
            .in_finish(finish),
            .in_tag(tag),
            .in_class(class_index),
            .in_symbol(symbol),
            .symbol_words,
            .symbol_data,
            .symbol_stream,
            .symbol_tag,
            .symbol_finish(word_finish[l]),
            .symbol_bits(finish_bits[18*l+:18]),
            .offset_word,
            .offset_data,
            .offset_stream(offset_stream[STREAM_BITS*l+:STREAM_BITS]),
            .offset_tag(offset_tag[l]),
            .offset_finish(offset_finish[l]),
            .offset_stream_bits(offset_length[19*l+:19])
        );
        assign finish_tag[l] = symbol_tag;
        assign finish_stream[STREAM_BITS*l+:STREAM_BITS] = symbol_stream;

        // Where the next word of each stream goes.
        logic [STREAMS*WORD_BITS-1:0] symbol_place, offset_place;
        always_ff @(posedge clk)
            if (rst) begin
                symbol_place <= '0;
                offset_place <= '0;
            end else begin
                if (word_finish[l]) symbol_place[WORD_BITS*symbol_stream+:WORD_BITS] <= '0;
                else
                    symbol_place[WORD_BITS*symbol_stream+:WORD_BITS] <=
                        symbol_place[WORD_BITS*symbol_stream+:WORD_BITS] + WORD_BITS'(symbol_words);
                if (offset_finish[l]) offset_place[WORD_BITS*offset_stream[STREAM_BITS*l+:STREAM_BITS]+:WORD_BITS] <= '0;
                else
                    offset_place[WORD_BITS*offset_stream[STREAM_BITS*l+:STREAM_BITS]+:WORD_BITS] <=
                        offset_place[WORD_BITS*offset_stream[STREAM_BITS*l+:STREAM_BITS]+:WORD_BITS] + WORD_BITS'(offset_word);
            end
        stream_store #(
            .WORDS(2 ** STORE_BITS)
        ) symbols (
            .clk,
            .write_words(symbol_words),
            .write_address({symbol_tag, symbol_stream, symbol_place[WORD_BITS*symbol_stream+:WORD_BITS]}),
            .write_data(symbol_data),
            .read_enable,
            .read_row({packed_half, read_stream, read_symbol_row}),
            .read_data(symbol_rows[512*l+:512])
        );
        stream_store #(
            .WORDS(2 ** STORE_BITS)
        ) offsets (
            .clk,
            .write_words({1'b0, offset_word}),
            .write_address({
                offset_tag[l],
                offset_stream[STREAM_BITS*l+:STREAM_BITS],
                offset_place[WORD_BITS*offset_stream[STREAM_BITS*l+:STREAM_BITS]+:WORD_BITS]
            }),
            .write_data({offset_data, 32'd0}),
            .read_enable,
            .read_row({packed_half, read_stream, read_offset_row}),
            .read_data(offset_rows[512*l+:512])
        );
    end

    // Streams that are complete. A block's are those of its sub-streams.
    logic [1:0] complete;
    for (genvar h = 0; h < 2; h = h + 1) begin : g_half
        logic [SUBS-1:0] used;
        for (genvar s = 0; s < SUBS; s = s + 1) begin : g_sub
            assign used[s] = SUB_BITS'(s) < counts[SUB_BITS*h+:SUB_BITS];
            localparam int L = s % LANES;
            logic [STREAM_BITS-1:0] number;
            assign number = STREAM_BITS'(s / LANES);
            always_ff @(posedge clk)
                if (rst || (packing_done && packed_half == 1'(h))) begin
                    symbols_done[SUBS*h+s] <= 1'b0;
                    offsets_done[SUBS*h+s] <= 1'b0;
                end else begin
                    if (word_finish[L] && finish_tag[L] == 1'(h) && finish_stream[STREAM_BITS*L+:STREAM_BITS] == number) begin
                        symbols_done[SUBS*h+s] <= 1'b1;
                        symbol_lengths[18*(SUBS*h+s)+:18] <= finish_bits[18*L+:18];
                    end
                    if (offset_finish[L] && offset_tag[L] == 1'(h) && offset_stream[STREAM_BITS*L+:STREAM_BITS] == number) begin
                        offsets_done[SUBS*h+s] <= 1'b1;
                        offset_lengths[19*(SUBS*h+s)+:19] <= offset_length[19*L+:19];
                    end
                end
        end
        assign complete[h] = occupied[h] && (symbols_done[SUBS*h+:SUBS] & offsets_done[SUBS*h+:SUBS] & used) == used;
    end

    // Blocks leave in the order in which they came.
    logic piece_valid, piece_ready, piece_last;
    logic [511:0] piece;
    logic [6:0] piece_bytes;
    always_ff @(posedge clk)
        if (rst) packed_half <= 1'b0;
        else if (packing_done) packed_half <= !packed_half;
    always_ff @(posedge clk) if (read_enable) data_lane <= read_lane;
    block_packer #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .ROW_BITS(WORD_BITS - 4)
    ) packer (
        .clk,
        .rst,
        .start(complete[packed_half] && !packing_done),
        .begins(out_begins),
        .done(packing_done),
        .header(headers[96*packed_half+:96]),
        .prefix(prefixes[384*packed_half+:384]),
        .prefix_bytes(prefix_sizes[6*packed_half+:6]),
        .sub_streams(counts[SUB_BITS*packed_half+:SUB_BITS]),
        .length_bits(length_sizes[5*packed_half+:5]),
        .symbol_bits(symbol_lengths[18*SUBS*packed_half+:18*SUBS]),
        .offset_bits(offset_lengths[19*SUBS*packed_half+:19*SUBS]),
        .read_enable,
        .read_lane,
        .read_stream,
        .read_symbol_row,
        .read_offset_row,
        .symbol_row(symbol_rows[512*data_lane+:512]),
        .offset_row(offset_rows[512*data_lane+:512]),
        .out_valid(piece_valid),
        .out_ready(piece_ready),
        .out_last(piece_last),
        .out_data(piece),
        .out_bytes(piece_bytes)
    );
    beat_packer beats (
        .clk,
        .rst,
        .in_valid(piece_valid),
        .in_ready(piece_ready),
        .in_last(piece_last),
        .in_data(piece),
        .in_bytes(piece_bytes),
        .out_valid,
        .out_ready,
        .out_last,
        .out_data,
        .out_bytes
    );
endmodule
