// Makes the table of a class of its 16 counts, as normalise() does (models/codec/table/table.hpp): each row has a share of
// 1 + floor(n * 1008 / sum) of 1024, and the largest, the first of equals, has what is left.
//
// Counts come one by one, row 0 first; entries 1 .. 16 of Table::cumulative leave one by one, as table_registers take
// them. No division is in the path of a lane: a quotient has 10 bits, and each divider finds one a cycle.
//
//   load    16 cycles: counts are kept and added up
//   divide  16 / DIVIDERS times 11 cycles: n * 1008, then a bit of the quotient in each
//   rank    16 cycles: the largest share, and the sum of all
//   write   16 cycles
//
// 16 counts that are all zero make no table: `empty` is high for a cycle instead.
module table_unit #(
    parameter int COUNT_BITS = 24,
    parameter int DIVIDERS = 1,  // rows that are divided at once: 1, 2, 4, 8 or 16
    localparam int ROWS = 16,
    localparam int SUM_BITS = COUNT_BITS + 4,
    localparam int QUOTIENT_BITS = 10,
    localparam int REST_BITS = COUNT_BITS + 4 + QUOTIENT_BITS
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic [COUNT_BITS-1:0] in_count,
    output logic out_valid,
    input logic out_ready,
    output logic [4:0] out_entry,
    output logic [10:0] out_count,
    output logic empty
);
    typedef enum logic [1:0] {
        LOAD,
        DIVIDE,
        RANK,
        WRITE
    } state_t;
    state_t state;
    logic [3:0] row;  // of loading, ranking and writing; of the first divider
    logic [3:0] bits_done;
    logic ends;
    assign ends = row == 4'(ROWS - 1);

    // Counts, the next to be divided at place 0; later the shares in their places.
    logic [ROWS*COUNT_BITS-1:0] counts;
    logic [ROWS*QUOTIENT_BITS-1:0] shares;
    logic [SUM_BITS-1:0] sum, sum_now;
    assign sum_now = (row == 0 ? '0 : sum) + SUM_BITS'(in_count);

    // A step: the rest is below sum * 1024; sum * 512 is taken from it where that is possible, and the remainder doubled.
    logic [DIVIDERS*QUOTIENT_BITS-1:0] quotients;
    for (genvar d = 0; d < DIVIDERS; d = d + 1) begin : g_divider
        logic [COUNT_BITS-1:0] count;
        logic [REST_BITS-1:0] rest;
        logic [SUM_BITS+1:0] high, less;
        logic [QUOTIENT_BITS-2:0] found;
        logic fits;
        assign count = counts[COUNT_BITS*d+:COUNT_BITS];
        assign high = {1'b0, rest[REST_BITS-1:QUOTIENT_BITS-1]};
        assign less = high - (SUM_BITS + 2)'(sum);
        assign fits = !less[SUM_BITS+1];
        assign quotients[QUOTIENT_BITS*d+:QUOTIENT_BITS] = {found, fits};
        always_ff @(posedge clk)
            if (bits_done == 0) begin
                rest <= (REST_BITS'(count) << 10) - (REST_BITS'(count) << 4);
                found <= '0;
            end else begin
                rest <= {fits ? less[SUM_BITS-1:0] : high[SUM_BITS-1:0], rest[QUOTIENT_BITS-2:0], 1'b0};
                found <= quotients[QUOTIENT_BITS*d+:QUOTIENT_BITS-1];
            end
    end
    logic divided;
    logic [DIVIDERS*QUOTIENT_BITS-1:0] new_shares;
    assign divided = bits_done == 4'(QUOTIENT_BITS);
    always_comb
        for (int d = 0; d < DIVIDERS; d = d + 1)
            new_shares[QUOTIENT_BITS*d+:QUOTIENT_BITS] = quotients[QUOTIENT_BITS*d+:QUOTIENT_BITS] + 1'b1;

    logic [QUOTIENT_BITS-1:0] share, most;
    logic [3:0] largest;
    logic [10:0] given, below;
    assign share = shares[QUOTIENT_BITS-1:0];
    assign in_ready = state == LOAD;
    assign out_valid = state == WRITE;
    assign out_entry = 5'(row) + 5'd1;
    assign out_count = below + 11'(share) + (row == largest ? 11'd1024 - given : 11'd0);

    always_ff @(posedge clk)
        if (rst) begin
            state <= LOAD;
            row <= '0;
            empty <= 1'b0;
        end else begin
            empty <= 1'b0;
            case (state)
                LOAD:
                if (in_valid) begin
                    counts <= {in_count, counts[ROWS*COUNT_BITS-1:COUNT_BITS]};
                    sum <= sum_now;
                    row <= row + 1'b1;
                    bits_done <= '0;
                    if (ends) begin
                        if (sum_now == 0) empty <= 1'b1;
                        else state <= DIVIDE;
                    end
                end
                DIVIDE: begin
                    bits_done <= divided ? '0 : bits_done + 1'b1;
                    if (divided) begin
                        counts <= counts >> (COUNT_BITS * DIVIDERS);
                        shares <= (ROWS * QUOTIENT_BITS)'({new_shares, shares} >> (QUOTIENT_BITS * DIVIDERS));
                        row <= 4'(32'(row) + DIVIDERS);
                        if (32'(row) + DIVIDERS == ROWS) state <= RANK;
                    end
                    most <= '0;
                    given <= '0;
                    below <= '0;
                end
                RANK: begin
                    if (share > most) begin
                        most <= share;
                        largest <= row;
                    end
                    given <= given + 11'(share);
                    shares <= {share, shares[ROWS*QUOTIENT_BITS-1:QUOTIENT_BITS]};
                    row <= row + 1'b1;
                    if (ends) state <= WRITE;
                end
                default:
                if (out_ready) begin
                    below <= out_count;
                    shares <= {share, shares[ROWS*QUOTIENT_BITS-1:QUOTIENT_BITS]};
                    row <= row + 1'b1;
                    if (ends) state <= LOAD;
                end
            endcase
        end
endmodule
