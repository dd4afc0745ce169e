// Rows of the tables of an array of lanes in layout ranges: where each begins, and the bits of its offsets. They are written
// with the counts (table_registers), row k with entry k + 1.
module range_registers #(
    parameter int CLASSES = 1,
    localparam int ROWS = 16,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic write_valid,
    input logic [CLASS_BITS-1:0] write_class,
    input logic [4:0] write_entry,  // 1 .. 16
    input logic [31:0] write_first,  // the lowest pattern of the row; all ones for an empty row
    input logic [5:0] write_offset_bits,
    // Row r of class c is at place c * 16 + r.
    output logic [CLASSES*ROWS*32-1:0] first_pattern,
    output logic [CLASSES*ROWS*6-1:0] offset_bits
);
    logic [4:0] row;
    assign row = write_entry - 5'd1;
    always_ff @(posedge clk)
        if (write_valid && write_entry != 0) begin
            first_pattern[(32'(write_class)*ROWS+32'(row))*32+:32] <= write_first;
            offset_bits[(32'(write_class)*ROWS+32'(row))*6+:6] <= write_offset_bits;
        end
endmodule
