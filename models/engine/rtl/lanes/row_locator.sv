// The row of a symbol in its table, and its place in the row (Table::locate, models/codec/table/table.hpp).
// LAYOUT 0, magnitude: row k >= 1 holds 2^(k-1) <= |v| < 2^k, row 0 zero; row 15 is open-ended where symbols are wider than
// 16 bits, and its offset is then the whole symbol. LAYOUT 1, ranges: rows begin at the patterns of `first`, ascending.
module row_locator #(
    parameter int LAYOUT = 0
) (
    input logic [31:0] symbol,  // two's complement
    input logic [5:0] width,  // bits of the widest symbol, 1 .. 32
    input logic [16*32-1:0] first,  // layout ranges: the lowest pattern of each row, all ones for a row that is empty
    input logic [16*6-1:0] offset_bits,  // of each row
    output logic [3:0] row,
    output logic [31:0] offset,
    output logic [5:0] bits  // of the offset
);
    assign bits = offset_bits[6*row+:6];
    if (LAYOUT == 0) begin : g_magnitude
        logic [31:0] size;
        logic [5:0] length;
        logic open_ended;
        always_comb begin
            size = symbol[31] ? -symbol : symbol;
            length = 6'd0;
            for (int i = 0; i < 32; i = i + 1) if (size[i]) length = 6'(i + 1);
            open_ended = length >= 6'd15 && offset_bits[6*15+:6] != 6'd15;
            row = length >= 6'd15 ? 4'd15 : length[3:0];
            // The leading bit of `size` is at row - 1, where the offset has the sign.
            offset = size;
            if (length != 0) offset[5'(length - 6'd1)] = symbol[31];
            if (open_ended) offset = symbol & ~(32'hFFFFFFFF << width);
        end
        logic unused;
        assign unused = ^first;
    end else begin : g_ranges
        logic [31:0] pattern;
        always_comb begin
            pattern = symbol & ~(32'hFFFFFFFF << width);
            row = 4'd0;
            for (int k = 1; k < 16; k = k + 1) if (first[32*k+:32] <= pattern) row = 4'(k);
            offset = pattern - first[32*row+:32];
        end
    end
endmodule
