// Chunks of 1 .. 64 bytes become beats of 64 bytes without gaps (AXI-stream, byte k at bit 8k). A packet ends with the
// chunk that is `in_last`.
module beat_packer (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic [511:0] in_data,  // zeros behind its bytes
    input logic [6:0] in_bytes,
    input logic in_last,
    output logic [511:0] tdata,
    output logic [63:0] tkeep,
    output logic tvalid,
    input logic tready,
    output logic tlast
);
    logic [511:0] rest;  // bytes that fill no beat yet
    logic [5:0] fill;
    logic ending;  // the packet has all been taken, and some of it is left
    logic moves;
    logic [1023:0] together;
    logic [7:0] after;
    assign moves = !tvalid || tready;
    assign in_ready = moves && !ending;
    assign together = {512'd0, rest} | ({512'd0, in_data} << {fill, 3'd0});
    assign after = {2'd0, fill} + {1'b0, in_bytes};
    always_ff @(posedge clk)
        if (rst) begin
            tvalid <= 1'b0;
            ending <= 1'b0;
            rest <= '0;
            fill <= '0;
        end else if (moves) begin
            tvalid <= 1'b0;
            if (ending) begin
                tvalid <= 1'b1;
                tdata <= rest;
                tkeep <= ~({64{1'b1}} << fill);
                tlast <= 1'b1;
                ending <= 1'b0;
                rest <= '0;
                fill <= '0;
            end else if (in_valid) begin
                tdata <= together[511:0];
                tkeep <= ~({64{1'b1}} << (after > 8'd64 ? 8'd64 : after));
                tlast <= in_last && after <= 8'd64;
                tvalid <= in_last || after >= 8'd64;
                ending <= in_last && after > 8'd64;
                rest <= after >= 8'd64 ? together[1023:512] : together[511:0];
                fill <= after[5:0];
                if (in_last && after <= 8'd64) begin
                    rest <= '0;
                    fill <= '0;
                end
            end
        end
endmodule
