// Pieces of up to 64 bytes become beats of 64 bytes, without a gap between them; the last beat of a block may be shorter.
// Bytes travel from the highest place of a piece or beat on.
module beat_packer (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic in_last,  // of a block
    input logic [511:0] in_data,  // zeros behind its bytes
    input logic [6:0] in_bytes,
    output logic out_valid,
    input logic out_ready,
    output logic out_last,
    output logic [511:0] out_data,
    output logic [6:0] out_bytes
);
    logic [511:0] kept;
    logic [6:0] kept_bytes;  // below 64 between pieces
    logic flush;  // what is kept is the last of a block
    logic [1023:0] together;
    logic [7:0] bytes;
    assign together = {kept, 512'd0} | ({in_data, 512'd0} >> {kept_bytes[5:0], 3'b000});
    assign bytes = {1'b0, kept_bytes} + {1'b0, in_bytes};
    assign in_ready = !flush && (!out_valid || out_ready);
    always_ff @(posedge clk)
        if (rst) begin
            out_valid <= 1'b0;
            flush <= 1'b0;
            kept <= '0;
            kept_bytes <= '0;
        end else if (!out_valid || out_ready) begin
            out_valid <= flush || (in_valid && (in_last || bytes >= 8'd64));
            out_last <= flush || (in_last && bytes <= 8'd64);
            out_data <= flush ? kept : together[1023:512];
            out_bytes <= flush ? kept_bytes : bytes >= 8'd64 ? 7'd64 : bytes[6:0];
            flush <= !flush && in_valid && in_last && bytes > 8'd64;
            if (flush || (in_valid && in_last && bytes <= 8'd64)) begin
                kept <= '0;
                kept_bytes <= '0;
            end else if (in_valid) begin
                kept <= bytes >= 8'd64 ? together[511:0] : together[1023:512];
                kept_bytes <= 7'(bytes[5:0]);
            end
        end
endmodule
