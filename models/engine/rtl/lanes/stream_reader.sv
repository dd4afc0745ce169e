// Reader of the streams of a lane: the next bits of each stream, most significant first, out of words of 32 bits. A stream
// is visited in one cycle, in which the reader shows at least 32 bits and takes a word if it held fewer, and left in the
// same or a later cycle, in which up to 32 bits are consumed. Visits of a stream do not overlap.
module stream_reader #(
    parameter int STREAMS = 1,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic enable,
    input logic visit,
    input logic [STREAM_BITS-1:0] visit_stream,
    input logic visit_first,  // the stream begins: what is left of the one before is dropped
    input logic [31:0] word,  // the next word of that stream, zeros behind its end
    output logic take,  // the word
    output logic [62:0] shown,  // from the highest place on
    output logic [5:0] shown_fill,  // how many of them are bits of the stream, at least 32
    input logic leave,
    input logic [STREAM_BITS-1:0] leave_stream,
    input logic [62:0] leave_shown,  // `shown` of the visit, with its fill
    input logic [5:0] leave_fill,
    input logic [5:0] consumed  // 0 .. 32
);
    logic [STREAMS*63-1:0] rest;
    logic [STREAMS*6-1:0] fill;
    logic [62:0] held;
    logic [5:0] held_fill;
    always_comb begin
        held = visit_first ? 63'd0 : rest[63*visit_stream+:63];
        held_fill = visit_first ? 6'd0 : fill[6*visit_stream+:6];
        take = visit && enable && !held_fill[5];
        shown = held_fill[5] ? held : held | ({word, 31'd0} >> held_fill[4:0]);
        shown_fill = held_fill | 6'd32;
    end
    always_ff @(posedge clk)
        if (enable && leave) begin
            rest[63*leave_stream+:63] <= leave_shown << consumed;
            fill[6*leave_stream+:6] <= leave_fill - consumed;
        end
endmodule
