// Packer of a lane's symbol streams: emissions of the arithmetic coder become words of 32 bits, most significant bit
// first. It appends up to 16 bits in a cycle; an emission of more, after long underflow, keeps it busy for one more cycle
// for each further 16 (packer_stalls(), models/codec/entropy/arithmetic_coder.hpp).
module symbol_packer #(
    parameter int STREAMS = 1,
    parameter int HELD_BITS = 18,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,  // low while it is busy with the emission before
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_first,  // nothing is in the stream yet
    input logic in_finish,  // the emission ends the stream, whose last word is filled with zeros
    input logic in_settled,  // there is an emission: `in_bit`, `in_held` times its opposite, `in_rest` bits of `in_tail`
    input logic in_bit,
    input logic [HELD_BITS-1:0] in_held,
    input logic [3:0] in_rest,
    input logic [14:0] in_tail,  // from the highest place on; zeros after
    output logic [1:0] out_words,  // how many words leave in this cycle: two only where a stream ends
    output logic [63:0] out_data,  // the first in the upper half
    output logic [STREAM_BITS-1:0] out_stream,
    output logic out_finish,  // with them the stream is complete, and has `out_bits`
    output logic [17:0] out_bits
);
    // The emission in hand, of which the first cycle comes from the inputs.
    logic busy, busy_first, busy_finish, busy_bit;
    logic [STREAM_BITS-1:0] busy_stream;
    logic [HELD_BITS-1:0] busy_held;
    logic [3:0] busy_rest;
    logic [14:0] busy_tail;

    logic active, first, finish, lead, opposite;
    logic [STREAM_BITS-1:0] stream;
    logic [HELD_BITS-1:0] held;
    logic [3:0] rest;
    logic [14:0] tail;
    assign active = busy || in_valid;
    assign stream = busy ? busy_stream : in_stream;
    assign first = busy ? busy_first : in_first;
    assign finish = busy ? busy_finish : in_finish;
    assign lead = !busy && in_settled;
    assign opposite = busy ? !busy_bit : !in_bit;
    assign held = busy ? busy_held : (in_settled ? in_held : '0);
    assign rest = busy ? busy_rest : (in_settled ? in_rest : 4'd0);
    assign tail = busy ? busy_tail : in_tail;

    // The chunk of this cycle: the first bit, opposites, and bits of the tail, 16 at most. 15 opposites or fewer always fit
    // behind a first bit; of more, as many as there is room for, and no tail.
    logic many, held_fit, ends;
    logic [4:0] used, size;  // places before the tail, and in all
    logic [5:0] wanted;
    logic [14:0] masked;
    logic [15:0] opposites, chunk;
    logic [HELD_BITS-1:0] still_held;
    always_comb begin
        many = held[HELD_BITS-1:4] != 0;
        held_fit = !many || (!lead && held == HELD_BITS'(16));
        still_held = held - (lead ? HELD_BITS'(15) : HELD_BITS'(16));
        used = many ? 5'd16 : {1'b0, held[3:0]} + {4'd0, lead};
        wanted = {1'b0, used} + {2'b0, rest};
        size = wanted > 6'd16 ? 5'd16 : wanted[4:0];
        ends = held_fit && wanted <= 6'd16;
        masked = tail & ~(15'h7FFF >> rest);
        opposites = opposite ? ~(16'hFFFF >> used) : 16'd0;
        chunk = {lead ? in_bit : opposites[15], opposites[14:0]} | ({masked, 1'b0} >> used);
    end
    // The same as !busy, in a register of its own: every register of the lane waits for it.
    always_ff @(posedge clk)
        if (rst) in_ready <= 1'b1;
        else if (active) in_ready <= ends;
    always_ff @(posedge clk)
        if (rst) busy <= 1'b0;
        else if (active) begin
            busy <= !ends;
            busy_first <= 1'b0;
            busy_finish <= finish;
            busy_bit <= !opposite;
            busy_stream <= stream;
            busy_held <= held_fit ? '0 : still_held;
            busy_rest <= wanted > 6'd16 ? 4'(wanted - 6'd16) : 4'd0;
            busy_tail <= masked << (5'd16 - used);
        end

    // The chunk joins its stream a cycle later: what decides its size is not in the path to the words.
    logic chunk_valid, chunk_first, chunk_last;
    logic [STREAM_BITS-1:0] chunk_stream;
    logic [4:0] chunk_size;
    logic [15:0] chunk_bits;
    always_ff @(posedge clk) begin
        chunk_valid <= !rst && active;
        chunk_first <= first;
        chunk_last <= finish && ends;
        chunk_stream <= stream;
        chunk_size <= size;
        chunk_bits <= chunk;
    end

    // Bits that fill no word yet, from the highest place on, of each stream.
    logic [STREAMS*31-1:0] partial;
    logic [STREAMS*5-1:0] fill;
    logic [STREAMS*18-1:0] bits;
    logic [4:0] kept_fill;
    logic [30:0] kept;
    logic [17:0] kept_bits, all_bits;
    logic [5:0] after_fill;
    logic [46:0] together;
    always_comb begin
        kept_fill = chunk_first ? 5'd0 : fill[5*chunk_stream+:5];
        kept = chunk_first ? 31'd0 : partial[31*chunk_stream+:31];
        kept_bits = chunk_first ? 18'd0 : bits[18*chunk_stream+:18];
        together = {kept, 16'd0} | ({chunk_bits, 31'd0} >> kept_fill);
        after_fill = {1'b0, kept_fill} + {1'b0, chunk_size};
        all_bits = kept_bits + {13'd0, chunk_size};
    end
    always_ff @(posedge clk) begin
        if (chunk_valid) begin
            partial[31*chunk_stream+:31] <= after_fill[5] ? {together[14:0], 16'd0} : together[46:16];
            fill[5*chunk_stream+:5] <= after_fill[4:0];
            bits[18*chunk_stream+:18] <= all_bits;
        end
        out_finish <= !rst && chunk_valid && chunk_last;
        out_words <= 2'd0;
        if (!rst && chunk_valid) begin
            if (chunk_last) out_words <= {1'b0, after_fill != 6'd0} + {1'b0, after_fill > 6'd32};
            else out_words <= {1'b0, after_fill[5]};
        end
        out_data <= {together, 17'd0};
        out_stream <= chunk_stream;
        out_bits <= all_bits;
    end
endmodule
