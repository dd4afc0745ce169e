// Memory with a port to read and a port to write. What is read comes a cycle after its address; a word that is written in
// the same cycle is not yet seen. Behavioural: a technology puts a macro of WORDS * BITS bits here.
module sram_1r1w #(
    parameter int WORDS = 64,
    parameter int BITS = 32,
    localparam int ADDRESS_BITS = WORDS > 1 ? $clog2(WORDS) : 1
) (
    input logic clk,
    input logic write_enable,
    input logic [ADDRESS_BITS-1:0] write_address,
    input logic [BITS-1:0] write_data,
    input logic read_enable,  // `read_data` stays when low
    input logic [ADDRESS_BITS-1:0] read_address,
    output logic [BITS-1:0] read_data
);
    logic [BITS-1:0] memory[0:WORDS-1];
    always_ff @(posedge clk) begin
        if (write_enable) memory[write_address] <= write_data;
        if (read_enable) read_data <= memory[read_address];
    end
endmodule
