// Packs the symbols of a raw block, `width` bits each, most significant bit first, into chunks of 64 bytes, byte k at bit
// 8k. A beat of n symbols takes ceil(n * width / 512) cycles.
module raw_packer #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,
    localparam int SUB_BITS = $clog2(LANES * STREAMS + 1),
    localparam int BEAT_BITS = LANES * 32,
    localparam int SIZE_BITS = $clog2(BEAT_BITS + 1)
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,
    input logic in_valid,
    output logic in_ready,
    input logic [SUB_BITS-1:0] in_count,  // symbols in the beat, 1 .. LANES
    input logic in_last,  // of the block
    input logic [32*LANES-1:0] in_symbols,
    output logic out_valid,
    input logic out_ready,
    output logic [511:0] out_data,  // zeros behind its bytes
    output logic [6:0] out_bytes,
    output logic out_last
);
    // The beat, its first bit highest.
    logic [BEAT_BITS-1:0] packed_beat, beat;
    always_comb begin
        packed_beat = '0;
        for (int i = 0; i < LANES; i = i + 1)
            if (i < 32'(in_count))
                packed_beat = packed_beat | (BEAT_BITS'({in_symbols[32*i+:32] << (6'd32 - width)}) <<
                    (BEAT_BITS - 32)) >> (i * 32'(width));
    end
    logic held, last;
    logic [SIZE_BITS-1:0] size;  // bits of the beat that are left

    // Bits that fill no chunk yet, the first highest.
    logic [511:0] rest;
    logic [8:0] fill;
    logic ending;  // the block has all been taken, and some of it is left

    logic moves, takes_all;
    logic [9:0] part;
    logic [511:0] front;
    logic [1023:0] together;
    logic [10:0] after;
    if (BEAT_BITS >= 512) begin : g_wide
        assign front = beat[BEAT_BITS-1-:512];
    end else begin : g_narrow
        assign front = {beat, {(512 - BEAT_BITS) {1'b0}}};
    end
    assign moves = !out_valid || out_ready;
    assign takes_all = 32'(size) <= 512;
    assign part = takes_all ? 10'(size) : 10'd512;
    assign together = {rest, 512'd0} | ({front, 512'd0} >> fill);
    assign after = {2'd0, fill} + {1'b0, part};
    assign in_ready = !ending && (!held || (moves && takes_all && !last));

    function automatic logic [511:0] bytes_of(input logic [511:0] stream);
        for (int k = 0; k < 64; k = k + 1) bytes_of[8*k+:8] = stream[511-8*k-:8];
    endfunction

    always_ff @(posedge clk)
        if (rst) begin
            held <= 1'b0;
            out_valid <= 1'b0;
            ending <= 1'b0;
            rest <= '0;
            fill <= '0;
        end else begin
            if (moves) begin
                out_valid <= 1'b0;
                if (ending) begin
                    out_valid <= 1'b1;
                    out_data <= bytes_of(rest);
                    out_bytes <= 7'((32'(fill) + 7) / 8);
                    out_last <= 1'b1;
                    ending <= 1'b0;
                    rest <= '0;
                    fill <= '0;
                end else if (held) begin
                    held <= !takes_all;
                    size <= size - SIZE_BITS'(part);
                    beat <= beat << 512;
                    out_data <= bytes_of(together[1023:512]);
                    if (after >= 11'd512) begin
                        out_valid <= 1'b1;
                        out_bytes <= 7'd64;
                        out_last <= takes_all && last && after == 11'd512;
                        rest <= together[511:0];
                        fill <= after[8:0];
                        ending <= takes_all && last && after != 11'd512;
                    end else begin
                        rest <= together[1023:512];
                        fill <= after[8:0];
                        if (takes_all && last) begin
                            out_valid <= 1'b1;
                            out_bytes <= 7'((32'(after) + 7) / 8);
                            out_last <= 1'b1;
                            rest <= '0;
                            fill <= '0;
                        end
                    end
                end
            end
            if (in_valid && in_ready) begin
                held <= 1'b1;
                beat <= packed_beat;
                size <= SIZE_BITS'(32'(in_count) * 32'(width));
                last <= in_last;
            end
        end
endmodule
