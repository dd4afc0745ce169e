// Tables of an array of lanes: counts, and what a row holds, which in layout magnitude follows from the width.
module table_bank #(
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // 0: magnitude, 1: ranges
    localparam int ROWS = 16,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic [5:0] table_width,  // bits of the widest symbol that the tables can code
    input logic write_valid,  // see table_registers and range_registers
    input logic [CLASS_BITS-1:0] write_class,
    input logic [4:0] write_entry,
    input logic [10:0] write_count,
    input logic [31:0] write_first,
    input logic [5:0] write_offset_bits,
    output logic [CLASSES*(ROWS+1)*11-1:0] cumulative,
    output logic [CLASSES*ROWS*32-1:0] first_pattern,
    output logic [CLASSES*ROWS*6-1:0] offset_bits
);
    table_registers #(
        .CLASSES(CLASSES)
    ) counts (
        .clk,
        .write_valid,
        .write_class,
        .write_entry,
        .write_count,
        .cumulative
    );
    if (LAYOUT == 0) begin : g_magnitude
        assign first_pattern = '0;
        for (genvar k = 0; k < CLASSES * ROWS; k = k + 1) begin : g_offset_bits
            // Of row r, r bits; the last row is open-ended above 16 bits.
            assign offset_bits[6*k+:6] = k % ROWS == 15 && table_width > 16 ? table_width : 6'(k % ROWS);
        end
        logic unused;
        assign unused = &{1'b0, write_first, write_offset_bits};
    end else begin : g_ranges
        range_registers #(
            .CLASSES(CLASSES)
        ) ranges (
            .clk,
            .write_valid,
            .write_class,
            .write_entry,
            .write_first,
            .write_offset_bits,
            .first_pattern,
            .offset_bits
        );
        logic unused;
        assign unused = &{1'b0, table_width};
    end
endmodule
