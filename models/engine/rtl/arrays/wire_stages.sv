// Registers on a long way: what comes in leaves STAGES cycles later. 0: a wire.
module wire_stages #(
    parameter int BITS = 1,
    parameter int STAGES = 0
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    input logic [BITS-1:0] in_data,
    output logic out_valid,
    output logic [BITS-1:0] out_data
);
    if (STAGES > 0) begin : g_registers
        logic [STAGES-1:0] valids;
        logic [STAGES*BITS-1:0] entries;
        always_ff @(posedge clk) begin
            valids <= rst ? '0 : STAGES'({valids, in_valid});
            entries <= (STAGES * BITS)'({entries, in_data});
        end
        assign out_valid = valids[STAGES-1];
        assign out_data = entries[(STAGES-1)*BITS+:BITS];
    end else begin : g_wire
        logic unused;
        assign unused = &{1'b0, clk, rst};
        assign out_valid = in_valid;
        assign out_data = in_data;
    end
endmodule
