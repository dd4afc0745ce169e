// Store of one kind of stream (symbols or offsets) of a lane of the encoder array, for two blocks: one is written while
// the other is read. Words of 32 bits come in, most significant bit first; rows of 64 bytes go out, byte k at bit 8k. Word w
// of a stream lies in bank w mod 16, so that two words can be written at once.
module stream_store #(
    parameter int STREAMS = 1,
    parameter int ROWS = 16,  // of 64 bytes, of each stream: a power of two
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic [1:0] in_words,
    input logic [63:0] in_data,  // the first word in the upper half
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_finish,  // with these words the stream is complete, and has `in_bits`
    input logic [18:0] in_bits,
    // Of the two blocks: each stream is complete, until `release`.
    output logic [1:0] full,
    input logic [1:0] empty,  // forget the streams of this block
    input logic buffer,  // the block that is read
    output logic [19*STREAMS-1:0] bits,  // of its streams
    output logic [STREAMS-1:0] overflow,  // its stream had no room
    input logic read_enable,
    input logic [STREAM_BITS-1:0] read_stream,
    input logic [ROW_BITS-1:0] read_row,
    output logic [511:0] read_data  // a cycle later
);
    localparam int WORD_BITS = ROW_BITS + 4;
    localparam int STREAM_ADDRESS = STREAMS > 1 ? $clog2(STREAMS) : 0;
    localparam int ADDRESS_BITS = 1 + STREAM_ADDRESS + ROW_BITS;
    logic [STREAMS-1:0] write_buffer;
    logic [(WORD_BITS+1)*STREAMS-1:0] next;
    logic [2*STREAMS-1:0] complete, overflows;
    logic [2*STREAMS*19-1:0] lengths;

    logic [WORD_BITS:0] at, at_1, after;
    logic into;
    assign at = next[(WORD_BITS+1)*in_stream+:(WORD_BITS+1)];
    assign at_1 = at + 1'b1;
    assign after = at + (WORD_BITS + 1)'(in_words);
    assign into = write_buffer[in_stream];
    always_ff @(posedge clk)
        if (rst) begin
            write_buffer <= '0;
            next <= '0;
            complete <= '0;
        end else begin
            if (empty[0]) complete[0+:STREAMS] <= '0;
            if (empty[1]) complete[STREAMS+:STREAMS] <= '0;
            // A stream that is too long stays at its end.
            next[(WORD_BITS+1)*in_stream+:(WORD_BITS+1)] <= in_finish ? '0 : at[WORD_BITS] ? at : after;
            if (in_finish) begin
                write_buffer[in_stream] <= !into;
                complete[STREAMS*32'(into)+32'(in_stream)] <= 1'b1;
                overflows[STREAMS*32'(into)+32'(in_stream)] <= after > (WORD_BITS + 1)'(16 * ROWS) || at[WORD_BITS];
                lengths[19*(STREAMS*32'(into)+32'(in_stream))+:19] <= in_bits;
            end
        end
    assign full = {&complete[STREAMS+:STREAMS], &complete[0+:STREAMS]};
    assign bits = buffer ? lengths[19*STREAMS+:19*STREAMS] : lengths[0+:19*STREAMS];
    assign overflow = buffer ? overflows[STREAMS+:STREAMS] : overflows[0+:STREAMS];

    logic [ADDRESS_BITS-1:0] write_row_0, write_row_1, read_address;
    if (STREAMS > 1) begin : g_streams
        assign write_row_0 = {into, in_stream, at[WORD_BITS-1:4]};
        assign write_row_1 = {into, in_stream, at_1[WORD_BITS-1:4]};
        assign read_address = {buffer, read_stream, read_row};
    end else begin : g_stream
        assign write_row_0 = {into, at[WORD_BITS-1:4]};
        assign write_row_1 = {into, at_1[WORD_BITS-1:4]};
        assign read_address = {buffer, read_row};
        logic unused;
        assign unused = &{1'b0, read_stream};
    end
    for (genvar b = 0; b < 16; b = b + 1) begin : g_bank
        logic of_first, of_second;
        logic [31:0] word;
        assign of_first = in_words != 0 && !at[WORD_BITS] && at[3:0] == 4'(b);
        assign of_second = in_words == 2'd2 && !at_1[WORD_BITS] && at_1[3:0] == 4'(b);
        assign word = of_second ? in_data[31:0] : in_data[63:32];
        sram_1r1w #(
            .WORDS(2 * STREAMS * ROWS),
            .BITS(32)
        ) bank (
            .clk,
            .write_enable(of_first || of_second),
            .write_address(of_second ? write_row_1 : write_row_0),
            .write_data({word[7:0], word[15:8], word[23:16], word[31:24]}),
            .read_enable,
            .read_address,
            .read_data(read_data[32*b+:32])
        );
    end
endmodule
