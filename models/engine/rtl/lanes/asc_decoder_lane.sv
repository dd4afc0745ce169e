// A lane of the decoder array: words of the symbol and offset streams of its sub-streams in, symbols out.
//
// The lane is clocked in slots, like asc_encoder_lane: a slot decodes a symbol of one stream, or nothing. Slots of a stream
// are STREAMS apart. The slot of a stream's first symbol has `in_first`.
//
//   stage 1     the table of the slot's class
//   then        STREAMS stages of the recurrence: products of the range with all bounds, their comparison with the code
//               (all rows at once: `search: flash`), and what the symbol does to the interval
//   two stages  the offset, and the symbol
//
// The arithmetic is that of ArithmeticDecoder (models/codec/entropy/arithmetic_coder.hpp): `ahead` is the code less the
// lower end of the interval.
module asc_decoder_lane #(
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // 0: magnitude, 1: ranges
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    // Of all lanes, and constant while a block is in them; see asc_encoder_lane.
    input logic [5:0] width,
    input logic [CLASSES*(ROWS+1)*COUNT_BITS-1:0] cumulative,
    input logic [CLASSES*ROWS*32-1:0] first_pattern,
    input logic [CLASSES*ROWS*6-1:0] offset_bits,
    input logic enable,  // nothing moves when low
    input logic in_valid,
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_first,
    input logic [CLASS_BITS-1:0] in_class,
    // Words of the stream that is asked for, in the same cycle; zeros behind its end.
    output logic [STREAM_BITS-1:0] symbol_stream,
    input logic [31:0] symbol_word,
    output logic symbol_take,
    output logic [STREAM_BITS-1:0] offset_stream,
    input logic [31:0] offset_word,
    output logic offset_take,
    output logic out_valid,
    output logic [31:0] out_symbol,
    output logic out_error  // the code is in no row: the stream is damaged
);
    // Stage 1.
    logic valid_1, first_1;
    logic [STREAM_BITS-1:0] stream_1;
    logic [CLASS_BITS-1:0] class_1;
    logic [(ROWS+1)*COUNT_BITS-1:0] bounds_1;
    always_ff @(posedge clk)
        if (rst) valid_1 <= 1'b0;
        else if (enable) begin
            valid_1 <= in_valid;
            first_1 <= in_first;
            stream_1 <= in_stream;
            class_1 <= in_class;
            bounds_1 <= cumulative[(ROWS+1)*COUNT_BITS*in_class+:(ROWS+1)*COUNT_BITS];
        end

    // The recurrence. The state of a stream comes back STREAMS cycles after it went in.
    logic begins;
    logic [15:0] low_state, low_1, ahead_state, ahead_1;
    logic [16:0] range_state, range_1;
    logic [62:0] shown_1;
    logic [5:0] fill_1;
    assign begins = valid_1 && first_1;
    assign low_1 = begins ? 16'd0 : low_state;
    assign range_1 = begins ? 17'h10000 : range_state;
    assign ahead_1 = begins ? shown_1[62:47] : ahead_state;
    assign symbol_stream = stream_1;

    // Products with all bounds, in 1/1024.
    logic [(ROWS+1)*28-1:0] products_1, products_2;
    for (genvar k = 0; k <= ROWS; k = k + 1) begin : g_product
        assign products_1[28*k+:28] = 28'(range_1) * 28'(bounds_1[COUNT_BITS*k+:COUNT_BITS]);
    end

    logic valid_2, first_2;
    logic [STREAM_BITS-1:0] stream_2;
    logic [CLASS_BITS-1:0] class_2;
    logic [15:0] low_2, ahead_2;
    logic [16:0] range_2;
    logic [62:0] shown_2;
    logic [5:0] fill_2;
    if (STREAMS > 2) begin : g_product_register
        always_ff @(posedge clk)
            if (rst) valid_2 <= 1'b0;
            else if (enable) begin
                valid_2 <= valid_1;
                first_2 <= first_1;
                stream_2 <= stream_1;
                class_2 <= class_1;
                low_2 <= low_1;
                ahead_2 <= ahead_1;
                range_2 <= range_1;
                shown_2 <= shown_1;
                fill_2 <= fill_1;
                products_2 <= products_1;
            end
    end else begin : g_product_wire
        assign valid_2 = valid_1;
        assign first_2 = first_1;
        assign stream_2 = stream_1;
        assign class_2 = class_1;
        assign low_2 = low_1;
        assign ahead_2 = ahead_1;
        assign range_2 = range_1;
        assign shown_2 = shown_1;
        assign fill_2 = fill_1;
        assign products_2 = products_1;
    end

    // The last row whose bound, rounded down, is at most `ahead`: range * bound < (ahead + 1) * 1024.
    logic [3:0] row_2;
    logic [16:0] start_2, stop_2;
    logic [27:0] limit_2;
    logic outside_2;
    assign limit_2 = {1'b0, 17'(ahead_2) + 17'd1, 10'd0};
    assign outside_2 = products_2[28*ROWS+:28] < limit_2;
    always_comb begin
        row_2 = 4'd0;
        start_2 = 17'd0;
        stop_2 = products_2[28+10+:17];
        for (int k = 1; k < ROWS; k = k + 1)
            if (products_2[28*k+:28] < limit_2) begin
                row_2 = 4'(k);
                start_2 = products_2[28*k+10+:17];
                stop_2 = products_2[28*(k+1)+10+:17];
            end
        if (!valid_2 || outside_2) begin  // an empty slot changes nothing, and a damaged stream must not run away
            start_2 = 17'd0;
            stop_2 = range_2;
        end
    end

    logic valid_3, first_3, outside_3;
    logic [STREAM_BITS-1:0] stream_3;
    logic [CLASS_BITS-1:0] class_3;
    logic [3:0] row_3;
    logic [15:0] low_3, ahead_3, beyond_3;
    logic [16:0] start_3, stop_3;
    logic [62:0] shown_3;
    logic [5:0] fill_3;
    if (STREAMS > 1) begin : g_row_register
        always_ff @(posedge clk)
            if (rst) valid_3 <= 1'b0;
            else if (enable) begin
                valid_3 <= valid_2;
                first_3 <= first_2;
                outside_3 <= outside_2;
                stream_3 <= stream_2;
                class_3 <= class_2;
                row_3 <= row_2;
                low_3 <= low_2;
                ahead_3 <= ahead_2;
                start_3 <= start_2;
                stop_3 <= stop_2;
                shown_3 <= shown_2;
                fill_3 <= fill_2;
            end
    end else begin : g_row_wire
        assign valid_3 = valid_2;
        assign first_3 = first_2;
        assign outside_3 = outside_2;
        assign stream_3 = stream_2;
        assign class_3 = class_2;
        assign row_3 = row_2;
        assign low_3 = low_2;
        assign ahead_3 = ahead_2;
        assign start_3 = start_2;
        assign stop_3 = stop_2;
        assign shown_3 = shown_2;
        assign fill_3 = fill_2;
    end

    assign beyond_3 = ahead_3 - start_3[15:0];
    localparam int INSIDE = STREAMS == 4 ? 1 : 0;  // registers in interval_update
    // The encoder's: what leaves it.
    // verilator lint_off UNUSEDSIGNAL
    logic [4:0] settled;
    logic [15:0] leading;
    // verilator lint_on UNUSEDSIGNAL
    logic [4:0] shift;
    logic [15:0] next_low;
    logic [16:0] next_range;
    interval_update #(
        .STAGES(INSIDE + 1)
    ) update (
        .clk,
        .enable,
        .low(low_3),
        .start(start_3),
        .stop(stop_3),
        .settled,
        .leading,
        .shift,
        .next_low,
        .next_range
    );
    logic valid_4, first_4, outside_4;
    logic [STREAM_BITS-1:0] stream_4;
    logic [CLASS_BITS-1:0] class_4;
    logic [3:0] row_4;
    logic [15:0] beyond_4;
    logic [62:0] shown_4;
    logic [5:0] fill_4;
    if (INSIDE > 0) begin : g_ends_register
        always_ff @(posedge clk)
            if (rst) valid_4 <= 1'b0;
            else if (enable) begin
                valid_4 <= valid_3;
                first_4 <= first_3;
                outside_4 <= outside_3;
                stream_4 <= stream_3;
                class_4 <= class_3;
                row_4 <= row_3;
                beyond_4 <= beyond_3;
                shown_4 <= shown_3;
                fill_4 <= fill_3;
            end
    end else begin : g_ends_wire
        assign valid_4 = valid_3;
        assign first_4 = first_3;
        assign outside_4 = outside_3;
        assign stream_4 = stream_3;
        assign class_4 = class_3;
        assign row_4 = row_3;
        assign beyond_4 = beyond_3;
        assign shown_4 = shown_3;
        assign fill_4 = fill_3;
    end

    // The distance to the lower end doubles with the interval, and takes as many bits of the stream. The first symbol has
    // taken 16 before.
    logic [15:0] next_bits;
    assign next_bits = first_4 ? shown_4[46:31] : shown_4[62:47];
    always_ff @(posedge clk)
        if (enable) begin
            low_state <= next_low;
            range_state <= next_range;
            ahead_state <= 16'({beyond_4, next_bits} >> (5'd16 - shift));
        end
    stream_reader #(
        .STREAMS(STREAMS)
    ) symbols (
        .clk,
        .enable,
        .visit(valid_1),
        .visit_stream(stream_1),
        .visit_first(first_1),
        .word(symbol_word),
        .take(symbol_take),
        .shown(shown_1),
        .shown_fill(fill_1),
        .leave(valid_4),
        .leave_stream(stream_4),
        .leave_shown(shown_4),
        .leave_fill(fill_4),
        .consumed({1'b0, shift} + (first_4 ? 6'd16 : 6'd0))
    );

    // The offset of the row.
    logic valid_5, first_5, outside_5;
    logic [STREAM_BITS-1:0] stream_5;
    logic [3:0] row_5;
    logic [5:0] bits_5;
    logic [31:0] pattern_5;
    always_ff @(posedge clk)
        if (rst) valid_5 <= 1'b0;
        else if (enable) begin
            valid_5 <= valid_4;
            first_5 <= first_4;
            outside_5 <= outside_4;
            stream_5 <= stream_4;
            row_5 <= row_4;
            bits_5 <= offset_bits[6*(ROWS*32'(class_4)+32'(row_4))+:6];
            pattern_5 <= first_pattern[32*(ROWS*32'(class_4)+32'(row_4))+:32];
        end
    logic [62:0] shown_5;
    logic [5:0] fill_5;
    assign offset_stream = stream_5;
    stream_reader #(
        .STREAMS(STREAMS)
    ) offsets (
        .clk,
        .enable,
        .visit(valid_5),
        .visit_stream(stream_5),
        .visit_first(first_5),
        .word(offset_word),
        .take(offset_take),
        .shown(shown_5),
        .shown_fill(fill_5),
        .leave(valid_5),
        .leave_stream(stream_5),
        .leave_shown(shown_5),
        .leave_fill(fill_5),
        .consumed(bits_5)
    );

    // The symbol.
    logic valid_6, outside_6;
    logic [3:0] row_6;
    logic [5:0] bits_6;
    logic [31:0] pattern_6, offset_6, symbol;
    always_ff @(posedge clk)
        if (rst) valid_6 <= 1'b0;
        else if (enable) begin
            valid_6 <= valid_5;
            outside_6 <= outside_5;
            row_6 <= row_5;
            bits_6 <= bits_5;
            pattern_6 <= pattern_5;
            offset_6 <= bits_5 == 0 ? 32'd0 : shown_5[62:31] >> (6'd32 - bits_5);
        end
    row_value #(
        .LAYOUT(LAYOUT)
    ) value (
        .row(row_6),
        .offset(offset_6),
        .bits(bits_6),
        .width,
        .first(pattern_6),
        .symbol
    );
    always_ff @(posedge clk)
        if (rst) out_valid <= 1'b0;
        else if (enable) begin
            out_valid <= valid_6;
            out_symbol <= symbol;
            out_error <= outside_6;
        end
endmodule
