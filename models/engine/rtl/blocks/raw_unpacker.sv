// Symbols of `width` bits each, most significant bit first, out of chunks of 64 bytes: the symbols of one slot at a time.
module raw_unpacker #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    localparam int SUB_BITS = $clog2(LANES * STREAMS + 1),
    localparam int BEAT_BITS = LANES * 32,
    localparam int HELD_BITS = BEAT_BITS + 512,
    localparam int SIZE_BITS = $clog2(HELD_BITS + 1)
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    input logic begins,  // a block begins: what is left of the one before is dropped
    input logic in_valid,
    output logic in_ready,
    input logic [511:0] in_data,  // byte k at bit 8k
    input logic [6:0] in_bytes,
    input logic [SUB_BITS-1:0] out_count,  // symbols that are asked for
    output logic out_valid,  // they are all here
    input logic out_ready,
    output logic [32*LANES-1:0] out_symbols
);
    logic [HELD_BITS-1:0] held;  // the first bit highest
    logic [SIZE_BITS-1:0] fill, asked, taken, kept;
    logic [511:0] in_stream;
    for (genvar k = 0; k < 64; k = k + 1) begin : g_byte
        assign in_stream[511-8*k-:8] = k < 32'(in_bytes) ? in_data[8*k+:8] : 8'd0;
    end
    assign asked = SIZE_BITS'(32'(out_count) * 32'(width));
    assign out_valid = fill >= asked;
    assign taken = out_valid && out_ready ? asked : '0;
    assign kept = fill - taken;
    assign in_ready = 32'(kept) <= BEAT_BITS;
    always_ff @(posedge clk)
        if (rst || begins) begin
            held <= '0;
            fill <= '0;
        end else begin
            held <= (held << taken) | (in_valid && in_ready ? {in_stream, {BEAT_BITS{1'b0}}} >> kept : '0);
            fill <= kept + (in_valid && in_ready ? SIZE_BITS'({in_bytes, 3'd0}) : '0);
        end
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_symbol
        logic [31:0] top;
        logic [HELD_BITS-1:0] moved;
        assign moved = held << (l * 32'(width));
        assign top = moved[HELD_BITS-1-:32];
        assign out_symbols[32*l+:32] = 32'($signed(top) >>> (6'd32 - width));
        logic unused;
        assign unused = &{1'b0, moved[HELD_BITS-33:0]};
    end
endmodule
