// Takes a table apart that came inside a block (inline_table_fields), and writes it as class 0 when the lanes are free of
// blocks before it: a row in each cycle.
module inline_table_loader #(
    parameter int LAYOUT = 0,
    localparam int ROWS = 16,
    localparam int BITS = LAYOUT == 0 ? 160 : 672
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    input logic in_valid,  // for a cycle, while there is none: `data` is a table
    input logic [BITS-1:0] data,  // byte k at bit 8k; stays until the table is written
    output logic fits,  // of `data`, two cycles after it came: counts add up to 1024, and patterns ascend from zero
    input logic go,  // lanes are free
    output logic waiting,  // a table is here and not all written
    output logic write_valid,
    output logic [4:0] write_entry,
    output logic [10:0] write_count,
    output logic [31:0] write_first,
    output logic [5:0] write_offset_bits
);
    logic [BITS-1:0] fields;
    for (genvar k = 0; k < BITS / 8; k = k + 1) begin : g_byte
        assign fields[BITS-1-8*k-:8] = data[8*k+:8];
    end
    logic [10*ROWS-1:0] counts;
    logic [32*ROWS-1:0] patterns;
    logic [ROWS-1:0] is_empty;
    for (genvar r = 0; r < ROWS; r = r + 1) begin : g_row
        assign is_empty[r] = width < 6'd4 && r >= (1 << width);
        if (LAYOUT == 0) begin : g_magnitude
            assign counts[10*r+:10] = fields[BITS-1-10*r-:10];
            assign patterns[32*r+:32] = '0;
        end else begin : g_ranges
            logic [BITS-1:0] at;
            assign at = fields << (r * (10 + 32'(width)));
            assign counts[10*r+:10] = at[BITS-1-:10];
            assign patterns[32*r+:32] = at[BITS-11-:32] >> (6'd32 - width);
            logic unused;
            assign unused = &{1'b0, at[BITS-43:0]};
        end
    end
    logic [14:0] sum, sum_1;
    logic ascends, ascends_1;
    always_comb begin
        sum = '0;
        ascends = LAYOUT == 0 || patterns[31:0] == 0;
        for (int r = 0; r < ROWS; r = r + 1) begin
            sum = sum + {5'd0, counts[10*r+:10]} + 15'd1;
            if (LAYOUT != 0 && r > 0) begin
                if (is_empty[r] ? patterns[32*r+:32] != 0 : patterns[32*r+:32] <= patterns[32*(r-1)+:32]) ascends = 1'b0;
            end
        end
    end
    always_ff @(posedge clk) begin
        sum_1 <= sum;
        ascends_1 <= ascends;
        fits <= sum_1 == 15'd1024 && ascends_1;
    end

    // The size of a row less one, from its first pattern and the next row's.
    logic [3:0] row, row_after;
    assign row_after = row + 4'd1;
    logic [10:0] total;
    logic [31:0] first, next_first, size;
    logic is_last;
    always_comb begin
        first = patterns[32*row+:32];
        is_last = row == 4'd15 || is_empty[row_after];
        next_first = is_last ? ~(32'hFFFFFFFF << width) : patterns[32*row_after+:32] - 32'd1;
        size = next_first - first;
        write_offset_bits = '0;
        for (int b = 0; b < 32; b = b + 1) if (size[b]) write_offset_bits = 6'(b + 1);
        if (is_empty[row]) write_offset_bits = '0;
    end
    assign write_valid = waiting && go;
    assign write_entry = {1'b0, row} + 5'd1;
    assign write_count = total + {1'b0, counts[10*row+:10]} + 11'd1;
    assign write_first = is_empty[row] ? 32'hFFFFFFFF : first;
    always_ff @(posedge clk)
        if (rst) begin
            waiting <= 1'b0;
            row <= '0;
            total <= '0;
        end else if (in_valid) begin
            waiting <= 1'b1;
            row <= '0;
            total <= '0;
        end else if (write_valid) begin
            row <= row + 1'b1;
            total <= write_count;
            if (row == 4'd15) waiting <= 1'b0;
        end
endmodule
