// The tables of the decoder array: written through the ports of table_bank, or, that of class 0, brought by a block
// (inline_table_loader).
module loadable_tables #(
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,
    localparam int ROWS = 16,
    localparam int BITS = LAYOUT == 0 ? 160 : 672,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    input logic [5:0] table_width,
    input logic write_valid,  // see table_bank
    input logic [CLASS_BITS-1:0] write_class,
    input logic [4:0] write_entry,
    input logic [10:0] write_count,
    input logic [31:0] write_first,
    input logic [5:0] write_offset_bits,
    input logic comes,  // see inline_table_loader
    input logic [BITS-1:0] data,
    output logic fits,
    input logic loads,  // lanes are free
    output logic waits,
    output logic [CLASSES*(ROWS+1)*11-1:0] cumulative,
    output logic [CLASSES*ROWS*32-1:0] first_pattern,
    output logic [CLASSES*ROWS*6-1:0] offset_bits
);
    logic brought_valid;
    logic [4:0] brought_entry;
    logic [10:0] brought_count;
    logic [31:0] brought_first;
    logic [5:0] brought_offset_bits;
    inline_table_loader #(
        .LAYOUT(LAYOUT)
    ) loader (
        .clk,
        .rst,
        .width,
        .in_valid(comes),
        .data,
        .fits,
        .go(loads),
        .waiting(waits),
        .write_valid(brought_valid),
        .write_entry(brought_entry),
        .write_count(brought_count),
        .write_first(brought_first),
        .write_offset_bits(brought_offset_bits)
    );
    table_bank #(
        .CLASSES(CLASSES),
        .LAYOUT(LAYOUT)
    ) bank (
        .clk,
        .table_width,
        .write_valid(write_valid || brought_valid),
        .write_class(brought_valid ? '0 : write_class),
        .write_entry(brought_valid ? brought_entry : write_entry),
        .write_count(brought_valid ? brought_count : write_count),
        .write_first(brought_valid ? brought_first : write_first),
        .write_offset_bits(brought_valid ? brought_offset_bits : write_offset_bits),
        .cumulative,
        .first_pattern,
        .offset_bits
    );
endmodule
