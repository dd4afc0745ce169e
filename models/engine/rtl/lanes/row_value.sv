// The symbol at a place of a row: the inverse of row_locator (Table::value, models/codec/table/table.hpp).
module row_value #(
    parameter int LAYOUT = 0  // 0: magnitude, 1: ranges
) (
    input logic [3:0] row,
    input logic [31:0] offset,
    input logic [5:0] bits,  // of the offset
    input logic [5:0] width,  // of a symbol
    input logic [31:0] first,  // layout ranges: the lowest pattern of the row
    output logic [31:0] symbol
);
    logic [5:0] spare;
    assign spare = 6'd32 - width;
    // Two's complement of `width` bits.
    function automatic logic [31:0] extended(input logic [31:0] pattern, input logic [5:0] places);
        extended = $signed(pattern << places) >>> places;
    endfunction
    // In the other layout some of these decide nothing.
    // verilator lint_off UNUSEDSIGNAL
    logic unused;
    assign unused = ^{first, bits, row};
    // verilator lint_on UNUSEDSIGNAL
    if (LAYOUT == 0) begin : g_magnitude
        logic [31:0] half, size;
        logic negative;
        always_comb begin
            half = (32'd1 << row) >> 1;
            negative = (offset & half) != 0;
            size = offset | half;
            if (bits != {2'd0, row}) symbol = extended(offset, spare);
            else symbol = negative ? -size : size;
        end
    end else begin : g_ranges
        assign symbol = extended(first + offset, spare);
    end
endmodule
