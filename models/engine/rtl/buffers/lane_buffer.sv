// The coded streams of a lane of the encoder array, symbols and offsets, for two blocks.
module lane_buffer #(
    parameter int STREAMS = 1,
    parameter int ROWS = 16,
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    // From asc_encoder_lane.
    input logic [1:0] symbol_words,
    input logic [63:0] symbol_data,
    input logic [STREAM_BITS-1:0] symbol_stream,
    input logic symbol_finish,
    input logic [17:0] symbol_bits,
    input logic offset_word,
    input logic [31:0] offset_data,
    input logic [STREAM_BITS-1:0] offset_stream,
    input logic offset_finish,
    input logic [18:0] offset_stream_bits,
    // See stream_store.
    output logic [1:0] full,
    input logic [1:0] empty,
    input logic buffer,
    output logic [19*STREAMS-1:0] symbol_lengths,
    output logic [19*STREAMS-1:0] offset_lengths,
    output logic [STREAMS-1:0] overflow,
    input logic read_enable,
    input logic [STREAM_BITS-1:0] read_stream,
    input logic [ROW_BITS-1:0] read_symbol_row,
    input logic [ROW_BITS-1:0] read_offset_row,
    output logic [511:0] read_symbols,
    output logic [511:0] read_offsets
);
    logic [1:0] symbols_full, offsets_full;
    logic [STREAMS-1:0] symbols_overflow, offsets_overflow;
    assign full = symbols_full & offsets_full;
    assign overflow = symbols_overflow | offsets_overflow;
    stream_store #(
        .STREAMS(STREAMS),
        .ROWS(ROWS)
    ) symbols (
        .clk,
        .rst,
        .in_words(symbol_words),
        .in_data(symbol_data),
        .in_stream(symbol_stream),
        .in_finish(symbol_finish),
        .in_bits({1'b0, symbol_bits}),
        .full(symbols_full),
        .empty,
        .buffer,
        .bits(symbol_lengths),
        .overflow(symbols_overflow),
        .read_enable,
        .read_stream,
        .read_row(read_symbol_row),
        .read_data(read_symbols)
    );
    stream_store #(
        .STREAMS(STREAMS),
        .ROWS(ROWS)
    ) offsets (
        .clk,
        .rst,
        .in_words({1'b0, offset_word}),
        .in_data({offset_data, 32'd0}),
        .in_stream(offset_stream),
        .in_finish(offset_finish),
        .in_bits(offset_stream_bits),
        .full(offsets_full),
        .empty,
        .buffer,
        .bits(offset_lengths),
        .overflow(offsets_overflow),
        .read_enable,
        .read_stream,
        .read_row(read_offset_row),
        .read_data(read_offsets)
    );
endmodule
