// Memory for the streams of a lane: both halves of a double buffer, in words of 32 bits. A write puts one or two words at
// an address; a read gives a row of 16 words a cycle later. In silicon it is 16 banks of SRAM, of which two neighbours are
// written and all are read.
module stream_store #(
    parameter int WORDS = 16384,  // a multiple of 16
    localparam int ADDRESS_BITS = $clog2(WORDS)
) (
    input logic clk,
    input logic [1:0] write_words,
    input logic [ADDRESS_BITS-1:0] write_address,
    input logic [63:0] write_data,  // the first word in the upper half
    input logic read_enable,  // holds what was read when low
    input logic [ADDRESS_BITS-5:0] read_row,
    output logic [511:0] read_data  // the first word in the highest places
);
    logic [31:0] words[WORDS];
    always_ff @(posedge clk) begin
        if (write_words != 0) words[write_address] <= write_data[63:32];
        if (write_words[1]) words[write_address+1] <= write_data[31:0];
    end
    always_ff @(posedge clk)
        if (read_enable)
            for (int i = 0; i < 16; i = i + 1) read_data[511-32*i-:32] <= words[{read_row, 4'(i)}];
endmodule
