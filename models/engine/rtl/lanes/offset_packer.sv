// Packer of a lane's offset streams: raw offsets of up to 32 bits become words of 32 bits, most significant bit first. It
// takes one in each cycle.
module offset_packer #(
    parameter int STREAMS = 1,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_first,  // nothing is in the stream yet
    input logic in_finish,  // no offset comes, and the last word is filled with zeros
    input logic [31:0] in_offset,
    input logic [5:0] in_bits,  // of the offset; 0: there is none
    output logic out_word,  // one leaves in this cycle
    output logic [31:0] out_data,
    output logic [STREAM_BITS-1:0] out_stream,
    output logic out_finish,  // the stream is complete, and has `out_bits`
    output logic [18:0] out_bits
);
    logic [STREAMS*31-1:0] partial;
    logic [STREAMS*5-1:0] fill;
    logic [STREAMS*19-1:0] bits;
    logic [4:0] kept_fill;
    logic [30:0] kept;
    logic [18:0] kept_bits, after_bits;
    logic [5:0] after_fill;
    logic [31:0] aligned;
    logic [62:0] together;
    always_comb begin
        kept_fill = in_first ? 5'd0 : fill[5*in_stream+:5];
        kept = in_first ? 31'd0 : partial[31*in_stream+:31];
        kept_bits = in_first ? 19'd0 : bits[19*in_stream+:19];
        aligned = in_bits == 0 ? 32'd0 : in_offset << (6'd32 - in_bits);
        together = {kept, 32'd0} | ({aligned, 31'd0} >> kept_fill);
        after_fill = {1'b0, kept_fill} + in_bits;
        after_bits = kept_bits + {13'd0, in_bits};
    end
    always_ff @(posedge clk) begin
        if (in_valid) begin
            partial[31*in_stream+:31] <= after_fill[5] ? together[30:0] : together[62:32];
            fill[5*in_stream+:5] <= after_fill[4:0];
            bits[19*in_stream+:19] <= after_bits;
        end
        out_word <= !rst && in_valid && (after_fill[5] || (in_finish && after_fill != 0));
        out_finish <= !rst && in_valid && in_finish;
        out_data <= together[62:31];
        out_stream <= in_stream;
        out_bits <= after_bits;
    end
endmodule
