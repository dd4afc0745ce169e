// The table of class 0 as it travels inside a block (models/codec/message/inline_table.hpp): for each row its count less one
// in 10 bits, and in layout ranges the lowest pattern at `width` bits, the first bit highest.
module inline_table_fields #(
    parameter int LAYOUT = 0,
    localparam int ROWS = 16,
    localparam int BITS = LAYOUT == 0 ? 160 : 672
) (
    input logic [5:0] width,
    input logic [(ROWS+1)*11-1:0] cumulative,
    input logic [ROWS*32-1:0] first_pattern,
    output logic [BITS-1:0] data,  // zeros behind its bytes; byte k at bit 8k
    output logic [6:0] bytes
);
    logic [BITS-1:0] fields;
    logic [10:0] count;
    logic [31:0] pattern;
    always_comb begin
        fields = '0;
        count = '0;
        pattern = '0;
        for (int r = 0; r < ROWS; r = r + 1) begin
            count = cumulative[11*(r+1)+:11] - cumulative[11*r+:11] - 11'd1;
            if (LAYOUT == 0) fields = fields | ({count[9:0], {(BITS - 10) {1'b0}}} >> (10 * r));
            else begin
                // A row without patterns, of which only tables of fewer than 16 have any, is sent as zero.
                pattern = width >= 6'd4 || r < (1 << width) ? first_pattern[32*r+:32] << (6'd32 - width) : '0;
                fields = fields | ({count[9:0], pattern, {(BITS - 42) {1'b0}}} >> (r * (10 + 32'(width))));
            end
        end
    end
    for (genvar k = 0; k < BITS / 8; k = k + 1) begin : g_byte
        assign data[8*k+:8] = fields[BITS-1-8*k-:8];
    end
    assign bytes = 7'd20 + (LAYOUT == 0 ? 7'd0 : {width, 1'b0});
    logic unused;
    assign unused = &{1'b0, width, first_pattern, count[10]};
endmodule
