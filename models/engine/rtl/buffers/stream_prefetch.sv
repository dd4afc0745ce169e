// One kind of stream (symbols or offsets) of a lane of the decoder array, for two blocks: rows of 64 bytes come in, words
// of 32 bits go out, most significant bit first, with zeros behind the end. Before a word is asked for it stands in a queue
// of four; a lane takes a word of each of its STREAMS in STREAMS cycles at most, and each queue gets one in STREAMS cycles.
module stream_prefetch #(
    parameter int STREAMS = 1,
    parameter int ROWS = 16,  // of each stream: a power of two
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic write_enable,
    input logic write_buffer,
    input logic [STREAM_BITS-1:0] write_stream,
    input logic [ROW_BITS-1:0] write_row,
    input logic [511:0] write_data,  // byte k at bit 8k
    input logic place_enable,  // where the stream lies in its rows
    input logic [5:0] place_begin,  // its first byte
    input logic [16:0] place_bytes,
    input logic [1:0] loaded,  // all streams of this block are here
    output logic [1:0] primed,  // all its queues are full
    input logic prefer,  // the block in the lane, or the next where none is
    input logic [STREAM_BITS-1:0] take_stream,
    input logic take_buffer,
    input logic take,
    output logic [31:0] word,
    output logic missing  // there is none
);
    localparam int QUEUES = 2 * STREAMS;  // queue q is of block q / STREAMS
    localparam int QUEUE_BITS = $clog2(QUEUES);
    localparam int STREAM_ADDRESS = STREAMS > 1 ? $clog2(STREAMS) : 0;
    localparam int ADDRESS_BITS = 1 + STREAM_ADDRESS + ROW_BITS;
    logic [6*QUEUES-1:0] begins;
    logic [17*QUEUES-1:0] sizes;
    logic [QUEUE_BITS-1:0] write_queue, take_queue;
    assign write_queue = QUEUE_BITS'(STREAMS * 32'(write_buffer) + 32'(write_stream));
    assign take_queue = QUEUE_BITS'(STREAMS * 32'(take_buffer) + 32'(take_stream));
    always_ff @(posedge clk)
        if (place_enable) begin
            begins[6*write_queue+:6] <= place_begin;
            sizes[17*write_queue+:17] <= place_bytes;
        end

    // The queue that gets the next word: that of the stream whose turn it is, of the preferred block if it has room.
    logic [15*QUEUES-1:0] next;  // word
    logic [3*QUEUES-1:0] promised, present;  // words in the queue, with those on their way and without
    logic [STREAM_BITS-1:0] turn;
    logic [QUEUE_BITS-1:0] preferred, other, fetch;
    logic fetches;
    assign preferred = QUEUE_BITS'(STREAMS * 32'(prefer) + 32'(turn));
    assign other = QUEUE_BITS'(STREAMS * 32'(!prefer) + 32'(turn));
    always_comb begin
        fetch = preferred;
        fetches = loaded[prefer] && !promised[3*preferred+2];
        if (!fetches) begin
            fetch = other;
            fetches = loaded[!prefer] && !promised[3*other+2];
        end
    end
    if (STREAMS > 1) begin : g_turn
        always_ff @(posedge clk)
            if (rst) turn <= '0;
            else turn <= turn + 1'b1;
    end else begin : g_one
        assign turn = '0;
    end

    // Bytes at, at + 1, at + 2 and at + 3 lie in two banks next to each other.
    logic [ROW_BITS+5:0] at;
    logic [ADDRESS_BITS-1:0] row, row_after, write_address;
    assign at = (ROW_BITS + 6)'({next[15*fetch+:15], 2'd0} + 17'(begins[6*fetch+:6]));
    if (STREAMS > 1) begin : g_streams
        assign row = {fetch, at[6+:ROW_BITS]};
        assign row_after = {fetch, at[6+:ROW_BITS] + 1'b1};
        assign write_address = {write_queue, write_row};
    end else begin : g_stream
        assign row = {fetch[0], at[6+:ROW_BITS]};
        assign row_after = {fetch[0], at[6+:ROW_BITS] + 1'b1};
        assign write_address = {write_buffer, write_row};
    end
    logic [511:0] read_data;
    for (genvar b = 0; b < 16; b = b + 1) begin : g_bank
        sram_1r1w #(
            .WORDS(QUEUES * ROWS),
            .BITS(32)
        ) bank (
            .clk,
            .write_enable,
            .write_address,
            .write_data(write_data[32*b+:32]),
            .read_enable(fetches),
            .read_address(5'(b) < {1'b0, at[5:2]} ? row_after : row),
            .read_data(read_data[32*b+:32])
        );
    end
    logic fetched;
    logic [QUEUE_BITS-1:0] fetched_queue;
    logic [5:0] fetched_at;
    logic [2:0] fetched_bytes;  // of the word, that are before the end
    logic [16:0] left;
    assign left = {next[15*fetch+:15], 2'd0} >= sizes[17*fetch+:17] ? 17'd0 :
        sizes[17*fetch+:17] - {next[15*fetch+:15], 2'd0};
    always_ff @(posedge clk) begin
        fetched <= !rst && fetches;
        fetched_queue <= fetch;
        fetched_at <= at[5:0];
        fetched_bytes <= left > 17'd4 ? 3'd4 : left[2:0];
    end
    logic [63:0] pair;
    logic [31:0] found, found_word;
    assign pair = {read_data[32*4'(fetched_at[5:2]+4'd1)+:32], read_data[32*fetched_at[5:2]+:32]};
    assign found = 32'(pair >> {fetched_at[1:0], 3'd0});
    for (genvar k = 0; k < 4; k = k + 1) begin : g_byte
        assign found_word[31-8*k-:8] = 3'(k) < fetched_bytes ? found[8*k+:8] : 8'd0;
    end

    logic [32*4*QUEUES-1:0] queues;
    logic [2*QUEUES-1:0] head, tail;
    assign word = queues[32*(4*32'(take_queue)+32'(head[2*take_queue+:2]))+:32];
    assign missing = present[3*take_queue+:3] == 0;
    for (genvar q = 0; q < QUEUES; q = q + 1) begin : g_queue
        logic arrives, leaves, promises;
        logic [4*32-1:0] words;
        assign queues[4*32*q+:4*32] = words;
        assign arrives = fetched && fetched_queue == QUEUE_BITS'(q);
        assign leaves = take && take_queue == QUEUE_BITS'(q);
        assign promises = fetches && fetch == QUEUE_BITS'(q);
        always_ff @(posedge clk)
            if (rst || !loaded[q/STREAMS]) begin  // nothing is kept of the block before
                next[15*q+:15] <= '0;
                promised[3*q+:3] <= '0;
                present[3*q+:3] <= '0;
                head[2*q+:2] <= '0;
                tail[2*q+:2] <= '0;
            end else begin
                next[15*q+:15] <= next[15*q+:15] + 15'(promises);
                promised[3*q+:3] <= promised[3*q+:3] + 3'(promises) - 3'(leaves);
                present[3*q+:3] <= present[3*q+:3] + 3'(arrives) - 3'(leaves);
                if (arrives) begin
                    words[32*tail[2*q+:2]+:32] <= found_word;
                    tail[2*q+:2] <= tail[2*q+:2] + 1'b1;
                end
                if (leaves) head[2*q+:2] <= head[2*q+:2] + 1'b1;
            end
    end
    always_comb begin
        primed = 2'b11;
        for (int q = 0; q < QUEUES; q = q + 1) if (!present[3*q+2]) primed[q/STREAMS] = 1'b0;
    end
endmodule
