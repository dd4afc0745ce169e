// A lane of the encoder array: symbols in, words of the symbol and offset streams of each of its sub-streams out.
//
// The lane is clocked in slots: a slot holds a symbol of one stream, or its finish, or nothing. Slots of a stream are
// STREAMS apart, in which its interval is updated; other streams use the slots between. The first slot of a block of each
// stream has `in_first`; the slot behind its last symbol has `in_finish`, writes the two bits that end the symbol stream
// and fills both streams to a word.
//
//   stage 1  the row of the symbol and its offset
//   stage 2  the counts below and up to the row, in the table of its class; the offset packer
//   then     STREAMS stages of the recurrence, the first of which multiplies
//   then     the symbol packer: a chunk, and the words, which leave from a register
//
// A symbol that emits more than 16 bits stops the lane (in_ready) for packer_stalls() cycles. Then nothing in it moves.
module asc_encoder_lane #(
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // 0: magnitude, 1: ranges
    localparam int ROWS = 16,
    localparam int COUNT_BITS = 11,
    localparam int HELD_BITS = 18,
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
    input logic in_valid,
    output logic in_ready,
    input logic [STREAM_BITS-1:0] in_stream,  // the number of the slot modulo STREAMS
    input logic in_first,
    input logic in_finish,
    input logic [CLASS_BITS-1:0] in_class,
    input logic [31:0] in_symbol,
    output logic [1:0] symbol_words,
    output logic [63:0] symbol_data,
    output logic [STREAM_BITS-1:0] symbol_stream,
    output logic symbol_finish,
    output logic [17:0] symbol_bits,
    output logic offset_word,
    output logic [31:0] offset_data,
    output logic [STREAM_BITS-1:0] offset_stream,
    output logic offset_finish,
    output logic [18:0] offset_stream_bits
);
    logic enable;
    assign in_ready = enable;

    // Stage 1.
    logic [3:0] row;
    logic [31:0] offset;
    logic [5:0] bits;
    row_locator #(
        .LAYOUT(LAYOUT)
    ) locator (
        .symbol(in_symbol),
        .width,
        .first(first_pattern[32*ROWS*in_class+:32*ROWS]),
        .offset_bits(offset_bits[6*ROWS*in_class+:6*ROWS]),
        .row,
        .offset,
        .bits
    );
    logic valid_1, first_1, finish_1;
    logic [STREAM_BITS-1:0] stream_1;
    logic [CLASS_BITS-1:0] class_1;
    logic [3:0] row_1;
    logic [31:0] offset_1;
    logic [5:0] bits_1;
    always_ff @(posedge clk)
        if (rst) valid_1 <= 1'b0;
        else if (enable) begin
            valid_1 <= in_valid;
            first_1 <= in_first;
            finish_1 <= in_finish;
            stream_1 <= in_stream;
            class_1 <= in_class;
            row_1 <= row;
            offset_1 <= offset;
            bits_1 <= bits;
        end

    // Stage 2.
    offset_packer #(
        .STREAMS(STREAMS)
    ) offsets (
        .clk,
        .rst,
        .in_valid(valid_1 && enable),
        .in_stream(stream_1),
        .in_first(first_1),
        .in_finish(finish_1),
        .in_offset(offset_1),
        .in_bits(finish_1 ? 6'd0 : bits_1),
        .out_word(offset_word),
        .out_data(offset_data),
        .out_stream(offset_stream),
        .out_finish(offset_finish),
        .out_bits(offset_stream_bits)
    );
    logic [(ROWS+1)*COUNT_BITS-1:0] table_of_class;
    assign table_of_class = cumulative[(ROWS+1)*COUNT_BITS*class_1+:(ROWS+1)*COUNT_BITS];
    logic [COUNT_BITS-1:0] below_2, above_2;
    logic valid_2, first_2, finish_2;
    logic [STREAM_BITS-1:0] stream_2;
    always_ff @(posedge clk)
        if (rst) valid_2 <= 1'b0;
        else if (enable) begin
            valid_2 <= valid_1;
            first_2 <= first_1;
            finish_2 <= finish_1;
            stream_2 <= stream_1;
            below_2 <= table_of_class[COUNT_BITS*row_1+:COUNT_BITS];
            above_2 <= table_of_class[COUNT_BITS*(32'(row_1)+1)+:COUNT_BITS];
        end

    // The recurrence. The interval of a stream comes back STREAMS cycles after it went in; an empty slot keeps it.
    logic [15:0] low_state, low_now;
    logic [16:0] range_state, range_now;
    logic [HELD_BITS-1:0] held_state, held_now;
    assign low_now = first_2 && valid_2 ? 16'd0 : low_state;
    assign range_now = first_2 && valid_2 ? 17'h10000 : range_state;
    assign held_now = first_2 && valid_2 ? '0 : held_state;
    logic [16:0] start, stop;
    logic codes_2;
    assign codes_2 = valid_2 && !finish_2;
    // In 1/1024, rounded down. Without a symbol the part is all of the range, which changes nothing.
    assign start = codes_2 ? 17'((28'(range_now) * 28'(below_2)) >> 10) : 17'd0;
    assign stop = codes_2 ? 17'((28'(range_now) * 28'(above_2)) >> 10) : range_now;

    logic [15:0] low_m;
    logic [16:0] start_m, stop_m;
    logic [HELD_BITS-1:0] held_m;
    logic valid_m, first_m, finish_m;
    logic [STREAM_BITS-1:0] stream_m;
    if (STREAMS > 2) begin : g_product_register
        always_ff @(posedge clk)
            if (rst) valid_m <= 1'b0;
            else if (enable) begin
                valid_m <= valid_2;
                first_m <= first_2;
                finish_m <= finish_2;
                stream_m <= stream_2;
                low_m <= low_now;
                start_m <= start;
                stop_m <= stop;
                held_m <= held_now;
            end
    end else begin : g_product
        assign valid_m = valid_2;
        assign first_m = first_2;
        assign finish_m = finish_2;
        assign stream_m = stream_2;
        assign low_m = low_now;
        assign start_m = start;
        assign stop_m = stop;
        assign held_m = held_now;
    end

    localparam int INSIDE = STREAMS == 4 ? 2 : STREAMS == 2 ? 1 : 0;  // registers in interval_update
    logic [4:0] settled, shift;
    logic [15:0] leading, next_low;
    logic [16:0] next_range;
    interval_update #(
        .STAGES(INSIDE + 1)
    ) update (
        .clk,
        .enable,
        .low(low_m),
        .start(start_m),
        .stop(stop_m),
        .settled,
        .leading,
        .shift,
        .next_low,
        .next_range
    );
    // What belongs to the symbol goes along.
    logic valid_u, first_u, finish_u;
    logic [STREAM_BITS-1:0] stream_u;
    logic [HELD_BITS-1:0] held_u;
    if (INSIDE > 0) begin : g_along
        logic [INSIDE-1:0] valid_r, first_r, finish_r;
        logic [INSIDE*STREAM_BITS-1:0] stream_r;
        logic [INSIDE*HELD_BITS-1:0] held_r;
        always_ff @(posedge clk)
            if (rst) valid_r <= '0;
            else if (enable) begin
                valid_r <= INSIDE'({valid_r, valid_m});
                first_r <= INSIDE'({first_r, first_m});
                finish_r <= INSIDE'({finish_r, finish_m});
                stream_r <= (INSIDE * STREAM_BITS)'({stream_r, stream_m});
                held_r <= (INSIDE * HELD_BITS)'({held_r, held_m});
            end
        assign valid_u = valid_r[INSIDE-1];
        assign first_u = first_r[INSIDE-1];
        assign finish_u = finish_r[INSIDE-1];
        assign stream_u = stream_r[(INSIDE-1)*STREAM_BITS+:STREAM_BITS];
        assign held_u = held_r[(INSIDE-1)*HELD_BITS+:HELD_BITS];
    end else begin : g_alone
        assign valid_u = valid_m;
        assign first_u = first_m;
        assign finish_u = finish_m;
        assign stream_u = stream_m;
        assign held_u = held_m;
    end

    // Underflow is held until a bit settles, which releases it. At the end one more is held, and the first bit is that of
    // the middle quarter that lies in the interval, which a finish leaves as it is.
    logic emits;
    logic [4:0] underflow;
    assign underflow = shift - settled;
    logic [HELD_BITS-1:0] released;
    assign emits = finish_u || settled != 0;
    assign released = held_u + HELD_BITS'(finish_u);
    always_ff @(posedge clk)
        if (enable) begin
            low_state <= next_low;
            range_state <= next_range;
            held_state <= (settled != 0 ? '0 : held_u) + HELD_BITS'(underflow);
        end
    symbol_packer #(
        .STREAMS(STREAMS),
        .HELD_BITS(HELD_BITS)
    ) symbols (
        .clk,
        .rst,
        .in_valid(valid_u),
        .in_ready(enable),
        .in_stream(stream_u),
        .in_first(first_u),
        .in_finish(finish_u),
        .in_settled(emits),
        .in_bit(finish_u ? leading >= 16'h4000 : leading[15]),
        .in_held(released),
        .in_rest(finish_u ? 4'd0 : 4'(settled - 5'd1)),
        .in_tail(leading[14:0]),
        .out_words(symbol_words),
        .out_data(symbol_data),
        .out_stream(symbol_stream),
        .out_finish(symbol_finish),
        .out_bits(symbol_bits)
    );
endmodule
