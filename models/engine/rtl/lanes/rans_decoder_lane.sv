// A lane of the rANS decoder: states and words of 16 bits in, rows and what is left of their symbols out. It is clocked in
// slots like asc_decoder_lane; slots of a stream are STREAMS apart. The arithmetic is that of decode_rows()
// (models/codec/entropy/rans_rows.hpp): the lowest 10 bits of the state are in a row, state' = count * (state >> 10) + place in
// the row, and a state below 2^15 takes a word. No product has to be known before the row is.
//
//   stage 1  the table of the slot's class
//   then     STREAMS stages of the recurrence: row; product; word
//
// The word is asked for and taken in the last of them: words of a block are one stream, which rans_word_distributor hands to the
// lanes. Offsets are read behind the words, when all rows are known.
module rans_decoder_lane #(
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int STATE_BITS = 31,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [CLASSES*(ROWS+1)*COUNT_BITS-1:0] cumulative,  // see table_registers
    input logic enable,  // nothing moves when low
    input logic in_valid,
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_first,  // of its sub-stream: its state is in_state
    input logic [STATE_BITS-1:0] in_state,
    input logic [CLASS_BITS-1:0] in_class,
    output logic take,  // the word, in the same cycle
    input logic [15:0] word,
    output logic out_valid,
    output logic [STREAM_BITS-1:0] out_stream,
    output logic [3:0] out_row,
    output logic [STATE_BITS-1:0] out_state  // after the symbol
);
    // Stage 1.
    logic valid_1, first_1;
    logic [STREAM_BITS-1:0] stream_1;
    logic [STATE_BITS-1:0] begin_1;
    logic [(ROWS+1)*COUNT_BITS-1:0] bounds_1;
    always_ff @(posedge clk)
        if (rst) valid_1 <= 1'b0;
        else if (enable) begin
            valid_1 <= in_valid;
            first_1 <= in_first;
            stream_1 <= in_stream;
            begin_1 <= in_state;
            bounds_1 <= cumulative[(ROWS+1)*COUNT_BITS*in_class+:(ROWS+1)*COUNT_BITS];
        end

    // The row: the last whose begin is at most the slot.
    logic [STATE_BITS-1:0] state_1;
    logic [9:0] slot_1;
    logic [3:0] row_1;
    logic [COUNT_BITS-1:0] below_1, above_1, count_1;
    assign state_1 = valid_1 && first_1 ? begin_1 : out_state;
    assign slot_1 = state_1[9:0];
    always_comb begin
        row_1 = 4'd0;
        below_1 = bounds_1[0+:COUNT_BITS];
        above_1 = bounds_1[COUNT_BITS+:COUNT_BITS];
        for (int k = 1; k < ROWS; k = k + 1)
            if (bounds_1[COUNT_BITS*k+:COUNT_BITS] <= 11'(slot_1)) begin
                row_1 = 4'(k);
                below_1 = bounds_1[COUNT_BITS*k+:COUNT_BITS];
                above_1 = bounds_1[COUNT_BITS*(k+1)+:COUNT_BITS];
            end
    end
    assign count_1 = above_1 - below_1;

    localparam int LINE_BITS = 1 + STREAM_BITS + 4 + COUNT_BITS + 10 + STATE_BITS;
    logic [LINE_BITS-1:0] line_2;
    pipeline_stage #(
        .BITS(LINE_BITS),
        .REGISTERED(STREAMS > 1)
    ) search (
        .clk,
        .enable,
        .in_data({valid_1, stream_1, row_1, count_1, 10'(11'(slot_1) - below_1), state_1}),
        .out_data(line_2)
    );
    logic valid_2;
    logic [STREAM_BITS-1:0] stream_2;
    logic [3:0] row_2;
    logic [COUNT_BITS-1:0] count_2;
    logic [9:0] place_2;
    logic [STATE_BITS-1:0] state_2, product_2;
    assign {valid_2, stream_2, row_2, count_2, place_2, state_2} = line_2;
    // An empty slot keeps its state.
    assign product_2 = valid_2 ? STATE_BITS'(count_2) * STATE_BITS'(state_2[STATE_BITS-1:10]) : state_2;

    logic valid_3;
    logic [STREAM_BITS-1:0] stream_3;
    logic [3:0] row_3;
    logic [9:0] place_3;
    logic [STATE_BITS-1:0] product_3, sum_3, sum_4;
    pipeline_stage #(
        .BITS(1 + STREAM_BITS + 4 + 10 + STATE_BITS),
        .REGISTERED(STREAMS > 2)
    ) multiplication (
        .clk,
        .enable,
        .in_data({valid_2, stream_2, row_2, place_2, product_2}),
        .out_data({valid_3, stream_3, row_3, place_3, product_3})
    );
    assign sum_3 = product_3 + (valid_3 ? STATE_BITS'(place_3) : '0);
    logic valid_4;
    logic [STREAM_BITS-1:0] stream_4;
    logic [3:0] row_4;
    pipeline_stage #(
        .BITS(1 + STREAM_BITS + 4 + STATE_BITS),
        .REGISTERED(STREAMS > 2)
    ) addition (
        .clk,
        .enable,
        .in_data({valid_3, stream_3, row_3, sum_3}),
        .out_data({valid_4, stream_4, row_4, sum_4})
    );

    assign take = enable && valid_4 && sum_4[STATE_BITS-1:15] == 0;
    always_ff @(posedge clk)
        if (rst) out_valid <= 1'b0;
        else if (enable) begin
            out_valid <= valid_4;
            out_stream <= stream_4;
            out_row <= row_4;
            out_state <= take ? {sum_4[14:0], word} : sum_4;
        end
endmodule
