// A queue of DEPTH entries in registers. An entry can be taken in the cycle after it came.
module register_fifo #(
    parameter int BITS = 32,
    parameter int DEPTH = 4,  // a power of two
    localparam int POINTER_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic [BITS-1:0] in_data,
    output logic out_valid,
    input logic out_ready,
    output logic [BITS-1:0] out_data
);
    logic [DEPTH*BITS-1:0] entries;
    logic [POINTER_BITS-1:0] head, tail;
    logic [POINTER_BITS:0] count;
    logic push, pop;
    assign in_ready = count != (POINTER_BITS + 1)'(DEPTH);
    assign out_valid = count != 0;
    assign push = in_valid && in_ready;
    assign pop = out_valid && out_ready;
    assign out_data = entries[BITS*head+:BITS];
    always_ff @(posedge clk)
        if (rst) begin
            head <= '0;
            tail <= '0;
            count <= '0;
        end else begin
            if (push) begin
                entries[BITS*tail+:BITS] <= in_data;
                tail <= tail + 1'b1;
            end
            if (pop) head <= head + 1'b1;
            count <= count + (POINTER_BITS + 1)'(push) - (POINTER_BITS + 1)'(pop);
        end
endmodule
