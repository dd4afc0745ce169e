// Packer of the encoder array: a block's header, its table if it brings one, the lengths of its streams, and the streams,
// each from its own byte on (models/codec/message/block_message.hpp, models/codec/entropy/lane_coder.cpp), as pieces of up
// to 64 bytes. A sub-stream takes one cycle if both its streams are 64 bytes together, else one for each 64 bytes of each.
module block_packer #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    parameter int ROW_BITS = 10,  // of the rows of a stream, at most 10
    localparam int SUBS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUBS + 1),
    localparam int LANE_BITS = LANES > 1 ? $clog2(LANES) : 1,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic start,  // a block is complete: what follows is constant until `done`
    output logic begins,  // all is known of the block, and its header leaves in the next cycle
    output logic done,  // its last piece leaves
    input logic [95:0] header,  // up to its number of bytes, as it travels, the first byte in the highest places
    input logic [383:0] prefix,  // a table
    input logic [5:0] prefix_bytes,
    input logic [SUB_BITS-1:0] sub_streams,
    input logic [4:0] length_bits,
    input logic [SUBS*18-1:0] symbol_bits,  // of each sub-stream
    input logic [SUBS*19-1:0] offset_bits,
    // Rows of streams, a cycle after they are asked for.
    output logic read_enable,
    output logic [LANE_BITS-1:0] read_lane,
    output logic [STREAM_BITS-1:0] read_stream,
    output logic [ROW_BITS-1:0] read_symbol_row,
    output logic [ROW_BITS-1:0] read_offset_row,
    input logic [511:0] symbol_row,
    input logic [511:0] offset_row,
    output logic out_valid,
    input logic out_ready,
    output logic out_last,
    output logic [511:0] out_data,
    output logic [6:0] out_bytes
);
    localparam int GROUP = 16;  // sub-streams whose lengths leave in a cycle: 32 lengths are whole bytes
    typedef enum logic [2:0] {IDLE, TOTAL, HEADER, LENGTHS, BODY} state_t;
    state_t state;
    logic advance;
    logic [31:0] total;
    logic [SUB_BITS-1:0] sub;
    logic [ROW_BITS-1:0] row;
    logic in_offsets;

    function automatic logic [15:0] bytes_of(input logic [18:0] bits);
        bytes_of = 16'((20'(bits) + 20'd7) >> 3);
    endfunction

    // Size of the block.
    logic [31:0] sum;
    always_comb begin
        sum = 32'd16 + 32'(prefix_bytes) + ((32'(sub_streams) * 32'(length_bits) * 32'd2 + 32'd7) >> 3);
        for (int s = 0; s < SUBS; s = s + 1)
            if (SUB_BITS'(s) < sub_streams)
                sum = sum + 32'(bytes_of(19'(symbol_bits[18*s+:18]))) + 32'(bytes_of(offset_bits[19*s+:19]));
    end

    // The sub-stream in hand.
    logic [15:0] symbol_bytes, offset_bytes, symbol_left, offset_left;
    logic both, last_of_sub, last_sub;
    logic [6:0] symbol_piece, offset_piece;
    always_comb begin
        symbol_bytes = bytes_of(19'(symbol_bits[18*sub+:18]));
        offset_bytes = bytes_of(offset_bits[19*sub+:19]);
        symbol_left = in_offsets ? 16'd0 : symbol_bytes - (16'(row) << 6);
        offset_left = in_offsets ? offset_bytes - (16'(row) << 6) : offset_bytes;
        both = !in_offsets && row == 0 && symbol_bytes + offset_bytes <= 16'd64;
        symbol_piece = symbol_left > 16'd64 ? 7'd64 : symbol_left[6:0];
        offset_piece = 7'd0;
        if (both) offset_piece = offset_bytes[6:0];
        else if (in_offsets) offset_piece = offset_left > 16'd64 ? 7'd64 : offset_left[6:0];
        last_of_sub = both || (in_offsets ? offset_left <= 16'd64 : symbol_left <= 16'd64 && offset_bytes == 0);
        last_sub = sub + 1'b1 >= sub_streams;
    end

    // Lengths of a group, each symbol stream's before its offset stream's, most significant bit first.
    logic [511:0] lengths;
    logic [9:0] place;
    always_comb begin
        lengths = '0;
        place = 10'd0;
        for (int i = 0; i < GROUP; i = i + 1)
            if (32'(sub) + i < 32'(sub_streams) && 32'(sub) + i < SUBS) begin
                lengths = lengths | (({494'd0, symbol_bits[18*(32'(sub)+i)+:18]} << (10'd512 - 10'(length_bits))) >> place);
                place = place + 10'(length_bits);
                lengths = lengths | (({493'd0, offset_bits[19*(32'(sub)+i)+:19]} << (10'd512 - 10'(length_bits))) >> place);
                place = place + 10'(length_bits);
            end
    end

    assign read_enable = advance;
    assign read_lane = LANE_BITS'(32'(sub) % LANES);
    assign read_stream = STREAM_BITS'(32'(sub) / LANES);
    assign read_symbol_row = row;
    assign read_offset_row = in_offsets ? row : '0;

    always_ff @(posedge clk)
        if (rst) begin
            state <= IDLE;
        end else if (advance)
            case (state)
                IDLE: if (start) state <= TOTAL;
                TOTAL: begin
                    total <= sum;
                    state <= HEADER;
                end
                HEADER: begin
                    sub <= '0;
                    state <= LENGTHS;
                end
                LENGTHS: begin
                    sub <= sub + SUB_BITS'(GROUP);
                    if (32'(sub) + GROUP >= 32'(sub_streams)) begin
                        sub <= '0;
                        row <= '0;
                        in_offsets <= 1'b0;
                        state <= BODY;
                    end
                end
                default: begin
                    row <= row + 1'b1;
                    if (last_of_sub) begin
                        row <= '0;
                        in_offsets <= 1'b0;
                        sub <= sub + 1'b1;
                        if (last_sub) state <= IDLE;
                    end else if (!in_offsets && symbol_left <= 16'd64) begin
                        row <= '0;
                        in_offsets <= 1'b1;
                    end
                end
            endcase

    // A cycle later: what was read, or what is at hand.
    logic from_store;
    logic [511:0] at_hand;
    logic [6:0] symbol_size, offset_size;
    logic valid, last;
    assign advance = !valid || out_ready;
    always_ff @(posedge clk)
        if (rst) valid <= 1'b0;
        else if (advance) begin
            valid <= state == HEADER || state == LENGTHS || state == BODY;
            last <= state == BODY && last_of_sub && last_sub;
            from_store <= state == BODY;
            symbol_size <= symbol_piece;
            offset_size <= offset_piece;
            if (state == HEADER) begin
                at_hand <= {header, total[7:0], total[15:8], total[23:16], total[31:24], prefix};
                symbol_size <= 7'd16 + 7'(prefix_bytes);
                offset_size <= 7'd0;
            end
            if (state == LENGTHS) begin
                at_hand <= lengths;
                symbol_size <= 7'((place + 10'd7) >> 3);
                offset_size <= 7'd0;
            end
        end
    logic [511:0] symbols, offsets;
    assign symbols = (from_store ? symbol_row : at_hand) & ~({512{1'b1}} >> {symbol_size, 3'b000});
    assign offsets = offset_row & ~({512{1'b1}} >> {offset_size, 3'b000});
    assign out_valid = valid;
    assign out_last = last;
    assign out_data = symbols | (offsets >> {symbol_size, 3'b000});
    assign out_bytes = symbol_size + offset_size;
    assign begins = state == TOTAL && advance;
    assign done = valid && last && out_ready;
endmodule
