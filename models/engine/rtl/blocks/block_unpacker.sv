// Blocks as they come from the link, a packet each, apart: the header is compared with what the schedule expects, the
// lengths are read, and rows of 64 bytes go to the lanes' buffers; chunks of a raw block go to raw_unpacker. The reverse of
// block_packer, at its pace.
//
// Row c of a sub-stream has bytes 64c .. 64c + 63 of its symbol bytes with its offset bytes behind them. It goes to the rows
// of the symbol stream, of the offset stream, or where they meet of both; the offset stream then begins within its first row.
//
// A damaged block raises `error` and is skipped up to the end of its packet. A coded block is known to be whole before
// `loaded`. A raw block is passed on as it comes: of a damaged one, `error` may come after a part.
module block_unpacker #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    parameter int LAYOUT = 0,
    parameter int ROWS = 16,
    localparam int SUB_STREAMS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUB_STREAMS + 1),
    localparam int LANE_BITS = LANES > 1 ? $clog2(LANES) : 1,
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int TABLE_BITS = LAYOUT == 0 ? 160 : 672
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    // The block that is expected.
    input logic block_valid,
    output logic block_ready,
    // As for encoder_array; whether it is raw, the packet says, unless it is bare.
    // verilator lint_off UNUSEDSIGNAL
    input logic [95:0] block_header,
    // verilator lint_on UNUSEDSIGNAL
    input logic [SUB_BITS-1:0] block_sub_streams,
    input logic [14:0] block_slots,
    input logic [511:0] tdata,
    input logic [63:0] tkeep,
    input logic tvalid,
    output logic tready,
    input logic tlast,
    // Rows to the buffers of lane `write_lane`.
    input logic [1:0] buffer_free,  // half of the buffers
    output logic write_symbols,
    output logic write_offsets,
    output logic write_place,  // with the last row of a sub-stream
    output logic write_buffer,
    output logic [LANE_BITS-1:0] write_lane,
    output logic [STREAM_BITS-1:0] write_stream,
    output logic [ROW_BITS-1:0] write_symbol_row,
    output logic [ROW_BITS-1:0] write_offset_row,
    output logic [511:0] write_data,
    output logic [5:0] write_begin,  // of the offset stream within its first row
    output logic [16:0] write_symbol_bytes,
    output logic [16:0] write_offset_bytes,
    output logic loaded,  // for a cycle: all of the block of half `write_buffer` is written
    // The table that a block brings (inline_table_loader).
    input logic table_free,  // the one before is written
    output logic table_comes,
    output logic [TABLE_BITS-1:0] table_data,
    input logic table_fits,
    output logic brings,  // the block at hand
    // A raw block begins; then its chunks.
    output logic raw_begins,
    input logic raw_free,  // the raw block before is through
    output logic raw_valid,
    input logic raw_ready,
    output logic [511:0] raw_data,
    output logic [6:0] raw_bytes,
    // Of the block that has begun.
    output logic [31:0] values,
    output logic [SUB_BITS-1:0] sub_streams,
    output logic error  // for a cycle
);
    localparam int GROUPS = (SUB_STREAMS + 7) / 8;
    localparam int GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam logic [2:0] HEADER = 3'd0, LENGTHS = 3'd1, ADD = 3'd2, CHECK = 3'd3, BODY = 3'd4, RAW = 3'd5, SKIP = 3'd6,
        TABLE = 3'd7;
    logic [2:0] state;

    // Bytes of the packet that are not yet used, the first lowest.
    logic [1023:0] held, after;
    logic [7:0] fill, kept;
    logic [6:0] use_bytes, beat_bytes;
    logic ended;  // the last beat of the packet is in
    logic takes;
    always_comb begin
        beat_bytes = '0;
        for (int k = 0; k < 64; k = k + 1) beat_bytes = beat_bytes + 7'(tkeep[k]);
    end
    assign kept = fill - {1'b0, use_bytes};
    assign tready = !ended && kept <= 8'd64;
    assign takes = tvalid && tready;
    assign after = held >> {use_bytes, 3'd0};
    logic next_packet;
    always_ff @(posedge clk)
        if (rst) begin
            held <= '0;
            fill <= '0;
            ended <= 1'b0;
        end else if (next_packet) begin
            held <= '0;
            fill <= '0;
            ended <= 1'b0;
        end else begin
            held <= after | (takes ? {512'd0, only(tdata, beat_bytes)} << {kept, 3'd0} : '0);
            fill <= kept + (takes ? {1'b0, beat_bytes} : 8'd0);
            if (takes && tlast) ended <= 1'b1;
        end
    function automatic logic [511:0] only(input logic [511:0] data, input logic [6:0] count);
        for (int k = 0; k < 64; k = k + 1) only[8*k+:8] = k < 32'(count) ? data[8*k+:8] : 8'd0;
    endfunction

    // Bits of a length, LaneCoder::length_bits().
    logic [20:0] longest;
    logic [4:0] length_bits, length_bits_1;
    always_comb begin
        longest = 21'(block_slots) * 21'(width) - 21'd1;
        length_bits = '0;
        for (int b = 0; b < 21; b = b + 1) if (longest[b]) length_bits = 5'(b + 1);
    end

    logic is_raw, expects_bare, header_fits;
    logic [31:0] bytes, used, packed_bytes;  // of the block
    logic [15:0] expected_check;
    assign expects_bare = block_header[7:0] == 8'd3;
    assign is_raw = expects_bare || held[7:0] == 8'd0;
    assign expected_check = is_raw ? 16'd0 : block_header[31:16];
    assign header_fits = expects_bare || (held[7:0] <= 8'd2 && held[15:8] == block_header[15:8] &&
        held[31:16] == expected_check && held[95:32] == block_header[95:32] && held[127:96] >= 32'd16);

    // Lengths of eight sub-streams, the first bit highest.
    logic [GROUP_BITS-1:0] group;
    logic [303:0] fields;
    logic [3:0] in_group;
    logic [6:0] group_bytes;
    logic last_group;
    logic [19*8*GROUPS-1:0] symbol_lengths, offset_lengths;
    for (genvar k = 0; k < 38; k = k + 1) begin : g_byte
        assign fields[303-8*k-:8] = held[8*k+:8];
    end
    logic [303:0] padding;
    always_comb begin
        last_group = 32'(sub_streams) <= 8 * (32'(group) + 1);
        in_group = last_group ? 4'(32'(sub_streams) - 8 * 32'(group)) : 4'd8;
        group_bytes = 7'((2 * 32'(in_group) * 32'(length_bits_1) + 7) / 8);
        // What stands behind the last length in its byte.
        padding = (fields << (2 * 32'(in_group) * 32'(length_bits_1))) >> (304 -
            (8 * 32'(group_bytes) - 2 * 32'(in_group) * 32'(length_bits_1)));
    end
    logic [19*8-1:0] group_symbols, group_offsets;
    for (genvar i = 0; i < 8; i = i + 1) begin : g_field
        logic [303:0] symbol_at, offset_at;
        assign symbol_at = fields << (2 * i * 32'(length_bits_1));
        assign offset_at = fields << ((2 * i + 1) * 32'(length_bits_1));
        assign group_symbols[19*i+:19] = i < 32'(in_group) ? symbol_at[303-:19] >> (5'd19 - length_bits_1) : 19'd0;
        assign group_offsets[19*i+:19] = i < 32'(in_group) ? offset_at[303-:19] >> (5'd19 - length_bits_1) : 19'd0;
        logic unused;
        assign unused = &{1'b0, symbol_at[284:0], offset_at[284:0]};
    end
    function automatic logic [23:0] bytes_of(input logic [18:0] bits);
        bytes_of = 24'((32'(bits) + 7) / 8);
    endfunction
    logic [31:0] sum;
    logic long_stream, long_found;
    always_comb begin
        sum = 0;
        long_stream = 1'b0;
        for (int s = 0; s < SUB_STREAMS; s = s + 1) begin
            sum = sum + 32'(bytes_of(symbol_lengths[19*s+:19])) + 32'(bytes_of(offset_lengths[19*s+:19]));
            if (32'(bytes_of(symbol_lengths[19*s+:19])) > 64 * ROWS ||
                32'(bytes_of(offset_lengths[19*s+:19])) > 64 * ROWS - 64) long_stream = 1'b1;
        end
    end
    logic [31:0] sum_1;

    // Row `chunk` of a sub-stream.
    logic [SUB_BITS-1:0] sub_stream;
    logic [LANE_BITS-1:0] lane;
    logic [STREAM_BITS-1:0] stream;
    logic [11:0] chunk;
    logic [23:0] symbol_bytes, offset_bytes, both_bytes, before_chunk;
    logic [6:0] chunk_bytes;
    logic last_chunk, last_sub_stream, chunk_here, to_symbols, to_offsets;
    always_comb begin
        symbol_bytes = bytes_of(symbol_lengths[19*32'(sub_stream)+:19]);
        offset_bytes = bytes_of(offset_lengths[19*32'(sub_stream)+:19]);
        both_bytes = symbol_bytes + offset_bytes;
        before_chunk = {6'd0, chunk, 6'd0};
        last_chunk = both_bytes <= before_chunk + 24'd64;
        chunk_bytes = last_chunk ? 7'(both_bytes - before_chunk) : 7'd64;
        last_sub_stream = sub_stream == sub_streams - 1'b1;
        chunk_here = {1'b0, chunk_bytes} <= fill;
        to_symbols = before_chunk < symbol_bytes;
        to_offsets = before_chunk + 24'd64 > symbol_bytes;
    end

    logic [31:0] left;
    logic [6:0] raw_part;
    assign left = bytes - used;
    assign raw_part = left > 32'd64 ? 7'd64 : left[6:0];
    assign raw_data = held[511:0];
    assign raw_bytes = raw_part;
    assign raw_valid = state == RAW && left != 0 && {1'b0, raw_part} <= fill;

    logic announced;  // for a cycle, so that what follows from it is known
    logic uses_header, uses_table, uses_group, uses_chunk, uses_raw, begins, starved, room, half;
    assign begins = state == HEADER && announced && (expects_bare || fill >= 8'd16);
    logic is_inline;
    assign is_inline = !expects_bare && held[7:0] == 8'd2;
    assign room = is_raw ? raw_free : buffer_free[half] && (!is_inline || table_free);
    assign uses_header = begins && header_fits && room;
    logic [6:0] table_bytes, table_part;
    logic table_half, last_of_table;
    assign table_bytes = 7'd20 + (LAYOUT == 0 ? 7'd0 : {width, 1'b0});
    assign last_of_table = table_half || table_bytes <= 7'd64;
    assign table_part = table_half ? table_bytes - 7'd64 : last_of_table ? table_bytes : 7'd64;
    assign uses_table = state == TABLE && {1'b0, table_part} <= fill;
    assign uses_group = state == LENGTHS && {1'b0, group_bytes} <= fill;
    assign uses_chunk = state == BODY && chunk_here;
    assign uses_raw = raw_valid && raw_ready;
    always_comb begin
        use_bytes = '0;
        if (uses_header && !expects_bare) use_bytes = 7'd16;
        if (uses_table) use_bytes = table_part;
        if (uses_group) use_bytes = group_bytes;
        if (uses_chunk) use_bytes = chunk_bytes;
        if (uses_raw) use_bytes = raw_part;
        if (state == SKIP) use_bytes = fill > 8'd64 ? 7'd64 : fill[6:0];
    end
    // The packet has ended, and what is needed next is not there.
    always_comb begin
        starved = 1'b0;
        if (ended) case (state)
            HEADER: starved = announced && !expects_bare && fill < 8'd16;
            TABLE: starved = !uses_table;
            LENGTHS: starved = !uses_group;
            BODY: starved = !chunk_here;
            RAW: starved = left != 0 && {1'b0, raw_part} > fill;
            default: ;
        endcase
    end

    logic finishes, wrong;
    logic whole;  // the packet ends where the block does
    assign whole = ended && fill == {1'b0, use_bytes};
    assign finishes = (uses_chunk && last_chunk && last_sub_stream) || (state == RAW && left == 0);
    // `tlast` may come with a beat that has only begun to come: a block is finished when its packet has ended.
    assign wrong = starved || (begins && !header_fits) ||
        (uses_header && is_raw && !expects_bare && held[127:96] != 32'd16 + packed_bytes) || (uses_group && last_group && padding != 0) ||
        (state == CHECK && (long_found || bytes != used + sum_1 || (brings && !table_fits))) || (finishes && !whole);
    assign next_packet = (finishes && whole) || (state == SKIP && ended);
    assign block_ready = (finishes && whole) || wrong;
    assign raw_begins = uses_header && is_raw && !wrong;
    always_ff @(posedge clk)
        if (rst) begin
            state <= HEADER;
            half <= 1'b0;
            error <= 1'b0;
            announced <= 1'b0;
        end else begin
            error <= wrong;
            announced <= block_valid && !block_ready;
            used <= used + 32'(use_bytes);
            length_bits_1 <= length_bits;
            packed_bytes <= 32'((64'(block_header[95:64]) * 64'(width) + 64'd7) >> 3);
            case (state)
                HEADER: begin
                    bytes <= expects_bare ? packed_bytes : held[127:96];
                    used <= expects_bare ? 32'd0 : 32'd16;
                    values <= block_header[95:64];
                    sub_streams <= block_sub_streams;
                    group <= '0;
                    symbol_lengths <= '0;
                    offset_lengths <= '0;
                    brings <= is_inline;
                    table_half <= 1'b0;
                    if (uses_header) state <= is_raw ? RAW : is_inline ? TABLE : LENGTHS;
                end
                TABLE:
                if (uses_table) begin
                    table_half <= 1'b1;
                    if (table_half) whole_table[1023:512] <= held[511:0];
                    else whole_table[511:0] <= held[511:0];
                    if (last_of_table) state <= LENGTHS;
                end
                LENGTHS:
                if (uses_group) begin
                    symbol_lengths[19*8*32'(group)+:19*8] <= group_symbols;
                    offset_lengths[19*8*32'(group)+:19*8] <= group_offsets;
                    group <= group + 1'b1;
                    if (last_group) state <= ADD;
                end
                ADD: begin
                    sum_1 <= sum;
                    long_found <= long_stream;
                    state <= CHECK;
                    sub_stream <= '0;
                    lane <= '0;
                    stream <= '0;
                    chunk <= '0;
                end
                CHECK: state <= BODY;
                BODY:
                if (uses_chunk) begin
                    chunk <= last_chunk ? '0 : chunk + 1'b1;
                    if (last_chunk) begin
                        sub_stream <= sub_stream + 1'b1;
                        lane <= 32'(lane) == LANES - 1 ? '0 : lane + 1'b1;
                        if (32'(lane) == LANES - 1) stream <= stream + 1'b1;
                    end
                end
                default: ;
            endcase
            if (finishes && whole) begin
                state <= HEADER;
                if (state == BODY) half <= !half;
            end
            if (state == SKIP && ended) state <= HEADER;
            if (wrong) state <= SKIP;
        end

    // A table is passed on when its block is known to be whole, before the block can come to the lanes.
    logic [1023:0] whole_table;
    assign table_data = whole_table[TABLE_BITS-1:0];
    assign table_comes = uses_chunk && finishes && whole && brings;
    logic unused;
    assign unused = &{1'b0, whole_table[1023:TABLE_BITS]};

    // To the lanes.
    always_ff @(posedge clk) begin
        write_symbols <= !rst && uses_chunk && to_symbols;
        write_offsets <= !rst && uses_chunk && to_offsets;
        write_place <= !rst && uses_chunk && last_chunk;
        write_buffer <= half;
        write_lane <= lane;
        write_stream <= stream;
        write_symbol_row <= chunk[ROW_BITS-1:0];
        write_offset_row <= chunk[ROW_BITS-1:0] - symbol_bytes[6+:ROW_BITS];
        write_data <= held[511:0];
        write_begin <= symbol_bytes[5:0];
        write_symbol_bytes <= symbol_bytes[16:0];
        write_offset_bytes <= offset_bytes[16:0];
        loaded <= !rst && uses_chunk && finishes && whole;
    end
endmodule
