// Tables of an array of lanes: for each class, the counts of 1024 before each of 16 rows and up to the last. All lanes
// read them in each cycle, so they are registers and not SRAM.
module table_registers #(
    parameter int CLASSES = 1,
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    // One row of one class in each cycle: entry 0 .. 16 of Table::cumulative, of which entry 0 is always 0.
    input logic write_valid,
    input logic [CLASS_BITS-1:0] write_class,
    input logic [4:0] write_entry,
    input logic [COUNT_BITS-1:0] write_count,
    // Entry k of class c is at (c * 17 + k) * 11.
    output logic [CLASSES*(ROWS+1)*COUNT_BITS-1:0] cumulative
);
    always_ff @(posedge clk)
        if (write_valid && write_entry != 0)
            cumulative[(32'(write_class)*(ROWS+1)+32'(write_entry))*COUNT_BITS+:COUNT_BITS] <= write_count;

    for (genvar c = 0; c < CLASSES; c = c + 1) begin : g_class
        initial cumulative[c*(ROWS+1)*COUNT_BITS+:COUNT_BITS] = '0;
    end
endmodule
