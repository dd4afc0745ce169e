// The recurrence of the arithmetic coder: what one symbol does to a coding interval (CodingInterval::narrow,
// models/codec/entropy/arithmetic_coder.hpp; Witten, Neal and Cleary, CACM 30(6), 1987). The interval is its lower end and
// its range, 0x4001 .. 0x10000 between symbols; widening doubles both, so that the upper end is never stored.
//
// STAGES: cycles from an interval to the next of the same stream. The last of them ends in the register of whoever holds
// the interval; the others are here. STAGES interleaved streams keep it busy: 1, 2 or 4.
module interval_update #(
    parameter int STAGES = 1
) (
    // With one stage there is no register here.
    // verilator lint_off UNUSEDSIGNAL
    input logic clk,
    input logic enable,
    // verilator lint_on UNUSEDSIGNAL
    input logic [15:0] low,
    input logic [16:0] start,  // of the symbol's part of the range, and its end: products of the range, in 1/1024
    input logic [16:0] stop,
    output logic [4:0] settled,  // leading bits that both ends share, 0 .. 16
    output logic [15:0] leading,  // those bits, from the highest place on; the rest is void
    output logic [4:0] shift,  // places by which the interval was widened: settled, and new underflow
    output logic [15:0] next_low,
    output logic [16:0] next_range
);
    function automatic logic [4:0] leading_zeros(input logic [15:0] pattern);
        leading_zeros = 5'd16;
        for (int i = 0; i < 16; i = i + 1) if (pattern[i]) leading_zeros = 5'(15 - i);
    endfunction

    // Both ends of the part.
    logic [15:0] part_low, part_high;
    logic [16:0] part_range;
    assign part_low = low + start[15:0];
    assign part_high = low + stop[15:0] - 16'd1;
    assign part_range = stop - start;

    logic [15:0] low_1, high_1;
    logic [16:0] range_1;
    if (STAGES > 1) begin : g_ends_register
        always_ff @(posedge clk)
            if (enable) begin
                low_1 <= part_low;
                high_1 <= part_high;
                range_1 <= part_range;
            end
    end else begin : g_ends
        assign low_1 = part_low;
        assign high_1 = part_high;
        assign range_1 = part_range;
    end

    // Leading bits that are equal settle.
    logic [4:0] settled_1;
    logic [15:0] straddle_1;
    assign settled_1 = leading_zeros(low_1 ^ high_1);
    assign straddle_1 = low_1 & ~high_1;

    logic [15:0] low_2, straddle_2;
    logic [16:0] range_2;
    logic [4:0] settled_2;
    if (STAGES > 2) begin : g_settled_register
        always_ff @(posedge clk)
            if (enable) begin
                low_2 <= low_1;
                range_2 <= range_1;
                settled_2 <= settled_1;
                straddle_2 <= straddle_1;
            end
    end else begin : g_settled
        assign low_2 = low_1;
        assign range_2 = range_1;
        assign settled_2 = settled_1;
        assign straddle_2 = straddle_1;
    end

    // Behind the first place in which they differ: places with low 1 and high 0 are underflow.
    logic [15:0] behind;
    assign behind = ~(straddle_2 << (settled_2 + 5'd1));
    assign shift = settled_2 + leading_zeros(behind);
    assign settled = settled_2;
    assign leading = low_2;

    assign next_low = (low_2 << shift) & 16'h7FFF;
    assign next_range = range_2 << shift;
endmodule
