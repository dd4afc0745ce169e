// Counts the rows of an array's symbols, each in its class, of which the next table is made: learn_rows() of layout
// magnitude (models/codec/learning/row_learning.hpp). A beat counts three edges after it was given. A counter that is full
// stays so.
module symbol_counts #(
    parameter int LANES = 4,
    parameter int CLASSES = 1,
    parameter int COUNT_BITS = 24,
    localparam int ROWS = 16,
    localparam int PLACES = LANES > 1 ? $clog2(LANES) + 1 : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    input logic [PLACES-1:0] in_count,  // symbols in the beat, from place 0 on
    input logic [32*LANES-1:0] in_symbols,
    input logic [CLASS_BITS*LANES-1:0] in_classes,  // not used with one class
    input logic clear,  // all counters are zero at the next edge, beats under way not counted
    input logic [CLASS_BITS-1:0] read_class,
    input logic [3:0] read_row,
    output logic [COUNT_BITS-1:0] read_count
);
    // The row of each symbol: the bits of its magnitude, at most 15.
    logic [LANES-1:0] valid_1;
    logic [4*LANES-1:0] rows_1;
    logic [CLASS_BITS*LANES-1:0] classes_1;
    always_ff @(posedge clk) classes_1 <= in_classes;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        logic [3:0] row;
        // verilator lint_off UNUSEDSIGNAL
        logic [31:0] offset;
        logic [5:0] bits;
        // verilator lint_on UNUSEDSIGNAL
        row_locator locator (
            .symbol(in_symbols[32*l+:32]),
            .width(6'd32),
            .first('0),
            .offset_bits('0),
            .row,
            .offset,
            .bits
        );
        always_ff @(posedge clk) begin
            valid_1[l] <= in_valid && !rst && !clear && l < 32'(in_count);
            rows_1[4*l+:4] <= row;
        end
    end

    logic [CLASSES*ROWS*COUNT_BITS-1:0] counters;
    for (genvar k = 0; k < CLASSES * ROWS; k = k + 1) begin : g_counter
        logic [PLACES-1:0] hits, more_2;
        always_comb begin
            hits = '0;
            for (int l = 0; l < LANES; l = l + 1)
                hits = hits + PLACES'(valid_1[l] && rows_1[4*l+:4] == 4'(k % ROWS) &&
                                      (CLASSES == 1 || 32'(classes_1[CLASS_BITS*l+:CLASS_BITS]) == k / ROWS));
        end
        logic [COUNT_BITS:0] next;
        assign next = {1'b0, counters[COUNT_BITS*k+:COUNT_BITS]} + (COUNT_BITS + 1)'(more_2);
        always_ff @(posedge clk)
            if (rst || clear) begin
                more_2 <= '0;
                counters[COUNT_BITS*k+:COUNT_BITS] <= '0;
            end else begin
                more_2 <= hits;
                counters[COUNT_BITS*k+:COUNT_BITS] <= next[COUNT_BITS] ? '1 : next[COUNT_BITS-1:0];
            end
    end
    assign read_count = counters[COUNT_BITS*(ROWS*32'(read_class)+32'(read_row))+:COUNT_BITS];
endmodule
