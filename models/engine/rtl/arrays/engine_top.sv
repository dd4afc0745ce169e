// The compression engine of a NIC: an encoder array, and a decoder array with its adders, which work independently. Ports
// are those of encoder_array and decoder_array, with `encode_` and `decode_` before their names. In layout magnitude the
// rows of all symbols are counted, and the table unit makes a table of such counts. Where tables and counts are kept between
// two AllReduces, SRAM or GPU memory, is outside.
//
// With one stream and the default wire stages it has the latencies of the model (encode_latency, decode_latency): 12 cycles
// from the last symbols of a block to the beat of its first chunk, 18 from its last beat to its last sums, the slots aside.
module engine_top #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,
    parameter int ROWS = 16,
    parameter int DEPTH = 4,
    parameter int ENCODER_WIRE_STAGES = 0,
    parameter int DECODER_WIRE_STAGES = 5,
    parameter int COUNT_BITS = 24,  // of the counters of rows
    parameter int DIVIDERS = 1,  // of the table unit
    localparam int SUB_BITS = $clog2(LANES * STREAMS + 1),
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] encode_width,
    input logic [5:0] encode_table_width,
    input logic encode_table_write_valid,
    input logic [5:0] decode_width,
    input logic [5:0] decode_table_width,
    input logic decode_table_write_valid,
    input logic [CLASS_BITS-1:0] table_write_class,  // of either
    input logic [4:0] table_write_entry,
    input logic [10:0] table_write_count,
    input logic [31:0] table_write_first,
    input logic [5:0] table_write_offset_bits,
    input logic encode_block_valid,
    output logic encode_block_ready,
    input logic [95:0] encode_block_header,
    input logic [SUB_BITS-1:0] encode_block_sub_streams,
    input logic [14:0] encode_block_slots,
    input logic encode_in_valid,
    output logic encode_in_ready,
    input logic [32*LANES-1:0] encode_in_symbols,
    input logic [CLASS_BITS*LANES-1:0] encode_in_classes,
    output logic encode_refused,
    output logic [511:0] encode_tdata,
    output logic [63:0] encode_tkeep,
    output logic encode_tvalid,
    input logic encode_tready,
    output logic encode_tlast,
    input logic decode_block_valid,
    output logic decode_block_ready,
    input logic [95:0] decode_block_header,
    input logic [SUB_BITS-1:0] decode_block_sub_streams,
    input logic [14:0] decode_block_slots,
    input logic [511:0] decode_tdata,
    input logic [63:0] decode_tkeep,
    input logic decode_tvalid,
    output logic decode_tready,
    input logic decode_tlast,
    input logic decode_class_valid,
    output logic decode_class_ready,
    input logic [CLASS_BITS*LANES-1:0] decode_in_classes,
    input logic decode_local_valid,
    output logic decode_local_ready,
    input logic [32*LANES-1:0] decode_local_values,
    output logic decode_out_valid,
    input logic decode_out_ready,
    output logic [SUB_BITS-1:0] decode_out_count,
    output logic decode_out_last,
    output logic [32*LANES-1:0] decode_out_sums,
    output logic decode_loaded,
    output logic decode_error,
    // Counters of the symbols that went into the encoder and came out of the decoder, see array_counts.
    input logic encode_counts_clear,
    input logic decode_counts_clear,
    input logic [CLASS_BITS-1:0] counts_class,  // that is read
    input logic [3:0] counts_row,
    output logic [COUNT_BITS-1:0] encode_count,
    output logic [COUNT_BITS-1:0] decode_count,
    // The table unit.
    input logic make_valid,
    output logic make_ready,
    input logic [COUNT_BITS-1:0] make_count,
    output logic made_valid,
    input logic made_ready,
    output logic [4:0] made_entry,
    output logic [10:0] made_count,
    output logic made_empty
);
    logic [SUB_BITS-1:0] encode_in_count, decode_symbols_count;
    logic decode_symbols_valid;
    logic [32*LANES-1:0] decode_symbols;
    logic [CLASS_BITS*LANES-1:0] decode_classes;
    encoder_array #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .CLASSES(CLASSES),
        .LAYOUT(LAYOUT),
        .ROWS(ROWS),
        .DEPTH(DEPTH),
        .WIRE_STAGES(ENCODER_WIRE_STAGES)
    ) encoder (
        .clk,
        .rst,
        .width(encode_width),
        .table_width(encode_table_width),
        .table_write_valid(encode_table_write_valid),
        .table_write_class,
        .table_write_entry,
        .table_write_count,
        .table_write_first,
        .table_write_offset_bits,
        .block_valid(encode_block_valid),
        .block_ready(encode_block_ready),
        .block_header(encode_block_header),
        .block_sub_streams(encode_block_sub_streams),
        .block_slots(encode_block_slots),
        .in_valid(encode_in_valid),
        .in_ready(encode_in_ready),
        .in_symbols(encode_in_symbols),
        .in_classes(encode_in_classes),
        .in_count(encode_in_count),
        .refused(encode_refused),
        .tdata(encode_tdata),
        .tkeep(encode_tkeep),
        .tvalid(encode_tvalid),
        .tready(encode_tready),
        .tlast(encode_tlast)
    );
    decoder_array #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .CLASSES(CLASSES),
        .LAYOUT(LAYOUT),
        .ROWS(ROWS),
        .WIRE_STAGES(DECODER_WIRE_STAGES)
    ) decoder (
        .clk,
        .rst,
        .width(decode_width),
        .table_width(decode_table_width),
        .table_write_valid(decode_table_write_valid),
        .table_write_class,
        .table_write_entry,
        .table_write_count,
        .table_write_first,
        .table_write_offset_bits,
        .block_valid(decode_block_valid),
        .block_ready(decode_block_ready),
        .block_header(decode_block_header),
        .block_sub_streams(decode_block_sub_streams),
        .block_slots(decode_block_slots),
        .tdata(decode_tdata),
        .tkeep(decode_tkeep),
        .tvalid(decode_tvalid),
        .tready(decode_tready),
        .tlast(decode_tlast),
        .class_valid(decode_class_valid),
        .class_ready(decode_class_ready),
        .in_classes(decode_in_classes),
        .local_valid(decode_local_valid),
        .local_ready(decode_local_ready),
        .local_values(decode_local_values),
        .out_valid(decode_out_valid),
        .out_ready(decode_out_ready),
        .out_count(decode_out_count),
        .out_last(decode_out_last),
        .out_sums(decode_out_sums),
        .symbols_valid(decode_symbols_valid),
        .symbols_count(decode_symbols_count),
        .out_symbols(decode_symbols),
        .out_classes(decode_classes),
        .loaded(decode_loaded),
        .error(decode_error)
    );
    if (LAYOUT == 0) begin : g_learning
        array_counts #(
            .LANES(LANES),
            .CLASSES(CLASSES),
            .COUNT_BITS(COUNT_BITS),
            .PLACES(SUB_BITS)
        ) encoded (
            .clk,
            .rst,
            .in_valid(encode_in_valid && encode_in_ready),
            .in_count(encode_in_count),
            .in_symbols(encode_in_symbols),
            .in_classes(encode_in_classes),
            .clear(encode_counts_clear),
            .read_class(counts_class),
            .read_row(counts_row),
            .read_count(encode_count)
        );
        array_counts #(
            .LANES(LANES),
            .CLASSES(CLASSES),
            .COUNT_BITS(COUNT_BITS),
            .PLACES(SUB_BITS)
        ) decoded (
            .clk,
            .rst,
            .in_valid(decode_symbols_valid),
            .in_count(decode_symbols_count),
            .in_symbols(decode_symbols),
            .in_classes(decode_classes),
            .clear(decode_counts_clear),
            .read_class(counts_class),
            .read_row(counts_row),
            .read_count(decode_count)
        );
        table_unit #(
            .COUNT_BITS(COUNT_BITS),
            .DIVIDERS(DIVIDERS)
        ) tables (
            .clk,
            .rst,
            .in_valid(make_valid),
            .in_ready(make_ready),
            .in_count(make_count),
            .out_valid(made_valid),
            .out_ready(made_ready),
            .out_entry(made_entry),
            .out_count(made_count),
            .empty(made_empty)
        );
    end else begin : g_profiled  // its tables are searched for by software
        assign {encode_count, decode_count} = '0;
        assign {make_ready, made_valid, made_entry, made_count, made_empty} = '0;
        logic unused;
        assign unused = &{1'b0, encode_counts_clear, decode_counts_clear, counts_class, counts_row, make_valid, make_count,
                          made_ready, encode_in_count, decode_symbols_valid, decode_symbols_count, decode_symbols,
                          decode_classes};
    end
endmodule
