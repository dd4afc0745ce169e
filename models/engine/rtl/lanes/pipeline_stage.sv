// A register between two stages of a recurrence, or a wire where a lane has too few streams for it.
module pipeline_stage #(
    parameter int BITS = 1,
    parameter bit REGISTERED = 1
) (
    input logic clk,
    input logic enable,  // nothing moves when low
    input logic [BITS-1:0] in_data,
    output logic [BITS-1:0] out_data
);
    if (REGISTERED) begin : g_register
        always_ff @(posedge clk) if (enable) out_data <= in_data;
    end else begin : g_wire
        assign out_data = in_data;
        logic unused;
        assign unused = &{clk, enable};
    end
endmodule
