// Blocks as they travel: header, lengths of the streams, streams, without gaps in beats of 64 bytes; a block is a packet.
// See models/codec/message/block_header.hpp and models/codec/entropy/lane_coder.cpp.
//
// A bare block (mode 3) is symbols alone. Header and the lengths of eight sub-streams take a cycle, further eights of lengths one each, and a sub-stream
// max(1, ceil(bytes / 64)); a table that the block brings (mode 2) takes ceil(bytes / 64), and the header then one by itself;
// a block takes 2 cycles more, in which its bytes are added up. A coded block that is not smaller
// than its symbols, or whose streams do not fit, is refused: it leaves no byte, and its sender gives it again as a raw one.
module block_packer #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    parameter int ROWS = 16,
    parameter int TABLE_BITS = 160,
    localparam int SUB_STREAMS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUB_STREAMS + 1),
    localparam int LANE_BITS = LANES > 1 ? $clog2(LANES) : 1,
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    // The next block.
    input logic block_valid,
    output logic block_ready,
    input logic [95:0] block_header,  // the first 12 bytes of its header, of which byte k is at bit 8k
    input logic [SUB_BITS-1:0] block_sub_streams,
    input logic [14:0] block_slots,  // symbols of its fullest sub-stream
    input logic [TABLE_BITS-1:0] table_data,  // see inline_table_fields
    input logic [6:0] table_bytes,
    // Streams of the lanes, lane l at place l (lane_buffer).
    input logic [2*LANES-1:0] full,
    output logic [1:0] empty,
    output logic buffer,
    input logic [19*SUB_STREAMS-1:0] symbol_lengths,  // of sub-stream s at place s
    input logic [19*SUB_STREAMS-1:0] offset_lengths,
    input logic [SUB_STREAMS-1:0] overflow,
    output logic read_enable,
    output logic [STREAM_BITS-1:0] read_stream,
    output logic [ROW_BITS-1:0] read_symbol_row,
    output logic [ROW_BITS-1:0] read_offset_row,
    input logic [512*LANES-1:0] read_symbols,
    input logic [512*LANES-1:0] read_offsets,
    // Chunks of raw blocks (raw_packer).
    input logic raw_valid,
    output logic raw_ready,
    input logic [511:0] raw_data,
    input logic [6:0] raw_bytes,
    input logic raw_last,
    output logic refused,  // for a cycle: the block that has just been dropped
    output logic [511:0] tdata,
    output logic [63:0] tkeep,
    output logic tvalid,
    input logic tready,
    output logic tlast
);
    localparam int GROUPS = (SUB_STREAMS + 7) / 8;
    localparam int GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam logic [2:0] IDLE = 3'd0, ADD = 3'd1, HEAD = 3'd2, BODY = 3'd3, RAW = 3'd4,
        HEAD_ALONE = 3'd5, TABLE = 3'd6;
    logic [2:0] state;
    logic go;  // chunks move
    logic table_half, last_of_table;

    logic [1:0] all_full;
    always_comb begin
        all_full = 2'b11;
        for (int l = 0; l < LANES; l = l + 1) all_full = all_full & full[2*l+:2];
    end
    logic is_raw, is_bare, is_inline;
    assign is_raw = block_header[7:0] == 8'd0 || is_bare;
    assign is_bare = block_header[7:0] == 8'd3;
    assign is_inline = block_header[7:0] == 8'd2;

    // Bits of a length, LaneCoder::length_bits().
    logic [20:0] longest;
    logic [4:0] length_bits;
    always_comb begin
        longest = 21'(block_slots) * 21'(width) - 21'd1;
        length_bits = '0;
        for (int b = 0; b < 21; b = b + 1) if (longest[b]) length_bits = 5'(b + 1);
    end

    // Bytes of the block, in two steps; and whether a stream is too long for its length.
    logic [24*LANES-1:0] of_lane, sum_of_lane;
    logic [SUB_STREAMS-1:0] too_long;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_sum
        always_comb begin
            sum_of_lane[24*l+:24] = '0;
            for (int t = 0; t < STREAMS; t = t + 1)
                if (t * LANES + l < 32'(block_sub_streams))
                    sum_of_lane[24*l+:24] = sum_of_lane[24*l+:24] + bytes_of(symbol_lengths[19*(t*LANES+l)+:19]) + bytes_of(
                    offset_lengths[19*(t*LANES+l)+:19]);
        end
    end
    for (genvar s = 0; s < SUB_STREAMS; s = s + 1) begin : g_long
        assign too_long[s] = s < 32'(block_sub_streams) && (overflow[s] ||
            ((symbol_lengths[19*s+:19] | offset_lengths[19*s+:19]) >> length_bits_1) != 0);
    end
    function automatic logic [23:0] bytes_of(input logic [18:0] bits);
        bytes_of = 24'((32'(bits) + 7) / 8);
    endfunction
    logic [4:0] length_bits_1;
    logic [31:0] packed_bytes, bytes, total;
    logic any_long;
    always_comb begin
        total = 32'd16 + (is_inline ? 32'(table_bytes) : 32'd0) + 32'((2 * 32'(block_sub_streams) * 32'(length_bits_1) + 7) / 8);
        for (int l = 0; l < LANES; l = l + 1) total = total + 32'(of_lane[24*l+:24]);
    end

    // Lengths of eight sub-streams from `group` on, the first bit highest.
    logic [GROUP_BITS-1:0] group;
    logic [303:0] fields;
    logic [3:0] in_group;
    logic [6:0] group_bytes;
    logic last_group;
    logic [19*8*GROUPS-1:0] symbol_fields, offset_fields;
    assign symbol_fields = (19 * 8 * GROUPS)'(symbol_lengths);
    assign offset_fields = (19 * 8 * GROUPS)'(offset_lengths);
    always_comb begin
        last_group = 32'(block_sub_streams) <= 8 * (32'(group) + 1);
        in_group = last_group ? 4'(32'(block_sub_streams) - 8 * 32'(group)) : 4'd8;
        group_bytes = 7'((2 * 32'(in_group) * 32'(length_bits_1) + 7) / 8);
        fields = '0;
        for (int i = 0; i < 8; i = i + 1)
            if (i < 32'(in_group)) begin
                fields = fields | ({symbol_fields[19*(8*32'(group)+i)+:19] << (5'd19 - length_bits_1), 285'd0} >>
                    (2 * i * 32'(length_bits_1)));
                fields = fields | ({offset_fields[19*(8*32'(group)+i)+:19] << (5'd19 - length_bits_1), 285'd0} >>
                    ((2 * i + 1) * 32'(length_bits_1)));
            end
    end
    logic [303:0] field_bytes;
    for (genvar k = 0; k < 38; k = k + 1) begin : g_byte
        assign field_bytes[8*k+:8] = fields[303-8*k-:8];
    end

    // The sub-stream whose bytes are read: chunk c of its symbol bytes and the offset bytes behind them.
    logic [SUB_BITS-1:0] sub_stream;
    logic [LANE_BITS-1:0] lane;
    logic [STREAM_BITS-1:0] stream;
    logic [11:0] chunk;
    logic [23:0] symbol_bytes, both_bytes;
    logic [6:0] of_symbols, of_both;
    logic last_chunk, last_sub_stream;
    always_comb begin
        symbol_bytes = bytes_of(symbol_lengths[19*32'(sub_stream)+:19]);
        both_bytes = symbol_bytes + bytes_of(offset_lengths[19*32'(sub_stream)+:19]);
        last_chunk = both_bytes <= {6'd0, chunk, 6'd0} + 24'd64;
        of_both = last_chunk ? 7'(both_bytes - {6'd0, chunk, 6'd0}) : 7'd64;
        of_symbols = symbol_bytes <= {6'd0, chunk, 6'd0} ? 7'd0 : symbol_bytes - {6'd0, chunk, 6'd0} > 24'd64 ? 7'd64 :
            7'(symbol_bytes - {6'd0, chunk, 6'd0});
        last_sub_stream = sub_stream == block_sub_streams - 1'b1;
    end
    assign read_enable = go;
    assign read_stream = stream;
    assign read_symbol_row = chunk[ROW_BITS-1:0];
    assign read_offset_row = chunk[ROW_BITS-1:0] - symbol_bytes[6+:ROW_BITS];

    logic finishes;
    assign raw_ready = go && state == RAW;
    assign finishes = go && ((state == BODY && last_chunk && last_sub_stream) || (state == RAW && raw_valid && raw_last));
    assign block_ready = finishes || refused;
    always_comb begin
        empty = 2'b00;
        if (block_ready && !is_raw) empty[buffer] = 1'b1;
    end
    assign refused = (state == HEAD_ALONE || (state == HEAD && group == 0 && !is_inline)) && !is_raw && (any_long || bytes >= 32'd16 + packed_bytes);

    always_ff @(posedge clk)
        if (rst) begin
            state <= IDLE;
            buffer <= 1'b0;
        end else begin
            length_bits_1 <= length_bits;
            packed_bytes <= 32'((64'(block_header[95:64]) * 64'(width) + 64'd7) >> 3);
            of_lane <= sum_of_lane;
            any_long <= |too_long;
            bytes <= is_raw ? 32'd16 + packed_bytes : total;
            case (state)
                IDLE: if (block_valid && (is_raw || all_full[buffer])) state <= ADD;
                ADD: begin
                    group <= '0;
                    sub_stream <= '0;
                    lane <= '0;
                    stream <= '0;
                    chunk <= '0;
                    table_half <= 1'b0;
                    state <= is_bare ? RAW : is_inline ? HEAD_ALONE : HEAD;
                end
                HEAD_ALONE:
                if (refused) state <= IDLE;
                else if (go) state <= TABLE;
                TABLE:
                if (go) begin
                    table_half <= 1'b1;
                    if (last_of_table) state <= HEAD;
                end
                HEAD:
                if (refused) state <= IDLE;
                else if (go) begin
                    group <= group + 1'b1;
                    if (is_raw) state <= RAW;
                    else if (last_group) state <= BODY;
                end
                BODY:
                if (go) begin
                    chunk <= last_chunk ? '0 : chunk + 1'b1;
                    if (last_chunk) begin
                        sub_stream <= sub_stream + 1'b1;
                        lane <= 32'(lane) == LANES - 1 ? '0 : lane + 1'b1;
                        if (32'(lane) == LANES - 1) stream <= stream + 1'b1;
                    end
                    if (finishes) state <= IDLE;
                end
                default: if (finishes) state <= IDLE;
            endcase
            if (block_ready && !is_raw) buffer <= !buffer;
        end

    // Chunks that are known at once: header, table, lengths, raw ones.
    logic [511:0] direct;
    logic [6:0] direct_bytes;
    logic [1023:0] whole_table;
    assign whole_table = 1024'(table_data);
    assign last_of_table = table_half || table_bytes <= 7'd64;
    always_comb begin
        direct = raw_data;
        direct_bytes = raw_bytes;
        if (state == HEAD) begin
            direct = group == 0 && !is_inline ? {80'd0, field_bytes, bytes, block_header} : 512'(field_bytes);
            if (is_raw) direct = 512'({bytes, block_header});
            direct_bytes = (group == 0 && !is_inline ? 7'd16 : 7'd0) + (is_raw ? 7'd0 : group_bytes);
        end
        if (state == HEAD_ALONE) begin
            direct = 512'({bytes, block_header});
            direct_bytes = 7'd16;
        end
        if (state == TABLE) begin
            direct = table_half ? whole_table[1023:512] : whole_table[511:0];
            direct_bytes = table_half ? table_bytes - 7'd64 : last_of_table ? table_bytes : 7'd64;
        end
    end
    logic valid_1, direct_is_1, last_1, valid_2, direct_is_2, last_2;
    logic [511:0] direct_1, direct_2;
    logic [6:0] bytes_1, bytes_2, symbols_1, symbols_2;
    logic [LANE_BITS-1:0] lane_1;
    logic [5:0] tail_1, tail_2;
    logic first_row_1, first_row_2, has_offsets_1, has_offsets_2;
    logic [511:0] symbols_row, offsets_row, offsets_before;
    always_ff @(posedge clk)
        if (rst) begin
            valid_1 <= 1'b0;
            valid_2 <= 1'b0;
        end else if (go) begin
            valid_1 <= ((state == HEAD || state == HEAD_ALONE) && !refused) || state == TABLE || state == BODY || (state == RAW && raw_valid);
            direct_is_1 <= state != BODY;
            direct_1 <= direct;
            bytes_1 <= state == BODY ? of_both : direct_bytes;
            symbols_1 <= of_symbols;
            lane_1 <= lane;
            tail_1 <= symbol_bytes[5:0];
            has_offsets_1 <= of_symbols != 7'd64;
            first_row_1 <= chunk == symbol_bytes[17:6];
            last_1 <= finishes;
            // Rows of the lane.
            valid_2 <= valid_1;
            direct_is_2 <= direct_is_1;
            direct_2 <= direct_1;
            bytes_2 <= bytes_1;
            symbols_2 <= symbols_1;
            tail_2 <= tail_1;
            has_offsets_2 <= has_offsets_1;
            first_row_2 <= first_row_1;
            last_2 <= last_1;
            symbols_row <= read_symbols[512*lane_1+:512];
            offsets_row <= read_offsets[512*lane_1+:512];
        end

    // Symbol bytes, and behind the last of them offset bytes.
    function automatic logic [511:0] only(input logic [511:0] data, input logic [6:0] count);
        for (int k = 0; k < 64; k = k + 1) only[8*k+:8] = k < 32'(count) ? data[8*k+:8] : 8'd0;
    endfunction
    logic [511:0] moved, merged;
    always_comb begin
        moved = 512'({offsets_row, first_row_2 ? 512'd0 : offsets_before} >> {7'd64 - {1'b0, tail_2}, 3'd0});
        merged = only(symbols_row, symbols_2) | (has_offsets_2 ? moved : '0);
        if (direct_is_2) merged = direct_2;
    end
    logic valid_3, last_3;
    logic [511:0] data_3;
    logic [6:0] bytes_3;
    always_ff @(posedge clk)
        if (rst) valid_3 <= 1'b0;
        else if (go) begin
            valid_3 <= valid_2;
            data_3 <= only(merged, bytes_2);
            bytes_3 <= bytes_2;
            last_3 <= last_2;
            if (valid_2 && has_offsets_2 && !direct_is_2) offsets_before <= offsets_row;
        end
    logic ready_3;
    assign go = ready_3 || !valid_3;
    beat_packer beats (
        .clk,
        .rst,
        .in_valid(valid_3),
        .in_ready(ready_3),
        .in_data(data_3),
        .in_bytes(bytes_3),
        .in_last(last_3),
        .tdata,
        .tkeep,
        .tvalid,
        .tready,
        .tlast
    );
endmodule
