// A lane of the rANS encoder: symbols in, the last of a sub-stream first, words of 16 bits and the offsets of rows out. It is
// clocked in slots like asc_encoder_lane; slots of a stream are STREAMS apart. The arithmetic is that of encode_rows()
// (models/codec/entropy/rans_rows.hpp): a state that is too large for the row gives a word first, and
// state' = state + below + floor(state / count) * (1024 - count), where the division is a multiplication by `factors`.
//
//   stage 1  the row of the symbol and its offset, which leaves
//   stage 2  count, reciprocal and limit of the row, in the table of its class
//   then     STREAMS stages of the recurrence: word and product; quotient and product
//
// Nothing holds it up. Words of all lanes become one stream outside, read from its end, and offsets another.
module rans_encoder_lane #(
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // 0: magnitude, 1: ranges
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int STATE_BITS = 31,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    // Of all lanes, and constant while a block is in them.
    input logic [5:0] width,
    input logic [CLASSES*(ROWS+1)*COUNT_BITS-1:0] cumulative,  // see table_registers
    input logic [CLASSES*ROWS*32-1:0] first_pattern,  // see row_locator
    input logic [CLASSES*ROWS*6-1:0] offset_bits,
    input logic [CLASSES*ROWS*32-1:0] factors,  // of the counts of rows, see Reciprocal
    input logic [CLASSES*ROWS*4-1:0] shifts,
    input logic in_valid,
    input logic [STREAM_BITS-1:0] in_stream,  // the number of the slot modulo STREAMS
    input logic in_first,  // of its sub-stream: its state is in_state
    input logic [STATE_BITS-1:0] in_state,
    input logic [CLASS_BITS-1:0] in_class,
    input logic [31:0] in_symbol,
    output logic out_valid,
    output logic [STREAM_BITS-1:0] out_stream,
    output logic out_emits,  // a word, which the decoder takes after the symbol
    output logic [15:0] out_word,
    output logic [STATE_BITS-1:0] out_state,  // after the symbol
    output logic offset_valid,
    output logic [31:0] offset,
    output logic [5:0] offset_length
);
    // Stage 1.
    logic [3:0] row;
    logic [31:0] row_offset;
    logic [5:0] row_bits;
    row_locator #(
        .LAYOUT(LAYOUT)
    ) locator (
        .symbol(in_symbol),
        .width,
        .first(first_pattern[32*ROWS*in_class+:32*ROWS]),
        .offset_bits(offset_bits[6*ROWS*in_class+:6*ROWS]),
        .row,
        .offset(row_offset),
        .bits(row_bits)
    );
    logic first_1;
    logic [STREAM_BITS-1:0] stream_1;
    logic [CLASS_BITS-1:0] class_1;
    logic [3:0] row_1;
    logic [STATE_BITS-1:0] state_1;
    always_ff @(posedge clk) begin
        offset_valid <= !rst && in_valid;
        offset <= row_offset;
        offset_length <= row_bits;
        first_1 <= in_first;
        stream_1 <= in_stream;
        class_1 <= in_class;
        row_1 <= row;
        state_1 <= in_state;
    end

    // Stage 2.
    logic [(ROWS+1)*COUNT_BITS-1:0] bounds;
    assign bounds = cumulative[(ROWS+1)*COUNT_BITS*class_1+:(ROWS+1)*COUNT_BITS];
    logic [COUNT_BITS-1:0] below, above;
    assign below = bounds[COUNT_BITS*row_1+:COUNT_BITS];
    assign above = bounds[COUNT_BITS*(32'(row_1)+1)+:COUNT_BITS];
    logic valid_2, first_2;
    logic [STREAM_BITS-1:0] stream_2;
    logic [STATE_BITS-1:0] begin_2;
    logic [COUNT_BITS-1:0] below_2, count_2;
    logic [31:0] factor_2;
    logic [3:0] shift_2;
    always_ff @(posedge clk) begin
        valid_2 <= !rst && offset_valid;
        first_2 <= first_1;
        stream_2 <= stream_1;
        begin_2 <= state_1;
        below_2 <= below;
        count_2 <= above - below;
        factor_2 <= factors[32*(ROWS*32'(class_1)+32'(row_1))+:32];
        shift_2 <= shifts[4*(ROWS*32'(class_1)+32'(row_1))+:4];
    end

    // The recurrence. The state of a stream comes back STREAMS cycles after it went in; an empty slot keeps it.
    logic [STATE_BITS-1:0] state_now, kept_2, next_state;
    logic emits_2;
    assign state_now = valid_2 && first_2 ? begin_2 : out_state;
    assign emits_2 = valid_2 && 11'(state_now[STATE_BITS-1:21]) >= count_2;
    assign kept_2 = emits_2 ? STATE_BITS'(state_now[STATE_BITS-1:16]) : state_now;

    // What goes from one stage to the next, and what the third needs besides.
    localparam int LINE_BITS = 1 + STREAM_BITS + 1 + 16 + COUNT_BITS + COUNT_BITS + STATE_BITS;
    logic [LINE_BITS-1:0] line_2, line_m, line_q, line_s;
    assign line_2 = {valid_2, stream_2, emits_2, state_now[15:0], below_2, count_2, kept_2};
    logic [31:0] factor_m;
    logic [3:0] shift_m, shift_q;
    pipeline_stage #(
        .BITS(LINE_BITS + 36),
        .REGISTERED(STREAMS > 2)
    ) emission (
        .clk,
        .enable(1'b1),
        .in_data({line_2, factor_2, shift_2}),
        .out_data({line_m, factor_m, shift_m})
    );
    logic [STATE_BITS+32-1:0] product;
    logic [32:0] product_q, product_m;
    assign product = (STATE_BITS + 32)'(line_m[STATE_BITS-1:0]) * (STATE_BITS + 32)'(factor_m);
    assign product_m = 33'(product[STATE_BITS+32-1:31]);
    pipeline_stage #(
        .BITS(LINE_BITS + 33 + 4),
        .REGISTERED(STREAMS > 1)
    ) multiplication (
        .clk,
        .enable(1'b1),
        .in_data({line_m, product_m, shift_m}),
        .out_data({line_q, product_q, shift_q})
    );
    logic [20:0] quotient_q, quotient_s;
    assign quotient_q = 21'(product_q >> shift_q);
    pipeline_stage #(
        .BITS(LINE_BITS + 21),
        .REGISTERED(STREAMS > 2)
    ) division (
        .clk,
        .enable(1'b1),
        .in_data({line_q, quotient_q}),
        .out_data({line_s, quotient_s})
    );
    logic valid_s, emits_s;
    logic [STREAM_BITS-1:0] stream_s;
    logic [15:0] word_s;
    logic [COUNT_BITS-1:0] below_s, count_s;
    logic [STATE_BITS-1:0] kept_s, complement;
    assign {valid_s, stream_s, emits_s, word_s, below_s, count_s, kept_s} = line_s;
    assign complement = STATE_BITS'(1024) - STATE_BITS'(count_s);
    assign next_state = kept_s + STATE_BITS'(below_s) + STATE_BITS'(quotient_s) * complement;
    always_ff @(posedge clk) begin
        out_valid <= !rst && valid_s;
        out_stream <= stream_s;
        out_emits <= !rst && emits_s;
        out_word <= word_s;
        out_state <= valid_s ? next_state : kept_s;
    end
    logic unused;
    assign unused = &{1'b0, product[30:0]};
endmodule
