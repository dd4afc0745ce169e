// Sum of a decoded symbol and its local value, in two's complement.
module integer_adder (
    input logic clk,
    input logic enable,
    input logic [31:0] a,
    input logic [31:0] b,
    output logic [31:0] sum  // of what came in at the edge before
);
    always_ff @(posedge clk) if (enable) sum <= a + b;
endmodule
