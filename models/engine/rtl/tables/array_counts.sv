// Counters of the rows of all symbols of an array: a set for each 16 lanes (symbol_counts), whose counts are added up when
// they are read.
module array_counts #(
    parameter int LANES = 4,
    parameter int CLASSES = 1,
    parameter int COUNT_BITS = 24,
    parameter int PLACES = $clog2(LANES + 1),  // bits of in_count
    localparam int GROUP = LANES < 16 ? LANES : 16,
    localparam int GROUPS = (LANES + GROUP - 1) / GROUP,
    localparam int PADDED = GROUPS * GROUP,
    localparam int GROUP_PLACES = GROUP > 1 ? $clog2(GROUP) + 1 : 1,
    localparam int SUM_BITS = COUNT_BITS + $clog2(GROUPS + 1),
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    input logic [PLACES-1:0] in_count,  // symbols in the beat, from place 0 on
    input logic [32*LANES-1:0] in_symbols,
    input logic [CLASS_BITS*LANES-1:0] in_classes,
    input logic clear,
    input logic [CLASS_BITS-1:0] read_class,
    input logic [3:0] read_row,
    output logic [COUNT_BITS-1:0] read_count  // the most that it can hold where there are more
);
    logic [32*PADDED-1:0] symbols;
    logic [CLASS_BITS*PADDED-1:0] classes;
    assign symbols = (32 * PADDED)'(in_symbols);
    assign classes = (CLASS_BITS * PADDED)'(in_classes);
    logic [GROUPS*COUNT_BITS-1:0] counts;
    for (genvar g = 0; g < GROUPS; g = g + 1) begin : g_group
        logic [31:0] rest;  // symbols of this group and those behind it
        assign rest = 32'(in_count) > GROUP * g ? 32'(in_count) - GROUP * g : 32'd0;
        symbol_counts #(
            .LANES(GROUP),
            .CLASSES(CLASSES),
            .COUNT_BITS(COUNT_BITS)
        ) group (
            .clk,
            .rst,
            .in_valid,
            .in_count(rest < GROUP ? GROUP_PLACES'(rest) : GROUP_PLACES'(GROUP)),
            .in_symbols(symbols[32*GROUP*g+:32*GROUP]),
            .in_classes(classes[CLASS_BITS*GROUP*g+:CLASS_BITS*GROUP]),
            .clear,
            .read_class,
            .read_row,
            .read_count(counts[COUNT_BITS*g+:COUNT_BITS])
        );
    end
    logic [SUM_BITS-1:0] sum;
    always_comb begin
        sum = '0;
        for (int g = 0; g < GROUPS; g = g + 1) sum = sum + SUM_BITS'(counts[COUNT_BITS*g+:COUNT_BITS]);
        read_count = |sum[SUM_BITS-1:COUNT_BITS] ? '1 : sum[COUNT_BITS-1:0];
    end
endmodule
