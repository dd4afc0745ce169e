// A lane of the decoder array with the buffers of its streams, symbols and offsets, for two blocks.
module buffered_decoder_lane #(
    parameter int STREAMS = 1,
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,
    parameter int ROWS = 16,
    localparam int TABLE_ROWS = 16,
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] table_width,
    input logic [CLASSES*(TABLE_ROWS+1)*11-1:0] cumulative,
    input logic [CLASSES*TABLE_ROWS*32-1:0] first_pattern,
    input logic [CLASSES*TABLE_ROWS*6-1:0] offset_bits,
    // Rows from block_unpacker for this lane.
    input logic write_symbols,
    input logic write_offsets,
    input logic write_place,
    input logic write_buffer,
    input logic [STREAM_BITS-1:0] write_stream,
    input logic [ROW_BITS-1:0] write_symbol_row,
    input logic [ROW_BITS-1:0] write_offset_row,
    input logic [511:0] write_data,
    input logic [5:0] write_begin,
    input logic [16:0] write_symbol_bytes,
    input logic [16:0] write_offset_bytes,
    input logic [1:0] loaded,  // halves whose block is here
    output logic [1:0] primed,  // halves whose first words are ready
    input logic symbol_half,  // of the slot that takes symbol words
    input logic offset_half,  // of the slot that takes offset words
    input logic symbol_prefer,  // half that is filled first
    input logic offset_prefer,
    // A slot, see asc_decoder_lane.
    input logic enable,
    input logic in_valid,
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_first,
    input logic [CLASS_BITS-1:0] in_class,
    output logic [31:0] out_symbol,
    output logic out_error,
    output logic missing  // a word was asked for that is not there
);
    logic symbol_take, offset_take, symbols_missing, offsets_missing, valid, outside;
    logic [STREAM_BITS-1:0] symbol_stream, offset_stream;
    logic [31:0] symbol_word, offset_word;
    logic [1:0] symbols_primed, offsets_primed;
    assign primed = symbols_primed & offsets_primed;
    assign missing = (symbol_take && symbols_missing) || (offset_take && offsets_missing);
    assign out_error = valid && outside;
    stream_prefetch #(
        .STREAMS(STREAMS),
        .ROWS(ROWS)
    ) symbols (
        .clk,
        .rst,
        .write_enable(write_symbols),
        .write_buffer,
        .write_stream,
        .write_row(write_symbol_row),
        .write_data,
        .place_enable(write_place),
        .place_begin(6'd0),
        .place_bytes(write_symbol_bytes),
        .loaded,
        .primed(symbols_primed),
        .prefer(symbol_prefer),
        .take_stream(symbol_stream),
        .take_buffer(symbol_half),
        .take(symbol_take),
        .word(symbol_word),
        .missing(symbols_missing)
    );
    stream_prefetch #(
        .STREAMS(STREAMS),
        .ROWS(ROWS)
    ) offsets (
        .clk,
        .rst,
        .write_enable(write_offsets),
        .write_buffer,
        .write_stream,
        .write_row(write_offset_row),
        .write_data,
        .place_enable(write_place),
        .place_begin(write_begin),
        .place_bytes(write_offset_bytes),
        .loaded,
        .primed(offsets_primed),
        .prefer(offset_prefer),
        .take_stream(offset_stream),
        .take_buffer(offset_half),
        .take(offset_take),
        .word(offset_word),
        .missing(offsets_missing)
    );
    asc_decoder_lane #(
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
        .enable,
        .in_valid,
        .in_stream,
        .in_first,
        .in_class,
        .symbol_stream,
        .symbol_word,
        .symbol_take,
        .offset_stream,
        .offset_word,
        .offset_take,
        .out_valid(valid),
        .out_symbol,
        .out_error(outside)
    );
endmodule
