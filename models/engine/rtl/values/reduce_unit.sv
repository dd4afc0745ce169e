// The adders of a NIC for values that are not coded: ADDERS additions of fp32 begin in each cycle. A beat that is accepted
// is added one cycle later (adder_latency of models/nic/nic_params.hpp).
module reduce_unit #(
    parameter int ADDERS = 64
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic in_last,  // of a piece of work
    input logic [$clog2(ADDERS+1)-1:0] in_count,  // values in the beat, from the first adder on
    input logic [32*ADDERS-1:0] in_received,
    input logic [32*ADDERS-1:0] in_local,
    output logic out_valid,
    input logic out_ready,
    output logic out_last,
    output logic [$clog2(ADDERS+1)-1:0] out_count,
    output logic [32*ADDERS-1:0] out_sums
);
    assign in_ready = !out_valid || out_ready;
    always_ff @(posedge clk) begin
        if (rst) out_valid <= 1'b0;
        else if (in_ready) out_valid <= in_valid;
        if (in_ready) begin
            out_last <= in_last;
            out_count <= in_count;
        end
    end
    for (genvar i = 0; i < ADDERS; i = i + 1) begin : g_adder
        fp32_adder adder (
            .clk,
            .enable(in_ready),
            .a(in_received[32*i+:32]),
            .b(in_local[32*i+:32]),
            .sum(out_sums[32*i+:32])
        );
    end
endmodule
